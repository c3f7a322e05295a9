/*
 * output.h - writes a file completely or not at all.
 *
 * A regular file is written under a temporary name in the same directory, and renamed after every
 * byte is written, so a failure leaves the old file unchanged. Standard output, devices and pipes
 * cannot be replaced and are written directly. If the program exits early, it removes the temporary
 * file.
 *
 * The functions that write return nothing to check: after the first failure, nothing more is
 * written, and output_close() fails with the reason. Code that writes much checks
 * output_has_failed() now and then, and stops.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "platform/file.h"

/* Some lines of an output that stays in memory. */
struct kept_lines {
    uint64_t first, count_max;  /* set by the caller: the first one, from 0 on, and how many */
    size_t bytes_max;           /* of them; the first is kept in any case; 0 for no limit */
    uint64_t count, kept_count; /* of all lines of the output, and of those in the text */
    struct text text;           /* released by the caller */

    /* Private. */
    size_t whole_length; /* of the whole lines in the text */
    bool is_full;        /* a line was over bytes_max */
};

struct output {
    const char *path;    /* as given; "-" is standard output */
    uint64_t byte_count; /* that were put so far */

    /* Private. */
    int file;
    int failure;     /* errno of the first failed write; 0 for none */
    char *buffer;    /* bytes that are not written yet */
    size_t length;   /* of the bytes in buffer */
    char *target;    /* file to replace, links followed; NULL if none is */
    char *temporary; /* its new contents; NULL if none is replaced */
    struct kept_lines *kept;
};

/* Opens an output. `path` must outlive it. */
bool output_open(struct output *output, const char *path, struct error *err);

/* Begins an output that keeps lines, which must outlive it, and writes nothing. */
void output_keep(struct output *output, struct kept_lines *kept);

/* Ends an output. Fails if any byte was not written; the old file then stays. */
bool output_close(struct output *output, struct error *err);

void output_put(struct output *output, const char *bytes, size_t length);
void output_put_string(struct output *output, const char *string);

/* Writes a text, and empties it. */
void output_put_text(struct output *output, struct text *text);

/* Writes a text, and releases it. */
void output_end_text(struct output *output, struct text *text);

/* Whether a write has failed, so that the rest is not needed. */
static inline bool output_has_failed(const struct output *output)
{
    return output->failure != 0;
}

/* Whether two paths of outputs lead to the same file, which may not exist yet. */
bool output_is_output(const char *path, const char *other);

/* Whether both paths lead to the same file, so that one must not replace the other. */
bool output_is_input(const char *output_path, const struct file_status *input);
