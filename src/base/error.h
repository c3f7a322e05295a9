/*
 * error.h - a failure as text for the user.
 *
 * A function that can fail returns bool and takes a `struct error *` last. On failure it leaves one
 * sentence there, in lower case and without a full stop, that names the place ("x.log:12: ...")
 * where there is one. Only the cli prints.
 *
 * Some failures also have a code, for programs that run supprof: a word such as "no-recording", or
 * the option that the failure is about, such as "--from". A text may be reworded, a code may not.
 */
#pragma once

#include "platform/format.h"

#include <stdbool.h>

struct error {
    char text[1024];  /* NUL-terminated; a longer text is cut */
    const char *code; /* a literal; NULL for none */
};

/*
 * Formats the text; `code` may be NULL: one error that quotes another keeps its code in this way.
 * Returns false, for `return error_set(...)`.
 */
bool error_set_code(struct error *err, const char *code, const char *format, ...)
    FORMATS_LIKE_PRINTF(3, 4);

/* The same without a code. */
#define error_set(err, ...) error_set_code((err), NULL, __VA_ARGS__)
