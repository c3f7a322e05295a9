/*
 * The callers and callees of the functions that --peek matches, most expensive function first.
 *
 *     recursion.log: 4.000 ms of Lua, 4 calls of 3 functions
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 *       total ms  total%  calls  callers
 *          3.000   75.00      1  A  lua/a.lua:1  from line 2
 *          1.000   25.00      1  C  lua/c.lua:20  from line 21, recursive
 *       total ms  total%  calls  callees
 *          2.000   50.00         (self)
 *          2.000   50.00      1  C  lua/c.lua:20  from line 11
 *
 * The numbers are explained in edges.h. If calls come from several lines of a caller, each
 * line has a row below the row of their sum. A line is always in the caller; among callees
 * that is the function itself.
 */
#include "report/report.h"

#include "report/edges.h"
#include "report/text/report_recording.h"
#include "report/text/report_summary.h"
#include "report/text/wrap.h"
#include "tree/stacks.h"

enum { COLUMN_COUNT = 3, GAP = 2 };

static const char bold[] = "\x1b[1m", dim[] = "\x1b[2m", plain[] = "\x1b[0m";

struct layout {
    const struct report *report;
    struct edges edges;
    enum report_unit unit;
    size_t widths[COLUMN_COUNT]; /* of time, percentage, calls */
    struct text text;            /* of the function being written */
};

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void put_style(struct layout *layout, const char *style)
{
    if (layout->report->is_colored)
        text_put_string(&layout->text, style);
}

static void put_cell(struct text *text, const struct layout *layout, int column, int64_t ns,
                     uint64_t calls)
{
    if (column == 0)
        report_put_time(text, ns, layout->unit, report_decimals(layout->unit));
    else if (column == 1)
        report_put_percent(text, ns, profile_ns(layout->report));
    else if (calls == 0 && !report_is_reduced(layout->report))
        text_put_string(text, "-");
    else
        text_put_grouped(text, calls);
}

static void put_title(struct text *text, const struct layout *layout, int column)
{
    static const char *const titles[COLUMN_COUNT] = {"total ", "total%", "calls"};
    text_put_string(text, titles[column]);
    if (column == 0)
        text_put_string(text, report_unit_name(layout->unit));
}

static void put_right(struct layout *layout, int column, const struct text *cell)
{
    struct span span = text_span(cell);
    for (size_t i = span.length; i < layout->widths[column]; i++)
        text_put_string(&layout->text, " ");
    text_put(&layout->text, span.at, span.length);
    for (int i = 0; i < GAP; i++)
        text_put_string(&layout->text, " ");
}

static void widen(struct layout *layout, int64_t ns, uint64_t calls)
{
    struct text cell = {0};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        cell.length = 0;
        put_cell(&cell, layout, i, ns, calls);
        if (cell.length > layout->widths[i])
            layout->widths[i] = cell.length;
    }
    text_release(&cell);
}

/* Makes columns as wide as the widest cell, so that the columns of all functions are aligned. */
static void measure(struct layout *layout)
{
    const struct edges *edges = &layout->edges;
    struct text title = {0};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        title.length = 0;
        put_title(&title, layout, i);
        layout->widths[i] = title.length;
    }
    text_release(&title);
    for (size_t i = 0; i < edges->function_count; i++)
        widen(layout, edges->functions[i].self_ns, 0);
    for (size_t i = 0; i < edges->caller_count; i++)
        widen(layout, edges->callers[i].total_ns, edges->callers[i].calls);
    for (size_t i = 0; i < edges->callee_count; i++)
        widen(layout, edges->callees[i].total_ns, edges->callees[i].calls);
    for (size_t i = 0; i < edges->line_count; i++)
        widen(layout, edges->lines[i].total_ns, edges->lines[i].calls);
}

static void put_titles(struct layout *layout, const char *title)
{
    struct text cell = {0};
    text_put_string(&layout->text, "  ");
    put_style(layout, bold);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        cell.length = 0;
        put_title(&cell, layout, i);
        put_right(layout, i, &cell);
    }
    text_put_string(&layout->text, title);
    put_style(layout, plain);
    text_put_string(&layout->text, "\n");
    text_release(&cell);
}

static void put_numbers(struct layout *layout, int64_t ns, const uint64_t *calls)
{
    struct text cell = {0};
    text_put_string(&layout->text, "  ");
    for (int i = 0; i < COLUMN_COUNT; i++) {
        cell.length = 0;
        if (i < 2 || calls != NULL)
            put_cell(&cell, layout, i, ns, calls != NULL ? *calls : 0);
        put_right(layout, i, &cell);
    }
    text_release(&cell);
}

/* Appends a function in at most `room` columns; SIZE_MAX: whole. */
static void put_function(struct layout *layout, uint32_t function, const char *style, size_t room)
{
    enum { PLACE_MIN = 12 };
    const struct labels *labels = layout->report->labels;
    if (function == TREE_NONE) {
        text_put_string(&layout->text, "(engine)");
        return;
    }
    const struct label *label = &labels->labels[function];
    struct span name = labels_text(labels, label->name);
    struct span place = labels_text(labels, label->place);
    bool has_place = label->name != label->place;
    size_t name_width = text_width(name), place_width = text_width(place);
    if (has_place && room != SIZE_MAX && name_width + GAP + place_width > room) {
        place_width = place_width < PLACE_MIN ? place_width : PLACE_MIN;
        size_t name_room = room > GAP + place_width ? room - GAP - place_width : 1;
        name_width = name_width < name_room ? name_width : name_room;
    }
    put_style(layout, style);
    text_put_cut(&layout->text, name, has_place || room == SIZE_MAX ? name_width : room);
    if (style[0] != '\0')
        put_style(layout, plain);
    if (!has_place)
        return;
    text_put_blanks(&layout->text, GAP);
    put_style(layout, dim);
    size_t place_room = room > name_width + GAP ? room - name_width - GAP : 1;
    text_put_cut_path(&layout->text, place, place_room);
    put_style(layout, plain);
}

static void put_line(struct text *text, int32_t line)
{
    bool is_known = line != LINE_UNKNOWN && line != LINE_TAIL_CALL;
    text_put_string(text, line < 0 ? "by a tail call " : "");
    text_put_string(text, !is_known  ? "from an unknown line"
                          : line < 0 ? "near line "
                                     : "from line ");
    if (is_known)
        text_put_number(text, line < 0 ? -(int64_t)line : line);
}

/* The columns that are left for a label of a row, before `suffix`. */
static size_t label_room(const struct layout *layout, const struct text *suffix)
{
    size_t width = layout->report->width, used = GAP + suffix->length;
    if (width == 0)
        return SIZE_MAX;
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        used += layout->widths[i] + GAP;
    return width > used + 1 ? width - used : 1;
}

/* Appends the rows of an edge; `has_lines`: the caller's calling lines are known. */
static void put_edge(struct layout *layout, const struct edge *edge, bool has_lines)
{
    const struct edge_line *lines = &layout->edges.lines[edge->first_line];
    struct text suffix = {0};
    bool has_line = has_lines && edge->line_count == 1;
    if (has_line || edge->is_recursive)
        text_put_string(&suffix, "  ");
    if (has_line)
        put_line(&suffix, lines[0].line);
    if (edge->is_recursive)
        text_put_string(&suffix, has_line ? ", recursive" : "recursive");
    put_numbers(layout, edge->total_ns, &edge->calls);
    put_function(layout, edge->function, "", label_room(layout, &suffix));
    text_put(&layout->text, suffix.at, suffix.length);
    text_put_string(&layout->text, "\n");
    text_release(&suffix);
    for (size_t i = 0; i < edge->line_count && has_lines && !has_line; i++) {
        put_numbers(layout, lines[i].total_ns, &lines[i].calls);
        text_put_string(&layout->text, "  ");
        put_line(&layout->text, lines[i].line);
        text_put_string(&layout->text, "\n");
    }
}

/* Only Lua functions have calling lines. */
static bool knows_lines(const struct layout *layout, uint32_t caller)
{
    return caller != TREE_NONE && symbols_is_lua(&layout->report->profile->symbols, caller);
}

static void put_share(struct text *text, const struct layout *layout, const char *what, int64_t ns)
{
    text_put_string(text, what);
    report_put_time(text, ns, layout->unit, report_decimals(layout->unit));
    text_printf(text, " %s (", report_unit_name(layout->unit));
    report_put_percent(text, ns, profile_ns(layout->report));
    text_put_string(text, "%), ");
}

static void put_call_count(struct text *text, const struct layout *layout,
                           const struct edge_function *function)
{
    const struct label *label = &layout->report->labels->labels[function->function];
    if (function->calls > 0 || report_is_reduced(layout->report))
        report_put_count(text, function->calls, "call", "calls");
    else if (label->name == label->place)
        text_put_string(text, "no calls of its own");
    else
        text_printf(text, "no calls: %s", recording_no_calls_reason(layout->report));
}

static void put_peeked(struct layout *layout, const struct edge_function *function)
{
    const struct edges *edges = &layout->edges;
    const struct wrap wrap = {.width = layout->report->width, .indent = 4};
    struct text sums = {0};
    size_t width = layout->report->width;
    put_function(layout, function->function, bold, width != 0 ? width : SIZE_MAX);
    text_put_string(&layout->text, "\n");
    put_share(&sums, layout, "  self ", function->self_ns);
    put_share(&sums, layout, "total ", function->total_ns);
    put_call_count(&sums, layout, function);
    text_put_string(&sums, function->is_recursive ? ", recursive" : "");
    wrap_put(&layout->text, &wrap, text_span(&sums));
    text_release(&sums);

    put_titles(layout, "callers");
    for (size_t i = 0; i < function->caller_count; i++) {
        const struct edge *edge = &edges->callers[function->first_caller + i];
        put_edge(layout, edge, knows_lines(layout, edge->function));
    }
    put_titles(layout, "callees");
    put_numbers(layout, function->self_ns, NULL);
    text_put_string(&layout->text, "(self)\n");
    for (size_t i = 0; i < function->callee_count; i++)
        put_edge(layout, &edges->callees[function->first_callee + i],
                 knows_lines(layout, function->function));
    text_put_string(&layout->text, "\n");
}

static void flush(struct layout *layout, struct output *out)
{
    output_put(out, layout->text.at, layout->text.length);
    layout->text.length = 0;
}

static void put_pattern(struct layout *layout)
{
    const struct report *report = layout->report;
    const struct wrap wrap = {.width = report->width, .indent = 6};
    struct text line = {0};
    text_put_string(&line, "Peek: '");
    text_put_clean(&line, pattern_text(report->peek), false);
    text_put_string(&line, "' matches ");
    report_put_count(&line, layout->edges.function_count, "function", "functions");
    wrap_put(&layout->text, &wrap, text_span(&line));
    text_put_string(&layout->text, "\n");
    text_release(&line);
}

static struct report_result write_peek(const struct report *report, struct output *out)
{
    struct layout layout = {.report = report};
    layout.unit = report->unit == UNIT_AUTO ? report_unit_for(profile_ns(report)) : report->unit;
    edges_init(&layout.edges, report->tree, report->labels, report->is_peeked,
               report->profile->symbols.function_count);
    measure(&layout);
    summary_put_start(&layout.text, report);
    put_pattern(&layout);
    flush(&layout, out);
    for (size_t i = 0; i < layout.edges.function_count; i++) {
        put_peeked(&layout, &layout.edges.functions[i]);
        flush(&layout, out);
    }
    summary_put_notes(&layout.text, report, layout.unit, report->width);
    flush(&layout, out);
    text_release(&layout.text);
    size_t count = layout.edges.function_count;
    edges_release(&layout.edges);
    return (struct report_result){.count = count, .one = "function", .many = "functions"};
}

const struct report_format report_peek = {
    .name = "peek",
    .summary = "callers and callees of the functions that --peek matches",
    .manual =
        "Callers and callees of the functions that {--peek} matches; see {Sx CALLERS AND CALLEES}.",
    .uses = USES_UNIT | USES_PROFILE,
    .suffixes = {".peek", NULL},
    .uses_lines = true,
    .write = write_peek,
};
