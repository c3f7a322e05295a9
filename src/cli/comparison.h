/*
 * comparison.h - the old subject of --diff made one with the new.
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
 * Gives both the same functions and nodes, and the old times the scale of --normalize.
 * The comparison must not be moved afterwards. Fails where the logs have not got what that
 * needs.
 */
bool comparison_make(struct comparison *comparison, struct subject *subject,
                     struct subject *old_subject, const struct options *options, struct error *err);

#endif
