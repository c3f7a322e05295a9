/*
 * error.h - a failure as text for the user.
 *
 * A function that can fail returns bool and takes a `struct error *` last. On failure it leaves one
 * sentence there, in lower case and without a full stop, that names the place ("x.log:12: ...")
 * where there is one. Only the cli prints.
 */
#ifndef SUPPROF_ERROR_H
#define SUPPROF_ERROR_H

#include "platform/format.h"

#include <stdbool.h>

struct error {
    char text[1024]; /* NUL-terminated; a longer text is cut */
};

/* Formats the text. Returns false, so that a caller can `return error_set(...)`. */
bool error_set(struct error *err, const char *format, ...) FORMATS_LIKE_PRINTF(2, 3);

#endif
