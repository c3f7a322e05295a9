#include "select/benchmarks.h"

/* A benchmark and its log. */
struct timed {
    struct benchmark benchmark;
    bool is_old;
};

static int compare_parts(const struct benchmark *a, const struct benchmark *b)
{
    return ORDER(a->from_ns, b->from_ns, ORDER(a->to_ns, b->to_ns, 0));
}

static int compare_timed(const void *left, const void *right)
{
    const struct timed *a = left, *b = right;
    int order = compare_parts(&a->benchmark, &b->benchmark);
    return order != 0 ? order : a->is_old - b->is_old;
}

static size_t take(struct timed *to, const struct profile *profile, bool is_old)
{
    const struct recordings *recordings = &profile->recordings;
    for (size_t i = 0; i < recordings->benchmark_count; i++)
        to[i] = (struct timed){recordings->benchmarks[i], is_old};
    return recordings->benchmark_count;
}

/* Makes the row of `timed`, [count], which are all of one part, new ones first. */
static struct benchmark_row make_row(const struct timed *timed, size_t count)
{
    struct benchmark_row row = {.from_ns = timed->benchmark.from_ns,
                                .to_ns = timed->benchmark.to_ns};
    SCOPED_ARRAY double *seconds = mem_zeroed(count, sizeof *seconds);
    for (size_t i = 0; i < count; i++) {
        seconds[i] = (double)timed[i].benchmark.time_ns / 1e9;
        row.new_count += !timed[i].is_old;
    }
    row.old_count = count - row.new_count;
    struct sample now = sample_of(seconds, row.new_count);
    struct sample old = sample_of(seconds + row.new_count, row.old_count);
    if (row.new_count > 0)
        row.now = sample_sum_up(now);
    if (row.old_count > 0)
        row.old = sample_sum_up(old);
    row.has_shift = row.new_count > 0 && row.old_count > 0 &&
                    row.new_count <= BENCHMARKS_COMPARED_MAX &&
                    row.old_count <= BENCHMARKS_COMPARED_MAX;
    if (row.has_shift)
        row.shift = sample_compare_once(now, old);
    return row;
}

void benchmarks_init(struct benchmarks *benchmarks, const struct profile *now,
                     const struct profile *old)
{
    *benchmarks = (struct benchmarks){0};
    size_t count = now->recordings.benchmark_count;
    count += old != NULL ? old->recordings.benchmark_count : 0;
    if (count == 0)
        return;
    SCOPED_ARRAY struct timed *timed = mem_zeroed(count, sizeof *timed);
    size_t taken = take(timed, now, false);
    if (old != NULL)
        take(timed + taken, old, true);
    qsort(timed, count, sizeof *timed, compare_timed);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1;
             to < count && compare_parts(&timed[from].benchmark, &timed[to].benchmark) == 0;)
            to++;
        struct benchmark_row row = make_row(&timed[from], to - from);
        MEM_APPEND(benchmarks->rows, benchmarks->count, benchmarks->capacity, row);
    }
}

void benchmarks_release(struct benchmarks *benchmarks)
{
    free(benchmarks->rows);
    *benchmarks = (struct benchmarks){0};
}
