/*
 * tables.h - all tables of a report, one after the other: for writers that can show any table.
 */
#pragma once

#include "report/tables/table.h"

struct table_walk {
    const struct report *report;
    enum table_reader reader;
    void *context;
    /* Takes a table, which is there until it returns. */
    void (*take)(void *context, const struct table *table);
};

/* Passes on the tables of a kind: of TABLE_PEEK and TABLE_LIST, one for each function. */
void tables_walk(const struct table_walk *walk, enum report_table kind);

/* That of TABLE_PEEK, in edge_table.c. */
void edge_tables_walk(const struct table_walk *walk);
