#include "report/tables/repeated_tables.h"

#include "report/sentences/amounts.h"

#include <math.h>

/* Values ------------------------------------------------------------------------------------ */

/* The type of the cell is that of the median. */
static void get_value(const struct repeated_summary *value, enum column_aspect aspect,
                      struct cell *cell)
{
    const struct sample_summary *now = &value->now, *old = &value->old;
    const struct sample_shift *shift = &value->shift;
    double estimate = shift->estimate, old_median = fabs(old->median);
    const double numbers[ASPECT_COUNT] = {[ASPECT_NEW] = now->median,
                                          [ASPECT_NEW_SPREAD] = now->spread,
                                          [ASPECT_NEW_MIN] = now->min,
                                          [ASPECT_NEW_MAX] = now->max,
                                          [ASPECT_OLD] = old->median,
                                          [ASPECT_OLD_SPREAD] = old->spread,
                                          [ASPECT_OLD_MIN] = old->min,
                                          [ASPECT_OLD_MAX] = old->max,
                                          [ASPECT_SHIFT] = estimate,
                                          [ASPECT_SHIFT_LOW] = shift->low,
                                          [ASPECT_SHIFT_HIGH] = shift->high,
                                          [ASPECT_SHIFT_PERCENT] =
                                              old_median != 0 ? 100 * estimate / old_median : 0,
                                          [ASPECT_P] = shift->p,
                                          [ASPECT_IS_EXACT] = shift->is_exact,
                                          [ASPECT_TOLD_APART] = shift->is_told_apart};
    bool is_percent = aspect == ASPECT_SHIFT_PERCENT;
    cell->is_known = !is_percent || old_median != 0;
    cell->word = !cell->is_known && now->median != 0 ? "new" : NULL;
    cell->real = numbers[aspect];
    cell->number = is_percent ? 0 : llround(cell->real);
    if (aspect == ASPECT_P)
        cell->type = TYPE_CHANCE;
    else if (aspect == ASPECT_IS_EXACT || aspect == ASPECT_TOLD_APART)
        cell->type = TYPE_FLAG;
}

static void get_mark(const struct repeated_summary *value, struct cell *cell)
{
    cell->is_known = true;
    text_put_string(&cell->text, value->shift.is_told_apart ? "" : "~");
}

/* Totals ------------------------------------------------------------------------------------ */

static const struct column_info total_mark = {.title = "", .type = TYPE_MARK};
static const struct column_info total_name = {.title = "", .name = "total", .type = TYPE_TEXT};
static const struct column_info total_value = {
    .title = "median", .name = "value", .type = TYPE_REAL};
static const struct column_info compared_value = {.title = "", .name = "value", .type = TYPE_REAL};

static void get_total(const struct table *table, size_t row, const struct table_column *column,
                      struct cell *cell)
{
    const struct repeated_tables *repeated = table->of;
    const struct repeated_total_info *info = &repeated_totals[row];
    const struct repeated_summary *value = &repeated->sums.totals[row];
    bool is_ui = repeated->report->profile->rebuild.state == LUA_STATE_UI;
    enum report_unit unit = amount_unit_for((int64_t)fmax(value->now.median, value->old.median));
    if (column->info == &total_mark) {
        get_mark(value, cell);
    } else if (column->info != &total_name) {
        cell->type = info->is_time ? TYPE_SUM : TYPE_REAL;
        cell->unit = info->is_time ? unit : UNIT_AUTO;
        get_value(value, column->aspect, cell);
    } else {
        bool is_for_people = repeated->reader == FOR_PEOPLE;
        cell->is_known = true;
        text_put_string(&cell->text, is_for_people ? info->names[is_ui] : info->key);
        if (is_for_people && info->is_time)
            text_printf(&cell->text, " %s", amount_unit_name(unit));
    }
}

/* Rows -------------------------------------------------------------------------------------- */

static void get_row(const struct table *table, size_t row, const struct table_column *column,
                    struct cell *cell)
{
    struct repeated_tables *repeated = table->of;
    bool is_mark = column->info->type == TYPE_MARK;
    if (!is_mark && row_keys_get(&repeated->keys, column, row, cell))
        return;
    enum column_kind kind =
        is_mark ? repeated->report->show.sort : (enum column_kind)(column->info - column_infos);
    size_t place = repeated_column_place(kind);
    if (repeated->summary_of != row * REPEATED_COLUMNS + place)
        repeated->summary =
            repeated_rows_sum_up(&repeated->sums, repeated->sums.table.rows[row].order, place);
    repeated->summary_of = row * REPEATED_COLUMNS + place;
    if (is_mark) {
        get_mark(&repeated->summary, cell);
        return;
    }
    cell->type = cell->type == TYPE_COUNT ? TYPE_REAL : cell->type;
    get_value(&repeated->summary, column->aspect, cell);
}

/* Columns ----------------------------------------------------------------------------------- */

/* People keep the ends of the interval longest: a spread and a percentage say less. */
static unsigned order_of(enum column_aspect aspect)
{
    switch (aspect) {
    case ASPECT_OLD_SPREAD:
    case ASPECT_NEW_SPREAD:
        return 1;
    case ASPECT_SHIFT_PERCENT:
        return 2;
    case ASPECT_OLD:
        return 3;
    case ASPECT_SHIFT_LOW:
    case ASPECT_SHIFT_HIGH:
        return 4;
    default:
        return 0;
    }
}

static void add_aspects(const struct repeated_tables *repeated, struct table *table,
                        const struct column_info *info, unsigned order)
{
    static const enum column_aspect of_readers[][ASPECT_COUNT] = {
        [FOR_PEOPLE] = {ASPECT_OLD, ASPECT_OLD_SPREAD, ASPECT_NEW, ASPECT_NEW_SPREAD, ASPECT_SHIFT,
                        ASPECT_SHIFT_LOW, ASPECT_SHIFT_HIGH, ASPECT_SHIFT_PERCENT, ASPECT_COUNT},
        [FOR_PROGRAMS] = {ASPECT_OLD, ASPECT_OLD_SPREAD, ASPECT_OLD_MIN, ASPECT_OLD_MAX, ASPECT_NEW,
                          ASPECT_NEW_SPREAD, ASPECT_NEW_MIN, ASPECT_NEW_MAX, ASPECT_SHIFT,
                          ASPECT_SHIFT_LOW, ASPECT_SHIFT_HIGH, ASPECT_P, ASPECT_TOLD_APART,
                          ASPECT_COUNT},
        [FOR_JSON] = {ASPECT_NEW, ASPECT_NEW_SPREAD, ASPECT_NEW_MIN, ASPECT_NEW_MAX, ASPECT_OLD,
                      ASPECT_OLD_SPREAD, ASPECT_OLD_MIN, ASPECT_OLD_MAX, ASPECT_SHIFT,
                      ASPECT_SHIFT_LOW, ASPECT_SHIFT_HIGH, ASPECT_P, ASPECT_IS_EXACT,
                      ASPECT_TOLD_APART, ASPECT_COUNT},
    };
    for (const enum column_aspect *at = of_readers[repeated->reader]; *at != ASPECT_COUNT; at++) {
        bool is_of_new = *at == ASPECT_NEW || (*at >= ASPECT_NEW_SPREAD && *at <= ASPECT_NEW_MAX);
        if (table->is_compared || is_of_new)
            table_add_column(table, info, *at,
                             !table->is_compared && *at == ASPECT_NEW_SPREAD ? order
                                                                             : order_of(*at));
    }
}

static void add_row_columns(struct repeated_tables *repeated)
{
    struct table *table = &repeated->rows;
    const struct report *report = repeated->report;
    enum column_kind sort = report->show.sort;
    if (repeated->reader != FOR_PEOPLE) {
        row_keys_add(table, report->show.by, repeated->reader);
        for (size_t i = 0; i < REPEATED_COLUMNS; i++)
            add_aspects(repeated, table, &column_infos[repeated_columns[i]], 0);
        return;
    }
    if (table->is_compared) {
        add_aspects(repeated, table, &column_infos[sort], 0);
        row_keys_add_one(table, KEY_MARK);
    } else {
        add_aspects(repeated, table, &column_infos[COLUMN_SELF], 2);
        add_aspects(repeated, table, &column_infos[COLUMN_TOTAL], 1);
        add_aspects(repeated, table, &column_infos[sort == COLUMN_AVERAGE ? sort : COLUMN_CALLS],
                    1);
    }
    row_keys_add_one(table, KEY_LABEL);
}

void repeated_tables_init(struct repeated_tables *repeated, const struct report *report,
                          enum table_reader reader)
{
    enum { LABEL_ENOUGH = 20 };
    static const char *const prefixes[] = {"new ", "old ", ""}, *const sides[] = {"new", "old", ""};
    *repeated =
        (struct repeated_tables){.report = report, .reader = reader, .summary_of = SIZE_MAX};
    repeated_rows_init(&repeated->sums, report);
    const struct repeated_summary *time = &repeated->sums.totals[TOTAL_TIME];
    bool is_compared = repeated->sums.old_count > 0;
    repeated->keys = (struct row_keys){.report = report, .sums = &repeated->sums.table};
    repeated->totals = (struct table){
        .row_count = repeated->sums.has_ticks ? TOTAL_KIND_COUNT : TOTAL_TICKS,
        .get = get_total,
        .of = repeated,
        .is_compared = is_compared,
        .has_samples = true,
        .prefixes = is_compared ? sides : NULL,
    };
    repeated->rows = (struct table){
        .row_count = repeated->sums.table.row_count,
        .get = get_row,
        .of = repeated,
        .unit = amount_unit_of(report, (int64_t)fmax(time->now.median, time->old.median)),
        .call_unit = report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit,
        .is_compared = is_compared,
        .has_samples = true,
        .prefixes = is_compared ? prefixes : NULL,
        .by = report->show.by,
        .label_title = table_by_infos[report->show.by].title,
        .label_enough = is_compared ? LABEL_ENOUGH : 0,
    };
    if (is_compared && reader == FOR_PEOPLE)
        table_add_column(&repeated->totals, &total_mark, ASPECT_BOTH, 0);
    if (reader != FOR_JSON)
        table_add_column(&repeated->totals, &total_name, ASPECT_BOTH, 0);
    add_aspects(repeated, &repeated->totals, is_compared ? &compared_value : &total_value, 0);
    add_row_columns(repeated);
}

void repeated_tables_release(struct repeated_tables *repeated)
{
    repeated_rows_release(&repeated->sums);
}
