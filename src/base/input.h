/*
 * input.h - a file, a pipe or standard input as bytes of text, however it is stored.
 *
 * What is stored otherwise is told by its first bytes: gzip, of one member or several, is
 * decompressed, and UTF-16 with its byte order mark becomes UTF-8 (the `>` of PowerShell writes
 * it), also UTF-16 within gzip. Other archives, pictures and programs are refused, with
 * what to do. Everything else is handed out as it is.
 */
#ifndef SUPPROF_INPUT_H
#define SUPPROF_INPUT_H

#include "base/error.h"
#include "platform/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *path;          /* as given, for messages; "-" is standard input */
    struct file_status status; /* of the open file */
    uint64_t byte_count;       /* handed out so far */

    /* Private. */
    int file;
    struct stored *stored;
    struct input_utf16 *utf16; /* NULL for other text */
    char start[4];             /* [start_from, start_end) was read to tell what it is */
    size_t start_from, start_end;
};

/*
 * Opens a log. `path` must outlive the input. A directory, what is no text, and what
 * cannot be opened or read are failures. `waiting` is for named pipes.
 */
bool input_open(struct input *input, const char *path, enum file_waiting waiting,
                struct error *err);
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
