/*
 * row_keys.h - the columns that name the rows of row_sums.h.
 */
#pragma once

#include "report/figures/labels.h"
#include "report/figures/row_sums.h"
#include "report/tables/table.h"

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
};

void row_keys_add_one(struct table *table, enum key_kind kind);

/* Adds the columns that name a row for programs, or for JSON. */
void row_keys_add(struct table *table, enum table_by by, enum table_reader reader);

/* Fills the cell of a row if the column is one of these; returns whether it is. */
bool row_keys_get(struct row_keys *of, const struct table_column *column, size_t row,
                  struct cell *cell);
