/*
 * CSV (RFC 4180, but LF), UTF-8, for spreadsheets and databases. Times are decimal
 * microseconds with three digits, which is exact; measured times are signed.
 */
#include "report/figures/report.h"

#include "report/figures/report_format.h"
#include "report/figures/stack_text.h"
#include "report/files/csv_cells.h"
#include "report/files/file_formats.h"
#include "report/files/repeated_csv.h"
#include "report/sentences/amounts.h"

#include <stdio.h>

/* The default columns in their order. */
static struct columns choose_columns(const struct report *report)
{
    static const enum column_kind of_rows[] = {COLUMN_CALLS, COLUMN_ERRORS, COLUMN_SELF,
                                               COLUMN_TOTAL, COLUMN_MIN,    COLUMN_MEAN,
                                               COLUMN_MAX,   COLUMN_ALLOC,  COLUMN_NOISE};
    static const enum column_kind of_stacks[] = {
        COLUMN_CALLS, COLUMN_SELF, COLUMN_TOTAL, COLUMN_MAIN,  COLUMN_COROUTINE, COLUMN_ERRORS,
        COLUMN_MIN,   COLUMN_MEAN, COLUMN_MAX,   COLUMN_ALLOC, COLUMN_NOISE};
    if (report->show.columns.count > 0)
        return report->show.columns;
    bool is_stack = report->show.by == BY_STACK;
    const enum column_kind *kinds = is_stack ? of_stacks : of_rows;
    size_t count =
        is_stack ? sizeof of_stacks / sizeof of_stacks[0] : sizeof of_rows / sizeof of_rows[0];
    struct columns columns = {0};
    for (size_t i = 0; i < count; i++)
        if (report->old == NULL)
            columns_add(&columns, kinds[i], ASPECT_NEW);
        else
            columns_add_compared(&columns, kinds[i]);
    if (report->show.has_threads)
        columns_add_threads(&columns);
    if (report->tree->samples != NULL) {
        columns_add(&columns, COLUMN_SELF_ERROR, ASPECT_NEW);
        columns_add(&columns, COLUMN_TOTAL_ERROR, ASPECT_NEW);
    }
    return columns;
}

static void put_headers(struct text *line, const struct columns *columns)
{
    static const char *const aspects[] = {[ASPECT_OLD] = "old_", [ASPECT_DIFFERENCE] = "diff_"};
    bool is_compared = false;
    for (size_t i = 0; i < columns->count; i++)
        is_compared |= columns->list[i].aspect != ASPECT_NEW;
    for (size_t i = 0; i < columns->count; i++) {
        struct column column = columns->list[i];
        const char *prefix = aspects[column.aspect % ASPECT_PERCENT];
        const char *name = column_infos[column.kind].name;
        text_put_string(line, ",");
        if (column.aspect == ASPECT_PERCENT) {
            size_t length = strcspn(name, "_");
            text_put_string(line, "diff_");
            text_put(line, name, length);
            text_put_string(line, "_percent");
            continue;
        }
        text_put_string(line, column.aspect != ASPECT_NEW ? prefix : is_compared ? "new_" : "");
        text_put_string(line, name);
    }
    text_put_string(line, is_compared ? ",within_noise\n" : "\n");
}

/* Whether the difference is larger than its error; empty if neither profile has errors. */
static void put_noise_mark(struct text *line, const struct row *row, const struct row *old)
{
    text_put_string(line, !rows_have_noise(row, old) ? "," : row_is_alike(row, old) ? ",1" : ",0");
}

/* Percentages are of the time of the whole profile. */
static void put_column(struct text *line, const struct report *report, const struct table *table,
                       struct column column, const struct row *row)
{
    const struct row *old = table_old(table, row);
    text_put_string(line, ",");
    if (column.aspect == ASPECT_PERCENT) {
        double percent;
        char digits[64];
        if (column_percent(column.kind, row, old, &percent))
            text_put(line, digits, (size_t)snprintf(digits, sizeof digits, "%.1f", percent));
        return;
    }
    struct column_value value = column_value(column, row, old);
    if (!value.is_known)
        return;
    switch (column_infos[column.kind].type) {
    case TYPE_SUM:
    case TYPE_CALL:
        amount_put_time(line, value.number, UNIT_US, 3);
        break;
    case TYPE_PERCENT:
        text_put_string(line, amount_percent(value.number, report_total_ns(report)).at);
        break;
    case TYPE_COUNT:
    case TYPE_FLAG:
        text_put_number(line, value.number);
        break;
    }
}

static void write_line(struct output *out, struct text *line)
{
    text_put_string(line, "\n");
    output_put_text(out, line);
}

static struct report_result rows_result(const struct report *report, size_t count,
                                        size_t left_out_count)
{
    return (struct report_result){.count = count,
                                  .left_out_count = left_out_count,
                                  .one = "row",
                                  .many = "rows",
                                  .listed =
                                      report->show.by == BY_STACK ? report_listed(report) : NULL};
}

static struct report_result write_csv(const struct report *report, struct output *out)
{
    struct text line = {0};
    struct columns columns = choose_columns(report);
    if (report->repeated != NULL) {
        size_t left_out_count;
        size_t count = repeated_csv_write(report, out, &left_out_count);
        return rows_result(report, count, left_out_count);
    }
    struct table table = report_table(report, report->show.by, false);
    output_put_string(out, table_by_infos[table.by].cells);
    put_headers(&line, &columns);
    output_put_text(out, &line);
    struct stacks_in_turn stacks;
    if (table.by == BY_STACK)
        stacks_in_turn_init(&stacks, &table);
    bool may_need_quotes = table.by == BY_STACK && !csv_labels_are_cells(report);
    size_t count = 0;
    for (; count < table.row_count && report_has_room(report, out, 1); count++) {
        const struct row *row = &table.rows[count];
        if (table.by == BY_STACK)
            stacks_in_turn_put(&stacks, &line, report->show.call_sites);
        else
            csv_put_row_key(&line, report, &table, row);
        if (may_need_quotes)
            csv_end_cell(&line, 0);
        for (size_t k = 0; k < columns.count; k++)
            put_column(&line, report, &table, columns.list[k], row);
        if (report->old != NULL)
            put_noise_mark(&line, row, table_old(&table, row));
        write_line(out, &line);
    }
    size_t left_out_count = table.row_count - count;
    text_release(&line);
    table_release(&table);
    return rows_result(report, count, left_out_count);
}

const struct report_format report_csv = {
    .name = "csv",
    .summary = "comma-separated values, for spreadsheets",
    .uses = USES_ROWS | USES_COLUMNS | USES_CALL_SITES | USES_PROFILE | SHOWS_COMPARISON |
            SHOWS_REPEATED,
    .suffixes = {".csv", NULL},
    .write = write_csv,
};
