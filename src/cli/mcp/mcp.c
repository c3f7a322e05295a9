#include "cli/mcp/mcp.h"

#include "base/json_reader.h"
#include "cli/mcp/tools.h"

#include <errno.h>
#include <stdio.h>

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
        return tools_call(json, request->params) ||
               refuse(request, INVALID_PARAMS, "no such tool; tools/list has the tools");
    if (is_list)
        tools_list(json);
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
