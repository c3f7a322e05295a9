#include "rebuild/stacks/common_events.h"

/* So that there is one loop for each value of `logs`: for both there are too few registers. */
#define INLINED __attribute__((always_inline))

/* What changes at each event, and its limits: copies of fields of the cursor and the nodes. */
struct position {
    struct node *nodes;  /* all: none is made here */
    struct frame *frame; /* of the running function */
    struct node *top;    /* its node */
    uint32_t *touched;   /* the first free one in struct nodes */
    uint32_t calls;      /* as in struct cursor */
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
        .nodes = nodes->at,
        .frame = cursor->frames + cursor->depth - 1,
        .top = nodes->at + cursor->top,
        .touched = nodes->touched + nodes->touched_count,
        .calls = cursor->calls,
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
    nodes->units += position->clock - cursor->clock;
    cursor->depth = (size_t)(position->frame - cursor->frames) + 1;
    cursor->top = (uint32_t)(position->top - position->nodes);
    cursor->calls = position->calls;
    cursor->clock = position->clock;
}

/*
 * Tells the calibration about a call of a watched node. Returns false, and changes nothing, if the
 * call needs more than to continue a group of the calibration.
 */
static inline bool calibrate_call(struct stacks *stacks, uint32_t caller, uint32_t node,
                                  struct event event)
{
    const struct nodes *nodes = &stacks->nodes;
    bool is_leaf = event_kind(event) == EVENT_LEAF;
    if (caller < NODES_FIRST || !nodes_function(nodes, caller)->calibrates ||
        nodes_function(nodes, node)->suspends)
        return false;
    uint32_t callee = nodes_calibrated(nodes, node);
    if (!calibration_continue(
            &stacks->calibration, callee, is_leaf ? event_call_units(event) : event.units))
        return false;
    if (is_leaf)
        calibration_return(&stacks->calibration, callee, event_return_units(event));
    return true;
}

/* Finds the node of a call and counts it. Returns NULL, and counts nothing, if it is not common. */
static inline INLINED struct node *count_call(struct position *position, struct stacks *stacks,
                                              struct event event)
{
    struct nodes *nodes = &stacks->nodes;
    bool is_watched = false;
    uint32_t caller = position->frame->node;
    uint32_t found = nodes_guess_child(nodes, caller, event_operand(event), &is_watched);
    struct node *node = &position->nodes[found];
    if (found == NODES_UNATTRIBUTED)
        return NULL;
    /* A node with calls was touched. */
    if (node->calls == 0) {
        struct node_bits *bits = &nodes->bits[found / 64];
        if (position->touched == position->touched_end)
            return NULL;
        *position->touched = found;
        position->touched += !(bits->touched >> found % 64 & 1);
        bits->touched |= (uint64_t)1 << found % 64;
    }
    if (is_watched && !calibrate_call(stacks, caller, found, event))
        return NULL;
    node->calls++;
    position->calls++;
    return node;
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

/* Whether the return is counted: `inside` calls were made in the call. */
static inline INLINED bool count_return(const struct position *position, struct stacks *stacks,
                                        struct node *node, int64_t duration, uint32_t inside)
{
    node_add_duration(node, duration, inside);
    if (duration < DURATION_UNITS_MIN)
        return true;
    uint32_t number = (uint32_t)(node - position->nodes);
    return durations_count(
        &stacks->durations, nodes_function_number(&stacks->nodes, number), duration, inside);
}

/* `logs`: a time line is kept. */
static inline INLINED enum outcome do_leaf(struct position *position, struct stacks *stacks,
                                           struct event event, bool logs)
{
    struct node *node = count_call(position, stacks, event);
    if (node == NULL)
        return REFUSED;
    uint32_t call_units = event_call_units(event), units = event_return_units(event);
    position->top->self += call_units;
    node->self += units;
    position->clock += call_units;
    if (logs)
        log_step(position, STEP_CALL, node_site(node));
    position->clock += units;
    if (logs)
        log_step(position, STEP_RETURN, 0);
    return count_return(position, stacks, node, units, 0) ? DONE : UNCOUNTED;
}

static inline INLINED enum outcome do_call(struct position *position, struct stacks *stacks,
                                           struct event event, bool logs)
{
    struct node *node =
        position->frame != position->last_frame ? count_call(position, stacks, event) : NULL;
    if (node == NULL)
        return REFUSED;
    position->top->self += event.units;
    position->clock += event.units;
    if (logs)
        log_step(position, STEP_CALL, node_site(node));
    *++position->frame =
        (struct frame){position->clock, (uint32_t)(node - position->nodes), position->calls};
    position->top = node;
    return DONE;
}

/* A return or tail return. */
static inline INLINED enum outcome do_return(struct position *position, struct stacks *stacks,
                                             struct event event, bool logs)
{
    const struct nodes *nodes = &stacks->nodes;
    const struct frame *frame = position->frame;
    if (frame <= position->base || !nodes_is_touched(nodes, frame[-1].node))
        return REFUSED;
    struct node *node = position->top, *below = &position->nodes[frame[-1].node];
    if ((below->site & SITE_IS_WATCHED) != 0 && event_kind(event) == EVENT_RETURN)
        calibration_return(&stacks->calibration, nodes_calibrated(nodes, frame->node), event.units);
    node->self += event.units;
    position->clock += event.units;
    if (logs)
        log_step(position, STEP_RETURN, 0);
    position->frame--;
    position->top = below;
    return frame->start == START_UNKNOWN || count_return(position,
                                                         stacks,
                                                         node,
                                                         position->clock - frame->start,
                                                         position->calls - frame->calls_start)
               ? DONE
               : UNCOUNTED;
}

static inline INLINED const struct event *
do_events(struct stacks *stacks, const struct event *event, const struct event *end, bool logs)
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
        else if (kind == EVENT_LEAF)
            outcome = do_leaf(&position, stacks, *event, logs);
        else if (kind == EVENT_CALL)
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
    bool is_watched;
    if (event_kind(*event) == EVENT_LEAF)
        stacks_add_duration(
            stacks,
            nodes_guess_child(nodes, cursor->top, event_operand(*event), &is_watched),
            event_return_units(*event),
            0);
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
