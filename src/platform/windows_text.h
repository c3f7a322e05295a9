/*
 * windows_text.h - conversion between supprof's UTF-8 and Windows' UTF-16.
 */
#pragma once

#include <wchar.h>

/* Both return a copy, which the caller frees; NULL with errno set if there is no memory. */
wchar_t *windows_wide(const char *text);
char *windows_narrow(const wchar_t *text);

/* A path of any length as the system's functions take it; NULL on failure. The caller frees it. */
wchar_t *windows_path(const char *path);

/* Sets errno to the value closest to the system's last error; returns -1. */
int windows_fail(void);
