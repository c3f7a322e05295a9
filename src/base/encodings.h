/*
 * encodings.h - base64, and UTF-16 as UTF-8.
 */
#pragma once

#include "base/text.h"

/*
 * Bytes as text (RFC 4648, section 4), for documents that can hold nothing else.
 */

/* Appends bytes in base64, with padding and without line breaks. */
void base64_put(struct text *text, struct span bytes);

/*
 * Conversion from UTF-16 to UTF-8, in pieces of any length.
 */

/* The rest of the bytes so far. All zero at the start. */
struct utf16 {
    bool is_big_endian;
    bool has_byte; /* `byte` is the first byte of a unit */
    unsigned char byte;
    uint32_t high; /* the first half of a pair; 0 for none */
};

/* Appends the bytes to `text` as UTF-8. They may be cut at any place. */
void utf16_add(struct utf16 *utf16, struct span bytes, struct text *text);

/* Appends a replacement character if the bytes ended inside a character. */
void utf16_end(struct utf16 *utf16, struct text *text);
