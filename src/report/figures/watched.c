#include "report/figures/watched.h"

/* Lengths are rounded to these steps. */
enum { LENGTH_STEP_NS = 100000 };

/* Whether a rounded length is of a slow tick, for sure. */
static bool is_surely_slow(int64_t length_ns, int64_t slow_ns)
{
    return length_ns - LENGTH_STEP_NS / 2 >= slow_ns;
}

/* Counts the ticks whose lengths are there, and sets for each recording the one after the last. */
static void count_lengths(struct watched *watched, const struct profile *profile, int64_t *ends)
{
    const struct watches *watches = &profile->recordings.watches;
    for (size_t i = 0; i < watches->tick_count; i++) {
        const struct watch_ticks *ticks = &watches->ticks[i];
        int64_t slow_ns = profile->recordings.all[ticks->recording].slow_ns;
        int64_t end = ticks->first + (int64_t)ticks->count;
        if (!profile_takes_watch(profile, ticks->recording))
            continue;
        watched->tick_count += ticks->count;
        for (size_t k = 0; k < ticks->count; k++)
            watched->slow_count += is_surely_slow(watches->lengths[ticks->from + k], slow_ns);
        ends[ticks->recording] = end > ends[ticks->recording] ? end : ends[ticks->recording];
    }
}

/* Sets the function whose threads took the most, of those that are known. */
static void find_function(struct watched_tick *tick, const struct watches *watches,
                          const struct watch_slow_tick *slow)
{
    for (size_t i = 0; i < slow->count; i++) {
        const struct watch_sum *sum = &watches->sums[slow->from + i];
        if (sum->function < 0 || sum->time_ns <= tick->function_ns)
            continue;
        tick->function = (uint32_t)sum->function;
        tick->function_ns = sum->time_ns;
    }
}

/*
 * Adds the slow ticks, and counts those that count_lengths() has not: lengths are written once a
 * minute, so those of the last one are missing in a log that is cut.
 */
static void add_slow_ticks(struct watched *watched, const struct profile *profile,
                           const int64_t *ends)
{
    const struct watches *watches = &profile->recordings.watches;
    size_t capacity = 0;
    for (size_t i = 0; i < watches->slow_tick_count; i++) {
        const struct watch_slow_tick *slow = &watches->slow_ticks[i];
        struct watched_tick tick = {slow->recording, slow->tick, slow->time_ns, TREE_NONE, 0};
        int64_t slow_ns = profile->recordings.all[slow->recording].slow_ns;
        int64_t length_ns = (slow->time_ns + LENGTH_STEP_NS / 2) / LENGTH_STEP_NS * LENGTH_STEP_NS;
        bool is_after = slow->tick >= ends[slow->recording];
        /* Others are there because of what passed in no thread. */
        if (!profile_takes_watch(profile, slow->recording) || slow->time_ns <= slow_ns)
            continue;
        find_function(&tick, watches, slow);
        MEM_APPEND(watched->slowest, watched->slowest_count, capacity, tick);
        watched->slow_count += is_after || !is_surely_slow(length_ns, slow_ns);
        watched->tick_count += is_after;
    }
}

/* The limit of all watches. */
static int64_t common_limit(const struct profile *profile)
{
    int64_t limit_ns = -1;
    for (uint32_t i = 0; i < profile->recordings.count; i++) {
        int64_t slow_ns = profile->recordings.all[i].slow_ns;
        if (profile_takes_watch(profile, i))
            limit_ns = limit_ns < 0 || limit_ns == slow_ns ? slow_ns : 0;
    }
    return limit_ns;
}

static int compare(const void *left, const void *right)
{
    const struct watched_tick *a = left, *b = right;
    return ORDER(b->time_ns, a->time_ns,
                 ORDER(a->recording, b->recording, ORDER(a->number, b->number, 0)));
}

void watched_init(struct watched *watched, const struct profile *profile)
{
    SCOPED_ARRAY int64_t *ends = mem_zeroed(profile->recordings.count, sizeof *ends);
    *watched = (struct watched){.slow_ns = common_limit(profile)};
    count_lengths(watched, profile, ends);
    add_slow_ticks(watched, profile, ends);
    if (watched->slowest_count > 0)
        qsort(watched->slowest, watched->slowest_count, sizeof *watched->slowest, compare);
}

void watched_release(struct watched *watched)
{
    free(watched->slowest);
    *watched = (struct watched){0};
}
