#include "report/figures/report_format.h"

struct report_result report_stacks_result(const struct report *report)
{
    return (struct report_result){.count = report->totals.stacks, .one = "stack", .many = "stacks"};
}

struct report_result report_viewer_result(const struct report *report, const struct viewer *viewer)
{
    struct report_result result = report_stacks_result(report);
    result.clamped_ns = viewer->clamped_ns;
    result.truncated_count = viewer->truncated_count;
    return result;
}
