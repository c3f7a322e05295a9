/*
 * The ticks of two recordings, old and new side by side, and tick by tick if
 * both recordings have the same ticks.
 *
 *                                  old    new  change
 *     ticks                         21     21
 *     over 100 ms                    4      1      -3
 *     overrun ms                 143.2   12.1  -131.1
 *     median ms                   21.4   20.0    -1.4
 *     ...
 *     Of 21 ticks that both recordings have, 18 took less time and 3 more: together 411.3 ms, old
 *       713.2 ms (-42.3%)
 *
 *     largest change           old ms  new ms  change
 *     #41 (0:04.1)              149.3    12.2  -137.1  94.2 BuildThreatMap, ...
 */
#include "report/screen/screen_parts.h"

#include "report/figures/tick_pairs.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/tick_text.h"
#include "report/sentences/wrap.h"

/* The ticks of both sides. */
struct sides {
    const struct report *report;
    struct tick_pairs pairs;
    struct keyed *changed; /* [same_count] of pairs, the largest change first */
};

/* The distribution ------------------------------------------------------------------------- */

static const struct {
    const char *title;
    bool is_time;
} figures[] = {
    {"ticks", false},          {"slow", false},           {"overrun ms", true}, {"median ms", true},
    {"95% at most, ms", true}, {"99% at most, ms", true}, {"longest ms", true}, {"total ms", true},
};
enum { FIGURE_COUNT = sizeof figures / sizeof figures[0] };

static int64_t figure_of(const struct tick_statistics *ticks, size_t i)
{
    const int64_t all[FIGURE_COUNT] = {
        (int64_t)ticks->count,   (int64_t)ticks->over_count, ticks->over_ns,    ticks->median_ns,
        ticks->percentile_95_ns, ticks->percentile_99_ns,    ticks->longest_ns, ticks->total_ns};
    return all[i];
}

static void put_number(struct grid *grid, const struct sides *sides, int64_t number, bool is_time)
{
    grid_put_cell(grid,
                  is_time ? tick_ms(sides->report, number).at : amount_count((uint64_t)number).at);
}

static void put_change(struct grid *grid, const struct sides *sides, int64_t difference,
                       bool is_time)
{
    size_t start = grid->cells.length;
    text_put_string(&grid->cells, difference > 0 ? "+" : "");
    if (is_time)
        text_put_string(&grid->cells, tick_ms(sides->report, difference).at);
    else
        text_put_number(&grid->cells, difference);
    text_drop_sign_of_zero(&grid->cells, start);
    grid_end_cell(grid);
}

static void put_distance(struct grid *grid, int64_t ticks)
{
    if (ticks > 0)
        text_put_number(&grid->cells, ticks);
    grid_put_cell(grid, ticks > 0 ? "" : "-");
}

/* The row after the figures says how regularly slow ticks come. */
static void put_figure(struct grid *grid, const void *of, size_t i)
{
    const struct sides *sides = of;
    const struct tick_list *list = &sides->report->profile->ticks;
    if (i == FIGURE_COUNT) {
        grid_put_cell(grid, amount_make("%s between slow ones", tick_kinds[list->state].many).at);
        put_distance(grid, sides->report->old->ticks.distance.ticks);
        put_distance(grid, sides->report->ticks.distance.ticks);
        return;
    }
    int64_t old = figure_of(&sides->report->old->ticks, i),
            now = figure_of(&sides->report->ticks, i);
    if (i == 0)
        grid_put_cell(grid, tick_kinds[list->state].many);
    else if (i == 1)
        grid_put_cell(grid, amount_make("over %s", tick_limit(list).at).at);
    else
        grid_put_cell(grid, figures[i].title);
    put_number(grid, sides, old, figures[i].is_time);
    put_number(grid, sides, now, figures[i].is_time);
    put_change(grid, sides, now - old, figures[i].is_time);
}

static void put_distribution(struct text *text, const struct sides *sides)
{
    const struct report *report = sides->report;
    bool is_regular = report->ticks.distance.ticks > 0 || report->old->ticks.distance.ticks > 0;
    const struct grid_rows rows = {sides, FIGURE_COUNT + (size_t)is_regular, put_figure};
    struct grid grid = {.width = report->width};
    grid_add_column(&grid, "", 0)->is_left = true;
    grid_add_column(&grid, report->old->scaled != NULL ? "old, not scaled" : "old", 0);
    grid_add_column(&grid, "new", 0);
    grid_add_column(&grid, "change", 0);
    grid_put_rows(&grid, &rows, text, NULL);
}

/* Tick by tick ----------------------------------------------------------------------------- */

static void put_same(struct text *text, const struct sides *sides)
{
    const struct tick_pairs *pairs = &sides->pairs;
    struct text line = {0};
    text_printf(&line,
                "Of %zu %s that both recordings have, %zu took less time and %zu more: together "
                "%s ms, old %s ms",
                pairs->same_count, tick_kinds[sides->report->profile->ticks.state].many,
                pairs->shorter_count, pairs->longer_count, tick_ms(sides->report, pairs->now_ns).at,
                tick_ms(sides->report, pairs->old_ns).at);
    if (pairs->old_ns > 0)
        text_printf(&line, " (%+.1f%%)",
                    100 * (double)(pairs->now_ns - pairs->old_ns) / (double)pairs->old_ns);
    wrap_put_line(text, sides->report->width, 2, &line);
}

static void put_pair(struct grid *grid, const void *of, size_t i)
{
    enum { FUNCTIONS = 2 };
    const struct sides *sides = of;
    const struct tick_pair *pair = &sides->pairs.all[sides->changed[i].item];
    grid_put_cell(grid, tick_name(sides->report, pair->now).at);
    put_number(grid, sides, pair->old->time_ns, true);
    put_number(grid, sides, pair->now->time_ns, true);
    put_change(grid, sides, tick_pair_difference_ns(pair), true);
    if (grid->is_fitted)
        tick_put_functions(&grid->name, sides->report, pair->now, FUNCTIONS, grid->label_width);
}

static void put_changes(struct text *text, struct sides *sides, size_t limit)
{
    enum { LABEL_WIDTH = 20 };
    struct grid grid = {.width = sides->report->width,
                        .label_title = "most time in (new self ms)",
                        .label_wanted = LABEL_WIDTH};
    struct grid_rows rows = {sides, sides->pairs.longer_count + sides->pairs.shorter_count,
                             put_pair};
    sides->changed = tick_pairs_by_change(&sides->pairs);
    if (rows.count > limit)
        rows.count = limit;
    grid_add_column(&grid, "largest change", 0)->is_left = true;
    grid_add_column(&grid, "old ms", 1);
    grid_add_column(&grid, "new ms", 2);
    grid_add_column(&grid, "change", 0);
    text_put_string(text, "\n");
    grid_put_rows(&grid, &rows, text, NULL);
    free(sides->changed);
}

void ticks_put_compared(struct text *text, const struct report *report, size_t limit)
{
    struct sides sides = {.report = report};
    tick_pairs_init(&sides.pairs, &report->profile->ticks, &report->old->profile->ticks);
    text_put_string(text, "\n");
    put_distribution(text, &sides);
    if (sides.pairs.same_count > 0)
        put_same(text, &sides);
    if (limit > 0 && sides.pairs.longer_count + sides.pairs.shorter_count > 0)
        put_changes(text, &sides, limit);
    tick_pairs_release(&sides.pairs);
}
