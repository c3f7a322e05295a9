/*
 * The source of the functions that --list matches, most expensive function first, with what was
 * called from each line.
 *
 *     spikes.log: 768.6 ms of Lua in 201 ticks (0:00.1 to 0:20.1), 8,512 calls of 9 functions
 *     List: 'BuildThreatMap' matches 1 function
 *
 *     BuildThreatMap  lua/ai/aiutilities.lua:812
 *       self 550.052 ms (71.56%), total 700.100 ms (91.08%), 5 calls
 *       line  calls  total ms  total%    source
 *        812                             function BuildThreatMap(brain)
 *                                        ... 14 lines
 *        827  8,400   140.551   18.29  *     local threat = brain:GetThreat(x, z)  -> GetThreat
 *        828                             end
 *
 * Lines from which nothing was called are dim, and folded where they are not beside an expensive
 * one. `*`: the three lines with the most time. Without the source of a function, only the lines
 * with calls are there, and the reason.
 */

#include "base/mem.h"
#include "base/sort.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/styles.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

enum { HEADING_LINES = 5, ROWS_MIN = 4, CALLEE_WIDTH = 24, WIDTH_ROOMY = 100 };

/* A function whose lines are being put. */
struct list {
    const struct report *report;
    struct listed_function function;
    enum report_unit unit;
    bool has_errors, is_compared;
    bool *is_shown; /* [function.count] */
    /* A row is a line, or several ones that are folded. */
    struct list_row {
        size_t line, folded;
    } * rows; /* [row_count] */
    size_t row_count, indent;
};

/* Which lines are shown ------------------------------------------------------------------------ */

/* Shows a line; returns how many rows that adds: folded lines beside it may need a row of their
 * own. */
static size_t show(struct list *list, size_t line)
{
    if (line >= list->function.count || list->is_shown[line])
        return 0;
    list->is_shown[line] = true;
    bool has_before = line > 0 && !list->is_shown[line - 1];
    bool has_after = line + 1 < list->function.count && !list->is_shown[line + 1];
    return (size_t)has_before + has_after;
}

/* Shows the first line and the last one, and the most expensive ones with those beside them. */
static void choose_lines(struct list *list, size_t limit)
{
    size_t count = list->function.count, used = 0;
    struct keyed *ordered = mem_zeroed(count, sizeof *ordered);
    for (size_t i = 0; i < count; i++) {
        const struct listed_line *line = &list->function.lines[i];
        int64_t ns = listed_value_ns(&line->now), old_ns = listed_value_ns(&line->old);
        if (line->is_used)
            ordered[used++] =
                (struct keyed){~key_of_double((double)(ns > old_ns ? ns : old_ns)), (uint32_t)i};
    }
    key_sort(ordered, used);
    size_t rows = 1;
    if (list->function.has_source)
        rows += show(list, 0) + show(list, count - 1);
    size_t first_limit = list->function.has_source ? limit - limit / 4 : limit;
    for (size_t i = 0; i < used && rows < first_limit; i++)
        rows += show(list, ordered[i].item);
    for (size_t i = 0; i < used && list->function.has_source && rows + 4 <= limit; i++)
        rows += show(list, (size_t)ordered[i].item - 1) + show(list, (size_t)ordered[i].item + 1);
    free(ordered);
}

static void make_rows(struct list *list, size_t limit)
{
    size_t count = list->function.count;
    list->is_shown = mem_zeroed(count, sizeof *list->is_shown);
    list->rows = mem_zeroed(count, sizeof *list->rows);
    if (limit == SIZE_MAX && report_shows_all(list->report))
        memset(list->is_shown, true, count);
    else if (count > 0)
        choose_lines(list, limit);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && !list->is_shown[end];)
            end++;
        bool is_folded = end - i > 1;
        end += end == i;
        list->rows[list->row_count++] = (struct list_row){i, is_folded ? end - i : 0};
    }
}

/* Rows ------------------------------------------------------------------------------------- */

static size_t count_blanks(struct span text)
{
    size_t count = 0;
    while (count < text.length && text.at[count] == ' ')
        count++;
    return count;
}

/* Finds the blanks that all lines begin with. */
static void measure_indent(struct list *list)
{
    struct text text = {0};
    list->indent = SIZE_MAX;
    for (size_t i = 0; i < list->function.count; i++) {
        text_cut(&text, 0);
        listed_line_put(&text, &list->function, &list->function.lines[i]);
        size_t blanks = count_blanks(text_span(&text));
        if (blanks < text.length && blanks < list->indent)
            list->indent = blanks;
    }
    text_release(&text);
}

/* Puts the most expensive callee, unless it is the only one and the text of the line names it. */
static void put_callee(struct grid *grid, const struct list *list, const struct listed_line *line,
                       const struct text *text)
{
    const struct labels *labels = list->report->labels;
    const struct label *label = &labels->labels[line->callee];
    const char *name = labels_string(labels, label->name), *dot = strrchr(name, '.');
    bool has_source = list->function.has_source;
    struct text *to = has_source ? &grid->suffix : &grid->name;
    if (has_source && line->callee_count == 1 &&
        strstr(text_string(text), dot != NULL ? dot + 1 : name) != NULL)
        return;
    text_put_string(to, has_source ? "  -> " : "");
    if (strcmp(name, "?") == 0)
        text_put_cut_path(to, labels_text(labels, label->place), CALLEE_WIDTH);
    else
        text_put_cut(to, span_of(name), CALLEE_WIDTH);
}

static void put_source(struct grid *grid, const struct list *list, const struct listed_line *line)
{
    struct text text = {0};
    listed_line_put(&text, &list->function, line);
    size_t blanks = count_blanks(text_span(&text));
    bool is_known = line->line > 0 || line->old_line > 0;
    if (list->function.is_matched && is_known)
        text_put_string(&grid->name, line->old_line == 0 ? "+ " : line->line == 0 ? "- " : "  ");
    if (blanks < text.length) {
        /* Where there is little room, code that is deep inside needs it more than its indentation.
         */
        bool is_narrow = list->report->width > 0 && list->report->width < WIDTH_ROOMY;
        text_put_blanks(&grid->name, (blanks - list->indent) / (is_narrow ? 2 : 1));
        text_put_span(&grid->name, span_from(text_span(&text), blanks));
    } else if (list->function.has_source && !is_known)
        text_put_string(&grid->name, "(from lines that are not known)");
    grid->label_style = line->is_used ? NULL : STYLE_DIM;
    if (line->callee != TREE_NONE)
        put_callee(grid, list, line, &text);
    text_release(&text);
}

static void put_time(struct grid *grid, const struct list *list, int64_t ns, const char *style)
{
    text_put_string(&grid->cells, amount_time(ns, list->unit, amount_decimals(list->unit)).at);
    grid_end_colored_cell(grid, style);
}

static void put_values(struct grid *grid, const struct list *list, const struct listed_line *line)
{
    int64_t all_ns = report_total_ns(list->report), ns = listed_value_ns(&line->now);
    bool is_expensive = line->is_expensive && !list->is_compared;
    int64_t old_ns = listed_value_ns(&line->old), change_ns = ns - old_ns;
    if (list->function.has_runs)
        grid_put_cell(grid, amount_count(line->now.runs).at);
    if (list->function.has_self)
        put_time(grid, list, line->now.self_ns, "");
    if (list->is_compared)
        put_time(grid, list, old_ns, "");
    put_time(grid, list, ns, is_expensive ? STYLE_RED : "");
    if (list->is_compared)
        put_time(grid, list, change_ns,
                 change_ns > 0   ? STYLE_RED
                 : change_ns < 0 ? STYLE_GREEN
                                 : "");
    else
        grid_put_cell(grid, amount_percent(ns, all_ns).at);
    if (list->has_errors)
        grid_put_cell(grid, line->now.errors > 0 ? amount_count(line->now.errors).at : "");
}

static void put_row(struct grid *grid, const void *of, size_t i)
{
    const struct list *list = of;
    const struct list_row *row = &list->rows[i];
    const struct listed_line *line = &list->function.lines[row->line];
    size_t cells = grid->column_count - 1;
    if (row->folded > 0) {
        for (size_t k = 0; k <= cells; k++)
            grid_end_cell(grid);
        text_printf(&grid->name, "... %zu lines", row->folded);
        grid->label_style = STYLE_DIM;
        return;
    }
    if (line->line > 0 || line->old_line > 0)
        text_put_number(&grid->cells, line->line > 0 ? line->line : line->old_line);
    grid_end_colored_cell(grid, line->is_used ? "" : STYLE_DIM);
    if (line->is_used) {
        bool is_shown = line->now.calls > 0 || line->now.total_ns != 0 || !list->function.has_self;
        grid_put_cell(grid, is_shown ? amount_count(line->now.calls).at : "");
        put_values(grid, list, line);
    } else {
        for (size_t k = 2; k <= cells; k++)
            grid_end_cell(grid);
    }
    text_put_string(&grid->cells, line->is_expensive ? "*" : "");
    grid_end_colored_cell(grid, STYLE_RED);
    put_source(grid, list, line);
}

static void add_columns(struct grid *grid, const struct list *list)
{
    const char *unit = amount_unit_name(list->unit);
    grid_add_column(grid, "line", 0);
    grid_add_column(grid, "calls", list->is_compared ? 1 : 0);
    if (list->function.has_runs)
        grid_add_column(grid, "runs", list->is_compared ? 1 : 0);
    if (list->function.has_self) {
        text_printf(&grid->cells, "self %s", unit);
        grid_add_column(grid, "", list->is_compared ? 1 : 0);
    }
    text_printf(&grid->cells, list->is_compared ? "old %s" : "total %s", unit);
    grid_add_column(grid, "", list->is_compared ? 2 : 0);
    if (list->is_compared) {
        text_printf(&grid->cells, "new %s", unit);
        grid_add_column(grid, "", 0);
    }
    grid_add_column(grid, list->is_compared ? "change" : "total%", list->is_compared ? 0 : 1);
    if (list->has_errors)
        grid_add_column(grid, "errors", 2);
    struct grid_column *flag = grid_add_column(grid, "", 0);
    flag->width = flag->gap = 1;
}

/* Functions -------------------------------------------------------------------------------- */

static void put_why(struct text *text, const struct list *list)
{
    struct text line = {0};
    bool has_source = list->function.has_source;
    text_printf(&line, "  %s: %s",
                has_source ? "old lines are counted from the definition, without the old source (a "
                             "second --lua-root)"
                           : "no source",
                list->function.why.text);
    if (list->function.why.text[0] != '\0' && list->report->has_sources)
        wrap_put_line(text, list->report->width, 4, &line);
    text_release(&line);
}

static void put_function(struct text *text, struct list *list, size_t limit, struct output *out)
{
    const struct report *report = list->report;
    struct grid grid = {.width = report->width,
                        .is_colored = report->is_colored,
                        .indent = 2,
                        .label_title = list->function.has_source ? "source" : "callee"};
    for (size_t i = 0; i < list->function.count; i++)
        list->has_errors |= list->function.lines[i].now.errors > 0;
    measure_indent(list);
    make_rows(list, limit);
    add_columns(&grid, list);
    function_heading_put(text, report, list->function.sums, list->unit);
    put_why(text, list);
    if (list->row_count > 0)
        grid_put_rows(&grid, &(struct grid_rows){list, list->row_count, put_row}, text, out);
    grid_release(&grid);
    text_put_string(text, "\n");
    free(list->is_shown);
    free(list->rows);
}

size_t list_put(struct text *text, struct listing *listing, size_t room, struct output *out)
{
    size_t count = listing->edges.function_count, i = 0;
    /* Lines that are counted stay in the text until then. */
    if (room != SIZE_MAX)
        out = NULL;
    for (; i < count && (i == 0 || room >= HEADING_LINES + ROWS_MIN); i++) {
        size_t before = text->length, limit = room;
        struct list list = {.report = listing->report, .is_compared = listing->report->old != NULL};
        listing_take(listing, i, &list.function);
        list.unit = amount_unit_of(list.report, list.function.sums->total_ns);
        /* The most expensive one leaves room for others. */
        if (room != SIZE_MAX && i + 1 < count)
            limit =
                room / 2 > HEADING_LINES + 2 * ROWS_MIN ? room / 2 : HEADING_LINES + 2 * ROWS_MIN;
        if (room != SIZE_MAX)
            limit = limit > HEADING_LINES + ROWS_MIN ? limit - HEADING_LINES : ROWS_MIN;
        put_function(text, &list, limit, out);
        listed_function_release(&list.function);
        if (room == SIZE_MAX)
            continue;
        size_t used = wrap_count_lines(span_from(text_span(text), before));
        room = room > used ? room - used : 0;
    }
    if (i < count)
        text_printf(text, "... and %s (--rows 0 shows all)\n",
                    amount_things(count - i, "more function", "more functions").at);
    return i;
}

static struct report_result write_list(const struct report *report, struct output *out)
{
    struct listing listing;
    struct text head = {0}, foot = {0}, note = {0};
    listing_init(&listing, report, report->is_listed);
    summary_put_start(&head, report);
    function_heading_put_pattern(&head, report, "List", report->list, listing.edges.function_count);
    if (!report->has_sources)
        text_put_string(&note, "Note: --lua-root=DIR shows the text of these lines\n");
    notes_put_lines(&foot, report->width, &note);
    warnings_put(&foot, report);
    notes_put(&foot, report, UNIT_MS, report->width);
    size_t others = wrap_count_lines(text_span(&head)) + wrap_count_lines(text_span(&foot)) + 2;
    size_t room = report_room(report, others);
    struct report_result result = {
        .count = list_put(&head, &listing, room, out), .one = "function", .many = "functions"};
    output_end_text(out, &head);
    output_end_text(out, &foot);
    listing_release(&listing);
    return result;
}

const struct report_format report_list = {
    .name = "list",
    .summary = "source of the functions that --list matches, with what each line called",
    .uses = USES_UNIT | USES_PROFILE | USES_LINES | USES_LIST | USES_SOURCES | USES_LENGTH |
            SHOWS_COMPARISON,
    .suffixes = {".list", NULL},
    .write = write_list,
};
