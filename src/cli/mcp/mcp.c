#include "cli/mcp/mcp.h"

#include "base/mem.h"
#include "cli/mcp/json_reader.h"
#include "cli/mcp/tools.h"
#include "platform/clock.h"
#include "platform/thread.h"

#include <errno.h>
#include <stdio.h>

enum { MESSAGE_BYTES_MAX = 1 << 20, WAITING_BYTES_MAX = 1 << 22, ANSWERS_BYTES_MAX = 1 << 26 };

/* Codes of JSON-RPC, and one of the protocol. */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, UNKNOWN_METHOD = -32601 };
enum { INVALID_PARAMS = -32602, UNSUPPORTED_VERSION = -32022 };

/* Revisions of the protocol, oldest first. All but the newest begin with `initialize`. */
enum revision { OLDEST, MARCH_2025, JUNE_2025, NEWEST_WITH_START, NEWEST, REVISION_COUNT };
static const char *const revisions[REVISION_COUNT] = {
    "\"2024-11-05\"", "\"2025-03-26\"", "\"2025-06-18\"", "\"2025-11-25\"", "\"2026-07-28\""};

static const char program[] = "{\"name\":\"supprof\",\"version\":\"" SUPPROF_VERSION "\"}";

static const char instructions[] =
    "supprof shows where the time goes in the Lua of Supreme Commander: Forged Alliance. Call "
    "summary with the log of a game first. Options in texts and tables, such as --tick 912, are "
    "arguments of tools, of the same name without dashes; --top is rows. RE is a regular "
    "expression, searched in names and places as tables show them.";

/* A message with calls of tools that waits for its turn, or is being answered. */
struct message {
    struct message *next;
    struct text line, id;   /* the id as it was sent; empty for several requests in one message */
    enum revision revision; /* that both sides agreed on when it came */
    bool is_cancelled;
};

/*
 * One thread reads the messages, and answers at once what takes no time. Calls of tools wait for
 * the other thread, so that a ping is answered, and a call can be cancelled, while one is running.
 */
struct server {
    struct worker
        *worker; /* its lock is for all below, and for standard output; NULL without threads */
    struct message *first, **end;
    size_t waiting_bytes;
    bool is_ended; /* standard input */
    int failure;   /* errno of the first answer that was not written; 0 for none */
    enum revision revision;

    struct message *running; /* NULL for none */
    struct text token;       /* of its progress, as it was sent; empty for none */
    double told;             /* the part that was told last */
    int64_t told_at_ns;
};

struct request {
    struct span id, params; /* empty for none */
    struct text method;
    struct text error; /* the members of an error; empty for none */
    enum revision revision;
    bool is_response; /* to a question that we have not asked */
};

static bool refuse(struct request *request, int code, const char *message)
{
    text_printf(&request->error, "\"code\":%d,\"message\":\"%s\"", code, message);
    return false;
}

/* The revision with this name, or REVISION_COUNT. */
static enum revision find_revision(struct span value)
{
    enum revision revision = 0;
    while (revision < REVISION_COUNT && !span_is(value, revisions[revision]))
        revision++;
    return revision;
}

static void put_revisions(struct text *text)
{
    for (size_t i = REVISION_COUNT; i-- > 0;)
        text_printf(text, "%s%s", i == REVISION_COUNT - 1 ? "[" : ",", revisions[i]);
    text_put_string(text, "]");
}

/*
 * Requests since the newest revision name theirs. One that does not is of the revision that both
 * sides agreed on.
 */
static bool check_revision(struct request *request)
{
    struct span meta, value;
    if (!json_find(request->params, "_meta", &meta) ||
        !json_find(meta, "io.modelcontextprotocol/protocolVersion", &value))
        return !span_is(text_span(&request->method), "server/discover") ||
               refuse(request, INVALID_PARAMS, "_meta must have a protocolVersion");
    request->revision = find_revision(value);
    if (request->revision < REVISION_COUNT)
        return true;
    refuse(request, UNSUPPORTED_VERSION, "unsupported protocol version");
    text_put_string(&request->error, ",\"data\":{\"supported\":");
    put_revisions(&request->error);
    text_put_string(&request->error, ",\"requested\":");
    text_put_clean(&request->error, value, false);
    text_put_string(&request->error, "}");
    return false;
}

/* For struct tools_client: tells the progress now and then, if that is asked for. */
static bool goes_on(void *context, double done)
{
    enum { INTERVAL_NS = 100 * 1000 * 1000 };
    struct server *server = context;
    worker_enter(server->worker);
    bool is_cancelled = server->running->is_cancelled;
    int64_t now_ns = clock_now_ns();
    if (server->token.length > 0 && !is_cancelled && done > server->told &&
        now_ns - server->told_at_ns >= INTERVAL_NS) {
        printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
               "{\"progressToken\":%s,\"progress\":%.4f,\"total\":1}}\n",
               text_string(&server->token),
               done);
        fflush(stdout);
        server->told = done;
        server->told_at_ns = now_ns;
    }
    worker_leave(server->worker);
    return !is_cancelled;
}

/* The revision of a client that begins with these parameters. */
static enum revision start_revision(struct span params)
{
    struct span value;
    enum revision revision =
        json_find(params, "protocolVersion", &value) ? find_revision(value) : REVISION_COUNT;
    return revision < NEWEST ? revision : NEWEST_WITH_START;
}

/* Writes the members of the result of a request. */
static bool put_result(struct server *server, struct json_writer *json, struct request *request)
{
    struct span method = text_span(&request->method);
    bool is_list = span_is(method, "tools/list"), is_start = span_is(method, "initialize");
    bool is_discovery = span_is(method, "server/discover"), is_newest = request->revision == NEWEST;
    const struct tools_client client = {.knows_annotations = request->revision >= MARCH_2025,
                                        .knows_structure = request->revision >= JUNE_2025,
                                        .goes_on = goes_on,
                                        .context = server};
    /* Older clients take no more members than their revision has. */
    if (is_newest) {
        text_put_string(json_value(json, "resultType"), "\"complete\"");
        text_printf(
            json_value(json, "_meta"), "{\"io.modelcontextprotocol/serverInfo\":%s}", program);
    }
    if (span_is(method, "tools/call"))
        return tools_call(json, request->params, &client) ||
               refuse(request, INVALID_PARAMS, "no such tool; tools/list has the tools");
    if (is_list)
        tools_list(json, &client);
    else if (!is_start && !is_discovery && !span_is(method, "ping"))
        return refuse(request, UNKNOWN_METHOD, "no such method");
    if (is_start) {
        text_put_string(json_value(json, "protocolVersion"),
                        revisions[start_revision(request->params)]);
        text_put_string(json_value(json, "serverInfo"), program);
    }
    if (is_discovery)
        put_revisions(json_value(json, "supportedVersions"));
    if (is_start || is_discovery) {
        text_put_string(json_value(json, "capabilities"), "{\"tools\":{}}");
        json_string(json, "instructions", instructions);
    }
    if (is_newest && (is_list || is_discovery)) {
        /* The same until the program ends, so a client may keep it for an hour. */
        json_number(json, "ttlMs", 60 * 60 * 1000);
        json_string(json, "cacheScope", "public");
    }
    return true;
}

static bool read_request(struct request *request, struct span message)
{
    struct span value;
    bool has_method = json_find(message, "method", &value);
    request->is_response = !has_method && (json_find(message, "result", &value) ||
                                           json_find(message, "error", &value));
    bool has_id = json_find(message, "id", &value);
    bool is_id = !has_id || strchr("\"-0123456789", value.at[0]) != NULL;
    if (has_id && is_id)
        request->id = value;
    if (json_find(message, "params", &value))
        request->params = value;
    return (is_id && json_find(message, "jsonrpc", &value) && span_is(value, "\"2.0\"") &&
            json_find(message, "method", &value) && json_read_string(value, &request->method)) ||
           refuse(request,
                  INVALID_REQUEST,
                  "not a request with jsonrpc 2.0, a method, and a string or a number as id");
}

/* Appends the answer to a request; a notification, and an answer to us, has none. */
static void put_answer(struct server *server, enum revision revision, struct text *text,
                       struct span message)
{
    struct request request = {.id = {"", 0}, .params = {"", 0}, .revision = revision};
    struct json_writer result = {.is_compact = true};
    bool is_good = read_request(&request, message);
    bool has_answer = !request.is_response && (!is_good || request.id.length > 0);
    /* They are kept until the last one is there. */
    if (is_good && text->length > ANSWERS_BYTES_MAX)
        is_good = refuse(&request,
                         INVALID_REQUEST,
                         "the answers before this one have 64 MB; send this request alone");
    json_object(&result, NULL);
    is_good =
        is_good && has_answer && check_revision(&request) && put_result(server, &result, &request);
    json_end(&result);
    if (has_answer) {
        text_printf(text, "%s{\"jsonrpc\":\"2.0\"", text->length > 1 ? "," : "");
        if (request.id.length > 0) {
            text_put_string(text, ",\"id\":");
            text_put_span(text, request.id);
        }
        text_put_string(text, is_good ? ",\"result\":" : ",\"error\":{");
        text_put_span(text, text_span(is_good ? &result.text : &request.error));
        text_put_string(text, is_good ? "}" : "}}");
    }
    text_release(&result.text);
    text_release(&request.method);
    text_release(&request.error);
}

/* Sets `answer` to the answer to a message: a request, or, in one revision, an array of them. */
static void put_answers(struct server *server, enum revision revision, struct text *answer,
                        struct span message)
{
    struct span item, rest = message;
    bool is_array = revision == MARCH_2025 && json_is_array(message);
    if (!is_array) {
        put_answer(server, revision, answer, message);
        return;
    }
    text_put_string(answer, "[");
    while (json_next_item(&rest, &item))
        put_answer(server, revision, answer, item);
    if (answer->length > 1)
        text_put_string(answer, "]");
    else
        text_cut(answer, 0);
}

static void print_line(struct server *server, const struct text *answer)
{
    if (answer->length == 0)
        return;
    fwrite(answer->at, 1, answer->length, stdout);
    putchar('\n');
    if (fflush(stdout) != 0 && server->failure == 0)
        server->failure = errno;
}

/* Sets what goes_on() and cancel() need to know of a message that begins. */
static void begin_call(struct server *server, struct message *message)
{
    struct span params, meta, token;
    server->running = message;
    server->told = 0;
    server->told_at_ns = 0;
    text_cut(&server->token, 0);
    if (json_find(text_span(&message->line), "params", &params) &&
        json_find(params, "_meta", &meta) && json_find(meta, "progressToken", &token))
        text_put_span(&server->token, token);
}

/* Answers a message that can take long, on the thread that does nothing else, and frees it. */
static void answer_call(struct server *server, struct message *message)
{
    SCOPED(text) answer = {0};
    put_answers(server, message->revision, &answer, text_span(&message->line));
    worker_enter(server->worker);
    if (!message->is_cancelled)
        print_line(server, &answer);
    server->running = NULL;
    worker_leave(server->worker);
    text_release(&message->line);
    text_release(&message->id);
    free(message);
}

/* Puts a message with calls at the end of those that wait; the line is taken over. */
static void add_call(struct server *server, struct text *line, struct span id)
{
    struct message *message = mem_zeroed(1, sizeof *message);
    text_put_span(&message->id, id);
    message->line = *line;
    message->revision = server->revision;
    *line = (struct text){0};
    if (server->worker == NULL) {
        begin_call(server, message);
        answer_call(server, message);
        return;
    }
    while (server->waiting_bytes > WAITING_BYTES_MAX)
        worker_wait(server->worker);
    server->waiting_bytes += message->line.length;
    *server->end = message;
    server->end = &message->next;
    worker_wake(server->worker);
}

static void cancel(struct server *server, struct span params)
{
    struct span id;
    if (!json_find(params, "requestId", &id))
        return;
    struct message *message = server->running;
    if (message != NULL && span_is_same(text_span(&message->id), id))
        message->is_cancelled = true;
    for (message = server->first; message != NULL; message = message->next)
        message->is_cancelled |= span_is_same(text_span(&message->id), id);
}

/* Whether a message calls a tool: one of several requests counts as a call. */
static bool is_call(const struct server *server, struct span message, const struct request *request)
{
    return span_is(text_span(&request->method), "tools/call") ||
           (server->revision == MARCH_2025 && json_is_array(message));
}

/* Takes a line that was read. */
static void receive(struct server *server, struct text *line)
{
    struct request request = {.id = {"", 0}, .params = {"", 0}};
    struct span message = text_span(line);
    SCOPED(text) answer = {0};
    worker_enter(server->worker);
    if (message.length > MESSAGE_BYTES_MAX || !json_is_value(message)) {
        refuse(&request, PARSE_ERROR, "not a JSON value, or more than 1 MB");
        text_printf(&answer, "{\"jsonrpc\":\"2.0\",\"error\":{%s}}", text_string(&request.error));
    } else {
        bool is_good = read_request(&request, message);
        /* Calls that wait keep theirs: the answer must not depend on which thread is faster. */
        if (is_good && span_is(text_span(&request.method), "initialize"))
            server->revision = start_revision(request.params);
        if (span_is(text_span(&request.method), "notifications/cancelled"))
            cancel(server, request.params);
        else if (is_call(server, message, &request))
            add_call(server, line, request.id);
        else
            put_answers(server, server->revision, &answer, message);
    }
    print_line(server, &answer);
    worker_leave(server->worker);
    text_release(&request.method);
    text_release(&request.error);
}

/* Reads messages until standard input ends. */
static void read_lines(void *context)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct server *server = context;
    SCOPED(text) line = {0};
    bool is_first = true;
    for (int byte = '\n'; byte != EOF && !ferror(stdout);) {
        while ((byte = getchar()) != '\n' && byte != EOF)
            /* Of a line that is too long, one byte more than is allowed is kept. */
            if (line.length <= MESSAGE_BYTES_MAX)
                text_put(&line, &(char){(char)byte}, 1);
        bool is_marked = is_first && span_starts_with(text_span(&line), mark);
        if (is_marked)
            memset(line.at, ' ', strlen(mark));
        is_first = false;
        if (strspn(text_string(&line), " \t\r") < line.length)
            receive(server, &line);
        text_cut(&line, 0);
    }
    worker_enter(server->worker);
    server->is_ended = true;
    worker_wake(server->worker);
    worker_leave(server->worker);
}

/* Begins the next call that waits; NULL after the last one. */
static struct message *next_call(struct server *server)
{
    worker_enter(server->worker);
    while (server->first == NULL && !server->is_ended)
        worker_wait(server->worker);
    struct message *message = server->first;
    if (message != NULL) {
        server->first = message->next;
        server->waiting_bytes -= message->line.length;
        if (server->first == NULL)
            server->end = &server->first;
        begin_call(server, message);
        worker_wake(server->worker);
    }
    worker_leave(server->worker);
    return message;
}

bool mcp_serve(struct error *err)
{
    struct server server = {.revision = NEWEST_WITH_START};
    server.end = &server.first;
    if (worker_start(&server.worker, read_lines, &server)) {
        struct message *message;
        while ((message = next_call(&server)) != NULL)
            answer_call(&server, message);
        worker_join(server.worker);
    } else {
        read_lines(&server);
    }
    text_release(&server.token);
    if (ferror(stdin))
        return error_set(err, "cannot read standard input to its end");
    return server.failure == 0 ||
           error_set(err, "cannot write standard output: %s", strerror(server.failure));
}
