#include "select/trend.h"

#include "base/number.h"

#include <math.h>

/* Sorts numbers, and returns the median. */
static double median(double *numbers, size_t count)
{
    number_sort(numbers, count);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

/* The variance of the number of rising pairs; equal numbers make it smaller. */
static double variance(const double *numbers, size_t count)
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
    double slope = median(slopes, slope_count);
    for (size_t i = 0; i < count; i++)
        starts[i] = numbers[i] - slope * (double)i;
    double start = median(starts, count), spread = sqrt(variance(numbers, count));
    return (struct trend){
        .z = rises > 1 && spread > 0 ? (rises - 1) / spread : 0,
        .first = start,
        .last = start + slope * (double)(count - 1),
    };
}
