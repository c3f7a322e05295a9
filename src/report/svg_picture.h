/*
 * svg_picture.h - what a flame graph shows: the values of one profile, or of two that are
 * compared, and where its frames lie.
 */
#ifndef SUPPROF_SVG_PICTURE_H
#define SUPPROF_SVG_PICTURE_H

#include "report/report.h"
#include "report/svg_layout.h"
#include "select/viewer.h"

#include <stdbool.h>
#include <stdint.h>

/* A profile; the arrays are [node_count] of the viewer's tree, in the metric's unit. */
struct svg_side {
    struct viewer viewer;
    uint64_t *own, *totals;
};

struct svg_picture {
    struct svg_side now, old; /* with the same nodes; `old` is all zero without a comparison */
    bool is_compared;

    /*
     * A stack is as wide as its own value, or as the larger of the two: so what is gone is
     * seen as well as what is new, and frames still lie within their parents.
     */
    struct svg_layout layout;
    struct report_result result; /* what was clamped and truncated */
};

void svg_picture_init(struct svg_picture *picture, const struct report *report);
void svg_picture_release(struct svg_picture *picture);

#endif
