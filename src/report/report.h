/*
 * report.h - the ways to write a profile down.
 *
 * Each format is a report_<name>.c whose only external symbol is its `struct
 * report_format`. To add a format: write that file, list it in report.c and in
 * CMakeLists.txt; options, --help, the man page, completions and the choice by suffix
 * follow report_formats.
 */
#ifndef SUPPROF_REPORT_H
#define SUPPROF_REPORT_H

#include "base/output.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "report/columns.h"
#include "report/table.h"
#include "select/diff.h"
#include "select/limit_check.h"
#include "select/listed_stacks.h"
#include "select/repeats.h"
#include "select/selection.h"
#include "select/viewer.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum report_unit { UNIT_AUTO, UNIT_NS, UNIT_US, UNIT_MS, UNIT_S };

/* What a format that has one value for a call stack shows. */
enum report_metric {
    METRIC_TIME,
    METRIC_CALLS,
    METRIC_ERRORS, /* only recordings tell; and so the memory, in KB */
    METRIC_ALLOC,
};

/* Where a flame graph has its root. */
enum report_orientation {
    ORIENTATION_ICICLE, /* at the top */
    ORIENTATION_FLAME,  /* at the bottom */
};

/* What a summary says, of the tree with its calling lines. */
struct report_totals {
    uint64_t stacks; /* that a line was read for */
    uint64_t functions, calls;
    int64_t main_ns, coroutine_ns, both_ns; /* self times by where the stack was seen */
    int64_t c_ns;                           /* self times of C functions */
    uint64_t negative_count; /* stacks with a self time below 0 that rounding does not explain */
    int64_t negative_ns;     /* the sum of those */
};

struct report_totals report_sum_up(const struct tree *tree, const struct symbols *symbols);

/* What a format may look at. */
struct report {
    const struct profile *profile;
    struct report_totals totals;
    const struct selection *selection; /* has been applied */
    int64_t all_ns;                    /* of the selected thread, before that */

    /*
     * With a node for each calling line, if a format or an option asks for lines; and where a
     * node is a path of functions. They are one tree where no lines are asked for.
     */
    const struct tree *tree;
    const struct tree *paths; /* NULL where no format or option asks for it */
    /* Both for formats that write stack by stack; NULL where none asks for it. */
    const struct listed_stacks *stacks, *line_stacks;
    const struct labels *labels;
    const char *title; /* the name of the input */

    /* Of --diff, or NULL. Its trees have the same nodes as those above. */
    const struct report_old {
        const struct profile *profile;
        const struct tree *tree, *paths;
        const char *title;
        bool scales_calls;             /* see table_compare() */
        struct diff_counts counts;     /* of functions */
        const struct repeats *repeats; /* see below */
        const char *scaled; /* what the old values are scaled to, as a phrase; NULL: they are not */
    } * old;

    /*
     * Of --repeated, or NULL: what each log has, by nodes of `tree`, which has their means, with
     * lines.
     */
    const struct repeats *repeats;

    const struct tick_choice *choice; /* of --ticks-over, or NULL */

    struct limit_result *limits; /* [limit_count], of --fail-if */
    size_t limit_count;

    /* Of --peek, or NULL. */
    const struct pattern *peek;
    const uint8_t *is_peeked; /* [function_count]: whether it matches the function */

    enum table_by by;
    enum column_kind sort;
    struct columns columns; /* none: what the format has by default */
    enum report_unit unit;
    enum report_metric metric;
    enum report_orientation orientation;
    size_t row_limit;  /* of the top table; 0 for all */
    size_t tick_limit; /* of the ticks report; 0 for all */
    size_t max_bytes;  /* of an HTML page; 0 for no limit */
    bool call_sites;
    bool is_colored;
    size_t width;       /* columns of the terminal; 0 for no limit */
    bool adds_timeline; /* formats that can add one do so */
};

/* What a report has, and how it differs from what its format could have shown. */
struct report_result {
    uint64_t count; /* of what the next two name: "stack", "stacks" */
    const char *one, *many;
    const struct listed_stacks *listed; /* what it lists; NULL for nothing */
    int64_t clamped_ns;                 /* negative self times that were written as 0, in all */
    uint64_t truncated_count;           /* stacks or calls that were too deep: see viewer.h */
    bool has_timeline;                  /* it shows one: the cost of recording is in its times */
    bool lacks_timeline;                /* it was to show one, and that is too long */
};

/* Of a format that shows all stacks. */
struct report_result report_stacks_result(const struct report *report);

/* The same, with what a viewer has clamped and truncated. */
struct report_result report_viewer_result(const struct report *report, const struct viewer *viewer);

/* The stacks that the options ask to list. */
const struct listed_stacks *report_listed(const struct report *report);

/* Makes the table that the options ask for; the caller releases it. */
void report_make_table(const struct report *report, struct table *table);

/* What a node has of its own of the metric: in nanoseconds, calls or KB. */
int64_t report_value(const struct tree *tree, uint32_t node, enum report_metric metric);

/* What a format looks at: an option that no chosen format looks at is an error. */
enum report_use {
    USES_ROWS = 1,        /* report->by, sort and columns */
    USES_UNIT = 2,        /* report->unit */
    USES_METRIC = 4,      /* report->metric */
    USES_ORIENTATION = 8, /* report->orientation */
    USES_CALL_SITES = 16, /* report->call_sites; with USES_ROWS, only of stacks */
    USES_FILTERS = 32,    /* a tree that the selection has changed */
    USES_COSTS = 64,      /* times from which the cost of recording was subtracted */
    USES_SIZE = 128,      /* report->max_bytes */
    USES_PROFILE = USES_FILTERS | USES_COSTS,
};

struct report_format {
    const char *name;        /* as in --format=name */
    const char *summary;     /* for --help: lower case, no full stop */
    const char *manual;      /* for the man page: see cli/markup.h */
    unsigned uses;           /* or of enum report_use */
    const char *suffixes[3]; /* of file names, ended by NULL; the longest that fits decides */
    const char *prefix;      /* of file names, without their directory; NULL for none */
    bool is_binary;          /* nothing for a terminal */
    bool uses_lines;         /* looks at the calling lines of report->tree */
    bool uses_paths;         /* looks at report->paths or report->stacks */
    bool lists_lines;        /* looks at report->line_stacks */
    bool compares;           /* can show report->old */
    bool repeats;            /* can show report->repeats, or the mean */
    bool shows_benchmarks;   /* is worth writing where a log has nothing but benchmarks */
    bool uses_timeline;      /* shows profile->timeline, and nothing else */
    bool adds_timeline;      /* shows it, too, where there is a window and nothing is filtered */

    /*
     * Writes the whole report. It need not look at the results of stdio calls:
     * whoever opened the stream tests it at the end. The output depends on the
     * report alone: no dates, no host names, no hash order.
     */
    struct report_result (*write)(const struct report *report, struct output *out);
};

extern const struct report_format report_top;
extern const struct report_format report_folded;
extern const struct report_format report_csv;
extern const struct report_format report_callgrind;
extern const struct report_format report_pprof;
extern const struct report_format report_pprof_raw;
extern const struct report_format report_speedscope;
extern const struct report_format report_svg;
extern const struct report_format report_html;
extern const struct report_format report_ticks;
extern const struct report_format report_peek;
extern const struct report_format report_ticks_csv;
extern const struct report_format report_trace;
extern const struct report_format report_cpuprofile;

/* All of them, in the order of --help, ended by NULL. The first is the default. */
extern const struct report_format *const report_formats[];

/* Both return NULL when there is none. */
const struct report_format *report_by_name(const char *name);
const struct report_format *report_by_path(const char *path);

/* Appends what names of files in a format end or begin with: ".folded, .txt, callgrind.*". */
void report_put_suffixes(struct text *text, const struct report_format *format,
                         const char *between);

/* Nanoseconds in a unit, which must not be UNIT_AUTO, and its name. */
int64_t report_unit_ns(enum report_unit unit);
const char *report_unit_name(enum report_unit unit);

/* The unit that suits a profile of this length, and the decimals that a table shows in a unit. */
enum report_unit report_unit_for(int64_t ns);
int report_decimals(enum report_unit unit);

/* Appends "12.34": `ns` as a percentage of `all_ns`. */
void report_put_percent(struct text *text, int64_t ns, int64_t all_ns);

/* Appends "1 stack" or "1,234 stacks". */
void report_put_count(struct text *text, uint64_t count, const char *one, const char *many);

/*
 * Appends a time in a unit with so many decimals, rounded half away from zero;
 * never more decimals than make nanoseconds. The second groups thousands by commas.
 */
void report_put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals);
void report_put_grouped_time(struct text *text, int64_t ns, enum report_unit unit, int decimals);

#endif
