#include "report/figures/sim_speed.h"
#include "report/files/json/json_parts.h"

#include <math.h>

/* A time or size of the log; null if it is not known. */
static void put_known(struct json_writer *json, const char *key, double value)
{
    json_real(json, key, value < 0 ? NAN : value);
}

static double heap_of(const struct health *health, size_t sample)
{
    return sample == SIZE_MAX ? -1 : health->samples[sample].heap;
}

static void put_game(struct json_writer *json, const struct sim_speed *speed,
                     const struct health *health)
{
    json_object(json, NULL);
    json_number(json, "from_seconds", health->samples[speed->first].game_s);
    json_number(json, "to_seconds", health->samples[speed->end - 1].game_s);
    json_number(json, "moved_seconds", speed->moved_s);
    json_number(json, "real_seconds", speed->session_s);
    json_number(json, "still_seconds", speed->still_s);
    put_known(json, "heap_first_bytes", heap_of(health, speed->heap_first));
    put_known(json, "heap_last_bytes", heap_of(health, speed->heap_last));
    put_known(json, "heap_most_bytes", heap_of(health, speed->heap_most));
    json_number(json, "column_seconds", speed->column_s);
    json_array(json, "speeds");
    for (size_t i = 0; i < speed->column_count; i++)
        put_known(json, NULL, speed->columns[i]);
    json_end(json);
    json_end(json);
}

static void put_error(struct json_writer *json, const struct health *health, uint32_t id)
{
    const struct health_error *error = &health->errors[id];
    json_object(json, NULL);
    json_cleaned(json, "place", intern_get(&health->places, id));
    json_cleaned(json, "what", intern_get(&health->texts, error->what));
    json_cleaned(json, "message", intern_get(&health->texts, error->message));
    json_count(json, "count", error->count);
    json_count(json, "lines", error->lines);
    put_known(json, "first_seconds", (double)error->first_s);
    put_known(json, "last_seconds", (double)error->last_s);
    json_end(json);
}

void json_put_game_log(struct json_writer *json, const struct report *report)
{
    const struct health *health = &report->profile->health;
    struct sim_speed speed = {0};
    if (!health_is_known(health) && !profile_is_unrecorded(report->profile))
        return;
    json_object(json, "game_log");
    json_count(json, "lines", health->lines);
    json_bool(json, "has_end", health->ends > 0);
    json_count(json, "modules", health->modules);
    json_array(json, "mods");
    for (uint32_t i = 0; i < health->mods.count; i++)
        json_cleaned(json, NULL, intern_get(&health->mods, i));
    json_end(json);
    json_array(json, "games");
    while (sim_speed_next(&speed, health, SPEED_COLUMNS_MAX))
        put_game(json, &speed, health);
    json_end(json);
    json_array(json, "errors");
    for (uint32_t i = 0; i < health->places.count; i++)
        put_error(json, health, i);
    json_end(json);
    json_end(json);
}
