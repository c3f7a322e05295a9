/*
 * recording_costs.h - what recording a call has cost in a recording: given by the settings, or
 * estimated by calibration and fitted to the cheapest calls.
 */
#pragma once

#include "rebuild/settings.h"
#include "rebuild/stacks/calibration.h"

struct stacks;

struct call_costs recording_costs(const struct stacks *stacks,
                                  const struct rebuild_settings *settings);
