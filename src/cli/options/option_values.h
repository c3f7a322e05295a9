/*
 * option_values.h - reads the values of options: words of a list, numbers, times, files, patterns.
 */
#pragma once

#include "cli/options/option_row.h"

enum { DEFAULT_ROW_COUNT = 20, DEFAULT_TICK_COUNT = 10, DEFAULT_PAGE_BYTES = 10 * 1000 * 1000 };

/* Does what the row of an option says. Fails with a message that names the option. */
bool option_values_apply(const struct given_option *given, struct error *err);

option_apply apply_border, apply_columns, apply_diff, apply_fail_if, apply_filter, apply_format,
    apply_hide_file, apply_lua_root, apply_max_depth, apply_max_size, apply_min_pct, apply_output,
    apply_overhead, apply_pattern, apply_rows, apply_run, apply_tick, apply_ticks, apply_slow_over,
    apply_ticks_over, apply_top, apply_tree, apply_what_if;
