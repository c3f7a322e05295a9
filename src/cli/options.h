/*
 * options.h - the values of all options and the logs of the command line.
 */
#ifndef SUPPROF_OPTIONS_H
#define SUPPROF_OPTIONS_H

#include "base/error.h"
#include "names/paths.h"
#include "report/report.h"
#include "select/limit.h"
#include "select/selection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the old values of a comparison are scaled. */
enum normalize { NORMALIZE_NOTHING, NORMALIZE_CALLS, NORMALIZE_TICKS, NORMALIZE_TOTALS };

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

struct options {
    const char *const *logs; /* [log_count], of argv or found_logs; "-" is standard input */
    size_t log_count;
    const char **found_logs; /* logs that are not named in argv, or NULL */
    struct option_output {
        const char *path; /* "-" is standard output */
        const struct report_format *format;
    } * outputs; /* [output_count], at least one after a successful parse */
    size_t output_count, output_capacity;
    const char **lua_roots; /* [lua_root_count], parts of argv */
    size_t lua_root_count, lua_root_capacity;
    const struct report_format *format; /* of --format, or NULL */
    bool has_top;
    size_t row_limit;
    enum table_by by;
    enum column_kind sort;
    enum report_unit unit;
    enum report_metric metric;
    enum report_orientation orientation;
    enum path_style path_style;
    struct selection selection;
    struct columns columns;
    const char **old_logs; /* [old_log_count], of --diff */
    size_t old_log_count, old_log_capacity;
    struct arena names;   /* names that are not part of argv */
    struct limit *limits; /* [limit_count], of --fail-if */
    size_t limit_count, limit_capacity;
    bool is_repeated; /* each log is one of the same thing */
    enum normalize normalize;
    uint32_t run; /* 0 for all */
    bool has_ticks, has_tick_limit;
    size_t tick_limit; /* of the ticks report; 0 for all */
    struct pattern *peek;
    struct window_border from, to;
    bool chooses_ticks; /* --ticks-over: ticks longer than one limit, up to another */
    int64_t ticks_over_ns, ticks_up_to_ns;
    bool compares_rest;      /* with the other ticks */
    bool keeps_costs;        /* --overhead=off */
    struct call_costs costs; /* --overhead=IN,OUT; otherwise not known */
    size_t max_bytes;        /* of an HTML page */
    bool follows;            /* --follow */
    bool opens, call_sites, is_strict, is_quiet, is_verbose, wants_help, wants_version;
    enum when color, progress;
};

void options_release(struct options *options);

/* Whether to do something; `otherwise` decides for auto. */
bool options_wants(enum when when, bool otherwise);

/* Whether an output gets colours: with auto, only standard output does, on a terminal. */
bool options_wants_color(const struct options *options, bool is_standard_output);

/* Whether formats that can add a time line shall do so: with a window, and without a filter. */
bool options_add_timeline(const struct options *options);

#endif
