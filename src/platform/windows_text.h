/*
 * windows_text.h - between UTF-8, which supprof has, and UTF-16, which Windows has.
 */
#ifndef SUPPROF_WINDOWS_TEXT_H
#define SUPPROF_WINDOWS_TEXT_H

#include <wchar.h>

/* Both return a copy to be freed, NULL with errno set where there is no memory. */
wchar_t *windows_wide(const char *text);
char *windows_narrow(const wchar_t *text);

/* A path as the system's functions take it, at any length; to be freed. NULL on failure. */
wchar_t *windows_path(const char *path);

/* Sets errno to what the last error of the system is closest to; returns -1. */
int windows_fail(void);

#endif
