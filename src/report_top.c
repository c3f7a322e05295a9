/*
 * The table for people: what costs most, dearest first, on one screen.
 *
 *     Profile: loud.log  61.842 s in 48,213 stacks, 1,204 functions, 3,918,220 calls
 *         self s  self%   sum%    total s  total%       calls  self/call us  function
 *         8.4213  13.62  13.62     9.1024   14.72   1,204,551           7.0  next  [C]
 *
 * One unit a column. The name comes last and is never cut on a pipe; on a
 * terminal, columns that can be derived from others give way first, then the
 * front of the place, whose end says most.
 */
#include "report.h"

#include "frames.h"
#include "report_recording.h"
#include <math.h>
#include <string.h>

enum column { SELF, SELF_PERCENT, SUM_PERCENT, TOTAL, TOTAL_PERCENT, CALLS, AVERAGE, COLUMN_COUNT };

enum {
    NAME_WIDTH_WANTED = 32, /* columns give way until the name has this much room */
    NAME_WIDTH_MIN = 12,
    GAP = 2,
};

/* Which columns go, first to last, where a terminal is narrow. */
static const enum column droppable[] = {SUM_PERCENT, TOTAL_PERCENT, AVERAGE};

/* What the columns are worked out from. */
struct layout {
    const struct report *report;
    struct table table;
    size_t shown_count; /* rows */
    enum report_unit unit, average_unit;
    size_t widths[COLUMN_COUNT]; /* 0: dropped */
    size_t name_width;           /* of function names, to align the places behind them */
    size_t label_width;          /* what is left for name and place; SIZE_MAX on a pipe */
};

static const char bold[] = "\x1b[1m", dim[] = "\x1b[2m", red[] = "\x1b[31m", yellow[] = "\x1b[33m",
                  plain[] = "\x1b[0m";

static void put_style(const struct report *report, FILE *out, const char *style)
{
    if (report->is_colored)
        fputs(style, out);
}

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static enum report_unit unit_for(int64_t ns)
{
    return ns >= 1000000000 ? UNIT_S : ns >= 1000000 ? UNIT_MS : UNIT_US;
}

static int decimals_of(enum report_unit unit)
{
    static const int decimals[] = {[UNIT_NS] = 0, [UNIT_US] = 1, [UNIT_MS] = 3, [UNIT_S] = 4};
    return decimals[unit];
}

static void put_percent(struct text *text, const struct report *report, int64_t ns)
{
    int64_t all_ns = profile_ns(report);
    char digits[32];
    double percent = all_ns == 0 ? 0 : 100.0 * (double)ns / (double)all_ns;
    /* No "-0.00". */
    if (fabs(percent) < 0.005)
        percent = 0;
    int length = snprintf(digits, sizeof digits, "%.2f", percent);
    text_put(text, digits, (size_t)length);
}

static int64_t average_ns(const struct row *row)
{
    return row->calls == 0 ? 0 : (int64_t)llround((double)row->self_ns / (double)row->calls);
}

/* The self time of a call; or what recordings tell of calls and rows are sorted by. */
static void put_average(struct text *text, const struct layout *layout, const struct row *row)
{
    enum table_sort sort = layout->report->sort;
    if (sort == SORT_ERRORS)
        text_put_grouped(text, row->details.errors);
    else if (sort == SORT_ALLOC)
        text_put_grouped(text, row->details.memory_kb);
    else
        report_put_grouped_time(text,
                                sort != SORT_MAX           ? average_ns(row)
                                : row->details.max_ns >= 0 ? row->details.max_ns
                                                           : 0,
                                layout->average_unit, decimals_of(layout->average_unit));
}

static void put_value(struct text *text, const struct layout *layout, enum column column,
                      const struct row *row, int64_t sum_ns)
{
    int decimals = decimals_of(layout->unit);
    switch (column) {
    case SELF:
        report_put_time(text, row->self_ns, layout->unit, decimals);
        break;
    case SELF_PERCENT:
        put_percent(text, layout->report, row->self_ns);
        break;
    case SUM_PERCENT:
        put_percent(text, layout->report, sum_ns);
        break;
    case TOTAL:
        report_put_time(text, row->total_ns, layout->unit, decimals);
        break;
    case TOTAL_PERCENT:
        put_percent(text, layout->report, row->total_ns);
        break;
    case CALLS:
        text_put_grouped(text, row->calls);
        break;
    case AVERAGE:
        put_average(text, layout, row);
        break;
    case COLUMN_COUNT:
        break;
    }
}

static void put_title(struct text *text, const struct layout *layout, enum column column)
{
    static const char *const titles[] = {"self ",  "self%", "sum%",      "total ",
                                         "total%", "calls", "self/call "};
    static const char *const last_titles[] = {
        [SORT_MAX] = "longest call ", [SORT_ERRORS] = "errors", [SORT_ALLOC] = "KB"};
    enum table_sort sort = layout->report->sort;
    bool is_last = column == AVERAGE && sort >= SORT_MAX;
    text_put_string(text, is_last ? last_titles[sort] : titles[column]);
    if (column == SELF || column == TOTAL)
        text_put_string(text, report_unit_name(layout->unit));
    if (column == AVERAGE && sort <= SORT_MAX)
        text_put_string(text, report_unit_name(layout->average_unit));
}

/* What a row is called, and where that lies; `place` may be left empty. */
static void put_label(struct text *name, struct text *place, const struct layout *layout,
                      const struct row *row)
{
    const struct table *table = &layout->table;
    const struct labels *labels = table->labels;
    if (table->by == BY_STACK) {
        table_put_stack(name, table->tree, labels, row->group, layout->report->call_sites);
        return;
    }
    const struct row_group *group = &table->groups[row->group];
    if (table->by == BY_FILE || table->by == BY_MOD) {
        struct span text = labels_text(labels, group->text);
        text_put(name, text.at, text.length);
        return;
    }
    if (group->function == TREE_NONE) {
        text_put_string(name, "(engine)");
        return;
    }
    const struct label *label = &labels->labels[group->function];
    struct span text = labels_text(labels, label->name);
    struct span where = labels_text(labels, table->by == BY_LINE ? label->file : label->place);
    text_put(name, text.at, text.length);
    if (label->name != label->place)
        text_put(place, where.at, where.length);
    if (table->by == BY_LINE && group->line != LINE_UNKNOWN && group->line != LINE_TAIL_CALL) {
        text_put_string(place, ":");
        text_put_number(place, group->line < 0 ? -(int64_t)group->line : group->line);
    }
    if (table->by == BY_LINE && group->line < 0)
        text_put_string(place, " (tail call)");
    static const char *const threads[] = {"", " (main)", " (coroutine)", " (main and coroutine)"};
    if (table->by == BY_THREAD)
        text_put_string(place, threads[group->flags & (NODE_MAIN | NODE_COROUTINE)]);
}

static void measure(struct layout *layout)
{
    struct text text = {0}, place = {0};
    for (int column = 0; column < COLUMN_COUNT; column++) {
        text.length = 0;
        put_title(&text, layout, (enum column)column);
        layout->widths[column] = text.length;
    }
    int64_t sum_ns = 0;
    for (size_t i = 0; i < layout->shown_count; i++) {
        const struct row *row = &layout->table.rows[i];
        sum_ns += row->self_ns;
        for (int column = 0; column < COLUMN_COUNT; column++) {
            text.length = 0;
            put_value(&text, layout, (enum column)column, row, sum_ns);
            if (text.length > layout->widths[column])
                layout->widths[column] = text.length;
        }
        text.length = place.length = 0;
        put_label(&text, &place, layout, row);
        size_t width = text_width(text_span(&text));
        if (place.length > 0 && width > layout->name_width)
            layout->name_width = width;
    }
    text_release(&text);
    text_release(&place);
}

static size_t numbers_width(const struct layout *layout)
{
    size_t width = 0;
    for (int column = 0; column < COLUMN_COUNT; column++)
        if (layout->widths[column] > 0)
            width += layout->widths[column] + GAP;
    return width;
}

static void fit_to_terminal(struct layout *layout)
{
    size_t width = layout->report->width;
    layout->label_width = SIZE_MAX;
    /* One very long name must not push all places out of sight. */
    size_t name_width_max = width == 0 ? 32 : width / 4 < 16 ? 16 : width / 4;
    if (layout->name_width > name_width_max)
        layout->name_width = name_width_max;
    if (width == 0)
        return;
    for (size_t i = 0; i < sizeof droppable / sizeof droppable[0]; i++)
        if (numbers_width(layout) + NAME_WIDTH_WANTED > width)
            layout->widths[droppable[i]] = 0;
    size_t numbers = numbers_width(layout) + (layout->report->tree->details != NULL ? GAP : 0);
    layout->label_width =
        width > numbers + NAME_WIDTH_MIN ? width - numbers : (size_t)NAME_WIDTH_MIN;
}

static void put_blanks(FILE *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(' ', out);
}

/* Writes the first or last `width` characters; the one next to what is cut becomes an ellipsis. */
static void put_cut(FILE *out, struct span text, size_t width, bool keeps_end)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t all = text_width(text);
    if (all <= width) {
        fwrite(text.at, 1, text.length, out);
        return;
    }
    size_t first = keeps_end ? all - width + 1 : 0;
    size_t last = keeps_end ? all : width - 1;
    if (keeps_end)
        fputs(ellipsis, out);
    size_t character = SIZE_MAX; /* becomes 0 at the first byte */
    for (size_t i = 0; i < text.length; i++) {
        character += ((unsigned char)text.at[i] & 0xc0) != 0x80;
        if (character >= first && character < last)
            fputc(text.at[i], out);
    }
    if (!keeps_end)
        fputs(ellipsis, out);
}

static void write_label(const struct layout *layout, FILE *out, const struct row *row)
{
    struct text name = {0}, place = {0};
    put_label(&name, &place, layout, row);
    size_t room = layout->label_width;
    size_t name_width = text_width(text_span(&name));
    if (place.length == 0) {
        put_cut(out, text_span(&name), room, layout->table.by == BY_FILE);
    } else {
        size_t place_min = room / 3;
        size_t name_room = room == SIZE_MAX ? SIZE_MAX : room - GAP - place_min;
        if (name_width > name_room)
            name_width = name_room;
        put_cut(out, text_span(&name), name_width, false);
        size_t aligned = name_width < layout->name_width ? layout->name_width : name_width;
        bool has_room = room == SIZE_MAX || aligned + GAP + text_width(text_span(&place)) <= room;
        size_t used = (has_room ? aligned : name_width) + GAP;
        put_blanks(out, used - name_width);
        put_style(layout->report, out, dim);
        put_cut(out, text_span(&place), room == SIZE_MAX ? SIZE_MAX : room - used, true);
        put_style(layout->report, out, plain);
    }
    fputc('\n', out);
    text_release(&name);
    text_release(&place);
}

/* Whether a self time is within twice its standard error, and so may be none at all. */
static bool is_noise(const struct row *row)
{
    return row->calls > 0 && (double)row->self_ns <= 2 * row_noise_ns(row);
}

static void write_row(const struct layout *layout, FILE *out, const struct row *row, int64_t sum_ns)
{
    struct text text = {0};
    int64_t all_ns = profile_ns(layout->report);
    const char *style = all_ns <= 0                   ? ""
                        : row->self_ns >= all_ns / 10 ? red
                        : row->self_ns >= all_ns / 50 ? yellow
                                                      : "";
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (layout->widths[column] == 0)
            continue;
        text.length = 0;
        put_value(&text, layout, (enum column)column, row, sum_ns);
        bool is_styled = column == SELF_PERCENT && style[0] != '\0';
        put_blanks(out, layout->widths[column] - text.length);
        if (is_styled)
            put_style(layout->report, out, style);
        fwrite(text.at, 1, text.length, out);
        if (is_styled)
            put_style(layout->report, out, plain);
        put_blanks(out, GAP);
    }
    text_release(&text);
    if (layout->report->tree->details != NULL)
        fputs(is_noise(row) ? "~ " : "  ", out);
    write_label(layout, out, row);
}

static void write_titles(const struct layout *layout, FILE *out)
{
    static const char *const rows[] = {
        [BY_FUNCTION] = "function", [BY_FILE] = "file",   [BY_MOD] = "mod",
        [BY_LINE] = "called from",  [BY_STACK] = "stack", [BY_THREAD] = "thread began in",
    };
    struct text text = {0};
    put_style(layout->report, out, bold);
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (layout->widths[column] == 0)
            continue;
        text.length = 0;
        put_title(&text, layout, (enum column)column);
        put_blanks(out, layout->widths[column] - text.length);
        fwrite(text.at, 1, text.length, out);
        put_blanks(out, GAP);
    }
    if (layout->report->tree->details != NULL)
        fputs("  ", out);
    fputs(rows[layout->table.by], out);
    put_style(layout->report, out, plain);
    fputc('\n', out);
    text_release(&text);
}

static void put_count(struct text *text, uint64_t count, const char *one, const char *many)
{
    text_put_grouped(text, count);
    text_put_string(text, " ");
    text_put_string(text, count == 1 ? one : many);
}

static void put_share(struct text *text, const struct report *report, int64_t ns, const char *what)
{
    put_percent(text, report, ns);
    text_put_string(text, "% ");
    text_put_string(text, what);
}

static void write_text(FILE *out, struct text *text)
{
    struct span span = text_span(text);
    fwrite(span.at, 1, span.length, out);
    text->length = 0;
}

/* Which ticks were slow, and how far the numbers can be trusted. */
static void put_recordings(struct text *text, const struct report *report)
{
    enum { WORST_TICKS = 3, FUNCTIONS = 3 };
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    recording_put_ticks(text, report, &statistics);
    for (size_t i = 0; i < WORST_TICKS && i < statistics.count; i++) {
        const struct tick *tick = statistics.worst[i];
        text_put_string(text, "         ");
        recording_put_tick(text, report, tick);
        text_put_string(text, " ");
        recording_put_ms(text, &statistics, tick->time_ns);
        text_put_string(text, " ms: ");
        recording_put_functions(text, report, &statistics, tick, FUNCTIONS);
        text_put_string(text, "\n");
    }
    tick_statistics_release(&statistics);
    recording_put_trust(text, report);
}

static void put_filter(struct text *text, const struct filter *filter)
{
    filter_put_name(text, filter);
    text_put_string(text, " (");
    put_count(text, filter->match_count, "function)", "functions)");
}

/* What of the profile is shown, and why not all of it. */
static void put_selection(struct text *text, const struct report *report)
{
    const struct filters *filters = &report->selection->filters;
    if (filters->count == 0)
        return;
    text_put_string(text, "Shown:   ");
    char digits[32];
    double percent =
        report->all_ns == 0 ? 0 : 100.0 * (double)profile_ns(report) / (double)report->all_ns;
    int length = snprintf(digits, sizeof digits, "%.2f%%", percent);
    text_put(text, digits, (size_t)length);
    text_put_string(text, " of the time");
    size_t of_files = 0;
    for (size_t i = 0; i < filters->count; i++) {
        of_files += filters->all[i].file != NULL;
        if (filters->all[i].file != NULL)
            continue;
        text_put_string(text, ", ");
        put_filter(text, &filters->all[i]);
    }
    if (of_files > 0) {
        text_put_string(text, ", --hide-file with ");
        put_count(text, of_files, "pattern", "patterns");
    }
    text_put_string(text, "\n");
}

static void write_summary(const struct report *report, FILE *out,
                          const struct report_totals *totals)
{
    struct text text = {0};
    enum report_unit unit = unit_for(profile_ns(report));
    put_style(report, out, bold);
    fputs("Profile: ", out);
    text_put_clean(&text, (struct span){report->title, strlen(report->title)}, false);
    write_text(out, &text);
    put_style(report, out, plain);
    text_put_string(&text, "  ");
    report_put_time(&text, profile_ns(report), unit, 3);
    text_put_string(&text, " ");
    text_put_string(&text, report_unit_name(unit));
    text_put_string(&text, " in ");
    put_count(&text, totals->stacks, "stack, ", "stacks, ");
    put_count(&text, totals->functions, "function, ", "functions, ");
    put_count(&text, totals->calls, "call\n", "calls\n");
    text_put_string(&text, "         ");
    put_share(&text, report, totals->main_ns, "on the main thread, ");
    put_share(&text, report, totals->coroutine_ns, "in coroutines, ");
    if (totals->both_ns != 0)
        put_share(&text, report, totals->both_ns, "on either, ");
    put_share(&text, report, totals->c_ns, "in C functions\n");
    put_selection(&text, report);
    put_recordings(&text, report);
    write_text(out, &text);
    text_release(&text);
}

static void write_notes(const struct layout *layout, FILE *out, const struct report_totals *totals)
{
    const struct report *report = layout->report;
    const struct profile_counts *counts = &report->profile->counts;
    struct text text = {0};
    size_t hidden_count = layout->table.row_count - layout->shown_count;
    if (hidden_count > 0) {
        int64_t hidden_ns = 0;
        for (size_t i = layout->shown_count; i < layout->table.row_count; i++)
            hidden_ns += layout->table.rows[i].self_ns;
        text_put_string(&text, "... and ");
        put_count(&text, hidden_count, "more row with ", "more rows with ");
        put_share(&text, report, hidden_ns, "of the self time (--top 0 shows all)\n");
    }
    if (totals->negative_count > 0) {
        text_put_string(&text, "Note: ");
        put_count(&text, totals->negative_count, "stack has", "stacks have");
        text_put_string(&text, " a negative self time, ");
        report_put_time(&text, totals->negative_ns, layout->unit, decimals_of(layout->unit));
        text_put_string(&text, " ");
        text_put_string(&text, report_unit_name(layout->unit));
        text_put_string(&text, " in all: the profiler that\n"
                               "      wrote this log loses track where pcall catches an error\n");
    }
    if (counts->untimed > 0) {
        text_put_string(&text, "Note: ");
        put_count(&text, counts->untimed, "record has", "records have");
        text_put_string(&text, " no usable time; only the calls were counted\n");
    }
    if (counts->damaged > 0) {
        text_put_string(&text, "Note: ");
        put_count(&text, counts->damaged, "damaged record was", "damaged records were");
        text_put_string(&text, " skipped\n");
    }
    if (counts->runs > 1 && report->profile->only_run == 0) {
        text_put_string(&text, "Note: ");
        text_put_grouped(&text, counts->runs);
        text_put_string(&text, " runs are added up here (--run N picks one)\n");
    }
    recording_put_losses(&text, report);
    put_style(report, out, dim);
    write_text(out, &text);
    put_style(report, out, plain);
    text_release(&text);
}

static void write_top(struct report *report, FILE *out)
{
    bool has_lines = report->by != BY_STACK || report->call_sites;
    struct layout layout = {.report = report};
    table_init(&layout.table, report->by, report->sort,
               has_lines ? report->tree : report_paths_tree(report), report->labels);
    size_t limit = report->row_limit == 0 ? SIZE_MAX : report->row_limit;
    layout.shown_count = layout.table.row_count < limit ? layout.table.row_count : limit;
    layout.unit = report->unit == UNIT_AUTO ? unit_for(profile_ns(report)) : report->unit;
    layout.average_unit = report->unit == UNIT_AUTO ? UNIT_US : report->unit;
    measure(&layout);
    fit_to_terminal(&layout);

    write_summary(report, out, &report->totals);
    write_titles(&layout, out);
    int64_t sum_ns = 0;
    for (size_t i = 0; i < layout.shown_count; i++) {
        sum_ns += layout.table.rows[i].self_ns;
        write_row(&layout, out, &layout.table.rows[i], sum_ns);
    }
    write_notes(&layout, out, &report->totals);
    table_release(&layout.table);
}

const struct report_format report_top = {
    .name = "top",
    .summary = "table of what costs most",
    .suffixes = {".top", NULL},
    .write = write_top,
};
