#include "report/text/ticks_compared.h"

#include "base/mem.h"
#include "report/text/grid.h"
#include "report/text/report_recording.h"
#include "report/text/wrap.h"
#include "report/tick_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ticks of both sides. */
struct sides {
    const struct report *report;
    struct tick_statistics now, old;
    struct tick_pairs pairs;
};

/* The distribution ------------------------------------------------------------------------- */

static void put_change(struct text *text, const struct sides *sides, int64_t difference,
                       bool is_time)
{
    size_t start = text->length;
    text_put_string(text, difference > 0 ? "+" : "");
    if (is_time)
        recording_put_ms(text, &sides->now, difference);
    else
        text_put_number(text, difference);
    text_drop_sign_of_zero(text, start);
}

static void put_row(struct grid *grid, const struct sides *sides, const char *title, int64_t old,
                    int64_t now, bool is_time)
{
    const int64_t values[] = {old, now};
    grid_put(grid, title);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (is_time)
            recording_put_ms(&grid->texts, &sides->now, values[i]);
        else
            text_put_grouped(&grid->texts, (uint64_t)values[i]);
        grid_end_cell(grid);
    }
    put_change(&grid->texts, sides, now - old, is_time);
    grid_end_cell(grid);
    grid_put(grid, "");
}

static void put_distance(struct text *text, const struct tick_list *list)
{
    struct tick_distance distance = tick_distance_find(list);
    if (distance.ticks > 0)
        text_put_number(text, distance.ticks);
    else
        text_put_string(text, "-");
}

/* How regularly slow ticks come; nothing if they do not on either side. */
static void put_distances(struct grid *grid, const struct report *report)
{
    const struct tick_list *now = &report->profile->ticks, *old = &report->old->profile->ticks;
    if (tick_distance_find(now).ticks == 0 && tick_distance_find(old).ticks == 0)
        return;
    grid_put(grid, "ticks from slow to slow");
    put_distance(&grid->texts, old);
    grid_end_cell(grid);
    put_distance(&grid->texts, now);
    grid_end_cell(grid);
    grid_put(grid, "");
    grid_put(grid, "");
}

static void put_distribution(struct text *text, const struct sides *sides)
{
    const struct tick_statistics *now = &sides->now, *old = &sides->old;
    struct grid grid = {.column_count = 5};
    const char *titles[] = {"", sides->report->old->scaled != NULL ? "old, not scaled" : "old",
                            "new", "change", ""};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        grid_put(&grid, titles[i]);
    put_row(&grid, sides, "ticks", (int64_t)old->count, (int64_t)now->count, false);
    put_row(&grid, sides, "over 100 ms", (int64_t)old->over_count, (int64_t)now->over_count, false);
    put_row(&grid, sides, "ms over 100 ms in all", old->over_ns, now->over_ns, true);
    put_row(&grid, sides, "median ms", old->median_ns, now->median_ns, true);
    put_row(&grid, sides, "95% took up to, ms", old->percentile_95_ns, now->percentile_95_ns, true);
    put_row(&grid, sides, "99% took up to, ms", old->percentile_99_ns, now->percentile_99_ns, true);
    put_row(&grid, sides, "longest ms", old->longest_ns, now->longest_ns, true);
    put_row(&grid, sides, "ms in all", old->total_ns, now->total_ns, true);
    put_distances(&grid, sides->report);
    grid_put_lines(&grid, text, true);
    grid_release(&grid);
}

/* Tick by tick ----------------------------------------------------------------------------- */

static int compare_changes(const void *left, const void *right)
{
    const struct tick_pair *a = *(const struct tick_pair *const *)left;
    const struct tick_pair *b = *(const struct tick_pair *const *)right;
    int64_t change = llabs(tick_pair_difference_ns(a));
    int64_t other = llabs(tick_pair_difference_ns(b));
    if (change != other)
        return change > other ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Returns the pairs of both sides, [same_count], the largest change first. */
static const struct tick_pair **sort_changes(const struct tick_pairs *pairs)
{
    const struct tick_pair **sorted = mem_zeroed(pairs->same_count, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->all[i].now != NULL && pairs->all[i].old != NULL)
            sorted[count++] = &pairs->all[i];
    qsort(sorted, count, sizeof *sorted, compare_changes);
    return sorted;
}

static void put_same(struct text *text, const struct sides *sides)
{
    const struct tick_pairs *pairs = &sides->pairs;
    struct text line = {0};
    const struct wrap wrap = {.width = sides->report->width, .indent = 2};
    text_printf(&line, "Of %zu ticks that both recordings have, ", pairs->same_count);
    text_printf(&line, "%zu took less time and %zu more: ", pairs->shorter_count,
                pairs->longer_count);
    recording_put_ms(&line, &sides->now, pairs->now_ns);
    text_put_string(&line, " ms in all, old ");
    recording_put_ms(&line, &sides->now, pairs->old_ns);
    text_put_string(&line, " ms");
    if (pairs->old_ns > 0)
        text_printf(&line, " (%+.1f%%)",
                    100 * (double)(pairs->now_ns - pairs->old_ns) / (double)pairs->old_ns);
    wrap_put(text, &wrap, text_span(&line));
    text_release(&line);
}

static void put_changes(struct text *text, const struct sides *sides, size_t limit)
{
    enum { FUNCTIONS = 2, OTHER_COLUMNS = 50, ROOM_MIN = 20 };
    static const char *const titles[] = {"largest change", "old ms", "new ms", "change",
                                         "most time in (new self ms)"};
    const struct report *report = sides->report;
    const struct tick_pair **sorted = sort_changes(&sides->pairs);
    size_t room = report->width == 0                         ? SIZE_MAX
                  : report->width > OTHER_COLUMNS + ROOM_MIN ? report->width - OTHER_COLUMNS
                                                             : ROOM_MIN;
    struct grid grid = {.column_count = 5};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        grid_put(&grid, titles[i]);
    for (size_t i = 0; i < sides->pairs.same_count && i < limit; i++) {
        const struct tick_pair *pair = sorted[i];
        if (tick_pair_difference_ns(pair) == 0)
            break;
        recording_put_tick(&grid.texts, report, pair->now);
        grid_end_cell(&grid);
        recording_put_ms(&grid.texts, &sides->now, pair->old->time_ns);
        grid_end_cell(&grid);
        recording_put_ms(&grid.texts, &sides->now, pair->now->time_ns);
        grid_end_cell(&grid);
        put_change(&grid.texts, sides, tick_pair_difference_ns(pair), true);
        grid_end_cell(&grid);
        recording_put_functions(&grid.texts, report, &sides->now, pair->now, FUNCTIONS, room);
        grid_end_cell(&grid);
    }
    text_put_string(text, "\n");
    grid_put_lines(&grid, text, true);
    grid_release(&grid);
    free(sorted);
}

void ticks_put_compared(struct text *text, const struct report *report, size_t limit)
{
    struct sides sides = {.report = report};
    tick_statistics_init(&sides.now, &report->profile->ticks);
    tick_statistics_init(&sides.old, &report->old->profile->ticks);
    tick_pairs_init(&sides.pairs, &report->profile->ticks, &report->old->profile->ticks);
    text_put_string(text, "\n");
    put_distribution(text, &sides);
    if (sides.pairs.same_count > 0)
        put_same(text, &sides);
    if (limit > 0 && sides.pairs.longer_count + sides.pairs.shorter_count > 0)
        put_changes(text, &sides, limit);
    tick_statistics_release(&sides.now);
    tick_statistics_release(&sides.old);
    tick_pairs_release(&sides.pairs);
}

/* CSV -------------------------------------------------------------------------------------- */

static void put_run(struct text *line, const struct profile *profile, const struct tick *tick)
{
    text_put_string(line, ",");
    if (tick != NULL)
        text_put_count(line, profile->recordings.all[tick->run].run);
}

static void put_time(struct text *line, const struct tick *tick, int64_t ns)
{
    text_put_string(line, ",");
    if (tick != NULL)
        report_put_time(line, ns, UNIT_US, 3);
}

static void put_both(struct text *line, const struct tick_pair *pair)
{
    const struct tick none = {0};
    const struct tick *old = pair->old != NULL ? pair->old : &none;
    const struct tick *now = pair->now != NULL ? pair->now : &none;
    bool has_both = pair->old != NULL && pair->now != NULL;
    put_time(line, pair->old, old->time_ns);
    put_time(line, pair->now, now->time_ns);
    put_time(line, has_both ? now : NULL, now->time_ns - old->time_ns);
    put_time(line, pair->old, old->measured_ns);
    put_time(line, pair->now, now->measured_ns);
    text_put_string(line, ",");
    if (pair->old != NULL)
        text_put_count(line, old->calls);
    text_put_string(line, ",");
    if (pair->now != NULL)
        text_put_count(line, now->calls);
    int64_t old_over_ns = old->time_ns - TICK_BUDGET_NS, over_ns = now->time_ns - TICK_BUDGET_NS;
    put_time(line, pair->old, old_over_ns > 0 ? old_over_ns : 0);
    put_time(line, pair->now, over_ns > 0 ? over_ns : 0);
}

static double seconds_of(const struct profile *profile, const struct tick *tick)
{
    return profile->runs[tick->run].zero_seconds + (double)tick->number / 10;
}

void ticks_write_compared_csv(const struct report *report, struct output *out)
{
    const struct profile *profile = report->profile, *old = report->old->profile;
    struct tick_pairs pairs;
    struct text line = {0};
    tick_pairs_init(&pairs, &profile->ticks, &old->ticks);
    output_put_string(out, "tick,game_seconds,old_run,new_run,old_time_us,new_time_us,diff_time_us,"
                           "old_measured_us,new_measured_us,old_calls,new_calls,old_over_us,"
                           "new_over_us,collection\n");
    for (size_t i = 0; i < pairs.count && !output_has_failed(out); i++) {
        const struct tick_pair *pair = &pairs.all[i];
        double seconds =
            pair->now != NULL ? seconds_of(profile, pair->now) : seconds_of(old, pair->old);
        text_put_number(&line, tick_pair_number(pair));
        text_put_string(&line, ",");
        report_put_time(&line, (int64_t)llround(seconds * 1e9), UNIT_S, 1);
        put_run(&line, old, pair->old);
        put_run(&line, profile, pair->now);
        put_both(&line, pair);
        text_put_string(&line, tick_pair_number(pair) % TICKS_A_COLLECTION == 0 ? ",1\n" : ",0\n");
        output_put(out, line.at, line.length);
        line.length = 0;
    }
    text_release(&line);
    tick_pairs_release(&pairs);
}
