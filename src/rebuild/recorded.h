/*
 * recorded.h - the nodes of a recording become a call tree.
 */
#ifndef SUPPROF_RECORDED_H
#define SUPPROF_RECORDED_H

#include "rebuild/nodes.h"
#include "tree/tree.h"

#include <stdint.h>

/*
 * Makes a settled tree of what was counted, in nanoseconds, with details. `threads`
 * says of which threads: an or of NODE_MAIN and NODE_COROUTINE.
 */
void recorded_tree(struct tree *tree, const struct nodes *nodes, double unit_ns, uint8_t threads);

/* Returns the enum call_kind of each function, by id of symbols.h. The caller frees it. */
uint8_t *recorded_kinds(const struct nodes *nodes);

#endif
