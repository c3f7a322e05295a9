/*
 * combinations.h - which options and formats go together.
 */
#ifndef SUPPROF_COMBINATIONS_H
#define SUPPROF_COMBINATIONS_H

#include "base/error.h"
#include "cli/options.h"

#include <stdbool.h>

/*
 * Fails when options that are right by themselves make no sense together. `is_given`,
 * [option_row_count], says which there are; the outputs are settled.
 */
bool combinations_check(struct options *options, const bool *is_given, struct error *err);

#endif
