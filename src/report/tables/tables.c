#include "report/tables/tables.h"

#include "report/figures/formats.h"
#include "report/tables/repeated_tables.h"
#include "report/tables/tick_tables.h"
#include "report/tables/watched_changes_table.h"
#include "report/tables/watched_table.h"

static bool compares_watches(const struct report *report)
{
    return report->compares_watches;
}

static void walk_watched_changes(struct table_walk *walk)
{
    SCOPED(watched_changes_table) watched;
    watched_changes_table_init(&watched, walk->report, walk->reader);
    walk->take(walk, &watched.table);
}

/* Where there is only a watch. */
static void walk_watched(struct table_walk *walk)
{
    SCOPED(watched_table) watched;
    watched_table_init(&watched, walk->report, walk->reader);
    walk->take(walk, &watched.table);
}

static void walk_functions(struct table_walk *walk)
{
    struct function_table functions;
    struct repeated_tables repeated;
    if (walk->report->repeated != NULL) {
        repeated_tables_init(&repeated, walk->report, walk->reader);
        walk->take(walk, &repeated.rows);
        repeated_tables_release(&repeated);
    } else if (walk->report->show.has_threads && walk->report->old != NULL) {
        walk_watched_changes(walk); /* of calls, threads are not compared */
    } else if (walk->report->show.has_threads && walk->report->is_empty) {
        walk_watched(walk);
    } else {
        function_table_init(&functions, walk->report, walk->report->show.by, walk->reader);
        functions.keys.numbered = walk->numbered;
        functions.keys.numbered_count = walk->numbered_count;
        walk->take(walk, &functions.table);
        function_table_release(&functions);
    }
}

static void pass_on(struct table_walk *walk, enum tick_table_kind kind)
{
    SCOPED(tick_table) ticks;
    tick_table_init(&ticks, walk->report, kind, walk->reader);
    walk->take(walk, &ticks.table);
}

static void walk_ticks(struct table_walk *walk)
{
    SCOPED(watched_lengths) lengths = {0};
    if (walk->reader != FOR_PROGRAMS || !walk->report->is_empty) {
        pass_on(walk, TICKS_EACH);
        return;
    }
    watched_lengths_init(&lengths, walk->report);
    walk->take(walk, &lengths.table);
}

static void walk_what_if(struct table_walk *walk)
{
    pass_on(walk, TICKS_WHAT_IF);
}

const struct table_kind function_tables = {
    .uses = USES_ROWS | USES_COLUMNS | USES_CALL_SITES | USES_PROFILE | SHOWS_COMPARISON |
            SHOWS_REPEATED | SHOWS_SUMS,
    .for_people = &report_top,
    .walk = walk_functions,
};

const struct table_kind tick_tables = {
    .uses = USES_TICKS | USES_COSTS | SHOWS_COMPARISON,
    .for_people = &report_ticks,
    .walk = walk_ticks,
};

const struct table_kind what_if_tables = {
    .uses = USES_COSTS | SHOWS_WHAT_IF,
    .shown_by = ~0u, /* it is asked for a report, if there is one */
    .for_people = &report_ticks,
    .walk = walk_what_if,
};

const struct table_kind watched_changes_tables = {
    .key = "watched_threads",
    .rows = "of two watched games what threads took, the largest change first; missing otherwise; "
            "function null: those that took little in a minute, together",
    .heading = "Watched threads",
    .about = "by the clock alone, in a tick",
    .is_there = compares_watches,
    .walk = walk_watched_changes,
};

#define ADDRESS_OF_KIND(kind, tables) &tables,
const struct table_kind *const table_kinds[TABLE_COUNT] = {TABLE_KINDS(ADDRESS_OF_KIND)};

void tables_walk_keyed(struct table_walk *walk)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        walk->kind = table_kinds[i];
        if (walk->kind->key != NULL &&
            (walk->report->profile == NULL || walk->kind->is_there(walk->report)))
            walk->kind->walk(walk);
    }
}

struct shown_tables tables_shown(const struct report_format *format, unsigned wanted)
{
    struct shown_tables shown = {TABLE_FUNCTIONS, format->tables & wanted, format->uses};
    if (shown.kinds == 0 && format->is_table)
        shown.kinds = format->tables;
    while (shown.kinds != 0 && (shown.kinds >> shown.first & 1) == 0)
        shown.first++;
    if (format->is_table)
        shown.kinds &= 1u << shown.first;
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if ((shown.kinds >> i & 1) != 0)
            shown.uses |= table_kinds[i]->uses & (format->is_table ? ~0u : ~(unsigned)SHOWS_SUMS);
    return shown;
}
