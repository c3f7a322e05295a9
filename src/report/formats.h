/*
 * formats.h - the table of all report formats, and how they are found by name and by file name.
 */
#pragma once

#include "report/files/file_formats.h"
#include "report/pages/page_formats.h"
#include "report/screen/screen_formats.h"

/* All of them, in the order of --help, ended by NULL. The first is the default. */
extern const struct report_format *const formats[];

/* Returns NULL if there is none. */
const struct report_format *format_by_path(const char *path);

/* The format whose name this is not, but one of its suffixes without the dot: md, pb.gz. */
const struct report_format *format_by_suffix(const char *suffix);

/* Appends the suffixes and the prefix of a format's file names: ".folded, .txt, callgrind.*". */
void format_put_suffixes(struct text *text, const struct report_format *format,
                         const char *between);
