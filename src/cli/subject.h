/*
 * subject.h - the profile that the program reports: logs that were read, named, and reduced
 * to the selection of the options. With --diff there are two.
 */
#ifndef SUPPROF_SUBJECT_H
#define SUPPROF_SUBJECT_H

#include "cli/console.h"
#include "cli/options.h"
#include "names/hooked_functions.h"
#include "names/labels.h"
#include "names/paths.h"
#include "profile/profile.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit status of the program. */
enum exit_status { DONE = 0, FAILED = 1, USAGE = 2, NOTHING_FOUND = 3, LIMIT_BROKEN = 4 };

struct subject {
    /* To be set by the caller; the rest is 0 at first. */
    const char *const *logs; /* [log_count], not owned */
    size_t log_count;

    struct profile profile;
    struct hooked_functions hooked;
    struct paths paths;
    struct labels labels;
    uint32_t folded;             /* function id, see selection.h */
    int64_t all_ns;              /* time of the selected thread, before any filter */
    struct report_totals totals; /* of the selection */
    uint8_t *is_peeked;          /* [function_count], of --peek, or NULL */
    char title[256];
    bool takes_rest; /* of ticks: those that --ticks-over does not choose */
    struct tick_choice choice;
    struct repeats *repeats; /* of --repeated, or NULL; not owned */
};

/*
 * Reads the logs, and applies the selection. Errors have been printed. `*can_report` is
 * false if there is nothing to report; DONE is then never returned.
 */
enum exit_status subject_read(struct subject *subject, struct options *options,
                              struct console *console, bool *can_report);

/* Returns its title, made from the names of its logs. */
void subject_set_title(struct subject *subject);

/* Makes paths and labels again, after functions were added. */
void subject_rename(struct subject *subject, const struct options *options);

/* Also for a subject that was never read. */
void subject_release(struct subject *subject);

#endif
