/*
 * call_picture.h - how long the calls of a function took, below its line in --peek.
 *
 *     one call: median 0.012 ms, shortest 0.001, longest 5.021
 *        0.001 -  0.002 ms     120  #
 *        0.002 -  0.004 ms   1,000  ########
 */
#pragma once

#include "report/figures/report.h"

/* Appends nothing if it is not known: see report_durations(). */
void call_picture_put(struct text *text, const struct report *report, uint32_t function);
