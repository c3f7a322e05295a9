/*
 * tick_tables.h - the tables of the ticks of recordings, and ticks of two logs in pairs.
 *
 *     add to see it   time     ms  usual ms   calls  most time in (self ms)
 *     --tick 910    1:31.0  143.2      20.1  33,012  (garbage collection) 12.1 next [C], ...
 *
 *     count  slow  overrun ms  median ms  95% ms  99% ms  longest ms  total ms
 *        21     4       143.2       21.4    81.4   143.2       143.2     713.2  old
 *        21     1        12.1       20.0    60.3    91.5       112.1     411.3  new
 *         0    -3      -131.1       -1.4   -21.1   -51.7       -31.1    -301.9  change
 *
 *     from ms  to ms  count
 *         0.0   20.0     17  ############
 */
#pragma once

#include "base/sort.h"
#include "rebuild/ticks/ticks.h"
#include "report/tables/table.h"

/*
 * The same tick of the game in two recordings, for comparisons tick by tick.
 *
 * Ticks are the same if they have the same number. If several runs have that number, the first of
 * them is compared with the first of the old ones, and so on.
 */

struct tick_pair {
    const struct tick *now, *old; /* one of them is NULL if only one recording has the tick */
};

struct tick_pairs {
    struct tick_pair *all; /* [count], by number, then by run */
    size_t count;
    size_t same_count;                  /* pairs with both */
    size_t longer_count, shorter_count; /* of those: ticks that take more time now, or less */
    int64_t now_ns, old_ns;             /* sums over those */
};

/* The lists must outlive the pairs. */
void tick_pairs_init(struct tick_pairs *pairs, const struct tick_list *now,
                     const struct tick_list *old);

void tick_pairs_release(struct tick_pairs *pairs);

enum tick_table_kind {
    TICKS_EACH,    /* for people the slowest first; for programs all, of both sides in pairs, or as
                      many as were asked for, the slowest first */
    TICKS_OLD,     /* of a comparison: all of the old side, for JSON */
    TICKS_CHANGES, /* of a comparison: ticks that both sides have, the largest change first */
    TICKS_WHAT_IF, /* the times of all ticks as they are, and with each change of --what-if */
    TICKS_SIDES,   /* the times of all ticks by enum tick_side; of a comparison, except for JSON */
    TICKS_BINS,    /* how many ticks took how long */
    TICKS_CALLS,   /* calls that something has interrupted: see long_calls.h */
};

enum tick_side { TICK_SIDE_OLD, TICK_SIDE_NEW, TICK_SIDE_CHANGE, TICK_SIDES };
enum { TICK_BINS_MAX = 12 };

struct tick_table {
    const struct report *report;
    enum tick_table_kind kind;
    struct table table;

    /* Private. */
    struct tick_pairs pairs; /* the ticks of each row; one side is NULL if nothing is compared */
    int64_t bin_ns;          /* the width of a bin; bin i begins at i times that */
    size_t bins[TICK_BINS_MAX], old_bins[TICK_BINS_MAX], largest_bin;
};

/*
 * Makes a table; it has no rows if the report has nothing for it. It must not move, and is to be
 * released.
 */
void tick_table_init(struct tick_table *ticks, const struct report *report,
                     enum tick_table_kind kind, enum table_reader reader);

void tick_table_release(struct tick_table *ticks);

/* Adds the columns that a table has for JSON. */
void tick_table_add_json(struct table *table, enum tick_table_kind kind, bool has_samples);
