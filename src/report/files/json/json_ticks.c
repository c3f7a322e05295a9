#include "report/files/json/json_parts.h"

#include "report/figures/tick_pairs.h"

#include <math.h>

static void put_statistics(struct json_report *file, const char *key,
                           const struct tick_statistics *ticks)
{
    struct json_writer *json = &file->json;
    json_object(json, key);
    json_count(json, "count", ticks->count);
    json_number(json, "total_ns", ticks->total_ns);
    json_count(json, "over_count", ticks->over_count);
    json_number(json, "over_ns", ticks->over_ns);
    json_count(json, "disturbed_count", ticks->disturbed_count);
    json_number(json, "median_ns", ticks->median_ns);
    json_number(json, "percentile_95_ns", ticks->percentile_95_ns);
    json_number(json, "percentile_99_ns", ticks->percentile_99_ns);
    json_number(json, "longest_ns", ticks->longest_ns);
    json_number_if(json, "slow_every", ticks->distance.ticks > 0, ticks->distance.ticks);
    json_bool(json, "slow_at_collections", ticks->distance.is_collection);
    json_end(json);
}

static void put_functions(struct json_report *file, const struct tick *tick)
{
    struct json_writer *json = &file->json;
    json_number_if(json, "usual_ns", tick->usual_ns >= 0, tick->usual_ns);
    json_bool(json, "disturbed", tick->is_disturbed);
    if (tick->functions == NULL) {
        json_null(json, "functions");
        return;
    }
    json_array(json, "functions");
    for (size_t i = 0; i < tick->function_count; i++) {
        json_object(json, NULL);
        json_put_function(file, "function", tick->functions[i].function);
        json_number(json, "self_ns", tick->functions[i].self_ns);
        json_count(json, "calls", tick->functions[i].calls);
        json_end(json);
    }
    json_end(json);
}

/* `has_functions` is false for the old profile: its functions have other ids. */
static void put_list(struct json_report *file, const char *key, const struct profile *profile,
                     bool has_functions)
{
    struct json_writer *json = &file->json;
    json_array(json, key);
    for (size_t i = 0; i < profile->ticks.count && !output_has_failed(json->out); i++) {
        const struct tick *tick = &profile->ticks.ticks[i];
        double seconds = rebuilt_run_seconds(&profile->runs[tick->run], tick->number);
        json_object(json, NULL);
        json_count(json, "run", profile->recordings.all[tick->run].run);
        json_number(json, "tick", tick->number);
        /* Frames have no game time. */
        json_real(json, "game_seconds",
                  profile->ticks.state == LUA_STATE_UI ? NAN : round(seconds * 10) / 10);
        json_number(json, "time_ns", tick->time_ns);
        json_number(json, "measured_ns", tick->measured_ns);
        json_count(json, "calls", tick->calls);
        json_number(json, "over_ns", tick->over_ns > 0 ? tick->over_ns : 0);
        json_bool(json, "collection", tick_collects(&profile->ticks, tick->number));
        if (has_functions)
            put_functions(file, tick);
        json_end(json);
    }
    json_end(json);
}

static void put_same(struct json_report *file, const struct tick_list *now,
                     const struct tick_list *old)
{
    struct json_writer *json = &file->json;
    struct tick_pairs pairs;
    tick_pairs_init(&pairs, now, old);
    json_object(json, "in_both");
    json_count(json, "count", pairs.same_count);
    json_count(json, "longer_count", pairs.longer_count);
    json_count(json, "shorter_count", pairs.shorter_count);
    json_number(json, "total_ns", pairs.now_ns);
    json_number(json, "old_total_ns", pairs.old_ns);
    json_end(json);
    tick_pairs_release(&pairs);
}

static void put_times(struct json_report *file, const struct tick_times *times)
{
    struct json_writer *json = &file->json;
    json_count(json, "slow_ticks", times->slow_count);
    json_number(json, "median_ns", times->median_ns);
    json_number(json, "percentile_99_ns", times->percentile_99_ns);
    json_number(json, "longest_ns", times->longest_ns);
}

static void put_what_if(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct what_if_rows *what_if = file->report->what_if;
    if (!json_object_if(json, "what_if", what_if != NULL))
        return;
    json_count(json, "of_computer", what_if->computer_count);
    json_object(json, "now");
    put_times(file, &what_if->now);
    json_end(json);
    json_array(json, "changes");
    for (size_t i = 0; i < what_if->count; i++) {
        json_object(json, NULL);
        json_string(json, "text", what_if->rows[i].text);
        put_times(file, &what_if->rows[i].then);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void json_put_ticks(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct profile *profile = file->report->profile;
    const struct profile *old = file->report->old != NULL ? file->report->old->profile : NULL;
    bool has_ticks = profile->ticks.count > 0 || (old != NULL && old->ticks.count > 0);
    if (!json_object_if(json, "ticks", has_ticks))
        return;
    json_string(json, "kind", tick_kinds[profile->ticks.state].one);
    json_number(json, "budget_ns", profile->ticks.limit_ns);
    json_number_if(json, "ticks_per_collection", profile->ticks.state != LUA_STATE_UI,
                   TICKS_A_COLLECTION);
    put_statistics(file, "statistics", &file->report->ticks);
    if (old != NULL) {
        put_statistics(file, "old_statistics", &file->report->old->ticks);
        put_same(file, &profile->ticks, &old->ticks);
    }
    put_what_if(file);
    put_list(file, "list", profile, true);
    if (old != NULL)
        put_list(file, "old_list", old, false);
    json_end(json);
}
