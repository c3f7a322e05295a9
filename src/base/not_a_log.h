/*
 * not_a_log.h - recognises files that cannot be logs by their first bytes.
 */
#pragma once

#include "base/span.h"

struct not_a_log {
    const char *code;   /* see error.h: "archive" if a log may be in it, else "not-a-log" */
    const char *reason; /* follows the file's name: "is a picture (PNG); choose a game log" */
};

/* Returns what a file is that begins so, or NULL if it may be a log. 64 bytes are enough. */
const struct not_a_log *not_a_log_find(struct span start);
