/*
 * gzip.h - the bytes of an open file; gzip (.gz), of one member or several, is decompressed.
 *
 * The first bytes tell what it is, and not the name of the file.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"

struct gzip_file;

/*
 * Reads the start of a file, which must stay open, or of bytes that stand for it: see
 * input_keep_standard(). To be closed.
 */
struct gzip_file *gzip_open(int file, const struct text *bytes);

/* NULL is none. The file stays open. */
void gzip_close(struct gzip_file *gzip);

bool gzip_is_compressed(const struct gzip_file *gzip);

/*
 * Reads up to `capacity` bytes; `*length` is 0 only at the end, and after Ctrl-C (see
 * platform/interrupt.h), which ends the file where it is. The bytes before damage are handed
 * out; after that each call fails, and `err` has the reason without the path.
 */
bool gzip_read(struct gzip_file *gzip, char *buffer, size_t capacity, size_t *length,
               struct error *err);

/* The number of bytes of the file that were used. */
uint64_t gzip_used_count(const struct gzip_file *gzip);
