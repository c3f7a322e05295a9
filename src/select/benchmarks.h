/*
 * benchmarks.h - wall-clock times of parts of a game, grouped by part: how long each part took,
 * and whether a change made it faster.
 *
 * Each benchmark line of a log is a separate time: times are never added up, even if several logs
 * are. The times of one part of the game are a sample (see statistics.h); with old logs there are
 * two samples.
 */
#pragma once

#include "profile/profile.h"
#include "select/statistics.h"

/* With more times on a side no shift is computed: it needs a difference for each pair. */
enum { BENCHMARKS_COMPARED_MAX = 1000 };

/* A part of the game, and the summary of its benchmarks. Times are in seconds. */
struct benchmark_row {
    int64_t from_ns, to_ns; /* of the game */
    size_t new_count, old_count;
    struct sample_summary now, old; /* unset if the count is 0 */
    bool has_shift;                 /* both sides have times, and not too many */
    struct sample_shift shift;
};

struct benchmarks {
    struct benchmark_row *rows; /* [count], by from_ns, then to_ns */
    size_t count, capacity;
};

/* `old` may be NULL. */
void benchmarks_init(struct benchmarks *benchmarks, const struct profile *now,
                     const struct profile *old);
void benchmarks_release(struct benchmarks *benchmarks);
