/*
 * tools.h - the tools that an assistant can call: each is a command line, and its arguments are
 * options. A call can read logs and Lua sources, and nothing else.
 */
#pragma once

#include "base/json.h"

/* What of the tools a client can take: it depends on the revision that it speaks. */
struct tools_client {
    bool knows_annotations;
    bool knows_structure; /* titles, outputSchema and structuredContent */

    /* Called now and then while a log is read, with the fraction that is done, or below 0 if that
     * is not known. The call ends when it returns false. */
    bool (*goes_on)(void *context, double done);
    void *context;
};

/* Writes the member "tools": the tools and the schemas of their arguments. */
void tools_list(struct json_writer *json, const struct tools_client *client);

/*
 * Calls a tool as `params` say, and writes "content", "isError" and "structuredContent". What the
 * command line would refuse, or fail at, is text of the answer. False, with nothing written, if
 * there is no such tool.
 */
bool tools_call(struct json_writer *json, struct span params, const struct tools_client *client);
