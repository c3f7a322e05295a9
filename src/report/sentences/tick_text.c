#include "report/sentences/tick_text.h"

#include "report/sentences/function_name.h"

#include <math.h>

struct amount tick_game_time(double seconds)
{
    unsigned long long tenths = seconds < 0 ? 0 : (unsigned long long)llround(seconds * 10);
    return amount_make("%llu:%02llu.%llu", tenths / 600, tenths % 600 / 10, tenths % 10);
}

struct amount tick_limit(const struct tick_list *list)
{
    return amount_make("%.10g ms", (double)list->limit_ns / 1e6);
}

struct amount tick_name_in(const struct profile *profile, const struct rebuilt_run *run,
                           int64_t number)
{
    if (profile->rebuild.state == LUA_STATE_UI)
        return amount_make("#%lld", (long long)number);
    return amount_make("#%lld (%s)", (long long)number,
                       tick_game_time(rebuilt_run_seconds(run, number)).at);
}

struct amount tick_name(const struct report *report, const struct tick *tick)
{
    return tick_name_in(report->profile, &report->profile->runs[tick->run], tick->number);
}

struct amount tick_ms(const struct report *report, int64_t ns)
{
    enum { LONG_NS = 10000000 };
    return amount_grouped_time(ns, UNIT_MS, report->ticks.longest_ns >= LONG_NS ? 1 : 3);
}

void tick_put_functions(struct text *text, const struct report *report, const struct tick *tick,
                        size_t limit, size_t room)
{
    enum { LEAST_PART = 50, GAP = 2 };
    const struct labels *labels = report->labels;
    struct text one = {0};
    size_t used = 0;
    for (size_t i = 0; i < limit && i < tick->function_count; i++) {
        const struct tick_function *function = &tick->functions[i];
        if (function->self_ns <= tick->time_ns / LEAST_PART)
            break;
        text_cut(&one, 0);
        text_printf(&one, "%s %s", tick_ms(report, function->self_ns).at,
                    room == SIZE_MAX
                        ? labels_string(labels, labels->labels[function->function].label)
                        : function_name(labels, function->function));
        size_t columns = text_width(text_span(&one));
        if (i > 0 && (room < columns || used + GAP > room - columns))
            break;
        text_put_string(text, i > 0 ? ", " : "");
        text_put_cut_path(text, text_span(&one), room);
        used += columns + (i > 0 ? GAP : 0);
    }
    text_release(&one);
}
