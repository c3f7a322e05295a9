#include "rebuild/ending/thread_sums.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"

enum { POLL_CALLS_MAX = 12, POLL_WAKES_MIN = 200 };

void thread_sums_add(struct thread_sums *sums, struct wakes *wakes)
{
    /* Those of the first recording need no copy: hostile logs have a wake in each byte. */
    if (sums->wakes == NULL) {
        sums->wakes = wakes->all;
        sums->wake_count = wakes->count;
        sums->wake_capacity = wakes->capacity;
        wakes->all = NULL;
        wakes->count = wakes->capacity = 0;
    }
    for (size_t i = 0; i < wakes->count; i++)
        MEM_APPEND(sums->wakes, sums->wake_count, sums->wake_capacity, wakes->all[i]);
    for (size_t i = 0; i < wakes->life_count; i++)
        MEM_APPEND(sums->lives, sums->life_count, sums->life_capacity, wakes->lives[i]);
}

/* Puts wakes in an order, without memory for a second list. Each item becomes its own index. */
static void put_in_order(struct wake *wakes, uint32_t *order, size_t count)
{
    for (uint32_t first = 0; first < count; first++) {
        struct wake moved = wakes[first];
        uint32_t to = first;
        for (uint32_t from; (from = order[to]) != first; to = from) {
            wakes[to] = wakes[from];
            order[to] = to;
        }
        wakes[to] = moved;
        order[to] = to;
    }
}

/* By functions; those of one stay in order. */
static void sort_wakes(struct wake *wakes, size_t count)
{
    SCOPED_ARRAY uint32_t *order = mem_zeroed(count, sizeof *order), *starts = NULL;
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = wakes[i].function > last ? wakes[i].function : last;
    starts = mem_zeroed((size_t)last + 2, sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[wakes[i].function + 1]++;
    for (size_t i = 1; i <= last; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < count; i++)
        order[starts[wakes[i].function]++] = (uint32_t)i;
    put_in_order(wakes, order, count);
}

COMPARES(compare_lives, struct ended_life,
         ORDER(a->function, b->function, ORDER(a->ticks, b->ticks, 0)))

/* Finds the polls among the wakes of a root, [count]. */
static void find_polls(struct thread_sum *sum, const struct wake *wakes, size_t count)
{
    size_t counts[POLL_CALLS_MAX + 1] = {0}, best = 0;
    int64_t poll_ns = 0;
    for (size_t i = 0; i < count; i++)
        if (wakes[i].calls <= POLL_CALLS_MAX)
            counts[wakes[i].calls]++;
    for (size_t calls = 1; calls <= POLL_CALLS_MAX; calls++)
        best = counts[calls] > counts[best] ? calls : best;
    for (size_t i = 0; i < count; i++)
        poll_ns += wakes[i].calls == best ? wakes[i].ns : 0;
    if (count < POLL_WAKES_MIN || 2 * counts[best] < count)
        return;
    sum->polls = counts[best];
    sum->poll_ns = poll_ns;
    sum->poll_calls = (int)best;
}

/* `times`, [count], is room for the times of the wakes, none of which is below 0. */
static void sum_wakes(struct thread_sum *sum, const struct wake *wakes, size_t count,
                      uint64_t *times)
{
    sum->wakes = count;
    for (size_t i = 0; i < count; i++) {
        times[i] = (uint64_t)wakes[i].ns;
        sum->wakes_ns += wakes[i].ns;
        sum->longest_ns = wakes[i].ns > sum->longest_ns ? wakes[i].ns : sum->longest_ns;
    }
    sum->median_ns = (int64_t)smallest_at(times, count, number_rank(count, 50));
    for (size_t i = 0; i < count; i++)
        times[i] = (uint64_t)wakes[i].ns;
    sum->percentile_99_ns = (int64_t)smallest_at(times, count, number_rank(count, 99));
    find_polls(sum, wakes, count);
}

static void sum_lives(struct thread_sum *sum, const struct ended_life *lives, size_t count)
{
    size_t known = 0;
    sum->threads = count;
    for (size_t i = 0; i < count; i++) {
        sum->ended += lives[i].has_ended;
        sum->failed += lives[i].has_failed;
        sum->once += lives[i].is_short;
        /* They are sorted: unknown ones come last. */
        known += lives[i].ticks != LIFE_UNKNOWN;
    }
    sum->life_ticks = known > 0 ? (int64_t)lives[number_rank(known, 50)].ticks : -1;
}

/* Returns the sum of a function, which may be new. */
static struct thread_sum *sum_of(struct thread_sums *sums, uint32_t function)
{
    MEM_GROW_ZEROED(sums->at, sums->count, (size_t)function + 1);
    return &sums->at[function];
}

void thread_sums_finish(struct thread_sums *sums)
{
    struct wake *wakes = sums->wakes;
    struct ended_life *lives = sums->lives;
    SCOPED_ARRAY uint64_t *times = mem_zeroed(sums->wake_count, sizeof *times);
    if (sums->wake_count > 0)
        sort_wakes(wakes, sums->wake_count);
    if (sums->life_count > 0)
        qsort(lives, sums->life_count, sizeof *lives, compare_lives);
    for (size_t i = 0, from = 0; i <= sums->wake_count; i++)
        if (i > from && (i == sums->wake_count || wakes[i].function != wakes[from].function)) {
            sum_wakes(sum_of(sums, wakes[from].function), wakes + from, i - from, times);
            from = i;
        }
    for (size_t i = 0, from = 0; i <= sums->life_count; i++)
        if (i > from && (i == sums->life_count || lives[i].function != lives[from].function)) {
            sum_lives(sum_of(sums, lives[from].function), lives + from, i - from);
            from = i;
        }
}

const struct thread_sum *thread_sums_of(const struct thread_sums *sums, uint32_t function)
{
    bool is_there = function < sums->count && sums->at[function].wakes > 0;
    return is_there ? &sums->at[function] : NULL;
}
