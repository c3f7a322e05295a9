#include "cli/mcp/mcp.h"

#include "base/json.h"
#include "base/number.h"
#include "base/wildcard.h"
#include "cli/options/command_line.h"
#include "cli/options/option_rows.h"
#include "cli/reports/reporting.h"
#include "report/formats.h"

#include <errno.h>
#include <stdio.h>

/* The most lines of an answer. Another call has the rest. */
enum { TOOLS_LINES_MAX = 200 };

/*
 * What an assistant can ask: each tool is a command line, and its arguments are options.
 *
 * A call can read logs and Lua sources, and nothing else: its options are only those in the
 * tool's row, and standard output is kept in memory.
 */

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
    if (row != NULL && option_word_at(row, 0, &word)) {
        json_array(json, "enum");
        for (size_t i = 0; option_word_at(row, i, &word); i++)
            json_string(json, NULL, word.word);
        json_end(json);
    }
    json_end(json);
}

/* Writes the member "tools": the tools and the schemas of their arguments. */
static void list_tools(struct json_writer *json)
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
    if (strcmp(path, "-") == 0)
        return false;
    return !file_status(&status, path) || status.kind == FILE_DIRECTORY ||
           (status.kind == FILE_REGULAR && status.byte_count > 0);
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
    else if (is_path && !is_here(word))
        is_good = error_set(err, "the argument %s must be a path on this computer, not '%s'",
                            arguments[argument], word);
    else if (is_path && !has_end(word))
        is_good = error_set(err,
                            "the argument %s cannot be '%s': an empty file, a pipe or a device "
                            "may never end",
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

/*
 * Calls a tool as `params` say, and writes "content" and "isError". What the command line would
 * refuse, or fail at, is text of the answer. False, with nothing written, if there is no such tool.
 */
static bool call_tool(struct json_writer *json, struct span params)
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

enum { MESSAGE_BYTES_MAX = 1 << 20 };

/* Codes of JSON-RPC, and one of the protocol. */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, UNKNOWN_METHOD = -32601 };
enum { INVALID_PARAMS = -32602, UNSUPPORTED_VERSION = -32022 };

/*
 * Revisions of the protocol. All but the newest begin with `initialize`. The one of 2025-03-26 is
 * left out: it has several requests in a message.
 */
static const char versions[] = "[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2024-11-05\"]";
static const char program[] = "{\"name\":\"supprof\",\"version\":\"" SUPPROF_VERSION "\"}";

static const char instructions[] =
    "supprof shows where the time goes in the Lua of Supreme Commander: Forged Alliance. Call "
    "summary with the log of a game first. Options that answers name, such as --tick 912, are "
    "arguments of tools, of the same name without dashes.";

struct request {
    struct span id, params; /* empty for none */
    struct text method;
    struct text error; /* the members of an error; empty for none */
};

static bool refuse(struct request *request, int code, const char *message)
{
    text_printf(&request->error, "\"code\":%d,\"message\":\"%s\"", code, message);
    return false;
}

/* Whether a value is the name of a revision. */
static bool is_version(struct span value)
{
    struct text name = {0};
    text_put_span(&name, value);
    bool is_known = value.length == strlen("\"2026-07-28\"") && strstr(versions, name.at) != NULL;
    text_release(&name);
    return is_known;
}

/*
 * Requests since 2026-07-28 name their revision. One that does not is of an older revision, which
 * both sides agreed on.
 */
static bool check_version(struct request *request)
{
    struct span meta, value;
    if (!json_find(request->params, "_meta", &meta) ||
        !json_find(meta, "io.modelcontextprotocol/protocolVersion", &value))
        return !span_is(text_span(&request->method), "server/discover") ||
               refuse(request, INVALID_PARAMS, "_meta must have a protocolVersion");
    if (is_version(value))
        return true;
    refuse(request, UNSUPPORTED_VERSION, "unsupported protocol version");
    text_printf(&request->error, ",\"data\":{\"supported\":%s,\"requested\":", versions);
    text_put_clean(&request->error, value, false);
    text_put_string(&request->error, "}");
    return false;
}

/* Writes the members of the result of a request. */
static bool put_result(struct json_writer *json, struct request *request)
{
    struct span value, method = text_span(&request->method);
    bool is_list = span_is(method, "tools/list"), is_start = span_is(method, "initialize");
    bool is_discovery = span_is(method, "server/discover");
    text_put_string(json_value(json, "resultType"), "\"complete\"");
    text_printf(json_value(json, "_meta"), "{\"io.modelcontextprotocol/serverInfo\":%s}", program);
    if (span_is(method, "tools/call"))
        return call_tool(json, request->params) ||
               refuse(request, INVALID_PARAMS, "no such tool; tools/list has the tools");
    if (is_list)
        list_tools(json);
    else if (!is_start && !is_discovery && !span_is(method, "ping"))
        return refuse(request, UNKNOWN_METHOD, "no such method");
    if (is_start) {
        bool is_known = json_find(request->params, "protocolVersion", &value) &&
                        is_version(value) && !span_is(value, "\"2026-07-28\"");
        text_put_span(json_value(json, "protocolVersion"),
                      is_known ? value : span_of("\"2025-11-25\""));
        text_put_string(json_value(json, "serverInfo"), program);
    }
    if (is_discovery)
        text_put_string(json_value(json, "supportedVersions"), versions);
    if (is_start || is_discovery) {
        text_put_string(json_value(json, "capabilities"), "{\"tools\":{}}");
        json_string(json, "instructions", instructions);
    }
    if (is_list || is_discovery) {
        /* The same until the program ends, so a client may keep it for an hour. */
        json_number(json, "ttlMs", 60 * 60 * 1000);
        json_string(json, "cacheScope", "public");
    }
    return true;
}

static bool read_request(struct request *request, struct span message)
{
    struct span value;
    if (message.length > MESSAGE_BYTES_MAX || !json_is_value(message))
        return refuse(request, PARSE_ERROR, "not a JSON value, or more than 1 MB");
    bool has_id = json_find(message, "id", &value);
    bool is_id = !has_id || strchr("\"-0123456789", value.at[0]) != NULL;
    if (has_id && is_id)
        request->id = value;
    if (json_find(message, "params", &value))
        request->params = value;
    return (is_id && json_find(message, "jsonrpc", &value) && span_is(value, "\"2.0\"") &&
            json_find(message, "method", &value) && json_read_string(value, &request->method)) ||
           refuse(request, INVALID_REQUEST,
                  "not a request with jsonrpc 2.0, a method, and a string or a number as id");
}

/* Answers a message; a notification has no answer. */
static void answer(struct span message)
{
    struct request request = {.id = {"", 0}, .params = {"", 0}};
    struct json_writer result = {.is_compact = true};
    struct text id = {0};
    bool is_good = read_request(&request, message);
    bool is_notification = is_good && request.id.length == 0;
    json_object(&result, NULL);
    is_good =
        is_good && !is_notification && check_version(&request) && put_result(&result, &request);
    json_end(&result);
    text_put_clean(&id, request.id, false);
    if (!is_notification)
        printf("{\"jsonrpc\":\"2.0\"%s%s,\"%s\":%s%s%s}\n", id.length > 0 ? ",\"id\":" : "",
               text_string(&id), is_good ? "result" : "error", is_good ? "" : "{",
               text_string(is_good ? &result.text : &request.error), is_good ? "" : "}");
    text_release(&id);
    text_release(&result.text);
    text_release(&request.method);
    text_release(&request.error);
}

bool mcp_serve(struct error *err)
{
    struct text line = {0};
    int byte = '\n';
    while (byte != EOF && fflush(stdout) == 0) {
        while ((byte = getchar()) != '\n' && byte != EOF)
            /* Of a line that is too long, one byte more than is allowed is kept. */
            if (line.length <= MESSAGE_BYTES_MAX)
                text_put(&line, &(char){(char)byte}, 1);
        if (strspn(text_string(&line), " \t\r") < line.length)
            answer(text_span(&line));
        text_cut(&line, 0);
    }
    text_release(&line);
    if (ferror(stdin))
        return error_set(err, "cannot read standard input: %s", strerror(errno));
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           error_set(err, "cannot write standard output: %s", strerror(errno));
}
