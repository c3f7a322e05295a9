/*
 * line_file.h - small files that people write, with one thing a line.
 *
 * Blanks around a line, empty lines and lines that begin with '#' are ignored. The encoding may be
 * any that input.h reads. A file of more than 1 MB is refused.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"

struct line_file {
    uint64_t number; /* of the line that line_file_next() gave last, from 1 on */

    /* Private. */
    struct text text;
    struct span rest;
};

/* Reads a file whole. Fails, with nothing to release, if it cannot be read. */
bool line_file_read(struct line_file *file, const char *path, struct error *err);

/* Gives the next line, which is valid until the release; false at the end. */
bool line_file_next(struct line_file *file, struct span *line);

void line_file_release(struct line_file *file);
