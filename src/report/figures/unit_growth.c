#include "report/figures/unit_growth.h"

#include "base/sort.h"
#include "report/figures/watched_threads.h"

#include <math.h>

/* A watch has lengths in tenths of milliseconds: of shorter medians it says little. */
enum { NEAR_TICKS = 50, TICKS_MIN = 20, POINTS_MIN = 4, MEDIAN_US_MIN = 300 };

/* A least-squares line through logarithms. */
struct fit {
    double count, x, y, xx, xy, yy, least, most;
};

static void fit_add(struct fit *fit, double units, double value)
{
    if (units <= 0 || value <= 0)
        return;
    double x = log(units), y = log(value);
    fit->least = fit->count == 0 || x < fit->least ? x : fit->least;
    fit->most = fit->count == 0 || x > fit->most ? x : fit->most;
    fit->count++;
    fit->x += x;
    fit->y += y;
    fit->xx += x * x;
    fit->xy += x * y;
    fit->yy += y * y;
}

/* Whether it fits, and says something: numbers of units differ by half, and the line explains most
 * of how the values differ. */
static bool fit_is_good(const struct fit *fit, double *exponent)
{
    const double range_min = log(1.5), part_min = 0.8, exponent_min = 0.2;
    double xx = fit->count * fit->xx - fit->x * fit->x;
    double xy = fit->count * fit->xy - fit->x * fit->y;
    double yy = fit->count * fit->yy - fit->y * fit->y;
    if (fit->count < POINTS_MIN || fit->most - fit->least < range_min || yy <= 0)
        return false;
    *exponent = round(100 * xy / xx) / 100;
    return xy * xy / (xx * yy) >= part_min && *exponent >= exponent_min;
}

/* Units by their recordings and ticks -------------------------------------------------------- */

COMPARES(compare_units, struct watch_units,
         ORDER(a->recording, b->recording, ORDER(a->tick, b->tick, ORDER(a->count, b->count, 0))))

static int compare_places(const void *left, const void *right)
{
    const struct watch_units *a = left, *b = right;
    return ORDER(a->recording, b->recording, ORDER(a->tick, b->tick, 0));
}

static struct watch_units *sort_units(const struct watches *watches)
{
    struct watch_units *units = mem_zeroed(watches->unit_count, sizeof *units);
    if (watches->unit_count > 0)
        memcpy(units, watches->units, watches->unit_count * sizeof *units);
    if (watches->unit_count > 1)
        qsort(units, watches->unit_count, sizeof *units, compare_units);
    return units;
}

/* Returns the index of the line that is nearest to a tick; `count` if none is near. */
static size_t find_near(const struct watch_units *units, size_t count, uint32_t recording,
                        int64_t tick)
{
    struct watch_units key = {recording, tick - NEAR_TICKS, 0};
    size_t at = search_first(&key, units, count, sizeof *units, compare_places);
    return at < count && units[at].recording == recording && units[at].tick < tick + NEAR_TICKS
               ? at
               : count;
}

/* Ticks -------------------------------------------------------------------------------------- */

/* The lengths of ticks by the line of units that they are near. */
struct lengths {
    const struct watch_units *units;
    size_t unit_count;
    struct keyed *all; /* [count]: key: length, item: index of the units */
    size_t count, capacity;
};

static void add_length(struct lengths *lengths, uint32_t recording, int64_t tick, int64_t ns)
{
    size_t near = find_near(lengths->units, lengths->unit_count, recording, tick);
    struct keyed length = {(uint64_t)ns, (uint32_t)near};
    if (near < lengths->unit_count && ns >= 0)
        MEM_APPEND(lengths->all, lengths->count, lengths->capacity, length);
}

/* Of watches, and of exact recordings; ticks that were chosen by chance are too few. */
static void add_lengths(struct lengths *lengths, const struct profile *profile)
{
    const struct tick_list *list = &profile->ticks;
    struct watch_tick tick = {0};
    while (profile_next_watch_tick(profile, &tick))
        add_length(lengths, tick.recording, tick.number, tick.length_ns);
    for (size_t i = 0; i < list->count && !list->is_sampled; i++)
        add_length(
            lengths, list->ticks[i].recording, list->ticks[i].number, list->ticks[i].time_ns);
}

/* By the units, and those of one by their length. */
static void sort_lengths(struct lengths *lengths)
{
    key_sort(lengths->all, lengths->count);
    for (size_t i = 0; i < lengths->count; i++) {
        uint64_t us = lengths->all[i].key / 1000;
        lengths->all[i] =
            (struct keyed){lengths->all[i].item, us < UINT32_MAX ? (uint32_t)us : UINT32_MAX};
    }
    key_sort(lengths->all, lengths->count);
}

static void fit_ticks(struct unit_growth *growth, const struct lengths *lengths)
{
    struct fit fit = {0};
    for (size_t from = 0, to = 0; from < lengths->count; from = to) {
        uint64_t near = lengths->all[from].key, units = lengths->units[near].count;
        while (to < lengths->count && lengths->all[to].key == near)
            to++;
        uint32_t us = lengths->all[(from + to) / 2].item;
        struct unit_median median = {units, (int64_t)us * 1000};
        if (to - from < TICKS_MIN || us < MEDIAN_US_MIN || units == 0)
            continue;
        if (fit.count == 0 || units < growth->few.units)
            growth->few = median;
        if (fit.count == 0 || units > growth->many.units)
            growth->many = median;
        fit_add(&fit, (double)units, (double)median.median_ns);
    }
    growth->is_known = fit_is_good(&fit, &growth->exponent);
}

/* Threads ------------------------------------------------------------------------------------ */

/* Returns the sums of all numbers of units before each, [count + 1]. */
static double *sum_units(const struct watch_units *units, size_t count)
{
    double *sums = mem_zeroed(count + 1, sizeof *sums);
    for (size_t i = 0; i < count; i++)
        sums[i + 1] = sums[i] + (double)units[i].count;
    return sums;
}

/* The mean number of units in some ticks; 0: not known. */
static double mean_units(const struct watch_units *units, const double *sums, size_t count,
                         const struct watch_threads *threads)
{
    struct watch_units first = {threads->recording, threads->first, 0},
                       after = {threads->recording, threads->last + 1, 0};
    size_t from = search_first(&first, units, count, sizeof *units, compare_places);
    size_t to = search_first(&after, units, count, sizeof *units, compare_places);
    return to > from ? (sums[to] - sums[from]) / (double)(to - from) : 0;
}

/* What the threads of a function took. */
struct function_fit {
    struct fit fit;
    double time_ns;
};

/* Adds what each function took a tick in each minute. */
static double add_threads(struct function_fit *fits, const struct profile *profile,
                          const struct watch_units *units)
{
    enum { MINUTE_TICKS_MIN = 100 };
    const struct watches *watches = &profile->recordings.watches;
    double all_ns = 0;
    SCOPED_ARRAY double *sums = sum_units(units, watches->unit_count);
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *threads = &watches->threads[i];
        double mean = mean_units(units, sums, watches->unit_count, threads);
        double ticks = (double)(threads->last - threads->first + 1);
        if (!watched_takes_minute(profile, threads) || ticks < MINUTE_TICKS_MIN)
            continue;
        for (size_t k = 0; k < threads->count; k++) {
            const struct watch_sum *sum = &watches->sums[threads->from + k];
            all_ns += (double)sum->time_ns;
            if (sum->function < 0)
                continue;
            fits[sum->function].time_ns += (double)sum->time_ns;
            fit_add(&fits[sum->function].fit, mean, (double)sum->time_ns / ticks);
        }
    }
    return all_ns;
}

/* Puts a function among those with the most time. */
static void keep_function(struct unit_growth *growth, const struct function_fit *fits,
                          struct growing_function function)
{
    size_t at = growth->function_count;
    struct growing_function *all = growth->functions;
    if (at == GROWTH_FUNCTIONS &&
        fits[all[at - 1].function].time_ns >= fits[function.function].time_ns)
        return;
    growth->function_count += at < GROWTH_FUNCTIONS;
    for (at = growth->function_count - 1;
         at > 0 && fits[all[at - 1].function].time_ns < fits[function.function].time_ns;
         at--)
        all[at] = all[at - 1];
    all[at] = function;
}

static void fit_threads(struct unit_growth *growth, const struct profile *profile,
                        const struct watch_units *units)
{
    enum { PARTS = 20 };
    uint32_t count = profile->symbols.function_count;
    SCOPED_ARRAY struct function_fit *fits = mem_zeroed(count, sizeof *fits);
    double all_ns = add_threads(fits, profile, units);
    for (uint32_t i = 0; i < count; i++) {
        struct growing_function function = {.function = i};
        if (fits[i].time_ns * PARTS >= all_ns && fit_is_good(&fits[i].fit, &function.exponent))
            keep_function(growth, fits, function);
    }
}

void unit_growth_find(struct unit_growth *growth, const struct report *report)
{
    const struct profile *profile = report->profile;
    const struct watches *watches = &profile->recordings.watches;
    *growth = (struct unit_growth){0};
    if (watches->unit_count < POINTS_MIN || report->old != NULL || report->repeated != NULL ||
        report->choice != NULL || selection_changes_stacks(report->selection))
        return;
    SCOPED_ARRAY struct watch_units *units = sort_units(watches);
    struct lengths lengths = {.units = units, .unit_count = watches->unit_count};
    add_lengths(&lengths, profile);
    sort_lengths(&lengths);
    fit_ticks(growth, &lengths);
    free(lengths.all);
    if (growth->is_known)
        fit_threads(growth, profile, units);
}

double unit_growth_mean(const struct profile *profile)
{
    enum { LINE_TICKS = 100 };
    const struct watches *watches = &profile->recordings.watches;
    const struct tick_list *list = &profile->ticks;
    size_t count = watches->unit_count;
    SCOPED_ARRAY struct watch_units *units = sort_units(watches);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        units[i].recording = profile->recordings.all[units[i].recording].log;
    if (count > 1)
        qsort(units, count, sizeof *units, compare_units);
    for (size_t i = 0; i < list->count; i++) {
        uint32_t log = profile->recordings.all[list->ticks[i].recording].log;
        struct watch_units key = {log, list->ticks[i].number - LINE_TICKS, 0};
        size_t at = search_first(&key, units, count, sizeof *units, compare_places);
        if (at == count || units[at].recording != log ||
            units[at].tick > list->ticks[i].number + LINE_TICKS)
            return 0;
        sum += (double)units[at].count;
    }
    return list->count > 0 ? sum / (double)list->count : 0;
}
