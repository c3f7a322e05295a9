/*
 * pcre2_memory.h - lets PCRE2 allocate with mem.h, which succeeds or ends the program. So PCRE2
 * never returns NULL because memory ran out.
 */
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The caller frees it; objects made with it may live longer. */
pcre2_general_context *pcre2_memory_new(void);
