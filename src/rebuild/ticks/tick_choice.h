/*
 * tick_choice.h - chooses ticks of recordings by their length.
 *
 * The length of a tick is known only after its run has ended, when the recording overhead is known.
 * So a log is read twice: first for its ticks, then for the contents of the chosen ones.
 */
#pragma once

#include "rebuild/ticks/ticks.h"

struct tick_choice {
    size_t *starts;     /* [run_count + 1]: index in is_chosen where the ticks of each run begin */
    uint8_t *is_chosen; /* [count], the ticks of a run in their order */
    size_t run_count, count, chosen_count;
    int64_t longest_ns; /* of all ticks */
    int64_t outside_ns; /* time outside of ticks; set by the code that knows the total */
};

/* Chooses the ticks that took more than `over_ns`, but not more than `up_to_ns`; or all others. */
void tick_choice_init(struct tick_choice *choice, const struct tick_list *list, size_t run_count,
                      int64_t over_ns, int64_t up_to_ns, bool takes_others);
void tick_choice_release(struct tick_choice *choice);

/* Whether a tick of a run is chosen; the ticks of a run count from 0. */
static inline bool tick_choice_has(const struct tick_choice *choice, size_t run, size_t index)
{
    return run < choice->run_count && index < choice->starts[run + 1] - choice->starts[run] &&
           choice->is_chosen[choice->starts[run] + index];
}
