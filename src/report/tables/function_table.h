/*
 * function_table.h - the table of functions, files, mods, lines, stacks or threads.
 */
#pragma once

#include "report/figures/label_texts.h"
#include "report/figures/row_sums.h"
#include "report/tables/table.h"

/*
 * The columns that name the rows of row_sums.h.
 */

enum key_kind {
    KEY_LABEL,
    KEY_MARK,
    KEY_FUNCTION,
    KEY_INDEX,
    KEY_CALLER,
    KEY_SOURCE,
    KEY_LINE,
    KEY_CALLER_LINE,
    KEY_THREAD,
    KEY_FILE,
    KEY_MOD,
    KEY_STACK,
    KEY_WITHIN_NOISE,
    KEY_COUNT
};

struct row_keys {
    const struct report *report;
    const struct row_sums *sums; /* not owned */
    /* For people: what stands below the table, whose numbers are beside the labels; [count]. */
    const uint32_t *numbered;
    size_t numbered_count;
};

void row_keys_add_one(struct table *table, enum key_kind kind);

/* Adds the columns that name a row for programs, or for JSON. */
void row_keys_add(struct table *table, enum table_by by, enum table_reader reader);

/* Fills the cell of a row if the column is one of these; returns whether it is. */
bool row_keys_get(struct row_keys *of, const struct table_column *column, size_t row,
                  struct cell *cell);

struct function_table {
    const struct report *report;
    bool has_memory, old_has_memory; /* the profiles of the sides know how the heap grew */
    struct row_sums sums;
    struct table table;
    struct row_keys keys; /* private, and so is */
    bool is_for_people;   /* cells have styles, and words in place of some numbers */
};

/*
 * Makes the table; the report asks for that by report->show.by. A unit that is not chosen suits the
 * report's time. For JSON, rows of functions have no name, and one after the last is row_none. It
 * must not move, and is to be released.
 */
void function_table_init(struct function_table *functions, const struct report *report,
                         enum table_by by, enum table_reader reader);

void function_table_release(struct function_table *functions);

/* Adds the columns that JSON has: those of threads or all others; `has` as columns_add_usual(). */
void function_table_add_json(struct table *table, enum column_aspect aspect, bool are_threads,
                             unsigned has);
