/*
 * temporary_file.h - an empty file that each test of a suite has for itself.
 */
#pragma once

/* The path, from temporary_file_make() on. */
extern char temporary_file[];

/* The .init and .fini of a suite. */
void temporary_file_make(void);
void temporary_file_remove(void);
