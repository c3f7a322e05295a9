/*
 * html_data.h - the data of an HTML report: one JSON document, which the page's script reads
 * (report_data.js). All times are whole nanoseconds, all texts clean (see text.h). What it calls
 * FOR_PAGE are the columns of a table, and what people need to read them: see html_put_table().
 *
 *     program, title, old_title   the last is null if nothing is compared
 *     is_rest                     of a comparison: see struct report.old; also `scaled`
 *     metric                      the metric shown first: time, calls, errors or alloc
 *     warned, verdict, after      sentences of the whole: before the verdict, itself (what it is
 *                                 of, then the answer), and after it
 *     unrecorded, cost            why nothing was recorded; else the recorder's cost, if known
 *     real_ns                     the real time that was recorded; 0: not known
 *     all_ns                      time of the selected thread, before filters
 *     shown                       filters and folding that were applied, as lines for people
 *     notes                       warnings about the numbers, as lines for people
 *     thread_notes                notes about threads, as lines for people
 *     recorded                    how the recordings were made, as lines for people
 *     sources                     the lines of functions by the index of the function: [number of
 *                                 the first line, text of each]; of --lua-root, see html_data.c
 *     lines                       lines that were recorded: functions BY_LINE, FOR_PAGE
 *     durations                   by the index of the function, how long its calls took, if it is
 *                                 known; left out where nodes are folded:
 *         from, to                of each row, in ns: see duration_rows.h
 *         new, old                calls in each row; and shortest, median, mean, longest, in ns
 *     findings, judged_findings   as json has them
 *     folded_below_ns             nodes with less total time were folded into their callers, to
 *                                 limit the page's size; 0: none were
 *     files, mods                 texts; functions refer to them by index
 *     functions                   arrays, one element a function, in order of their labels:
 *         name, label             texts
 *         file, mod               indexes
 *         kind                    0 Lua, 1 C, 2 neither
 *         mark                    index of marks; left out if no function has one
 *         longest_in              1 more than the index of the tick in which its longest call
 *                                 ended; 0: not known; left out if of no function it is
 *     marks                       flags (flags.h): [sign, what it means]
 *     rows                        null, or what the page cannot make from its nodes, of `function`,
 *                                 `file` and `mod`: functions by these, FOR_PAGE
 *     folded                      index of the function for time without a caller
 *     nodes                       arrays, one element a node of the call tree, depth first and
 *                                 siblings in order of their labels, without the root:
 *         depth                   of the node, 1 below the root, less that of the node before
 *         function, line          index; calling line in the caller, see tree/stacks.h
 *         calls, self             own values of the node
 *         threads                 1 main, 2 coroutine, 3 both
 *         errors, heap, longest   only of recordings: calls that an error ended; KB; ns of the
 *                                 longest call that returned, -1 without any
 *     old                         null, or like nodes: calls, self, errors, heap of the old
 *                                 profile; and `alike`, functions whose self times differ by no
 *                                 more than the measurements' noise
 *     ticks                       null, or TICKS_EACH, FOR_PAGE, and arrays, one element a tick:
 *         is_sampled              no array: whether they were chosen by chance
 *         median, most95, most99  no arrays: what half, 95% and 99% of all ticks took at most
 *         functions               of the slowest ticks:
 *             counts              of each tick: how many there are
 *             function, self, calls   of each
 *         self_times              null, or `function`: those with enough time in ticks; without
 *                                 changes also their self times:
 *             counts              of each tick: how many there are
 *             function, self      of each, see tick.all
 *         ledger                  null, or with changed self times (what_if.h), so many slow ticks,
 *                                 the 99th percentile, and the longest tick: as it is, and then
 *                                 without each function of self_times
 *             function, slow, most99, longest     of each; the first function is -1
 *             mods                the same without each mod: mod, slow, most99, longest
 *         wakes                   null, or of threads, in the order in which they ran:
 *             counts              of each tick: how many there are
 *             function, time, calls   of each: see struct wake
 *         order                   null, or of the slowest ticks of an exact recording, the calls in
 *                                 the order of time, with the recorder's cost:
 *             tick, counts, left_out      index of each tick, how many calls it has here, and how
 *                                         many shorter ones it has not
 *             depth, function, begin, time, continued     of each: 0 for a thread's first; begin:
 *                                         after that of the call before, of the tick for the first;
 *                                         continued: 1: it had begun before
 *             line                        of each, as in nodes; left out without sources
 *         changes                 null, or what each tick added:
 *             ticks               of each bin, how many there are
 *             counts              of the root and of each node: how many changes it has
 *             bin                 of each change, less that of the node's change before
 *             self, calls, errors, heap   what it added, less the cost of recording
 *         old                 null, or TICKS_OLD, FOR_PAGE, and changes
 *     threads                     null, or those of --threads, FOR_PAGE; with period_ticks, so many
 *                                 ticks after the one before come most wakes
 *     watched                     null, or of a watch:
 *         slow_ticks              the longest, as lines for people
 *         from_seconds, to_seconds, step, longest    of columns of so many ticks, the longest
 *         threads                 those of watched_table.h, FOR_PAGE
 *     tables                      those with a key (tables.h), FOR_PAGE, with their heading, what
 *                                 is said about them, and the title of their labels
 *     repeated                    null, or of --repeated: `new` and `old`, numbers of logs, rows of
 *                                 self times, FOR_PAGE, and `values` and `old_values`, those of
 *                                 each log that has the row; `totals` of whole logs, if they have
 *                                 calls, `watched_totals` and `watched`, what threads of watched
 *                                 games took in a tick, FOR_PAGE; `counts`, `notes` and
 *                                 `benchmarks`, as lines for people
 *     game_log, other_game_logs   as json has them; left out without lines of the game itself
 *     old_game                    of a comparison: the same of the old log
 *     tick                        "tick", or "frame" of a recording of the user interface
 *     budget_ns, collection       of a tick; every how many ticks garbage is collected, 0: unknown
 *     runs                        of recordings: [number, seconds of game time at tick 0]
 *
 * Arrays with only zeros can be left out; without rows, all of a table are.
 */
#pragma once

#include "base/json.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"
#include "report/sentences/verdict.h"
#include "report/tables/function_table.h"
#include "tree/tree.h"

/* The trees as they are written: depth first, and without nodes that are too small. */
struct html_trees {
    struct tree now, old;    /* `old` has no node if nothing is compared */
    struct tree_order order; /* of both: the nodes of the trees that they were made from */
};

/* A table of the whole report, whatever the options of other formats say. */
struct html_table {
    struct report shown;
    struct function_table functions; /* FOR_PAGE; to be released */
};

/* It must not move. */
void html_table_init(struct html_table *table, const struct report *report, enum table_by by);

/*
 * What the parts of a page's data share while they are written. Functions and nodes are numbered as
 * they are written: by their labels, and depth first.
 */
struct html_writing {
    struct json_writer json;
    const struct report *report;
    const struct findings *findings; /* of the report, as is the verdict */
    const struct verdict *verdict;
    struct html_trees trees;
    uint32_t *functions; /* [function_count]: ids of symbols.h, as they are written */
    uint32_t *number_of; /* [symbols' function_count]: index of `functions` */
    uint32_t function_count;
    uint32_t bin_ticks;      /* of which the changes are one; 0: without changes */
    bool has_changes;        /* in each tick: of both sides of a comparison, or of none */
    struct html_table table; /* BY_FUNCTION */
};

/* Whether the page knows a function: others are below the size of what is shown. */
static inline bool html_knows(const struct html_writing *writing, uint32_t function)
{
    uint32_t number = writing->number_of[function];
    return number < writing->function_count && writing->functions[number] == function;
}

/*
 * Columns of whole numbers that are made row by row: arrays of what is in no table.
 *
 *     struct html_columns columns = {.leaves_out_zeros = true};
 *     HTML_ADD_ROW(&columns, {"calls", 1}, {"self", 0});
 *     HTML_ADD_ROW(&columns, {"calls", 2}, {"self", 0});
 *     html_columns_put(&columns, json);                                   "calls":[1,2]
 *
 * Each row has the same keys. Without rows there are no columns.
 */

enum { HTML_COLUMNS_MAX = 6 };

struct html_columns {
    bool leaves_out_zeros; /* set by the caller: columns with only zeros; all else is 0 at first */

    /* Private. */
    struct html_column {
        const char *key;    /* NULL: there is no such column */
        struct text values; /* up to the last that is not 0 */
        size_t zero_count;  /* after those */
        bool is_known;      /* of a table: some cell is */
    } columns[HTML_COLUMNS_MAX], counts;
    int64_t group_size; /* rows since the last group */
};

struct html_cell {
    const char *key;
    int64_t number;
};

/* Adds a cell to each column; one without a key ends the row. */
void html_columns_add(struct html_columns *columns, const struct html_cell *row);
#define HTML_ADD_ROW(columns, ...)                                                                 \
    html_columns_add(columns, (const struct html_cell[HTML_COLUMNS_MAX + 1]){__VA_ARGS__})

/* Ends a group of rows, such as those of a tick; `counts` says how many each has. */
void html_columns_end_group(struct html_columns *columns);

/* Puts each column as a member of the open object; releases them. */
void html_columns_put(struct html_columns *columns, struct json_writer *json);

/*
 * Puts the columns of a table as members of the open object, by their names, and what people
 * need to read them, as `columns`: arrays of [name, title, kind ("time", "change" of one, "part"
 * for a time that is shown as one, "count" or "other"), what it means, when a narrow screen leaves
 * it out (see grid.h)].
 *
 * Rows of functions that the page does not know are left out, and so are those without any known
 * value. A cell that is not known is null. A label is [name, place].
 */
void html_put_table(struct html_writing *writing, const struct table *table);

/* Puts an object with them. */
void html_put_object(struct html_writing *writing, const char *key, const struct table *table);

/* Puts all tables that have a key: see tables.h. */
void html_put_keyed(struct html_writing *writing);

void html_put_ticks(struct html_writing *writing);
void html_put_threads(struct html_writing *writing);
void html_put_watch(struct html_writing *writing);

/*
 * Appends the document, compressed by zlib and in base64, so that the page is at most as large as
 * report->show.page_bytes_max; the rest of the page has `rest_bytes`. If it is too large, ticks
 * within the budget share their changes, then the changes are left out, and then the smallest nodes
 * are folded into their callers.
 */
void html_data_put(struct text *text, const struct report *report, const struct findings *findings,
                   const struct verdict *verdict, size_t rest_bytes);
