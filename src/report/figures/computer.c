#include "report/figures/computer.h"

static bool would_be_fast(const struct tick_list *list, const struct tick *tick)
{
    return tick->usual_ns >= 0 && tick->usual_ns <= list->limit_ns;
}

/* Whether half of the slow ticks are known to be the computer's. */
static bool was_slow_in_most(const struct tick_statistics *ticks, const struct tick_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < ticks->over_row_count; i++)
        count += ticks->worst[i]->is_dear && would_be_fast(list, ticks->worst[i]);
    return count > 0 && 2 * count >= ticks->over_row_count;
}

/* Whether interruptions took much of the time of many functions. */
static bool was_interrupted(const struct long_calls *long_calls, int64_t all_ns)
{
    enum { PARTS = 10, FUNCTIONS_MIN = 10 };
    return long_calls->interrupted_count >= FUNCTIONS_MIN && long_calls->over_ns > all_ns / PARTS;
}

/* Adds up those that are marked. */
static struct computer_ticks sum_up(const struct tick_statistics *ticks)
{
    struct computer_ticks found = {0};
    for (size_t i = 0; i < ticks->over_row_count; i++) {
        const struct tick *tick = ticks->worst[i];
        found.is_doubtful |= tick->usual_ns < 0;
        if (tick->is_disturbed) {
            found.count++;
            found.time_ns += tick->time_ns;
            found.over_ns += tick->time_ns - tick->usual_ns;
            if (tick->usual_ns > found.most_usual_ns)
                found.most_usual_ns = tick->usual_ns;
        } else if (found.lead == NULL) {
            found.lead = tick;
        }
    }
    if (found.lead == NULL && ticks->row_count > 0)
        found.lead = ticks->worst[0];
    return found;
}

struct computer_ticks computer_ticks_find(struct tick_statistics *ticks,
                                          const struct tick_list *list,
                                          const struct long_calls *long_calls, int64_t all_ns)
{
    bool has_usual = ticks->row_count == 1 || 2 * ticks->over_row_count <= ticks->row_count;
    bool is_slow =
        has_usual && (was_slow_in_most(ticks, list) || was_interrupted(long_calls, all_ns));
    for (size_t i = 0; i < list->count; i++) {
        struct tick *tick = &list->ticks[i];
        if (tick_is_slow(tick))
            tick->is_disturbed =
                has_usual && would_be_fast(list, tick) && (is_slow || tick->is_dear);
    }
    struct computer_ticks found = sum_up(ticks);
    ticks->disturbed_count = found.is_doubtful ? 0 : found.count;
    return found;
}
