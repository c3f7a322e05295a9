/*
 * html_data.h - what an HTML report knows: one JSON document, which the page's script reads
 * (src/web/report_data.js). All times are whole nanoseconds, all texts clean (see text.h).
 *
 *     program, title, old_title   the last is null where nothing is compared
 *     metric                      what is shown first: time, calls, errors or alloc
 *     all_ns                      of the selected thread, before filters
 *     shown                       what was filtered and folded before, as lines for people
 *     notes                       what to know before trusting the numbers, the same
 *     findings                    [text, index of the function that it is about or null, kind]:
 *                                 see findings.h
 *     folded_below_ns             what has less was folded into its caller, for the page's
 *                                 size; 0: nothing was
 *     files, mods                 texts, which functions refer to by index
 *     functions                   arrays, one element a function, in order of their labels:
 *         name, label             texts
 *         file, mod               indexes
 *         kind                    0 Lua, 1 C, 2 neither
 *     folded                      index of the function for time without a caller
 *     nodes                       arrays, one element a node of the call tree, depth first and
 *                                 siblings in order of their labels, without the root:
 *         depth                   of the node, 1 below the root, less that of the node before
 *         function, line          index; where the caller made the call, see stacks.h
 *         calls, self             of its own
 *         threads                 1 main, 2 coroutine, 3 both
 *         errors, heap, longest   only of recordings: calls that an error ended; KB; ns of the
 *                                 longest call that returned, -1 without any
 *     old                         null, or like nodes: calls, self, errors, heap of the old
 *                                 profile; and `alike`, functions whose self times differ by no
 *                                 more than the measurements' noise
 *     ticks                       null, or arrays, one element a tick:
 *         number, run, time, calls
 *         functions               of the slowest ticks, else null: function, self, calls, ...
 *     budget_ns, collection       of a tick; every how many ticks garbage is collected
 *     runs                        of recordings: [number, seconds of game time at tick 0]
 *
 * Arrays in which all is 0 are left out.
 */
#ifndef SUPPROF_HTML_DATA_H
#define SUPPROF_HTML_DATA_H

#include "report/findings.h"
#include "report/report.h"

/*
 * Appends the document. What has a smaller total than `least_ns`, in both profiles where two
 * are compared, is folded into its caller.
 */
void html_data_put(struct text *json, const struct report *report, int64_t least_ns);

/* Finds what an expert would say first of the report's profile. */
void html_data_find(struct findings *findings, const struct report *report);

/* Appends lines, each with its feed: what to know before trusting the numbers. */
void html_data_put_notes(struct text *text, const struct report *report);

#endif
