/*
 * posix_interrupt.h - the file that wakes a thread when Ctrl-C is pressed.
 */
#pragma once

/*
 * Returns the open file that has bytes to read from the moment when Ctrl-C is caught, for poll();
 * -1 if it is not caught.
 */
int posix_interrupt_file(void);
