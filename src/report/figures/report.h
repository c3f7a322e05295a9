/*
 * report.h - the data that all report formats use, and the options about what they show.
 */
#pragma once

#include "names/labels.h"
#include "names/source_files.h"
#include "profile/profile.h"
#include "report/figures/columns.h"
#include "report/figures/table.h"
#include "report/figures/totals.h"
#include "report/figures/what_if.h"
#include "select/diff.h"
#include "select/limit_check.h"
#include "select/listed_stacks.h"
#include "select/long_calls.h"
#include "select/repeated_values.h"
#include "select/selection.h"
#include "select/viewer.h"
#include "select/wrong_callers.h"
#include "tree/tree.h"

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

/* Whose row BY_FILE and BY_MOD has the calls of C functions. */
enum c_functions {
    C_OF_CALLER, /* that of the function that made them */
    C_OWN,       /* one of their own */
};

/* The options about what reports show, as the command line gives them. */
struct report_options {
    enum table_by by;
    enum c_functions c_functions;
    enum column_kind sort;
    struct columns columns; /* empty: the default columns of the format */
    enum report_unit unit;
    enum report_metric metric;
    enum report_orientation orientation;
    size_t row_limit;  /* of the top table; 0 for all */
    size_t tick_limit; /* of the ticks report; 0 for all */
    size_t rows;       /* of other reports, if it is given; 0 for all */
    bool has_rows;
    bool has_tree, is_inverted; /* the call tree */
    bool has_no_source;         /* html is written without the text of functions */
    size_t max_bytes;           /* of an HTML page; 0 for no limit */
    bool call_sites;
    bool has_threads; /* the rows are threads, BY_THREAD */
    bool is_verbose;
};

/* The data that formats use. */
struct report {
    const struct profile *profile;
    struct report_totals totals;
    struct tick_statistics ticks;              /* of all ticks of the profile */
    const struct wrong_callers *wrong_callers; /* of the whole log; NULL: not known */
    const struct long_calls *long_calls;       /* NULL: not known */
    const struct selection *selection;         /* has been applied */
    int64_t all_ns; /* time of the selected thread, before the selection */

    /*
     * `tree` has a node for each calling line, if a format or an option needs lines; in `paths`
     * a node is a path of functions. They are the same tree if no lines are needed.
     */
    const struct tree *tree;
    const struct tree *paths; /* NULL if no format or option needs it */
    /* Both for formats that write stack by stack; NULL if not needed. */
    const struct listed_stacks *stacks, *line_stacks;
    const struct labels *labels;
    uint32_t folded;              /* the function for time without a caller: see selection.h */
    const char *title;            /* the name of the input */
    const char *const *log_names; /* of all logs, without folders; see recording.log */
    size_t log_count;             /* of those with profiler lines */

    /* Of --diff, or NULL. Its trees have the same nodes as those above. */
    const struct report_old {
        const struct profile *profile;
        struct tick_statistics ticks;
        const struct tree *tree, *paths;
        const char *title;
        bool scales_calls; /* see table.h */
        bool is_rest;      /* of the same logs: the ticks that --ticks-over does not choose */
        struct diff_counts counts;          /* of functions */
        const struct source_files *sources; /* of its side */
        const uint32_t
            *functions;     /* [profile's function_count]: which ones of the new profile they are */
        uint32_t gone_from; /* there, functions from this id on are of the old profile alone */
        const struct repeated_values *repeated; /* see below */
        const char
            *scaled; /* describes how the old values are scaled, as a phrase; NULL: not scaled */
    } * old;

    /*
     * Of --repeated, or NULL: the values of each log, by nodes of `tree`, which has calling lines
     * and the means of the logs.
     */
    const struct repeated_values *repeated;

    const struct tick_choice *choice; /* of --ticks-over, or NULL */

    struct limit_result *limits; /* [limit_count], of --fail-if */
    size_t limit_count;

    const struct what_if_rows *what_if; /* of --what-if, or NULL */

    /* Of --peek, or NULL. */
    const struct pattern *peek;
    const uint8_t *is_peeked; /* [function_count]: whether it matches the function */

    /* The same of --list and --tree. */
    const struct pattern *list, *tree_root;
    const uint8_t *is_listed, *is_tree_root;

    const struct source_files *sources; /* of --lua-root; no texts if no format uses them */

    struct report_options show;
    bool has_sources; /* for names: --lua-root was given */
    bool is_colored;
    bool has_no_options; /* sentences do not end with the option that shows more */
    size_t width;        /* columns of the terminal; 0 for no limit */
    size_t height;       /* lines of the terminal, if the rows shall fit it; 0 for no limit */
    bool adds_timeline;  /* formats that can add one do so */
};

/* The self time of all rows. */
static inline int64_t report_total_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

/* Whether the logs have benchmarks or lines of the game, but no profile. */
bool report_is_empty(const struct report *report);

/* Whether --rows asks for everything. */
bool report_shows_all(const struct report *report);

/*
 * The number of lines for the rows of a report: what --rows says, or what fits the terminal beside
 * `others` lines, at least ten; SIZE_MAX: no limit.
 */
size_t report_room(const struct report *report, size_t others);

/* The stacks that the options ask to list. */
const struct listed_stacks *report_listed(const struct report *report);

/* What the options make of table.charging. */
const struct symbols *report_charging(const struct report *report);

/* Returns a table in the order that the options ask for; the caller releases it. */
struct table report_table(const struct report *report, enum table_by by, bool joins_recorder);

/* Appends the source of a function: its path as labels have it, or the whole text of a chunk. */
void report_put_source(struct text *text, const struct report *report, uint32_t function);

/* The path of a function's file: where it is on this machine, if that is known; or its label's. */
struct span report_path(const struct report *report, uint32_t function);

/* A node's own value of the metric, in the metric's unit. */
int64_t report_value(const struct tree *tree, uint32_t node, enum report_metric metric);

/*
 * The value of a node of a viewer's tree, which has no values below 0: unsigned, so that sums do
 * not overflow. Memory is in bytes.
 */
uint64_t report_viewer_value(const struct tree *tree, uint32_t node, enum report_metric metric);

/* By enum report_metric; for programs. */
extern const struct report_metric_names {
    const char *name, *unit;
} report_metric_names[];

/* Whether a hundredth of the time or more may be wrong because of errors that delins' profiler does
 * not notice. */
bool report_has_wrong_callers(const struct report *report);

/* A number of calls for people: of a sampled recording, only the first two digits are known. */
uint64_t report_rounded_calls(const struct report *report, uint64_t calls);
