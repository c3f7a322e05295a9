#include "rebuild/ticks/ticks.h"

#include "base/mem.h"
#include "base/number.h"

const struct tick_kind tick_kinds[LUA_STATE_COUNT] = {
    [LUA_STATE_FIRST] = {"tick", "ticks", "Tick", 100000000},
    [LUA_STATE_SIM] = {"tick", "ticks", "Tick", 100000000},
    [LUA_STATE_UI] = {"frame", "frames", "Frame", 33000000},
};

bool tick_collects(const struct tick_list *list, int64_t number)
{
    return list->state != LUA_STATE_UI && number % TICKS_A_COLLECTION == 0;
}

static int compare_ticks(const void *left, const void *right)
{
    const struct tick *a = *(const struct tick *const *)left;
    const struct tick *b = *(const struct tick *const *)right;
    /* Equal ticks stay in the order of the list. */
    return ORDER(b->time_ns,
                 a->time_ns,
                 ORDER(a->recording, b->recording, ORDER(a->number, b->number, ORDER(a, b, 0))));
}

size_t tick_list_game_count(const struct tick_list *list)
{
    size_t count = 0;
    for (size_t i = 0; list->is_sampled && i < list->count; i++)
        count += list->ticks[i].weight;
    return list->is_sampled ? count : list->count;
}

size_t tick_list_count_over(const struct tick_list *list, int64_t limit_ns)
{
    size_t count = 0, recorded = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        bool is_over = tick->time_ns > limit_ns;
        recorded += is_over;
        count += is_over ? tick_list_weight(list, tick) : 0;
    }
    return count > recorded ? count : recorded;
}

/* The time that `percent` of 100 ticks do not exceed. */
static int64_t percentile(const struct tick_statistics *statistics, const struct tick_list *list,
                          size_t percent)
{
    size_t longer = statistics->count - 1 - number_rank(statistics->count, percent), row = 0;
    for (; longer >= tick_list_weight(list, statistics->worst[row]); row++)
        longer -= tick_list_weight(list, statistics->worst[row]);
    return statistics->worst[row]->time_ns;
}

/*
 * Returns the value that at least three quarters of the distances have, if these are half of their
 * sum, or 0. Sorts the distances.
 */
static int64_t find_common(double *distances, size_t count)
{
    enum { COUNT_MIN = 3 };
    if (count < COUNT_MIN)
        return 0;
    number_sort(distances, count);
    double middle = distances[count / 2], sum = 0;
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
        equal += distances[i] == middle;
        sum += distances[i];
    }
    bool is_common = 4 * equal >= 3 * count && 2 * (double)equal * middle >= sum;
    return is_common && middle > 1 ? (int64_t)middle : 0;
}

struct tick_distance tick_distance_find(const struct tick_list *list)
{
    struct tick_distance distance = {0};
    const struct tick *before = NULL;
    size_t count = 0;
    /* Those between are not known. */
    if (list->is_sampled)
        return distance;
    SCOPED_ARRAY double *distances = mem_zeroed(list->count, sizeof *distances);
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        if (tick->over_ns <= 0)
            continue;
        distance.slow_count++;
        if (before != NULL && before->recording == tick->recording)
            distances[count++] = (double)(tick->number - before->number);
        before = tick;
    }
    distance.ticks = find_common(distances, count);
    distance.is_collection =
        distance.ticks == TICKS_A_COLLECTION && tick_collects(list, before->number);
    return distance;
}

void tick_list_release(struct tick_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        MEM_FREE(list->ticks[i].functions, list->ticks[i].all);
    free(list->ticks);
    *list = (struct tick_list){0};
}

void tick_statistics_init(struct tick_statistics *statistics, const struct tick_list *list)
{
    *statistics = (struct tick_statistics){.count = tick_list_game_count(list),
                                           .row_count = list->count,
                                           .over_count = tick_list_count_over(list, list->limit_ns),
                                           .distance = tick_distance_find(list)};
    int64_t largest_ns = 0, recorded_over_ns = 0;
    statistics->worst = mem_zeroed(list->count, sizeof *statistics->worst);
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        size_t weight = tick_list_weight(list, tick);
        int64_t ns = tick->time_ns * (int64_t)weight;
        statistics->worst[i] = tick;
        statistics->total_ns += ns;
        statistics->sampled_count += weight > 0;
        if (ns > largest_ns) {
            statistics->largest = tick;
            largest_ns = ns;
        }
        if (tick->over_ns <= 0)
            continue;
        statistics->over_row_count++;
        statistics->sampled_over_count += weight > 0;
        statistics->over_ns += tick->over_ns * (int64_t)weight;
        recorded_over_ns += tick->over_ns;
    }
    if (statistics->over_ns < recorded_over_ns)
        statistics->over_ns = recorded_over_ns;
    if (statistics->count == 0)
        return;
    statistics->largest_share =
        largest_ns > 0 ? (double)largest_ns / (double)statistics->total_ns : 0;
    qsort(statistics->worst, list->count, sizeof *statistics->worst, compare_ticks);
    statistics->median_ns = percentile(statistics, list, 50);
    statistics->percentile_95_ns = percentile(statistics, list, 95);
    statistics->percentile_99_ns = percentile(statistics, list, 99);
    statistics->longest_ns = statistics->worst[0]->time_ns;
}

void tick_statistics_release(struct tick_statistics *statistics)
{
    free(statistics->worst);
    *statistics = (struct tick_statistics){0};
}
