#include "report/tables/function_table.h"

#include "report/figures/flags.h"
#include "report/sentences/amounts.h"

/* Columns that name a row ------------------------------------------------------------------- */

enum key_kind {
    KEY_LABEL,
    KEY_MARK,
    KEY_FUNCTION,
    KEY_CALLER,
    KEY_SOURCE,
    KEY_LINE,
    KEY_CALLER_LINE,
    KEY_THREAD,
    KEY_FILE,
    KEY_MOD,
    KEY_STACK,
    KEY_WITHIN_NOISE,
    KEY_COUNT
};

static const struct column_info keys[KEY_COUNT] = {
    [KEY_LABEL] = {.type = TYPE_LABEL},
    [KEY_MARK] = {.title = "", .type = TYPE_MARK},
    [KEY_FUNCTION] = {.name = "function", .type = TYPE_TEXT},
    [KEY_CALLER] = {.name = "caller", .type = TYPE_TEXT},
    [KEY_SOURCE] = {.name = "source", .type = TYPE_TEXT},
    [KEY_LINE] = {.name = "line", .type = TYPE_NUMBER},
    [KEY_CALLER_LINE] = {.name = "caller_line", .type = TYPE_NUMBER},
    [KEY_THREAD] = {.name = "thread", .type = TYPE_TEXT},
    [KEY_FILE] = {.name = "file", .type = TYPE_TEXT},
    [KEY_MOD] = {.name = "mod", .type = TYPE_TEXT},
    [KEY_STACK] = {.name = "stack", .type = TYPE_TEXT},
    [KEY_WITHIN_NOISE] = {.name = "within_noise", .type = TYPE_FLAG},
};

static void add_key(struct table *table, enum key_kind kind)
{
    table_add_column(table, &keys[kind], ASPECT_BOTH, 0);
}

/* Rows are usually asked for in turn. */
static void get_stack(struct function_table *functions, size_t row, struct text *text)
{
    const struct row_sums *sums = &functions->sums;
    bool call_sites = functions->report->show.call_sites;
    if (row != functions->next_row) {
        stack_put(text, sums->tree, functions->report->labels, sums->rows[row].group, call_sites);
        return;
    }
    if (row == 0)
        stacks_in_turn_init(&functions->stacks, sums);
    stacks_in_turn_put(&functions->stacks, text, call_sites);
    functions->next_row++;
}

/* The name of the row's function; a line is that of its definition, or of a call in it. */
static void get_name(const struct function_table *functions, enum key_kind kind,
                     const struct row_group *group, struct cell *cell)
{
    enum name_part part = kind == KEY_SOURCE                            ? NAME_SOURCE
                          : kind == KEY_LINE || kind == KEY_CALLER_LINE ? NAME_LINE
                                                                        : NAME_FUNCTION;
    cell_put_name(cell, functions->report, group->function, part);
    if (kind == KEY_LINE && functions->sums.by == BY_LINE && group->function != TREE_NONE)
        cell->number = group->line;
}

static void get_key(struct function_table *functions, enum key_kind kind, size_t row,
                    struct cell *cell)
{
    const struct report *report = functions->report;
    const struct row_sums *sums = &functions->sums;
    const struct row *now = &sums->rows[row];
    const struct row_group *group = &sums->groups.all[sums->by == BY_STACK ? 0 : now->group];
    cell->is_known = true;
    if (kind == KEY_LABEL) {
        row_label_put(&cell->text, &cell->place, sums, now, report->show.call_sites);
    } else if (kind == KEY_MARK) {
        text_put_string(&cell->text, flag_infos[flag_of_row(report, sums, now)].sign);
    } else if (kind == KEY_WITHIN_NOISE) {
        const struct row *old = row_sums_old(sums, now);
        cell->is_known = rows_have_noise(now, old);
        cell->number = row_is_alike(now, old);
    } else if (kind == KEY_STACK) {
        get_stack(functions, row, &cell->text);
    } else if (kind == KEY_FILE || kind == KEY_MOD) {
        text_put_span(&cell->text, labels_text(report->labels, group->text));
    } else if (kind == KEY_THREAD) {
        text_put_string(&cell->text, threads_name(group->flags));
    } else {
        get_name(functions, kind, group, cell);
    }
}

/* Values ------------------------------------------------------------------------------------ */

static void get_percent(enum column_kind kind, const struct row *row, const struct row *old,
                        struct cell *cell)
{
    cell->is_known = column_percent(kind, row, old, &cell->real);
    if (!row_is_used(old))
        cell->word = "new";
    else if (!row_is_used(row))
        cell->word = "gone";
    else if (columns_are_alike(kind, row, old))
        cell->word = "~";
}

/* Expensive rows stand out; in a comparison, what has changed. */
static enum cell_style style_of(const struct function_table *functions, struct column column,
                                const struct row *row, const struct row *old,
                                struct column_value value)
{
    int64_t all_ns = functions->table.all_ns;
    if (column.aspect == ASPECT_DIFFERENCE) {
        bool is_alike = row_is_alike(row, old) || !value.is_known;
        return is_alike || value.number == 0 ? CELL_PLAIN
               : value.number > 0            ? CELL_MUCH
                                             : CELL_LESS;
    }
    if (column.kind != COLUMN_SELF_PERCENT || column.aspect != ASPECT_NEW || all_ns <= 0)
        return CELL_PLAIN;
    return row->self_ns >= all_ns / 10   ? CELL_MUCH
           : row->self_ns >= all_ns / 50 ? CELL_SOME
                                         : CELL_PLAIN;
}

static void get_value(const struct function_table *functions, struct column column,
                      const struct row *row, struct cell *cell)
{
    const struct row *old = row_sums_old(&functions->sums, row);
    const struct row *counted = column.aspect == ASPECT_OLD ? old : row;
    if (column.aspect == ASPECT_PERCENT) {
        get_percent(column.kind, row, old, cell);
        return;
    }
    struct column_value value = column_value(column, row, old);
    cell->is_known = value.is_known;
    cell->number = value.number;
    cell->style = style_of(functions, column, row, old, value);
    bool is_of_calls = column.kind == COLUMN_CALLS || column.kind == COLUMN_AVERAGE;
    if (!is_of_calls || column.aspect == ASPECT_DIFFERENCE)
        return;
    if (row_is_below_one_call(counted))
        cell->word = column.kind == COLUMN_CALLS ? "<1" : "-";
    else if (row_began_before(counted) && !selection_changes_stacks(functions->report->selection))
        cell->word = "-";
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    struct function_table *functions = table->of;
    if (column->info >= keys && column->info < keys + KEY_COUNT)
        get_key(functions, (enum key_kind)(column->info - keys), row, cell);
    else
        get_value(functions,
                  (struct column){(enum column_kind)(column->info - column_infos), column->aspect},
                  &functions->sums.rows[row], cell);
}

/* Columns ----------------------------------------------------------------------------------- */

static bool has_lines(const struct report *report)
{
    return report->show.by == BY_LINE && report->tree->lines != NULL;
}

static void choose_for_people(struct columns *columns, const struct report *report)
{
    enum column_kind sort = report->show.sort;
    if (report->old != NULL) {
        columns_add_compared(columns, sort);
        columns_add(columns, COLUMN_CALLS, ASPECT_OLD);
        columns_add(columns, COLUMN_CALLS, ASPECT_NEW);
        return;
    }
    columns_add_usual(columns, report->show.has_threads ? LIST_PEOPLE_THREADS : LIST_PEOPLE,
                      has_lines(report), report->show.has_threads, false);
    size_t usual_count = columns->count;
    columns_add(columns, sort, ASPECT_NEW);
    if (columns->count == usual_count && !report->show.has_threads)
        columns_add(columns, COLUMN_AVERAGE, ASPECT_NEW);
}

/* Those that were asked for are left out from the last one on. */
static unsigned order_of(const struct report *report, const struct columns *columns, size_t i)
{
    struct column column = columns->list[i];
    if (report->show.columns.count > 0)
        return i == 0 ? 0 : (unsigned)(columns->count - i);
    if (column.kind == report->show.sort)
        return column.aspect == ASPECT_OLD ? 3 : 0;
    if (report->old != NULL)
        return column.aspect == ASPECT_OLD ? 1 : 2;
    return column_infos[column.kind].order;
}

static void add_keys(struct table *table, enum table_by by)
{
    static const enum key_kind of_rows[][KEY_COUNT] = {
        [BY_FUNCTION] = {KEY_FUNCTION, KEY_SOURCE, KEY_LINE},
        [BY_FILE] = {KEY_FILE},
        [BY_MOD] = {KEY_MOD},
        [BY_LINE] = {KEY_CALLER, KEY_SOURCE, KEY_LINE, KEY_CALLER_LINE},
        [BY_STACK] = {KEY_STACK},
        [BY_THREAD] = {KEY_FUNCTION, KEY_SOURCE, KEY_LINE, KEY_THREAD},
    };
    for (size_t i = 0; of_rows[by][i] != KEY_LABEL; i++)
        add_key(table, of_rows[by][i]);
}

static void add_columns(struct function_table *functions, enum table_reader reader)
{
    const struct report *report = functions->report;
    struct table *table = &functions->table;
    struct columns columns = report->show.columns;
    enum column_list csv = report->show.by == BY_STACK ? LIST_CSV_STACKS : LIST_CSV;
    if (columns.count == 0 && reader == FOR_PEOPLE)
        choose_for_people(&columns, report);
    else if (columns.count == 0)
        columns_add_usual(&columns, csv, has_lines(report), report->show.has_threads,
                          report->old != NULL);
    if (reader == FOR_PROGRAMS)
        add_keys(table, report->show.by);
    for (size_t i = 0; i < columns.count; i++)
        table_add_column(table, &column_infos[columns.list[i].kind], columns.list[i].aspect,
                         order_of(report, &columns, i));
    if (reader == FOR_PROGRAMS && report->old != NULL)
        add_key(table, KEY_WITHIN_NOISE);
    if (reader == FOR_PEOPLE && flags_are_possible(report))
        add_key(table, KEY_MARK);
    if (reader == FOR_PEOPLE)
        add_key(table, KEY_LABEL);
}

void function_table_init(struct function_table *functions, const struct report *report,
                         enum table_reader reader)
{
    static const char *const prefixes[][3] = {{"new ", "old ", "diff "},
                                              {"slow ", "other ", "diff "}};
    enum { NAME_WIDTH_MAX = 32, NAME_WIDTH_MIN = 16, LABEL_WANTED = 32 };
    const struct report_old *old = report->old;
    size_t quarter = report->width / 4;
    *functions = (struct function_table){.report = report};
    functions->sums = report_rows(report, report->show.by);
    functions->table = (struct table){
        .row_count = functions->sums.row_count,
        .get = get,
        .of = functions,
        .unit = amount_unit_of(report, report_total_ns(report)),
        .call_unit = report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit,
        .all_ns = report_total_ns(report),
        .old_all_ns = old != NULL ? old->tree->total_ns[TREE_ROOT] : 0,
        .is_compared = old != NULL,
        .prefixes = old != NULL ? prefixes[old->is_rest] : NULL,
        .by = report->show.by,
        .label_title = table_by_infos[report->show.by].title,
        .label_wanted = LABEL_WANTED,
        .name_width_max = report->width == 0         ? NAME_WIDTH_MAX
                          : quarter > NAME_WIDTH_MIN ? quarter
                                                     : NAME_WIDTH_MIN,
        .made_of = report->show.by == BY_STACK ? report->labels : NULL,
    };
    add_columns(functions, reader);
}

void function_table_release(struct function_table *functions)
{
    row_sums_release(&functions->sums);
}
