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
 * Only the stacks of threads that run while the log is kept are put into it, each when its thread
 * is first in the log: a tick with few events has a small log, however many threads wait. Steps
 * call threads by their numbers in the log.
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
    STEP_THREAD, /* thread of the log: the steps after this are of its stack */
    STEP_FRAME,  /* site: a frame that existed before it was called */
    STEP_ROOT,   /* the next frame pushed is a root above frames of the thread */
    STEP_CALL,   /* site: a frame is pushed */
    STEP_RETURN, /* pops the last frame; the next two steps do that too */
    STEP_FAIL,   /* an error ended it */
    STEP_DROP,   /* it did not return */
    STEP_WAIT,   /* 1 + the thread of the log that owns the gap; 0: unattributed */
    STEP_WAKE,
    STEP_TICK, /* number of the tick */
};

enum { STEP_DEPTH_MAX = (1 << 28) - 1 };

struct step {
    int64_t time; /* units */
    uint32_t operand;
    uint32_t kind : 4;
    uint32_t depth : 28; /* of a claimed gap: number of frames up to the one that ran */
};

/* A thread whose stack is known to a log. */
struct logged_thread {
    uint32_t number;     /* of the recording */
    size_t first, count; /* log->frames[first ...]: its stack when the log began */
};

/* A frame of such a stack. */
struct logged_frame {
    uint32_t site;
    bool is_root; /* above frames of the thread */
};

/* Two for each call, and some for each change of thread: see TIMELINE_SLICES_MAX. */
enum { TIMELINE_STEPS_MAX = 4 * 1024 * 1024 };

/* A log begins with a STEP_THREAD and a STEP_WAIT. */
enum { TIMELINE_BEGIN_STEPS = 2 };

/* All zero is a log that is off. */
struct timeline_log {
    bool is_on;         /* if not, the functions below do nothing */
    bool is_full;       /* there were too many steps; all were removed */
    int64_t now;        /* units */
    struct step *steps; /* [count] */
    size_t count, capacity;
    struct logged_thread *threads; /* [thread_count] */
    size_t thread_count, thread_capacity;
    struct logged_frame *frames; /* [frame_count] */
    size_t frame_count, frame_capacity;
    uint64_t number; /* of the log, from 1 on: others began before it */
    uint32_t thread; /* of the log: that of the last STEP_THREAD */
    size_t base;     /* number of the step 0: of the steps of the logs before */
    size_t *gaps;    /* [gap_count] numbers of steps, rising: WAITs without a claim */
    size_t gap_count, gap_capacity;
    size_t last_gap; /* the current gap, or the last one */
    size_t tick_at;  /* number of the next step when the tick began: no claim of gaps before it */
};

/*
 * Begins a log at a time, in units, on a thread of the recording and with a gap; forgets one
 * before. That thread is 0 in the log, and its frames may follow.
 */
void timeline_log_begin(struct timeline_log *log, int64_t now, uint32_t thread);
void timeline_log_release(struct timeline_log *log);

/* Adds a thread, whose frames may follow. Returns its number in the log. */
uint32_t timeline_log_add_thread(struct timeline_log *log, uint32_t thread);

/* Adds a frame to the stack of the last thread that was added. */
void timeline_log_add_frame(struct timeline_log *log, uint32_t site, bool is_root);

/* The steps after this are of that thread of the log. */
void timeline_log_switch(struct timeline_log *log, uint32_t thread);

/* Adds a step to a log that is on. */
void timeline_log_add(struct timeline_log *log, struct step step);

/* For all kinds but STEP_WAIT and STEP_THREAD. */
static inline void timeline_log_put(struct timeline_log *log, enum step_kind kind, uint32_t operand)
{
    if (log->is_on)
        timeline_log_add(log, (struct step){.time = log->now, .kind = kind, .operand = operand});
}

/*
 * Begins a gap `units_ago`; no step may have come since then. Returns the number of the gap, with
 * which a frame can claim it; if the log is off 0, with which nothing can be claimed.
 */
size_t timeline_log_wait(struct timeline_log *log, uint32_t units_ago);

/* A tick begins: earlier gaps stay unattributed. `is_gap`: no frame runs. */
void timeline_log_tick(struct timeline_log *log, uint32_t tick, bool is_gap);

/* The frame that has just returned had waited for `units` before that. */
void timeline_log_wait_before_return(struct timeline_log *log, uint32_t units);

/* A frame of the present thread claims all free gaps from this one on; or only this one. */
void timeline_log_claim_from(struct timeline_log *log, size_t gap, size_t depth);
void timeline_log_claim(struct timeline_log *log, size_t gap, size_t depth);
