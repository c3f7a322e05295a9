/*
 * libraries.h - the versions of the libraries that this program uses.
 */
#pragma once

#include "base/text.h"

/* Appends "PCRE2 10.42, zlib 1.2.13". */
void libraries_put(struct text *text);
