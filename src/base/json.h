/*
 * json.h - strings for JSON (RFC 8259).
 */
#pragma once

#include "base/text.h"

/*
 * Appends clean text (see text.h) in quotes. Besides the characters that JSON requires, it escapes
 * '<', so that no name can end a script that contains the JSON, and the line separators that old
 * JavaScript does not allow in strings.
 */
void json_put_string(struct text *text, struct span clean);
