/*
 * costs_of_run.h - what recording a call costs in a run: as calibrated, but at most what calls of
 * the game took.
 *
 * The calibration makes its calls once in a tick, after much other code, and the processor has to
 * fetch everything anew. In a hot loop of the game the recorder costs less: with the calibrated
 * cost, `type` and `next` in such a loop took no time at all. But a function that calls nothing
 * cannot take less time than the cost in it. So the cheapest of those that are called often limit
 * the cost of their kind.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/run.h"

/* All ticks count, also those that are left out, so that each part of a run has the same costs. */
struct call_costs costs_of_run(const struct run *run);
