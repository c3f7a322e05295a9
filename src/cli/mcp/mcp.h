/*
 * mcp.h - answers a program by the Model Context Protocol: JSON-RPC 2.0 on standard input and
 * output, one message a line.
 *
 * Each request is answered by itself, as the revision of 2026-07-28 has it. For clients of older
 * revisions there are `initialize` and `ping`, too.
 */
#pragma once

#include "base/error.h"

/* Answers until standard input ends. Fails if it cannot be read, or an answer not be written. */
bool mcp_serve(struct error *err);
