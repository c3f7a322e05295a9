/*
 * terminal.h - what is known of the terminal, where there is one.
 */
#ifndef SUPPROF_TERMINAL_H
#define SUPPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether an open file (see file.h) is a terminal. */
bool terminal_is(int file);

/* Whether standard output is a terminal that understands colours. */
bool terminal_has_color(void);

/* The columns of standard output; 0 where it is not a terminal or does not say. */
size_t terminal_width(void);

/* Waits until a key is pressed, where there is a keyboard. */
void terminal_wait_for_key(void);

#endif
