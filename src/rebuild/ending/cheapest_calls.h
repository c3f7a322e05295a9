/*
 * cheapest_calls.h - fits what recording a call is taken to cost to the cheapest calls of the game.
 *
 * The calibration makes its calls once in a tick, and what a call costs there is not what it costs
 * in the code of the game.
 *
 * - A function that calls nothing, and is called often, cannot take less time than the cost in it:
 *   so the cheapest of those limit the cost of their kind. With the calibrated cost, `type` and
 *   `next` in a hot loop took no time at all.
 * - The calibrated costs of Lua functions are halves of a sum. The cheapest functions tell how to
 *   divide it.
 * - Where a single tick has millions of calls, the calibrations before and after it say little. If
 *   the cheapest functions take more than the cost, all costs are too small.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/run.h"

/*
 * Lowers or raises calibrated costs. All ticks count, also those that are left out, so that each
 * part of a run has the same costs.
 */
void cheapest_calls_fit(struct call_costs *costs, const struct run *run);
