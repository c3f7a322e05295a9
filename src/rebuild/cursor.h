/*
 * cursor.h - the position in the stack of the running thread; how frames are pushed and popped.
 */
#ifndef SUPPROF_CURSOR_H
#define SUPPROF_CURSOR_H

#include "rebuild/nodes.h"
#include "rebuild/thread_stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
    struct frame *frames; /* [depth] of the thread; its own fields are not valid meanwhile */
    size_t depth, capacity;
    size_t base;    /* frames below the last segment; all when the last frame waits */
    uint32_t top;   /* node of the running frame, or NODES_UNATTRIBUTED */
    uint32_t calls; /* see struct waiting */
    int64_t clock;
    bool lists; /* the last segment is open: called nodes must be listed */
};

static inline void cursor_pass(struct cursor *cursor, struct nodes *nodes, uint32_t units)
{
    nodes->at[cursor->top].self += units;
    cursor->clock += units;
}

/* Pushes the frame of a called node. `frames` must have room for it. */
static inline void cursor_push(struct cursor *cursor, struct nodes *nodes, uint32_t node)
{
    nodes_touch(nodes, node);
    nodes_count_call(nodes, node);
    cursor->calls++;
    cursor->frames[cursor->depth++] = (struct frame){cursor->clock, node, cursor->calls};
    cursor->top = node;
}

/* Pops the last frame. The frame below it must be in the same segment. */
static inline void cursor_pop(struct cursor *cursor, struct nodes *nodes)
{
    struct frame frame = cursor->frames[--cursor->depth];
    if (frame.start != START_UNKNOWN)
        node_add_duration(&nodes->at[frame.node], cursor->clock - frame.start,
                          cursor->calls - frame.calls_start);
    cursor->top = cursor->frames[cursor->depth - 1].node;
    nodes_touch(nodes, cursor->top);
}

/* A call of a node, and its return after `units`. */
static inline void cursor_leaf(struct cursor *cursor, struct nodes *nodes, uint32_t node,
                               uint32_t units)
{
    nodes_touch(nodes, node);
    struct node *leaf = &nodes->at[node];
    nodes_count_call(nodes, node);
    leaf->self += units;
    node_add_duration(leaf, units, 0);
    cursor->calls++;
    cursor->clock += units;
}

#endif
