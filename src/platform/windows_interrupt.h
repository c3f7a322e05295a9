/*
 * windows_interrupt.h - reading that Ctrl-C cancels.
 */
#pragma once

#include <stdbool.h>
#include <windows.h>

/*
 * ReadFile(), which Ctrl-C cancels while it waits for a pipe. Returns false if Ctrl-C was caught,
 * or if it fails. One thread at a time may call this.
 */
bool windows_interrupt_read(HANDLE handle, void *buffer, DWORD capacity, DWORD *got);
