#include "report/figures/watched.h"

#include "base/sort.h"

/* Lengths are rounded to these steps. */
enum { LENGTH_STEP_NS = 100000 };

/* Whether a rounded length is of a slow tick, for sure. */
static bool is_surely_slow(int64_t length_ns, int64_t slow_ns)
{
    return length_ns - LENGTH_STEP_NS / 2 >= slow_ns;
}

/* Counts the ticks whose lengths are there, and sets for each recording the one after the last:
 * without any, where it began. */
static void count_lengths(struct watched *watched, const struct profile *profile, int64_t *ends)
{
    const struct watches *watches = &profile->recordings.watches;
    for (size_t i = 0; i < profile->recordings.count; i++)
        ends[i] = profile->recordings.all[i].begin_tick;
    for (size_t i = 0; i < watches->tick_count; i++) {
        const struct watch_ticks *ticks = &watches->ticks[i];
        int64_t slow_ns = profile->recordings.all[ticks->recording].slow_ns;
        int64_t end = ticks->first + (int64_t)ticks->count;
        if (!profile_takes_watch(profile, ticks->recording))
            continue;
        for (size_t k = 0; k < ticks->count; k++) {
            if (!profile_takes_tick(profile, ticks->recording, ticks->first + (int64_t)k))
                continue;
            watched->tick_count++;
            watched->slow_count += is_surely_slow(watches->lengths[ticks->from + k], slow_ns);
        }
        ends[ticks->recording] = end > ends[ticks->recording] ? end : ends[ticks->recording];
    }
}

/* Counts the ticks from there to the last slow one: a log that is cut has slow ticks of its last
 * minute, but no lengths, which are written at the end of each. */
static void count_last_minutes(struct watched *watched, const struct profile *profile,
                               int64_t *ends)
{
    enum { MINUTE_TICKS = 600 };
    const struct watches *watches = &profile->recordings.watches;
    SCOPED_ARRAY int64_t *lasts = mem_zeroed(profile->recordings.count, sizeof *lasts);
    for (size_t i = 0; i < watches->slow_tick_count; i++) {
        const struct watch_slow_tick *slow = &watches->slow_ticks[i];
        int64_t *end = &ends[slow->recording], *last = &lasts[slow->recording];
        *end = *end < 0 ? slow->tick : *end;
        *last = slow->tick >= *last ? slow->tick + 1 : *last;
    }
    for (uint32_t i = 0; i < profile->recordings.count; i++) {
        int64_t from = lasts[i] - MINUTE_TICKS;
        for (int64_t tick = ends[i] > from ? ends[i] : from; tick < lasts[i]; tick++)
            watched->tick_count +=
                profile_takes_watch(profile, i) && profile_takes_tick(profile, i, tick);
    }
}

/* Sets the function whose threads took the most, of those that are known. */
static void find_function(struct watched_tick *tick, const struct watches *watches)
{
    for (size_t i = 0; i < tick->line->count; i++) {
        const struct watch_sum *sum = &watches->sums[tick->line->from + i];
        if (sum->function < 0 || sum->time_ns <= tick->function_ns)
            continue;
        tick->function = (uint32_t)sum->function;
        tick->function_ns = sum->time_ns;
    }
}

/* Adds the slow ticks, and those with gaps; and counts the slow ones without a length. */
static void add_slow_ticks(struct watched *watched, const struct profile *profile,
                           const int64_t *ends)
{
    const struct watches *watches = &profile->recordings.watches;
    size_t capacity = 0;
    for (size_t i = 0; i < watches->slow_tick_count; i++) {
        const struct watch_slow_tick *slow = &watches->slow_ticks[i];
        struct watched_tick tick = {.recording = slow->recording,
                                    .number = slow->tick,
                                    .time_ns = slow->time_ns,
                                    .function = TREE_NONE,
                                    .line = slow};
        int64_t slow_ns = profile->recordings.all[slow->recording].slow_ns;
        int64_t length_ns = (slow->time_ns + LENGTH_STEP_NS / 2) / LENGTH_STEP_NS * LENGTH_STEP_NS;
        bool is_after = slow->tick >= ends[slow->recording];
        if (!profile_takes_watch(profile, slow->recording) ||
            !profile_takes_tick(profile, slow->recording, slow->tick))
            continue;
        tick.is_slow = slow->time_ns > slow_ns;
        if (!tick.is_slow && slow->gaps.time_ns == 0)
            continue;
        find_function(&tick, watches);
        MEM_APPEND(watched->slowest, watched->slowest_count, capacity, tick);
        watched->slow_count += tick.is_slow && (is_after || !is_surely_slow(length_ns, slow_ns));
        watched->gap_count += !tick.is_slow;
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

/* What passed in a tick: in wakes, or in none. */
static int64_t passed_ns(const struct watched_tick *tick)
{
    int64_t gaps_ns = tick->line->gaps.time_ns;
    return gaps_ns > tick->time_ns ? gaps_ns : tick->time_ns;
}

static int compare_ticks(const void *left, const void *right)
{
    const struct watched_tick *a = left, *b = right;
    return ORDER(passed_ns(b),
                 passed_ns(a),
                 ORDER(a->recording, b->recording, ORDER(a->number, b->number, 0)));
}

/* Where a tick waits next ---------------------------------------------------------------------- */

static int compare_wakes(const void *left, const void *right)
{
    const struct watch_wake *a = *(struct watch_wake *const *)left;
    const struct watch_wake *b = *(struct watch_wake *const *)right;
    return ORDER(
        a->recording,
        b->recording,
        ORDER(a->tick,
              b->tick,
              ORDER(a->function, b->function, ORDER(b->time_ns, a->time_ns, ORDER(a, b, 0)))));
}

static int compare_to_wake(const void *key, const void *item)
{
    const struct watched_tick *tick = key;
    const struct watch_wake *wake = *(struct watch_wake *const *)item;
    return ORDER(
        tick->recording,
        wake->recording,
        ORDER(tick->number, wake->tick, ORDER((int64_t)tick->function, wake->function, 0)));
}

/* Those of slow ticks in the order of compare_wakes(). */
struct long_wakes {
    struct watch_wake **all; /* [count] */
    size_t count;
};

static struct long_wakes sort_wakes(const struct watches *watches)
{
    struct long_wakes wakes = {mem_zeroed(watches->wake_count, sizeof *wakes.all),
                               watches->wake_count};
    for (size_t i = 0; i < wakes.count; i++)
        wakes.all[i] = &watches->wakes[i];
    if (wakes.count > 1)
        qsort(wakes.all, wakes.count, sizeof *wakes.all, compare_wakes);
    return wakes;
}

/* Returns the longest one of a tick's function in it: the first that is not before it; or NULL. */
static const struct watch_wake *longest_wake(const struct long_wakes *wakes,
                                             const struct watched_tick *tick)
{
    size_t at = search_first(tick, wakes->all, wakes->count, sizeof *wakes->all, compare_to_wake);
    bool is_there = tick->function != TREE_NONE && at < wakes->count &&
                    compare_to_wake(tick, &wakes->all[at]) == 0;
    return is_there ? wakes->all[at] : NULL;
}

/* What it did ---------------------------------------------------------------------------------- */

/* The recorded wakes of a function in a tick. */
struct exact_tick {
    uint32_t log, game, function, recording;
    int64_t tick, time_ns;
    const struct exact_wake *longest;
};

COMPARES(compare_exact, struct exact_tick,
         ORDER(a->log, b->log,
               ORDER(a->game, b->game,
                     ORDER(a->function, b->function,
                           ORDER(a->recording, b->recording, ORDER(a->tick, b->tick, 0))))))

COMPARES(compare_exact_wakes, struct exact_tick,
         ORDER(compare_exact(a, b), 0, ORDER(a->longest, b->longest, 0)))

/* What all of it took, also of a wake of which only the beginning was recorded. */
static int64_t whole_ns(const struct exact_tick *sum, const struct long_wakes *wakes)
{
    struct watched_tick tick = {
        .recording = sum->recording, .number = sum->tick, .function = sum->function};
    const struct watch_wake *wake = sum->longest->is_cut ? longest_wake(wakes, &tick) : NULL;
    if (wake == NULL || wake->time_ns <= sum->longest->time_ns)
        return sum->time_ns;
    return sum->time_ns - sum->longest->time_ns + wake->time_ns;
}

/* Adds up the wakes of a tick, and keeps the ticks in which they were slow also without what the
 * recording has added. Returns how many these are. */
static size_t join_exact(struct exact_tick *ticks, size_t count, const struct profile *profile,
                         const struct long_wakes *wakes)
{
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        struct exact_tick sum = ticks[i++];
        for (; i < count && compare_exact(&sum, &ticks[i]) == 0; i++) {
            sum.time_ns += ticks[i].time_ns;
            if (ticks[i].longest->time_ns > sum.longest->time_ns)
                sum.longest = ticks[i].longest;
        }
        if (whole_ns(&sum, wakes) > profile->recordings.all[sum.recording].slow_ns)
            ticks[kept++] = sum;
    }
    return kept;
}

/* Returns the recorded slow ticks of functions, in order; sets their number. */
static struct exact_tick *sort_exact(const struct profile *profile, const struct long_wakes *wakes,
                                     size_t *count)
{
    const struct exact_wakes *exact = &profile->exact_wakes;
    struct exact_tick *ticks = mem_zeroed(exact->count, sizeof *ticks);
    for (size_t i = 0; i < exact->count; i++) {
        const struct exact_wake *wake = &exact->all[i];
        ticks[i] = (struct exact_tick){profile->recordings.all[wake->recording].log,
                                       profile->recordings.all[wake->recording].game,
                                       wake->function,
                                       wake->recording,
                                       wake->tick,
                                       wake->time_ns,
                                       wake};
    }
    if (exact->count > 1)
        qsort(ticks, exact->count, sizeof *ticks, compare_exact_wakes);
    *count = join_exact(ticks, exact->count, profile, wakes);
    return ticks;
}

/* Whether a recorded tick tells what a slow one may have done. */
static bool is_alike(const struct exact_tick *a, const struct exact_tick *b)
{
    return a->log == b->log && a->game == b->game && a->function == b->function;
}

/* The own wakes of a tick explain it, else the next ones that were slow, else those before. */
static void find_exact(struct watched *watched, const struct profile *profile,
                       const struct long_wakes *wakes)
{
    size_t count;
    SCOPED_ARRAY struct exact_tick *ticks = sort_exact(profile, wakes, &count);
    for (size_t i = 0; i < watched->slowest_count; i++) {
        struct watched_tick *tick = &watched->slowest[i];
        struct exact_tick key = {profile->recordings.all[tick->recording].log,
                                 profile->recordings.all[tick->recording].game,
                                 tick->function,
                                 tick->recording,
                                 tick->number,
                                 0,
                                 NULL};
        size_t at = search_first(&key, ticks, count, sizeof *ticks, compare_exact);
        bool is_later = at < count && is_alike(&key, &ticks[at]);
        if (!tick->is_slow || tick->function == TREE_NONE ||
            (!is_later && (at == 0 || !is_alike(&key, &ticks[at - 1]))))
            continue;
        tick->exact = ticks[is_later ? at : at - 1].longest;
        tick->exact_of = !is_later                              ? EXACT_EARLIER
                         : compare_exact(&key, &ticks[at]) == 0 ? EXACT_OWN
                                                                : EXACT_LATER;
    }
}

/* When they come --------------------------------------------------------------------------------
 */

COMPARES(compare_numbers, struct tick,
         ORDER(a->recording, b->recording, ORDER(a->number, b->number, 0)))

/* As of the ticks of other recordings. */
static struct tick_distance find_distance(const struct watched *watched,
                                          const struct profile *profile)
{
    struct tick_list list = {.state = profile->rebuild.state};
    SCOPED_ARRAY struct tick *ticks = mem_zeroed(watched->slowest_count, sizeof *ticks);
    for (size_t i = 0; i < watched->slowest_count; i++) {
        const struct watched_tick *slow = &watched->slowest[i];
        if (slow->is_slow)
            ticks[list.count++] =
                (struct tick){.recording = slow->recording, .number = slow->number, .over_ns = 1};
    }
    if (list.count < watched->slow_count)
        return (struct tick_distance){0};
    if (list.count > 1)
        qsort(ticks, list.count, sizeof *ticks, compare_numbers);
    list.ticks = ticks;
    return tick_distance_find(&list);
}

void watched_init(struct watched *watched, const struct profile *profile)
{
    SCOPED_ARRAY int64_t *ends = mem_zeroed(profile->recordings.count, sizeof *ends);
    *watched = (struct watched){.slow_ns = common_limit(profile)};
    count_lengths(watched, profile, ends);
    count_last_minutes(watched, profile, ends);
    add_slow_ticks(watched, profile, ends);
    struct long_wakes wakes = sort_wakes(&profile->recordings.watches);
    for (size_t i = 0; i < watched->slowest_count; i++)
        watched->slowest[i].wake = longest_wake(&wakes, &watched->slowest[i]);
    find_exact(watched, profile, &wakes);
    free(wakes.all);
    watched->distance = find_distance(watched, profile);
    if (watched->slowest_count > 0)
        qsort(watched->slowest, watched->slowest_count, sizeof *watched->slowest, compare_ticks);
}

void watched_release(struct watched *watched)
{
    free(watched->slowest);
    *watched = (struct watched){0};
}
