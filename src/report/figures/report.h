/*
 * report.h - the data that all report formats use, and the options about what they show.
 */
#pragma once

#include "base/output.h"
#include "names/labels.h"
#include "names/source_files.h"
#include "profile/profile.h"
#include "report/figures/columns.h"
#include "report/figures/computer.h"
#include "report/figures/row_sums.h"
#include "report/figures/what_if.h"
#include "select/diff.h"
#include "select/filter.h"
#include "select/limit.h"
#include "select/long_calls.h"
#include "select/repeated_values.h"
#include "select/viewer_tree.h"
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

/* The list of all kinds of tables. TABLE_TICKS is that of tick_tables in tables.h; options ask for
 * those after the first, which has functions or other rows: see enum table_by. The last ones have
 * no option: JSON and pages have them by their keys. */
#define TABLE_KINDS(KIND)                                                                          \
    KIND(FUNCTIONS, function_tables)                                                               \
    KIND(TICKS, tick_tables)                                                                       \
    KIND(WHAT_IF, what_if_tables)                                                                  \
    KIND(PEEK, peek_tables)                                                                        \
    KIND(LIST, list_tables)                                                                        \
    KIND(TREE, tree_tables)                                                                        \
    KIND(WATCHED_CHANGES, watched_changes_tables)

#define TABLE_OF_KIND(kind, tables) TABLE_##kind,
enum report_table { TABLE_KINDS(TABLE_OF_KIND) TABLE_COUNT };

/* The options about what reports show, as the command line gives them. */
struct report_options {
    const char *commit; /* of the program's sources; NULL: not known */
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
    bool has_tick_limit;   /* so many, or all, were asked for */
    unsigned tables;       /* that options ask for, by bits of enum report_table */
    bool is_inverted;      /* the call tree */
    bool has_no_source;    /* html is written without the text of functions */
    size_t page_bytes_max; /* of an HTML page; 0 for no limit */
    bool call_sites;
    bool has_threads; /* the rows are threads, BY_THREAD */
    bool is_verbose;
};

/* The data that formats use; made once, by the session that reads the logs. What is its own is
 * released with it. */
struct report {
    enum report_table table; /* that of the format which is one table */
    const struct profile *profile;
    struct report_totals totals;
    struct tick_statistics ticks;              /* its own: of all ticks of the profile */
    struct computer_ticks computer;            /* of these */
    const struct wrong_callers *wrong_callers; /* of the whole log; NULL: not known */
    struct long_calls long_calls;              /* its own; all zero: not known */
    const struct selection *selection;         /* has been applied */
    int64_t all_ns; /* time of the selected thread, before the selection */

    /*
     * `tree` has a node for each calling line, if a format or an option needs lines; in `paths`
     * a node is a path of functions. They are the same tree if no lines are needed.
     */
    const struct tree *tree;
    const struct tree *paths;  /* NULL if no format or option needs it */
    struct tree without_lines; /* its own: `paths`, if lines are needed, too */
    struct report_sums {
        struct sum *now, *old;
    } * sums; /* its own, private: see report_function_sums() */
    const struct labels *labels;
    uint32_t folded;        /* the function for time without a caller: see filter.h */
    const char *title;      /* the name of the input */
    const char **log_names; /* its own list: of all logs, without folders; see recording.log */
    size_t log_count;       /* of those with profiler lines */

    const struct report *old; /* of --diff, or NULL; its trees have the same nodes as those above */

    /* What it is about, and what it lacks: set by report_count(). */
    bool compares_logs;  /* with others: not with other ticks of the same */
    bool is_unrecorded;  /* games that no profiler has recorded, on one side at least */
    bool has_benchmarks; /* on a side */
    bool is_empty;       /* no profile: benchmarks, a watch or lines of the game */
    bool shows_watch;    /* what a watch says, see watched.h: not in a report of chosen ticks, of a
                            comparison, of repeated games or of chosen stacks */
    bool compares_watches; /* both sides of a comparison have a watch, and it is of all of them */
    bool is_watched;       /* either: there are watched ticks besides those that are recorded */
    bool repeats_watches;  /* logs of --repeated are watched games, on both sides all of them */
    bool has_all_calls;  /* of recordings as a whole, so that durations and arguments are theirs */
    bool has_no_times;   /* only calls are shown, since the game's clock was too coarse */
    bool lacks_events;   /* too many on a side: neither ticks nor findings are shown */
    bool wants_findings; /* it compares nothing, no option has filtered or folded its call stacks,
                            and enough events are there: findings are made only then */
    bool has_wrong_callers;   /* a hundredth of the time or more may be wrong because of errors that
                                 delins' profiler does not notice */
    bool is_of_two_profilers; /* one of two compared logs is of delins' profiler */

    /* Of the old report of a comparison alone. */
    bool scales_calls;  /* see row_sums.h */
    bool is_rest;       /* of the same logs: the ticks that --ticks-over does not choose */
    const char *scaled; /* describes how its values are scaled, as a phrase; NULL: not scaled */
    double pace;        /* see diff_add_pace() */
    struct diff_counts counts; /* of functions */
    const uint32_t
        *functions;     /* [profile's function_count]: which ones of the new profile they are */
    uint32_t gone_from; /* there, functions from this id on are of the old profile alone */

    const struct found
        *found; /* of a side of a comparison, see judged_findings.h; NULL: not known */

    /*
     * Of --repeated, or NULL: the values of each log, by nodes of `tree`, which has calling lines
     * and the means of the logs.
     */
    const struct repeated_values *repeated;

    const struct tick_choice *choice; /* of --ticks-over, or NULL */

    struct limit_result *limits; /* its own: [limit_count], of --fail-if */
    size_t limit_count;

    struct what_if_rows *what_if; /* its own: of --what-if, or NULL */

    /* The functions that the option chooses which asks for a kind of table. */
    struct chosen_functions {
        const struct pattern *pattern; /* NULL: it chooses none */
        uint8_t *is_chosen;            /* its own: [function_count] */
    } chosen[TABLE_COUNT];

    const struct source_files *sources; /* of --lua-root; no texts if no format uses them */

    struct report_options show;
    bool has_sources; /* for names: --lua-root was given */
    bool is_colored;
    bool has_no_options; /* sentences do not end with the option that shows more */
    bool marks_hints;    /* these options are marked, see wrap.h */
    size_t width;        /* columns of the terminal; 0 for no limit */
    size_t height;       /* lines of the terminal, if the rows shall fit it; 0 for no limit */
    bool adds_timeline;  /* formats that can add one do so */
    bool has_objects;    /* rows of csv are objects of JSON, and its ticks the slowest first */
};

/* The self time of all rows. */
static inline int64_t report_total_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

/* Counts ticks and long calls as they are now, and sets what the report is about; nothing of this
 * is asked where all formats show only sums of the whole. Calls of an old profile are not counted
 * once its tree has the functions of the new one. */
void report_count(struct report *report);
void report_release(struct report *report);

/*
 * The sums of functions, by their ids, on either side: made when they are asked for first after
 * report_count(), since many sentences need them, and many formats do not.
 */
const struct sum *report_function_sums(const struct report *report, bool is_old);

/* Whether an option asks for a kind of table. */
static inline bool report_asks(const struct report_options *show, enum report_table kind)
{
    return (show->tables >> kind & 1) != 0;
}

/* How much of recordings is missing. */
struct lacking {
    double fraction;  /* of the events, or of the records of delins' profiler, 0 to 1; 0 also if the
                     log  does not say how many there were */
    bool is_wrapped;  /* many lines are cut, and their ends are elsewhere */
    bool is_some;     /* so much that the report must begin with it */
    bool is_too_much; /* what is left says nothing about the game */
};
struct lacking lacking_events(const struct profile *profile);

/* The report as no terminal shows it: without its width and colours, and without options to add. */
struct report report_plain(const struct report *report);

/*
 * The real time of the report, and which part of it Lua took, in percent, at most 100, as it would
 * be without the recorder: its cost goes from both, but a game that the recorder has slowed down
 * would then have waited for its ticks. `is_old`: of the old side of a comparison. -1: it is not
 * known, since the report is not of all of one exact recording of the sim, or less than a second
 * was recorded.
 */
double report_real_time_ns(const struct report *report, bool is_old);
double report_real_time_percent(const struct report *report, bool is_old);

/* Whether --rows asks for everything. */
bool report_shows_all(const struct report *report);

/* The number of rows of a table that --rows asks for; SIZE_MAX: no limit. */
size_t report_row_limit(const struct report *report);

/*
 * The number of lines for the rows of a report: what --rows says, or what fits the terminal beside
 * `others` lines, at least ten; SIZE_MAX: no limit.
 */
size_t report_room(const struct report *report, size_t others);

/* The trees of the stacks that the options ask to list: with calling lines or without. */
const struct tree *report_listed(const struct report *report);
const struct tree *report_old_listed(const struct report *report);

/* Returns the ids of functions in the old profile, by those of the new one; TREE_NONE: it has no
 * such function. NULL if nothing is compared. The caller frees it. */
uint32_t *report_old_functions(const struct report *report);

/* How long the calls of a function took. NULL if it is not known, or the report is not of all calls
 * of recordings as a whole; NULL in a comparison. */
const struct call_histogram *report_durations(const struct report *report, uint32_t function);

/* The same of a side of a comparison, by the ids of its profile. */
const struct call_histogram *report_durations_of(const struct report *report, bool is_old,
                                                 uint32_t function);

/* What was counted of the arguments of a function. NULL as above, or if it was not chosen. */
const struct argument_counts *report_arguments(const struct report *report, uint32_t function);

/* What the options make of table.charging. */
const struct symbols *report_charging(const struct report *report);

/* Returns a table in the order that the options ask for; the caller releases it. Its rows have the
 * errors of total times only if these are wanted, see row_sums.h. */
struct row_sums report_rows(const struct report *report, enum table_by by, bool wants_total_errors);

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

/*
 * What a format of reports is: its names, the data that it uses, and the function
 * that writes it.
 */

/* The contents of a written report, and its differences from the measured data. */
struct report_result {
    uint64_t count; /* number of the things that `one` and `many` name: "stack", "stacks" */
    const char *one, *many;
    uint64_t left_out_count;  /* rows after the last one that was written: there was no room */
    int64_t clamped_ns;       /* sum of negative self times that were written as 0 */
    uint64_t truncated_count; /* calls that were too deep for a time line */
    bool has_timeline;        /* it shows one, whose times include the recording overhead */
    bool lacks_timeline;      /* it should show one, but that is too long */
};

/*
 * How large a file with a row for each stack may be, in proportion to the logs and the sources that
 * were read; no limit if all frames are listed.
 */
uint64_t report_bytes_max(const struct report *report);

/*
 * Whether another row may be written to such a file. `lists`: the number of lists of rows that are
 * still to be written, this one included; they share the room.
 */
bool report_has_room(const struct report *report, const struct output *out, unsigned lists);

/* The result of a format that shows all stacks. */
struct report_result report_stacks_result(const struct report *report);

/* The same, with the times that a viewer clamped. */
struct report_result report_viewer_result(const struct report *report,
                                          const struct viewer_tree *viewer);

/*
 * What a format uses of the options and of the data, and what it can show. An option that no chosen
 * format uses is an error, and so is one that asks for what a chosen format cannot show.
 */
enum report_use {
    USES_ROWS = 1 << 0,        /* report->show.by and sort */
    USES_UNIT = 1 << 1,        /* report->show.unit */
    USES_METRIC = 1 << 2,      /* report->show.metric */
    USES_ORIENTATION = 1 << 3, /* report->show.orientation */
    USES_CALL_SITES = 1 << 4,  /* report->show.call_sites; with USES_ROWS, only of stacks */
    USES_FILTERS = 1 << 5,     /* a tree that the selection has changed */
    USES_COSTS = 1 << 6,       /* times from which the cost of recording was subtracted */
    USES_SIZE = 1 << 7,        /* report->show.page_bytes_max */
    USES_COLUMNS = 1 << 8,     /* report->show.columns */
    USES_PROFILE = USES_FILTERS | USES_COSTS,

    USES_LINES = 1 << 9,        /* the calling lines of report->tree */
    USES_PATHS = 1 << 10,       /* report->paths */
    SHOWS_SUMS = 1 << 11,       /* of the whole: nothing of ticks and of single threads */
    USES_TIMELINE = 1 << 12,    /* profile->timeline, and nothing else */
    ADDS_TIMELINE = 1 << 13,    /* also shows it if there is a window and no filter */
    USES_CHANGES = 1 << 14,     /* profile->changes, if nothing is selected */
    SHOWS_COMPARISON = 1 << 15, /* report->old */
    SHOWS_REPEATED = 1 << 16,   /* report->repeated, or the mean */
    NEEDS_NO_PROFILE = 1 << 17, /* is useful with benchmarks or lines of the game alone */
    SHOWS_FINDINGS = 1 << 18,   /* the sentences of findings.h */
    SHOWS_WHAT_IF = 1 << 19,    /* report->what_if */
    USES_LIST = 1 << 20,        /* the functions of --list */
    USES_TREE = 1 << 21,        /* those of --tree, and report->show.is_inverted */
    USES_LENGTH = 1 << 22,      /* report->show.rows */
    USES_SOURCES = 1 << 23,     /* report->sources */
    USES_TEXTS = 1 << 24,       /* report->show.has_no_source */
    USES_TICKS = 1 << 25,       /* the times of ticks */
    SHOWS_WATCH = 1 << 26,      /* what a watch says, also of a log with nothing else */
    NEEDS_TICK = 1 << 27,       /* is about one tick */
    COMPARES_THREADS = 1 << 28  /* what threads of watched games took */
};

struct report_format {
    const char *name;        /* as in --format=name */
    const char *summary;     /* for --help: lower case, no full stop */
    unsigned uses;           /* or of enum report_use */
    const char *suffixes[3]; /* of file names, ended by NULL; the longest that fits decides */
    const char *prefix;      /* of file names, without their directory; NULL for none */
    bool is_binary;          /* not to be written to a terminal */
    bool is_old;             /* its name and suffixes are still taken, but in no list */
    unsigned tables;         /* that it can show, by bits of enum report_table: see tables.h */
    bool is_table;           /* it is one of them, and uses what that uses, too */

    /*
     * Writes the whole report. It need not check the results of writes: the caller,
     * which opened the output, checks it at the end. The output depends only on the
     * report: no dates, no host names, no hash order.
     */
    struct report_result (*write)(const struct report *report, struct output *out);
};
