/*
 * stack_text.h - a call stack as one line of text.
 */
#ifndef SUPPROF_STACK_TEXT_H
#define SUPPROF_STACK_TEXT_H

#include "base/text.h"
#include "names/labels.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Appends the frames of a node's stack, root first, joined by ';'. With
 * `call_sites` there is a frame between a caller and its callee if the calling line
 * is known: the caller's label, "->" and the line, negative for a tail call.
 */
void stack_put(struct text *text, const struct tree *tree, const struct labels *labels,
               uint32_t node, bool call_sites);

/* Appends the call site frame for a call out of `function`; nothing when the line is unknown. */
void stack_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line);

/*
 * Reads the stacks ahead that are written next. Rows are in no order of the tree, so that each step
 * to a caller waits for memory; here the steps of several stacks wait together. All zero is ready.
 */
enum { STACKS_AHEAD = 8 };
struct stacks_ahead {
    uint32_t nodes[STACKS_AHEAD]; /* how far each was read */
    size_t next;
};

/* Call it before each stack is written, with the node of the one that is STACKS_AHEAD later. */
void stacks_ahead_step(struct stacks_ahead *ahead, const struct tree *tree, uint32_t node);

#endif
