#include "report/row.h"

#include <math.h>
#include <stddef.h>

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
    return row->calls == 0 && row_is_used(row);
}

int64_t row_average_ns(const struct row *row)
{
    return row->calls == 0 ? 0 : (int64_t)llround((double)row->self_ns / (double)row->calls);
}

double row_noise_ns(const struct row *row)
{
    const struct call_details *details = row_details(row);
    return sqrt(details->variance_ns2 + details->cost_error_ns * details->cost_error_ns);
}

bool row_is_alike(const struct row *row, const struct row *old)
{
    double noise_ns = hypot(row_noise_ns(row), row_noise_ns(old));
    bool is_known = (row->details != NULL || !row_is_used(row)) &&
                    (old->details != NULL || !row_is_used(old)) && noise_ns > 0;
    return is_known && fabs((double)(row->self_ns - old->self_ns)) <= 2 * noise_ns;
}
