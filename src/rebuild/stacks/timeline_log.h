/*
 * timeline_log.h - the changes of a recording's call stacks, step by step, from which a time line
 * is made.
 *
 * The log is written in the order of time while the stacks are rebuilt. At any time at most one
 * frame runs, the last of one thread:
 *
 *     from a CALL or WAKE on     the last frame of the thread of the last THREAD
 *     from a WAIT on             none; that is a gap
 *     after RETURN, FAIL, DROP   the same thread as before, if one ran
 *
 * The owner of a gap may become known much later: a C function that seemed to wait, but returns
 * without having suspended its thread, was running all the time. So gaps stay on a list until a
 * frame claims them; gaps without a claim stay unattributed. Example: C calls back into Lua on the
 * same thread:
 *
 *     event            step
 *     call C           CALL C
 *     root call A      WAIT (a), ROOT, CALL A
 *     return           RETURN, WAIT (b)
 *     return of C      claims (a) and (b) for the frame C; WAKE, RETURN
 *
 * A log that would take too much memory forgets everything and is full. One that begins again, as
 * for each tick, has other numbers of gaps: so a frame cannot claim those of an earlier log.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The comments give the meaning of `operand`. */
enum step_kind {
    STEP_THREAD, /* thread: the steps after this are of its stack */
    STEP_FRAME,  /* site: a frame that existed before the log */
    STEP_ROOT,   /* the next frame pushed is a root above frames of the thread */
    STEP_CALL,   /* site: a frame is pushed */
    STEP_RETURN, /* pops the last frame; the next two steps do that too */
    STEP_FAIL,   /* an error ended it */
    STEP_DROP,   /* it did not return */
    STEP_WAIT,   /* 1 + the thread that owns the gap; 0: unattributed */
    STEP_WAKE,
    STEP_TICK, /* number of the tick */
};

struct step {
    int64_t time; /* units */
    uint32_t kind, operand;
    uint32_t depth; /* of a claimed gap: number of frames up to the one that ran */
};

/* Two for each call, and some for each change of thread: see TIMELINE_SLICES_MAX. */
enum { TIMELINE_STEPS_MAX = 4 * 1024 * 1024 };

/* All zero is a log that is off. */
struct timeline_log {
    bool is_on;         /* if not, the functions below do nothing */
    bool is_full;       /* there were too many steps; all were removed */
    int64_t now;        /* units */
    struct step *steps; /* [count] */
    size_t count, capacity;
    size_t base;  /* number of the step 0: of the steps of the logs before */
    size_t *gaps; /* [gap_count] numbers of steps, rising: WAITs without a claim */
    size_t gap_count, gap_capacity;
    size_t last_gap; /* the current gap, or the last one */
    size_t tick_at;  /* number of the next step when the tick began: no claim of gaps before it */
};

/* Begins a log at a time, in units, on thread 0 and with a gap; forgets one before. */
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
 * Begins a gap `units_ago`; no step may have come since then. Returns the number of the gap, with
 * which a frame can claim it; if the log is off 0, with which nothing can be claimed.
 */
size_t timeline_log_wait(struct timeline_log *log, uint32_t units_ago);

/* A tick begins: earlier gaps stay unattributed. `is_gap`: no frame runs. */
void timeline_log_tick(struct timeline_log *log, uint32_t tick, bool is_gap);

/* The frame that has just returned had waited for `units` before that. */
void timeline_log_wait_before_return(struct timeline_log *log, uint32_t units);

/* A frame claims all free gaps from this one on; or only this one. */
void timeline_log_claim_from(struct timeline_log *log, size_t gap, size_t thread, size_t depth);
void timeline_log_claim(struct timeline_log *log, size_t gap, size_t thread, size_t depth);
