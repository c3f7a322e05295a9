/*
 * input.h - a file, a pipe or standard input as bytes, gzip undone by content.
 */
#ifndef SUPPROF_INPUT_H
#define SUPPROF_INPUT_H

#include "base/error.h"
#include "platform/file.h"

#include <stddef.h>
#include <stdint.h>

struct input {
    const char *path; /* as given, for messages; "-" is standard input */
    struct gzFile_s *gz;
    struct file_status status; /* of the open file */
    uint64_t byte_count;       /* handed out so far, after decompression */
};

/*
 * Opens a log. `path` must outlive the input. A directory, or what cannot be
 * opened or read, is a failure.
 */
bool input_open(struct input *input, const char *path, struct error *err);
void input_close(struct input *input);

/*
 * Reads up to `capacity` bytes; `*length` is 0 only at the end. Compressed data
 * that is cut or damaged fails, after what could be decompressed was handed out.
 */
bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err);

/* How far the file itself is read, from 0 to 1; negative for a pipe. */
double input_progress(const struct input *input);

#endif
