/*
 * interrupt.h - Ctrl-C (SIGINT), which can end the reading of a log instead of the program.
 */
#pragma once

#include <stdbool.h>

/*
 * From now on the first Ctrl-C only makes interrupt_is_pending() true, and wakes a thread that
 * waits for bytes in file_read(). The second one does what it did before. If Ctrl-C is ignored, it
 * stays ignored.
 */
void interrupt_catch(void);

/* From now on Ctrl-C does again what it did before interrupt_catch(). */
void interrupt_release(void);

/* Whether Ctrl-C was caught, between interrupt_catch() and interrupt_release(). */
bool interrupt_is_pending(void);

/*
 * Waits until an open file has bytes, or is at its end. Returns false at once when Ctrl-C is
 * caught. Only file_read() calls this; on Windows windows.c takes its place.
 */
bool interrupt_wait_for_bytes(int file);
