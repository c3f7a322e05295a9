/*
 * svg.h - a flame graph as SVG: the layout of its frames, and the colours of changes.
 */
#pragma once

#include "base/text.h"
#include "tree/tree.h"

/*
 * The positions of the frames of a flame graph.
 *
 * The width of a frame is its stack's value with all below it. A frame begins where its parent
 * begins or its last sibling ends. The part of a frame without children, at the right, is the
 * stack's own value. For A 1, A;B 2, A;C 3 (own values) that is:
 *
 *     value   0     1     2     3     4     5     6
 *     A       |-----------------------------------|      start 0, total 6
 *     B, C    |-----------|-----------------|            start 0, total 2; start 2, total 3
 *
 * Starts and totals are whole numbers in the value's unit, and positions are computed from them
 * by one rule that keeps their order. So at any scale, no frame is wider than its parent or
 * overlaps another one.
 */

/* Positions are in hundredths of a pixel. */
enum {
    SVG_PIXEL = 100,
    SVG_WIDTH = 1180 * SVG_PIXEL, /* of the root */
};

struct svg_layout {
    uint64_t *totals, *starts; /* [node_count] */
    uint32_t *depths;          /* [node_count], the root's is 0 */
    uint64_t least;            /* smallest total of a frame that is drawn */
    uint64_t least_listed;     /* smallest total of a frame that is listed, if not drawn */
    uint32_t depth_max;        /* of the frames that are drawn */
    uint32_t left_out_count;   /* frames that are not drawn */
    uint64_t left_out;         /* their value, each stack counted once */
    uint64_t unlisted;         /* the same for frames that are neither drawn nor listed */
};

/*
 * Lays out a tree whose nodes are in depth-first order. `own` is each stack's own value,
 * [node_count]. Only the widest frames are drawn, up to a maximum number; of equally
 * wide frames all are drawn or none, and a frame without a value never is. In the same way at most
 * `listed_max` of the other frames are listed, so that they can be searched. A sum that is too
 * large becomes the largest number.
 */
void svg_layout_init(struct svg_layout *layout, const struct tree *tree, const uint64_t *own,
                     uint32_t frames_max, uint32_t listed_max);

void svg_layout_release(struct svg_layout *layout);

/* Whether a frame is drawn. The root always is; a frame below one that is not drawn is not. */
static inline bool svg_layout_is_drawn(const struct svg_layout *layout, uint32_t node)
{
    return node == TREE_ROOT || layout->totals[node] >= layout->least;
}

/* Whether a frame is only listed. The parent of one is drawn or listed. */
static inline bool svg_layout_is_listed(const struct svg_layout *layout, uint32_t node)
{
    return !svg_layout_is_drawn(layout, node) && layout->totals[node] >= layout->least_listed;
}

/* The left edge and the width of a frame. */
uint32_t svg_layout_x(const struct svg_layout *layout, uint32_t node);
uint32_t svg_layout_width(const struct svg_layout *layout, uint32_t node);

/*
 * Appends the colour of a value that changed: red if it grew, blue if it shrank, and stronger for a
 * larger difference as a part of `all`. Grey if it did not change:
 *
 *     difference    0   0.1%   1%    10%   25% and more
 *     strength      0   6%     20%   63%   100%             2 * sqrt(difference / all)
 */
void svg_put_change_color(struct text *text, uint64_t now, uint64_t old, uint64_t all);
