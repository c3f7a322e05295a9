/*
 * tables.h - all kinds of tables, and how writers get them that can show any table.
 */
#pragma once

#include "report/tables/table.h"

struct table_walk {
    const struct report *report;
    enum table_reader reader;
    size_t room; /* lines for people, or rows, that are left for all tables; SIZE_MAX: no limit */
    void *context;
    const struct table_kind *kind; /* set by tables_walk_keyed() */
    const uint32_t *numbered;      /* [numbered_count], see struct row_keys; NULL: none */
    size_t numbered_count;
    /* Takes a table, which is there until it returns, and its lines from the room. */
    void (*take)(struct table_walk *walk, const struct table *table);
};

/* A kind of table. */
struct table_kind {
    unsigned uses;     /* what a format uses that shows it: or of enum report_use */
    unsigned shown_by; /* formats that use one of these have it in any case */
    const struct report_format *for_people; /* that of an option which asks for the table */
    const char *title; /* "Peek", if functions are chosen that have a table each; or NULL */
    /* With a key, JSON and pages have it of themselves, if is_there(). */
    const char *key;             /* what they call it; NULL: only options ask for it */
    const char *rows;            /* what its rows are, for the schema */
    const char *heading, *about; /* above it in a page */
    bool (*is_there)(const struct report *report);
    void (*walk)(struct table_walk *walk);
};

/* Those with more than some lines are in files of their own. */
#define DECLARE_KIND(kind, tables) extern const struct table_kind tables;
TABLE_KINDS(DECLARE_KIND)

extern const struct table_kind *const table_kinds[TABLE_COUNT];

/* Passes on the tables with a key that are there; of a report without a profile all, for their
 * columns: none has rows then. */
void tables_walk_keyed(struct table_walk *walk);

/* The tables that a format shows. */
struct shown_tables {
    enum report_table first;
    unsigned kinds, uses; /* by bits of enum report_table, and of enum report_use */
};

/*
 * Those of `wanted` that the format can show. Of a format that is one table, the first of them, or
 * else the first that it can show.
 */
struct shown_tables tables_shown(const struct report_format *format, unsigned wanted);
