/*
 * report_format.h - what a format of reports is: its names, the data that it uses, and the function
 * that writes it.
 */
#pragma once

#include "base/output.h"
#include "report/figures/report.h"

/* The contents of a written report, and its differences from the measured data. */
struct report_result {
    uint64_t count; /* number of the things that `one` and `many` name: "stack", "stacks" */
    const char *one, *many;
    const struct listed_stacks *listed; /* the stacks it lists, or NULL */
    uint64_t left_out_count;  /* rows after the last one that was written: there was no room */
    int64_t clamped_ns;       /* sum of negative self times that were written as 0 */
    uint64_t truncated_count; /* stacks or calls that were too deep: see viewer.h */
    bool has_timeline;        /* it shows one, whose times include the recording overhead */
    bool lacks_timeline;      /* it should show one, but that is too long */
};

/*
 * Whether another row may be written to a file with a row for each stack: the size of such a file
 * is limited in proportion to the logs. `lists`: the number of lists of rows that are still to be
 * written, this one included; they share the room.
 */
bool report_has_room(const struct report *report, const struct output *out, unsigned lists);

/* The result of a format that shows all stacks. */
struct report_result report_stacks_result(const struct report *report);

/* The same, with the amounts that a viewer clamped and truncated. */
struct report_result report_viewer_result(const struct report *report, const struct viewer *viewer);

/*
 * What a format uses of the options and of the data, and what it can show. An option that no chosen
 * format uses is an error, and so is one that asks for what a chosen format cannot show.
 */
enum report_use {
    USES_ROWS = 1,        /* report->show.by and sort */
    USES_UNIT = 2,        /* report->show.unit */
    USES_METRIC = 4,      /* report->show.metric */
    USES_ORIENTATION = 8, /* report->show.orientation */
    USES_CALL_SITES = 16, /* report->show.call_sites; with USES_ROWS, only of stacks */
    USES_FILTERS = 32,    /* a tree that the selection has changed */
    USES_COSTS = 64,      /* times from which the cost of recording was subtracted */
    USES_SIZE = 128,      /* report->show.max_bytes */
    USES_COLUMNS = 256,   /* report->show.columns */
    USES_PROFILE = USES_FILTERS | USES_COSTS,

    USES_LINES = 512,          /* the calling lines of report->tree */
    USES_PATHS = 1024,         /* report->paths or report->stacks */
    LISTS_LINES = 2048,        /* report->line_stacks */
    USES_TIMELINE = 4096,      /* profile->timeline, and nothing else */
    ADDS_TIMELINE = 8192,      /* also shows it if there is a window and no filter */
    USES_CHANGES = 16384,      /* profile->changes, if nothing is selected */
    USES_PEEK = 32768,         /* report->peek */
    SHOWS_COMPARISON = 65536,  /* report->old */
    SHOWS_REPEATED = 131072,   /* report->repeated, or the mean */
    SHOWS_BENCHMARKS = 262144, /* is useful even if a log has only benchmarks */
    SHOWS_FINDINGS = 524288,   /* the sentences of findings.h */
    USES_LIST = 1 << 20,       /* report->list */
    USES_TREE = 1 << 21,       /* report->tree_root and report->show.is_inverted */
    USES_LENGTH = 1 << 22,     /* report->show.rows */
    USES_SOURCES = 1 << 23,    /* report->sources */
    USES_TEXTS = 1 << 25,      /* report->show.has_no_source */
    SHOWS_WHAT_IF = 1 << 24    /* report->what_if */
};

struct report_format {
    const char *name;        /* as in --format=name */
    const char *summary;     /* for --help: lower case, no full stop */
    unsigned uses;           /* or of enum report_use */
    const char *suffixes[3]; /* of file names, ended by NULL; the longest that fits decides */
    const char *prefix;      /* of file names, without their directory; NULL for none */
    bool is_binary;          /* not to be written to a terminal */

    /*
     * Writes the whole report. It need not check the results of writes: the caller,
     * which opened the output, checks it at the end. The output depends only on the
     * report: no dates, no host names, no hash order.
     */
    struct report_result (*write)(const struct report *report, struct output *out);
};
