#include "rebuild/stacks/common_events.h"

/* What changes at each event, and its limits: copies of fields of the cursor and the nodes. */
struct position {
    struct frame *frame; /* of the running function */
    uint32_t *touched;   /* the first free one in struct nodes */
    uint32_t top, calls; /* as in struct cursor */
    uint32_t last;       /* as in struct nodes */
    int64_t clock;
    const struct frame *base; /* the first frame of the segment */
    const struct frame *last_frame;
    const uint32_t *touched_end;
    /* Of the time line, if one is kept: */
    struct step *step, *step_end; /* the first free one; one after the last */
    int64_t log_ahead;            /* its time less the clock */
};

/* `cursor` must have a running frame. */
static inline struct position position_begin(const struct nodes *nodes, const struct cursor *cursor,
                                             const struct timeline_log *log, bool logs)
{
    size_t capacity = log->capacity < TIMELINE_STEPS_MAX ? log->capacity : TIMELINE_STEPS_MAX;
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
        .step = logs ? log->steps + log->count : NULL,
        .step_end = logs ? log->steps + capacity : NULL,
        .log_ahead = logs ? log->now - cursor->clock : 0,
    };
}

static inline void position_end(const struct position *position, struct nodes *nodes,
                                struct cursor *cursor, struct timeline_log *log, bool logs)
{
    if (logs) {
        log->count = (size_t)(position->step - log->steps);
        log->now = position->clock + position->log_ahead;
    }
    nodes->touched_count = (size_t)(position->touched - nodes->touched);
    nodes->last = position->last;
    nodes->units += position->clock - cursor->clock;
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

static inline void count_call(struct position *position, struct nodes *nodes, uint32_t node)
{
    struct node_bits *bits = &nodes->bits[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    /* As nodes_touch() does; there is room. */
    *position->touched = node;
    position->touched += !(bits->touched & bit);
    bits->touched |= bit;
    nodes->at[node].calls++;
    position->calls++;
    position->last = node;
}

/* There is room. */
static inline void log_step(struct position *position, enum step_kind kind, uint32_t operand)
{
    *position->step++ = (struct step){
        .time = position->clock + position->log_ahead, .operand = operand, .kind = kind};
}

/* What became of an event. */
enum outcome {
    REFUSED, /* it is not common: nothing has changed */
    DONE,
    UNCOUNTED, /* done, but its duration is to be added in another way */
};

/* A call, and its return if the event is a leaf. `logs`: a time line is kept. */
static inline enum outcome do_call(struct position *position, struct stacks *stacks,
                                   struct event event, bool logs)
{
    struct nodes *nodes = &stacks->nodes;
    bool is_leaf = event_kind(event) == EVENT_LEAF;
    uint32_t site = event_operand(event);
    uint32_t node = nodes_guess_child(nodes, position->last, position->top, site);
    if (node == NODES_UNATTRIBUTED || position->touched == position->touched_end ||
        (!is_leaf && position->frame == position->last_frame) ||
        !calibrate_call(stacks, position->top, node, event))
        return REFUSED;
    count_call(position, nodes, node);
    if (is_leaf) {
        uint32_t units = event_return_units(event);
        nodes->at[position->top].self += event_call_units(event);
        nodes->at[node].self += units;
        position->clock += event_call_units(event);
        if (logs)
            log_step(position, STEP_CALL, node_site(&nodes->at[node]));
        position->clock += units;
        if (logs)
            log_step(position, STEP_RETURN, 0);
        node_add_duration(&nodes->at[node], units, 0);
        if (units >= DURATION_UNITS_MIN &&
            !durations_count(&stacks->durations, nodes_function(nodes, node)->id, units, 0))
            return UNCOUNTED;
    } else {
        nodes->at[position->top].self += event.units;
        position->clock += event.units;
        if (logs)
            log_step(position, STEP_CALL, node_site(&nodes->at[node]));
        *++position->frame = (struct frame){position->clock, node, position->calls};
        position->top = node;
    }
    return DONE;
}

/* A return or tail return. */
static inline enum outcome do_return(struct position *position, struct stacks *stacks,
                                     struct event event, bool logs)
{
    struct nodes *nodes = &stacks->nodes;
    const struct frame *frame = position->frame;
    if (frame <= position->base)
        return REFUSED;
    uint32_t below = frame[-1].node;
    if (!nodes_is_touched(nodes, below))
        return REFUSED;
    if (nodes_is_watched(nodes, below) && event_kind(event) == EVENT_RETURN)
        calibration_return(&stacks->calibration, nodes_calibrated(nodes, position->top),
                           event.units);
    struct node *node = &nodes->at[position->top];
    enum outcome outcome = DONE;
    node->self += event.units;
    position->clock += event.units;
    if (logs)
        log_step(position, STEP_RETURN, 0);
    if (frame->start != START_UNKNOWN) {
        int64_t duration = position->clock - frame->start;
        uint32_t inside = position->calls - frame->calls_start;
        node_add_duration(node, duration, inside);
        if (duration >= DURATION_UNITS_MIN &&
            !durations_count(&stacks->durations, nodes_function(nodes, position->top)->id, duration,
                             inside))
            outcome = UNCOUNTED;
    }
    position->frame--;
    position->top = below;
    return outcome;
}

static inline const struct event *do_events(struct stacks *stacks, const struct event *event,
                                            const struct event *end, bool logs)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    enum outcome outcome = DONE;
    if (cursor->top == NODES_UNATTRIBUTED || cursor->lists || cursor->depth == 0 ||
        nodes->touched_count == nodes->touched_capacity)
        return event;
    struct position position = position_begin(nodes, cursor, &stacks->log, logs);
    for (; event < end; event++) {
        enum event_kind kind = event_kind(*event);
        if (logs && position.step_end - position.step < 2)
            outcome = REFUSED;
        else if (kind == EVENT_CALL || kind == EVENT_LEAF)
            outcome = do_call(&position, stacks, *event, logs);
        else if (kind == EVENT_RETURN || kind == EVENT_TAIL_RETURN)
            outcome = do_return(&position, stacks, *event, logs);
        else
            outcome = REFUSED;
        if (outcome != DONE)
            break;
    }
    position_end(&position, nodes, cursor, &stacks->log, logs);
    if (outcome != UNCOUNTED)
        return event;
    if (event_kind(*event) == EVENT_LEAF)
        stacks_add_duration(stacks, nodes->last, event_return_units(*event), 0);
    else
        stacks_add_return(stacks, &cursor->frames[cursor->depth]);
    return event + 1;
}

const struct event *stacks_do_common_events(struct stacks *stacks, const struct event *event,
                                            const struct event *end)
{
    return stacks->log.is_on ? do_events(stacks, event, end, true)
                             : do_events(stacks, event, end, false);
}
