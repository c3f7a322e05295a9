/*
 * outputs.h - decides the format of each output, after all options are known.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/* Gives each output its format, and adds standard output if an option needs it. */
bool outputs_choose_formats(struct options *options, struct error *err);
