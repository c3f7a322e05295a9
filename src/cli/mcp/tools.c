#include "cli/mcp/tools.h"

#include "base/number.h"
#include "base/wildcard.h"
#include "cli/mcp/json_reader.h"
#include "cli/options/command_line.h"
#include "cli/options/option_rows.h"
#include "cli/reports/reporting.h"
#include "report/figures/formats.h"
#include "report/sentences/wrap.h"

/* The most lines and bytes of an answer; another call has the rest. And rows as JSON, and logs. */
enum { LINES_MAX = 200, BYTES_MAX = 24000, ROWS_USUAL = 20, LOGS_MAX = 64 };

/* What an argument is; the last four are no options. A tool also takes the one it calls its own. */
enum argument_kind {
    OPTION, /* of each tool on whose format it has an effect */
    TICK,   /* the same; a number or a text */
    FILTER, /* the same, of tools that are not whole */
    OWN,    /* only of tools that call it their own */
    CHANGE, /* where something is compared */
    LOG,    /* of tools that read one */
    LOGS,
    OLD_LOGS,
    FIRST_LINE,
};

static const struct argument {
    const char *name; /* that of the option that it sets */
    enum argument_kind kind;
} arguments[] = {
    {"log", LOG},          {"first-line", FIRST_LINE},
    {"tick", TICK},        {"from", OPTION},
    {"to", OPTION},        {"ticks-over", OPTION},
    {"state", OPTION},     {"run", OPTION},
    {"focus", FILTER},     {"ignore", FILTER},
    {"hide", FILTER},      {"by", FILTER},
    {"sort", OPTION},      {"inverted", OPTION},
    {"slow-over", OPTION}, {"rows", OPTION},
    {"lua-root", OPTION},  {"verbose", OPTION},
    {"peek", OWN},         {"list", OWN},
    {"tree", OWN},         {"diff", OWN},
    {"normalize", CHANGE}, {"what-if", OWN},
    {"logs", LOGS},        {"old-logs", OLD_LOGS},
};

enum { ARGUMENT_COUNT = sizeof arguments / sizeof arguments[0] };

/* Of what each tool answers as JSON, see put_answer(). */
static const char output_schema[] =
    "{\"type\":\"object\",\"required\":[\"verdict\",\"headline\",\"findings\",\"errors\",\"rows\"],"
    "\"properties\":{\"verdict\":{\"type\":\"array\"},\"headline\":{\"type\":\"array\"},"
    "\"findings\":{\"type\":\"array\"},"
    "\"judged_findings\":{\"type\":\"array\"},"
    "\"errors\":{\"type\":\"array\"},\"rows_left_out\":{\"type\":\"integer\"},\"rows\":{\"type\":"
    "\"array\",\"description\":\"the table, with the columns of CSV: _us are microseconds\"}}}";

static const struct tool {
    const char *name, *title, *help;
    const struct report_format *format;
    const char *own;     /* an argument; NULL for none */
    const char *option;  /* that each call gives; NULL for none */
    bool can_do_without; /* its own argument */
    bool is_whole;       /* no filters, and no other rows */
} tools[] = {
    {"summary",
     "Where the time goes",
     "Total time, slow ticks, findings, functions, errors of Lua. Call this first.",
     &report_top,
     .own = NULL},
    {"ticks",
     "Ticks",
     "How long the ticks (frames, of the user interface) took; the slowest ones.",
     &report_ticks,
     .own = NULL},
    {"tick", "One tick", "What one tick did.", &report_top, .own = "tick"},
    {"function",
     "Callers and callees",
     "Who calls a function, and what it calls.",
     &report_peek,
     .own = "peek"},
    {"tree",
     "Call tree",
     "The call tree where it is expensive, or what a function calls.",
     &report_tree,
     .own = "tree",
     .can_do_without = true},
    {"compare",
     "Comparison",
     "What has changed since one older log. Two games differ by chance: see repeated.",
     &report_top,
     .own = "diff"},
    {"source",
     "Lines of a function",
     "The lines of a function, and what they call; lua-root has their text.",
     &report_list,
     .own = "list"},
    {"threads",
     "Threads",
     "The threads, by their first function: how many, how often each goes on, and the time.",
     &report_top,
     .option = "threads",
     .is_whole = true},
    {"what-if",
     "What if",
     "How many ticks would be slow if a function were faster.",
     &report_ticks,
     .own = "what-if"},
    {"repeated",
     "Several logs of one game",
     "Medians and spreads; with old-logs, which changes since another version are no chance.",
     &report_top,
     .own = "logs",
     .option = "repeated"},
    {"errors",
     "Errors of Lua",
     "Which errors the game logged, where, and how often.",
     &report_top,
     .option = "verbose",
     .is_whole = true},
};

enum { TOOL_COUNT = sizeof tools / sizeof tools[0] };

static bool is_own(const struct tool *tool, const char *name)
{
    return tool->own != NULL && strcmp(tool->own, name) == 0;
}

static bool takes(const struct tool *tool, const struct argument *argument)
{
    const struct option_row *row = option_row_find(span_of(argument->name));
    bool has_effect = row == NULL || row->works_with == 0 ||
                      (row->works_with & tables_shown(tool->format, 0).uses) != 0;
    bool has_logs = is_own(tool, "logs");
    switch (argument->kind) {
    case LOG:
        return !has_logs;
    case OLD_LOGS:
        return has_logs;
    case CHANGE:
        return has_logs || is_own(tool, "diff");
    case OWN:
    case LOGS:
        return is_own(tool, argument->name);
    case FILTER:
        return has_effect && !tool->is_whole;
    case OPTION:
    case TICK:
    case FIRST_LINE:
        break;
    }
    return has_effect;
}

static bool needs_own(const struct tool *tool)
{
    return tool->own != NULL && !tool->can_do_without;
}

static bool is_list(const struct argument *argument)
{
    return argument->kind == LOGS || argument->kind == OLD_LOGS;
}

/* What an argument is in JSON. Times and ticks are numbers, or texts such as "1:30". */
static const char *type_of(const struct argument *argument)
{
    const struct option_row *row = option_row_find(span_of(argument->name));
    if (is_list(argument))
        return "\"array\"";
    if (row == NULL)
        return argument->kind == LOG ? "\"string\"" : "\"integer\"";
    const char *value = row->argument;
    if (value == NULL)
        return "\"boolean\"";
    if (argument->kind == TICK || strcmp(value, "T") == 0 || strcmp(value, "MS") == 0)
        return "[\"number\",\"string\"]";
    return strcmp(value, "N") == 0 ? "\"integer\"" : "\"string\"";
}

/* "MS: ticks that took more than MS ms are slow": the first clause of what --help says. */
static void put_description(struct json_writer *json, const struct option_row *row)
{
    SCOPED(text) text = {0};
    struct option_word word;
    struct span help = span_of(row->help);
    const char *end = strstr(row->help, "; ");
    if (row->argument != NULL && !option_word_at(row, 0, &word))
        text_printf(&text, "%s: ", row->argument);
    help.length = end != NULL ? (size_t)(end - row->help) : help.length;
    text_put_span(&text, help);
    json_text(json, "description", text_span(&text));
}

static void put_argument(struct json_writer *json, const struct argument *argument)
{
    static const char *const texts[] = {
        [LOG] = "path of the game's log (.log or .log.gz); without it, the newest log of the game",
        [FIRST_LINE] = "the first line to show, of an answer in several parts",
        [LOGS] = "paths of the logs: best 4 or more games of the same version",
        [OLD_LOGS] = "the same of an older version",
    };
    const struct option_row *row = option_row_find(span_of(argument->name));
    struct option_word word;
    JSON_OBJECT(json, argument->name);
    text_put_string(json_value(json, "type"), type_of(argument));
    if (row != NULL)
        put_description(json, row);
    else
        json_string(json, "description", texts[argument->kind]);
    if (is_list(argument))
        text_put_string(json_value(json, "items"), "{\"type\":\"string\"}");
    if (row != NULL && option_word_at(row, 0, &word)) {
        JSON_ARRAY(json, "enum");
        for (size_t i = 0; option_word_at(row, i, &word); i++)
            json_string(json, NULL, word.word);
    }
}

void tools_list(struct json_writer *json, const struct tools_client *client)
{
    JSON_ARRAY(json, "tools");
    for (const struct tool *tool = tools; tool < tools + TOOL_COUNT; tool++) {
        JSON_OBJECT(json, NULL);
        json_string(json, "name", tool->name);
        if (client->knows_structure) {
            json_string(json, "title", tool->title);
            text_put_string(json_value(json, "outputSchema"), output_schema);
        }
        json_string(json, "description", tool->help);
        if (client->knows_annotations)
            text_put_string(json_value(json, "annotations"), "{\"readOnlyHint\":true}");
        JSON_OBJECT(json, "inputSchema");
        json_string(json, "type", "object");
        json_bool(json, "additionalProperties", false);
        json_array(json, "required");
        if (needs_own(tool))
            json_string(json, NULL, tool->own);
        json_end(json);
        JSON_OBJECT(json, "properties");
        for (size_t i = 0; i < ARGUMENT_COUNT; i++)
            if (takes(tool, &arguments[i]))
                put_argument(json, &arguments[i]);
    }
}

/* A call, and the command line that it makes. */
struct tool_call {
    const struct tool *tool;
    bool is_given[ARGUMENT_COUNT];
    char *argv[ARGUMENT_COUNT + 5 + LOGS_MAX]; /* [argc] and NULL */
    int argc;
    char *logs[LOGS_MAX]; /* [log_count] */
    size_t log_count, item_count;
    uint64_t first_line; /* from 1 on; 0 if it is not given */
    struct arena words;
};

/* Adds a word of the command line: "--option", or "--option=value". */
static void add_word(struct tool_call *call, const char *option, const char *value)
{
    SCOPED(text) word = {0};
    text_printf(&word, "--%s%s%s", option, value != NULL ? "=" : "", value != NULL ? value : "");
    call->argv[call->argc++] = arena_copy(&call->words, word.at, word.length);
}

/*
 * Whether a path is of one file, and not on another computer: a log may make an assistant name one
 * that collects passwords.
 */
static bool is_here(const char *path)
{
    return path[0] != '\0' && (strchr("/\\", path[0]) == NULL || strchr("/\\?", path[1]) == NULL) &&
           !wildcard_is(path);
}

/*
 * Whether reading a path cannot wait for ever: it is neither standard input, which has the
 * messages, nor a pipe or device, nor a file without a size: some that the system makes up, such as
 * /proc/kmsg, wait as pipes do.
 */
static bool has_end(const char *path)
{
    struct file_status status;
    if (file_is_standard(path))
        return false;
    return !file_status(&status, path) || status.kind == FILE_DIRECTORY ||
           (status.kind == FILE_REGULAR && status.byte_count > 0);
}

/* Adds the word of an argument, or of an item of one; logs come last. */
static bool apply_word(struct tool_call *call, const struct argument *argument, struct span value,
                       struct error *err)
{
    const struct option_row *row = option_row_find(span_of(argument->name));
    const char *type = is_list(argument) ? "\"string\"" : type_of(argument);
    bool is_boolean = type[1] == 'b', is_string = type[1] == 's';
    /* A number may be in quotes, too. */
    bool is_good = strchr(is_boolean  ? "tf"
                          : is_string ? "\""
                                      : "-0123456789\"",
                          value.at[0]) != NULL;
    bool is_path = row == NULL ? argument->kind != FIRST_LINE
                               : row->takes == TAKES_FILE || row->takes == TAKES_DIRECTORY;
    SCOPED(text) text = {0};
    if (!json_read_string(value, &text))
        text_put_span(&text, value);
    const char *word = text_string(&text);
    if (!is_good || strlen(word) < text.length)
        return error_set(err, "the argument %s must be of the type %s", argument->name, type);
    if (is_path && !is_here(word))
        return error_set(
            err, "the argument %s must be a path on this computer, not '%s'", argument->name, word);
    if (is_path && !has_end(word))
        return error_set(err,
                         "the argument %s cannot be '%s': an empty file, a pipe or a device may "
                         "never end",
                         argument->name,
                         word);
    if (argument->kind == LOG || argument->kind == LOGS)
        call->logs[call->log_count++] = arena_copy(&call->words, word, text.length);
    else if (argument->kind == OLD_LOGS)
        add_word(call, "diff", word);
    else if (argument->kind == FIRST_LINE)
        return (strspn(word, "0123456789") == text.length &&
                number_count(text_span(&text), &call->first_line)) ||
               error_set(err, "invalid value '%s' for first-line; give a whole number", word);
    else if (!is_boolean || word[0] == 't')
        add_word(call, argument->name, is_boolean ? NULL : word);
    return true;
}

static bool apply(struct tool_call *call, const struct argument *argument, struct span value,
                  struct error *err)
{
    struct span item;
    if (!is_list(argument))
        return apply_word(call, argument, value, err);
    if (!json_is_array(value))
        return error_set(err, "the argument %s must be of the type \"array\"", argument->name);
    while (json_next_item(&value, &item)) {
        if (call->item_count++ == LOGS_MAX)
            return error_set(err, "more than %d logs in one call", LOGS_MAX);
        if (!apply_word(call, argument, item, err))
            return false;
    }
    return true;
}

static bool find_log(struct tool_call *call, struct error *err)
{
    SCOPED(text) path = {0};
    if (!opening_find_newest(&path))
        return error_set(err,
                         "no log of the game was found where games write them; give the "
                         "argument log");
    call->logs[call->log_count++] = arena_copy(&call->words, path.at, path.length);
    return true;
}

/* The argument with this name, or NULL. */
static const struct argument *find_argument(struct span name)
{
    for (size_t i = 0; i < ARGUMENT_COUNT; i++)
        if (span_is(name, arguments[i].name))
            return &arguments[i];
    return NULL;
}

static bool read_arguments(struct tool_call *call, struct span rest, struct error *err)
{
    const struct tool *tool = call->tool;
    SCOPED(text) name = {0};
    struct span value;
    bool has_own = false;
    call->argv[call->argc++] = arena_copy(&call->words, "supprof", strlen("supprof"));
    add_word(call, "format", tool->format->name);
    if (tool->option != NULL)
        add_word(call, tool->option, NULL);
    while (json_next(&rest, &name, &value)) {
        const struct argument *argument = find_argument(text_span(&name));
        if (argument == NULL || !takes(tool, argument) || call->is_given[argument - arguments])
            return error_set(err,
                             "the tool %s has no argument '%s', or it is given twice",
                             tool->name,
                             text_string(&name));
        if (!apply(call, argument, value, err))
            return false;
        call->is_given[argument - arguments] = true;
        has_own |= is_own(tool, argument->name);
    }
    if (needs_own(tool) && (!has_own || (is_own(tool, "logs") && call->log_count == 0)))
        return error_set(err, "the tool %s needs the argument %s", tool->name, tool->own);
    if (call->log_count == 0 && !find_log(call, err))
        return false;
    add_word(call, "", NULL);
    for (size_t i = 0; i < call->log_count; i++)
        call->argv[call->argc++] = call->logs[i];
    return true;
}

static const struct tool *find_tool(struct span name)
{
    for (size_t i = 0; i < TOOL_COUNT; i++)
        if (span_is(name, tools[i].name))
            return &tools[i];
    return NULL;
}

/* Appends what an assistant can do for the hint "add --NAME"; false if there is nothing. */
static bool put_hint(struct text *text, struct span name)
{
    const struct argument *argument = find_argument(name);
    const struct tool *tool = find_tool(name);
    for (size_t i = 0; argument != NULL && i < TOOL_COUNT; i++)
        if (is_own(&tools[i], argument->name)) {
            text_printf(text, "call %s with %s", tools[i].name, argument->name);
            return true;
        }
    if (argument != NULL)
        text_printf(text, "add %s", argument->name);
    else if (tool != NULL)
        text_printf(text, "call %s", tool->name);
    return argument != NULL || tool != NULL;
}

/*
 * Appends an answer whose hints name tools and arguments. They are marked, since a name from the
 * log may look like one (see wrap.h); other texts keep the options.
 */
static void put_with_hints(struct text *text, const char *answer)
{
    const size_t length = strlen("add --");
    for (const char *at; (at = strchr(answer, WRAP_HINT)) != NULL;) {
        const char *verb = at + 1, *start = verb + length;
        struct span name = {start, strspn(start, "abcdefghijklmnopqrstuvwxyz-")};
        text_put(text, answer, (size_t)(at - answer));
        answer = name.at + name.length;
        if (!put_hint(text, name))
            text_put(text, verb, (size_t)(answer - verb));
    }
    text_put_string(text, answer);
}

/* Puts the rows behind what the answer has as JSON, and the answer into the result. */
static void put_answer(struct json_writer *json, struct console_answer *answer)
{
    struct kept_lines *rows = &answer->rows;
    json_array(&answer->json, "rows");
    for (struct span rest = text_span(&rows->text); rest.length > 0;)
        text_put_span(json_value(&answer->json, NULL), span_take(&rest, '\n'));
    json_end(&answer->json);
    json_count(&answer->json, "rows_left_out", rows->count - rows->kept_count);
    json_end(&answer->json);
    text_put_span(json_value(json, "structuredContent"), text_span(&answer->json.text));
}

/* Puts what was printed as "content", with what is left out of it. */
static void put_content(struct json_writer *json, struct kept_lines *kept, struct span messages)
{
    struct text *text = &kept->text;
    SCOPED(text) answer = {0};
    unsigned long long next = kept->first + kept->kept_count + 1;
    if (kept->kept_count < kept->count)
        text_printf(text,
                    "(%llu of %llu lines are left out; first-line",
                    (unsigned long long)(kept->count - kept->kept_count),
                    (unsigned long long)kept->count);
    if (next <= kept->count)
        text_printf(text, "=%llu shows the next ones)\n", next);
    else if (kept->kept_count < kept->count)
        text_put_string(text, " shows others)\n");
    text_put_span(text, messages);
    put_with_hints(&answer, text_string(text));
    JSON_ARRAY(json, "content");
    JSON_OBJECT(json, NULL);
    json_string(json, "type", "text");
    json_text(json, "text", text_span(&answer));
}

bool tools_call(struct json_writer *json, struct span params, const struct tools_client *client)
{
    SCOPED(text) name = {0};
    struct span value;
    if (!json_find(params, "name", &value) || !json_read_string(value, &name))
        return false;
    struct tool_call call = {.tool = find_tool(text_span(&name))};
    if (call.tool == NULL)
        return false;
    struct console_answer answer = {.json = {.is_compact = true}, .rows = {.bytes_max = BYTES_MAX}};
    struct kept_lines kept = {.count_max = LINES_MAX, .bytes_max = BYTES_MAX};
    struct console console = {.kept = &kept,
                              .answer = client->knows_structure ? &answer : NULL,
                              .goes_on = client->goes_on,
                              .goes_on_context = client->context};
    SCOPED(options) options = {0};
    struct error err;
    console_hold(&console);
    json_object(&answer.json, NULL);
    if (read_arguments(&call, json_find(params, "arguments", &value) ? value : span_of(""), &err) &&
        command_line_read(&options, call.argc, call.argv, false, &err)) {
        size_t rows = options.show.has_rows ? options.show.rows : ROWS_USUAL;
        answer.rows.count_max = rows == 0 || rows > LINES_MAX ? LINES_MAX : rows;
        options.color = WHEN_NEVER;
        options.marks_hints = true;
        kept.first = call.first_line - (call.first_line > 0);
        console.is_verbose = options.show.is_verbose;
        run(&options, &console);
    } else {
        console_fail(&console, USAGE, &err);
    }
    arena_release(&call.words);
    put_content(json, &kept, text_span(&console.held));
    json_bool(json, "isError", console.status != DONE);
    if (console.answer != NULL && console.status == DONE)
        put_answer(json, &answer);
    text_release(&console.held);
    text_release(&kept.text);
    text_release(&answer.json.text);
    text_release(&answer.rows.text);
    return true;
}
