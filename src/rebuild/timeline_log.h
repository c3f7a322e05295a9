/*
 * timeline_log.h - what happens to the call stacks of a run, step by step: what a time
 * line is made of.
 *
 * The log is written while the stacks are rebuilt, in the order of time. At any moment at
 * most one frame runs, the last of one thread:
 *
 *     from a CALL or WAKE on     the last frame of the thread of the last THREAD
 *     from a WAIT on             none; that is a gap
 *     after RETURN, FAIL, DROP   the same thread as before, if one did
 *
 * Whose a gap is may show much later: a C function that seemed to wait was running all
 * the while when it returns without having suspended its thread. So gaps stay on a list
 * until a frame claims them; the rest stays unattributed. For C, which calls back
 * into Lua on the same thread:
 *
 *     event            step
 *     call C           CALL C
 *     root call A      WAIT (a), ROOT, CALL A
 *     return           RETURN, WAIT (b)
 *     return of C      claims (a) and (b) for the frame C; WAKE, RETURN
 *
 * A log that would take too much memory forgets everything and is full.
 */
#ifndef SUPPROF_TIMELINE_LOG_H
#define SUPPROF_TIMELINE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In comments: what `operand` is. */
enum step_kind {
    STEP_THREAD, /* thread: what follows is of its stack */
    STEP_FRAME,  /* site: a frame that was there before */
    STEP_ROOT,   /* what is pushed next is a root, above frames of the thread */
    STEP_CALL,   /* site: a frame is pushed */
    STEP_RETURN, /* the last frame is popped, and so it is by the next two */
    STEP_FAIL,   /* an error ended it */
    STEP_DROP,   /* it did not return */
    STEP_WAIT,   /* 1 + the thread whose gap it is; 0: unattributed */
    STEP_WAKE,
    STEP_TICK, /* number of the tick */
};

struct step {
    int64_t time; /* units */
    uint32_t kind, operand;
    uint32_t depth; /* of a claimed gap: frames up to and with the one that ran */
};

/* Two for each call, and some for each change of thread: see TIMELINE_SLICES_MAX. */
enum { TIMELINE_STEPS_MAX = 4 * 1024 * 1024 };

/* All zero is one that is not written. */
struct timeline_log {
    bool is_on;         /* it is being written; where it is not, nothing below does anything */
    bool is_full;       /* there were too many steps, and none is left */
    int64_t now;        /* units */
    struct step *steps; /* [count] */
    size_t count, capacity;
    size_t *gaps; /* [gap_count] steps, rising: WAITs that no frame has claimed */
    size_t gap_count, gap_capacity;
    size_t last_gap; /* the one that is on, or was on last */
};

/* Begins at a time, in units, on thread 0 and with a gap. */
void timeline_log_begin(struct timeline_log *log, int64_t now);
void timeline_log_release(struct timeline_log *log);

static inline void timeline_log_pass(struct timeline_log *log, uint32_t units)
{
    if (log->is_on)
        log->now += units;
}

/* For all kinds but STEP_WAIT. */
void timeline_log_put(struct timeline_log *log, enum step_kind kind, uint32_t operand);

/*
 * Begins a gap, so many units ago, with no step since then. Returns what to claim it by;
 * 0, which claims nothing alone, where no log is written.
 */
size_t timeline_log_wait(struct timeline_log *log, uint32_t units_ago);

/* The frame that has just returned had been waiting for that many units. */
void timeline_log_wait_before_return(struct timeline_log *log, uint32_t units);

/* All gaps from this one on that no frame has claimed are a frame's; or only this one. */
void timeline_log_claim_from(struct timeline_log *log, size_t gap, size_t thread, size_t depth);
void timeline_log_claim(struct timeline_log *log, size_t gap, size_t thread, size_t depth);

#endif
