/*
 * report.h - the report formats and their common data.
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

/* The value that is shown by formats with one value per call stack. */
enum report_metric {
    METRIC_TIME,
    METRIC_CALLS,
    METRIC_ERRORS, /* recordings only; so is the heap growth below, in KB */
    METRIC_ALLOC,
};

/* Where a flame graph has its root. */
enum report_orientation {
    ORIENTATION_ICICLE, /* at the top */
    ORIENTATION_FLAME,  /* at the bottom */
};

/* The figures of a summary, from the tree with calling lines. */
struct report_totals {
    uint64_t stacks; /* for which a log line was read */
    uint64_t functions, calls;
    int64_t main_ns, coroutine_ns,
        both_ns;             /* self times by the thread on which the stack was seen */
    int64_t c_ns;            /* self times of C functions */
    uint64_t negative_count; /* stacks with a self time below 0 that rounding does not explain */
    int64_t negative_ns;     /* the sum of those */
};

struct report_totals report_sum_up(const struct tree *tree, const struct symbols *symbols);

/* The data that formats use. */
struct report {
    const struct profile *profile;
    struct report_totals totals;
    const struct selection *selection; /* has been applied */
    int64_t all_ns;                    /* time of the selected thread, before the selection */

    /*
     * `tree` has a node for each calling line, if a format or an option needs lines; in `paths`
     * a node is a path of functions. They are the same tree if no lines are needed.
     */
    const struct tree *tree;
    const struct tree *paths; /* NULL if no format or option needs it */
    /* Both for formats that write stack by stack; NULL if not needed. */
    const struct listed_stacks *stacks, *line_stacks;
    const struct labels *labels;
    const char *title;            /* the name of the input */
    const char *const *log_names; /* [log_count], without folders; see recording.log */
    size_t log_count;

    /* Of --diff, or NULL. Its trees have the same nodes as those above. */
    const struct report_old {
        const struct profile *profile;
        const struct tree *tree, *paths;
        const char *title;
        bool scales_calls;             /* see table_compare() */
        struct diff_counts counts;     /* of functions */
        const struct repeats *repeats; /* see below */
        const char
            *scaled; /* describes how the old values are scaled, as a phrase; NULL: not scaled */
    } * old;

    /*
     * Of --repeated, or NULL: the values of each log, by nodes of `tree`, which has calling lines
     * and the means of the logs.
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
    struct columns columns; /* empty: the default columns of the format */
    enum report_unit unit;
    enum report_metric metric;
    enum report_orientation orientation;
    size_t row_limit;  /* of the top table; 0 for all */
    size_t tick_limit; /* of the ticks report; 0 for all */
    size_t max_bytes;  /* of an HTML page; 0 for no limit */
    bool call_sites;
    bool is_colored;
    bool is_verbose;
    size_t width;       /* columns of the terminal; 0 for no limit */
    size_t height;      /* lines of the terminal, if the rows shall fit it; 0 for no limit */
    bool adds_timeline; /* formats that can add one do so */
};

/* The contents of a written report, and its differences from the measured data. */
struct report_result {
    uint64_t count; /* number of the things that `one` and `many` name: "stack", "stacks" */
    const char *one, *many;
    const struct listed_stacks *listed; /* the stacks it lists, or NULL */
    int64_t clamped_ns;                 /* sum of negative self times that were written as 0 */
    uint64_t truncated_count;           /* stacks or calls that were too deep: see viewer.h */
    bool has_timeline;   /* it shows one, whose times include the recording overhead */
    bool lacks_timeline; /* it should show one, but that is too long */
};

/* The result of a format that shows all stacks. */
struct report_result report_stacks_result(const struct report *report);

/* The same, with the amounts that a viewer clamped and truncated. */
struct report_result report_viewer_result(const struct report *report, const struct viewer *viewer);

/* Whether filters or folds have taken calls away. */
bool report_is_reduced(const struct report *report);

/* The stacks that the options ask to list. */
const struct listed_stacks *report_listed(const struct report *report);

/* Makes the table that the options ask for, see table_init(); the caller releases it. */
void report_make_table(const struct report *report, struct table *table, bool joins_recorder);

/* A node's own value of the metric: in nanoseconds, calls or KB. */
int64_t report_value(const struct tree *tree, uint32_t node, enum report_metric metric);

/* The options that a format uses: an option that no chosen format uses is an error. */
enum report_use {
    USES_ROWS = 1,        /* report->by and sort */
    USES_UNIT = 2,        /* report->unit */
    USES_METRIC = 4,      /* report->metric */
    USES_ORIENTATION = 8, /* report->orientation */
    USES_CALL_SITES = 16, /* report->call_sites; with USES_ROWS, only of stacks */
    USES_FILTERS = 32,    /* a tree that the selection has changed */
    USES_COSTS = 64,      /* times from which the cost of recording was subtracted */
    USES_SIZE = 128,      /* report->max_bytes */
    USES_COLUMNS = 256,   /* report->columns */
    USES_PROFILE = USES_FILTERS | USES_COSTS,
};

struct report_format {
    const char *name;        /* as in --format=name */
    const char *summary;     /* for --help: lower case, no full stop */
    const char *manual;      /* for the man page: see cli/markup.h */
    unsigned uses;           /* or of enum report_use */
    const char *suffixes[3]; /* of file names, ended by NULL; the longest that fits decides */
    const char *prefix;      /* of file names, without their directory; NULL for none */
    bool is_binary;          /* not to be written to a terminal */
    bool uses_lines;         /* uses the calling lines of report->tree */
    bool uses_paths;         /* uses report->paths or report->stacks */
    bool lists_lines;        /* uses report->line_stacks */
    bool compares;           /* can show report->old */
    bool repeats;            /* can show report->repeats, or the mean */
    bool shows_benchmarks;   /* is useful even if a log has only benchmarks */
    bool uses_timeline;      /* shows profile->timeline, and nothing else */
    bool uses_changes;       /* shows profile->changes, if nothing is selected */
    bool adds_timeline;      /* also shows it if there is a window and no filter */

    /*
     * Writes the whole report. It need not check the results of writes: the caller,
     * which opened the output, checks it at the end. The output depends only on the
     * report: no dates, no host names, no hash order.
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
extern const struct report_format report_json;
extern const struct report_format report_markdown;

/* All of them, in the order of --help, ended by NULL. The first is the default. */
extern const struct report_format *const report_formats[];

/* Both return NULL if there is none. */
const struct report_format *report_by_name(const char *name);
const struct report_format *report_by_path(const char *path);

/* The format whose name this is not, but one of its suffixes without the dot: md, pb.gz. */
const struct report_format *report_by_suffix(const char *suffix);

/* Appends the suffixes and the prefix of a format's file names: ".folded, .txt, callgrind.*". */
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
 * Appends a time in a unit with this number of decimals, rounded half away from zero;
 * never finer than nanoseconds. The second groups thousands by commas.
 */
void report_put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals);
void report_put_grouped_time(struct text *text, int64_t ns, enum report_unit unit, int decimals);

#endif
