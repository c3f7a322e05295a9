/*
 * comparison.h - joins the old subject of --diff with the new one.
 */
#ifndef SUPPROF_COMPARISON_H
#define SUPPROF_COMPARISON_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "report/report.h"

#include <stdbool.h>

struct comparison {
    struct report_old old; /* for the report; refers to the old subject and to `scaled` */
    char scaled[96];
};

/*
 * Gives both the same functions and nodes, and scales the old times as --normalize asks.
 * The comparison must not be moved afterwards. Fails if the logs lack the data for that.
 */
bool comparison_make(struct comparison *comparison, struct subject *subject,
                     struct subject *old_subject, const struct options *options, struct error *err);

#endif
