/*
 * pcre2_memory.h - PCRE2 with the memory of mem.h, which is there or ends the program, so
 * that nothing that PCRE2 makes can be NULL for want of memory.
 */
#ifndef SUPPROF_PCRE2_MEMORY_H
#define SUPPROF_PCRE2_MEMORY_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The caller frees it; what was made with it may live longer. */
pcre2_general_context *pcre2_memory_new(void);

#endif
