/*
 * repeating.h - reads the logs of --repeated one by one, and joins them.
 */
#ifndef SUPPROF_REPEATING_H
#define SUPPROF_REPEATING_H

#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "select/repeats.h"

#include <stdbool.h>

/* More logs on one side are refused: statistics do not need them, and take time for each pair. */
enum { REPEATING_LOGS_MAX = 1000 };

/*
 * Reads each log of a subject separately: the subject becomes the first log, with the functions
 * and nodes of all. Errors have been printed; see subject_read().
 */
enum exit_status repeating_read(struct subject *subject, struct repeats *repeats,
                                struct options *options, struct console *console, bool *can_report);

/*
 * Gives both sides the same functions and nodes, and their trees the means of their logs. Without
 * an old side, `old_subject` and `old` are NULL. Fails if a log lacks the data for --normalize.
 */
bool repeating_settle(struct subject *subject, struct repeats *repeats, struct subject *old_subject,
                      struct repeats *old, const struct options *options,
                      struct diff_counts *counts, struct error *err);

#endif
