#include "rebuild/rebuild.h"

#include "base/mem.h"
#include "base/number.h"
#include "read/grammar.h"
#include "rebuild/overhead.h"
#include "rebuild/recorded.h"
#include "rebuild/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND_TICKS = 10 };

enum window_state { BEFORE_WINDOW, IN_WINDOW, BEHIND_WINDOW };

/* A run and where it is in the window. */
struct windowed_run {
    struct run *run; /* NULL before its first event and after its end */
    struct rebuilt_run result;
    struct ticks ticks;
    int64_t tick; /* -1 before the first tick mark */
    enum window_state window;
    bool was_inside;  /* some of it was in the window */
    struct tree tree; /* what was counted in the window, when that has ended before the run */
};

struct rebuild {
    struct rebuild_settings settings;
    struct windowed_run *runs; /* [run_count] by number of the run */
    size_t run_count, run_capacity;
    uint32_t current;
    double time_ns; /* of all windows that have ended */
    struct tree tree;
    struct tick_list ticks;
    struct timeline timeline;
};

struct rebuild *rebuild_new(const struct rebuild_settings *settings)
{
    struct rebuild *rebuild = mem_zeroed(1, sizeof *rebuild);
    rebuild->settings = *settings;
    tree_init(&rebuild->tree);
    tree_keep_details(&rebuild->tree);
    rebuild->tree.folds_recursion = settings->folds_recursion;
    return rebuild;
}

static void free_run(struct windowed_run *windowed)
{
    ticks_release(&windowed->ticks);
    tree_release(&windowed->tree);
    if (windowed->run != NULL)
        run_release(windowed->run);
    free(windowed->run);
    windowed->run = NULL;
}

void rebuild_free(struct rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    for (size_t i = 0; i < rebuild->run_count; i++)
        free_run(&rebuild->runs[i]);
    free(rebuild->runs);
    tree_release(&rebuild->tree);
    tick_list_release(&rebuild->ticks);
    timeline_release(&rebuild->timeline);
    free(rebuild);
}

static struct windowed_run *find_run(struct rebuild *rebuild, uint32_t number)
{
    size_t before = rebuild->run_count;
    rebuild->runs =
        mem_grow(rebuild->runs, &rebuild->run_capacity, (size_t)number + 1, sizeof *rebuild->runs);
    if (number >= before)
        rebuild->run_count = (size_t)number + 1;
    for (size_t i = before; i < rebuild->run_count; i++)
        rebuild->runs[i] = (struct windowed_run){.tick = -1};
    struct windowed_run *windowed = &rebuild->runs[number];
    if (windowed->run == NULL && !windowed->result.is_there) {
        windowed->run = mem_zeroed(1, sizeof *windowed->run);
        run_init(windowed->run);
        windowed->run->nodes.folds_recursion = rebuild->settings.folds_recursion;
        windowed->result.is_there = true;
        windowed->was_inside =
            rebuild->settings.from.kind == WINDOW_OPEN && rebuild->settings.to.kind == WINDOW_OPEN;
        windowed->window = windowed->was_inside ? IN_WINDOW : BEFORE_WINDOW;
        if (windowed->was_inside && rebuild->settings.has_timeline)
            run_begin_log(windowed->run, 0);
    }
    return windowed;
}

static struct call_costs choose_costs(const struct rebuild_settings *settings,
                                      const struct run *run)
{
    if (settings->keeps_costs || settings->costs.is_known)
        return settings->costs;
    return calibration_estimate(&run->calibration, run->begin.unit_ns, run->begin.turn_ns);
}

static bool is_watching(const struct windowed_run *windowed)
{
    return windowed->window == IN_WINDOW;
}

/* Ends the tick that is on. */
static void end_tick(struct rebuild *rebuild, struct windowed_run *windowed)
{
    if (windowed->tick >= 0 && is_watching(windowed))
        ticks_add(&windowed->ticks, &windowed->run->nodes, windowed->tick,
                  rebuild->settings.kept_ticks);
    nodes_begin_tick(&windowed->run->nodes);
}

/*
 * Takes times for nothing that no game can have measured: sums of them could overflow.
 * Only a damaged log has them.
 */
static void limit_times(struct rebuild *rebuild, struct run *run)
{
    double time_ns = 0;
    for (uint32_t node = NODES_FIRST; node < run->nodes.count; node++)
        time_ns += (double)run->nodes.at[node].self * run->begin.unit_ns;
    if (rebuild->time_ns + time_ns > (double)NUMBER_TIME_MAX_NS)
        run->begin.unit_ns = 0;
    else
        rebuild->time_ns += time_ns;
}

static void add_timeline(struct rebuild *rebuild, struct windowed_run *windowed)
{
    struct run *run = windowed->run;
    const struct rebuilt_run *result = &windowed->result;
    uint8_t *threads = mem_zeroed(run->thread_count, sizeof *threads);
    for (size_t i = 0; i < run->thread_count; i++)
        threads[i] = run->threads[i].is_coroutine ? NODE_COROUTINE : NODE_MAIN;
    struct timeline_source source = {
        .run = (uint32_t)(windowed - rebuild->runs),
        .log = &run->log,
        .nodes = &run->nodes,
        .threads = threads,
        .thread_count = run->thread_count,
        .unit_ns = run->begin.unit_ns,
        .kept_threads = rebuild->settings.threads,
        .tick_count = result->has_ticks ? result->last_tick - result->first_tick + 1 : 0,
    };
    timeline_add(&rebuild->timeline, &source);
    timeline_log_release(&run->log);
    free(threads);
}

/* What was counted is all that there will be of the run. */
static void end_window(struct rebuild *rebuild, struct windowed_run *windowed)
{
    run_end_window(windowed->run);
    limit_times(rebuild, windowed->run);
    if (rebuild->settings.has_timeline)
        add_timeline(rebuild, windowed);
    recorded_tree(&windowed->tree, &windowed->run->nodes, windowed->run->begin.unit_ns,
                  rebuild->settings.threads);
    windowed->window = BEHIND_WINDOW;
}

static void end_run(struct rebuild *rebuild, uint32_t number)
{
    struct windowed_run *windowed = &rebuild->runs[number];
    struct run *run = windowed->run;
    struct rebuilt_run *result = &windowed->result;
    if (run == NULL)
        return;
    run_end(run);
    end_tick(rebuild, windowed);
    if (is_watching(windowed))
        end_window(rebuild, windowed);
    result->is_outside = !windowed->was_inside;
    result->costs = choose_costs(&rebuild->settings, run);
    result->contradictions = run->contradictions;
    if (windowed->window == BEHIND_WINDOW) {
        struct overhead_sums sums;
        uint8_t *kinds = recorded_kinds(&run->nodes);
        overhead_remove(&windowed->tree, kinds, &result->costs, &sums);
        free(kinds);
        result->measured_ns = sums.measured_ns;
        result->removed_ns = sums.removed_ns;
        result->clamped_ns = sums.clamped_ns;
        ticks_finish(&windowed->ticks, &rebuild->ticks, number, run->begin.unit_ns, &result->costs);
        tree_add_tree(&rebuild->tree, &windowed->tree);
    }
    free_run(windowed);
}

void rebuild_finish(struct rebuild *rebuild)
{
    for (uint32_t i = 0; i < rebuild->run_count; i++)
        end_run(rebuild, i);
    timeline_finish(&rebuild->timeline);
}

/* Ticks and seconds need not both begin at 0. */
static double zero_seconds(const struct run *run)
{
    if (run->begin.tick < 0 || run->begin.time_seconds < 0)
        return 0;
    return run->begin.time_seconds - (double)run->begin.tick / SECOND_TICKS;
}

/* Whether a tick is at or behind a border. */
static bool is_behind(const struct run *run, struct window_border border, int64_t tick)
{
    if (border.kind == WINDOW_TICK)
        return (double)tick >= border.value;
    double seconds = zero_seconds(run) + (double)tick / SECOND_TICKS;
    /* Game time is a float: at 10 hours it is right to 4 ms, and a tick has 100. */
    return seconds + 0.01 >= border.value;
}

static void begin_tick(struct rebuild *rebuild, struct windowed_run *windowed, int64_t tick)
{
    const struct rebuild_settings *settings = &rebuild->settings;
    struct run *run = windowed->run;
    struct rebuilt_run *result = &windowed->result;
    end_tick(rebuild, windowed);
    if (windowed->window == BEFORE_WINDOW || !result->has_ticks)
        result->first_tick = tick;
    if (windowed->window == BEFORE_WINDOW &&
        (settings->from.kind == WINDOW_OPEN || is_behind(run, settings->from, tick))) {
        int64_t now = run_counted_units(run);
        windowed->window = IN_WINDOW;
        run_begin_window(run);
        if (settings->has_timeline)
            run_begin_log(run, now);
    }
    if (windowed->window == IN_WINDOW && settings->to.kind != WINDOW_OPEN &&
        is_behind(run, settings->to, tick))
        end_window(rebuild, windowed);
    windowed->was_inside |= windowed->window == IN_WINDOW;
    windowed->tick = tick;
    timeline_log_put(&run->log, STEP_TICK, (uint32_t)tick);
    if (windowed->window != BEHIND_WINDOW)
        result->last_tick = tick;
    if (!result->has_ticks)
        result->all_first_tick = tick;
    result->all_last_tick = tick;
    result->has_ticks = true;
    result->zero_seconds = zero_seconds(run);
    if (run->cursor.top != NODES_NOBODY)
        nodes_touch(&run->nodes, run->cursor.top);
}

static const struct event *read_payload(const struct event *event, void *payload, size_t size)
{
    memcpy(payload, event + 1, size);
    return event + event_slots(size);
}

/* The number of struct event behind an event that are its payload. */
static size_t payload_slots(enum event_kind kind)
{
    return kind == EVENT_BEGIN      ? event_slots(sizeof(struct event_begin))
           : kind == EVENT_SITE     ? event_slots(sizeof(struct event_site))
           : kind == EVENT_FUNCTION ? event_slots(sizeof(struct event_function))
                                    : 0;
}

/* Everything but calls, returns and switches of run. Returns the last event that it took. */
static const struct event *do_rare(struct rebuild *rebuild, struct windowed_run *windowed,
                                   const struct event *event)
{
    struct run *run = windowed->run;
    struct event_site site;
    struct event_function function;
    uint32_t operand = event_operand(*event);
    switch (event_kind(*event)) {
    case EVENT_MEMORY:
        run->nodes.origins[run->cursor.top].memory_kb += event->units;
        break;
    case EVENT_THREAD:
        run_switch_thread(run, operand);
        break;
    case EVENT_TICK:
        begin_tick(rebuild, windowed, event->units);
        break;
    case EVENT_LOST:
        run_lose_stacks(run);
        break;
    case EVENT_BEGIN:
        event = read_payload(event, &run->begin, sizeof run->begin);
        break;
    case EVENT_SITE:
        event = read_payload(event, &site, sizeof site);
        nodes_define_site(&run->nodes, operand, site);
        break;
    case EVENT_FUNCTION:
        event = read_payload(event, &function, sizeof function);
        nodes_define_function(&run->nodes, operand, function);
        break;
    case EVENT_COROUTINE:
        run_mark_coroutine(run, operand);
        break;
    default:
        break;
    }
    return event;
}

/* The next event, after what belongs to it or is none, or EVENT_NONE. */
static enum event_kind next_kind(const struct event *event, const struct event *end)
{
    event++;
    while (event < end && event_kind(*event) == EVENT_MEMORY)
        event++;
    return event < end ? event_kind(*event) : EVENT_NONE;
}

/* Whether a whole stack is next, in the same line or the next one. */
static bool is_before_stack(const struct event *event, const struct event *end)
{
    event++;
    while (event < end && event_kind(*event) == EVENT_NONE)
        event++;
    return event < end && event_kind(*event) == EVENT_STACK;
}

/* Whether the line of events ends behind an event, so that a mark would be in the next. */
static bool is_hidden(enum event_kind next)
{
    return next == EVENT_NONE || next >= EVENT_LOST;
}

static inline void count_units(struct run *run, struct cursor *cursor, uint32_t units)
{
    run->nodes.at[cursor->top].self += units;
    cursor->clock += units;
}

/* Pushes the frame of a node that was called; there is room for it. */
static inline void push(struct run *run, struct cursor *cursor, uint32_t node)
{
    nodes_touch(&run->nodes, node);
    run->nodes.at[node].calls++;
    cursor->calls++;
    cursor->frames[cursor->depth++] = (struct frame){cursor->clock, node, cursor->calls};
    cursor->top = node;
}

/* Pops the last frame, above which another of the same segment is left. */
static inline void pop(struct run *run, struct cursor *cursor)
{
    struct nodes *nodes = &run->nodes;
    struct frame frame = cursor->frames[--cursor->depth];
    if (frame.start != START_UNKNOWN)
        node_add_duration(&nodes->at[frame.node], cursor->clock - frame.start,
                          cursor->calls - frame.calls_start);
    cursor->top = cursor->frames[cursor->depth - 1].node;
    /* It nearly always is. */
    if (!nodes_is_touched(nodes, cursor->top))
        nodes_touch(nodes, cursor->top);
}

static inline void count_leaf(struct run *run, struct cursor *cursor, uint32_t node, uint32_t units)
{
    nodes_touch(&run->nodes, node);
    struct node *leaf = &run->nodes.at[node];
    leaf->calls++;
    leaf->self += units;
    node_add_duration(leaf, units, 0);
    cursor->calls++;
    cursor->clock += units;
}

/*
 * Does the commonest events, as long as nothing else has to be looked at. Nothing
 * here takes the cursor's address, so that it stays in registers. Returns the first
 * event that it has not done.
 */
static const struct event *do_common(struct run *run, const struct event *event,
                                     const struct event *end)
{
    struct nodes *nodes = &run->nodes;
    struct cursor cursor = run->cursor;
    for (; event < end; event++) {
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_CALL) {
            if (cursor.top == NODES_NOBODY || cursor.depth == cursor.capacity || cursor.lists)
                break;
            uint32_t node = nodes_child(nodes, cursor.top, event_operand(*event));
            if (nodes_is_watched(nodes, node))
                break;
            count_units(run, &cursor, event->units);
            push(run, &cursor, node);
        } else if (kind == EVENT_LEAF) {
            if (cursor.top == NODES_NOBODY || cursor.lists)
                break;
            uint32_t node = nodes_child(nodes, cursor.top, event_operand(*event));
            if (nodes_is_watched(nodes, node))
                break;
            count_units(run, &cursor, event_call_units(*event));
            count_leaf(run, &cursor, node, event_return_units(*event));
        } else if (kind == EVENT_RETURN) {
            if (cursor.depth <= cursor.base + 1 ||
                nodes_is_watched(nodes, cursor.frames[cursor.depth - 2].node))
                break;
            count_units(run, &cursor, event->units);
            pop(run, &cursor);
        } else {
            break;
        }
    }
    run->cursor = cursor;
    return event;
}

static void pass(struct run *run, uint32_t units)
{
    count_units(run, &run->cursor, units);
    timeline_log_pass(&run->log, units);
}

/* Does a call of a node by the frame that runs. Says whether it suspends the thread. */
static bool do_call(struct run *run, uint32_t node, uint32_t units)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    if (cursor->lists && !nodes->origins[node].is_listed) {
        nodes->origins[node].is_listed = true;
        thread_list_node(&run->threads[run->current], node);
    }
    cursor->frames =
        mem_grow(cursor->frames, &cursor->capacity, cursor->depth + 1, sizeof *cursor->frames);
    push(run, cursor, node);
    timeline_log_put(&run->log, STEP_CALL, nodes->at[node].site & ~SITE_IS_OPEN);
    if (!nodes_is_watched(nodes, node))
        return false;
    run_sample_call(run, node, units);
    return nodes_function(nodes, node)->suspends;
}

/* Does a return; `next` is the event behind it. */
static void do_return(struct run *run, uint32_t units, enum event_kind next)
{
    struct cursor *cursor = &run->cursor;
    if (cursor->depth <= cursor->base + 1) {
        run_return(run, next == EVENT_MARK, is_hidden(next));
        return;
    }
    uint32_t node = cursor->top;
    pop(run, cursor);
    timeline_log_put(&run->log, STEP_RETURN, 0);
    if (nodes_is_watched(&run->nodes, cursor->top))
        run_sample_return(run, node, units);
}

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count)
{
    if (count == 0)
        return;
    /* Events say whose they are before anything else, and no run begins without. */
    struct windowed_run *windowed =
        event_kind(*events) == EVENT_RUN ? NULL : find_run(rebuild, rebuild->current);
    const struct event *end = events + count;
    for (const struct event *event = events; event < end; event++) {
        struct run *run = windowed != NULL ? windowed->run : NULL;
        /* A time line wants to know of each event. */
        if (run != NULL && !run->log.is_on)
            event = do_common(run, event, end);
        if (event == end)
            break;
        enum event_kind kind = event_kind(*event);
        uint32_t operand = event_operand(*event);
        uint32_t units = kind == EVENT_LEAF ? event_call_units(*event) : event->units;
        if (kind == EVENT_RUN) {
            rebuild->current = operand;
            windowed = find_run(rebuild, operand);
            continue;
        }
        /* What comes behind the end of a run. */
        if (run == NULL) {
            event += payload_slots(kind);
            continue;
        }
        if (kind <= EVENT_MARK)
            pass(run, units);
        uint32_t memory_kb =
            event > events && event_kind(event[-1]) == EVENT_MEMORY ? event[-1].units : 0;
        switch (kind) {
        case EVENT_CALL:
        case EVENT_LEAF:
            if (run->cursor.top == NODES_NOBODY)
                run_wake_for_call(run);
            if (do_call(run, nodes_child(&run->nodes, run->cursor.top, operand), units))
                run_suspend(run);
            if (kind == EVENT_LEAF) {
                units = event_return_units(*event);
                pass(run, units);
                do_return(run, units, next_kind(event, end));
            }
            break;
        case EVENT_FORGET:
            run_forget(run, is_before_stack(event, end));
            break;
        case EVENT_ROOT_CALL: {
            uint32_t parent = run_begin_root(run, &operand, units, memory_kb);
            do_call(run, nodes_child(&run->nodes, parent, operand), units);
            break;
        }
        case EVENT_RETURN:
            do_return(run, units, next_kind(event, end));
            break;
        case EVENT_OTHER_RETURN: {
            enum event_kind next = next_kind(event, end);
            run_return_of(run, operand, next == EVENT_MARK, is_hidden(next));
            break;
        }
        case EVENT_TAIL_RETURN:
            run_tail_return(run, units, memory_kb);
            break;
        case EVENT_MARK:
            run_mark(run,
                     event > events && event_kind(event[-1]) == EVENT_RETURN ? event[-1].units : 0);
            break;
        case EVENT_STACK: {
            bool is_after_switch = event > events && event_kind(event[-1]) == EVENT_THREAD;
            run_begin_stack(run);
            for (uint32_t i = 0; i < operand; i++)
                run_put_frame(run, event_operand(*++event));
            run_end_stack(run, is_after_switch);
            break;
        }
        case EVENT_END:
            end_run(rebuild, rebuild->current);
            break;
        default:
            event = do_rare(rebuild, windowed, event);
            break;
        }
    }
}

struct tree *rebuild_tree(struct rebuild *rebuild)
{
    return &rebuild->tree;
}

struct tick_list *rebuild_ticks(struct rebuild *rebuild)
{
    return &rebuild->ticks;
}

struct timeline *rebuild_timeline(struct rebuild *rebuild)
{
    return &rebuild->timeline;
}

struct rebuilt_run rebuild_run(const struct rebuild *rebuild, uint32_t run)
{
    return run < rebuild->run_count ? rebuild->runs[run].result : (struct rebuilt_run){0};
}
