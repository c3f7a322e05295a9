#include "report/figures/watched_threads.h"

#include "base/number.h"
#include "report/figures/watched.h"

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

/* The functions have their places in `all`, and the last is for the others. */
static void add_lines(struct watched_threads *sums, const struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    uint32_t others = profile->symbols.function_count;
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *threads = &watches->threads[i];
        if (!profile_takes_watch(profile, threads->recording) ||
            !profile_takes_tick(profile, threads->recording, threads->first) ||
            !profile_takes_tick(profile, threads->recording, threads->last))
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
