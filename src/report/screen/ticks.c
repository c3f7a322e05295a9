/*
 * The ticks of recordings against their limit: their distribution, and the slowest
 * ones with the functions that have the most self time.
 *
 *     loud.log: 61.842 s of Lua in 600 ticks (1:00.0 to 1:59.9), ...
 *     Slow ticks: ...                                                see headline.h
 *     The slow ticks overran by 121.3 ms together; 95% of all ticks took at most 81.4 ms, ...
 *
 *         ms in a tick    ticks
 *         0 -      10       123  ############
 *     ...
 *     add to see it   time     ms   calls  most time in (self ms)
 *     --tick 910    1:31.0  143.2  33,012  (garbage collection) 12.1 next [C], ...
 *
 * On a terminal, there are as many ticks as fit, and as many functions of each.
 */
#include "report/figures/tick_pairs.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/findings.h"
#include "report/sentences/headline.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

#include <assert.h>

enum { TICK_BINS_MAX = 12 };

/* How many ticks took how long, in bins of the same width. */
struct tick_histogram {
    int64_t width_ns;             /* of a bin: 2, 5, 10, 20 ... us; bin i begins at i times that */
    size_t bin_count;             /* up to that of the longest tick; at least 1 */
    size_t counts[TICK_BINS_MAX]; /* [bin_count] */
    size_t old_counts[TICK_BINS_MAX]; /* [bin_count], of the old ticks */
    size_t largest;                   /* of `counts` */
};

static int64_t longest_of(const struct tick_list *list)
{
    int64_t longest_ns = 0;
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (tick_mean_ns(&list->ticks[i]) > longest_ns)
            longest_ns = tick_mean_ns(&list->ticks[i]);
    return longest_ns;
}

static int64_t width_for(int64_t longest_ns, size_t bin_max)
{
    static const int64_t factors[] = {2, 5, 10};
    for (int64_t unit_ns = 1000;; unit_ns *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            if (longest_ns / (unit_ns * factors[i]) < (int64_t)bin_max)
                return unit_ns * factors[i];
}

static void count(const struct tick_list *list, int64_t width_ns, size_t *counts)
{
    for (size_t i = 0; list != NULL && i < list->count; i++)
        counts[tick_mean_ns(&list->ticks[i]) / width_ns] += 1 + list->ticks[i].joined;
}

/* Makes the narrowest bins of which `bin_max` hold all ticks; `old` may be NULL. */
static struct tick_histogram tick_histogram_make(const struct tick_list *now,
                                                 const struct tick_list *old, size_t bin_max)
{
    int64_t now_ns = longest_of(now), old_ns = longest_of(old);
    int64_t longest_ns = now_ns > old_ns ? now_ns : old_ns;
    struct tick_histogram histogram = {.width_ns = width_for(longest_ns, bin_max)};
    assert(bin_max <= TICK_BINS_MAX);
    histogram.bin_count = (size_t)(longest_ns / histogram.width_ns) + 1;
    count(now, histogram.width_ns, histogram.counts);
    count(old, histogram.width_ns, histogram.old_counts);
    for (size_t i = 0; i < histogram.bin_count; i++)
        if (histogram.counts[i] > histogram.largest)
            histogram.largest = histogram.counts[i];
    return histogram;
}

enum { SHOWN_FUNCTIONS = 5 };

/* Ticks of a comparison. */
enum { COMPARED_MAX = 8 };

static void put_bin(struct text *text, const struct tick_histogram *histogram, size_t bin,
                    bool has_old, int64_t limit_ns, size_t bar_max)
{
    int decimals = histogram->width_ns % 1000000 == 0 ? 0 : 3;
    int64_t from_ns = (int64_t)bin * histogram->width_ns;
    size_t count = histogram->counts[bin];
    text_printf(text, "%8s - %7s", amount_time(from_ns, UNIT_MS, decimals).at,
                amount_time(from_ns + histogram->width_ns, UNIT_MS, decimals).at);
    if (has_old)
        text_printf(text, "%9s", amount_count(histogram->old_counts[bin]).at);
    text_printf(text, "%9s", amount_count(count).at);
    /* A bin with a tick in it has a bar. */
    size_t bar = count == 0 ? 0 : 1 + count * (bar_max - 1) / histogram->largest;
    text_put_string(text, bar > 0 ? "  " : "");
    for (size_t i = 0; i < bar; i++)
        text_put_string(text, from_ns >= limit_ns ? "!" : "#");
    text_put_string(text, "\n");
}

static void put_histogram(struct text *text, const struct report *report)
{
    enum { OTHER_COLUMNS = 29, OLD_COLUMN = 9, LOW_HEIGHT = 30, LOW_BINS = 6, BAR_MAX = 50 };
    bool is_low = report->height != 0 && report->height < LOW_HEIGHT, has_old = report->old != NULL;
    struct tick_histogram histogram =
        tick_histogram_make(&report->profile->ticks, has_old ? &report->old->profile->ticks : NULL,
                            is_low ? LOW_BINS : TICK_BINS_MAX);
    size_t others = OTHER_COLUMNS + (has_old ? (size_t)OLD_COLUMN : 0), bar_max = BAR_MAX;
    if (report->width != 0 && report->width < others + BAR_MAX)
        bar_max = report->width > others ? report->width - others : 1;
    const struct tick_list *list = &report->profile->ticks;
    const struct tick_kind *kind = &tick_kinds[list->state];
    text_printf(text, "\n     ms in a %-5s%s%*s\n", kind->one, has_old ? "      old" : "",
                has_old ? 9 : 8, has_old ? "new" : kind->many);
    for (size_t i = 0; i < histogram.bin_count; i++)
        put_bin(text, &histogram, i, has_old, list->limit_ns, bar_max);
}

/* Appends the log, whether garbage is collected, and functions, in at most `room` columns. */
static void put_contents(struct text *text, const struct report *report, const struct tick *tick,
                         size_t room)
{
    struct text log = {0};
    headline_put_log(&log, report, tick, "", "");
    if (log.length > 0) {
        text_put_cut(text, text_span(&log), room == SIZE_MAX ? room : 1 + room / 3);
        text_put_string(text, ": ");
    }
    text_release(&log);
    if (tick_collects(&report->profile->ticks, tick->number))
        text_put_string(text, "(garbage collection) ");
    size_t used = text_width(text_span(text));
    if (room != SIZE_MAX)
        room = room > used ? room - used : 1;
    tick_put_functions(text, report, tick, SHOWN_FUNCTIONS, room);
}

static void put_slow(struct grid *grid, const void *of, size_t i)
{
    const struct report *report = of;
    const struct tick *tick = report->ticks.worst[i];
    const struct rebuilt_recording *rebuilt = &report->profile->rebuilt[tick->recording];
    next_option_put_tick(&grid->cells, report, tick);
    grid_end_cell(grid);
    if (report->profile->ticks.state != LUA_STATE_UI)
        grid_put_cell(grid, tick_game_time(recording_seconds(rebuilt, tick->number)).at);
    grid_put_cell(grid, tick_ms(report, tick->time_ns).at);
    grid_put_cell(grid, tick->usual_ns < 0 ? "-" : tick_ms(report, tick->usual_ns).at);
    grid_put_cell(grid, amount_count(tick->calls).at);
    if (grid->is_fitted)
        put_contents(&grid->name, report, tick, grid->label_width);
}

/* The number of slowest ticks that fit the terminal together with `others` lines. */
static size_t slowest_shown(const struct report *report, size_t others)
{
    enum { SHOWN_MIN = 3, SHOWN_MAX = 32, MORE_LINES = 3 };
    others += MORE_LINES;
    if (report->height == 0)
        return report->show.tick_limit != 0 ? report->show.tick_limit : SIZE_MAX;
    if (report->height <= others + SHOWN_MIN)
        return SHOWN_MIN;
    return report->height - others < SHOWN_MAX ? report->height - others : SHOWN_MAX;
}

/* Puts the slowest ticks; `others` is the number of the report's other lines. */
static void put_slowest(struct text *text, const struct report *report, size_t others)
{
    enum { NUMBER_WIDTH = 7, CALLS_WIDTH = 9, WANTED = 20, WANTED_WITH_LOG = 40 };
    bool has_logs = report->profile->recordings.count > 1;
    struct grid_rows rows = {report, slowest_shown(report, others), put_slow};
    struct grid grid = {.width = report->width,
                        .label_title = "most time in (self ms)",
                        .label_wanted = has_logs ? WANTED_WITH_LOG : WANTED};
    if (rows.count > report->ticks.row_count)
        rows.count = report->ticks.row_count;
    grid_add_column(&grid, "add to see it", 0)->is_left = true;
    if (report->profile->ticks.state != LUA_STATE_UI)
        grid_add_column(&grid, "time", 2)->width = NUMBER_WIDTH;
    grid_add_column(&grid, "ms", 0)->width = NUMBER_WIDTH;
    grid_add_column(&grid, "usual ms", 1);
    grid_add_column(&grid, "calls", 1)->width = CALLS_WIDTH;
    text_put_string(text, "\n");
    grid_put_rows(&grid, &rows, text, NULL);
}

static void put_what_if(struct grid *grid, const void *of, size_t i)
{
    const struct report *report = of;
    const struct what_if_rows *rows = report->what_if;
    const struct tick_times *times = i == 0 ? &rows->now : &rows->rows[i - 1].then;
    grid_put_cell(grid, amount_count(times->slow_count).at);
    grid_put_cell(grid, tick_ms(report, times->median_ns).at);
    grid_put_cell(grid, tick_ms(report, times->percentile_99_ns).at);
    grid_put_cell(grid, tick_ms(report, times->longest_ns).at);
    text_put_clean(&grid->name, span_of(i == 0 ? "(as it is)" : rows->rows[i - 1].text), false);
}

/* Which ticks count with another time than their own. */
static void put_of_computer(struct text *text, const struct report *report)
{
    size_t count = report->what_if->computer_count;
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    struct text line = {0};
    if (count == 0)
        return;
    text_printf(&line, "%s in which the computer was probably slow: %s with %s usual time",
                amount_things(count, kind->one, kind->many).at,
                count == 1 ? "it counts" : "they count", count == 1 ? "its" : "their");
    wrap_put_line(text, report->width, 2, &line);
}

static void put_what_ifs(struct text *text, const struct report *report)
{
    struct grid_rows rows = {report, report->what_if->count + 1, put_what_if};
    struct grid grid = {.width = report->width, .label_title = "what if"};
    bool is_ui = report->profile->ticks.state == LUA_STATE_UI;
    grid_add_column(&grid, is_ui ? "slow frames" : "slow ticks", 0);
    grid_add_column(&grid, "median ms", 2);
    grid_add_column(&grid, "99% ms", 1);
    grid_add_column(&grid, "longest ms", 3);
    text_put_string(text, "\n");
    grid_put_rows(&grid, &rows, text, NULL);
    put_of_computer(text, report);
}

static void put_distribution(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    const char *many = tick_kinds[report->profile->ticks.state].many;
    struct text line = {0};
    if (ticks->over_count > 0)
        text_printf(&line, "The slow %s overran by %s ms together; ", many,
                    tick_ms(report, ticks->over_ns).at);
    text_printf(&line, "95%% of all %s took at most %s ms, 99%% at most %s ms", many,
                tick_ms(report, ticks->percentile_95_ns).at,
                tick_ms(report, ticks->percentile_99_ns).at);
    wrap_put_line(text, report->width, 2, &line);
}

static void put_ticks(struct text *text, const struct report *report)
{
    struct text distance = {0}, foot = {0};
    bool is_one = report->old == NULL && report->ticks.row_count == 1;
    if (report->what_if != NULL)
        put_what_ifs(text, report);
    if (report->old == NULL && !is_one && report->what_if == NULL)
        put_distribution(text, report);
    finding_put_distance(&distance, report->profile->ticks.state, &report->ticks.distance);
    if (distance.length > 0)
        wrap_put_line(text, report->width, 2, &distance);
    if (report->old != NULL)
        ticks_put_compared(text, report, COMPARED_MAX);
    if (!is_one && report->what_if == NULL)
        put_histogram(text, report);
    recorder_cost_put(&foot, report, false);
    notes_put_losses(&foot, report, report->width);
    if (report->ticks.count > 0)
        put_slowest(text, report,
                    wrap_count_lines(text_span(text)) + wrap_count_lines(text_span(&foot)));
    text_put_span(text, text_span(&foot));
    text_release(&foot);
}

static struct report_result write_ticks(const struct report *report, struct output *out)
{
    struct text text = {0};
    summary_put_start(&text, report);
    warnings_put(&text, report);
    headline_put_ticks(&text, report);
    if (report->ticks.count > 0 || (report->old != NULL && report->old->ticks.count > 0)) {
        put_ticks(&text, report);
    } else {
        text_put_string(&text, "There are no ticks: only recordings by profiler.lua have them.\n");
        notes_put_losses(&text, report, report->width);
    }
    output_end_text(out, &text);
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    return (struct report_result){
        .count = report->ticks.count, .one = kind->one, .many = kind->many};
}

const struct report_format report_ticks = {
    .name = "ticks",
    .summary = "the ticks against their 100 ms, or frames against their 33 ms",
    .uses =
        USES_TICKS | USES_LENGTH | USES_COSTS | SHOWS_COMPARISON | SHOWS_FINDINGS | SHOWS_WHAT_IF,
    .suffixes = {".ticks", NULL},
    .write = write_ticks,
};

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

static void put_distributions(struct text *text, const struct sides *sides)
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
    put_distributions(text, &sides);
    if (sides.pairs.same_count > 0)
        put_same(text, &sides);
    if (limit > 0 && sides.pairs.longer_count + sides.pairs.shorter_count > 0)
        put_changes(text, &sides, limit);
    tick_pairs_release(&sides.pairs);
}
