/*
 * help.h - what --help prints, made from the tables of options and formats.
 */
#pragma once

#include <stdio.h>

/* Its lines have at most 80 columns. */
void help_print(FILE *out);
