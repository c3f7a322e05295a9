#include "base/number.h"

#include <math.h>

/*
 * A decimal number: mantissa * 10^exponent; digits that do not fit are dropped and change only the
 * exponent.
 */
struct decimal {
    bool is_negative;
    uint64_t mantissa;
    int64_t exponent;
};

enum { EXPONENT_MAX = 9999 };

static size_t read_digits(struct span text, size_t at, struct decimal *number, bool is_fraction)
{
    uint64_t mantissa = number->mantissa;
    size_t start = at, dropped = 0;
    unsigned digit;
    for (; at < text.length && (digit = (unsigned)text.at[at] - '0') <= 9; at++) {
        if (mantissa > (UINT64_MAX - 9) / 10)
            break;
        mantissa = mantissa * 10 + digit;
    }
    for (; at < text.length && text.at[at] >= '0' && text.at[at] <= '9'; at++)
        dropped++;
    number->mantissa = mantissa;
    number->exponent += (int64_t)dropped - (is_fraction ? (int64_t)(at - start) : 0);
    return at;
}

static bool read_exponent(struct span text, size_t at, struct decimal *number)
{
    bool is_negative = at < text.length && text.at[at] == '-';
    if (at < text.length && (text.at[at] == '-' || text.at[at] == '+'))
        at++;
    if (at == text.length)
        return false;
    int64_t exponent = 0;
    for (; at < text.length; at++) {
        if (text.at[at] < '0' || text.at[at] > '9')
            return false;
        if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + (text.at[at] - '0');
    }
    number->exponent += is_negative ? -exponent : exponent;
    return true;
}

static bool read_decimal(struct span text, struct decimal *number)
{
    *number = (struct decimal){.is_negative = text.length > 0 && text.at[0] == '-'};
    size_t start = number->is_negative;
    size_t at = read_digits(text, start, number, false);
    size_t digits = at - start;
    if (at < text.length && text.at[at] == '.') {
        size_t fraction = at + 1;
        at = read_digits(text, fraction, number, true);
        digits += at - fraction;
    }
    if (digits == 0)
        return false;
    if (at == text.length)
        return true;
    return (text.at[at] | 0x20) == 'e' && read_exponent(text, at + 1, number);
}

/* The powers of ten that a uint64_t can have. */
enum { POWERS = 20 };
static const uint64_t powers[POWERS] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

/* Sets *value to mantissa * 10^shift, rounded half up. Fails when it is above `max`. */
static bool scale(uint64_t mantissa, int64_t shift, uint64_t max, uint64_t *value)
{
    if (shift >= POWERS) {
        *value = 0;
        return mantissa == 0;
    }
    if (shift >= 0) {
        *value = mantissa * powers[shift];
        return mantissa <= max / powers[shift];
    }
    /* A larger divisor leaves 0: the mantissa has no more digits. */
    uint64_t divisor = -shift < POWERS ? powers[-shift] : 0;
    *value = divisor == 0 ? 0 : mantissa / divisor + (mantissa % divisor >= divisor / 2);
    return *value <= max;
}

bool number_seconds(struct span text, int64_t *ns)
{
    struct decimal number;
    uint64_t value;
    if (!read_decimal(text, &number) ||
        !scale(number.mantissa, number.exponent + 9, NUMBER_TIME_MAX_NS, &value))
        return false;
    *ns = number.is_negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool number_count(struct span text, uint64_t *count)
{
    struct decimal number;
    return read_decimal(text, &number) && !(number.is_negative && number.mantissa > 0) &&
           scale(number.mantissa, number.exponent, NUMBER_COUNT_MAX, count);
}

bool number_is_decimal(struct span text)
{
    struct decimal number;
    return read_decimal(text, &number);
}

bool number_line(struct span text, int32_t *line)
{
    bool is_negative = text.length > 0 && text.at[0] == '-';
    int64_t value = 0;
    for (size_t i = is_negative; i < text.length; i++)
        value = value * 10 + (text.at[i] - '0');
    if (value > INT32_MAX)
        return false;
    *line = (int32_t)(is_negative ? -value : value);
    return true;
}

int64_t number_rounded(double value)
{
    static const double largest = (double)NUMBER_TIME_MAX_NS;
    return (int64_t)llround(fmin(fmax(value, -largest), largest));
}

int64_t number_scaled(int64_t value, double factor)
{
    return factor == 1 ? value : number_rounded((double)value * factor);
}

uint64_t number_scaled_count(uint64_t count, double factor)
{
    return factor == 1 ? count : (uint64_t)number_rounded((double)count * factor);
}

uint64_t number_scaled_part(uint64_t count, double factor, double *rest)
{
    if (factor == 1)
        return count;
    double exact = (double)count * factor + *rest;
    uint64_t rounded = (uint64_t)number_rounded(fmax(exact, 0));
    *rest = fmin(exact - (double)rounded, 0.5);
    return rounded;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return ORDER(a, b, 0);
}

void number_sort(double *numbers, size_t count)
{
    if (count > 0)
        qsort(numbers, count, sizeof *numbers, compare_doubles);
}
