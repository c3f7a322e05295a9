#include "report/sentences/game_log_text.h"

#include "base/sort.h"
#include "report/figures/sim_speed.h"
#include "report/sentences/amounts.h"
#include "report/sentences/styles.h"
#include "report/sentences/wrap.h"

#include <math.h>

enum { GAMES_SHOWN = 3, ERRORS_SHOWN = 10, MODS_SHOWN = 10 };

/* "12:30" */
static struct amount clock_time(int64_t seconds)
{
    return amount_make("%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

static struct amount megabytes(double size)
{
    return amount_count((uint64_t)llround(size / 0x1p20));
}

static int64_t column_start(const struct sim_speed *speed, const struct game_log *game_log,
                            size_t column)
{
    return game_log->samples[speed->first].game_s + (int64_t)column * speed->column_s;
}

static double mean_speed(const struct sim_speed *speed)
{
    return (double)speed->moved_s / (double)speed->session_s;
}

static uint64_t count_errors(const struct game_log *game_log)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < game_log->places.count; i++)
        count += game_log->errors[i].count;
    return count;
}

/* The name of a file in the log's paths, which are cut at their start. */
static struct span without_folder(struct span path)
{
    size_t start = path.length;
    while (start > 0 && path.at[start - 1] != '\\' && path.at[start - 1] != '/')
        start--;
    return span_from(path, start);
}

static void put_columns(struct text *text, const struct sim_speed *speed)
{
    enum { UNKNOWN = 0xb7, LOWEST = 0x2581, HEIGHTS = 8 };
    text_put_string(text, "Sim speed: ");
    for (size_t i = 0; i < speed->column_count; i++) {
        double height = fmin(floor(speed->columns[i] * HEIGHTS), HEIGHTS - 1);
        text_put_character(text, height < 0 ? UNKNOWN : LOWEST + (uint32_t)height);
    }
    text_printf(text, " a column is %s\n", clock_time(speed->column_s).at);
}

static void put_heap(struct text *text, const struct sim_speed *speed,
                     const struct game_log *game_log)
{
    if (speed->heap_first == SIZE_MAX)
        return;
    const struct game_log_sample *first = &game_log->samples[speed->heap_first];
    const struct game_log_sample *last = &game_log->samples[speed->heap_last];
    double most = game_log->samples[speed->heap_most].heap;
    text_printf(text, "Heap: %s MB at %s", megabytes(first->heap).at, clock_time(first->game_s).at);
    if (last->game_s > first->game_s)
        text_printf(text, ", %s MB at %s", megabytes(last->heap).at, clock_time(last->game_s).at);
    if (last->game_s - first->game_s >= 60)
        text_printf(text, " (%+.1f MB a minute)",
                    (last->heap - first->heap) / 0x1p20 * 60 /
                        (double)(last->game_s - first->game_s));
    text_printf(text,
                "; most %s MB: %.0f%% of the 2 GB, %.0f%% of the 4 GB that a program of 32 bits "
                "can have\n",
                megabytes(most).at, 100 * most / 0x1p31, 100 * most / 0x1p32);
}

static void put_game(struct text *text, const struct sim_speed *speed,
                     const struct game_log *game_log)
{
    int64_t from_s = game_log->samples[speed->first].game_s;
    int64_t to_s = game_log->samples[speed->end - 1].game_s;
    text_printf(text, "Game: %s", clock_time(from_s).at);
    if (to_s > from_s)
        text_printf(text, " to %s", clock_time(to_s).at);
    if (speed->session_s > 0)
        text_printf(text, " in %s of real time, sim speed %.2f", clock_time(speed->session_s).at,
                    mean_speed(speed));
    if (speed->still_s > 0)
        text_printf(text, "; it stood still for %s", clock_time(speed->still_s).at);
    text_put_string(text, "\n");
    if (speed->session_s > 0)
        put_columns(text, speed);
    if (speed->slow_count > 0)
        text_printf(text, "  below %.1f in %zu of %s, from %s on; slowest %.2f at %s\n", SPEED_SLOW,
                    speed->slow_count, amount_things(speed->column_count, "column", "columns").at,
                    clock_time(column_start(speed, game_log, speed->slow_first)).at,
                    speed->columns[speed->slowest],
                    clock_time(column_start(speed, game_log, speed->slowest)).at);
    put_heap(text, speed, game_log);
}

static void put_error(struct text *text, const struct game_log *game_log, uint32_t id)
{
    const struct game_log_error *error = &game_log->errors[id];
    struct span place = intern_get(&game_log->places, id);
    struct span message = intern_get(&game_log->texts, error->message);
    text_printf(text, "  %s", amount_things(error->count, "time", "times").at);
    if (error->first_s >= 0)
        text_printf(text, ", %s", clock_time(error->first_s).at);
    if (error->last_s > error->first_s)
        text_printf(text, "%s to %s", error->first_s < 0 ? ", up" : "",
                    clock_time(error->last_s).at);
    text_put_string(text, ": ");
    text_put_clean(text, intern_get(&game_log->texts, error->what), false);
    text_put_string(text, ", ");
    if (!span_is_same(place, message)) {
        text_put_clean(text, without_folder(place), false);
        text_put_string(text, ": ");
    }
    text_put_clean(text, message, false);
    text_put_string(text, "\n");
}

static void put_errors(struct text *text, const struct game_log *game_log, bool shows_all)
{
    size_t count = game_log->places.count;
    struct keyed *order = mem_zeroed(count, sizeof *order);
    uint64_t lines = 0;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct keyed){UINT64_MAX - game_log->errors[i].count, i};
        lines += game_log->errors[i].lines;
    }
    key_sort(order, count);
    size_t shown = shows_all || count <= ERRORS_SHOWN ? count : ERRORS_SHOWN;
    if (count > 0)
        text_printf(text, "Errors of Lua: %s at %s, %.1f%% of the log's lines\n",
                    amount_count(count_errors(game_log)).at,
                    amount_things(count, "place", "places").at,
                    100 * (double)lines / (double)game_log->lines);
    for (size_t i = 0; i < shown; i++)
        put_error(text, game_log, order[i].item);
    if (shown < count)
        text_printf(text, "  ... and %s\n",
                    amount_things(count - shown, "more place", "more places").at);
    free(order);
}

static void put_mods(struct text *text, const struct game_log *game_log, bool shows_all,
                     bool notes_end)
{
    uint32_t count = game_log->mods.count;
    uint32_t shown = shows_all || count <= MODS_SHOWN ? count : MODS_SHOWN;
    if (game_log->modules > 0)
        text_printf(text, "Modules loaded: %s\n", amount_count(game_log->modules).at);
    for (uint32_t i = 0; i < shown; i++) {
        text_put_string(text, i == 0 ? "Mods: " : "; ");
        text_put_clean(text, intern_get(&game_log->mods, i), false);
    }
    if (shown < count)
        text_printf(text, "; ... and %s more", amount_count(count - shown).at);
    text_put_string(text, count > 0 ? "\n" : "");
    if (notes_end && game_log->ends == 0)
        text_put_string(text, "Note: the log does not end with 'Run time': the game crashed, or "
                              "was still running\n");
}

void game_log_put(struct text *text, const struct report *report)
{
    enum { OTHER_COLUMNS = 12, FEWEST = 10 };
    const struct game_log *game_log = &report->profile->game_log;
    struct text lines = {0};
    struct sim_speed speed = {0};
    size_t games = 0,
           room = report->width > OTHER_COLUMNS + FEWEST ? report->width - OTHER_COLUMNS : FEWEST;
    if (report->width == 0 || room > SPEED_COLUMNS_MAX)
        room = SPEED_COLUMNS_MAX;
    while (sim_speed_next(&speed, game_log, room))
        if (games++ < GAMES_SHOWN || report->show.is_verbose)
            put_game(&lines, &speed, game_log);
    if (games > GAMES_SHOWN && !report->show.is_verbose)
        text_printf(&lines, "... and %s\n",
                    amount_things(games - GAMES_SHOWN, "more game", "more games").at);
    put_errors(&lines, game_log, report->show.is_verbose);
    put_mods(&lines, game_log, report->show.is_verbose, profile_is_unrecorded(report->profile));
    wrap_put_lines(text, report->width, 2, &lines);
}

void game_log_put_short(struct text *text, const struct report *report)
{
    const struct game_log *game_log = &report->profile->game_log;
    struct text line = {0};
    struct sim_speed speed = {0}, last = {0};
    uint64_t errors = count_errors(game_log);
    while (sim_speed_next(&speed, game_log, SPEED_COLUMNS_MAX))
        if (speed.session_s > 0)
            last = speed;
    if (last.session_s == 0)
        return;
    text_printf(&line, "The sim ran at %.2f of real time", mean_speed(&last));
    if (last.slow_count > 0)
        text_printf(&line, ", below %.1f from %s on", SPEED_SLOW,
                    clock_time(column_start(&last, game_log, last.slow_first)).at);
    if (errors > 0)
        text_printf(&line, "; the log has %s at %s",
                    amount_things(errors, "error of Lua", "errors of Lua").at,
                    amount_things(game_log->places.count, "place", "places").at);
    struct wrap wrap = {.width = report->width,
                        .indent = 2,
                        .is_colored = report->is_colored,
                        .option = span_of("--verbose")};
    wrap_put(text, &wrap, text_span(&line));
    text_release(&line);
}
