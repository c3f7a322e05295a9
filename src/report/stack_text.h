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

#endif
