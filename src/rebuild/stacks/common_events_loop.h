/*
 * common_events_loop.h - the loop of common_events.h. It is compiled twice, by files that define
 * HAS_WORK: so the loop without work has nothing of it, which a variable would not reach.
 */
#pragma once

#include "rebuild/stacks/stacks.h"

/* What changes at each event, and its limits: copies of fields of the cursor and the nodes. */
struct position {
    struct frame *frame;          /* of the running function */
    struct touched_node *touched; /* the first free one in struct nodes */
    uint32_t top, calls;          /* as in struct cursor */
    uint32_t last;                /* as in struct nodes */
    int64_t clock;
    const struct frame *base; /* the first frame of the segment */
    const struct frame *last_frame;
    const struct touched_node *touched_end;
    struct work_frame *work; /* of the running function, if work is counted */
};

/* `cursor` must have a running frame. */
static inline struct position position_begin(const struct nodes *nodes, const struct cursor *cursor)
{
    return (struct position){
        .frame = cursor->frames + cursor->depth - 1,
        .touched = nodes->touched + nodes->touched_count,
        .top = cursor->top,
        .calls = cursor->calls,
        .last = nodes->last,
        .clock = cursor->clock,
        .base = cursor->frames + cursor->base,
        .last_frame = cursor->frames + cursor->capacity - 1,
        .touched_end = nodes->touched + nodes->touched_capacity,
        .work = cursor->works == NULL ? NULL : cursor->works + cursor->depth - 1,
    };
}

static inline void position_end(const struct position *position, struct nodes *nodes,
                                struct cursor *cursor)
{
    nodes->touched_count = (size_t)(position->touched - nodes->touched);
    nodes->last = position->last;
    nodes->counts.units += position->clock - cursor->clock;
    cursor->depth = (size_t)(position->frame - cursor->frames) + 1;
    cursor->top = position->top;
    cursor->calls = position->calls;
    cursor->clock = position->clock;
}

/*
 * Tells the calibration about a call of a watched node; does nothing for other nodes. Returns
 * false, and changes nothing, if the call needs more than to continue a group of the calibration.
 */
static inline bool calibrate_call(struct stacks *stacks, uint32_t caller, uint32_t node,
                                  struct event event)
{
    const struct nodes *nodes = &stacks->nodes;
    if (!nodes_is_watched(nodes, node))
        return true;
    if (caller < NODES_FIRST || !nodes_function(nodes, caller)->calibrates ||
        nodes_function(nodes, node)->suspends ||
        !calibration_continues(&stacks->calibration, nodes_calibrated(nodes, node)))
        return false;
    if (event_kind(event) == EVENT_LEAF) {
        calibration_continue(&stacks->calibration, event_call_units(event));
        calibration_return(&stacks->calibration, nodes_calibrated(nodes, node),
                           event_return_units(event));
    } else {
        calibration_continue(&stacks->calibration, event.units);
    }
    return true;
}

/* Counts a call of `node` from `site`. */
static inline void count_call(struct position *position, struct nodes *nodes, uint32_t node,
                              uint32_t site)
{
    struct node_bits *bits = &nodes->bits[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    struct node *at = &nodes->at[node];
    /* As nodes_touch() does; there is room. */
    *position->touched = (struct touched_node){node, {at->self, at->calls}};
    position->touched += !(bits->touched & bit);
    bits->touched |= bit;
    at->calls++;
    nodes->counts.calls[nodes->site_kinds[site]]++;
    position->calls++;
    position->last = node;
}

/*
 * A call, and its return if the event is a leaf. Returns false, and changes no counts, if it is not
 * common.
 */
static inline bool do_call(struct position *position, struct stacks *stacks, struct event event)
{
    struct nodes *nodes = &stacks->nodes;
    bool is_leaf = event_kind(event) == EVENT_LEAF;
    uint32_t site = event_operand(event);
    uint32_t node = nodes_guess_child(nodes, position->last, position->top, site);
    if (node == NODES_UNATTRIBUTED || position->touched == position->touched_end ||
        (HAS_WORK && is_leaf && work_is_long(&stacks->work, event_return_units(event))) ||
        (!is_leaf && position->frame == position->last_frame) ||
        !calibrate_call(stacks, position->top, node, event))
        return false;
    count_call(position, nodes, node, site);
    if (HAS_WORK)
        work_count_call(&stacks->work, position->work, site);
    if (is_leaf) {
        uint32_t units = event_return_units(event);
        nodes->at[position->top].self += event_call_units(event);
        nodes->at[node].self += units;
        position->clock += event_call_units(event) + units;
        if (!nodes->is_left_out)
            node_add_duration(&nodes->at[node], units, 0);
        if (HAS_WORK)
            work_count_return(position->work, site, WORK_HASH_EMPTY, units);
    } else {
        nodes->at[position->top].self += event.units;
        position->clock += event.units;
        int64_t start = nodes->is_left_out ? START_UNKNOWN : position->clock;
        *++position->frame = (struct frame){start, node, position->calls};
        if (HAS_WORK)
            *++position->work = (struct work_frame){.hash = WORK_HASH_EMPTY,
                                                    .stretch = ++stacks->work.stretches,
                                                    .function = nodes_function(nodes, node)->id};
        position->top = node;
    }
    return true;
}

/* Whether the running function returns after `units`, and has taken long. */
static inline bool is_long_call(const struct position *position, const struct stacks *stacks,
                                int64_t units)
{
    int64_t begin = position->frame->start + position->work->inner;
    return position->frame->start != START_UNKNOWN &&
           work_is_long(&stacks->work, position->clock + units - begin);
}

/* The running function, which has called `node`, is told of its return. */
static inline void end_work(struct position *position, struct stacks *stacks,
                            const struct node *node)
{
    const struct frame *frame = position->frame;
    const struct work_frame *work = position->work;
    if (frame->start != START_UNKNOWN) {
        int64_t units = position->clock - frame->start;
        work_end_call(&stacks->work, work, units, position->calls - frame->calls_start);
        work_count_return(position->work - 1, node->site, work->hash, units);
    }
    position->work--;
}

/* A return or tail return. Returns false, and changes nothing, if it is not common. */
static inline bool do_return(struct position *position, struct stacks *stacks, struct event event)
{
    struct nodes *nodes = &stacks->nodes;
    const struct frame *frame = position->frame;
    if (frame <= position->base)
        return false;
    uint32_t below = frame[-1].node;
    if (!nodes_is_touched(nodes, below) ||
        (HAS_WORK && is_long_call(position, stacks, event.units)))
        return false;
    if (nodes_is_watched(nodes, below) && event_kind(event) == EVENT_RETURN)
        calibration_return(&stacks->calibration, nodes_calibrated(nodes, position->top),
                           event.units);
    struct node *node = &nodes->at[position->top];
    node->self += event.units;
    position->clock += event.units;
    if (frame->start != START_UNKNOWN)
        node_add_duration(node, position->clock - frame->start,
                          position->calls - frame->calls_start);
    if (HAS_WORK)
        end_work(position, stacks, &nodes->at[nodes_call_of(nodes, position->top)]);
    position->frame--;
    position->top = below;
    return true;
}

static inline const struct event *do_events(struct stacks *stacks, const struct event *event,
                                            const struct event *end)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    if (cursor->top == NODES_UNATTRIBUTED || cursor->lists || cursor->depth == 0 ||
        nodes->touched_count == nodes->touched_capacity)
        return event;
    struct position position = position_begin(nodes, cursor);
    for (; event < end; event++) {
        enum event_kind kind = event_kind(*event);
        bool is_return = kind == EVENT_RETURN || kind == EVENT_TAIL_RETURN;
        if (kind == EVENT_CALL || kind == EVENT_LEAF) {
            if (!do_call(&position, stacks, *event))
                break;
        } else if (!is_return || !do_return(&position, stacks, *event)) {
            break;
        }
    }
    position_end(&position, nodes, cursor);
    return event;
}
