/*
 * nodes_to_tree.h - the nodes of a recording become a call tree, units nanoseconds.
 */
#ifndef SUPPROF_NODES_TO_TREE_H
#define SUPPROF_NODES_TO_TREE_H

#include "rebuild/nodes.h"
#include "tree/stacks.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Makes a settled tree of what was counted, in nanoseconds, with details. `threads`
 * says of which threads: an or of NODE_MAIN and NODE_COROUTINE.
 */
void nodes_to_tree(struct tree *tree, const struct nodes *nodes, double unit_ns, uint8_t threads);

/* Returns the enum call_kind of each function, by id of symbols.h. The caller frees it. */
uint8_t *nodes_call_kinds(const struct nodes *nodes);

/*
 * The line of a call from a site, as stacks.h has it; `is_from_lua` says what its caller is.
 * The call has a caller.
 */
static inline int32_t nodes_call_line(const struct nodes *nodes, uint32_t site, bool is_from_lua)
{
    int32_t line = nodes->sites[site].line;
    if (line >= 0)
        return line;
    return is_from_lua ? LINE_TAIL_CALL : LINE_UNKNOWN;
}

#endif
