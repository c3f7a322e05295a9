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

/* The costs of a recording that has not ended. All zero is none yet. */
struct known_costs {
    struct call_costs costs;
    size_t group_count; /* groups of the calibration when they were estimated */
};

/*
 * The estimate sorts all groups, three to six a tick, and later groups change little: it is made
 * again only when there are an eighth more.
 */
void known_costs_update(struct known_costs *known, const struct stacks *stacks,
                        const struct rebuild_settings *settings);
