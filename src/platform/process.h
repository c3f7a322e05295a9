/*
 * process.h - how this process starts and ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Call it first in main(), with its arguments. It converts them to UTF-8, and inserts "--open"
 * before the names of files if the program was started without a terminal, by a double click or by
 * files that were dragged onto it. From then on the standard streams are open (those that were
 * closed fail at each use) and do not translate bytes, and a file that gets too large is an error.
 * Large blocks of memory are returned to the system when they are freed, and grow without being
 * copied: a profile's memory is a few arrays that grow by doubling.
 */
void process_set_up(int *argc, char ***argv);

/*
 * Asks the system for all pages of a new block at once, if it is large. Else the system gives each
 * page when it is first used, and where that is a read, again when it is written: this interrupts
 * the other threads. The bytes stay as they are.
 */
void process_take_pages(void *block, size_t byte_count);

/*
 * Registers clean_up(), which is called when the process ends by exit() or by a signal; the signal
 * still ends the process. Ignored signals stay ignored. clean_up() may do only what a signal
 * handler may do. It may be called twice. Up to PROCESS_CLEAN_UPS_MAX functions can be registered.
 */
enum { PROCESS_CLEAN_UPS_MAX = 2 };
void process_at_end(void (*clean_up)(void));

/* Whether the window with the messages closes when this process ends. */
bool process_is_alone(void);

/* How much memory the computer has, whatever this process may use of it; 0 if it is not known. */
uint64_t process_memory_bytes(void);

/* Returns the path of the program itself, or NULL if it is unknown. The caller frees it. */
char *process_file(void);

/* Returns a variable of the environment, or NULL if it is not set. The caller frees it. */
char *process_variable(const char *name);

/* Opens a file in the user's default program for files of its kind. */
bool process_show(const char *path);
