/*
 * utf16.h - UTF-16 on its way to become UTF-8.
 */
#ifndef SUPPROF_UTF16_H
#define SUPPROF_UTF16_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the bytes so far. All zero is a start. */
struct utf16 {
    bool is_big_endian;
    bool has_byte; /* the first of a unit */
    unsigned char byte;
    uint32_t high; /* the first half of a pair; 0 for none */
};

/* Appends to `text` what the bytes, which may be cut anywhere, are in UTF-8. */
void utf16_add(struct utf16 *utf16, struct span bytes, struct text *text);

/* Appends a replacement character where the bytes have ended inside a character. */
void utf16_end(struct utf16 *utf16, struct text *text);

#endif
