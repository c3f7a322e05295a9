/*
 * watched_changes_table.h - the threads of two watched games, by what they took in a tick:
 *
 *     old tick ms  new tick ms  diff tick ms  diff%  old slow ticks  new slow ticks    watched ...
 *           3.003        7.801        +4.798  +160%               -               -    WeaponThread
 */
#pragma once

#include "report/figures/watched_threads.h"
#include "report/tables/table.h"

struct watched_changes_table {
    const struct report *report;
    struct watched_changes changes;
    struct table table;
};

/* It has no rows unless report->compares_watches. It must not move. */
void watched_changes_table_init(struct watched_changes_table *watched, const struct report *report,
                                enum table_reader reader);
void watched_changes_table_release(struct watched_changes_table *watched);
