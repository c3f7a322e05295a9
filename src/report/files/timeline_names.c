#include "report/files/timeline_names.h"

void timeline_put_function(struct text *text, const struct report *report, uint32_t function)
{
    if (function == TIMELINE_TRUNCATED) {
        text_put_string(text, "(truncated)");
        return;
    }
    struct span label = labels_text(report->labels, report->labels->labels[function].label);
    struct span start = text_start(label, TIMELINE_NAME_MAX);
    text_put_span(text, start);
    text_put_string(text, start.length < label.length ? "..." : "");
}

void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (names_run && recordings->count > 1)
        text_printf(text, "run %u, ", (unsigned)recordings->all[track->recording].run);
    if (track->is_coroutine)
        timeline_put_function(text, report, track->root);
    else
        text_put_string(text, "main");
    if (track->is_coroutine || track->thread > 0)
        text_printf(text, " #%llu", (unsigned long long)track->thread);
}
