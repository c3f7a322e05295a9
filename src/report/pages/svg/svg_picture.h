/*
 * svg_picture.h - the contents of a flame graph: the values of one profile, or of two that are
 * compared, and the positions of its frames.
 */
#pragma once

#include "report/figures/report.h"
#include "report/figures/report_format.h"
#include "report/pages/svg/svg_layout.h"
#include "report/sentences/amounts.h"
#include "select/viewer.h"

/* A profile; the arrays are [node_count] of the viewer's tree, in the metric's unit. */
struct svg_side {
    struct viewer viewer;
    uint64_t *own, *totals;
};

struct svg_picture {
    const struct report *report;
    struct svg_side now, old; /* with the same nodes; `old` is all zero without a comparison */
    bool is_compared;

    /*
     * The width of a stack is its value, or the larger one in a comparison: so functions that
     * are gone can be seen like new ones, and frames still lie within their parents.
     */
    struct svg_layout layout;
    struct report_result result; /* the clamped and truncated amounts */
};

void svg_picture_init(struct svg_picture *picture, const struct report *report);
void svg_picture_release(struct svg_picture *picture);

/* Numbers for sentences that text_printf() makes: see amounts.h. */

/* "12.345 ms", "1 call" or "1,234 KB". */
struct amount svg_value(const struct report *report, uint64_t value);

/* A change, with its sign: "+1 call". */
struct amount svg_change(const struct report *report, uint64_t now, uint64_t old);

double svg_percent(uint64_t value, uint64_t all);
