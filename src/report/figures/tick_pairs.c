#include "report/figures/tick_pairs.h"

#include "base/mem.h"

#include <stdlib.h>

static int compare_ticks(const void *left, const void *right)
{
    const struct tick *a = *(const struct tick *const *)left;
    const struct tick *b = *(const struct tick *const *)right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    /* Equal ticks stay in the order of the list. */
    return a < b ? -1 : a > b;
}

static const struct tick **sort(const struct tick_list *list)
{
    const struct tick **sorted = mem_zeroed(list->count, sizeof *sorted);
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = &list->ticks[i];
    if (list->count > 0)
        qsort(sorted, list->count, sizeof *sorted, compare_ticks);
    return sorted;
}

static void add(struct tick_pairs *pairs, const struct tick *now, const struct tick *old)
{
    pairs->all[pairs->count++] = (struct tick_pair){now, old};
    if (now == NULL || old == NULL)
        return;
    pairs->same_count++;
    pairs->longer_count += now->time_ns > old->time_ns;
    pairs->shorter_count += now->time_ns < old->time_ns;
    pairs->now_ns += now->time_ns;
    pairs->old_ns += old->time_ns;
}

void tick_pairs_init(struct tick_pairs *pairs, const struct tick_list *now,
                     const struct tick_list *old)
{
    const struct tick **now_sorted = sort(now);
    const struct tick **old_sorted = sort(old);
    size_t i = 0, k = 0;
    *pairs = (struct tick_pairs){.all = mem_zeroed(now->count + old->count, sizeof *pairs->all)};
    while (i < now->count || k < old->count) {
        bool has_both = i < now->count && k < old->count;
        bool takes_now =
            k == old->count || (has_both && now_sorted[i]->number <= old_sorted[k]->number);
        bool takes_old =
            i == now->count || (has_both && old_sorted[k]->number <= now_sorted[i]->number);
        add(pairs, takes_now ? now_sorted[i] : NULL, takes_old ? old_sorted[k] : NULL);
        i += takes_now;
        k += takes_old;
    }
    free(now_sorted);
    free(old_sorted);
}

void tick_pairs_release(struct tick_pairs *pairs)
{
    free(pairs->all);
    *pairs = (struct tick_pairs){0};
}

int64_t tick_pair_number(const struct tick_pair *pair)
{
    return pair->now != NULL ? pair->now->number : pair->old->number;
}

int64_t tick_pair_difference_ns(const struct tick_pair *pair)
{
    return pair->now->time_ns - pair->old->time_ns;
}

static int compare_changes(const void *left, const void *right)
{
    const struct tick_pair *a = *(const struct tick_pair *const *)left;
    const struct tick_pair *b = *(const struct tick_pair *const *)right;
    int64_t change = llabs(tick_pair_difference_ns(a));
    int64_t other = llabs(tick_pair_difference_ns(b));
    if (change != other)
        return change > other ? -1 : 1;
    return a < b ? -1 : a > b;
}

const struct tick_pair **tick_pairs_by_change(const struct tick_pairs *pairs)
{
    const struct tick_pair **sorted = mem_zeroed(pairs->same_count, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->all[i].now != NULL && pairs->all[i].old != NULL)
            sorted[count++] = &pairs->all[i];
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, compare_changes);
    return sorted;
}
