#include "select/samples.h"

#include "base/mem.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>

/* Exact distributions are made for fewer numbers per side than this, as R does. */
enum { EXACT_BELOW = 50 };

static const double tail = SAMPLES_P_MAX / 2;
static const double normal_quantile = 1.959963984540054; /* of 1 - tail */

static double middle(const double *sorted, size_t count)
{
    return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

struct sample_summary sample_sum_up(double *values, size_t count)
{
    number_sort(values, count);
    struct sample_summary summary = {
        .median = middle(values, count), .min = values[0], .max = values[count - 1]};
    double *distances = mem_zeroed(count, sizeof *distances);
    for (size_t i = 0; i < count; i++)
        distances[i] = fabs(values[i] - summary.median);
    number_sort(distances, count);
    summary.spread = middle(distances, count);
    free(distances);
    return summary;
}

/*
 * Counts the ways to choose `few` of `few + many` ranks, for each sum of ranks minus the smallest
 * sum. ways[k][s] is for the ranks so far: a rank is not chosen, or it is the k-th and adds its
 * distance from the lowest place that it could have.
 */
static double *count_sums(size_t few, size_t many)
{
    size_t width = few * many + 1;
    double *ways = mem_zeroed((few + 1) * width, sizeof *ways);
    ways[0] = 1;
    for (size_t rank = 0; rank < few + many; rank++) {
        size_t chosen = rank < few ? rank + 1 : few;
        for (; chosen > 0; chosen--) {
            size_t added = rank - (chosen - 1);
            if (added > many)
                break;
            for (size_t sum = added; sum < width; sum++)
                ways[chosen * width + sum] += ways[(chosen - 1) * width + sum - added];
        }
    }
    return ways;
}

static double *distribution(size_t new_count, size_t old_count)
{
    size_t width = new_count * old_count + 1;
    double *ways = count_sums(new_count, old_count);
    double *at_most = mem_zeroed(width, sizeof *at_most);
    double all = 0;
    for (size_t sum = 0; sum < width; sum++) {
        all += ways[new_count * width + sum];
        at_most[sum] = all;
    }
    for (size_t sum = 0; sum < width; sum++)
        at_most[sum] /= all;
    free(ways);
    return at_most;
}

void sample_comparer_init(struct sample_comparer *comparer, size_t new_count, size_t old_count)
{
    bool is_exact = new_count < EXACT_BELOW && old_count < EXACT_BELOW;
    *comparer = (struct sample_comparer){
        .new_count = new_count,
        .old_count = old_count,
        .at_most = is_exact ? distribution(new_count, old_count) : NULL,
        .differences = mem_zeroed(new_count * old_count, sizeof(double)),
        .pooled = mem_zeroed(new_count + old_count, sizeof(double)),
    };
}

void sample_comparer_release(struct sample_comparer *comparer)
{
    free(comparer->at_most);
    free(comparer->differences);
    free(comparer->pooled);
    *comparer = (struct sample_comparer){0};
}

/* The sum of k^3 - k over all groups of k equal numbers: 0 where no two are equal. */
static double count_ties(const struct sample_comparer *comparer, const double *new_values,
                         const double *old_values)
{
    double *pooled = comparer->pooled;
    size_t count = comparer->new_count + comparer->old_count;
    for (size_t i = 0; i < comparer->new_count; i++)
        pooled[i] = new_values[i];
    for (size_t i = 0; i < comparer->old_count; i++)
        pooled[comparer->new_count + i] = old_values[i];
    number_sort(pooled, count);
    double ties = 0;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && pooled[to] == pooled[from];)
            to++;
        double size = (double)(to - from);
        ties += size * size * size - size;
    }
    return ties;
}

/* Fills in the sorted differences and returns in how many pairs the new number is larger;
   a pair of equal numbers is half a one. */
static double count_larger(const struct sample_comparer *comparer, const double *new_values,
                           const double *old_values)
{
    double larger = 0;
    size_t count = 0;
    for (size_t i = 0; i < comparer->new_count; i++)
        for (size_t k = 0; k < comparer->old_count; k++) {
            double difference = new_values[i] - old_values[k];
            comparer->differences[count++] = difference;
            larger += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
        }
    number_sort(comparer->differences, count);
    return larger;
}

/* The standard deviation of count_larger() if the samples differ only by chance. */
static double deviation(const struct sample_comparer *comparer, double ties)
{
    double count = (double)(comparer->new_count + comparer->old_count);
    double pairs = (double)comparer->new_count * (double)comparer->old_count;
    return sqrt(fmax(0, pairs / 12 * (count + 1 - ties / (count * (count - 1)))));
}

static double exact_p(const double *at_most, size_t pairs, double larger)
{
    /* Both tails are equal. */
    size_t least = (size_t)fmin(larger, (double)pairs - larger);
    return fmin(1, 2 * at_most[least]);
}

static double normal_p(double larger, double pairs, double sigma)
{
    double distance = fabs(larger - pairs / 2) - 0.5;
    return sigma == 0 ? 1 : fmin(1, erfc(distance / sigma / sqrt(2)));
}

/* The rank, from 1, of the difference that is the lower end of the interval. */
static size_t exact_place(const double *at_most)
{
    size_t place = 0;
    while (at_most[place] < tail)
        place++;
    return place > 0 ? place : 1;
}

static size_t normal_place(double pairs, double sigma)
{
    double place = floor(pairs / 2 - normal_quantile * sigma + 0.5);
    return place >= 1 ? (size_t)place : 1;
}

struct sample_shift sample_compare(const struct sample_comparer *comparer, const double *new_values,
                                   const double *old_values)
{
    size_t pairs = comparer->new_count * comparer->old_count;
    double ties = count_ties(comparer, new_values, old_values);
    double larger = count_larger(comparer, new_values, old_values);
    double sigma = deviation(comparer, ties);
    bool is_exact = ties == 0 && comparer->at_most != NULL;
    size_t place = is_exact ? exact_place(comparer->at_most) : normal_place((double)pairs, sigma);
    if (place > (pairs + 1) / 2)
        place = (pairs + 1) / 2;
    double p = is_exact ? exact_p(comparer->at_most, pairs, larger)
                        : normal_p(larger, (double)pairs, sigma);
    bool is_enough = comparer->new_count >= SAMPLES_ENOUGH && comparer->old_count >= SAMPLES_ENOUGH;
    return (struct sample_shift){
        .estimate = middle(comparer->differences, pairs),
        .low = comparer->differences[place - 1],
        .high = comparer->differences[pairs - place],
        .p = p,
        .is_exact = is_exact,
        .is_told_apart = is_enough && p < SAMPLES_P_MAX,
    };
}

struct sample_shift sample_compare_once(const double *new_values, size_t new_count,
                                        const double *old_values, size_t old_count)
{
    struct sample_comparer comparer;
    sample_comparer_init(&comparer, new_count, old_count);
    struct sample_shift shift = sample_compare(&comparer, new_values, old_values);
    sample_comparer_release(&comparer);
    return shift;
}
