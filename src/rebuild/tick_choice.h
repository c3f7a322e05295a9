/*
 * tick_choice.h - which ticks of recordings are taken, by how long they were.
 *
 * How long a tick was is known when its run has ended and the cost of recording with it. So a log
 * is read twice: once for its ticks, and once more for what was in those that are chosen.
 */
#ifndef SUPPROF_TICK_CHOICE_H
#define SUPPROF_TICK_CHOICE_H

#include "rebuild/ticks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tick_choice {
    size_t *starts;     /* [run_count + 1]: where the ticks of each run begin in is_chosen */
    uint8_t *is_chosen; /* [count], the ticks of a run in their order */
    size_t run_count, count, chosen_count;
    int64_t longest_ns; /* of all ticks */
    int64_t outside_ns; /* time that was in no tick; set by whoever knows all of the time */
};

/* Chooses the ticks that took more than `over_ns`, but not more than `up_to_ns`; or all others. */
void tick_choice_init(struct tick_choice *choice, const struct tick_list *list, size_t run_count,
                      int64_t over_ns, int64_t up_to_ns, bool takes_others);
void tick_choice_release(struct tick_choice *choice);

/* Whether the how manieth tick of a run, from 0, is chosen. */
static inline bool tick_choice_has(const struct tick_choice *choice, size_t run, size_t index)
{
    return run < choice->run_count && index < choice->starts[run + 1] - choice->starts[run] &&
           choice->is_chosen[choice->starts[run] + index];
}

#endif
