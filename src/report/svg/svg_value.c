#include "report/svg/svg_value.h"

#include "report/svg/svg_layout.h"

#include <inttypes.h>
#include <string.h>

const char *svg_metric_name(enum report_metric metric)
{
    static const char *const names[] = {
        [METRIC_TIME] = "time",
        [METRIC_CALLS] = "calls",
        [METRIC_ERRORS] = "errors",
        [METRIC_ALLOC] = "alloc",
    };
    return names[metric];
}

const char *svg_unit_name(enum report_metric metric)
{
    static const char *const names[] = {
        [METRIC_TIME] = "ns",
        [METRIC_CALLS] = "calls",
        [METRIC_ERRORS] = "errors",
        [METRIC_ALLOC] = "KB",
    };
    return names[metric];
}

/* Without zeros at the end. */
void svg_put_position(struct text *text, const char *name, uint32_t position)
{
    uint32_t whole = position / SVG_PIXEL, rest = position % SVG_PIXEL;
    if (rest == 0)
        svg_put_attribute(text, name, whole);
    else if (rest % 10 == 0)
        text_printf(text, " %s=\"%" PRIu32 ".%" PRIu32 "\"", name, whole, rest / 10);
    else
        text_printf(text, " %s=\"%" PRIu32 ".%02" PRIu32 "\"", name, whole, rest);
}

void svg_put_attribute(struct text *text, const char *name, uint64_t value)
{
    text_printf(text, " %s=\"%" PRIu64 "\"", name, value);
}

void svg_put_value(struct text *text, const struct report *report, uint64_t value)
{
    if (report->metric == METRIC_TIME) {
        int64_t ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        enum report_unit unit = report->unit == UNIT_AUTO ? report_unit_for(ns) : report->unit;
        report_put_time(text, ns, unit, 3);
        text_printf(text, " %s", report_unit_name(unit));
        return;
    }
    const char *name = svg_unit_name(report->metric);
    bool is_one = value == 1 && report->metric != METRIC_ALLOC;
    text_put_grouped(text, value);
    text_put_string(text, " ");
    text_put(text, name, strlen(name) - is_one);
}

void svg_put_difference(struct text *text, const struct report *report, uint64_t now, uint64_t old)
{
    text_put_string(text, now > old ? "+" : now < old ? "-" : "");
    svg_put_value(text, report, now > old ? now - old : old - now);
}

void svg_put_share(struct text *text, uint64_t value, uint64_t all)
{
    double percent = all == 0 ? 0 : 100 * ((double)value / (double)all);
    text_printf(text, " (%.2f%%)", percent);
}
