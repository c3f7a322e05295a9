#include "report/text/report_repeated.h"

#include "report/repeated.h"
#include "report/row_label.h"
#include "report/text/grid.h"
#include "report/text/report_benchmarks.h"
#include "report/text/report_summary.h"
#include "report/text/wrap.h"

#include <math.h>
#include <string.h>

enum { CELLS_MAX = 8 };

/* The format of numbers of a kind. */
struct look {
    bool is_time;
    enum report_unit unit;
    int decimals;
};

static void put_number(struct text *text, const struct look *look, double number, bool is_change)
{
    size_t start = text->length;
    if (is_change && number > 0)
        text_put_string(text, "+");
    if (look->is_time)
        report_put_time(text, (int64_t)llround(number), look->unit, look->decimals);
    else
        text_printf(text, number == floor(number) ? "%.0f" : "%.1f", number);
    text_drop_sign_of_zero(text, start);
}

static void put_cell(struct grid *grid, const struct look *look, double number, bool is_change)
{
    put_number(&grid->texts, look, number, is_change);
    grid_end_cell(grid);
}

static void put_summary(struct grid *grid, const struct look *look,
                        const struct sample_summary *summary)
{
    put_cell(grid, look, summary->median, false);
    put_cell(grid, look, summary->spread, false);
}

/* The eight cells of a comparison. */
static void put_compared(struct grid *grid, const struct look *look,
                         const struct repeated_value *value)
{
    const struct sample_shift *shift = &value->shift;
    put_summary(grid, look, &value->old);
    put_summary(grid, look, &value->now);
    put_cell(grid, look, shift->estimate, true);
    put_cell(grid, look, shift->low, true);
    put_cell(grid, look, shift->high, true);
    double percent = 100 * shift->estimate / fabs(value->old.median);
    if (value->old.median == 0)
        text_put_string(&grid->texts, value->now.median == 0 ? "-" : "new");
    else
        text_printf(&grid->texts, fabs(percent) < 0.05 ? "0.0%%" : "%+.1f%%", percent);
    grid_end_cell(grid);
}

static void put_compared_titles(struct grid *grid, const char *prefix, const char *unit)
{
    static const char *const titles[] = {"old ",   NULL,   "new ", NULL,
                                         "change", "from", "to",   "change%"};
    for (size_t i = 0; i < CELLS_MAX; i++) {
        text_put_string(&grid->texts, titles[i] != NULL ? titles[i] : "±");
        if (i == 0 || i == 2)
            text_printf(&grid->texts, "%s%s", prefix, unit);
        grid_end_cell(grid);
    }
}

static void put_name(struct text *text, const char *name)
{
    text_put_clean(text, (struct span){name, strlen(name)}, false);
}

static void put_logs(struct text *text, const char *title, size_t count)
{
    put_name(text, title);
    text_put_string(text, ": ");
    report_put_count(text, count, "log", "logs");
}

static struct look time_look(enum report_unit unit)
{
    return (struct look){true, unit, report_decimals(unit)};
}

/* The unit for a value, and its name with a blank before it. */
static struct look look_of_total(const struct repeated_value *value, enum repeated_total_kind kind)
{
    double largest = fmax(value->now.median, value->old.median);
    return repeated_total_is_time(kind) ? time_look(report_unit_for((int64_t)largest))
                                        : (struct look){.is_time = false};
}

static void write_totals(const struct report *report, const struct repeated *repeated,
                         struct output *out)
{
    bool is_compared = repeated->old_count > 0;
    struct grid grid = {.column_count = is_compared ? CELLS_MAX + 2 : 4,
                        .line_width = report->width,
                        .drop = {6, 7, 2, 4},
                        .drop_count = is_compared ? 4 : 0};
    grid_put(&grid, "");
    if (is_compared) {
        put_compared_titles(&grid, "", "");
    } else {
        grid_put(&grid, "median");
        grid_put(&grid, "±");
    }
    grid_put(&grid, "");
    int count = repeated->has_ticks ? TOTAL_KIND_COUNT : TOTAL_TICKS;
    for (int kind = 0; kind < count; kind++) {
        const struct repeated_value *value = &repeated->totals[kind];
        struct look look = look_of_total(value, (enum repeated_total_kind)kind);
        text_put_string(&grid.texts, repeated_total_name((enum repeated_total_kind)kind));
        if (look.is_time)
            text_printf(&grid.texts, " %s", report_unit_name(look.unit));
        grid_end_cell(&grid);
        if (is_compared)
            put_compared(&grid, &look, value);
        else
            put_summary(&grid, &look, &value->now);
        grid_put(&grid, is_compared && !value->shift.is_told_apart ? "~" : "");
    }
    grid_write(&grid, out, true);
    grid_release(&grid);
}

/* Writes lines that fit the terminal, and empties the text. */
static void write_wrapped(const struct report *report, struct text *lines, struct output *out)
{
    struct text text = {0};
    wrap_put_lines(&text, report->width, text_span(lines));
    output_put(out, text_span(&text).at, text.length);
    text_release(&text);
    lines->length = 0;
}

static void write_head(const struct report *report, const struct repeated *repeated,
                       struct output *out)
{
    struct text text = {0};
    put_logs(&text, report->title, repeated->new_count);
    text_put_string(&text, " of the same thing; medians, and ± what half of the logs are within\n");
    if (repeated->old_count > 0) {
        text_put_string(&text, "Old:     ");
        put_logs(&text, report->old->title, repeated->old_count);
        if (report->old->scaled != NULL)
            text_printf(&text, ", %s", report->old->scaled);
        text_put_string(&text, "; change: the median of the differences of all pairs; ~ marks what "
                               "cannot be told apart from chance\n");
    }
    write_wrapped(report, &text, out);
    summary_put_selection(&text, report, report->width);
    output_put(out, text_span(&text).at, text.length);
    write_totals(report, repeated, out);
    text.length = 0;
    benchmarks_put(&text, report, 0);
    output_put(out, text_span(&text).at, text.length);
    text_release(&text);
}

static void put_row_label(struct grid *grid, const struct report *report,
                          const struct repeated *repeated, const struct repeated_row *row)
{
    struct text place = {0};
    row_label_put(&grid->texts, &place, &repeated->table, row->row, report->call_sites);
    if (place.length > 0) {
        text_put_string(&grid->texts, "  ");
        text_put(&grid->texts, place.at, place.length);
    }
    text_release(&place);
    grid_end_cell(grid);
}

static struct look look_of_kind(enum repeated_kind kind, enum report_unit unit, bool has_unit)
{
    return kind == REPEATED_CALLS     ? (struct look){.is_time = false}
           : kind == REPEATED_AVERAGE ? time_look(has_unit ? unit : UNIT_US)
                                      : time_look(unit);
}

static const char *kind_title(enum repeated_kind kind)
{
    static const char *const titles[] = {[REPEATED_SELF] = "self",
                                         [REPEATED_TOTAL] = "total",
                                         [REPEATED_CALLS] = "calls",
                                         [REPEATED_AVERAGE] = "self/call"};
    return titles[kind];
}

static void put_kind_title(struct text *text, enum repeated_kind kind, const struct look *look)
{
    text_put_string(text, kind_title(kind));
    if (look->is_time)
        text_printf(text, " %s", report_unit_name(look->unit));
}

static void write_compared(const struct report *report, const struct repeated *repeated,
                           enum report_unit unit, size_t shown, struct output *out)
{
    enum repeated_kind kind = repeated_kind_of(report->sort);
    struct look look = look_of_kind(kind, unit, report->unit != UNIT_AUTO);
    struct grid grid = {.column_count = CELLS_MAX + 2,
                        .line_width = report->width,
                        .drop = {5, 6, 1, 3},
                        .drop_count = 4};
    struct text title = {0};
    put_kind_title(&title, kind, &look);
    text_put(&title, "", 1);
    put_compared_titles(&grid, title.at, "");
    grid_put(&grid, "");
    grid_put(&grid, row_label_title(report->by));
    for (size_t i = 0; i < shown; i++) {
        const struct repeated_row *row = &repeated->rows[i];
        put_compared(&grid, &look, &row->values[kind]);
        grid_put(&grid, row->values[kind].shift.is_told_apart ? "" : "~");
        put_row_label(&grid, report, repeated, row);
    }
    grid_write(&grid, out, false);
    grid_release(&grid);
    text_release(&title);
}

static void write_single(const struct report *report, const struct repeated *repeated,
                         enum report_unit unit, size_t shown, struct output *out)
{
    enum { KINDS = 3 };
    enum repeated_kind kinds[KINDS] = {REPEATED_SELF, REPEATED_TOTAL, REPEATED_CALLS};
    enum repeated_kind sort = repeated_kind_of(report->sort);
    if (sort == REPEATED_AVERAGE)
        kinds[KINDS - 1] = sort;
    struct grid grid = {.column_count = 2 * KINDS + 1,
                        .line_width = report->width,
                        .drop = {5, 3},
                        .drop_count = 2};
    for (int i = 0; i < KINDS; i++) {
        struct look look = look_of_kind(kinds[i], unit, report->unit != UNIT_AUTO);
        put_kind_title(&grid.texts, kinds[i], &look);
        grid_end_cell(&grid);
        grid_put(&grid, "±");
    }
    grid_put(&grid, row_label_title(report->by));
    for (size_t i = 0; i < shown; i++) {
        const struct repeated_row *row = &repeated->rows[i];
        for (int k = 0; k < KINDS; k++) {
            struct look look = look_of_kind(kinds[k], unit, report->unit != UNIT_AUTO);
            put_summary(&grid, &look, &row->values[kinds[k]].now);
        }
        put_row_label(&grid, report, repeated, row);
    }
    grid_write(&grid, out, false);
    grid_release(&grid);
}

static void put_losses(struct text *text, const struct repeats *repeats)
{
    uint64_t damaged = 0, missing = 0;
    for (size_t i = 0; i < repeats->count; i++) {
        damaged += repeats->all[i].damaged;
        missing += repeats->all[i].missing_lines;
    }
    if (damaged > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, damaged, "damaged record was", "damaged records were");
        text_put_string(text, " skipped\n");
    }
    if (missing > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, missing, "line of a recording is", "lines of recordings are");
        text_put_string(text, " missing\n");
    }
}

static void write_notes(const struct report *report, const struct repeated *repeated, size_t shown,
                        struct output *out)
{
    struct text text = {0};
    size_t hidden = repeated->table.row_count - shown;
    if (hidden > 0) {
        text_put_string(&text, "... and ");
        report_put_count(&text, hidden, "more row", "more rows");
        text_put_string(&text, " (--top 0 shows all)\n");
    }
    bool is_compared = repeated->old_count > 0;
    if (is_compared &&
        (repeated->new_count < SAMPLES_ENOUGH || repeated->old_count < SAMPLES_ENOUGH))
        text_printf(&text,
                    "Note: %zu old and %zu new logs are too few to tell a change from chance, "
                    "however large it is; record at least %d of each\n",
                    repeated->old_count, repeated->new_count, (int)SAMPLES_ENOUGH);
    put_losses(&text, report->repeats);
    if (is_compared)
        put_losses(&text, report->old->repeats);
    write_wrapped(report, &text, out);
    text_release(&text);
}

void repeated_write_top(const struct report *report, struct output *out)
{
    struct repeated repeated;
    repeated_init(&repeated, report);
    size_t limit = report->row_limit == 0 ? SIZE_MAX : report->row_limit;
    size_t shown = repeated.table.row_count < limit ? repeated.table.row_count : limit;
    double longest =
        fmax(repeated.totals[TOTAL_TIME].now.median, repeated.totals[TOTAL_TIME].old.median);
    enum report_unit unit =
        report->unit == UNIT_AUTO ? report_unit_for((int64_t)longest) : report->unit;
    write_head(report, &repeated, out);
    if (repeated.old_count > 0)
        write_compared(report, &repeated, unit, shown, out);
    else
        write_single(report, &repeated, unit, shown, out);
    write_notes(report, &repeated, shown, out);
    repeated_release(&repeated);
}
