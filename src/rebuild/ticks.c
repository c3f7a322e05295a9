#include "rebuild/ticks.h"

#include "base/mem.h"

#include <stdlib.h>

static int compare_ticks(const void *left, const void *right)
{
    const struct tick *a = *(const struct tick *const *)left;
    const struct tick *b = *(const struct tick *const *)right;
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    /* Equal ticks stay in the order of the list. */
    return a < b ? -1 : a > b;
}

/* The time that `percent` of 100 ticks do not exceed. */
static int64_t percentile(const struct tick_statistics *statistics, size_t percent)
{
    size_t rank = (statistics->count * percent + 99) / 100;
    return statistics->worst[statistics->count - (rank > 0 ? rank : 1)]->time_ns;
}

void tick_statistics_init(struct tick_statistics *statistics, const struct tick_list *list)
{
    *statistics = (struct tick_statistics){.count = list->count};
    statistics->worst = mem_zeroed(list->count, sizeof *statistics->worst);
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        statistics->worst[i] = tick;
        if (tick->time_ns <= TICK_BUDGET_NS)
            continue;
        statistics->over_count++;
        statistics->over_ns += tick->time_ns - TICK_BUDGET_NS;
    }
    if (list->count == 0)
        return;
    qsort(statistics->worst, list->count, sizeof *statistics->worst, compare_ticks);
    statistics->median_ns = percentile(statistics, 50);
    statistics->percentile_95_ns = percentile(statistics, 95);
    statistics->percentile_99_ns = percentile(statistics, 99);
    statistics->longest_ns = statistics->worst[0]->time_ns;
}

void tick_statistics_release(struct tick_statistics *statistics)
{
    free(statistics->worst);
    *statistics = (struct tick_statistics){0};
}

void tick_list_release(struct tick_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->ticks[i].functions);
    free(list->ticks);
    *list = (struct tick_list){0};
}
