/*
 * option_rows.h - the table of options: parsing, --help and the completions of
 * shells are all made from it.
 */
#pragma once

#include "base/span.h"
#include "cli/options/option_row.h"

enum { OPTION_ROWS_MAX = 64 };

extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* The option with this name, or NULL. */
const struct option_row *option_row_find(struct span name);
