/*
 * watched_table.h - the threads of watched games:
 *
 *     total ms  total%   runs  longest ms  slow ticks    watched thread began in
 *       5195.8   45.30  3,608         5.0           -    EngineerThread  units.lua:33
 *
 * No other table has any of it: a watch has no calls. For programs, the columns that name a
 * function come first.
 */
#pragma once

#include "report/figures/watched_threads.h"
#include "report/tables/table.h"

struct watched_table {
    const struct report *report;
    enum table_reader reader;
    struct watched_threads threads;
    struct table table;
};

/* It has no rows if the report shows no watch. It must not move. */
void watched_table_init(struct watched_table *watched, const struct report *report,
                        enum table_reader reader);
void watched_table_release(struct watched_table *watched);

/* Fill the label of a function, or what names it for programs; TREE_NONE: the others. The second
 * returns false if the column is none of these. */
void watched_table_get_label(const struct report *report, uint32_t function, struct cell *cell);
bool watched_table_get_function(const struct report *report, uint32_t function,
                                const struct column_info *info, struct cell *cell);

/*
 * The lengths of all ticks of watches, as far as the log has them, for programs: run, tick,
 * game_seconds and time_us, as the ticks of other recordings have them.
 */
struct watched_lengths {
    const struct report *report;
    struct watched_length {
        uint32_t recording;
        int64_t number, time_ns;
    } * all; /* [table.row_count] */
    struct table table;
};

/* It has no rows if the report shows no watch. It must not move. */
void watched_lengths_init(struct watched_lengths *lengths, const struct report *report);
void watched_lengths_release(struct watched_lengths *lengths);
