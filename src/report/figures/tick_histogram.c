#include "report/figures/tick_histogram.h"

#include <assert.h>

static int64_t longest_of(const struct tick_list *list)
{
    int64_t longest_ns = 0;
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (list->ticks[i].time_ns > longest_ns)
            longest_ns = list->ticks[i].time_ns;
    return longest_ns;
}

static int64_t width_for(int64_t longest_ns, size_t bin_max)
{
    static const int64_t factors[] = {2, 5, 10};
    for (int64_t unit_ns = 1000;; unit_ns *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            if (longest_ns / (unit_ns * factors[i]) < (int64_t)bin_max)
                return unit_ns * factors[i];
}

static void count(const struct tick_list *list, int64_t width_ns, size_t *counts)
{
    for (size_t i = 0; list != NULL && i < list->count; i++)
        counts[list->ticks[i].time_ns / width_ns]++;
}

struct tick_histogram tick_histogram_make(const struct tick_list *now, const struct tick_list *old,
                                          size_t bin_max)
{
    int64_t now_ns = longest_of(now), old_ns = longest_of(old);
    int64_t longest_ns = now_ns > old_ns ? now_ns : old_ns;
    struct tick_histogram histogram = {.width_ns = width_for(longest_ns, bin_max)};
    assert(bin_max <= TICK_BINS_MAX);
    histogram.bin_count = (size_t)(longest_ns / histogram.width_ns) + 1;
    count(now, histogram.width_ns, histogram.counts);
    count(old, histogram.width_ns, histogram.old_counts);
    for (size_t i = 0; i < histogram.bin_count; i++)
        if (histogram.counts[i] > histogram.largest)
            histogram.largest = histogram.counts[i];
    return histogram;
}
