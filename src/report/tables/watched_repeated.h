/*
 * watched_repeated.h - several watched games: their ticks, and what threads took in one, as
 * medians of the logs, spreads and changes, see repeated_tables.h:
 *
 *                          median      ±
 *     watched ticks         3,004      0
 *     watched median ms       9.4    0.2
 *
 *     tick ms      ±  watched thread began in
 *       4.761  0.120  WeaponThread  units.lua:18
 *
 * A function that a log does not have took 0 there.
 */
#pragma once

#include "report/tables/repeated_tables.h"

struct watched_repeated {
    const struct report *report;
    struct repeated_totals totals; /* this and the next: none unless report->repeats_watches */
    struct table rows;
    struct repeated_summary values[WATCH_TOTAL_COUNT];
    struct watched_repeated_row {
        uint32_t function;
        struct repeated_summary value;
    } * all; /* [rows.row_count] */
};

/* It must not move, and is to be released. */
void watched_repeated_init(struct watched_repeated *watched, const struct report *report,
                           enum table_reader reader);
void watched_repeated_release(struct watched_repeated *watched);
