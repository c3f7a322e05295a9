#include "report/sentences/game_log_text.h"

#include "base/sort.h"
#include "report/figures/sim_speed.h"
#include "report/sentences/amounts.h"
#include "report/sentences/wrap.h"

#include <math.h>

enum { GAMES_SHOWN = 3, ERRORS_SHOWN = 10, MODS_SHOWN = 10 };

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
    for (uint32_t i = 0; i < game_log->row_count; i++)
        count += game_log->errors[i].count;
    return count;
}

static void put_mod_names(struct text *text, const struct game_log *game_log, uint32_t shown_max)
{
    uint32_t count = game_log->mods.count;
    uint32_t shown = count < shown_max ? count : shown_max;
    for (uint32_t i = 0; i < shown; i++) {
        if (i > 0)
            text_put_string(text, "; ");
        text_put_clean(text, intern_get(&game_log->mods, i), false);
    }
    if (shown < count)
        text_printf(text, "; ... and %s more", amount_count(count - shown).at);
}

static void put_clean(struct text *text, const struct game_log *game_log, const char *before,
                      uint32_t id)
{
    struct span clean = intern_get(&game_log->texts, id);
    if (clean.length > 0)
        text_put_string(text, before);
    text_put_clean(text, clean, false);
}

/* How a game ended --------------------------------------------------------------------------- */

/* A program of 32 bits has 2 GB, or 4 if it was changed to have them. */
static void put_full_heap(struct text *text, double heap)
{
    int limit_gb = heap > 0x1p31 ? 4 : 2;
    double share = heap / (limit_gb * 0x1p30);
    if (share > 0.9)
        text_printf(text, " (heap %.0f%% of %d GB)", 100 * share, limit_gb);
}

static void put_end(struct text *text, const struct game_log *game_log,
                    const struct game_log_end *end)
{
    enum { BEATS_A_SECOND = 10 };
    if (end->kind == LINE_DESYNC) {
        text_printf(text,
                    "Out of sync from beat %llu (%s) on",
                    (unsigned long long)end->beat,
                    amount_clock((int64_t)(end->beat / BEATS_A_SECOND)).at);
        return;
    }
    text_printf(text, "The %s crashed", end->kind == LINE_SIM_CRASH ? "sim" : "game");
    if (end->game_s >= 0)
        text_printf(text, " at %s", amount_clock(end->game_s).at);
    put_clean(text, game_log, ": ", end->what);
    put_clean(text, game_log, " at ", end->where);
    put_full_heap(text, end->heap);
    if (end->kind == LINE_EXCEPTION && game_log->report_lines > 0)
        text_printf(text,
                    "; this is the last %s of its log",
                    amount_things(game_log->report_lines, "line", "lines").at);
}

/* What recording needs, and why there is none. */
void game_log_put_unrecorded(struct text *text, const struct profile *profile)
{
    enum { BEGINS_S = 60 };
    const struct game_log *with = NULL, *mods = NULL;
    int64_t last_s = -1;
    bool has_empty_list = false, is_report = false, is_changed = false, is_known = false;
    for (size_t i = 0; i < profile->game_logs.count; i++) {
        const struct game_log *game_log = &profile->game_logs.all[i].log;
        has_empty_list |= game_log->has_mods;
        is_report |= game_log->report_lines > 0;
        is_changed |= game_log->is_changed;
        is_known |= game_log_is_known(game_log);
        mods = mods == NULL && game_log->mods.count > 0 ? game_log : mods;
        for (uint32_t k = 0; k < game_log->mods.count; k++)
            with = span_starts_like(intern_get(&game_log->mods, k), "supprof") ? game_log : with;
        for (size_t k = 0; k < game_log->sample_count; k++)
            if (game_log->samples[k].game_s > last_s)
                last_s = game_log->samples[k].game_s;
    }
    if (is_changed) {
        text_put_string(text, "its profiler lines are in upper case; give the game's own file");
    } else if (with != NULL && last_s >= 0 && last_s < BEGINS_S) {
        text_printf(
            text,
            "the mod 'supprof recorder' was on, but it begins to record at 1:00, and the game "
            "ended at %s",
            amount_clock(last_s).at);
    } else if (with != NULL) {
        text_printf(text,
                    "the mod 'supprof recorder' was on, but no recording began: %sby its settings "
                    "it waits for your keys, or for a slow game",
                    last_s < 0 ? "the game ended before 1:00, or " : "");
    } else if (mods != NULL) {
        text_put_string(text, "the mod 'supprof recorder' was not on; mods were ");
        put_mod_names(text, mods, MODS_SHOWN);
    } else if (has_empty_list) {
        text_put_string(text, "the mod 'supprof recorder' was not on; the list of mods is empty");
    } else {
        text_put_string(text, "the log has no list of mods");
        if (is_report)
            text_put_string(text, "; a crash report has only the last lines");
        else if (!is_known)
            text_put_string(text,
                            "; it begins too late, its text was changed, or no game was started");
    }
}

static void put_ends(struct text *text, const struct game_logs *logs, const char *before,
                     bool names_log, const char *after)
{
    for (size_t i = 0; i < logs->count; i++) {
        const struct game_log *game_log = &logs->all[i].log;
        for (size_t k = 0; k < game_log->end_count; k++) {
            text_put_string(text, before);
            if (names_log) {
                text_put_clean(text, span_of(logs->all[i].name), false);
                text_put_string(text, ": ");
            }
            put_end(text, game_log, &game_log->game_ends[k]);
            text_put_string(text, after);
            text_put_string(text, "\n");
        }
    }
}

void game_ends_put(struct text *text, const struct report *report)
{
    static const char compared[] = ": from there on, the two sides are not the same game";
    const struct game_logs *logs = &report->profile->game_logs;
    const struct report *old = report->old;
    bool is_compared = report->compares_logs || report->repeated != NULL;
    struct text lines = {0};
    put_ends(&lines, logs, "", logs->count > 1 || is_compared, is_compared ? compared : "");
    if (report->compares_logs)
        put_ends(&lines, &old->profile->game_logs, "old ", true, compared);
    wrap_put_lines(text, report->width, 2, &lines);
}

/* Speed and heap ----------------------------------------------------------------------------- */

/* The name of a file in the log's paths, which are cut at their start; of a mod's, from its folder
 * on.
 */
static struct span without_folder(struct span path)
{
    static const char mods[] = "mods";
    if (span_starts_with(path, "[string"))
        return path;
    size_t start = path.length, length = strlen(mods);
    while (start > 0 && path.at[start - 1] != '\\' && path.at[start - 1] != '/')
        start--;
    for (size_t i = 0; i + length < start; i++) {
        bool is_folder = (i == 0 || strchr("\\/.", path.at[i - 1]) != NULL) &&
                         (path.at[i + length] == '\\' || path.at[i + length] == '/');
        if (is_folder && memcmp(path.at + i, mods, length) == 0)
            return span_from(path, i + length + 1);
    }
    return span_from(path, start);
}

static void put_columns(struct text *text, const struct sim_speed *speed)
{
    enum { UNKNOWN = 0xb7, LOWEST = 0x2581, HEIGHTS = 8 };
    double full = fmax(speed->fastest, 1);
    text_put_string(text, "\nSim speed: ");
    for (size_t i = 0; i < speed->column_count; i++) {
        double height = fmin(floor(speed->columns[i] / full * HEIGHTS), HEIGHTS - 1);
        text_put_character(text, height < 0 ? UNKNOWN : LOWEST + (uint32_t)height);
    }
    text_printf(text, " a column is %s", amount_clock(speed->column_s).at);
    if (full > 1 / SPEED_SLOW)
        text_printf(text, ", a full one %.1f", full);
}

static void put_heap(struct text *text, const struct sim_speed *speed,
                     const struct game_log *game_log)
{
    if (speed->heap_first == SIZE_MAX)
        return;
    const struct game_log_sample *first = &game_log->samples[speed->heap_first];
    const struct game_log_sample *last = &game_log->samples[speed->heap_last];
    double most = game_log->samples[speed->heap_most].heap;
    struct amount begin = amount_megabytes(first->heap), end = amount_megabytes(last->heap);
    bool is_same = last->game_s > first->game_s && strcmp(begin.at, end.at) == 0;
    text_printf(text,
                "Heap: %s MB %s %s",
                begin.at,
                is_same ? "from" : "at",
                amount_clock(first->game_s).at);
    if (is_same)
        text_printf(text, " to %s", amount_clock(last->game_s).at);
    else if (last->game_s > first->game_s)
        text_printf(text, ", %s MB at %s", end.at, amount_clock(last->game_s).at);
    if (!is_same && last->game_s - first->game_s >= 60)
        text_printf(text,
                    " (%+.1f MB a minute)",
                    (last->heap - first->heap) / 0x1p20 * 60 /
                        (double)(last->game_s - first->game_s));
    if (strcmp(amount_megabytes(most).at, end.at) != 0)
        text_printf(text, "; most %s MB", amount_megabytes(most).at);
    text_printf(text,
                ": %.0f%% of the 2 GB, %.0f%% of the 4 GB that a program of 32 bits can have\n",
                100 * most / 0x1p31,
                100 * most / 0x1p32);
}

/* The game shows its speed as a whole number: ten times the logarithm. */
static void put_game_scale(struct text *text, const struct sim_speed *speed)
{
    double scale = speed->session_s >= SPEED_REAL_LEAST_S && speed->moved_s > 0
                       ? round(10 * log10(mean_speed(speed)))
                       : 0;
    if (scale != 0 && fabs(scale) <= 10)
        text_printf(text, " (%+.0f on the game's scale of -10 to +10)", scale);
}

static int compare_wait(const void *key, const void *item)
{
    const struct sim_speed *speed = key;
    const struct game_log_wait *wait = item;
    return wait->sample_count > speed->first ? -1 : 1;
}

/* Appends the players for whom the game has waited. */
static void put_waits(struct text *text, const struct sim_speed *speed,
                      const struct game_log *game_log)
{
    enum { WAITS_SHOWN = 5 };
    size_t from = search_first(
        speed, game_log->waits, game_log->wait_count, sizeof *game_log->waits, compare_wait);
    size_t count = 0;
    for (size_t i = from; i < game_log->wait_count && game_log->waits[i].sample_count <= speed->end;
         i++) {
        const struct game_log_wait *wait = &game_log->waits[i];
        if (count++ >= WAITS_SHOWN)
            continue;
        put_clean(text, game_log, "; connection lost to ", wait->player);
        text_printf(
            text, " at %s%s", amount_clock(wait->game_s).at, wait->is_ejected ? ", ejected" : "");
    }
    if (count > WAITS_SHOWN)
        text_printf(text, "; ... and %s more", amount_count(count - WAITS_SHOWN).at);
}

/* What was no speed: time in which the game did not run. */
static void put_still(struct text *text, const struct sim_speed *speed,
                      const struct game_log *game_log)
{
    if (speed->still_s > speed->waited_s)
        text_printf(
            text, "; it stood still for %s", amount_clock(speed->still_s - speed->waited_s).at);
    if (speed->waited_s <= 0)
        return;
    put_waits(text, speed, game_log);
    text_printf(text, ": the %s around it are left out", amount_clock(speed->waited_s).at);
}

/* In a game that runs faster than real time. */
static void put_fall(struct text *text, const struct sim_speed *speed,
                     const struct game_log *game_log, const char *before)
{
    double last = 0;
    for (size_t i = speed->falls_at; i < speed->column_count; i++)
        last = speed->columns[i] >= 0 ? speed->columns[i] : last;
    text_printf(text,
                "%sfalls from %.1f to %.1f: below %.1f from %s on",
                before,
                speed->fastest,
                last,
                SPEED_FALLEN * speed->fastest,
                amount_clock(column_start(speed, game_log, speed->falls_at)).at);
}

/* Appends "from 5:00 on", or "first at 5:00". */
static void put_slow_from(struct text *text, const struct sim_speed *speed,
                          const struct game_log *game_log)
{
    text_printf(text,
                speed->stays_slow ? "from %s on" : "first at %s",
                amount_clock(column_start(speed, game_log, speed->slow_first)).at);
}

static void put_game(struct text *text, const struct sim_speed *speed,
                     const struct game_log *game_log, bool has_picture)
{
    int64_t from_s = game_log->samples[speed->first].game_s;
    int64_t to_s = game_log->samples[speed->end - 1].game_s;
    text_printf(text, "Game: %s", amount_clock(from_s).at);
    if (to_s > from_s)
        text_printf(text, " to %s", amount_clock(to_s).at);
    if (speed->session_s > 0)
        text_printf(text,
                    " in %s of real time, sim speed %.2f",
                    amount_clock(speed->session_s).at,
                    mean_speed(speed));
    put_game_scale(text, speed);
    put_still(text, speed, game_log);
    /* One column has the speed that is said already. */
    bool has_columns = speed->column_count > 1;
    bool is_pictured = has_columns && speed->session_s >= SPEED_REAL_LEAST_S && has_picture;
    if (is_pictured)
        put_columns(text, speed);
    /* Below the picture, or else in the same sentence. */
    const char *before = is_pictured ? "\n  " : "; ";
    if (has_columns && speed->slow_count > 0) {
        text_printf(text,
                    "%sbelow %.1f in %zu of %s, ",
                    before,
                    SPEED_SLOW,
                    speed->slow_count,
                    amount_things(speed->column_count, "column", "columns").at);
        put_slow_from(text, speed, game_log);
        text_printf(text,
                    "; slowest %.2f at %s",
                    speed->columns[speed->slowest],
                    amount_clock(column_start(speed, game_log, speed->slowest)).at);
    } else if (speed->falls_at > 0) {
        put_fall(text, speed, game_log, before);
    }
    text_put_string(text, "\n");
    put_heap(text, speed, game_log);
}

/* Errors --------------------------------------------------------------------------------------- */

/* Appends what an error broke, and which mods had called. */
static void put_links(struct text *text, const struct game_log *game_log,
                      const struct game_log_error *error)
{
    enum { SHOWN = 3 };
    for (int is_file = 0; is_file < 2; is_file++) {
        size_t count = 0, files = 0;
        for (uint32_t i = error->first_link; i != LINK_NONE; i = game_log->links[i].next)
            files += game_log->links[i].is_broken_file;
        for (uint32_t i = error->first_link; i != LINK_NONE; i = game_log->links[i].next) {
            const struct game_log_link *link = &game_log->links[i];
            if (link->is_broken_file != is_file || ++count > SHOWN)
                continue;
            if (count == 1 && is_file)
                text_printf(text, "; it broke %s: ", amount_things(files, "module", "modules").at);
            else
                text_put_string(text, count > 1 ? ", " : "; called by ");
            put_clean(text, game_log, "", link->text);
            if (!is_file)
                text_printf(text, " %s", amount_things(link->count, "time", "times").at);
        }
        if (count > SHOWN)
            text_printf(text, " and %s more", amount_count(count - SHOWN).at);
    }
}

void game_log_put_error(struct text *text, const struct game_log *game_log, uint32_t id)
{
    const struct game_log_error *error = &game_log->errors[id];
    struct span place = intern_get(&game_log->texts, error->place);
    text_printf(text, "%s", amount_things(error->count, "time", "times").at);
    if (error->first_s >= 0)
        text_printf(text, ", %s", amount_clock(error->first_s).at);
    if (error->last_s > error->first_s)
        text_printf(
            text, "%s to %s", error->first_s < 0 ? ", up" : "", amount_clock(error->last_s).at);
    put_clean(text, game_log, ": ", error->what);
    text_put_string(text, intern_get(&game_log->texts, error->what).length > 0 ? ", " : ": ");
    text_put_clean(text, without_folder(place), false);
    put_clean(text, game_log, place.length > 0 ? ": " : "", error->message);
    put_links(text, game_log, error);
    text_put_string(text, "\n");
}

static uint64_t count_error_lines(const struct game_log *game_log)
{
    uint64_t lines = 0;
    for (uint32_t i = 0; i < game_log->row_count; i++)
        lines += game_log->errors[i].lines;
    return lines;
}

static void put_errors(struct text *text, const struct game_log *game_log, size_t shown_max)
{
    size_t count = game_log->row_count;
    SCOPED_ARRAY struct keyed *order = mem_zeroed(count, sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct keyed){UINT64_MAX - game_log->errors[i].count, i};
    key_sort(order, count);
    size_t shown = count < shown_max ? count : shown_max;
    if (count > 0)
        text_printf(text,
                    "Errors of Lua: %s at %s; they are %.1f%% of the log's lines\n",
                    amount_count(count_errors(game_log)).at,
                    amount_things(count, "place", "places").at,
                    100 * (double)count_error_lines(game_log) / (double)game_log->lines);
    for (size_t i = 0; i < shown; i++) {
        text_put_string(text, "  ");
        game_log_put_error(text, game_log, order[i].item);
    }
    if (shown < count && shown > 0)
        text_printf(
            text, "  ... and %s\n", amount_things(count - shown, "more place", "more places").at);
}

/* The rest ------------------------------------------------------------------------------------- */

size_t game_log_fillers(const struct game_log *game_log, struct game_log_filler *fillers)
{
    enum { LEAST_COUNT = 50, LEAST_PARTS = 20 };
    size_t count = 0;
    for (uint32_t i = 0; i < game_log->others.count; i++) {
        const struct game_log_other *row = &game_log->other_rows[i];
        double scale = (double)game_log->other_bytes / (double)game_log->counted_bytes;
        struct game_log_filler filler = {i,
                                         (uint64_t)llround((double)row->count * scale),
                                         (uint64_t)llround((double)row->lines * scale)};
        size_t at = count;
        if (filler.count < LEAST_COUNT || filler.lines * LEAST_PARTS < game_log->lines)
            continue;
        for (; at > 0 && fillers[at - 1].lines < filler.lines; at--)
            if (at < FILLERS_MAX)
                fillers[at] = fillers[at - 1];
        if (at < FILLERS_MAX)
            fillers[at] = filler;
        count += count < FILLERS_MAX;
    }
    return count;
}

void game_log_put_filler(struct text *text, const struct game_log *game_log, uint32_t other)
{
    const struct game_log_other *row = &game_log->other_rows[other];
    struct span folded = intern_get(&game_log->others, other);
    struct span path = intern_get(&game_log->other_paths, row->path);
    size_t path_at = row->path_at < folded.length ? row->path_at : folded.length;
    path.length = row->path_length < path.length ? row->path_length : path.length;
    text_put_clean(text, (struct span){folded.at, path_at}, false);
    text_put_clean(text, path, false);
    text_put_clean(text, span_from(folded, path_at), false);
}

/* Appends in which mods the paths of a text were. */
static void put_owners(struct text *text, const struct game_log *game_log, uint32_t other)
{
    const struct game_log_other *row = &game_log->other_rows[other];
    for (size_t i = 0; i < OTHER_MODS && row->mods[i].count > 0; i++) {
        text_put_string(text, i == 0 ? "; files of mods/" : ", mods/");
        text_put_clean(text, intern_get(&game_log->texts, row->mods[i].mod), false);
        text_printf(text, " %s", amount_things(row->mods[i].count, "time", "times").at);
    }
}

static void put_fillers(struct text *text, const struct game_log *game_log, bool names_mods)
{
    struct game_log_filler fillers[FILLERS_MAX];
    size_t count = game_log_fillers(game_log, fillers);
    if (count > 0)
        text_put_string(text,
                        "What fills the log; the game writes each line to the disk "
                        "at once:\n");
    for (size_t i = 0; i < count; i++) {
        text_printf(text,
                    "  %s%s (%.0f%% of the lines): ",
                    game_log->counted_bytes < game_log->other_bytes ? "about " : "",
                    amount_things(fillers[i].count, "time", "times").at,
                    100 * (double)fillers[i].lines / (double)game_log->lines);
        game_log_put_filler(text, game_log, fillers[i].text);
        if (names_mods)
            put_owners(text, game_log, fillers[i].text);
        text_put_string(text, "\n");
    }
}

static void put_m28(struct text *text, const struct game_log *game_log)
{
    size_t count = 0;
    for (size_t i = 0; i < UNIT_CLASSES; i++) {
        const struct game_log_units *units = &game_log->units[i];
        if (units->count == 0)
            continue;
        text_put_string(text, count++ == 0 ? "Sim speed by number of units, by M28AI: " : ", ");
        text_printf(text,
                    "from %s on %.2f",
                    amount_count(game_log_unit_classes[i]).at,
                    (double)units->count * M28_SECONDS / units->time_s);
    }
    if (count > 0)
        text_put_string(text, "\n");
    if (game_log->timer_count > 0)
        text_put_string(text, "M28AI's own timers; a function's time is with those it calls:\n");
    for (size_t i = 0; i < game_log->timer_count && i < ERRORS_SHOWN; i++) {
        const struct game_log_timer *timer = &game_log->timers[i];
        text_printf(text,
                    "  %.2f s in %s",
                    (double)timer->time_ns / 1e9,
                    amount_things(timer->calls, "call", "calls").at);
        put_clean(text, game_log, " of ", timer->function);
        text_put_string(text, "\n");
    }
}

/* How much of a log is shown. */
struct extent {
    size_t columns; /* of the picture of speeds; 0: none */
    size_t games, errors;
    uint32_t mods;
    bool notes_end;
    bool names_mods; /* whose files fill the log */
};

static void put_log(struct text *text, const struct game_log *game_log, struct extent extent)
{
    struct sim_speed speed = {0};
    size_t games = 0, columns = extent.columns > 0 ? extent.columns : SPEED_COLUMNS_MAX;
    bool is_report = game_log->report_lines > 0;
    while (sim_speed_next(&speed, game_log, columns))
        if (games++ < extent.games)
            put_game(text, &speed, game_log, extent.columns > 0);
    if (games > extent.games)
        text_printf(text,
                    "... and %s\n",
                    amount_things(games - extent.games, "more game", "more games").at);
    put_errors(text, game_log, extent.errors);
    put_fillers(text, game_log, extent.names_mods);
    put_m28(text, game_log);
    if (game_log->modules > 0 && !is_report)
        text_printf(text, "Modules loaded: %s\n", amount_count(game_log->modules).at);
    if (game_log->mods.count > 0) {
        text_put_string(text, "Mods: ");
        put_mod_names(text, game_log, extent.mods);
        text_put_string(text, "\n");
    }
    bool has_crashed = is_report;
    for (size_t i = 0; i < game_log->end_count && !has_crashed; i++)
        has_crashed = game_log->game_ends[i].kind != LINE_DESYNC;
    if (extent.notes_end && game_log->ends == 0 && !has_crashed)
        text_put_string(text,
                        "Note: the log does not end with 'Run time': the game crashed, or "
                        "was still running\n");
}

/* Appends the blocks of logs; each begins with the name of its file if there are several. */
static void put_logs(struct text *text, const struct game_logs *logs, bool names_them,
                     struct extent extent)
{
    for (size_t i = 0; i < logs->count; i++) {
        if (names_them) {
            text_put_clean(text, span_of(logs->all[i].name), false);
            text_put_string(text, ":\n");
        }
        put_log(text, &logs->all[i].log, extent);
    }
}

void game_log_put(struct text *text, const struct report *report)
{
    enum { OTHER_COLUMNS = 12, FEWEST = 10 };
    const struct game_logs *logs = &report->profile->game_logs;
    struct text lines = {0};
    size_t room = report->width > OTHER_COLUMNS + FEWEST ? report->width - OTHER_COLUMNS : FEWEST;
    if (report->width == 0 || room > SPEED_COLUMNS_MAX)
        room = SPEED_COLUMNS_MAX;
    struct extent extent = {.columns = room,
                            .games = GAMES_SHOWN,
                            .errors = ERRORS_SHOWN,
                            .mods = MODS_SHOWN,
                            .notes_end = profile_is_unrecorded(report->profile)};
    if (report->show.is_verbose) {
        extent.games = extent.errors = SIZE_MAX;
        extent.names_mods = true;
        extent.mods = UINT32_MAX;
    }
    bool has_old = report->compares_logs;
    if (has_old)
        put_logs(&lines, &report->old->profile->game_logs, true, extent);
    put_logs(&lines, logs, logs->count > 1 || has_old, extent);
    wrap_put_lines(text, report->width, 2, &lines);
}

void game_log_put_sentences(struct text *text, const struct game_log *game_log)
{
    put_log(text, game_log, (struct extent){.games = GAMES_SHOWN, .mods = MODS_SHOWN});
}

/* Appends an item of a list, after the name of its log; releases it. */
static void put_item(struct text *items, const char *log, struct text *item)
{
    if (item->length > 0) {
        text_put_string(items, items->length > 0 ? "; " : "");
        text_put_clean(items, span_of(log), false);
        text_printf(items, "%s%s", log[0] != '\0' ? ": " : "", text_string(item));
    }
    text_release(item);
}

void game_log_put_items(struct text *items, const struct report *report)
{
    const struct profile *profile = report->profile;
    const struct game_logs *logs = &profile->game_logs;
    /* A recording is hardly ever the whole game, and when an error came is known to 30 s. */
    bool is_whole = profile_is_unrecorded(profile);
    for (size_t i = 0; i < logs->count; i++) {
        const struct game_log *game_log = &logs->all[i].log;
        const char *name = logs->count > 1 ? logs->all[i].name : "";
        struct sim_speed speed = {0}, last = {0};
        struct text sim = {0}, errors = {0};
        if (game_log->sample_count + game_log->row_count == 0)
            continue;
        while (sim_speed_next(&speed, game_log, SPEED_COLUMNS_MAX))
            if (speed.session_s > 0)
                last = speed;
        if (last.session_s > 0)
            text_printf(&sim,
                        "the sim ran at %.2f of real time%s",
                        mean_speed(&last),
                        is_whole ? "" : " in the log");
        if (last.slow_count > 0) {
            text_printf(&sim, ", below %.1f ", SPEED_SLOW);
            put_slow_from(&sim, &last, game_log);
        } else if (last.falls_at > 0) {
            put_fall(&sim, &last, game_log, ", ");
        }
        if (game_log->row_count > 0)
            text_printf(&errors,
                        is_whole ? "%s of Lua" : "%s in the log",
                        amount_things(count_errors(game_log), "error", "errors").at);
        put_item(items, name, &sim);
        put_item(items, name, &errors);
    }
}
