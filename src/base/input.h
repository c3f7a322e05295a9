/*
 * input.h - a file, a pipe or standard input as bytes of text; decompresses and decodes.
 *
 * The first bytes tell how a file is stored: gzip, of one member or several, is decompressed.
 * UTF-16 with its byte order mark becomes UTF-8 (the `>` of PowerShell writes it), also inside
 * gzip. Other archives, pictures and programs are refused, with advice. All other bytes are handed
 * out unchanged.
 */
#pragma once

#include "base/error.h"
#include "base/stored.h"
#include "platform/file.h"

struct input {
    const char *path;          /* as given, for messages; "-" is standard input */
    struct file_status status; /* of the open file */
    uint64_t byte_count;       /* handed out so far */

    /* Private. */
    int file;
    struct stored *stored;
    bool has_begun;            /* the first bytes were read, which identify UTF-16 */
    struct input_utf16 *utf16; /* NULL for other text */
};

/*
 * Opens a log. `path` must outlive the input. Fails on a directory, on a file that is not text, and
 * on a file that cannot be opened or read. `waiting` is for named pipes. `follower` is for a log
 * that is still written, or NULL; see stored.h.
 */
bool input_open(struct input *input, const char *path, enum file_waiting waiting,
                const struct follower *follower, struct error *err);
void input_close(struct input *input);

/*
 * Reads up to `capacity` bytes, 2 or more; `*length` is 0 only at the end, or after Ctrl-C (see
 * platform/interrupt.h): then the log ends there. Bytes of a pipe are handed out as they come. If
 * compressed data is cut or damaged, the part before the damage is handed out first; then the call
 * fails.
 */
bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err);

/* What messages call the file: the path, or "standard input". */
const char *input_name(const char *path);

/* The part of the file itself that is read, from 0 to 1; negative for a pipe. */
double input_progress(const struct input *input);
