/*
 * stored.h - the bytes of an open file, gzip of one member or several undone.
 */
#ifndef SUPPROF_STORED_H
#define SUPPROF_STORED_H

#include "base/error.h"
#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stored;

/* Reads the start of a file, which must stay open. The caller frees the result. */
struct stored *stored_new(int file);
void stored_free(struct stored *stored);

/* The first bytes of the file as they are stored, 64 where it has so many. To be called first. */
struct span stored_start(const struct stored *stored);

/*
 * Reads up to `capacity` bytes; `*length` is 0 only at the end. What is before damage is
 * handed out; from then on each call fails, with the reason alone in `err`.
 */
bool stored_read(struct stored *stored, char *buffer, size_t capacity, size_t *length,
                 struct error *err);

/* How many bytes of the file were used. */
uint64_t stored_byte_count(const struct stored *stored);

#endif
