/*
 * repeating.h - the logs of --repeated: each read by itself, and then side by side.
 */
#ifndef SUPPROF_REPEATING_H
#define SUPPROF_REPEATING_H

#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "select/repeats.h"

#include <stdbool.h>

/* More logs of one side are refused: statistics need no more, and take time for each pair. */
enum { REPEATING_LOGS_MAX = 1000 };

/*
 * Reads each log of a subject by itself: the subject becomes the first, with the functions
 * and nodes of all. What went wrong has been said; see subject_read().
 */
enum exit_status repeating_read(struct subject *subject, struct repeats *repeats,
                                struct options *options, struct console *console, bool *can_report);

/*
 * Gives both sides the same functions and nodes, and their trees the means of their logs. Without
 * an old side, `old_subject` and `old` are NULL. Fails where --normalize needs what some log lacks.
 */
bool repeating_settle(struct subject *subject, struct repeats *repeats, struct subject *old_subject,
                      struct repeats *old, const struct options *options,
                      struct diff_counts *counts, struct error *err);

#endif
