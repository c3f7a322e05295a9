/*
 * The ticks of recordings against their limit: their distribution, and the slowest
 * ones with the functions that have the most self time.
 *
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game, ...
 *     Lua took ...                                                   see verdict.h
 *     The slow ticks were 121.3 ms over the limit together
 *
 * Then the tables of tick_tables.h. Of a comparison, both sides and the largest changes:
 *
 *     Of 21 ticks that both recordings have, 18 took less time and 3 more: together 411.3 ms, old
 *       713.2 ms (-42.3%)
 *
 * On a terminal, there are as many ticks as fit, and as many functions of each.
 */
#include "report/figures/formats.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/findings.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/tick_tables.h"

static void put_over(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    struct text line = {0};
    if (ticks->over_count == 0 || report->profile->ticks.is_sampled)
        return;
    text_printf(&line,
                "The slow %s were %s over the limit together",
                tick_kinds[report->profile->ticks.state].many,
                tick_time(report, ticks->over_ns).at);
    wrap_put_line(text, report->width, 2, &line);
}

static void put_table(struct text *text, const struct report *report, enum tick_table_kind kind,
                      size_t limit)
{
    SCOPED(tick_table) ticks;
    tick_table_init(&ticks, report, kind, FOR_PEOPLE);
    if (ticks.table.row_count == 0)
        return;
    text_put_string(text, "\n");
    table_put_on_screen(&ticks.table, report, limit, text, NULL);
}

/* Which ticks count with another time than their own. */
static void put_of_computer(struct text *text, const struct report *report)
{
    size_t count = report->what_if->computer_count;
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    struct text line = {0};
    if (count == 0)
        return;
    text_printf(&line,
                "%s in which the computer was probably slow: %s with %s usual time",
                amount_things(count, kind->one, kind->many).at,
                count == 1 ? "it counts" : "they count",
                count == 1 ? "its" : "their");
    wrap_put_line(text, report->width, 2, &line);
}

/* Tick by tick. */
static void put_same(struct text *text, const struct report *report)
{
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    SCOPED(text) line = {0};
    SCOPED(tick_pairs) pairs;
    tick_pairs_init(&pairs, &report->profile->ticks, &report->old->profile->ticks);
    text_printf(&line,
                "Of %zu %s that both recordings have, %zu took less time and %zu more: together "
                "%s, old %s",
                pairs.same_count,
                pairs.same_count == 1 ? kind->one : kind->many,
                pairs.shorter_count,
                pairs.longer_count,
                tick_time(report, pairs.now_ns).at,
                tick_time(report, pairs.old_ns).at);
    if (pairs.old_ns > 0)
        text_printf(&line,
                    " (%+.1f%%)",
                    100 * (double)(pairs.now_ns - pairs.old_ns) / (double)pairs.old_ns);
    if (pairs.same_count > 0)
        wrap_put_line(text, report->width, 2, &line);
}

void ticks_put_compared(struct text *text, const struct report *report, size_t limit)
{
    put_table(text, report, TICKS_SIDES, SIZE_MAX);
    put_same(text, report);
    if (limit > 0)
        put_table(text, report, TICKS_CHANGES, limit);
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

static void put_ticks(struct text *text, const struct report *report)
{
    enum { CHANGES_MAX = 8, CALLS_MAX = 3, LOW_HEIGHT = 30 };
    struct text distance = {0};
    SCOPED(text) foot = {0};
    bool is_one = report->old == NULL && report->ticks.row_count == 1;
    if (report->what_if != NULL) {
        put_table(text, report, TICKS_WHAT_IF, SIZE_MAX);
        put_of_computer(text, report);
    } else if (report->old == NULL && !is_one) {
        put_over(text, report);
    }
    finding_put_distance(&distance, report->profile->ticks.state, &report->ticks.distance);
    if (distance.length > 0)
        wrap_put_line(text, report->width, 2, &distance);
    if (report->old != NULL)
        ticks_put_compared(text, report, CHANGES_MAX);
    if (!is_one && report->what_if == NULL)
        put_table(text, report, TICKS_BINS, SIZE_MAX);
    bool is_low = report->height != 0 && report->height < LOW_HEIGHT;
    if (!is_one && report->what_if == NULL)
        put_table(&foot, report, TICKS_CALLS, is_low ? 1 : CALLS_MAX);
    recorder_cost_put(&foot, report);
    notes_put_losses(&foot, report);
    put_table(text,
              report,
              TICKS_EACH,
              slowest_shown(
                  report, wrap_count_lines(text_span(text)) + wrap_count_lines(text_span(&foot))));
    text_put_span(text, text_span(&foot));
}

/* As many of the watched ticks as --ticks says, but on a terminal, where the others are below. */
static size_t watched_shown(const struct report *report)
{
    enum { SHOWN_MAX = 3 };
    size_t limit = report->show.tick_limit != 0 ? report->show.tick_limit : SIZE_MAX;
    bool is_beside_others = report->height != 0 && report->ticks.count > 0;
    return is_beside_others && limit > SHOWN_MAX ? SHOWN_MAX : limit;
}

static struct report_result write_ticks(const struct report *report, struct output *out)
{
    struct text text = {0};
    summary_put_ticks(&text, report, watched_shown(report));
    if (!report->is_empty)
        put_ticks(&text, report);
    output_end_text(out, &text);
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    return (struct report_result){
        .count = report->ticks.count, .one = kind->one, .many = kind->many};
}

const struct report_format report_ticks = {
    .name = "ticks",
    .summary = "the ticks against their 100 ms, or frames against their 33 ms",
    .uses =
        USES_TICKS | USES_LENGTH | SHOWS_COMPARISON | SHOWS_WATCH | SHOWS_FINDINGS | SHOWS_WHAT_IF,
    .suffixes = {".ticks", NULL},
    .tables = 1 << TABLE_TICKS | 1 << TABLE_WHAT_IF,
    .is_table = true,
    .write = write_ticks,
};
