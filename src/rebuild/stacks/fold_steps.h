/*
 * fold_steps.h - finds the step from a caller to a callee on the path to a node, so that recursion
 * is folded while a recording is read: see tree/fold.h for the rule.
 *
 * Nodes with the same step are in a list. To find out whether one of them is on the path takes
 * about log2(depth) steps: a node points to its parent, and to a node farther up, so that the
 * skipped parts have lengths of powers of two (as in Myers, An Applicative Random-Access Stack,
 * 1983). If the list is longer than the path, the path is searched instead. The worst case is a
 * long path with many calls at its end, all from other lines: the time is then in proportion to the
 * product of both lengths.
 */
#pragma once

#include "base/intern.h"

/* All zero is without nodes. */
struct fold_steps {
    struct intern ids; /* of pairs of the ids of caller and callee */
    struct fold_step {
        uint32_t last, count; /* the list of nodes with this step */
    } * steps;                /* [ids.count] */
    struct fold_step_node {
        uint32_t parent, jump; /* jump: a node farther up, or the parent */
        uint32_t depth;        /* of roots 0 */
        uint32_t step;         /* INTERN_NONE for roots */
        uint32_t previous;     /* with the same step, or UINT32_MAX */
    } * nodes;                 /* [node_count], by node; those that were not added are not used */
    size_t step_capacity, node_capacity;
    struct intern folded;   /* calls that are recursions, as fold_steps_remember() was given them */
    uint32_t *folded_nodes; /* [folded.count] */
    size_t folded_capacity;
};

/* A call: the ids of two functions. */
struct fold_call {
    uint32_t caller, callee;
};

/* Adds a node without a caller. */
void fold_steps_add_root(struct fold_steps *fold, uint32_t node);

/* Adds a child of a node that was added before. */
void fold_steps_add(struct fold_steps *fold, uint32_t node, uint32_t parent, struct fold_call call);

/* Returns the node on the path to `node` that has made this call already, or `node`. */
uint32_t fold_steps_find(struct fold_steps *fold, uint32_t node, struct fold_call call);

/* Remembers which node a call from `parent` at a site has become part of. */
void fold_steps_remember(struct fold_steps *fold, uint32_t parent, uint32_t site, uint32_t node);

/* Returns the node that was remembered, or INTERN_NONE. */
uint32_t fold_steps_known(const struct fold_steps *fold, uint32_t parent, uint32_t site);

void fold_steps_release(struct fold_steps *fold);
