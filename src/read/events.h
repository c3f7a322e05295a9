/*
 * events.h - the events of a recording, as an array of numbers.
 *
 * The text of an "events" line (see supprof-log(5)) becomes an array of small numbers, with the
 * definitions of other lines in between. So the code that rebuilds the call stacks needs only
 * the array, and can run on another thread than the reader.
 */
#pragma once

#include "base/hash_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The comments give the meaning of `operand`, and of `units` where it is not the time since the
 * event before, in units of the recording.
 */
enum event_kind {
    EVENT_NONE,
    EVENT_CALL,         /* site */
    EVENT_LEAF,         /* site: a call and the return from it; see event_make_leaf() */
    EVENT_ROOT_CALL,    /* site: the call has no caller */
    EVENT_RETURN,       /* of the function called last */
    EVENT_OTHER_RETURN, /* function */
    EVENT_TAIL_RETURN,
    EVENT_UNWIND, /* number of frames: an error has ended them */
    EVENT_LINE,   /* site: the running function is at the line of this site of its own */
    EVENT_RESUME, /* a resume */
    EVENT_MEMORY, /* units: heap growth in kilobytes; comes before its event */
    EVENT_THREAD, /* thread: the running thread from now on; no time */
    EVENT_TICK,   /* units: number of the tick that begins; no time */
    EVENT_FORGET, /* no time; neither have the kinds below */
    EVENT_STACK,  /* number of EVENT_FRAMEs that follow, root first: the whole stack; there may
                     be an EVENT_LINE after each */
    EVENT_FRAME,  /* site */
    EVENT_LOST,   /* lines are missing: no stack can be trusted */
    EVENT_SAMPLE, /* enum tick_sampling, or the block that a tick was chosen from; units: the tick.
                     All stacks end, and what follows is of this tick, see stacks.h */
    EVENT_RECORDING, /* recording: the events after this belong to it */
    EVENT_BEGIN,     /* the recording begins; followed by a struct event_begin */
    EVENT_SITE,      /* site is defined; followed by a struct event_site */
    EVENT_FUNCTION,  /* function is defined; followed by a struct event_function */
    EVENT_COROUTINE, /* thread is one */
    EVENT_REFERENCE, /* followed by a struct event_reference; also behind the end */
    EVENT_END,       /* the recording ends; operand: 1: more of the reference may follow */
};

/* Of EVENT_SAMPLE: what follows counts for nothing, was chosen for being slow, or by chance out of
   a block of so many ticks. Or the recording is a watch, and what follows is a wake, or nothing:
   of the wake before it some events may be missing, or all of them are there, or all up to where
   the recorder has left it because it took long. SAMPLE_LEFT is SAMPLE_NOTHING where the tick
   before has ended, and with it what its last thread did. */
enum tick_sampling {
    SAMPLE_NOTHING,
    SAMPLE_BLOCK_MAX = 1000000,
    SAMPLE_SLOW,
    SAMPLE_WATCH,
    SAMPLE_WAKE,
    SAMPLE_WHOLE_WAKE,
    SAMPLE_CUT_WAKE,
    SAMPLE_LEFT
};

enum { EVENT_KIND_BITS = 5, EVENT_OPERAND_MAX = (1 << 24) - 1 };

/*
 * In events, the numbers of functions, sites and threads count from 0 in each recording, in the
 * order of their definitions. They differ from the numbers in the log.
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
 * units of both, unless memory or a resume belongs to the return.
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
    double hook_ns;      /* the way into a hook and out; only of a watch, else 0 */
    double time_seconds; /* of the game; negative if unknown */
    int64_t tick;        /* -1 if unknown */
    bool has_resumes;
    bool has_no_time;  /* its clock is too coarse for times */
    uint32_t recorder; /* the function that stands for all of the recorder: see symbols.h */
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
    bool is_iterator;    /* a C function that a loop calls at each turn */
    bool calibrates;     /* its calls are the recorder's calibration */
    bool is_beside;      /* it is in the file of that one, as the recorder's other functions are */
    bool is_command;     /* it starts or stops the recorder */
    bool suspends;       /* functions with its name suspend their thread */
    bool never_suspends; /* a C function of which this is known */
    bool is_recorder_root; /* stacks that begin with it are the recorder's; found by nodes.h */
};

/* Runs of threads that were timed while nothing was recorded; in a watch, of which a few were. */
struct event_reference {
    uint32_t function;   /* id of symbols.h: that they began with */
    bool is_after;       /* the recording */
    bool is_watched;     /* in a watch, in the ticks from the first to the last */
    double wakes, ns;    /* of all */
    double deviation_ns; /* the standard deviation of a run; in a watch, it is no larger */
    int64_t first_tick, last_tick;
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
    case EVENT_REFERENCE:
        return 1 + event_slots(sizeof(struct event_reference));
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

/*
 * A map from the ids in a log to our own numbers.
 *
 * A damaged log may have any number, so the map is a table, and its memory is in proportion to the
 * number of defined ids. Different ids have different hashes: so only hashes are compared, and the
 * index has the values in place of its ids.
 */

/* All zero is empty; release it with index_release(). */
struct id_map {
    struct index index;
};

/* No two ids have the same result. */
static inline uint32_t id_map_hash(const struct id_map *map, uint32_t id)
{
    uint32_t mixed = (id ^ (uint32_t)map->index.seed) * 0x9e3779b1u;
    return mixed ^ mixed >> 16;
}

/* Returns the value of an id; 0 if it is not defined. */
static inline uint32_t id_map_find(const struct id_map *map, uint32_t id)
{
    const struct index_slot *slots = map->index.slots;
    uint32_t hash = id_map_hash(map, id);
    size_t slot = index_first(&map->index, hash);
    if (slots == NULL)
        return 0;
    while (slots[slot].hash != hash && slots[slot].id != INDEX_FREE)
        slot = index_next(&map->index, slot);
    return slots[slot].id != INDEX_FREE ? slots[slot].id : 0;
}

/* Defines an id that is not defined yet. The value must be neither 0 nor INDEX_FREE. */
static inline void id_map_define(struct id_map *map, uint32_t id, uint32_t value)
{
    index_reserve(&map->index, 1);
    uint32_t hash = id_map_hash(map, id);
    size_t slot = index_first(&map->index, hash);
    while (map->index.slots[slot].id != INDEX_FREE)
        slot = index_next(&map->index, slot);
    index_put(&map->index, slot, hash, value);
}

/*
 * The events of a recording that were read before, by their texts.
 *
 * The text of an event is its letters, its units, and for a call its return: "Ab1." is one. A
 * recording of millions of events repeats a few thousand texts, and to find one costs less than to
 * decode it. So a table has the event of each text, and where texts begin is found for 64 bytes at
 * once.
 *
 * In a recording, equal texts are equal events, since an id is defined only once. Memory or a
 * resume that follows a text may belong to its event, so the table is not used before these.
 *
 * A slot of the table has the text that was added last: where two texts have the same slot, both
 * are decoded again and again, which is slower, never wrong. So its hash has no seed. Lines that
 * have only such events, or only events too long to be kept, are read more slowly than without the
 * table.
 */

/* All zero is empty. */
struct known_events {
    struct known_event *slots; /* NULL until it is used */
};

enum {
    /* The recordings that can have known events are those from 1 to this number. */
    KNOWN_RECORDING_MAX = UINT16_MAX,
    /* Longer texts are not kept. */
    KNOWN_TEXT_MAX = 6,
};

/* The text of an event that is not known. */
struct unknown_event {
    uint64_t key;
    size_t length; /* 0: it cannot be kept */
};

/*
 * Appends the events at the beginning of a text up to the first that is not known, and returns the
 * length of their texts. `*event_count` grows by their number as the recorder counts them, in which
 * a call and its return are two. The events must have room for one event a byte.
 */
size_t known_events_read(struct known_events *known, uint32_t run, struct span text,
                         struct events *events, uint64_t *event_count,
                         struct unknown_event *unknown);

void known_events_release(struct known_events *known);

/*
 * The text of an "events" line in, events out.
 *
 * The text is not read by PCRE2: an event has less than two bytes on average, and a recording has
 * millions of them. Most events are found by their text (see above), and a plain loop decodes the
 * others.
 */

struct events_text {
    struct span text;
    const struct id_map *sites;     /* event_make(EVENT_CALL or EVENT_ROOT_CALL, ...).what */
    const struct id_map *functions; /* 1 + function */
    const struct id_map *threads;   /* 1 + thread */
    struct known_events *known;     /* NULL: every event is decoded, which has the same result */
    uint32_t run;                   /* for `known`: 1 to KNOWN_RECORDING_MAX */
};

/*
 * Returns the length of the complete events in a text whose end is missing: the last event may lack
 * a digit or a letter, so it is not included.
 */
size_t events_whole_length(struct span text);

enum events_problem {
    EVENTS_READ,
    EVENTS_DAMAGED, /* at a byte that cannot be part of an event there */
    EVENTS_NO_SITE, /* at a site that is not defined; `*id` is its number in the log */
    EVENTS_NO_FUNCTION,
    EVENTS_NO_THREAD,
};

/*
 * Appends the events of text[*from ...]. `*from` is moved past the read part, and `*event_count`
 * grows by the number of events as the recorder counts them. If a definition is missing, define the
 * id and call this again.
 */
enum events_problem events_read(struct events *events, const struct events_text *text, size_t *from,
                                uint64_t *event_count, uint32_t *id);
