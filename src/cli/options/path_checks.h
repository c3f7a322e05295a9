/*
 * path_checks.h - checks before anything is read that outputs do not replace inputs or each other,
 * and that terminals can show what is asked for.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

bool path_checks_pass(const struct options *options, struct error *err);
