/*
 * output.h - a file that appears whole or not at all.
 *
 * A regular file is written under a temporary name in the same directory and
 * renamed when every byte has arrived, so a failure leaves the old file as it
 * was. What cannot be replaced (standard output, a device, a pipe) is written
 * as it is. A temporary file is also removed when the program exits early.
 *
 * What is put into an output is never checked by who puts it: after the first byte that
 * could not be written nothing more is, and output_close() fails with the reason. Who
 * puts much looks at output_has_failed() now and then, and stops.
 */
#ifndef SUPPROF_OUTPUT_H
#define SUPPROF_OUTPUT_H

#include "base/error.h"
#include "platform/file.h"
#include "platform/format.h"

#include <stdbool.h>
#include <stddef.h>

struct output {
    const char *path; /* as given; "-" is standard output */

    /* Private. */
    int file;
    int failure;     /* errno of the first write that failed; 0 for none */
    char *buffer;    /* what is not written yet */
    size_t length;   /* of that */
    char *target;    /* what is replaced in the end, links followed; NULL when nothing is */
    char *temporary; /* NULL when nothing is replaced */
};

/* Opens an output. `path` must outlive it. */
bool output_open(struct output *output, const char *path, struct error *err);

/* Ends an output. Fails when any byte was not written; the old file then stays. */
bool output_close(struct output *output, struct error *err);

void output_put(struct output *output, const char *bytes, size_t length);
void output_put_string(struct output *output, const char *string);
void output_printf(struct output *output, const char *format, ...) FORMATS_LIKE_PRINTF(2, 3);

/* Whether something could not be written, so that the rest need not be made. */
static inline bool output_has_failed(const struct output *output)
{
    return output->failure != 0;
}

/* Returns where the last part of a path begins. */
const char *output_name(const char *path);

/* Whether two paths of outputs lead to one file, as it is or as it would be created. */
bool output_is_output(const char *path, const char *other);

/* Whether both name one file on this machine, so that one must not replace the other. */
bool output_is_input(const char *output_path, const struct file_status *input);

#endif
