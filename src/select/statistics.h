/*
 * statistics.h - compares two groups of numbers of any distribution, by ranks instead of means.
 *
 * A sample is the results of several runs of the same game, one number per run. Times of
 * runs are not normally distributed: one run in ten is slow because the machine had other
 * work. So nothing here is a mean.
 *
 *  - The centre is the median. The spread is the distance from it that half of the runs do
 *    not exceed (the median absolute deviation, not scaled).
 *  - The shift shows how far the new sample is above the old one: the median of all
 *    differences of a new number and an old one (Hodges and Lehmann), with its interval.
 *  - p is the probability that two samples which differ only by chance are as far apart as
 *    these, or further (the test of Mann and Whitney, two-sided).
 *
 *     old 10 11 12 13, new 20 21 22 23:   shift +10, from +7 to +13, p = 0.029
 *
 * Below 50 numbers a side and without equal numbers p and the interval are exact: those of
 * R's wilcox.test(new, old, exact = TRUE, conf.int = TRUE). Otherwise the distribution is taken for
 * normal, with the variance corrected for equal numbers, and p is that of R's
 * wilcox.test(new, old, exact = FALSE, correct = TRUE). The ends of the interval are then
 * still differences, so it can be a little wider than that of R, whose ends lie between
 * differences.
 *
 * If all numbers of one side are equal, as those of a function that only the other side has, the
 * normal distribution would hold the true shift in 78 to 89 cases of 100. That side is then taken
 * for known, and the ends are numbers of the other one: the interval of its median by the test of
 * signs. Fewer than 6 of them have none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With fewer numbers on a side, p is never below 0.05. */
enum { SAMPLES_ENOUGH = 4 };

/* At or above this p, samples cannot be told apart. */
#define SAMPLES_P_MAX 0.05

struct sample_summary {
    double median, spread, min, max;
};

/*
 * The numbers of a sample: those of `values`, and as many more as `zeros` says that are 0. Most
 * rows of many different logs are in few of them.
 */
struct sample {
    double *values; /* [count]; the functions below sort them */
    size_t count, zeros;
};

static inline struct sample sample_of(double *values, size_t count)
{
    return (struct sample){values, count, 0};
}

static inline size_t sample_size(const struct sample *sample)
{
    return sample->count + sample->zeros;
}

/* Needs at least one number. */
struct sample_summary sample_sum_up(struct sample sample);

struct sample_shift {
    double estimate;
    double low, high; /* of the interval, which holds the true shift in 95 cases of 100 or more;
                         NAN: there are too few numbers for one */
    double p;
    bool is_exact;
    bool is_told_apart; /* enough numbers on each side, p is below SAMPLES_P_MAX, and the interval,
                           if there is one, does not hold 0 */
};

/* Shared by all comparisons of samples of the same sizes. */
struct sample_comparer {
    size_t new_count, old_count; /* at least 1 each */
    double *at_most; /* [new_count * old_count + 1]: the probability of each rank sum or a smaller
                        one; NULL if there are too many numbers */
    /* Private: room for one comparison. */
    struct sample_group {
        double value;
        size_t count; /* of numbers with this value */
    } * groups;       /* [new_count + old_count] */
};

void sample_comparer_init(struct sample_comparer *comparer, size_t new_count, size_t old_count);
void sample_comparer_release(struct sample_comparer *comparer);

/* Compares two samples of the comparer's sizes. */
struct sample_shift sample_compare(const struct sample_comparer *comparer, struct sample now,
                                   struct sample old);

/* Compares two samples once, with a comparer of its own. */
struct sample_shift sample_compare_once(struct sample now, struct sample old);

/*
 * Whether a row of numbers rises: Mann and Kendall's test, and the line of Theil and Sen. Both are
 * by ranks or medians, so that one wrong number changes little.
 */
enum { TREND_NUMBERS_MAX = 12 };

struct trend {
    double z;           /* how sure it is that they rise, in standard deviations */
    double first, last; /* the ends of the line */
};

/* `numbers` is [count], at most TREND_NUMBERS_MAX. Fewer than 3 have no trend. */
struct trend trend_find(const double *numbers, size_t count);
