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

bool report_has_room(const struct report *report, const struct output *out, unsigned lists)
{
    enum { BYTES_ALWAYS = 48 << 20, BYTES_PER_INPUT_BYTE = 90 };
    uint64_t input_bytes = report->profile->counts.bytes;
    input_bytes += report->old != NULL ? report->old->profile->counts.bytes : 0;
    uint64_t bytes_max = BYTES_ALWAYS + BYTES_PER_INPUT_BYTE * input_bytes;
    return !output_has_failed(out) &&
           (report->selection->lists_all_frames || out->byte_count < bytes_max / lists);
}
