/*
 * option_values.h - reads option values that are not words of a list: numbers, times, files,
 * patterns.
 *
 * Each sets members of struct options. They fail with a message that names the option.
 */
#ifndef SUPPROF_OPTION_VALUES_H
#define SUPPROF_OPTION_VALUES_H

#include "base/error.h"
#include "cli/options.h"

#include <stdbool.h>

enum { DEFAULT_ROW_COUNT = 20, DEFAULT_TICK_COUNT = 10, DEFAULT_PAGE_BYTES = 10 * 1000 * 1000 };

bool apply_output(struct options *options, const char *argument, struct error *err);
bool apply_lua_root(struct options *options, const char *argument, struct error *err);
bool apply_format(struct options *options, const char *argument, struct error *err);
bool apply_top(struct options *options, const char *argument, struct error *err);
bool apply_run(struct options *options, const char *argument, struct error *err);
bool apply_thread(struct options *options, const char *argument, struct error *err);
bool apply_focus(struct options *options, const char *argument, struct error *err);
bool apply_ignore(struct options *options, const char *argument, struct error *err);
bool apply_hide(struct options *options, const char *argument, struct error *err);
bool apply_show_from(struct options *options, const char *argument, struct error *err);
bool apply_hide_file(struct options *options, const char *argument, struct error *err);
bool apply_max_depth(struct options *options, const char *argument, struct error *err);
bool apply_max_size(struct options *options, const char *argument, struct error *err);
bool apply_min_pct(struct options *options, const char *argument, struct error *err);
bool apply_ticks(struct options *options, const char *argument, struct error *err);
bool apply_peek(struct options *options, const char *argument, struct error *err);
bool apply_from(struct options *options, const char *argument, struct error *err);
bool apply_to(struct options *options, const char *argument, struct error *err);
bool apply_tick(struct options *options, const char *argument, struct error *err);
bool apply_ticks_over(struct options *options, const char *argument, struct error *err);
bool apply_overhead(struct options *options, const char *argument, struct error *err);
bool apply_columns(struct options *options, const char *argument, struct error *err);
bool apply_fail_if(struct options *options, const char *argument, struct error *err);
bool apply_diff(struct options *options, const char *argument, struct error *err);

#endif
