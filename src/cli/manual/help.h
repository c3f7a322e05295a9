/*
 * help.h - what --help prints, made from the tables of options and formats.
 */
#ifndef SUPPROF_HELP_H
#define SUPPROF_HELP_H

#include <stdio.h>

/* Its lines have at most 80 columns. */
void help_print(FILE *out);

#endif
