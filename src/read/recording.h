/*
 * recording.h - the lines of profiler.lua in, events out.
 *
 * A recording is of one Lua state of the game. The lines of two recordings may alternate in a
 * log, one of the sim and one of the user interface. Each recording keeps its definitions, detects
 * missing lines by the numbers of the lines, and converts its events into those of events.h, with
 * EVENT_LOST at each place after which no stack can be trusted. See supprof-log(5), THE RECORDER'S
 * LINES.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"
#include "read/events.h"
#include "read/grammar.h"
#include "read/watch.h"
#include "tree/symbols.h"

/*
 * The events of the last line of a recording, until the next one shows how long it
 * can have taken.
 *
 * Where a part of a log is missing, the beginning of one line and the end of another may be joined
 * into one line. Then the digits of two numbers may form one time, of minutes that never passed.
 * Each whole line begins with the time of the clock: the events of the last line cannot have taken
 * longer than the time from its beginning to that of the next line.
 */

struct last_line {
    size_t start, end; /* of its events, in the array of all; equal: there is no last line */
    uint32_t run;      /* index of struct recordings */
    int64_t time_ns;   /* of the clock before its first event */
};

/* Returns how many of the events are before the last line: nothing changes them any more. */
size_t last_line_start(const struct last_line *last, const struct events *events);

/* The versions of the format that are read: 3 adds EVENT_UNWIND to 2, 4 EVENT_LINE, and 5 is a
   watch. */
enum { RECORDER_FORMAT_OLDEST = 2, RECORDER_FORMAT = 5 };

/* Facts about a recording, for reports. Texts are ids in symbols.strings. */
struct recording {
    uint32_t run;          /* counted from 1, over all logs */
    uint32_t log;          /* counted from 0, in the order in which they were read */
    uint32_t game;         /* counted from 0 in its log: in each, the names of runs begin again */
    bool is_sim;           /* otherwise of the user interface */
    uint32_t clock;        /* name of the function */
    double step_ns;        /* smallest difference that the clock showed; 0: unknown */
    double unit_ns;        /* of times in events */
    double lost_ns;        /* time spent in the recorder, by the clock */
    double from_ns, to_ns; /* of the clock, in its first and last line; 0: unknown */
    bool has_begin, has_end, has_memory, has_resumes;
    uint64_t lines, missing_lines; /* up to the last line read */
    uint64_t late_lines;           /* lines that came twice, or after a later one */
    uint64_t damaged_lines;
    uint64_t events;         /* events read */
    uint64_t events_written; /* according to the end line */
    uint64_t slow_events;    /* of those, the ones that the recorder looked at twice; 0: unknown */
    uint64_t unknown_lines;  /* lines of kinds that this reader does not know */
    uint64_t clock_faults;   /* impossible times: the clock went back, or gave no time */
    uint64_t hook_losses;    /* how often something removed the recorder's hook */
    int64_t hook_lost_tick;  /* the first time; -1: unknown */
    struct line_widths {
        uint64_t lines; /* of events */
        size_t widest;  /* bytes of the longest of them */
        uint64_t widest_count;
    } widths;              /* many longest lines are wrapped ones, whose rest is lost */
    bool is_coarse;        /* its step is 2 ms or more: no times are used */
    bool is_clock_still;   /* it did not move when its step was measured */
    bool is_sampled;       /* whole ticks, chosen by chance */
    uint64_t chosen_ticks; /* of those, that the log has */
    uint64_t cut_ticks;    /* that took so long that the recorder left them */
    uint64_t passed_ticks; /* of the game meanwhile, according to the end line; 0: unknown */
    double added_share;    /* what recording added to the game's Lua; negative: unknown */
    bool has_bursts;       /* an older recorder has sampled it: none of its events is used */
    bool is_watch;         /* of wakes, see watch.h; its events are those of some of them */
    int64_t slow_ns;       /* of a watch: what makes a tick slow; 0: unknown */
    int64_t begin_tick;    /* of a watch, according to its first line; negative: unknown */
    uint64_t watched;      /* of a watch: wakes that were recorded */
    /* Of a watch, up to its end line; 0 without one: wakes, and those without a known beginning. */
    uint64_t wakes, unknown_wakes;
};

/* The events that its last line counts, and that were not read. */
static inline uint64_t recording_missing_events(const struct recording *recording)
{
    bool is_missing = recording->has_end && recording->events_written > recording->events;
    return is_missing ? recording->events_written - recording->events : 0;
}

/*
 * What the recorder's setting `arguments` has counted of a function: how often it got the same
 * arguments again, and whether the results were equal then. supprof-log(5) defines each count.
 */
enum argument_count {
    ARGUMENTS_CALLS,         /* whose arguments are known */
    ARGUMENTS_DISTINCT,      /* different arguments */
    ARGUMENTS_OTHER,         /* calls with further arguments, which were not kept */
    ARGUMENTS_REPEATS,       /* calls with arguments of an earlier one */
    ARGUMENTS_EQUAL,         /* of these: those with equal results */
    ARGUMENTS_TICK_REPEATS,  /* calls with arguments of an earlier one of the same tick */
    ARGUMENTS_TICK_EQUAL,    /* of these: those with equal results */
    ARGUMENTS_TICK_CONTENTS, /* of these: those with another table, of equal contents */
    ARGUMENTS_TICK_OTHER,    /* of tick repeats: those with other results */
    ARGUMENTS_RESULTS,       /* calls with a result that is not nil */
    ARGUMENTS_LARGE,         /* of repeats: those with results that are too large to compare */
    ARGUMENTS_FAILED,        /* calls that were given up */
    ARGUMENTS_NS,            /* the calls with known results took; 0: not known */
    ARGUMENTS_TICK_NS,       /* of this: ARGUMENTS_TICK_EQUAL */
    ARGUMENTS_CHANGED,       /* calls that changed tables in their arguments */
    ARGUMENTS_EQUAL_NS,      /* of this: ARGUMENTS_EQUAL */
    ARGUMENTS_BETWEEN,       /* ticks from a call to the next one with its arguments: the median */
    ARGUMENTS_KEPT_1,        /* calls that were not needed if results were kept for a tick */
    ARGUMENTS_KEPT_3,
    ARGUMENTS_KEPT_10,
    ARGUMENTS_KEPT_30,
    ARGUMENTS_KEPT_100,
    ARGUMENTS_COUNT
};

/* As the log and JSON have them. */
extern const char *const argument_count_names[ARGUMENTS_COUNT];

struct argument_counts {
    uint64_t of[ARGUMENTS_COUNT];
    size_t recordings; /* of which it is the sum */
};

/* What was counted of a function's arguments, up to the last line read. */
struct function_arguments {
    uint32_t recording; /* index in recordings.all */
    uint32_t function;  /* id in symbols.h */
    struct argument_counts counts;
};

/* What a collection of garbage has left. */
struct heap_size {
    uint32_t recording; /* index in recordings.all */
    double kb;
};

struct recordings {
    /* Set these before the first line. */
    struct grammar *grammar; /* not owned */
    struct symbols *symbols; /* not owned */

    struct recording *all; /* [count], in the order in which they began */
    size_t count, capacity;
    struct benchmark *benchmarks; /* [benchmark_count], also those of delins' profiler */
    size_t benchmark_count, benchmark_capacity;
    struct function_arguments *arguments; /* [argument_count] */
    size_t argument_count, argument_capacity;
    struct heap_size *heaps; /* [heap_count] */
    size_t heap_count, heap_capacity;
    struct watches watches;
    uint32_t log_count; /* of the logs that were begun */
    uint32_t game;      /* of the last recording in the current log */

    /*
     * The last line of events; the next line may still remove some of them. Code that removes the
     * events before this line must move it, and code that removes this line, too, sets it to zero.
     */
    struct last_line last;

    /* Private: the definitions of the recordings in the current log. */
    struct recording_state *states; /* [state_count] */
    size_t state_count, state_capacity;
    struct intern keys;     /* names of these recordings, "s1" */
    uint32_t *state_of_key; /* [keys.count]: the last one with that name */
    size_t key_capacity;
    struct known_events known_events;
    uint32_t current; /* index in `all`: the recording of the last events; UINT32_MAX: none */
};

void recordings_init(struct recordings *recordings, struct grammar *grammar,
                     struct symbols *symbols);

/* Call it before each log: the recordings of a log are not those of the log before. */
void recordings_begin_log(struct recordings *recordings);

/* What a line belongs to. */
struct line_owner {
    uint32_t state;  /* private; INTERN_NONE: a recording that has not begun */
    uint32_t run;    /* the number of the recording, or 0 if it belongs to none */
    bool begins_one; /* a new recording, which then gets the next number: the caller sets it */
};
struct line_owner recordings_find_owner(const struct recordings *recordings,
                                        const struct grammar_recorder_line *line);

/*
 * Reads a line and appends its events; no other one was read since its owner was found. Fails on a
 * damaged line, after its good part was appended.
 */
bool recordings_read(struct recordings *recordings, const struct grammar_recorder_line *line,
                     struct line_owner owner, bool is_cut, struct events *events,
                     struct error *err);

/* Adds a benchmark from a line of delins' profiler. */
void recordings_add_benchmark(struct recordings *recordings, const struct benchmark *benchmark);

/*
 * Call it after the last log and symbols_name_functions(). It gives the name "?" to functions
 * without a name.
 */
void recordings_finish(struct recordings *recordings);

/*
 * Adds the recordings of a later log, which is read whole, and whose symbols have been joined with
 * these: `strings` and `functions` have their ids by those that they have there. `run_count`
 * recordings, and runs of delins' profiler, were before.
 */
void recordings_join(struct recordings *recordings, const struct recordings *later,
                     const uint32_t *strings, const uint32_t *functions, uint32_t run_count);
void recordings_release(struct recordings *recordings);
