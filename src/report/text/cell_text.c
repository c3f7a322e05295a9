#include "report/text/cell_text.h"

static void put_time(struct text *text, const struct cell_texts *cells, enum column_type type,
                     int64_t ns)
{
    if (type == TYPE_SUM)
        report_put_time(text, ns, cells->unit, report_decimals(cells->unit));
    else
        report_put_grouped_time(text, ns, cells->average_unit,
                                report_decimals(cells->average_unit));
}

/* The digits of a number, without the sign of a difference. */
static void put_number(struct text *text, const struct cell_texts *cells, struct column column,
                       int64_t number)
{
    const struct report *report = cells->report;
    const struct report_old *old = report->old;
    enum column_type type = column_infos[column.kind].type;
    switch (type) {
    case TYPE_SUM:
    case TYPE_CALL:
        put_time(text, cells, type, number);
        break;
    case TYPE_PERCENT:
        report_put_percent(text, number,
                           column.aspect == ASPECT_OLD ? old->tree->total_ns[TREE_ROOT]
                                                       : report->tree->total_ns[TREE_ROOT]);
        break;
    case TYPE_COUNT:
        if (number < 0)
            text_put_string(text, "-");
        text_put_grouped(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
        break;
    case TYPE_FLAG:
        text_put_string(text, number != 0 ? "yes" : "no");
        break;
    }
}

static void put_percent_change(struct text *text, enum column_kind kind, const struct row *row,
                               const struct row *old)
{
    double percent;
    if (!row_is_used(old)) {
        text_put_string(text, "new");
    } else if (!row_is_used(row)) {
        text_put_string(text, "gone");
    } else if (columns_are_alike(kind, row, old)) {
        text_put_string(text, "~");
    } else if (column_percent(kind, row, old, &percent)) {
        text_printf(text, percent == 0 ? "0.0%%" : "%+.1f%%", percent);
    } else {
        text_put_string(text, "-");
    }
}

void cell_put_value(struct text *text, const struct cell_texts *cells, struct column column,
                    const struct row *row)
{
    const struct row *old = table_old(cells->table, row);
    if (column.aspect == ASPECT_PERCENT) {
        put_percent_change(text, column.kind, row, old);
        return;
    }
    struct column_value value = column_value(column, row, old);
    const struct row *counted = column.aspect == ASPECT_OLD ? old : row;
    bool is_of_calls = column.kind == COLUMN_CALLS || column.kind == COLUMN_AVERAGE;
    bool is_before = is_of_calls && column.aspect != ASPECT_DIFFERENCE &&
                     !report_is_reduced(cells->report) && row_began_before(counted);
    if (!value.is_known || is_before) {
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
    static const char *const aspects[] = {
        [ASPECT_NEW] = "new ", [ASPECT_OLD] = "old ", [ASPECT_DIFFERENCE] = "diff "};
    enum column_type type = column_infos[column.kind].type;
    if (column.aspect == ASPECT_PERCENT) {
        text_put_string(text, "diff%");
        return;
    }
    if (cells->report->old != NULL)
        text_put_string(text, aspects[column.aspect]);
    text_put_string(text, column_infos[column.kind].title);
    if (type == TYPE_SUM)
        text_printf(text, " %s", report_unit_name(cells->unit));
    if (type == TYPE_CALL)
        text_printf(text, " %s", report_unit_name(cells->average_unit));
}
