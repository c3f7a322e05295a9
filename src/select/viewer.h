/*
 * viewer.h - a call tree as the viewers of flame graphs and profiles can take it.
 *
 * - No self time is below 0: one viewer drops such a stack silently, the next refuses
 *   the file. It becomes 0, the totals above are sums of what is left, and how much
 *   that was is counted. What counts is the path of functions: where nodes differ in
 *   calling lines alone, one may lend another, so that formats with and without lines
 *   tell the same times. Of A;B called from two lines, with -3 and 5 ns, 2 are left of
 *   the second; with -3 and 1 both are 0, and 2 ns were clamped.
 * - No call stack has more than a number of frames: the viewers recurse. What is deeper
 *   is added up in one frame "(truncated)" below the last that is allowed, with its
 *   calls.
 * - Siblings have an order that depends on their labels alone.
 *
 * Where the limits come from: speedscope opened stacks of 3,000 frames and never one of
 * 8,000; and it, like pprof, refuses a file with one negative value.
 */
#ifndef SUPPROF_VIEWER_H
#define SUPPROF_VIEWER_H

#include "names/labels.h"
#include "tree/tree.h"
#include "tree/tree_links.h"

#include <stdint.h>

enum { VIEWER_DEPTH_MAX = 2000 };

struct viewer {
    struct tree tree;         /* settled, with details if the one it was made from has them */
    struct tree_links links;  /* siblings in order of their labels */
    uint32_t truncated;       /* function id of "(truncated)": one more than those with labels */
    int64_t clamped_ns;       /* all that was below 0, as a positive number */
    uint64_t truncated_count; /* nodes that were deeper than allowed */
};

/*
 * Makes it from a settled tree. `function_count` is how many functions have labels;
 * stacks have at most `depth_max` frames and the "(truncated)" below those.
 */
void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max);
void viewer_release(struct viewer *viewer);

/* The label of a function of viewer->tree. */
struct span viewer_label(const struct viewer *viewer, const struct labels *labels,
                         uint32_t function);

#endif
