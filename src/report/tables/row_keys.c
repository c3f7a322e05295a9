#include "report/tables/row_keys.h"

#include "report/figures/flags.h"

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
    table_add_column(table, &keys[kind], ASPECT_BOTH, 0);
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

static void get_key(struct row_keys *of, enum key_kind kind, size_t row, struct cell *cell)
{
    const struct report *report = of->report;
    const struct row_sums *sums = of->sums;
    const struct row *now = row_sums_row(sums, row);
    const struct row_group *group = sums->groups.count > 0 ? &sums->groups.all[now->group] : NULL;
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
        [BY_FUNCTION] = {KEY_INDEX}, [BY_FILE] = {KEY_FILE},
        [BY_MOD] = {KEY_MOD},        [BY_LINE] = {KEY_INDEX, KEY_LINE},
        [BY_STACK] = {KEY_STACK},    [BY_THREAD] = {KEY_INDEX, KEY_THREAD},
    };
    const enum key_kind *kinds = (reader == FOR_JSON ? of_json : of_rows)[by];
    while (*kinds != KEY_LABEL)
        row_keys_add_one(table, *kinds++);
}

bool row_keys_get(struct row_keys *of, const struct table_column *column, size_t row,
                  struct cell *cell)
{
    bool is_key = column->info >= keys && column->info < keys + KEY_COUNT;
    if (is_key)
        get_key(of, (enum key_kind)(column->info - keys), row, cell);
    return is_key;
}
