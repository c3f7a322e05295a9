/*
 * profile.h - logs in, one call tree out.
 */
#pragma once

#include "base/error.h"
#include "names/hooks.h"
#include "names/paths.h"
#include "read/frames.h"
#include "read/game_log.h"
#include "read/recording.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/ending/thread_sums.h"
#include "rebuild/ending/tick_sums.h"
#include "rebuild/rebuild.h"
#include "rebuild/ticks/ticks.h"
#include "rebuild/timeline/slow_timelines.h"
#include "rebuild/timeline/timeline.h"
#include "tree/symbols.h"
#include "tree/tree.h"
#include "tree/tree_builder.h"

/* Counts over all logs. */
struct profile_counts {
    uint64_t records;     /* taken into the tree */
    uint64_t calls;       /* of those */
    int64_t time_ns;      /* sum of their absolute times: no sum in the tree can be larger */
    uint64_t damaged;     /* marked lines that are not records, and were skipped */
    bool is_end_damaged;  /* one of them is the last of a log, which may still be written */
    bool has_lines;       /* with a mark, in any log: is_end_damaged is of the last of those logs */
    uint64_t untimed;     /* records whose seconds were not a number: only their calls count */
    uint64_t events;      /* of recordings */
    uint64_t other_runs;  /* records and lines left out because of profile->only_run */
    uint64_t other_state; /* recordings left out because of rebuild.state */
    uint64_t timeless;    /* records left out because a window is set: they have no time stamp */
    uint32_t runs;
    uint64_t bytes; /* after decompression */
};

struct game_logs {
    struct named_game_log {
        char *name; /* of the file */
        struct game_log log;
        uint64_t bytes;    /* after decompression */
        uint32_t checksum; /* of 64 KB in each 4 MB of them */
        bool has_same_run; /* as the first or the one before: the log may be twice in its file */
        uint64_t first_sum, last_sum, run_sum; /* private */
        uint32_t run;
    } * all; /* [count] */
    size_t count, capacity;
};

/* One decompresses, one finds records and events, one makes the tree. */
enum { PROFILE_THREADS = 3 };

struct profile {
    /* The caller sets these before the first profile_read(); all may stay 0. */
    uint32_t only_run; /* take this run only, counted from 1 over all logs; 0 for all */
    /* For recordings; after the first, rebuild.state is one of the two. Logs of delins' profiler
       have no time line. */
    struct rebuild_settings rebuild;
    struct call_costs costs; /* to be subtracted from logs of delins' profiler, if known */
    void (*on_damage)(void *context, const char *path, uint64_t line, const char *what);
    bool (*on_progress)(void *context, const char *path, double done, uint64_t bytes);
    void *context;     /* of both */
    int64_t window_ns; /* of the last recording, only so much of its end is shown; 0: all */
    size_t thread_max; /* that its reading may use, with that of the caller; 0: PROFILE_THREADS */

    /*
     * Private. It is used for each record, so it is kept away from `stacks`, which the other thread
     * writes: with both in one line of the cache, the threads would wait for each other.
     */
    struct queue *queue;
    struct read_ahead *shared; /* that the queue's thread helps with, in its lock; NULL: none */

    struct profile_counts counts;
    double read_fraction; /* of the last log's file, from 0 to 1; negative for a pipe */
    bool is_partial;      /* set by the caller: the reading ended before the end of the logs */
    bool is_cancelled;    /* on_progress() ended the reading */
    struct symbols symbols;
    struct frames frames;
    struct mounts mounts;
    struct hooks hooks;
    struct game_logs game_logs; /* what the game's own lines say, of each log */
    struct tree tree;           /* by profile_finish() */
    struct recordings recordings;
    struct rebuilt_recording *rebuilt; /* [recordings.count], by profile_finish() */
    struct argument_counts *arguments; /* [argument_functions] by function, of the recordings that
                                          are there, by profile_finish() */
    uint32_t argument_functions;       /* 0: no arguments were counted */
    struct tick_list ticks;            /* by profile_finish() */
    bool has_watches;                  /* some recording is a watch: by profile_finish() */
    bool has_memory;                   /* some recording has it: by profile_finish() */
    bool has_coarse_clock; /* of a recording that is there: it has no times. By profile_finish() */
    /* By profile_finish(), too. The arrays of these are owned by `rebuilding`. */
    struct slow_sums slow;
    struct thread_sums threads;
    struct tick_choice choice; /* what --ticks-over has found */
    struct work_sums work;
    struct call_durations durations;
    struct timeline timeline;       /* if rebuild.has_timeline is set */
    struct slow_timelines slowest;  /* if rebuild.keeps_order is set */
    struct exact_wakes exact_wakes; /* of watches */
    struct tick_changes changes;    /* if rebuild.keeps_changes is set, of the only run; nodes
                                       are those of the tree */

    struct overhead_sums delins_costs; /* overhead subtracted from logs of delins' profiler */
    struct folded_stacks {
        uint64_t count; /* 0 for none */
        uint32_t depth_max;
    } folded; /* set by the caller: stacks with a frame in their middle, see viewer_tree.h */

    /* Private. */
    struct grammar *grammar;
    struct tree_builder stacks; /* stacks of records, on the other thread */
    struct rebuild *rebuilding;
};

/* The profile must not be moved afterwards. */
bool profile_init(struct profile *profile, struct error *err);

/* Makes it as it was after profile_init(). */
void profile_clear(struct profile *profile);
void profile_release(struct profile *profile);

/*
 * Adds a log. on_progress() is called now and then with the fraction that is done (negative if
 * unknown); where it returns false, reading fails. If reading fails in the middle, the part before
 * the failure stays in the profile. `path` is needed only during the call.
 */
bool profile_read(struct profile *profile, const char *path, struct error *err);

/*
 * Ends what goes on in the log that was read last. Without this call, profile_read(),
 * profile_join() and profile_finish() do so.
 */
void profile_end_log(struct profile *profile);

/*
 * Adds a log that was read into another profile, by itself and with the same settings: the result
 * is that of profile_read(), and each id is the same. Nothing must be done with the other profile
 * afterwards but profile_clear() and profile_release(). Returns false if the log must be read here
 * instead, because what is read of it depends on the logs before. Runs are counted over all logs,
 * and a time line is made while they are read: so only_run, window_ns and rebuild.has_timeline must
 * not be set.
 */
bool profile_join(struct profile *profile, struct profile *later);

/* `from` is of later logs. */
void profile_counts_add(struct profile_counts *to, const struct profile_counts *from);

/*
 * Call it once, after the last log: it names the functions, ends the recordings, subtracts the
 * recording overhead, and makes the tree.
 */
void profile_finish(struct profile *profile);

/* Moves the calling lines, in the tree and the time line, of functions that were moved. */
void profile_shift_lines(struct profile *profile, const struct hooked_functions *hooked);

/* Whether the logs contain only benchmarks. */
bool profile_has_only_benchmarks(const struct profile *profile);

/* Whether the logs are of a game that no profiler has recorded. */
bool profile_is_unrecorded(const struct profile *profile);

/* Moves the game logs of another profile behind those of this one. */
void profile_take_game_logs(struct profile *profile, struct profile *from);

/* The lines, and the events, that are missing in all recordings. */
uint64_t profile_missing_lines(const struct profile *profile);
uint64_t profile_missing_events(const struct profile *profile);

/* Whether the options about runs and states choose a recording. */
bool profile_takes(const struct profile *profile, const struct recording *recording);

/* Whether the options choose a recording, by its index, and it is a watch whose limit is known. */
bool profile_takes_watch(const struct profile *profile, uint32_t recording);

/* Whether a tick of a recording, by its index, is in the window; before profile_finish(), which has
 * to know when the recording began, it may be. */
bool profile_takes_tick(const struct profile *profile, uint32_t recording, int64_t tick);

/* A tick of a watch whose length is known. All zero: it is before the first. */
struct watch_tick {
    uint32_t recording;
    int64_t number, length_ns;
    size_t row, next; /* private: index of watches.ticks, and of a tick there */
};

/* Goes to the next tick of watches that the options choose, in the window; false: to none. */
bool profile_next_watch_tick(const struct profile *profile, struct watch_tick *tick);

/* Whether any watch that they choose has lengths of ticks, or slow ticks, in the window. */
bool profile_has_watch(const struct profile *profile);

/* The recordings that would be in the profile, had an older recorder not sampled them by bursts.
 * Sets `first` to the first of them, unless there is none; it may be NULL. */
size_t profile_count_unused(const struct profile *profile, const struct recording **first);
