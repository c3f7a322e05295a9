/*
 * repeated_logs.h - reads the logs of --repeated one by one, and joins them.
 */
#pragma once

#include "cli/logs/subject.h"

/*
 * Reads each log of a subject separately: the subject becomes the first log, with the functions
 * and nodes of all. If it fails, the console has said why.
 */
bool repeated_logs_read(struct subject *subject);

/*
 * Gives both sides the same functions and nodes, and their trees the means of their logs. Without
 * an old side, `old` is NULL. Fails if the logs shall be scaled to the same number of ticks, and
 * one has none.
 */
bool repeated_logs_join(struct subject *subject, struct subject *old, bool scales_ticks,
                        struct diff_counts *counts, struct error *err);
