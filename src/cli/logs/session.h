/*
 * session.h - the profile that the program reports: logs that were read, named, and reduced
 * to the selection of the options. With --diff there are two.
 */
#pragma once

#include "base/error.h"
#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "names/hooks.h"
#include "names/labels.h"
#include "names/paths.h"
#include "names/source_files.h"
#include "profile/profile.h"
#include "report/figures/report.h"
#include "report/sentences/judged_findings.h"
#include "select/diff.h"
#include "select/repeated_values.h"
#include "select/wrong_callers.h"

/* --follow: reads a log while the game writes it, and shows the functions on the terminal. */

struct session;

/*
 * Shows the report of a log on the terminal, again and again, until a key or Ctrl-C ends it, the
 * recording has ended, or standard input has; then the log is to be read as usual. A file that
 * grows is looked at four times a second, and read from its start for each report. Of standard
 * input, all bytes are kept, to be read again. Does nothing with a file that cannot be a log. Fails
 * if the file is none at the end.
 */
bool follow_log(struct session *session, const char *path, struct error *err);

/*
 * Checks that a log has the data that the options need; if not, says why and what to
 * do.
 */

/* Whether it has what --ticks, --threads, --sort and the like ask for. */
bool check_details(const struct profile *profile, const struct options *options, struct error *err);

/* Whether it has a time line for a format that shows one, and it is short enough for viewers. */
bool check_timeline(const struct profile *profile, const struct report_format *format,
                    struct error *err);

struct session {
    /* To be set by the caller; the rest is 0 at first. */
    struct name_list logs;
    const struct options *options;
    struct selection *selection;
    struct console *console;
    struct passed_sources *passed_sources; /* gets those of --lua-root that links lead out of it */
    bool takes_rest;                       /* of ticks: those that --ticks-over does not choose */
    void (*show)(struct session *session); /* writes its outputs: what --follow shows */
    struct session *old;                   /* of --diff; NULL: nothing is compared */
    enum lua_state state;                  /* whose recordings are read */
    int64_t window_ns;                     /* see profile.h */
    size_t thread_max;                     /* see profile.h */
    bool is_old; /* its sources are in the last --lua-root that has them, not in the first */

    bool is_stopped;               /* Ctrl-C has ended the reading */
    size_t first_log, empty_count; /* the first with profiler lines; how many have none */
    struct text empty_names;       /* of those that have none */
    struct profile profile;
    struct hooked_functions hooked;
    struct source_files sources; /* of --lua-root */
    struct paths paths;
    struct labels labels;
    struct tree_builder nodes; /* has lent the tree, if those of other sessions were added to it */
    uint32_t *functions;       /* of an aligned one: their ids in the other session; NULL before */
    struct wrong_callers wrong_callers; /* of the whole log; only in logs of delins' profiler */
    struct repeated_values repeated;    /* of --repeated, see comparison.h */
    struct found found;                 /* of a comparison: its findings before it is joined */
    char title[256], scaled[96];
    struct report report; /* of all that; from session_start() on the session must not be moved */
};

/* Reads the logs, and applies the selection. If it fails, the console has said why. */
bool session_read(struct session *session);

/*
 * The two steps of it. The first one uses nothing that other sessions have, but for the console and
 * the list of passed sources; the second one counts what the filters of the selection match.
 */
bool session_begin(struct session *session);
bool session_select(struct session *session);

/* A log of several that was read before it is its turn, which needs nothing of the others. */
struct log_ahead {
    /* To be set by the caller. */
    struct profile profile;  /* as after profile_init() */
    struct console *console; /* has kept what is to be said of the log */

    bool is_read;
    struct error err;
};

/* Whether Ctrl-C may end the reading: if it is caught, reading all logs ends that. */
bool session_can_be_stopped(const struct session *session);

/* Whether logs of a session can be read ahead: none of its options is about all logs together. */
bool session_can_read_ahead(const struct session *session);

/* `session` has what the caller sets, and has not begun. */
void session_read_ahead(const struct session *session, const char *log, struct log_ahead *ahead);

/*
 * The first step, log by log, in the order of the logs: start, read each one (`ahead` is NULL for
 * one that was not read ahead), and end the logs, also after a failure; no other log may be read
 * then, since Ctrl-C ends the program again. No log follows one after which `is_stopped` is set.
 */
bool session_start(struct session *session);
bool session_read_log(struct session *session, size_t log, struct log_ahead *ahead);
bool session_end_logs(struct session *session, bool is_good);

/* Makes the report's title from the names of the logs. */
void session_set_title(struct session *session);

/*
 * Gives the trees of two sessions the same functions and nodes; the other's times and calls are
 * multiplied by the factors. Returns the new ids of its nodes, which the caller frees; see diff.h.
 */
uint32_t *session_align(struct session *session, struct session *other, double time_factor,
                        double call_factor);

/*
 * Adds the functions and nodes of another session, without its times and calls; the tree then has
 * no totals. Returns the ids of the other's nodes here, which the caller frees.
 */
uint32_t *session_add_nodes(struct session *session, struct session *other);

/* Also for a session that was never read. */
void session_release(struct session *session);
