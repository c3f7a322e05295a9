#include "report/sentences/parts.h"

#include "report/sentences/amounts.h"
#include "report/sentences/tick_text.h"
#include "report/sentences/wrap.h"
#include "select/benchmarks.h"

static void put_side(struct text *text, const struct benchmark_row *row,
                     const struct sample_summary *summary, size_t count)
{
    text_printf(text, "%.3f s", summary->median);
    if (count > 1)
        text_printf(text, " ± %.3f s in %s benchmarks", summary->spread, amount_count(count).at);
    int64_t game_ns = row->to_ns - row->from_ns;
    if (game_ns > 0)
        text_printf(text, ", %.3f s per game second", summary->median / ((double)game_ns / 1e9));
}

static void put_shift(struct text *text, const struct benchmark_row *row)
{
    const struct sample_shift *shift = &row->shift;
    text_printf(text, "; difference %+.3f s", shift->estimate);
    if (row->old.median > 0)
        text_printf(text, " (%+.1f%%)", 100 * shift->estimate / row->old.median);
    if (row->new_count < SAMPLES_ENOUGH || row->old_count < SAMPLES_ENOUGH) {
        text_put_string(text, ", too few to tell from chance");
        return;
    }
    text_printf(text, ", %+.3f to %+.3f s", shift->low, shift->high);
    text_printf(text, shift->is_told_apart ? " (p = %.3f)" : ", may be chance (p = %.3f)",
                shift->p);
}

static void put_row(struct text *text, const struct benchmark_row *row)
{
    text_printf(text, "  %s to %s: ", tick_game_time((double)row->from_ns / 1e9).at,
                tick_game_time((double)row->to_ns / 1e9).at);
    if (row->new_count > 0)
        put_side(text, row, &row->now, row->new_count);
    if (row->old_count > 0) {
        text_put_string(text, row->new_count > 0 ? "; old " : "only old, ");
        put_side(text, row, &row->old, row->old_count);
    }
    if (row->has_shift)
        put_shift(text, row);
}

void benchmarks_put(struct text *text, const struct report *report, size_t limit)
{
    struct benchmarks benchmarks;
    benchmarks_init(&benchmarks, report->profile,
                    report->old != NULL ? report->old->profile : NULL);
    size_t shown = limit != 0 && limit < benchmarks.count ? limit : benchmarks.count;
    if (shown > 0)
        text_put_string(text, "Benchmarks: wall-clock time of parts of the game\n");
    for (size_t i = 0; i < shown; i++) {
        struct text line = {0};
        put_row(&line, &benchmarks.rows[i]);
        wrap_put_line(text, report->width, 4, &line);
    }
    if (shown < benchmarks.count)
        text_printf(text, "  ... and %s\n",
                    amount_things(benchmarks.count - shown, "more part", "more parts").at);
    benchmarks_release(&benchmarks);
}
