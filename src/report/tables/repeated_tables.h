/*
 * repeated_tables.h - the tables of --repeated: medians and spreads of several logs, and changes
 * since the old logs. One has the totals of the logs, one their rows.
 */
#pragma once

#include "report/figures/repeated_rows.h"
#include "report/tables/row_keys.h"

struct repeated_tables {
    const struct report *report;
    enum table_reader reader;
    struct repeated_rows sums;
    struct table totals, rows;
    /* Private. */
    struct row_keys keys;
    struct repeated_summary summary; /* of the cell that was asked for last */
    size_t summary_of;
};

/* It must not move, and is to be released. */
void repeated_tables_init(struct repeated_tables *repeated, const struct report *report,
                          enum table_reader reader);
void repeated_tables_release(struct repeated_tables *repeated);
