/*
 * terminal.h - properties of the terminal, if there is one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* All zero: there is none. */
struct terminal {
    bool is_there;
    bool has_color;       /* it understands escape sequences */
    size_t width, height; /* columns and lines; 0: it does not tell */
};

/* The terminal that an open file (see file.h) is. */
struct terminal terminal_of(int file);

/* Waits until a key is pressed, if there is a keyboard. */
void terminal_wait_for_key(void);

/*
 * The whole terminal as a screen that is drawn again and again, and its keys.
 *
 * The screen is an alternate one: when it ends, the terminal shows what it did before. It ends
 * also when the process ends by exit() or by a signal, and while the process is stopped. What is
 * shown is written to standard output: that must be a terminal that can show it, see
 * `has_color`.
 */

/*
 * Begins the screen. Keys come from the terminal, also if standard input is a file or a pipe;
 * without a keyboard there are no keys. Call it once, before interrupt_catch().
 */
void screen_begin(void);

/* Ends it; does nothing if there is none. */
void screen_end(void);

enum screen_event {
    SCREEN_NOTHING, /* the time is over, or the size may have changed */
    SCREEN_KEY,
    SCREEN_BYTES,     /* the file has bytes, or is at its end */
    SCREEN_INTERRUPT, /* Ctrl-C was caught: see interrupt.h */
};

/* Ctrl-L; also given once when a stopped program goes on, and the screen is empty. */
enum { SCREEN_REDRAW = 12 };

/*
 * Waits, at most so long, for a key, for bytes in an open file (a pipe; -1 for none), or for
 * Ctrl-C.
 */
enum screen_event screen_wait(int file, int timeout_ms, char *key);
