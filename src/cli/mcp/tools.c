#include "cli/mcp/tools.h"

#include "base/json_reader.h"
#include "base/number.h"
#include "base/wildcard.h"
#include "cli/options/command_line.h"
#include "cli/options/option_rows.h"
#include "cli/reports/run.h"
#include "report/formats.h"

/*
 * Arguments have the names of the options that they set, but for the first two. Those up to `peek`
 * are in each tool on whose format the option has an effect, the others in tools that name them.
 */
static const char *const arguments[] = {
    "log",      "first-line", "tick", "from",     "to",   "focus", "by",   "sort",
    "inverted", "slow-over",  "rows", "lua-root", "peek", "list",  "tree", "diff"};
enum { LOG, FIRST_LINE, PEEK = 12, ARGUMENT_COUNT = sizeof arguments / sizeof arguments[0] };

static const struct tool {
    const char *name, *help;
    const struct report_format *format;
    const char *own; /* an argument; NULL for none */
    bool needs_own;
} tools[] = {
    {"summary", "Where the time goes: total, slow ticks, findings, functions. Call this first.",
     &report_top, NULL, false},
    {"ticks", "How long the ticks took (or frames, of the user interface), and the slowest ones.",
     &report_ticks, NULL, false},
    {"tick", "What one tick did.", &report_top, "tick", true},
    {"function", "Who calls a function, and what it calls.", &report_peek, "peek", true},
    {"tree", "The call tree as far as it is expensive, or what a function calls.", &report_tree,
     "tree", false},
    {"compare", "What has changed since an older log.", &report_top, "diff", true},
    {"source", "The lines of a function, and what they call; lua-root has their text.",
     &report_list, "list", true},
};

enum { TOOL_COUNT = sizeof tools / sizeof tools[0] };

static bool is_own(const struct tool *tool, size_t argument)
{
    return tool->own != NULL && strcmp(tool->own, arguments[argument]) == 0;
}

static bool takes(const struct tool *tool, size_t argument)
{
    const struct option_row *row = option_row_find(span_of(arguments[argument]));
    bool has_effect =
        row == NULL || row->works_with == 0 || (row->works_with & tool->format->uses) != 0;
    return is_own(tool, argument) || (argument < PEEK && has_effect);
}

static bool needs(const struct tool *tool, size_t argument)
{
    return argument == LOG || (tool->needs_own && is_own(tool, argument));
}

/* What an argument is in JSON. */
static const char *type_of(size_t argument)
{
    const struct option_row *row = option_row_find(span_of(arguments[argument]));
    const char *value = row != NULL ? row->argument : argument == LOG ? "LOG" : "N";
    return value == NULL ? "boolean" : strcmp(value, "N") == 0 ? "integer" : "string";
}

static void put_argument(struct json_writer *json, size_t argument)
{
    const struct option_row *row = option_row_find(span_of(arguments[argument]));
    struct option_word word;
    json_object(json, arguments[argument]);
    json_string(json, "type", type_of(argument));
    json_string(json, "description",
                row != NULL       ? row->help
                : argument == LOG ? "path of the game's log (.log or .log.gz)"
                                  : "the first line to show of an answer of more than 200");
    if (row != NULL && row->words != NULL) {
        json_array(json, "enum");
        for (size_t i = 0; option_words_at(row->words, i, &word); i++)
            json_string(json, NULL, word.word);
        json_end(json);
    }
    json_end(json);
}

void tools_list(struct json_writer *json)
{
    json_array(json, "tools");
    for (const struct tool *tool = tools; tool < tools + TOOL_COUNT; tool++) {
        json_object(json, NULL);
        json_string(json, "name", tool->name);
        json_string(json, "description", tool->help);
        text_put_string(json_value(json, "annotations"), "{\"readOnlyHint\":true}");
        json_object(json, "inputSchema");
        json_string(json, "type", "object");
        json_bool(json, "additionalProperties", false);
        json_array(json, "required");
        for (size_t i = 0; i < ARGUMENT_COUNT; i++)
            if (needs(tool, i))
                json_string(json, NULL, arguments[i]);
        json_end(json);
        json_object(json, "properties");
        for (size_t i = 0; i < ARGUMENT_COUNT; i++)
            if (takes(tool, i))
                put_argument(json, i);
        json_end(json);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* A call, and the command line that it makes. */
struct tool_call {
    const struct tool *tool;
    bool is_given[ARGUMENT_COUNT];
    char *argv[ARGUMENT_COUNT + 4]; /* [argc] and NULL */
    int argc;
    char *log;
    uint64_t first_line; /* from 1 on; 0 if it is not given */
    struct arena words;
};

/* Adds a word of the command line: "--option", or "--option=value". */
static void add_word(struct tool_call *call, const char *option, const char *value)
{
    struct text word = {0};
    text_printf(&word, "--%s%s%s", option, value != NULL ? "=" : "", value != NULL ? value : "");
    call->argv[call->argc++] = arena_copy(&call->words, word.at, word.length);
    text_release(&word);
}

/*
 * Whether a path is neither standard input, which has the messages, nor something that may never
 * end, nor on another computer: a log may make an assistant name one that collects passwords.
 */
static bool is_file(const char *path)
{
    struct file_status status;
    bool is_here =
        path[0] != '\0' && (strchr("/\\", path[0]) == NULL || strchr("/\\?", path[1]) == NULL);
    return is_here && strcmp(path, "-") != 0 && !wildcard_is(path) &&
           (!file_status(&status, path) || status.kind != FILE_OTHER);
}

/* Adds the word of an argument; the log comes last. */
static bool apply(struct tool_call *call, size_t argument, struct span value, struct error *err)
{
    const struct option_row *row = option_row_find(span_of(arguments[argument]));
    const char *type = type_of(argument);
    bool is_boolean = type[0] == 'b';
    /* A number may be in quotes, too. */
    bool is_good = strchr(is_boolean       ? "tf"
                          : type[0] == 'i' ? "-0123456789\""
                                           : "\"",
                          value.at[0]) != NULL;
    bool is_path = argument == LOG ||
                   (row != NULL && (row->takes == TAKES_FILE || row->takes == TAKES_DIRECTORY));
    struct text text = {0};
    if (!json_read_string(value, &text))
        text_put_span(&text, value);
    const char *word = text_string(&text);
    if (!is_good || strlen(word) < text.length)
        is_good =
            error_set(err, "the argument %s must be of the type %s", arguments[argument], type);
    else if (is_path && !is_file(word))
        is_good = error_set(err, "the argument %s must be a path on this computer, not '%s'",
                            arguments[argument], word);
    else if (argument == LOG)
        call->log = arena_copy(&call->words, word, text.length);
    else if (argument == FIRST_LINE)
        is_good = (strspn(word, "0123456789") == text.length &&
                   number_count(text_span(&text), &call->first_line)) ||
                  error_set(err, "invalid value '%s' for first-line; give a whole number", word);
    else if (!is_boolean || word[0] == 't')
        add_word(call, arguments[argument], is_boolean ? NULL : word);
    text_release(&text);
    return is_good;
}

static bool read_arguments(struct tool_call *call, struct span rest, struct error *err)
{
    const struct tool *tool = call->tool;
    struct text name = {0};
    struct span value;
    bool is_good = true;
    call->argv[call->argc++] = arena_copy(&call->words, "supprof", strlen("supprof"));
    add_word(call, "format", tool->format->name);
    while (is_good && json_next(&rest, &name, &value)) {
        size_t i = 0;
        while (i < ARGUMENT_COUNT && !span_is(text_span(&name), arguments[i]))
            i++;
        is_good = i < ARGUMENT_COUNT && takes(tool, i) && !call->is_given[i];
        if (is_good)
            is_good = call->is_given[i] = apply(call, i, value, err);
        else
            error_set(err, "the tool %s has no argument '%s', or it is given twice", tool->name,
                      text_string(&name));
    }
    for (size_t i = 0; i < ARGUMENT_COUNT && is_good; i++)
        is_good = call->is_given[i] || !needs(tool, i) ||
                  error_set(err, "the tool %s needs the argument %s", tool->name, arguments[i]);
    add_word(call, "", NULL);
    call->argv[call->argc++] = call->log;
    text_release(&name);
    return is_good;
}

bool tools_call(struct json_writer *json, struct span params)
{
    struct kept_lines kept = {.count_max = TOOLS_LINES_MAX};
    struct console console = {.kept = &kept};
    struct tool_call call = {0};
    struct options options = {0};
    struct span value;
    struct error err;
    struct text name = {0}, *text = &kept.text;
    if (json_find(params, "name", &value) && json_read_string(value, &name))
        for (size_t i = 0; i < TOOL_COUNT; i++)
            if (span_is(text_span(&name), tools[i].name))
                call.tool = &tools[i];
    text_release(&name);
    if (call.tool == NULL)
        return false;
    console_hold(&console);
    if (read_arguments(&call, json_find(params, "arguments", &value) ? value : span_of(""), &err) &&
        command_line_read(&options, call.argc, call.argv, false, &err)) {
        options.color = WHEN_NEVER;
        kept.first = call.first_line - (call.first_line > 0);
        run(&options, &console);
    } else {
        console_fail(&console, USAGE, &err);
    }
    options_release(&options);
    arena_release(&call.words);
    if (kept.kept_count < kept.count)
        text_printf(
            text, "(%llu of %llu lines are left out; first-line shows others, and rows fewer)\n",
            (unsigned long long)(kept.count - kept.kept_count), (unsigned long long)kept.count);
    text_put_span(text, text_span(&console.held));
    json_array(json, "content");
    json_object(json, NULL);
    json_string(json, "type", "text");
    json_text(json, "text", text_span(text));
    json_end(json);
    json_end(json);
    json_bool(json, "isError", console.status != DONE);
    text_release(&console.held);
    text_release(text);
    return true;
}
