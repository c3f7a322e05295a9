/*
 * cheapest_calls.h - limits what recording a call is taken to cost by the cheapest calls of the
 * game.
 *
 * The calibration makes its calls once in a tick, after much other code, and the processor has to
 * fetch everything again. In a hot loop of the game the recorder costs less: with the calibrated
 * cost, `type` and `next` in such a loop took no time at all. But a function that calls nothing
 * cannot take less time than the cost in it. So the cheapest of those that are called often limit
 * the cost of their kind.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/run.h"

/*
 * Lowers calibrated costs to the callee where they are too large. All ticks count, also those that
 * are left out, so that each part of a run has the same costs.
 */
void cheapest_calls_limit(struct call_costs *costs, const struct run *run);
