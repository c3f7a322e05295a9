/*
 * work.h - what single calls did, counted while a recording is rebuilt: from which line they called
 * what and how often, which calls did the same as others, and which took long.
 *
 * Calling lines. A line of a caller that calls a callee has a `struct call_line`. A call of the
 * caller is one invocation if that line calls at least once in it. Where a thread waits in the
 * middle of a call, or a tick begins, the rest of the call is another invocation: so the root of a
 * thread that loops for ever has one each time it wakes. In a recursion, the inner call is an
 * invocation, and what the outer call does after it is another. For two calls of F, which call G 3
 * and 5 times from line 7: 2 invocations, 8 calls, at most 5.
 *
 *     F  G G G  end   F  G G G G G  end        buckets: the calls of invocation 1, 2, ...
 *
 * The calls are kept in CALL_LINE_BUCKETS buckets of an equal number of invocations. When all are
 * full, two become one each.
 *
 * The same work. Two calls of a function do the same if they make the same calls from the same
 * lines in the same order, and these do the same, too: of each call a hash of that is made when it
 * returns. For each function the first SAME_CALLS_A_FUNCTION are kept. What a call is given and
 * what it returns is not known. Of the ticks with such calls of a function, it is counted how many
 * come 1, 2, ... CALL_DISTANCE_MAX ticks after another one: so threads that each call it every 11
 * ticks have 11 as the most frequent distance, whatever is between them.
 *
 * Long calls are those with more than LONG_CALL_NS of self time.
 *
 * Only calls whose begin is known count (START_UNKNOWN), and none in ticks that are left out. There
 * are limits for logs that no game writes; above one, the list is full and says nothing.
 */
#pragma once

#include "base/index.h"

enum { CALL_LINE_BUCKETS = 12, SAME_CALLS_A_FUNCTION = 32, SAME_CALLS_BELOW_MIN = 5 };
enum { CALL_DISTANCE_MAX = 63 };
enum { CALL_LINES_MAX = 64 * 1024, SAME_CALLS_MAX = 64 * 1024, LONG_CALLS_MAX = 64 * 1024 };
#define LONG_CALL_NS 1e6

struct call_line {
    uint32_t caller;  /* as all functions here: id in symbols.h */
    uint32_t site;    /* of the log */
    uint64_t stretch; /* the last invocation, and its calls until now */
    uint32_t count;
    uint32_t largest, invocations; /* of the invocations that have ended */
    uint32_t width;                /* invocations a bucket */
    uint32_t buckets[CALL_LINE_BUCKETS];
};

struct same_calls {
    uint64_t hash;
    int64_t units; /* with the calls below */
    uint32_t function;
    uint32_t count;
    uint32_t below; /* calls below each */
};

struct long_call {
    int64_t units; /* self */
    uint32_t function;
    uint32_t tick;
    bool is_first; /* of its function */
};

/* What is known of a frame besides struct frame. */
struct work_frame {
    uint64_t hash;    /* of the calls it has made */
    int64_t inner;    /* units of these calls */
    uint64_t stretch; /* a number that no other frame has */
    uint32_t function;
};

struct work {
    bool is_on; /* if not, nothing is counted */
    bool is_left_out;
    int64_t long_units; /* LONG_CALL_NS */
    uint32_t tick;      /* of the game; 0 before the first */
    uint64_t stretches;
    uint64_t wake; /* stretch of frames that are older than the last wake of their thread */

    struct call_line *lines; /* [line_count] */
    size_t line_count, line_capacity;
    struct intern line_keys; /* caller and site of each */
    struct site_line {
        uint32_t caller; /* + 1; 0: none */
        uint32_t line;
    } * site_lines; /* [site_capacity]: the last line of each site that is defined */
    size_t site_capacity;

    struct same_calls *same; /* [same_count] */
    size_t same_count, same_capacity;
    struct intern same_keys; /* hash and function of each */
    struct same_of_function {
        uint32_t last; /* index in `same` */
        uint32_t count;
        uint32_t tick, tick_count; /* the last with such a call, and how many there were */
        uint64_t before;           /* bit i: such a call i ticks before that */
        uint32_t distances[CALL_DISTANCE_MAX + 1];
    } * same_of; /* [function_capacity] by function, of those that are defined */
    size_t function_capacity;

    struct long_call *long_calls; /* [long_count], in the order of their ends */
    size_t long_count, long_capacity;
};

#define WORK_HASH_EMPTY ((uint64_t)1)

void work_release(struct work *work);

/* A thread has woken, or a tick begun. */
static inline void work_wake(struct work *work)
{
    work->wake = ++work->stretches;
}

/* Private: what is rare of the functions below. */
struct call_line *work_find_line(struct work *work, uint32_t caller, uint32_t site);
void work_end_stretch(struct call_line *line, uint64_t next);
void work_add_same(struct work *work, const struct work_frame *frame, int64_t units,
                   uint32_t below);
void work_begin_same_tick(struct same_of_function *of, uint32_t tick);

/* A function of a frame called another from a site. */
static inline void work_count_call(struct work *work, const struct work_frame *caller,
                                   uint32_t site)
{
    const struct site_line *known = &work->site_lines[site];
    struct call_line *line = known->caller == caller->function + 1
                                 ? &work->lines[known->line]
                                 : work_find_line(work, caller->function, site);
    if (line == NULL || work->is_left_out)
        return;
    uint64_t stretch = caller->stretch > work->wake ? caller->stretch : work->wake;
    if (line->stretch != stretch)
        work_end_stretch(line, stretch);
    line->count++;
}

/* That call has returned, or failed, after `units`; `hash` is that of its frame. */
static inline void work_count_return(struct work_frame *caller, uint32_t site, uint64_t hash,
                                     int64_t units)
{
    uint64_t mixed = (caller->hash ^ (hash + site)) * 0x9e3779b97f4a7c15u;
    caller->hash = mixed ^ mixed >> 32;
    caller->inner += units;
}

/* A call that made `below` calls, those of its calls included, returned after `units`. */
static inline void work_end_call(struct work *work, const struct work_frame *frame, int64_t units,
                                 uint32_t below)
{
    if (below < SAME_CALLS_BELOW_MIN || work->is_left_out)
        return;
    struct same_of_function *of = &work->same_of[frame->function];
    uint32_t last = of->last;
    if (of->tick_count == 0 || of->tick != work->tick)
        work_begin_same_tick(of, work->tick);
    if (last < work->same_count && work->same[last].hash == frame->hash &&
        work->same[last].function == frame->function) {
        work->same[last].count++;
        work->same[last].units += units;
    } else {
        work_add_same(work, frame, units, below);
    }
}

/* Whether a call with that self time is listed by work_add_long(). */
static inline bool work_is_long(const struct work *work, int64_t units)
{
    return units > work->long_units && !work->is_left_out;
}

void work_add_long(struct work *work, uint32_t function, int64_t units, bool is_first);
