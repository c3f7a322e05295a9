#include "report/figures/unit_growth.h"
#include "report/figures/watched.h"
#include "report/figures/watched_trend.h"
#include "report/files/json/json.h"
#include "report/tables/watched_repeated.h"
#include "report/tables/watched_table.h"

#include <math.h>

static void number(struct json_report *file, int64_t function)
{
    if (function >= 0 && function != TREE_NONE)
        json_number_function(file, (uint32_t)function);
}

/* The last two frames of a waiting stack are the function that waits and what it calls to do so. */
static const struct watch_frame *waiting_frame(const struct report *report,
                                               const struct watch_wake *wake)
{
    const struct watches *watches = &report->profile->recordings.watches;
    return wake != NULL && wake->stack_count > 1
               ? &watches->frames[wake->stack_from + wake->stack_count - 2]
               : NULL;
}

void json_number_watch(struct json_report *file)
{
    SCOPED(watched) watched = {0};
    SCOPED(watched_table) threads = {0};
    SCOPED(watched_repeated) repeated;
    watched_repeated_init(&repeated, file->report, FOR_JSON);
    json_number_table(file, &repeated.rows);
    if (!file->report->shows_watch)
        return;
    watched_init(&watched, file->report->profile);
    watched_table_init(&threads, file->report, FOR_JSON);
    json_number_table(file, &threads.table);
    for (size_t i = 0; i < watched.slowest_count; i++) {
        const struct watched_tick *tick = &watched.slowest[i];
        const struct watch_frame *frame = waiting_frame(file->report, tick->wake);
        number(file, tick->function);
        number(file, tick->line->gaps.function);
        if (frame != NULL)
            number(file, frame->function);
        for (size_t k = 0; tick->exact != NULL && k < tick->exact->function_count; k++) {
            number(file, tick->exact->functions[k].function);
            number(file, tick->exact->functions[k].caller);
        }
    }
}

static void put_function(struct json_report *file, const char *key, int64_t function)
{
    json_put_function(
        &file->json, key, function < 0 ? TREE_NONE : (uint32_t)function, file->number_of);
}

static void put_gaps(struct json_report *file, const struct watch_sum *gaps)
{
    if (!json_object_if(&file->json, "gaps", gaps->time_ns > 0))
        return;
    json_count(&file->json, "count", gaps->wakes);
    json_number(&file->json, "time_ns", gaps->time_ns);
    json_number(&file->json, "longest_ns", gaps->longest_ns);
    put_function(file, "before", gaps->function);
    json_end(&file->json);
}

static void put_wait(struct json_report *file, const struct watch_wake *wake)
{
    const struct watch_frame *frame = waiting_frame(file->report, wake);
    if (!json_object_if(&file->json, "waits", frame != NULL))
        return;
    put_function(file, "function", frame->function);
    json_number_if(&file->json, "line", frame[1].line > 0, frame[1].line);
    json_end(&file->json);
}

static void put_exact(struct json_report *file, const struct watched_tick *tick)
{
    struct json_writer *json = &file->json;
    const struct exact_wake *wake = tick->exact;
    if (!json_object_if(json, "exact", wake != NULL))
        return;
    json_count(json, "run", file->report->profile->recordings.all[wake->recording].run);
    json_number(json, "tick", wake->tick);
    json_number(json, "time_ns", wake->time_ns);
    json_bool(json, "cut", wake->is_cut);
    json_array(json, "functions");
    for (size_t i = 0; i < wake->function_count; i++) {
        const struct wake_function *function = &wake->functions[i];
        JSON_OBJECT(json, NULL);
        put_function(file, "function", function->function);
        json_number(json, "self_ns", function->self_ns);
        json_count(json, "calls", function->calls);
        put_function(file, "caller", function->caller);
        json_number(json, "caller_ns", function->caller_ns);
    }
    json_end(json);
    json_end(json);
}

static double seconds_of(const struct profile *profile, const struct watched_tick *tick)
{
    double seconds = recording_seconds(&profile->rebuilt[tick->recording], tick->number);
    return profile->rebuild.state == LUA_STATE_UI
               ? NAN
               : round(TICKS_A_SECOND * seconds) / TICKS_A_SECOND;
}

static void put_tick(struct json_report *file, const struct watched_tick *tick)
{
    const struct profile *profile = file->report->profile;
    struct json_writer *json = &file->json;
    JSON_OBJECT(json, NULL);
    json_count(json, "run", profile->recordings.all[tick->recording].run);
    json_number(json, "tick", tick->number);
    json_real(json, "game_seconds", seconds_of(profile, tick));
    json_number(json, "time_ns", tick->time_ns);
    json_bool(json, "slow", tick->is_slow);
    put_function(file, "function", tick->function);
    json_number_if(json, "function_ns", tick->function != TREE_NONE, tick->function_ns);
    put_exact(file, tick);
    put_wait(file, tick->wake);
    put_gaps(file, &tick->line->gaps);
}

static void put_growth(struct json_writer *json, const struct watched_growth *growth)
{
    json_number(json, "first_tick_ns", (int64_t)growth->first_ns);
    json_number(json, "last_tick_ns", (int64_t)growth->last_ns);
    json_real(json, "first_runs", growth->first_wakes);
    json_real(json, "last_runs", growth->last_wakes);
}

static void put_trend(struct json_report *file)
{
    struct json_writer *json = &file->json;
    struct watched_trend trend;
    watched_trend_find(&trend, file->report);
    if (!json_object_if(json, "trend", trend.is_known))
        return;
    put_growth(json, &trend.all);
    json_array(json, "functions");
    for (size_t i = 0; i < trend.function_count; i++) {
        JSON_OBJECT(json, NULL);
        json_put_function(json, "function", trend.functions[i].function, file->number_of);
        put_growth(json, &trend.functions[i]);
    }
    json_end(json);
    json_end(json);
}

void json_put_watch(struct json_report *file)
{
    SCOPED(watched) watched = {0};
    struct json_writer *json = &file->json;
    if (!file->report->shows_watch)
        return;
    watched_init(&watched, file->report->profile);
    SCOPED(watched_table) threads;
    watched_table_init(&threads, file->report, FOR_JSON);
    JSON_OBJECT(json, "watch");
    json_count(json, "ticks", watched.tick_count);
    json_count(json, "slow_ticks", watched.slow_count);
    json_count(json, "gap_ticks", watched.gap_count);
    json_number_if(json, "slow_over_ns", watched.slow_ns > 0, watched.slow_ns);
    json_put_all(file, "threads", &threads.table);
    put_trend(file);
    JSON_ARRAY(json, "slowest");
    for (size_t i = 0; i < watched.slowest_count; i++)
        put_tick(file, &watched.slowest[i]);
}

static void put_median(struct json_writer *json, const char *key, const struct unit_median *median)
{
    JSON_OBJECT(json, key);
    json_count(json, "units", median->units);
    json_number(json, "median_ns", median->median_ns);
}

void json_put_units(struct json_report *file)
{
    struct json_writer *json = &file->json;
    struct unit_growth growth;
    unit_growth_find(&growth, file->report);
    if (!growth.is_known)
        return;
    JSON_OBJECT(json, "units");
    json_real(json, "exponent", growth.exponent);
    put_median(json, "few", &growth.few);
    put_median(json, "many", &growth.many);
    JSON_ARRAY(json, "functions");
    for (size_t i = 0; i < growth.function_count; i++) {
        JSON_OBJECT(json, NULL);
        json_put_function(json, "function", growth.functions[i].function, file->number_of);
        json_real(json, "exponent", growth.functions[i].exponent);
    }
}
