/*
 * settings.h - settings of a rebuild: the part of each recording to use, and the results to make.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "rebuild/ticks/ticks.h"
#include "tree/tree.h"

enum window_kind { WINDOW_OPEN, WINDOW_TICK, WINDOW_SECONDS };

/* A border of the window. The window includes `value` of its first border, not of its last. */
struct window_border {
    enum window_kind kind;
    double value; /* a tick, or seconds of game time */
    bool is_tick; /* of the only tick that is wanted: it need not be at its beginning */
};

/* What is shown of a recording. */
enum rebuild_needs {
    NEEDS_FINDINGS, /* also sums of slow ticks, of wakes and of work, which only findings show */
    NEEDS_TICKS,    /* what each tick did */
    NEEDS_WHOLE,    /* the tree of all of it; without window, choice, threads and time line */
};

struct rebuild_settings {
    enum lua_state state; /* of all recordings */
    int64_t limit_ns;     /* longer ticks are slow; 0: that of the state */
    struct window_border from, to;
    struct tick_choice choice; /* of the ticks of the window */
    uint8_t threads;           /* NODE_MAIN, NODE_COROUTINE, or both */
    bool keeps_costs;          /* does not subtract the recording overhead */
    struct call_costs costs;   /* to subtract; if unknown, calibration estimates them */
    size_t kept_ticks;         /* number of the longest ticks whose functions are kept */
    bool keeps_all_ticks;      /* keeps all functions of all ticks */
    bool keeps_changes;        /* keeps what each tick changed; without window, choice or threads */
    bool has_timeline;         /* makes one; takes time and memory */
    bool keeps_order;          /* makes those of the slowest ticks: needs changes, no time line */
    enum rebuild_needs needs;
    bool has_threads; /* another thread may take part */
    bool keeps_end;   /* rebuild_keep_end() will be called */
};

static inline int64_t settings_limit_ns(const struct rebuild_settings *settings)
{
    return settings->limit_ns > 0 ? settings->limit_ns : tick_kinds[settings->state].limit_ns;
}

static inline bool settings_have_window(const struct rebuild_settings *settings)
{
    return settings->from.kind != WINDOW_OPEN || settings->to.kind != WINDOW_OPEN;
}

static inline bool settings_are_one_tick(const struct rebuild_settings *settings)
{
    return settings->from.is_tick ||
           (settings->from.kind == WINDOW_TICK && settings->to.kind == WINDOW_TICK &&
            settings->to.value - settings->from.value <= 1);
}

/* Whether recordings are used as a whole. */
static inline bool settings_are_whole(const struct rebuild_settings *settings)
{
    return !settings_have_window(settings) && !settings->choice.is_on &&
           settings->threads == (NODE_MAIN | NODE_COROUTINE);
}
