#include "report/figures/tick_pairs.h"

#include "base/mem.h"

/* Returns the ticks in order of number, then run, then list; a key is that of the number. */
static struct keyed *sort(const struct tick_list *list)
{
    struct keyed *sorted = mem_zeroed(list->count, sizeof *sorted);
    for (uint32_t i = 0; i < list->count; i++)
        sorted[i] = (struct keyed){list->ticks[i].recording, i};
    key_sort(sorted, list->count);
    for (size_t i = 0; i < list->count; i++)
        sorted[i].key = (uint64_t)list->ticks[sorted[i].item].number ^ (uint64_t)1 << 63;
    key_sort(sorted, list->count);
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
    struct keyed *now_sorted = sort(now), *old_sorted = sort(old);
    size_t i = 0, k = 0;
    *pairs = (struct tick_pairs){.all = mem_zeroed(now->count + old->count, sizeof *pairs->all)};
    while (i < now->count || k < old->count) {
        bool has_both = i < now->count && k < old->count;
        bool takes_now = k == old->count || (has_both && now_sorted[i].key <= old_sorted[k].key);
        bool takes_old = i == now->count || (has_both && old_sorted[k].key <= now_sorted[i].key);
        /* Other neighbours are joined to it: it cannot be compared. */
        if (takes_now && takes_old &&
            now->ticks[now_sorted[i].item].joined != old->ticks[old_sorted[k].item].joined)
            takes_old = false;
        add(pairs, takes_now ? &now->ticks[now_sorted[i].item] : NULL,
            takes_old ? &old->ticks[old_sorted[k].item] : NULL);
        i += takes_now;
        k += takes_old;
    }
    MEM_FREE(now_sorted, old_sorted);
}

void tick_pairs_release(struct tick_pairs *pairs)
{
    free(pairs->all);
    *pairs = (struct tick_pairs){0};
}

void tick_pairs_keep_changes(struct tick_pairs *pairs)
{
    struct keyed *sorted = mem_zeroed(pairs->same_count, sizeof *sorted);
    struct tick_pair *kept = mem_zeroed(pairs->same_count, sizeof *kept);
    size_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct tick_pair *pair = &pairs->all[i];
        if (pair->now != NULL && pair->old != NULL && pair->now->time_ns != pair->old->time_ns)
            sorted[count++] =
                (struct keyed){~(uint64_t)llabs(pair->now->time_ns - pair->old->time_ns), i};
    }
    key_sort(sorted, count);
    for (size_t i = 0; i < count; i++)
        kept[i] = pairs->all[sorted[i].item];
    MEM_FREE(sorted, pairs->all);
    pairs->all = kept;
    pairs->count = count;
}
