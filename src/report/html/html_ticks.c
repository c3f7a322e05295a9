#include "report/html/html_writing.h"

#include "report/html/html_json.h"

#include <stdio.h>

static int64_t tick_number_of(const struct html_writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].number;
}

static int64_t tick_run_of(const struct html_writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].run;
}

static int64_t tick_time_of(const struct html_writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].time_ns;
}

static int64_t tick_calls_of(const struct html_writing *writing, uint32_t index)
{
    return (int64_t)writing->report->profile->ticks.ticks[index].calls;
}

/* The kept functions of each tick, if the page knows them. */
static void put_tick_functions(struct html_writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct text *json = writing->json;
    html_put_key(json, "functions");
    text_put_string(json, "[");
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        html_put_comma(json);
        text_put_string(json, tick->functions == NULL ? "null" : "[");
        for (size_t k = 0; tick->functions != NULL && k < tick->function_count; k++) {
            const struct tick_function *function = &tick->functions[k];
            uint32_t number = writing->number_of[function->function];
            bool is_known = number < writing->function_count &&
                            writing->functions[number] == function->function;
            if (!is_known || function->self_ns == 0)
                continue;
            html_put_comma(json);
            text_put_count(json, number);
            text_put_string(json, ",");
            text_put_number(json, function->self_ns);
            text_put_string(json, ",");
            text_put_count(json, function->calls);
        }
        text_put_string(json, tick->functions == NULL ? "" : "]");
    }
    text_put_string(json, "]");
}

void html_put_ticks(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    struct text *json = writing->json;
    uint32_t count = (uint32_t)profile->ticks.count;
    html_put_number(json, "budget_ns", TICK_BUDGET_NS);
    html_put_number(json, "collection", TICKS_A_COLLECTION);
    html_put_key(json, "runs");
    text_put_string(json, "[");
    for (size_t i = 0; i < profile->recordings.count; i++) {
        char seconds[64];
        html_put_comma(json);
        int length =
            snprintf(seconds, sizeof seconds, "[%lu,%.1f]",
                     (unsigned long)profile->recordings.all[i].run, profile->runs[i].zero_seconds);
        text_put(json, seconds, (size_t)length);
    }
    text_put_string(json, "]");
    html_put_key(json, "ticks");
    if (count == 0) {
        text_put_string(json, "null");
        return;
    }
    text_put_string(json, "{");
    html_put_column(writing, "number", count, tick_number_of);
    html_put_column(writing, "run", count, tick_run_of);
    html_put_column(writing, "time", count, tick_time_of);
    html_put_column(writing, "calls", count, tick_calls_of);
    put_tick_functions(writing);
    html_put_changes(writing, writing->bin_ticks);
    text_put_string(json, "}");
}
