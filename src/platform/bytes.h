/*
 * bytes.h - searches in bytes that C lacks, as fast as the system has them.
 */
#ifndef SUPPROF_BYTES_H
#define SUPPROF_BYTES_H

#include <stddef.h>

/* Returns the last such byte in bytes[0, length), or NULL. */
const char *bytes_find_last(const char *bytes, char byte, size_t length);

/* Returns where wanted[0, wanted_length) first stands in bytes[0, length), or NULL. */
const char *bytes_find(const char *bytes, size_t length, const char *wanted, size_t wanted_length);

#endif
