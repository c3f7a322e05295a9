/*
 * stored.h - the bytes of an open file; gzip, of one member or several, is decompressed.
 */
#pragma once

#include "base/error.h"
#include "base/intern.h"

struct stored;

/* Reads on where a file ends, since another program still writes it. */
struct follower {
    /*
     * Called before each read of the file, on the thread that reads: `byte_count` bytes of it were
     * read, and the last read found the end if `is_at_end` is set. Returns whether to read again;
     * otherwise the file ends there.
     */
    bool (*wait)(void *context, int file, uint64_t byte_count, bool is_at_end);
    void *context;
};

/*
 * Reads the start of a file, which must stay open. `follower` may be NULL, and is not owned. The
 * caller frees the result.
 */
struct stored *stored_new(int file, const struct follower *follower);
void stored_free(struct stored *stored);

/*
 * Returns the first bytes of the file as they are stored: 64, or all if it has fewer. Call it
 * first.
 */
struct span stored_start(const struct stored *stored);

bool stored_is_compressed(const struct stored *stored);

/*
 * Reads up to `capacity` bytes; `*length` is 0 only at the end, and after Ctrl-C (see
 * platform/interrupt.h), which ends the file where it is. The bytes before damage are handed
 * out; after that each call fails, and `err` has the reason without the path.
 */
bool stored_read(struct stored *stored, char *buffer, size_t capacity, size_t *length,
                 struct error *err);

/* The number of bytes of the file that were used. */
uint64_t stored_byte_count(const struct stored *stored);
