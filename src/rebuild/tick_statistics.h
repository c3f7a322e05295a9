/*
 * tick_statistics.h - how the ticks of a profile lie against their budget.
 */
#ifndef SUPPROF_TICK_STATISTICS_H
#define SUPPROF_TICK_STATISTICS_H

#include "rebuild/ticks.h"

#include <stddef.h>
#include <stdint.h>

struct tick_statistics {
    size_t count;
    size_t over_count; /* of those, longer than TICK_BUDGET_NS */
    int64_t over_ns;   /* by which they were, in all */
    /* The time that half, 95 and 99 of 100 ticks do not exceed (nearest rank). */
    int64_t median_ns, percentile_95_ns, percentile_99_ns, longest_ns;
    const struct tick **worst; /* [count], the longest first */
};

/* The list must outlive the statistics. */
void tick_statistics_init(struct tick_statistics *statistics, const struct tick_list *list);
void tick_statistics_release(struct tick_statistics *statistics);

#endif
