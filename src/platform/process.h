/*
 * process.h - how this process starts and ends.
 */
#ifndef SUPPROF_PROCESS_H
#define SUPPROF_PROCESS_H

#include <stdbool.h>

/*
 * To be called first in main(), with its arguments. Makes of them what the rest expects on
 * every system: UTF-8, with "--open" put before the names where the program was started without a
 * terminal, by a double click or by files that were dragged on it. From then on the standard
 * streams carry bytes as they are, and large blocks of memory go back to the system when they are
 * freed, and grow without being copied: a profile's memory is a few arrays that grow by doubling.
 */
void process_set_up(int *argc, char ***argv);

/*
 * Has clean_up() called when the process ends, by exit() or by a signal that would end it;
 * such a signal then ends it as before. Signals that are ignored stay ignored. clean_up() may
 * do only what a signal handler may. To be called once.
 */
void process_at_end(void (*clean_up)(void));

/* Whether the window with the messages goes away with this process. */
bool process_is_alone(void);

/* Returns the file of the program itself; to be freed. NULL where it is not known. */
char *process_file(void);

/* Returns a variable of the environment; to be freed. NULL where there is none. */
char *process_variable(const char *name);

/* Opens a file in the program that the user has for files of its kind. */
bool process_show(const char *path);

#endif
