#include "select/statistics.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"

#include <math.h>

/* Exact distributions are made for fewer numbers per side than this, as R does. */
enum { EXACT_BELOW = 50 };

static const double tail = SAMPLES_P_MAX / 2;
static const double normal_quantile = 1.959963984540054; /* of 1 - tail */

/* Sorted numbers, and one more that comes several times. */
struct sorted {
    const double *values;
    size_t count, below; /* `below`: how many are less than the one */
    double one;
    size_t ones;
};

/* Sorts the numbers. */
static struct sorted sort(double *values, size_t count, double one, size_t ones)
{
    struct sorted sorted = {.values = values, .count = count, .one = one, .ones = ones};
    number_sort(values, count);
    while (sorted.below < count && values[sorted.below] < one)
        sorted.below++;
    return sorted;
}

static double number_at(const struct sorted *sorted, size_t rank)
{
    if (rank < sorted->below)
        return sorted->values[rank];
    return rank < sorted->below + sorted->ones ? sorted->one : sorted->values[rank - sorted->ones];
}

static double middle(const struct sorted *sorted)
{
    size_t count = sorted->count + sorted->ones;
    double upper = number_at(sorted, count / 2);
    return count % 2 == 1 ? upper : (number_at(sorted, count / 2 - 1) + upper) / 2;
}

struct sample_summary sample_sum_up(struct sample sample)
{
    struct sorted numbers = sort(sample.values, sample.count, 0, sample.zeros);
    struct sample_summary summary = {.median = middle(&numbers),
                                     .min = number_at(&numbers, 0),
                                     .max = number_at(&numbers, sample_size(&sample) - 1)};
    SCOPED_ARRAY double *distances = mem_zeroed(sample.count, sizeof *distances);
    for (size_t i = 0; i < sample.count; i++)
        distances[i] = fabs(sample.values[i] - summary.median);
    numbers = sort(distances, sample.count, fabs(summary.median), sample.zeros);
    summary.spread = middle(&numbers);
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
    SCOPED_ARRAY double *ways = count_sums(new_count, old_count);
    double *at_most = mem_zeroed(width, sizeof *at_most);
    double all = 0;
    for (size_t sum = 0; sum < width; sum++) {
        all += ways[new_count * width + sum];
        at_most[sum] = all;
    }
    for (size_t sum = 0; sum < width; sum++)
        at_most[sum] /= all;
    return at_most;
}

void sample_comparer_init(struct sample_comparer *comparer, size_t new_count, size_t old_count)
{
    bool is_exact = new_count < EXACT_BELOW && old_count < EXACT_BELOW;
    *comparer = (struct sample_comparer){
        .new_count = new_count,
        .old_count = old_count,
        .at_most = is_exact ? distribution(new_count, old_count) : NULL,
        .groups = mem_zeroed(new_count + old_count, sizeof(struct sample_group)),
    };
}

void sample_comparer_release(struct sample_comparer *comparer)
{
    MEM_FREE(comparer->at_most, comparer->groups);
    *comparer = (struct sample_comparer){0};
}

/* Equal numbers of a sample, one after another by rising value. */
struct side {
    struct sample_group *groups; /* [count] */
    size_t count, number_count;
};

static void add_group(struct side *side, double value, size_t count)
{
    if (side->count > 0 && side->groups[side->count - 1].value == value)
        side->groups[side->count - 1].count += count;
    else if (count > 0)
        side->groups[side->count++] = (struct sample_group){value, count};
}

static struct side sort_side(struct sample_group *groups, struct sample sample)
{
    struct side side = {.groups = groups, .number_count = sample_size(&sample)};
    struct sorted numbers = sort(sample.values, sample.count, 0, sample.zeros);
    for (size_t i = 0; i < numbers.below; i++)
        add_group(&side, numbers.values[i], 1);
    add_group(&side, 0, numbers.ones);
    for (size_t i = numbers.below; i < numbers.count; i++)
        add_group(&side, numbers.values[i], 1);
    return side;
}

/* Both samples. */
struct pairs {
    struct side news, olds;
};

/*
 * Returns how many differences are at most a limit. The larger the new number, the more old ones
 * are too small: so both sides are read once.
 */
static size_t count_at_most(const struct pairs *pairs, double limit)
{
    const struct side *news = &pairs->news, *olds = &pairs->olds;
    size_t count = 0, too_small = 0, k = 0;
    for (size_t i = 0; i < news->count; i++) {
        while (k < olds->count && news->groups[i].value - olds->groups[k].value > limit)
            too_small += olds->groups[k++].count;
        count += news->groups[i].count * (olds->number_count - too_small);
    }
    return count;
}

/*
 * Returns the difference with `rank` smaller ones before it. It is looked for between the smallest
 * and the largest: their keys differ in at most 64 bits.
 */
static double difference_at(const struct pairs *pairs, size_t rank)
{
    const struct side *news = &pairs->news, *olds = &pairs->olds;
    uint64_t low = key_of_double(news->groups[0].value - olds->groups[olds->count - 1].value);
    uint64_t high = key_of_double(news->groups[news->count - 1].value - olds->groups[0].value);
    while (low < high) {
        uint64_t middle_key = low + (high - low) / 2;
        if (count_at_most(pairs, double_of_key(middle_key)) > rank)
            high = middle_key;
        else
            low = middle_key + 1;
    }
    return double_of_key(low);
}

static double median_difference(const struct pairs *pairs)
{
    size_t count = pairs->news.number_count * pairs->olds.number_count;
    double upper = difference_at(pairs, count / 2);
    return count % 2 == 1 ? upper : (difference_at(pairs, count / 2 - 1) + upper) / 2;
}

/*
 * Returns in how many pairs the new number is larger; a pair of equal numbers is half a one. Sets
 * the sum of k^3 - k over all groups of k equal numbers of both samples: 0 where no two are equal.
 */
static double count_larger(const struct pairs *pairs, double *ties)
{
    const struct side *news = &pairs->news, *olds = &pairs->olds;
    double larger = 0, smaller_olds = 0;
    *ties = 0;
    for (size_t i = 0, k = 0; i < news->count || k < olds->count;) {
        bool has_new =
            i < news->count && (k == olds->count || news->groups[i].value <= olds->groups[k].value);
        bool has_old =
            k < olds->count && (i == news->count || olds->groups[k].value <= news->groups[i].value);
        double new_size = has_new ? (double)news->groups[i++].count : 0;
        double old_size = has_old ? (double)olds->groups[k++].count : 0;
        double size = new_size + old_size;
        larger += new_size * (smaller_olds + old_size / 2);
        smaller_olds += old_size;
        *ties += size * size * size - size;
    }
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

/*
 * The same of the interval of a median, by the test of signs; 0: `count` numbers are too few. That
 * so many of them are below the median has the chances of coins.
 */
static size_t sign_place(size_t count)
{
    double ways = exp2(-(double)count), below = 0;
    size_t place = 0;
    if (count >= EXACT_BELOW)
        return (size_t)floor((double)count / 2 - normal_quantile * sqrt((double)count) / 2 + 0.5);
    while (below + ways <= tail) {
        below += ways;
        ways *= (double)(count - place) / (double)(place + 1);
        place++;
    }
    return place;
}

/* The side whose numbers are all equal, if those of the other one are not; a number alone is not
 * known to be always the same. NULL: there is none. */
static const struct side *find_constant(const struct pairs *pairs)
{
    const struct side *news = &pairs->news, *olds = &pairs->olds;
    const struct side *constant = news->count == 1 ? news : olds;
    bool is_one = (news->count == 1) != (olds->count == 1) && constant->number_count > 1;
    return is_one ? constant : NULL;
}

/* Returns the place of the lower end, or 0: each number of the other side makes as many equal
 * differences as this one has numbers. */
static size_t constant_place(const struct pairs *pairs, const struct side *constant)
{
    const struct side *other = constant == &pairs->news ? &pairs->olds : &pairs->news;
    size_t place = sign_place(other->number_count);
    return place > 0 ? (place - 1) * constant->number_count + 1 : 0;
}

struct sample_shift sample_compare(const struct sample_comparer *comparer, struct sample now,
                                   struct sample old)
{
    size_t new_count = comparer->new_count, old_count = comparer->old_count;
    size_t count = new_count * old_count;
    struct pairs pairs = {.news = sort_side(comparer->groups, now),
                          .olds = sort_side(comparer->groups + new_count, old)};
    double ties, larger = count_larger(&pairs, &ties);
    double sigma = deviation(comparer, ties);
    const struct side *constant = find_constant(&pairs);
    bool is_exact = ties == 0 && comparer->at_most != NULL;
    size_t place = is_exact ? exact_place(comparer->at_most) : normal_place((double)count, sigma);
    if (constant != NULL)
        place = constant_place(&pairs, constant);
    if (place > (count + 1) / 2)
        place = (count + 1) / 2;
    double p = is_exact ? exact_p(comparer->at_most, count, larger)
                        : normal_p(larger, (double)count, sigma);
    double low = place > 0 ? difference_at(&pairs, place - 1) : NAN;
    double high = place > 0 ? difference_at(&pairs, count - place) : NAN;
    bool is_enough = new_count >= SAMPLES_ENOUGH && old_count >= SAMPLES_ENOUGH;
    return (struct sample_shift){
        .estimate = median_difference(&pairs),
        .low = low,
        .high = high,
        .p = p,
        .is_exact = is_exact,
        .is_told_apart = is_enough && p < SAMPLES_P_MAX && !(low <= 0 && high >= 0),
    };
}

struct sample_shift sample_compare_once(struct sample now, struct sample old)
{
    SCOPED(sample_comparer) comparer;
    sample_comparer_init(&comparer, sample_size(&now), sample_size(&old));
    return sample_compare(&comparer, now, old);
}

/* Trends -------------------------------------------------------------------------------------- */

/* Sorts numbers, and returns the median. */
static double median_of(double *numbers, size_t count)
{
    number_sort(numbers, count);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

/* The variance of the number of rising pairs; equal numbers make it smaller. */
static double variance_of_rises(const double *numbers, size_t count)
{
    double n = (double)count, sum = n * (n - 1) * (2 * n + 5);
    for (size_t i = 0; i < count; i++) {
        double before = 0, equal = 0;
        for (size_t k = 0; k < count; k++) {
            before += k < i && numbers[k] == numbers[i];
            equal += numbers[k] == numbers[i];
        }
        sum -= before == 0 ? equal * (equal - 1) * (2 * equal + 5) : 0;
    }
    return sum / 18;
}

struct trend trend_find(const double *numbers, size_t count)
{
    double slopes[TREND_NUMBERS_MAX * TREND_NUMBERS_MAX], starts[TREND_NUMBERS_MAX];
    double rises = 0;
    size_t slope_count = 0;
    if (count < 3)
        return (struct trend){0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            rises += (numbers[k] > numbers[i]) - (numbers[k] < numbers[i]);
            slopes[slope_count++] = (numbers[k] - numbers[i]) / (double)(k - i);
        }
    double slope = median_of(slopes, slope_count);
    for (size_t i = 0; i < count; i++)
        starts[i] = numbers[i] - slope * (double)i;
    double start = median_of(starts, count), spread = sqrt(variance_of_rises(numbers, count));
    return (struct trend){
        .z = rises > 1 && spread > 0 ? (rises - 1) / spread : 0,
        .first = start,
        .last = start + slope * (double)(count - 1),
    };
}
