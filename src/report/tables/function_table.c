#include "report/tables/function_table.h"

#include "report/figures/flags.h"
#include "report/sentences/amounts.h"

static const struct column_info keys[KEY_COUNT] = {
    [KEY_LABEL] = {.type = TYPE_LABEL},
    [KEY_MARK] = {.title = "", .type = TYPE_MARK},
    [KEY_FUNCTION] = {.name = "function", .type = TYPE_TEXT},
    [KEY_INDEX] = {.name = "function", .type = TYPE_FUNCTION},
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

void row_keys_add_one(struct table *table, enum key_kind kind)
{
    table_add(table, &keys[kind]);
}

/* Appends "[1]" if a finding of that number is about the row. */
static void put_numbers(const struct row_keys *of, const struct row_group *group, struct text *text)
{
    for (size_t i = 0; i < of->numbered_count && of->sums->by == BY_FUNCTION; i++)
        if (group->function != TREE_NONE && of->numbered[i] == group->function)
            text_printf(text, "%s[%zu]", text->length > 0 ? " " : "  ", i + 1);
}

/* The name of the row's function; a line is that of its definition, or of a call in it. */
static void get_name(const struct row_keys *of, enum key_kind kind, const struct row_group *group,
                     struct cell *cell)
{
    enum name_part part = kind == KEY_SOURCE                            ? NAME_SOURCE
                          : kind == KEY_LINE || kind == KEY_CALLER_LINE ? NAME_LINE
                                                                        : NAME_FUNCTION;
    cell_put_name(cell, of->report, group->function, part);
    if (kind == KEY_LINE && of->sums->by == BY_LINE && group->function != TREE_NONE)
        cell->number = group->line;
}

bool row_keys_get(struct row_keys *of, const struct table_column *column, size_t row,
                  struct cell *cell)
{
    if (column->info < keys || column->info >= keys + KEY_COUNT)
        return false;
    enum key_kind kind = (enum key_kind)(column->info - keys);
    const struct report *report = of->report;
    const struct row_sums *sums = of->sums;
    const struct row *now = row_sums_row(sums, row);
    const struct row_group *group = sums->groups.count > 0 ? &sums->groups.all[now->group] : NULL;
    cell->is_known = true;
    if (kind == KEY_LABEL) {
        row_label_put(&cell->text, &cell->place, sums, now, report->show.call_sites);
        put_numbers(of, group, &cell->suffix);
    } else if (kind == KEY_MARK) {
        text_put_string(&cell->text, flag_infos[flag_of_row(report, sums, now)].sign);
    } else if (kind == KEY_WITHIN_NOISE) {
        const struct row *old = row_sums_old(sums, now);
        cell->is_known = rows_have_noise(now, old);
        cell->number = row_is_alike(now, old);
    } else if (kind == KEY_STACK) {
        stack_put(&cell->text, sums->tree, report->labels, now->group, report->show.call_sites);
    } else if (kind == KEY_FILE || kind == KEY_MOD) {
        text_put_span(&cell->text, labels_text(report->labels, group->text));
    } else if (kind == KEY_INDEX) {
        cell->is_known = group->function != TREE_NONE;
        cell->number = group->function;
    } else if (kind == KEY_THREAD) {
        text_put_string(&cell->text, threads_name(group->flags));
    } else {
        get_name(of, kind, group, cell);
    }
    return true;
}

void row_keys_add(struct table *table, enum table_by by, enum table_reader reader)
{
    static const enum key_kind of_rows[][KEY_COUNT] = {
        [BY_FUNCTION] = {KEY_FUNCTION, KEY_SOURCE, KEY_LINE},
        [BY_FILE] = {KEY_FILE},
        [BY_MOD] = {KEY_MOD},
        [BY_LINE] = {KEY_CALLER, KEY_SOURCE, KEY_LINE, KEY_CALLER_LINE},
        [BY_STACK] = {KEY_STACK},
        [BY_THREAD] = {KEY_FUNCTION, KEY_SOURCE, KEY_LINE, KEY_THREAD},
    };
    static const enum key_kind of_json[][KEY_COUNT] = {
        [BY_FUNCTION] = {KEY_INDEX},
        [BY_FILE] = {KEY_FILE},
        [BY_MOD] = {KEY_MOD},
        [BY_LINE] = {KEY_INDEX, KEY_LINE},
        [BY_STACK] = {KEY_STACK},
        [BY_THREAD] = {KEY_INDEX, KEY_THREAD},
    };
    const enum key_kind *kinds = (reader == FOR_JSON ? of_json : of_rows)[by];
    while (*kinds != KEY_LABEL)
        row_keys_add_one(table, *kinds++);
}

static void get_percent(enum column_kind kind, const struct row *row, const struct row *old,
                        struct cell *cell)
{
    cell->is_known = column_percent(kind, row, old, &cell->real);
    bool is_in_any = row_is_used(row) || row_is_used(old);
    if (is_in_any && !row_is_used(old))
        cell->word = "new";
    else if (is_in_any && !row_is_used(row))
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
    return row->sum.self_ns >= all_ns / 10   ? CELL_MUCH
           : row->sum.self_ns >= all_ns / 50 ? CELL_SOME
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
    bool lacks_memory = (column.aspect != ASPECT_OLD && !functions->has_memory) ||
                        (column.aspect != ASPECT_NEW && !functions->old_has_memory);
    cell->is_known =
        value.is_known && (column_infos[column.kind].needs != NEEDS_MEMORY || !lacks_memory);
    cell->number = value.number;
    if (!functions->is_for_people)
        return;
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
    if (!row_keys_get(&functions->keys, column, row, cell))
        get_value(functions,
                  (struct column){(enum column_kind)(column->info - column_infos), column->aspect},
                  row_sums_row(&functions->sums, row),
                  cell);
}

/* Columns ----------------------------------------------------------------------------------- */

static bool trees_have_errors(const struct tree *tree, const struct tree *old_tree)
{
    return tree->details != NULL || (old_tree != NULL && old_tree->details != NULL);
}

/* What the rows have, as columns_add_usual() wants it. People see errors where all are estimates.
 */
static unsigned has(const struct report *report, enum table_reader reader)
{
    bool has_lines = report->show.by == BY_LINE && report->tree->lines != NULL;
    bool has_errors =
        reader == FOR_PROGRAMS
            ? trees_have_errors(report->tree, report->old != NULL ? report->old->tree : NULL)
            : report->tree->samples != NULL;
    return (has_lines ? 1u << NEEDS_LINES : 0) |
           (report->show.has_threads ? 1u << NEEDS_THREADS : 0) |
           (has_errors ? 1u << NEEDS_ERRORS : 0);
}

static void choose_for_people(struct columns *columns, const struct report *report)
{
    enum column_kind sort = report->show.sort;
    if (report->has_no_times) {
        columns_add(columns, COLUMN_CALLS, ASPECT_NEW);
        return;
    }
    if (report->old != NULL) {
        columns_add_compared(columns, sort);
        columns_add(columns, COLUMN_CALLS, ASPECT_OLD);
        columns_add(columns, COLUMN_CALLS, ASPECT_NEW);
        return;
    }
    columns_add_usual(columns,
                      report->show.has_threads ? LIST_PEOPLE_THREADS : LIST_PEOPLE,
                      has(report, FOR_PEOPLE),
                      false);
    size_t usual_count = columns->count;
    columns_add(columns, sort, ASPECT_NEW);
    if (columns->count == usual_count && !report->show.has_threads)
        columns_add(columns, COLUMN_AVERAGE, ASPECT_NEW);
}

/* Not sum%, which depends on the order of the rows. */
void function_table_add_json(struct table *table, enum column_aspect aspect, bool are_threads,
                             unsigned has)
{
    const unsigned ASKED = 1u << NEEDS_LINES | 1u << NEEDS_ERRORS;
    for (int kind = 0; kind < column_count; kind++) {
        enum column_needs needs = column_infos[kind].needs;
        if (kind != COLUMN_SUM_PERCENT && (needs == NEEDS_THREADS) == are_threads &&
            (1u << needs & ASKED & ~has) == 0)
            table_add_column(table, &column_infos[kind], aspect, 0);
    }
}

static void add_for_json(struct function_table *functions)
{
    const struct row_sums *sums = &functions->sums;
    struct table *table = &functions->table;
    const struct tree *old_tree = sums->old_tree;
    bool has_lines = sums->lines != NULL || sums->old_lines != NULL;
    bool has_errors = trees_have_errors(sums->tree, old_tree);
    unsigned has = (has_lines ? 1u << NEEDS_LINES : 0) | (has_errors ? 1u << NEEDS_ERRORS : 0);
    if (sums->by != BY_FUNCTION)
        row_keys_add(table, sums->by, FOR_JSON);
    function_table_add_json(table, ASPECT_NEW, false, has);
    if (table->is_compared) {
        function_table_add_json(table, ASPECT_OLD, false, has);
        row_keys_add_one(table, KEY_WITHIN_NOISE);
    }
    if (sums->by != BY_FUNCTION && functions->report->show.has_threads)
        function_table_add_json(table, ASPECT_NEW, true, 0);
}

/* By which column a narrow terminal shows the order of the rows: a share, if there is one. The
 * table of threads has none. */
static enum column_kind kept_column(const struct report *report)
{
    enum column_kind sort = report->show.sort;
    bool has_share =
        report->old == NULL && !report->show.has_threads && tree_share_ns(report->tree) > 0;
    if (has_share && sort == COLUMN_SELF)
        return COLUMN_SELF_PERCENT;
    return has_share && sort == COLUMN_TOTAL ? COLUMN_TOTAL_PERCENT : sort;
}

/* Those that were asked for are left out from the last one on. */
static unsigned order_of(const struct report *report, const struct columns *columns, size_t i)
{
    struct column column = columns->list[i];
    if (report->show.columns.count > 0)
        return i == 0 ? 0 : (unsigned)(columns->count - i);
    if (column.kind == kept_column(report))
        return column.aspect == ASPECT_OLD ? 3 : 0;
    if (report->old != NULL)
        return column.aspect == ASPECT_OLD ? 1 : 2;
    return column_infos[column.kind].order;
}

static void add_columns(struct function_table *functions, enum table_reader reader)
{
    const struct report *report = functions->report;
    struct table *table = &functions->table;
    struct columns columns = report->show.columns;
    enum column_list csv = report->show.by == BY_STACK ? LIST_CSV_STACKS : LIST_CSV;
    if (reader == FOR_PAGE) {
        columns.count = 0;
        columns_add_usual(&columns,
                          report->show.has_threads ? LIST_PEOPLE_THREADS : LIST_PAGE,
                          has(report, FOR_PAGE),
                          false);
        row_keys_add(table, report->show.has_threads ? BY_FUNCTION : report->show.by, FOR_JSON);
    } else if (columns.count == 0 && reader == FOR_PEOPLE)
        choose_for_people(&columns, report);
    else if (columns.count == 0)
        columns_add_usual(&columns, csv, has(report, FOR_PROGRAMS), report->old != NULL);
    if (reader == FOR_PROGRAMS)
        row_keys_add(table, report->show.by, reader);
    for (size_t i = 0; i < columns.count; i++)
        table_add_column(table,
                         &column_infos[columns.list[i].kind],
                         columns.list[i].aspect,
                         reader != FOR_PROGRAMS ? order_of(report, &columns, i) : 0);
    if (reader == FOR_PROGRAMS && report->old != NULL)
        row_keys_add_one(table, KEY_WITHIN_NOISE);
    if (reader == FOR_PEOPLE && flags_are_possible(report))
        row_keys_add_one(table, KEY_MARK);
    if (reader == FOR_PEOPLE)
        row_keys_add_one(table, KEY_LABEL);
}

/* For people, by which total time alone tells rows apart, too. */
static bool shows_total_errors(const struct report *report, enum table_reader reader)
{
    bool is_asked = reader != FOR_PEOPLE || report->show.sort == COLUMN_TOTAL;
    for (size_t i = 0; i < report->show.columns.count; i++)
        is_asked |= report->show.columns.list[i].kind == COLUMN_TOTAL_ERROR;
    return is_asked;
}

void function_table_init(struct function_table *functions, const struct report *report,
                         enum table_by by, enum table_reader reader)
{
    static const char *const prefixes[][3] = {{"new ", "old ", "diff "},
                                              {"slow ", "other ", "diff "}};
    enum { NAME_WIDTH_MAX = 32, NAME_WIDTH_MIN = 16, LABEL_WANTED = 32 };
    const struct report *old = report->old;
    size_t quarter = report->width / 4;
    *functions = (struct function_table){.report = report, .is_for_people = reader == FOR_PEOPLE};
    functions->has_memory = report->profile->has_memory;
    functions->old_has_memory = old != NULL && old->profile->has_memory;
    functions->sums = report_rows(report, by, shows_total_errors(report, reader));
    functions->keys = (struct row_keys){.report = report, .sums = &functions->sums};
    functions->table = (struct table){
        .row_count = functions->sums.row_count,
        .get = get,
        .of = functions,
        .unit = amount_unit_of(report, report_total_ns(report)),
        .call_unit = report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit,
        .all_ns = tree_share_ns(report->tree),
        .old_all_ns = old != NULL ? tree_share_ns(old->tree) : 0,
        .ticks = tick_list_game_count(&report->profile->ticks),
        .old_ticks = old != NULL ? tick_list_game_count(&old->profile->ticks) : 0,
        .is_compared = old != NULL && reader != FOR_PAGE,
        .is_estimate = amount_is_about(report),
        .prefixes = old != NULL && reader != FOR_PAGE ? prefixes[old->is_rest] : NULL,
        .by = by,
        .label_title = table_by_infos[by].title,
        .label_wanted = LABEL_WANTED,
        /* A path loses its folders before a column goes; a stack is nothing without its frames. */
        .label_enough = by == BY_STACK ? 0 : report->width / 2,
        .name_width_max = report->width == 0         ? NAME_WIDTH_MAX
                          : quarter > NAME_WIDTH_MIN ? quarter
                                                     : NAME_WIDTH_MIN,
    };
    if (reader == FOR_JSON)
        add_for_json(functions);
    else
        add_columns(functions, reader);
}

void function_table_release(struct function_table *functions)
{
    row_sums_release(&functions->sums);
}
