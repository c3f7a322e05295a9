/*
 * svg_layout.h - where the frames of a flame graph lie.
 *
 * A frame is as wide as its stack's value with all below it. It begins where its parent does
 * or where its last sibling ends, and what a stack has of its own is what its children leave
 * free, at the right. For A 1, A;B 2, A;C 3 (own values) that is:
 *
 *     value   0     1     2     3     4     5     6
 *     A       |-----------------------------------|      start 0, total 6
 *     B, C    |-----------|-----------------|            start 0, total 2; start 2, total 3
 *
 * Starts and totals are whole numbers in the value's unit, and positions are made of them by
 * one rule that keeps their order. So no frame is wider than its parent or overlaps another,
 * at any scale.
 */
#ifndef SUPPROF_SVG_LAYOUT_H
#define SUPPROF_SVG_LAYOUT_H

#include "tree/tree.h"
#include "tree/tree_links.h"

#include <stdbool.h>
#include <stdint.h>

/* Positions are in hundredths of a pixel. */
enum {
    SVG_PIXEL = 100,
    SVG_WIDTH = 1180 * SVG_PIXEL, /* of the root */
};

struct svg_layout {
    uint64_t *totals, *starts; /* [node_count] */
    uint32_t *depths;          /* [node_count], the root's is 0 */
    uint64_t least;            /* what a frame must have to be drawn */
    uint64_t least_listed;     /* what one that is not drawn must have to be listed */
    uint32_t depth_max;        /* of the frames that are drawn */
    uint32_t left_out_count;   /* frames that are not */
    uint64_t left_out;         /* their value, each stack counted once */
    uint64_t unlisted;         /* the same of frames that are neither drawn nor listed */
};

/*
 * Lays out a tree, with siblings in the order of the links. `own` is what each stack has of
 * its own, [node_count]. Drawn are the widest frames, at most so many, and of equal ones all
 * or none; but no frame without a value. Listed, so that they can be searched, are in the same
 * way at most `listed_max` of the others. A sum that no number can hold is the largest number.
 */
void svg_layout_init(struct svg_layout *layout, const struct tree *tree,
                     const struct tree_links *links, const uint64_t *own, uint32_t frames_max,
                     uint32_t listed_max);
void svg_layout_release(struct svg_layout *layout);

/* Adds up: returns what each stack has with all below it, [node_count]. The caller frees it. */
uint64_t *svg_totals(const struct tree *tree, const uint64_t *own);

/* Whether a frame is drawn. With one that is not, none below it is; the root always is. */
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

#endif
