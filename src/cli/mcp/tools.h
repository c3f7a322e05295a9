/*
 * tools.h - what an assistant can ask: each tool is a command line, and its arguments are options.
 *
 * A call can read logs and Lua sources, and nothing else: its options are only those in the
 * tool's row, and standard output is kept in memory.
 */
#pragma once

#include "base/json_writer.h"

/* The most lines of an answer. Another call has the rest. */
enum { TOOLS_LINES_MAX = 200 };

/* Writes the member "tools": the tools and the schemas of their arguments. */
void tools_list(struct json_writer *json);

/*
 * Calls a tool as `params` say, and writes "content" and "isError". What the command line would
 * refuse, or fail at, is text of the answer. False, with nothing written, if there is no such tool.
 */
bool tools_call(struct json_writer *json, struct span params);
