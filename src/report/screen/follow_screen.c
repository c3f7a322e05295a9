#include "report/screen/follow_screen.h"

#include "base/mem.h"
#include "report/figures/labels.h"
#include "report/figures/report.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/styles.h"

static int compare(const void *left, const void *right)
{
    const struct running_row *a = left, *b = right;
    return ORDER(b->sum.self_ns, a->sum.self_ns,
                 ORDER(b->sum.calls, a->sum.calls, ORDER(a->rank, b->rank, 0)));
}

static int64_t less(int64_t ns, int64_t before_ns)
{
    return ns > before_ns ? ns - before_ns : 0;
}

static uint64_t fewer(uint64_t calls, uint64_t before)
{
    return calls > before ? calls - before : 0;
}

static struct function_sum since(struct function_sum sum, struct function_sum before)
{
    return (struct function_sum){
        .calls = fewer(sum.calls, before.calls),
        .self_ns = less(sum.self_ns, before.self_ns),
        .total_ns = less(sum.total_ns, before.total_ns),
    };
}

void running_rows_init(struct running_rows *rows, const struct function_sums *now,
                       const struct function_sums *before, const uint32_t *ranks)
{
    *rows = (struct running_rows){.all = mem_zeroed(now->count, sizeof *rows->all)};
    for (uint32_t i = 0; i < now->count; i++) {
        struct function_sum sum = now->at[i];
        if (before != NULL)
            sum = since(sum, function_sums_get(before, i));
        if (sum.calls == 0 && sum.self_ns == 0)
            continue;
        rows->whole.calls += sum.calls;
        rows->whole.self_ns += sum.self_ns;
        rows->all[rows->count++] = (struct running_row){i, ranks[i], sum};
    }
    qsort(rows->all, rows->count, sizeof *rows->all, compare);
}

void running_rows_release(struct running_rows *rows)
{
    free(rows->all);
    *rows = (struct running_rows){0};
}

static const char line_end[] = "\x1b[K\r\n";

struct follow_rows {
    const struct follow_screen *screen;
    struct running_rows rows;
    size_t shown_count; /* rows */
    struct tick_sums ticks;
    enum report_unit unit;
};

static void put_clean(struct text *text, const char *string)
{
    text_put_clean(text, span_of(string), false);
}

/* Ends a line of the screen, and empties the text of it. */
static void put_line(struct text *text, const struct follow_screen *screen, const char *style,
                     struct text *line)
{
    text_put_string(text, screen->is_colored ? style : "");
    text_put_cut(text, text_span(line), screen->width);
    text_put_string(text, screen->is_colored && style[0] != '\0' ? STYLE_PLAIN : "");
    text_put_string(text, line_end);
    text_cut(line, 0);
}

static void put_profile(struct text *line, const struct follow_rows *shown)
{
    const struct follow_screen *screen = shown->screen;
    const struct tick_kind *kind = &tick_kinds[screen->settings->state];
    put_clean(line, screen->title);
    if (screen->is_window)
        text_printf(line, ", the last %.1f s", (double)screen->window_ns / 1e9);
    text_put_string(line, ": ");
    if (shown->rows.count == 0) {
        text_put_string(line, "no call yet");
        return;
    }
    text_printf(line, "%s of Lua", amount_with_unit(shown->rows.whole.self_ns, shown->unit, 3).at);
    if (shown->ticks.count > 0)
        text_printf(line, " in %s", amount_things(shown->ticks.count, kind->one, kind->many).at);
    size_t length = line->length;
    text_printf(line, ", %s of %s", amount_things(shown->rows.whole.calls, "call", "calls").at,
                amount_things(shown->rows.count, "function", "functions").at);
    if (text_width(text_span(line)) > screen->width)
        text_cut(line, length);
}

static void put_ticks(struct text *line, const struct follow_rows *shown)
{
    const struct tick_sums *ticks = &shown->ticks;
    const struct rebuild_settings *settings = shown->screen->settings;
    const struct tick_kind *kind = &tick_kinds[settings->state];
    if (ticks->count == 0) {
        if (shown->screen->has_recording)
            text_printf(line, "No %s has ended yet", kind->one);
        else
            text_put_string(line, "The records of delins' profiler have no ticks");
        return;
    }
    text_printf(line, "Slow %s: %s of %s over %.10g ms, mean %s ms. ", kind->many,
                ticks->over_count > 0 ? amount_count(ticks->over_count).at : "none",
                amount_count(ticks->count).at, (double)settings_limit_ns(settings) / 1e6,
                amount_time(ticks->total_ns / (int64_t)ticks->count, UNIT_MS, 1).at);
    text_printf(line, "The longest, #%lld, took %s ms", (long long)ticks->longest_number,
                amount_time(ticks->longest_ns, UNIT_MS, 1).at);
}

static void put_time_cell(struct grid *grid, int64_t ns, enum report_unit unit)
{
    grid_put_cell(grid, amount_grouped_time(ns, unit, amount_decimals(unit)).at);
}

static void put_row(struct grid *grid, const void *of, size_t i)
{
    const struct follow_rows *shown = of;
    const struct function_sum *sum = &shown->rows.all[i].sum;
    int64_t all_ns = shown->rows.whole.self_ns;
    put_time_cell(grid, sum->self_ns, shown->unit);
    text_put_string(&grid->cells, amount_percent(sum->self_ns, all_ns).at);
    grid_end_colored_cell(grid, sum->self_ns >= all_ns / 10   ? STYLE_RED
                                : sum->self_ns >= all_ns / 50 ? STYLE_MAGENTA
                                                              : "");
    if (shown->ticks.count > 0)
        put_time_cell(grid, sum->self_ns / (int64_t)shown->ticks.count, UNIT_MS);
    else
        grid_put_cell(grid, "-");
    put_time_cell(grid, sum->total_ns, shown->unit);
    grid_put_cell(grid, sum->calls > 0 ? amount_count(sum->calls).at : "-");
    function_label_put(&grid->name, &grid->place, shown->screen->labels,
                       shown->rows.all[i].function);
}

/* Columns come and go with the terminal's width alone, not with the names that are there now. */
static void put_table(struct text *text, const struct follow_rows *shown)
{
    enum { LABEL_WIDTH = 36, NAME_WIDTH_MAX = 40 };
    struct grid grid = {.width = shown->screen->width,
                        .is_colored = shown->screen->is_colored,
                        .line_end = line_end,
                        .label_title = "function",
                        .name_width_max = NAME_WIDTH_MAX,
                        .label_wanted = LABEL_WIDTH};
    const struct grid_rows rows = {.of = shown, .count = shown->shown_count, .put = put_row};
    const char *unit = amount_unit_name(shown->unit);
    text_printf(&grid.cells, "self %s", unit);
    grid_add_column(&grid, "", 0);
    grid_add_column(&grid, "self%", 4);
    grid_add_column(&grid, "ms/tick", 3);
    text_printf(&grid.cells, "total %s", unit);
    grid_add_column(&grid, "", 2);
    grid_add_column(&grid, "calls", 1);
    grid_put_rows(&grid, &rows, text, NULL);
}

/* Appends the lines above the table, as many as there is room for. */
static void put_head(struct text *text, const struct follow_rows *shown, size_t room)
{
    const struct follow_screen *screen = shown->screen;
    bool is_begun = screen->has_recording || shown->rows.count > 0;
    enum { LINE_COUNT = 4 };
    struct text lines[LINE_COUNT] = {0};
    size_t count = 0;
    put_profile(&lines[count++], shown);
    if (is_begun) {
        put_ticks(&lines[count++], shown);
    } else {
        text_put_string(&lines[count++],
                        "The recording begins by itself at minute 1 of the game, or with");
        text_put_string(
            &lines[count++],
            "Ctrl-Shift-O (the mod), or SimLua StartProfiler() in the console (cheats)");
    }
    put_clean(&lines[count++], screen->status);
    for (size_t i = 0; i < count; i++) {
        if (i < room)
            put_line(text, screen, i == 0 ? STYLE_BOLD : "", &lines[i]);
        text_release(&lines[i]);
    }
}

void follow_screen_put(struct text *text, const struct follow_screen *screen)
{
    /* The head, the titles, the keys, and two empty lines. */
    enum { OTHER_LINES = 7 };
    struct follow_rows shown = {.screen = screen};
    struct text line = {0};
    size_t room = screen->height > OTHER_LINES ? screen->height - OTHER_LINES : 0;
    size_t limit = screen->row_limit > 0 && screen->row_limit < room ? screen->row_limit : room;
    running_rows_init(&shown.rows, &screen->now->functions,
                      screen->is_window ? &screen->before->functions : NULL, screen->labels->ranks);
    shown.ticks = screen->is_window ? screen->now->recent_ticks : screen->now->ticks;
    shown.unit = amount_unit_for(shown.rows.whole.self_ns);
    shown.shown_count = shown.rows.count < limit ? shown.rows.count : limit;
    text_put_string(text, "\x1b[H");
    put_head(text, &shown, screen->height - 1);
    if (shown.shown_count > 0) {
        put_line(text, screen, "", &line);
        put_table(text, &shown);
        put_line(text, screen, "", &line);
    }
    if (screen->is_window)
        text_put_string(&line, "w: all   q: end and report");
    else
        text_printf(&line, "w: the last %d seconds   q: end and report",
                    (int)FOLLOW_WINDOW_SECONDS);
    text_put_string(text, screen->is_colored ? STYLE_DIM : "");
    text_put_cut(text, text_span(&line), screen->width);
    text_put_string(text, screen->is_colored ? STYLE_PLAIN : "");
    text_put_string(text, "\x1b[K\x1b[J");
    text_release(&line);
    running_rows_release(&shown.rows);
}
