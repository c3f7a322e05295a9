#include "report/pages/svg/svg_value.h"

struct amount svg_value(const struct report *report, uint64_t value)
{
    enum report_metric metric = report->show.metric;
    const char *unit_name = report_metric_names[metric].unit;
    if (metric == METRIC_TIME) {
        int64_t ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        return amount_with_unit(ns, amount_unit_of(report, ns), 3);
    }
    bool is_one = value == 1 && metric != METRIC_ALLOC;
    return amount_make("%s %.*s", amount_count(value).at, (int)strlen(unit_name) - is_one,
                       unit_name);
}

struct amount svg_change(const struct report *report, uint64_t now, uint64_t old)
{
    const char *sign = now > old ? "+" : now < old ? "-" : "";
    return amount_make("%s%s", sign, svg_value(report, now > old ? now - old : old - now).at);
}

double svg_percent(uint64_t value, uint64_t all)
{
    return all == 0 ? 0 : 100 * ((double)value / (double)all);
}
