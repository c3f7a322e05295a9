/*
 * base64.h - bytes as text (RFC 4648, section 4), for documents that can hold nothing else.
 */
#pragma once

#include "base/text.h"

/* Appends bytes in base64, with padding and without line breaks. */
void base64_put(struct text *text, struct span bytes);
