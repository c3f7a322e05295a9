#include "report/screen/cell_text.h"
#include "report/sentences/amounts.h"

static void add_usual(struct columns *columns, const struct report *report)
{
    static const enum column_kind kinds[] = {COLUMN_SELF, COLUMN_SELF_PERCENT, COLUMN_TOTAL,
                                             COLUMN_TOTAL_PERCENT, COLUMN_CALLS};
    if (report->old != NULL) {
        columns_add_compared(columns, report->show.sort);
        columns_add(columns, COLUMN_CALLS, ASPECT_OLD);
        columns_add(columns, COLUMN_CALLS, ASPECT_NEW);
        return;
    }
    if (report->show.has_threads) {
        columns_add(columns, COLUMN_TOTAL, ASPECT_NEW);
        columns_add_threads(columns);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        columns_add(columns, kinds[i], ASPECT_NEW);
    if (report->show.by == BY_LINE)
        columns_add_lines(columns, report->tree, false);
}

void cell_texts_init(struct cell_texts *cells, const struct report *report, int64_t longest_ns)
{
    *cells = (struct cell_texts){
        .report = report,
        .table = report_table(report, report->show.by, true),
        .unit = amount_unit_of(report, longest_ns),
    };
    add_usual(&cells->columns, report);
}

enum report_unit cell_unit(const struct report *report, enum column_kind kind,
                           enum report_unit unit)
{
    enum column_type type = column_infos[kind].type;
    if (type == TYPE_CALL)
        return report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit;
    return type == TYPE_SUM ? unit : UNIT_AUTO;
}

void cell_put_unit(struct text *text, const char *title, enum report_unit unit)
{
    text_printf(text, "%s%s%s", title, unit != UNIT_AUTO ? " " : "", amount_unit_name(unit));
}

/* The digits of a number, without the sign of a difference. */
static void put_number(struct text *text, const struct cell_texts *cells, struct column column,
                       int64_t number)
{
    const struct report *report = cells->report;
    enum report_unit unit = cell_unit(cells->report, column.kind, cells->unit);
    int64_t all_ns;
    switch (column_infos[column.kind].type) {
    case TYPE_SUM:
        amount_put_time(text, number, unit, amount_decimals(unit));
        break;
    case TYPE_CALL:
        text_put_string(text, amount_grouped_time(number, unit, amount_decimals(unit)).at);
        break;
    case TYPE_PERCENT:
        all_ns = column.aspect == ASPECT_OLD ? report->old->tree->total_ns[TREE_ROOT]
                                             : report_total_ns(report);
        text_put_string(text, amount_percent(number, all_ns).at);
        break;
    case TYPE_COUNT:
        text_put_string(text, number < 0 ? "-" : "");
        text_put_grouped(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
        break;
    case TYPE_FLAG:
        text_put_string(text, number != 0 ? "yes" : "no");
        break;
    }
}

/* A larger change is told as a factor. */
enum { PERCENT_MAX = 1000 };

static void put_percent_change(struct text *text, enum column_kind kind, const struct row *row,
                               const struct row *old)
{
    double percent;
    if (!row_is_used(old))
        text_put_string(text, "new");
    else if (!row_is_used(row))
        text_put_string(text, "gone");
    else if (columns_are_alike(kind, row, old))
        text_put_string(text, "~");
    else if (!column_percent(kind, row, old, &percent))
        text_put_string(text, "-");
    else if (percent >= PERCENT_MAX)
        text_printf(text, "x %.0f", 1 + percent / 100);
    else
        text_printf(text, percent == 0 ? "0.0%%" : "%+.1f%%", percent);
}

void cell_put_value(struct text *text, const struct cell_texts *cells, struct column column,
                    const struct row *row)
{
    const struct row *old = table_old(&cells->table, row);
    if (column.aspect == ASPECT_PERCENT) {
        put_percent_change(text, column.kind, row, old);
        return;
    }
    struct column_value value = column_value(column, row, old);
    const struct row *counted = column.aspect == ASPECT_OLD ? old : row;
    bool is_of_calls = column.kind == COLUMN_CALLS || column.kind == COLUMN_AVERAGE;
    bool is_before = is_of_calls && column.aspect != ASPECT_DIFFERENCE &&
                     !selection_changes_stacks(cells->report->selection) &&
                     row_began_before(counted);
    bool is_below_one =
        is_of_calls && column.aspect != ASPECT_DIFFERENCE && row_is_below_one_call(counted);
    if (is_below_one && column.kind == COLUMN_CALLS) {
        text_put_string(text, "<1");
        return;
    }
    if (!value.is_known || is_before || is_below_one) {
        text_put_string(text, "-");
        return;
    }
    size_t start = text->length;
    if (column.aspect == ASPECT_DIFFERENCE && value.number > 0)
        text_put_string(text, "+");
    put_number(text, cells, column, value.number);
    text_drop_sign_of_zero(text, start);
}

void cell_put_title(struct text *text, const struct cell_texts *cells, struct column column)
{
    static const char *const aspects[][3] = {[ASPECT_NEW] = {"", "new ", "slow "},
                                             [ASPECT_OLD] = {"", "old ", "other "},
                                             [ASPECT_DIFFERENCE] = {"", "diff ", "diff "}};
    const struct report_old *old = cells->report->old;
    if (column.aspect == ASPECT_PERCENT) {
        text_put_string(text, "diff%");
        return;
    }
    text_put_string(text, aspects[column.aspect][old == NULL ? 0 : old->is_rest ? 2 : 1]);
    cell_put_unit(text, column_infos[column.kind].title,
                  cell_unit(cells->report, column.kind, cells->unit));
}
