/*
 * benchmarks.h - wall-clock times of parts of a game, grouped by the part: how long the game took
 * for it, and whether a change made that shorter.
 *
 * Each benchmark line of a log is a time of its own: they are not added up, also where several
 * logs are. Those of the same game times are a sample (see samples.h), and with an older log there
 * are two.
 */
#ifndef SUPPROF_BENCHMARKS_H
#define SUPPROF_BENCHMARKS_H

#include "profile/profile.h"
#include "select/samples.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of more a side no shift is made: it takes a difference for each pair. */
enum { BENCHMARKS_COMPARED_MAX = 1000 };

/* A part of the game, and what its benchmarks say. Times are in seconds. */
struct benchmark_row {
    int64_t from_ns, to_ns; /* of the game */
    size_t new_count, old_count;
    struct sample_summary now, old; /* of those that there are */
    bool has_shift;                 /* there are both, and not too many */
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

#endif
