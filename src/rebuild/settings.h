/*
 * settings.h - what is asked of a rebuild: which part of each run, and what is made of it.
 */
#ifndef SUPPROF_SETTINGS_H
#define SUPPROF_SETTINGS_H

#include "rebuild/calibration.h"
#include "rebuild/tick_choice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum window_kind { WINDOW_OPEN, WINDOW_TICK, WINDOW_SECONDS };

/* A border of the window; `value` belongs to it where it is the first one. */
struct window_border {
    enum window_kind kind;
    double value; /* a tick, or seconds of game time */
};

struct rebuild_settings {
    struct window_border from, to;
    const struct tick_choice *choice; /* the ticks that are taken, of the window; NULL: all, and
                                         what is in no tick; not owned */
    uint8_t threads;                  /* or of NODE_MAIN and NODE_COROUTINE */
    bool keeps_costs;                 /* leaves the cost of recording in the times */
    struct call_costs costs; /* to take out; where they are not known, those of calibration */
    size_t kept_ticks;       /* of so many of a run's worst ticks, the functions are kept */
    bool has_timeline;       /* makes one, of unfolded stacks; that takes time and memory */
};

#endif
