#include "report/figures/watched_trend.h"

#include "report/figures/watched_threads.h"
#include "select/statistics.h"

#include <math.h>

/* What threads took in each stretch, and their wakes. */
struct taken {
    double ns[TREND_NUMBERS_MAX], wakes[TREND_NUMBERS_MAX];
};

struct stretches {
    size_t count;
    double ticks[TREND_NUMBERS_MAX];
    struct taken *functions; /* [function_count + 1]; the last is all of them */
    uint32_t function_count;
};

/* The last line of a watch may be of few ticks. */
static bool takes(const struct profile *profile, const struct watch_threads *minute)
{
    enum { TICKS_MIN = 100 };
    return watched_takes_minute(profile, minute) && minute->last - minute->first + 1 >= TICKS_MIN;
}

static bool is_of_game(const struct recording *one, const struct recording *other)
{
    return one->log == other->log && one->game == other->game;
}

/* Counts the minutes that are shown; 0 if they are not of one game, whose ticks only go on. */
static size_t count_minutes(const struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    const struct watch_threads *before = NULL;
    size_t count = 0;
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *minute = &watches->threads[i];
        if (!takes(profile, minute))
            continue;
        const struct recording *all = profile->recordings.all;
        if (before != NULL && (minute->first <= before->last ||
                               !is_of_game(&all[before->recording], &all[minute->recording])))
            return 0;
        before = minute;
        count++;
    }
    return count;
}

static void add_minute(struct stretches *stretches, size_t at, const struct watches *watches,
                       const struct watch_threads *minute)
{
    struct taken *all = &stretches->functions[stretches->function_count];
    stretches->ticks[at] += (double)(minute->last - minute->first + 1);
    for (size_t i = 0; i < minute->count; i++) {
        const struct watch_sum *sum = &watches->sums[minute->from + i];
        all->ns[at] += (double)sum->time_ns;
        all->wakes[at] += (double)sum->wakes;
        if (sum->function < 0)
            continue;
        stretches->functions[sum->function].ns[at] += (double)sum->time_ns;
        stretches->functions[sum->function].wakes[at] += (double)sum->wakes;
    }
}

/* As many minutes in each, as far as that can be. */
static void add_minutes(struct stretches *stretches, const struct profile *profile, size_t count)
{
    const struct watches *watches = &profile->recordings.watches;
    size_t minute = 0;
    stretches->count = count < TREND_NUMBERS_MAX ? count : TREND_NUMBERS_MAX;
    for (size_t i = 0; i < watches->thread_count; i++)
        if (takes(profile, &watches->threads[i]))
            add_minute(
                stretches, minute++ * stretches->count / count, watches, &watches->threads[i]);
}

/* Returns whether what a function took rises, and well. */
static bool find_growth(struct watched_growth *growth, const struct stretches *stretches,
                        uint32_t function)
{
    static const double z_least = 2.4, factor = 1.2, tick_ns_least = 1e5;
    const struct taken *taken = &stretches->functions[function];
    size_t last = stretches->count - 1;
    double numbers[TREND_NUMBERS_MAX];
    for (size_t i = 0; i < stretches->count; i++)
        numbers[i] = taken->ns[i] / stretches->ticks[i];
    struct trend trend = trend_find(numbers, stretches->count);
    *growth = (struct watched_growth){
        .function = function,
        .first_ns = numbers[0],
        .last_ns = numbers[last],
        .first_wakes = taken->wakes[0] / stretches->ticks[0],
        .last_wakes = taken->wakes[last] / stretches->ticks[last],
    };
    return trend.z >= z_least && trend.last >= factor * fmax(trend.first, 0) &&
           growth->last_ns - growth->first_ns >= tick_ns_least;
}

static double size_of(const struct watched_growth *growth)
{
    return growth->last_ns - growth->first_ns;
}

/* Puts a function among those that grow most. */
static void keep(struct watched_trend *trend, struct watched_growth growth)
{
    size_t at = trend->function_count;
    if (at == TREND_FUNCTIONS && size_of(&trend->functions[at - 1]) >= size_of(&growth))
        return;
    at = at < TREND_FUNCTIONS ? trend->function_count++ : at - 1;
    for (; at > 0 && size_of(&trend->functions[at - 1]) < size_of(&growth); at--)
        trend->functions[at] = trend->functions[at - 1];
    trend->functions[at] = growth;
}

void watched_trend_find(struct watched_trend *trend, const struct report *report)
{
    enum { PARTS = 10 };
    const struct profile *profile = report->profile;
    struct stretches stretches = {.function_count = profile->symbols.function_count};
    struct watched_growth growth;
    *trend = (struct watched_trend){0};
    size_t count = report->shows_watch ? count_minutes(profile) : 0;
    if (count < TREND_MINUTES_MIN)
        return;
    stretches.functions = mem_zeroed((size_t)stretches.function_count + 1, sizeof(struct taken));
    add_minutes(&stretches, profile, count);
    trend->is_known = find_growth(&trend->all, &stretches, stretches.function_count);
    trend->all.function = TREE_NONE;
    for (uint32_t i = 0; trend->is_known && i < stretches.function_count; i++)
        if (find_growth(&growth, &stretches, i) && size_of(&growth) * PARTS >= size_of(&trend->all))
            keep(trend, growth);
    free(stretches.functions);
}
