/*
 * output.h - a file that appears whole or not at all.
 *
 * A regular file is written under a temporary name in the same directory and
 * renamed when every byte has arrived, so a failure leaves the old file as it
 * was. What cannot be replaced (standard output, a device, a pipe) is written
 * as it is. A temporary file is also removed when the program exits early.
 */
#ifndef SUPPROF_OUTPUT_H
#define SUPPROF_OUTPUT_H

#include "base/error.h"
#include "platform/file.h"

#include <stdio.h>

struct output {
    const char *path; /* as given; "-" is standard output */
    FILE *file;       /* to write to */
    char *target;     /* what is replaced in the end, links followed; NULL when nothing is */
    char *temporary;  /* NULL when nothing is replaced */
};

/* Opens an output. `path` must outlive it. */
bool output_open(struct output *output, const char *path, struct error *err);

/* Ends an output. Fails when any byte was not written; the old file then stays. */
bool output_close(struct output *output, struct error *err);

/* Whether both name one file on this machine, so that one must not replace the other. */
bool output_is_input(const char *output_path, const struct file_status *input);

#endif
