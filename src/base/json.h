/*
 * json.h - strings for JSON (RFC 8259).
 */
#ifndef SUPPROF_JSON_H
#define SUPPROF_JSON_H

#include "base/text.h"

/*
 * Appends clean text (see text.h) in quotes. Besides what JSON asks for, '<' is escaped,
 * so that no name ends a script that the JSON is put into, and the line separators that
 * JavaScript once did not allow in strings.
 */
void json_put_string(struct text *text, struct span clean);

#endif
