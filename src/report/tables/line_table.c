#include "report/tables/line_table.h"

#include "base/mem.h"
#include "base/sort.h"
#include "report/sentences/amounts.h"

enum { CALLEE_WIDTH = 24, WIDTH_ROOMY = 100 };

/* Which lines are shown ------------------------------------------------------------------------ */

/* Shows a line; returns how many rows that adds: folded lines beside it may need a row of their
 * own. */
static size_t show(struct line_table *list, size_t line)
{
    if (line >= list->function.count || list->is_shown[line])
        return 0;
    list->is_shown[line] = true;
    bool has_before = line > 0 && !list->is_shown[line - 1];
    bool has_after = line + 1 < list->function.count && !list->is_shown[line + 1];
    return (size_t)has_before + has_after;
}

/* Shows the first line and the last one, and the most expensive ones with those beside them. */
static void choose_lines(struct line_table *list, size_t limit)
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

static void make_rows(struct line_table *list, size_t limit)
{
    size_t count = list->function.count;
    list->is_shown = mem_zeroed(count, sizeof *list->is_shown);
    list->rows = mem_zeroed(count, sizeof *list->rows);
    if (limit == SIZE_MAX)
        memset(list->is_shown, true, count);
    else if (count > 0)
        choose_lines(list, limit);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && !list->is_shown[end];)
            end++;
        bool is_folded = end - i > 1;
        end += end == i;
        list->rows[list->table.row_count++] = (struct line_row){i, is_folded ? end - i : 0};
    }
}

/* Cells ------------------------------------------------------------------------------------ */

static size_t count_blanks(struct span text)
{
    size_t count = 0;
    while (count < text.length && text.at[count] == ' ')
        count++;
    return count;
}

/* Finds the blanks that all lines begin with. */
static void measure_indent(struct line_table *list)
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
static void put_callee(struct cell *cell, const struct line_table *list,
                       const struct listed_line *line, const struct text *text)
{
    const struct labels *labels = list->report->labels;
    const struct label *label = &labels->labels[line->callee];
    const char *name = labels_string(labels, label->name), *dot = strrchr(name, '.');
    bool has_source = list->function.has_source;
    struct text *to = has_source ? &cell->suffix : &cell->text;
    if (has_source && line->callee_count == 1 &&
        strstr(text_string(text), dot != NULL ? dot + 1 : name) != NULL)
        return;
    text_put_string(to, has_source ? "  -> " : "");
    if (strcmp(name, "?") == 0)
        text_put_cut_path(to, labels_text(labels, label->place), CALLEE_WIDTH);
    else
        text_put_cut(to, span_of(name), CALLEE_WIDTH);
}

static bool has_number(const struct listed_line *line)
{
    return line->line > 0 || line->old_line > 0;
}

static void get_source(struct cell *cell, const struct line_table *list,
                       const struct listed_line *line)
{
    struct text text = {0};
    listed_line_put(&text, &list->function, line);
    size_t blanks = count_blanks(text_span(&text));
    if (list->function.is_matched && has_number(line))
        text_put_string(&cell->text, line->old_line == 0 ? "+ " : line->line == 0 ? "- " : "  ");
    if (blanks < text.length) {
        /* Where there is little room, code that is deep inside needs it more than its indentation.
         */
        bool is_narrow = list->report->width > 0 && list->report->width < WIDTH_ROOMY;
        text_put_blanks(&cell->text, (blanks - list->indent) / (is_narrow ? 2 : 1));
        text_put_span(&cell->text, span_from(text_span(&text), blanks));
    } else if (list->function.has_source && !has_number(line))
        text_put_string(&cell->text, "(from lines that are not known)");
    cell->style = line->is_used ? CELL_PLAIN : CELL_DIM;
    if (line->callee != TREE_NONE)
        put_callee(cell, list, line, &text);
    text_release(&text);
}

enum line_column {
    LINE_NUMBER,
    LINE_FUNCTION_LINE,
    LINE_CALLS,
    LINE_RUNS,
    LINE_SELF,
    LINE_TIME,
    LINE_SIDE, /* the same of one side, for people */
    LINE_SHARE,
    LINE_ERRORS,
    LINE_MARK,
    LINE_LABEL,
    LINE_FUNCTION,
    LINE_SOURCE,
    LINE_CALLEE,
    LINE_TEXT,
    LINE_COLUMNS
};

static const struct column_info columns[LINE_COLUMNS] = {
    [LINE_NUMBER] = {.title = "line", .name = "line", .type = TYPE_NUMBER},
    [LINE_FUNCTION_LINE] = {.name = "function_line", .type = TYPE_NUMBER},
    [LINE_CALLS] = {.title = "calls", .name = "calls", .type = TYPE_COUNT, .order = 1},
    [LINE_RUNS] = {.title = "runs", .name = "runs", .type = TYPE_COUNT, .order = 1},
    [LINE_SELF] = {.title = "self", .name = "self_us", .type = TYPE_SUM, .order = 1},
    [LINE_TIME] = {.title = "total", .name = "total_us", .type = TYPE_SUM},
    [LINE_SIDE] = {.title = "", .type = TYPE_SUM},
    [LINE_SHARE] = {.title = "total%", .type = TYPE_PERCENT},
    [LINE_ERRORS] = {.title = "errors", .name = "errors", .type = TYPE_COUNT},
    [LINE_MARK] = {.title = "", .type = TYPE_MARK},
    [LINE_LABEL] = {.type = TYPE_LABEL},
    [LINE_FUNCTION] = {.name = "function", .type = TYPE_TEXT},
    [LINE_SOURCE] = {.name = "source", .type = TYPE_TEXT},
    [LINE_CALLEE] = {.name = "callee", .type = TYPE_TEXT},
    [LINE_TEXT] = {.name = "text", .type = TYPE_TEXT},
};

/* Numbers of lines that were not used are not shown. */
static void get_number(struct cell *cell, const struct line_table *list,
                       const struct listed_line *line, const struct table_column *column)
{
    const struct listed_value *value = column->aspect == ASPECT_OLD ? &line->old : &line->now;
    enum line_column kind = (enum line_column)(column->info - columns);
    int64_t ns = listed_value_ns(value), change_ns = ns - listed_value_ns(&line->old);
    bool is_run = list->function.has_self && line->now.calls == 0 && line->now.total_ns == 0;
    cell->is_known = (kind != LINE_RUNS || list->function.has_runs) &&
                     (kind != LINE_SELF || list->function.has_self);
    cell->number = kind == LINE_CALLS    ? (int64_t)value->calls
                   : kind == LINE_RUNS   ? (int64_t)value->runs
                   : kind == LINE_SELF   ? value->self_ns
                   : kind == LINE_ERRORS ? (int64_t)value->errors
                                         : ns;
    if (column->aspect == ASPECT_DIFFERENCE)
        cell->number = change_ns;
    bool is_empty = (kind == LINE_CALLS && is_run) || (kind == LINE_ERRORS && value->errors == 0);
    cell->word = !line->is_used || is_empty ? "" : NULL;
    if (column->aspect == ASPECT_DIFFERENCE)
        cell->style = change_ns > 0 ? CELL_MUCH : change_ns < 0 ? CELL_LESS : CELL_PLAIN;
    else if (kind == LINE_TIME && line->is_expensive && !list->is_compared)
        cell->style = CELL_MUCH;
}

static void get_text(struct cell *cell, const struct line_table *list,
                     const struct listed_line *line, enum line_column kind)
{
    uint32_t function = list->function.sums->function;
    const struct report *report = list->report;
    if (kind == LINE_LABEL)
        get_source(cell, list, line);
    else if (kind == LINE_MARK)
        text_put_string(&cell->text, line->is_expensive ? "*" : "");
    else if (kind == LINE_TEXT)
        listed_line_put(&cell->text, &list->function, line);
    else if (kind == LINE_CALLEE && line->callee != TREE_NONE)
        cell_put_name(cell, report, line->callee, NAME_FUNCTION);
    else if (kind != LINE_CALLEE)
        cell_put_name(cell, report, function,
                      kind == LINE_FUNCTION ? NAME_FUNCTION
                      : kind == LINE_SOURCE ? NAME_SOURCE
                                            : NAME_LINE);
    cell->is_known = true;
    if (kind == LINE_MARK)
        cell->style = CELL_MUCH;
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct line_table *list = table->of;
    const struct listed_line *line = &list->function.lines[list->rows[row].line];
    enum line_column kind = (enum line_column)(column->info - columns);
    size_t folded = list->rows[row].folded;
    if (folded > 0) {
        cell->word = "";
        cell->style = CELL_DIM;
        if (kind == LINE_LABEL)
            text_printf(&cell->text, "... %zu lines", folded);
    } else if (kind == LINE_NUMBER) {
        cell->is_known = has_number(line);
        cell->word = cell->is_known ? NULL : "";
        cell->number = line->line > 0 ? line->line : line->old_line;
        cell->style = line->is_used ? CELL_PLAIN : CELL_DIM;
    } else if (kind >= LINE_MARK || kind == LINE_FUNCTION_LINE) {
        get_text(cell, list, line, kind);
    } else {
        get_number(cell, list, line, column);
    }
}

/* Columns ---------------------------------------------------------------------------------- */

static void add(struct line_table *list, enum line_column kind, enum column_aspect aspect,
                unsigned order)
{
    table_add_column(&list->table, &columns[kind], aspect, order);
}

static void add_for_people(struct line_table *list)
{
    bool has_errors = false, is_compared = list->is_compared;
    unsigned order = is_compared ? 1 : 0;
    for (size_t i = 0; i < list->function.count; i++)
        has_errors |= list->function.lines[i].now.errors > 0;
    add(list, LINE_NUMBER, ASPECT_BOTH, 0);
    add(list, LINE_CALLS, ASPECT_BOTH, order);
    if (list->function.has_runs)
        add(list, LINE_RUNS, ASPECT_BOTH, order);
    if (list->function.has_self)
        add(list, LINE_SELF, ASPECT_BOTH, order);
    if (is_compared)
        add(list, LINE_SIDE, ASPECT_OLD, 2);
    add(list, is_compared ? LINE_SIDE : LINE_TIME, ASPECT_NEW, 0);
    if (is_compared)
        add(list, LINE_SIDE, ASPECT_DIFFERENCE, 0);
    else
        add(list, LINE_SHARE, ASPECT_BOTH, 1);
    if (has_errors)
        add(list, LINE_ERRORS, ASPECT_BOTH, 2);
    add(list, LINE_MARK, ASPECT_BOTH, 0);
    add(list, LINE_LABEL, ASPECT_BOTH, 0);
}

static void add_for_programs(struct line_table *list)
{
    static const enum line_column values[] = {LINE_CALLS, LINE_RUNS, LINE_SELF, LINE_TIME,
                                              LINE_ERRORS};
    add(list, LINE_FUNCTION, ASPECT_BOTH, 0);
    add(list, LINE_SOURCE, ASPECT_BOTH, 0);
    add(list, LINE_NUMBER, ASPECT_BOTH, 0);
    add(list, LINE_FUNCTION_LINE, ASPECT_BOTH, 0);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (list->is_compared)
            add(list, values[i], ASPECT_OLD, 0);
        add(list, values[i], ASPECT_NEW, 0);
    }
    add(list, LINE_CALLEE, ASPECT_BOTH, 0);
    add(list, LINE_TEXT, ASPECT_BOTH, 0);
}

void line_table_init(struct line_table *list, struct listing *listing, size_t index, size_t limit,
                     enum table_reader reader)
{
    static const char *const prefixes[] = {"new ", "old ", "change "};
    const struct report *report = listing->report;
    *list = (struct line_table){.report = report, .is_compared = report->old != NULL};
    listing_take(listing, index, &list->function);
    list->table = (struct table){
        .get = get,
        .of = list,
        .unit = amount_unit_of(report, list->function.sums->total_ns),
        .all_ns = report_total_ns(report),
        .is_compared = list->is_compared,
        .prefixes = list->is_compared ? prefixes : NULL,
        .label_title = list->function.has_source ? "source" : "callee",
        .indent = 2,
    };
    measure_indent(list);
    make_rows(list, limit == SIZE_MAX && reader == FOR_PEOPLE && !report_shows_all(report)
                        ? SIZE_MAX - 1
                        : limit);
    if (reader == FOR_PEOPLE)
        add_for_people(list);
    else
        add_for_programs(list);
}

void line_table_release(struct line_table *list)
{
    listed_function_release(&list->function);
    MEM_FREE(list->is_shown, list->rows);
}
