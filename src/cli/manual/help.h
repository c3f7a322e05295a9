/*
 * help.h - what -h and --help print, made from the tables of options and formats.
 */
#pragma once

#include <stdio.h>

/* Lines have at most 80 columns. */
void help_print(FILE *out);

/* The options that people use, on one screen of 80x24. */
void help_print_short(FILE *out);
