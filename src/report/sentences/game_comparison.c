#include "report/sentences/game_comparison.h"

#include "report/figures/sim_speed.h"
#include "report/sentences/amounts.h"
#include "report/sentences/game_log_text.h"

#include <math.h>

/* The longest game of each log; those without one are left out. */
struct side {
    const struct profile *profile;
    size_t count;
    int64_t from_s, to_s; /* that all have */
};

static struct side side_of(const struct profile *profile)
{
    struct side side = {profile, 0, 0, INT64_MAX};
    for (size_t i = 0; i < profile->game_logs.count; i++) {
        const struct game_log *game_log = &profile->game_logs.all[i].log;
        struct sim_speed speed = sim_speed_longest(game_log);
        if (speed.session_s == 0)
            continue;
        int64_t from_s = game_log->samples[speed.first].game_s;
        int64_t to_s = game_log->samples[speed.end - 1].game_s;
        side.from_s = from_s > side.from_s ? from_s : side.from_s;
        side.to_s = to_s < side.to_s ? to_s : side.to_s;
        side.count++;
    }
    return side;
}

/* Sets the speed of all games between two game times, and the slowest and fastest of them. */
static double speed_between(const struct side *side, int64_t from_s, int64_t to_s, double *least,
                            double *most)
{
    double moved_s = 0, real_s = 0;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < side->profile->game_logs.count; i++) {
        const struct game_log *game_log = &side->profile->game_logs.all[i].log;
        struct sim_speed speed = sim_speed_longest(game_log);
        struct sim_pace pace = sim_speed_between(&speed, game_log, from_s, to_s);
        if (pace.real_s <= 0)
            continue;
        moved_s += pace.moved_s;
        real_s += pace.real_s;
        *least = fmin(*least, pace.moved_s / pace.real_s);
        *most = fmax(*most, pace.moved_s / pace.real_s);
    }
    return real_s > 0 ? moved_s / real_s : NAN;
}

static double simple_speed(const struct side *side, int64_t from_s, int64_t to_s)
{
    double least, most;
    return speed_between(side, from_s, to_s, &least, &most);
}

/* Appends the game times between which most of the difference is, unless that is all of the game.
 */
static void put_changed_range(struct text *text, const struct side *old, const struct side *now,
                              int64_t from_s, int64_t to_s)
{
    enum { PARTS = 60, LEAST_S = 60 };
    const double least_change = 0.05;
    int64_t width = (to_s - from_s + PARTS - 1) / PARTS, best_from = 0, best_to = 0, run_from = 0;
    double run = 0, best = 0;
    width = width < LEAST_S ? LEAST_S : (width + LEAST_S - 1) / LEAST_S * LEAST_S;
    for (int64_t at = from_s; at < to_s; at += width) {
        int64_t end = at + width < to_s ? at + width : to_s;
        double before = simple_speed(old, at, end), after = simple_speed(now, at, end);
        double lost = (double)(end - at) * (1 / after - 1 / before);
        /* The last part may be too short to tell. */
        bool is_rest = end - at < LEAST_S / 2 && run != 0;
        bool goes_on = is_rest || fabs(after / before - 1) > least_change;
        if (!goes_on || (run != 0 && !is_rest && (run > 0) != (lost > 0))) {
            run = 0;
            run_from = at;
        }
        if (!goes_on)
            continue;
        run_from = run == 0 ? at : run_from;
        run += is_rest ? 0 : lost;
        if (fabs(run) >= fabs(best)) {
            best = run;
            best_from = run_from;
            best_to = end;
        }
    }
    if (best == 0 || (best_from == from_s && best_to == to_s))
        return;
    text_printf(text, "; from %s ", amount_clock(best_from).at);
    text_printf(text, best_to == to_s ? "on" : "to %s", amount_clock(best_to).at);
    text_printf(text,
                " %.2f -> %.2f",
                simple_speed(old, best_from, best_to),
                simple_speed(now, best_from, best_to));
}

/* The mean size of the heap at a game time; NAN if it is not known. */
static double heap_at(const struct side *side, int64_t game_s)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < side->profile->game_logs.count; i++) {
        const struct game_log *game_log = &side->profile->game_logs.all[i].log;
        struct sim_speed speed = sim_speed_longest(game_log);
        double heap = -1;
        for (size_t k = speed.first; k < speed.end && game_log->samples[k].game_s <= game_s; k++)
            heap = game_log->samples[k].heap >= 0 ? game_log->samples[k].heap : heap;
        sum += heap >= 0 ? heap : 0;
        count += heap >= 0;
    }
    return count > 0 ? sum / (double)count : NAN;
}

/* Whether one of the first `count` logs has an error of another. */
static bool have_error(const struct game_logs *logs, size_t count, const struct game_log *game_log,
                       uint32_t row)
{
    for (size_t i = 0; i < count; i++)
        if (game_log_has_row(&logs->all[i].log, game_log, row))
            return true;
    return false;
}

/* Appends errors of one side that the other does not have, though its games went on as long. */
static void put_other_errors(struct text *text, const struct side *side, const struct side *other,
                             const char *title)
{
    enum { SHOWN_MAX = 5 };
    const struct game_logs *logs = &side->profile->game_logs;
    const struct game_logs *others = &other->profile->game_logs;
    size_t count = 0, late_count = 0;
    for (size_t i = 0; i < logs->count; i++) {
        const struct game_log *game_log = &logs->all[i].log;
        for (uint32_t row = 0; row < game_log->row_count; row++) {
            if (have_error(others, others->count, game_log, row) ||
                have_error(logs, i, game_log, row))
                continue;
            bool is_late = other->count > 0 && game_log->errors[row].first_s > other->to_s;
            late_count += is_late;
            if (is_late || ++count > SHOWN_MAX)
                continue;
            text_put_string(text, title);
            game_log_put_error(text, game_log, row);
        }
    }
    if (count > SHOWN_MAX)
        text_printf(text, "%s... and %s more\n", title, amount_count(count - SHOWN_MAX).at);
    if (late_count > 0)
        text_printf(text,
                    "%s not compared: first at a time that the other games did not reach\n",
                    amount_things(late_count, "error was", "errors were").at);
}

/* A recording takes real time in its ticks: narrows the range to them. */
static void take_recorded(const struct profile *profile, int64_t *from_s, int64_t *to_s)
{
    enum { TICKS_A_GAME_SECOND = 10 };
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (!rebuilt->has_ticks)
            continue;
        int64_t first_s = rebuilt->all_first_tick / TICKS_A_GAME_SECOND;
        int64_t last_s = rebuilt->all_last_tick / TICKS_A_GAME_SECOND + 1;
        *from_s = *from_s > first_s ? *from_s : first_s;
        *to_s = *to_s < last_s ? *to_s : last_s;
        return;
    }
}

static void put_recorder_cost(struct text *text, const struct side *old, const struct side *now,
                              int64_t from_s, int64_t to_s)
{
    bool is_old_plain = profile_is_unrecorded(old->profile);
    const struct side *recorded = is_old_plain ? now : old, *plain = is_old_plain ? old : now;
    const double tick_ms = 100;
    if (is_old_plain == profile_is_unrecorded(now->profile))
        return;
    take_recorded(recorded->profile, &from_s, &to_s);
    double with = simple_speed(recorded, from_s, to_s), without = simple_speed(plain, from_s, to_s);
    if (to_s - from_s >= SPEED_REAL_LEAST_S && with > 0 && without > 0)
        text_printf(text,
                    "Recorder's cost, if both are the same replay: sim speed %.2f with it, %.2f "
                    "without it, from %s to %s: %.1f ms of real time in each tick\n",
                    with,
                    without,
                    amount_clock(from_s).at,
                    amount_clock(to_s).at,
                    tick_ms / with - tick_ms / without);
}

static void put_range(struct text *text, const struct side *side, double least, double most)
{
    if (side->count > 1 && round(100 * least) == round(100 * most))
        text_printf(text, " (in each of %zu games)", side->count);
    else if (side->count > 1)
        text_printf(text, " over all (%.2f to %.2f in %zu games)", least, most, side->count);
}

static void put_sides(struct text *text, const struct side *old, const struct side *now)
{
    int64_t from_s = old->from_s > now->from_s ? old->from_s : now->from_s;
    int64_t to_s = old->to_s < now->to_s ? old->to_s : now->to_s;
    double least, most;
    if (old->count > 0 && now->count > 0 && to_s - from_s >= SPEED_REAL_LEAST_S) {
        text_printf(text, "Sim speed %.2f", speed_between(old, from_s, to_s, &least, &most));
        put_range(text, old, least, most);
        text_printf(text, " -> %.2f", speed_between(now, from_s, to_s, &least, &most));
        put_range(text, now, least, most);
        text_printf(
            text, " (old -> new, %s to %s)", amount_clock(from_s).at, amount_clock(to_s).at);
        put_changed_range(text, old, now, from_s, to_s);
        double before = heap_at(old, to_s), after = heap_at(now, to_s);
        text_put_string(text, "\n");
        if (!isnan(before) && !isnan(after))
            text_printf(text,
                        "Heap at %s: %s MB -> %s MB\n",
                        amount_clock(to_s).at,
                        amount_megabytes(before).at,
                        amount_megabytes(after).at);
        put_recorder_cost(text, old, now, from_s, to_s);
    }
    put_other_errors(text, now, old, "New: ");
    put_other_errors(text, old, now, "Gone: ");
}

void game_comparison_put(struct text *text, const struct report *report)
{
    struct side now = side_of(report->profile);
    double least, most;
    if (report->compares_logs) {
        struct side old = side_of(report->old->profile);
        put_sides(text, &old, &now);
    } else if (now.count > 1 && now.to_s - now.from_s >= SPEED_REAL_LEAST_S) {
        text_printf(
            text, "Sim speed %.2f", speed_between(&now, now.from_s, now.to_s, &least, &most));
        put_range(text, &now, least, most);
        text_printf(
            text, " from %s to %s\n", amount_clock(now.from_s).at, amount_clock(now.to_s).at);
    }
}
