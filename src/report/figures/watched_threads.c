#include "report/figures/watched_threads.h"

#include "base/number.h"
#include "report/figures/watched.h"

#include <math.h>

/* A damaged log may have any number of the longest times. */
static int64_t add_ns(int64_t a, int64_t b)
{
    const int64_t most = INT64_MAX / 2;
    return a > most - b ? most : a + b;
}

static void add_sum(struct watched_thread *thread, const struct watch_sum *sum)
{
    thread->wakes += sum->wakes;
    thread->time_ns = add_ns(thread->time_ns, sum->time_ns);
    thread->longest_ns =
        sum->longest_ns > thread->longest_ns ? sum->longest_ns : thread->longest_ns;
}

bool watched_takes_minute(const struct profile *profile, const struct watch_threads *minute)
{
    return profile_takes_watch(profile, minute->recording) && minute->last >= minute->first &&
           profile_takes_tick(profile, minute->recording, minute->first) &&
           profile_takes_tick(profile, minute->recording, minute->last);
}

/* The functions have their places in `all`, and the last is for the others. */
static void add_lines(struct watched_threads *sums, const struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    uint32_t others = profile->symbols.function_count;
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *threads = &watches->threads[i];
        if (!watched_takes_minute(profile, threads))
            continue;
        sums->tick_count += (uint64_t)(threads->last - threads->first) + 1;
        for (size_t k = 0; k < threads->count; k++) {
            const struct watch_sum *sum = &watches->sums[threads->from + k];
            add_sum(&sums->all[sum->function < 0 ? others : (uint32_t)sum->function], sum);
        }
    }
}

static void count_slow_ticks(struct watched_thread *all, const struct profile *profile)
{
    SCOPED(watched) watched;
    watched_init(&watched, profile);
    for (size_t i = 0; i < watched.slowest_count; i++)
        if (watched.slowest[i].is_slow && watched.slowest[i].function != TREE_NONE)
            all[watched.slowest[i].function].slow_count++;
}

COMPARES(compare_threads, struct watched_thread,
         ORDER(b->time_ns, a->time_ns, ORDER(a->function, b->function, 0)))

void watched_threads_init(struct watched_threads *threads, const struct profile *profile)
{
    uint32_t count = profile->symbols.function_count;
    *threads = (struct watched_threads){.all = mem_zeroed((size_t)count + 1, sizeof *threads->all)};
    add_lines(threads, profile);
    count_slow_ticks(threads->all, profile);
    for (uint32_t i = 0; i <= count; i++) {
        struct watched_thread thread = threads->all[i];
        thread.function = i < count ? i : TREE_NONE;
        if (thread.wakes == 0)
            continue;
        threads->all[threads->count++] = thread;
        threads->time_ns = add_ns(threads->time_ns, thread.time_ns);
    }
    if (threads->count > 1)
        qsort(threads->all, threads->count, sizeof *threads->all, compare_threads);
}

void watched_threads_release(struct watched_threads *threads)
{
    free(threads->all);
    *threads = (struct watched_threads){0};
}

/* Two games --------------------------------------------------------------------------------- */

double watched_threads_tick_ns(const struct watched_threads *threads, int64_t ns)
{
    return threads->tick_count > 0 ? (double)ns / (double)threads->tick_count : 0;
}

/* Functions have their places in `all`, and the last is for the others. */
static void add_sides(struct watched_change *all, uint32_t count, struct watched_changes *changes,
                      const uint32_t *old_functions)
{
    for (size_t i = 0; i < changes->now.count; i++) {
        const struct watched_thread *thread = &changes->now.all[i];
        struct watched_change *change = &all[thread->function < count ? thread->function : count];
        change->now = thread;
        change->now_ns = watched_threads_tick_ns(&changes->now, thread->time_ns);
    }
    for (size_t i = 0; i < changes->old.count; i++) {
        const struct watched_thread *thread = &changes->old.all[i];
        uint32_t function = thread->function;
        if (function != TREE_NONE && old_functions != NULL)
            function = old_functions[function];
        struct watched_change *change = &all[function < count ? function : count];
        change->old = thread;
        change->old_ns = watched_threads_tick_ns(&changes->old, thread->time_ns);
    }
}

COMPARES(compare_changes, struct watched_change,
         ORDER(fabs(b->now_ns - b->old_ns), fabs(a->now_ns - a->old_ns),
               ORDER(a->function, b->function, 0)))

void watched_changes_init(struct watched_changes *changes, const struct report *report)
{
    uint32_t count = report->profile->symbols.function_count;
    *changes = (struct watched_changes){.all = mem_zeroed((size_t)count + 1, sizeof *changes->all)};
    watched_threads_init(&changes->now, report->profile);
    watched_threads_init(&changes->old, report->old->profile);
    add_sides(changes->all, count, changes, report->old->functions);
    for (uint32_t i = 0; i <= count; i++) {
        struct watched_change change = changes->all[i];
        change.function = i < count ? i : TREE_NONE;
        if (change.now != NULL || change.old != NULL)
            changes->all[changes->count++] = change;
    }
    if (changes->count > 1)
        qsort(changes->all, changes->count, sizeof *changes->all, compare_changes);
}

void watched_changes_release(struct watched_changes *changes)
{
    watched_threads_release(&changes->now);
    watched_threads_release(&changes->old);
    free(changes->all);
}

/* One of several ---------------------------------------------------------------------------- */

static void find_lengths(struct log_watch *watch, const struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    size_t count = 0;
    SCOPED_ARRAY double *lengths = mem_zeroed(watches->length_count, sizeof *lengths);
    struct watch_tick tick = {0};
    while (profile_next_watch_tick(profile, &tick))
        lengths[count++] = (double)tick.length_ns;
    if (count == 0)
        return;
    number_sort(lengths, count);
    watch->totals[WATCH_TICK_MEDIAN] = lengths[number_rank(count, 50)];
    watch->totals[WATCH_TICK_95] = lengths[number_rank(count, 95)];
    watch->totals[WATCH_TICK_99] = lengths[number_rank(count, 99)];
    watch->totals[WATCH_TICK_LONGEST] = lengths[count - 1];
}

static void find_threads(struct log_watch *watch, const struct profile *profile)
{
    SCOPED(watched_threads) threads;
    watched_threads_init(&threads, profile);
    watch->totals[WATCH_THREADS_TICK] = watched_threads_tick_ns(&threads, threads.time_ns);
    watch->threads = mem_zeroed(threads.count, sizeof *watch->threads);
    for (size_t i = 0; i < threads.count; i++)
        if (threads.all[i].function != TREE_NONE)
            watch->threads[watch->thread_count++] = (struct log_thread){
                threads.all[i].function, watched_threads_tick_ns(&threads, threads.all[i].time_ns)};
}

void watched_values_find(struct log_watch *watch, const struct profile *profile)
{
    SCOPED(watched) watched;
    watched_init(&watched, profile);
    *watch = (struct log_watch){.is_there = true};
    watch->totals[WATCH_TICKS] = (double)watched.tick_count;
    watch->totals[WATCH_SLOW_TICKS] = (double)watched.slow_count;
    find_lengths(watch, profile);
    find_threads(watch, profile);
}
