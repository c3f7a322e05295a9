/*
 * combinations.h - which options and formats go together.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/*
 * Fails if options that are correct alone make no sense together. `is_given`,
 * [option_row_count], marks the given options; the outputs must have their formats.
 */
bool combinations_check(struct options *options, const bool *is_given, struct error *err);
