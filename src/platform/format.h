/*
 * format.h - tells the compiler which functions format as printf() does.
 */
#pragma once

/* Windows' own printf() takes other formats; supprof uses one that follows standard C. */
#ifdef __MINGW32__
#define FORMATS_LIKE_PRINTF(format_index, first)                                                   \
    __attribute__((format(gnu_printf, format_index, first)))
#else
#define FORMATS_LIKE_PRINTF(format_index, first)                                                   \
    __attribute__((format(printf, format_index, first)))
#endif
