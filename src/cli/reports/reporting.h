/*
 * reporting.h - writes all reports that the options ask for.
 */
#pragma once

#include "cli/logs/comparison.h"
#include "cli/logs/subject.h"
#include "cli/options/options.h"

/*
 * Writes all reports, and says what was written. `comparison` is NULL if nothing is compared. Trees
 * lose their calling lines if no report uses them. The console has the exit status.
 */
void reporting_write(struct subject *subject, struct comparison *comparison,
                     const struct options *options);
