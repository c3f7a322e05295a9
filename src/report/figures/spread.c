#include "report/figures/spread.h"

#include "base/mem.h"
#include "base/number.h"
#include "report/figures/what_if.h"

#include <stdlib.h>

enum { EVERY_MAX = 63 };

/* The wakes of one function, [count]. */
struct group {
    const struct wake *wakes;
    size_t count;
};

/* The distance that most wakes have to the one before of their thread; 0: they have none. */
static uint32_t find_every(const struct group *group)
{
    size_t counts[EVERY_MAX + 1] = {0}, all = 0;
    uint32_t best = 0;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t gap = group->wakes[i].gap;
        all += gap > 0;
        counts[gap <= EVERY_MAX ? gap : 0]++;
    }
    for (uint32_t gap = 1; gap <= EVERY_MAX; gap++)
        best = counts[gap] > counts[best] || best == 0 ? gap : best;
    return 2 * counts[best] >= all && counts[best] > 0 ? best : 0;
}

static int compare_numbers(const void *key, const void *item)
{
    int64_t a = *(const int64_t *)key, b = ((const struct tick *)item)->number;
    return a < b ? -1 : a > b;
}

static size_t find_tick(const struct tick_list *ticks, uint32_t number)
{
    int64_t key = number;
    const struct tick *found =
        bsearch(&key, ticks->ticks, ticks->count, sizeof *ticks->ticks, compare_numbers);
    return found != NULL ? (size_t)(found - ticks->ticks) : ticks->count;
}

/* Returns the longest tick after that. */
static int64_t spread_group(const struct group *group, const struct tick_list *ticks,
                            uint32_t every)
{
    struct together {
        double ns, more_ns;
        size_t wakes;
    } *at = mem_zeroed(ticks->count, sizeof *at);
    double longest_ns = 0;
    for (size_t i = 0; i < group->count; i++) {
        size_t tick = find_tick(ticks, group->wakes[i].tick);
        if (tick == ticks->count)
            continue;
        at[tick].ns += (double)group->wakes[i].units;
        at[tick].wakes++;
    }
    for (size_t i = 0; i < ticks->count; i++)
        for (size_t k = i; at[i].wakes > 1 && k < ticks->count && k < i + every; k++)
            at[k].more_ns += at[i].ns / every;
    for (size_t i = 0; i < ticks->count; i++) {
        double ns = (double)what_if_tick_ns(&ticks->ticks[i]) + at[i].more_ns -
                    (at[i].wakes > 1 ? at[i].ns : 0);
        longest_ns = ns > longest_ns ? ns : longest_ns;
    }
    free(at);
    return number_nearest(longest_ns);
}

/* The time of the wakes in the longest tick; 0 if it is only one, or they do not come regularly. */
static int64_t time_of(struct spread *spread, const struct group *group)
{
    int64_t ns = 0;
    spread->wakes = 0;
    for (size_t i = 0; i < group->count; i++)
        if (group->wakes[i].tick == spread->tick) {
            ns += group->wakes[i].units;
            spread->wakes++;
        }
    spread->every = spread->wakes > 1 ? find_every(group) : 0;
    return spread->every > 1 ? ns : 0;
}

/* Whether the ticks are those of one run, in ascending order, and finds the longest. */
static bool find_longest(struct spread *spread, const struct tick_list *ticks)
{
    for (size_t i = 0; i < ticks->count; i++) {
        const struct tick *tick = &ticks->ticks[i];
        if (i > 0 && (tick->run != tick[-1].run || tick->number <= tick[-1].number))
            return false;
        if (what_if_tick_ns(tick) > spread->longest_ns) {
            spread->longest_ns = what_if_tick_ns(tick);
            spread->tick = tick->number;
        }
    }
    return ticks->count > 1;
}

bool spread_find(struct spread *best, const struct thread_sums *threads,
                 const struct tick_list *ticks)
{
    struct spread spread = {0};
    struct group most = {0};
    int64_t most_ns = SPREAD_MIN_NS - 1;
    if (!find_longest(&spread, ticks))
        return false;
    for (size_t i = 1, from = 0; i <= threads->wake_count; i++) {
        if (i < threads->wake_count && threads->wakes[i].function == threads->wakes[from].function)
            continue;
        struct group group = {threads->wakes + from, i - from};
        int64_t ns = time_of(&spread, &group);
        from = i;
        if (ns <= most_ns)
            continue;
        most_ns = ns;
        most = group;
        spread.function = group.wakes[0].function;
        *best = spread;
    }
    if (most.count == 0)
        return false;
    best->then_ns = spread_group(&most, ticks, best->every);
    return best->longest_ns - best->then_ns >= SPREAD_MIN_NS;
}
