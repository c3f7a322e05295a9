/*
 * options.h - the values of all options, and the logs of the command line.
 */
#pragma once

#include "base/mem.h"
#include "names/paths.h"
#include "profile/profile.h"
#include "report/tables/tables.h"
#include "select/filter.h"
#include "select/limit.h"

enum { OPTION_ROWS_MAX = 64 };

/* How the old values of a comparison are scaled. */
enum normalize {
    NORMALIZE_NOTHING,
    NORMALIZE_CALLS,
    NORMALIZE_TICKS,
    NORMALIZE_UNITS,
    NORMALIZE_TOTALS
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* Names in the order given. All zero is an empty list. */
struct name_list {
    const char **all; /* [count]; the names are not owned */
    size_t count, capacity;
};

void name_list_add(struct name_list *list, const char *name);

/* How often standard input is in a list. */
size_t name_list_standard_count(const struct name_list *list);

/* How logs are read: the same for both sides of a comparison. */
struct reading {
    uint32_t run;                    /* 0 for all */
    struct rebuild_settings rebuild; /* without a choice of ticks */
    bool chooses_ticks;              /* --ticks-over: ticks above one limit, up to another */
    int64_t ticks_over_ns, ticks_up_to_ns;
    struct name_list lua_roots;
    enum path_style path_style;
    bool is_strict;
    bool takes_any_log;          /* what is asked for can be said of a game that was not recorded */
    bool takes_watch;            /* and of one of which only a watch is in the log */
    const char *option_of_calls; /* that a watch, which has none, cannot answer; NULL for none */
    bool can_be_stopped;         /* the result is still true if Ctrl-C ends the reading */

    bool follows; /* --follow */
};

struct options {
    struct name_list logs;     /* at least one after a successful parse; "-" is standard input */
    struct name_list old_logs; /* of --diff and --diff-rest */
    const char *repeated_log;  /* the first that was given twice, of logs that are added up; NULL */
    struct name_list hide_files;
    struct arena names;             /* names that are not part of argv */
    char *const *words;             /* of the command line, ended by NULL; not owned */
    bool is_given[OPTION_ROWS_MAX]; /* there, by the index of the row */
    struct name_list defaults;      /* "FILE:LINE: --unit=ms" */
    struct name_list default_files; /* the files that they are of */
    const char *untrusted; /* a .supprof that was ignored because of its owner; NULL for none */
    struct option_output {
        const char *path; /* "-" is standard output */
        const struct report_format *format;
        struct shown_tables shows;
    } * outputs; /* [output_count], at least one after a successful parse */
    size_t output_count, output_capacity;
    bool has_later_outputs; /* others are written from a second reading */

    struct reading reading;
    struct selection selection;
    struct report_options show;
    struct pattern *patterns[TABLE_COUNT]; /* of the options that ask for tables, or NULL */
    struct limit *limits;                  /* [limit_count], of --fail-if */
    size_t limit_count, limit_capacity;
    struct what_if *what_ifs; /* [what_if_count], of --what-if */
    size_t what_if_count, what_if_capacity;
    bool changes_totals; /* one of them changes total times */
    enum normalize normalize;
    bool is_repeated;   /* all logs are of the same game */
    bool compares_rest; /* with the other ticks */

    const struct report_format *format; /* of --format, or NULL */
    bool has_top, has_tick_limit;
    bool ignores_defaults;
    bool opens, is_quiet, shows_codes, wants_help, wants_short_help, wants_version, speaks_mcp;
    bool marks_hints;  /* for an assistant, see wrap.h */
    bool took_example; /* no log was named, and --open found only the example */
    enum when color, progress;
};

/* Adds a log, or all files that match if it has wildcards; if none does, it is a name that cannot
 * be opened. */
void options_add_logs(struct options *options, struct name_list *list, const char *name);

/* Adds an output, with its format or NULL, which shows some of these tables: see tables_shown().
 * The path is not copied. */
void options_add_output(struct options *options, const char *path,
                        const struct report_format *format, unsigned wanted_tables);

/*
 * Sets the text to a folder that a variable of the environment names, and the rest of a path.
 * Returns false, with an empty text, if there is no such variable.
 */
bool options_set_path(struct text *path, const char *variable, const char *rest);

void options_release(struct options *options);

/* Whether to do something; `otherwise` decides for auto. */
bool options_wants(enum when when, bool otherwise);

/* Whether an output gets colours: with auto, only standard output does, on a terminal. */
bool options_wants_color(const struct options *options, bool is_standard_output);

/* The first output that has, or lacks, something of enum report_use; or NULL. */
const struct option_output *options_output_with(const struct options *options, unsigned uses);
const struct option_output *options_output_without(const struct options *options, unsigned uses);

/* The first output that shows this kind of table; or NULL. */
const struct option_output *options_output_of(const struct options *options,
                                              enum report_table kind);

/* Whether formats that can add a time line shall do so: with a window, and without a filter. */
bool options_add_timeline(const struct options *options);
