#include "report/figures/row.h"

#include <math.h>

const struct call_details *row_details(const struct row *row)
{
    static const struct call_details none = {.min_ns = INT64_MAX, .max_ns = -1};
    return row->details != NULL ? row->details : &none;
}

bool row_is_used(const struct row *row)
{
    return row->calls > 0 || row->self_ns != 0 || row->total_ns != 0;
}

bool row_began_before(const struct row *row)
{
    return row->calls == 0 && row_is_used(row) && !row_is_below_one_call(row);
}

bool row_is_below_one_call(const struct row *row)
{
    return row->calls == 0 && (row->flags & NODE_CALLED) != 0;
}

int64_t row_average_ns(const struct row *row)
{
    return row->calls == 0 ? 0 : (int64_t)llround((double)row->self_ns / (double)row->calls);
}

double row_noise_ns(const struct row *row)
{
    return call_details_noise_ns(row_details(row));
}

bool rows_have_noise(const struct row *row, const struct row *old)
{
    return (row->details != NULL || !row_is_used(row)) &&
           (old->details != NULL || !row_is_used(old));
}

bool row_is_alike(const struct row *row, const struct row *old)
{
    double noise_ns = hypot(row_noise_ns(row), row_noise_ns(old));
    return rows_have_noise(row, old) && noise_ns > 0 &&
           fabs((double)(row->self_ns - old->self_ns)) <= 2 * noise_ns;
}
