/*
 * chosen_ticks.h - which ticks of a recording that has ended count, and where their results go.
 */
#pragma once

#include "rebuild/ticks/ticks.h"

struct chosen_ticks {
    uint8_t *is_chosen;  /* [tick count] */
    uint8_t threads;     /* NODE_MAIN, NODE_COROUTINE, or both */
    uint32_t *weights;   /* [tick count]: game ticks that each stands for; NULL: 1 each */
    struct tick **ticks; /* [tick count]: where the results of a chosen tick go; NULL: nowhere */
    int64_t limit_ns;    /* longer ticks are slow */
    bool keeps_all;      /* all functions of all ticks, not only of slow ones */
};

/* How many ticks of the game a tick counts as. */
static inline uint32_t chosen_weight(const struct chosen_ticks *chosen, size_t tick)
{
    return chosen->weights != NULL ? chosen->weights[tick] : 1;
}
