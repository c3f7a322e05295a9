/*
 * events.h - the events of a recording, as an array of numbers.
 *
 * The text of an "events" line (see supprof-log(5)) becomes an array of small numbers, with the
 * definitions of other lines in between. So the code that rebuilds the call stacks needs only
 * the array, and can run on another thread than the reader.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The comments give the meaning of `operand`, and of `units` where it is not the time since the
 * event before, in units of the run.
 */
enum event_kind {
    EVENT_NONE,
    EVENT_CALL,         /* site */
    EVENT_LEAF,         /* site: a call and the return from it; see event_make_leaf() */
    EVENT_ROOT_CALL,    /* site: the call has no caller */
    EVENT_RETURN,       /* of the function called last */
    EVENT_OTHER_RETURN, /* function */
    EVENT_TAIL_RETURN,
    EVENT_UNWIND,    /* number of frames: an error has ended them */
    EVENT_GAP,       /* nothing was recorded for so long */
    EVENT_BURST_END, /* weight: see sampling.h */
    EVENT_LINE,      /* site: the running function is at the line of this site of its own */
    EVENT_MARK,      /* a resume mark */
    EVENT_MEMORY,    /* units: heap growth in kilobytes; comes before its event */
    EVENT_THREAD,    /* thread: the running thread from now on; no time */
    EVENT_TICK,      /* units: number of the tick that begins; no time */
    EVENT_FORGET,    /* no time; neither have the kinds below */
    EVENT_STACK,     /* number of EVENT_FRAMEs that follow, root first: the whole stack; there may
                        be an EVENT_LINE after each */
    EVENT_FRAME,     /* site */
    EVENT_BURST,     /* a burst begins */
    EVENT_LOST,      /* lines are missing: no stack can be trusted */
    EVENT_RUN,       /* run: the events after this belong to it */
    EVENT_BEGIN,     /* the run begins; followed by a struct event_begin */
    EVENT_SITE,      /* site is defined; followed by a struct event_site */
    EVENT_FUNCTION,  /* function is defined; followed by a struct event_function */
    EVENT_COROUTINE, /* thread is one */
    EVENT_END,       /* the run ends */
};

enum { EVENT_KIND_BITS = 5, EVENT_OPERAND_MAX = (1 << 24) - 1 };

/*
 * In events, the numbers of functions, sites and threads count from 0 in each run, in the order of
 * their definitions. They differ from the numbers in the log.
 */
struct event {
    uint32_t what; /* kind and operand */
    uint32_t units;
};

static inline struct event event_make(enum event_kind kind, uint32_t operand, uint32_t units)
{
    return (struct event){operand << EVENT_KIND_BITS | (uint32_t)kind, units};
}

static inline enum event_kind event_kind(struct event event)
{
    return (enum event_kind)(event.what & ((1 << EVENT_KIND_BITS) - 1));
}

static inline uint32_t event_operand(struct event event)
{
    return event.what >> EVENT_KIND_BITS;
}

/*
 * Half of all calls make no calls themselves. Such a call and its return become one event with the
 * units of both, unless memory or a mark belongs to the return.
 */
static inline bool event_make_leaf(struct event *call, uint32_t return_units)
{
    if (event_kind(*call) != EVENT_CALL || (call->units | return_units) > UINT16_MAX)
        return false;
    *call = event_make(EVENT_LEAF, event_operand(*call), call->units | return_units << 16);
    return true;
}

static inline uint32_t event_call_units(struct event leaf)
{
    return leaf.units & UINT16_MAX;
}

static inline uint32_t event_return_units(struct event leaf)
{
    return leaf.units >> 16;
}

/*
 * Payloads that follow some events; they take the room of several struct event, see
 * events_put_payload().
 */
struct event_begin {
    double unit_ns;
    double turn_ns[3];   /* one call by the calibrator, not recorded: of a Lua function, a C
                            function, an iterator; negative if unknown */
    double time_seconds; /* of the game; negative if unknown */
    int64_t tick;        /* -1 if unknown */
    bool has_marks;
    bool is_sampled;
};
struct event_site {
    uint32_t function;
    int32_t line; /* calling line, as in the log */
};
/*
 * Values for `line` without a calling line: the caller is C or has made a tail call; there is no
 * caller.
 */
enum { NO_LINE = -1, NO_CALLER = -2 };
struct event_function {
    uint32_t id; /* of symbols.h */
    bool is_lua;
    bool is_iterator; /* a C function that a loop calls at each turn */
    bool calibrates;  /* its calls are the recorder's calibration */
    bool suspends;    /* functions with its name suspend their thread */
};

/*
 * The number of struct event that a payload takes. The last is an EVENT_NONE, so that the slot
 * before an event is never part of a payload.
 */
static inline size_t event_slots(size_t size)
{
    return (size + sizeof(struct event) - 1) / sizeof(struct event) + 1;
}

/* The number of struct event that an event takes, with its payload or frames. */
static inline size_t event_length(struct event event)
{
    switch (event_kind(event)) {
    case EVENT_BEGIN:
        return 1 + event_slots(sizeof(struct event_begin));
    case EVENT_SITE:
        return 1 + event_slots(sizeof(struct event_site));
    case EVENT_FUNCTION:
        return 1 + event_slots(sizeof(struct event_function));
    case EVENT_STACK:
        return 1 + event_operand(event);
    default:
        return 1;
    }
}

/* All zero is empty. */
struct events {
    struct event *at; /* [count] */
    size_t count, capacity;
};

void events_put(struct events *events, struct event event);
void events_put_payload(struct events *events, const void *payload, size_t size);
