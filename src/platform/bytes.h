/*
 * bytes.h - searches in bytes that standard C lacks; the fastest that the system has.
 */
#pragma once

#include <stddef.h>

/* Returns the last byte with that value in bytes[0, length), or NULL. */
const char *bytes_find_last(const char *bytes, char byte, size_t length);

/* Returns the first byte in bytes[0, length) that has one of two values, or NULL. */
const char *bytes_find_either(const char *bytes, char a, char b, size_t length);
