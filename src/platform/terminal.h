/*
 * terminal.h - properties of the terminal, if there is one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether an open file (see file.h) is a terminal. */
bool terminal_is(int file);

/* Whether standard output is a terminal that understands colours. */
bool terminal_has_color(void);

/* The columns of an open file; 0 if it is not a terminal or does not tell. */
size_t terminal_width(int file);

/* The lines of standard output; 0 if it is not a terminal or does not tell. */
size_t terminal_height(void);

/* Waits until a key is pressed, if there is a keyboard. */
void terminal_wait_for_key(void);
