#include "report/report_timeline.h"

#include "base/json.h"

#include <string.h>

static bool is_inside_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static void put_label(struct text *name, const struct report *report, uint32_t function)
{
    if (function == TIMELINE_TRUNCATED) {
        text_put_string(name, "(truncated)");
        return;
    }
    struct span label = labels_text(report->labels, report->labels->labels[function].label);
    size_t length = label.length;
    if (length > TIMELINE_NAME_MAX)
        for (length = TIMELINE_NAME_MAX; is_inside_character(label.at[length]);)
            length--;
    text_put(name, label.at, length);
    if (length < label.length)
        text_put_string(name, "...");
}

void timeline_put_function(struct text *text, const struct report *report, uint32_t function)
{
    struct text name = {0};
    put_label(&name, report, function);
    json_put_string(text, text_span(&name));
    text_release(&name);
}

void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run)
{
    const struct recordings *recordings = &report->profile->recordings;
    struct text name = {0};
    if (names_run && recordings->count > 1)
        text_printf(&name, "run %u, ", (unsigned)recordings->all[track->run].run);
    if (track->is_coroutine)
        put_label(&name, report, track->root);
    else
        text_put_string(&name, "main");
    if (track->is_coroutine || track->thread > 0)
        text_printf(&name, " #%llu", (unsigned long long)track->thread);
    json_put_string(text, text_span(&name));
    text_release(&name);
}

void timeline_put_run(struct text *text, const struct report *report, uint32_t run)
{
    const struct recordings *recordings = &report->profile->recordings;
    struct text name = {0};
    text_put_clean(&name, (struct span){report->title, strlen(report->title)}, false);
    if (recordings->count > 1) {
        text_put_string(&name, ", run ");
        text_put_count(&name, recordings->all[run].run);
    }
    json_put_string(text, text_span(&name));
    text_release(&name);
}
