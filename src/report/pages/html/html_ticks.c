#include "report/pages/html/html_writing.h"

#include "report/pages/html/html_columns.h"

/* The kept functions of each tick, if the page knows them. */
static void put_tick_functions(struct html_writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct json_writer *json = &writing->json;
    json_array(json, "functions");
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        if (tick->functions == NULL) {
            json_null(json, NULL);
            continue;
        }
        json_array(json, NULL);
        for (size_t k = 0; k < tick->function_count; k++) {
            const struct tick_function *function = &tick->functions[k];
            uint32_t number = writing->number_of[function->function];
            bool is_known = number < writing->function_count &&
                            writing->functions[number] == function->function;
            if (!is_known || function->self_ns == 0)
                continue;
            json_count(json, NULL, number);
            json_number(json, NULL, function->self_ns);
            json_count(json, NULL, function->calls);
        }
        json_end(json);
    }
    json_end(json);
}

static void put_runs(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    json_array(&writing->json, "runs");
    for (size_t i = 0; i < profile->recordings.count; i++)
        text_printf(json_value(&writing->json, NULL), "[%lu,%.1f]",
                    (unsigned long)profile->recordings.all[i].run, profile->runs[i].zero_seconds);
    json_end(&writing->json);
}

void html_put_ticks(struct html_writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct json_writer *json = &writing->json;
    struct html_columns columns = {.keys = {"number", "run", "time", "calls"}};
    json_number(json, "budget_ns", TICK_BUDGET_NS);
    json_number(json, "collection", TICKS_A_COLLECTION);
    put_runs(writing);
    if (list->count == 0) {
        json_null(json, "ticks");
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        html_columns_add(&columns,
                         (int64_t[]){tick->number, tick->run, tick->time_ns, (int64_t)tick->calls});
    }
    json_object(json, "ticks");
    html_columns_put(&columns, json);
    put_tick_functions(writing);
    html_put_changes(writing);
    json_end(json);
}
