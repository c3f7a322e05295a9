#include "report/files/repeated_csv.h"

#include "report/figures/repeated_rows.h"
#include "report/files/csv_cells.h"
#include "report/sentences/amounts.h"

#include <math.h>

static bool is_time(size_t column)
{
    return column_infos[repeated_columns[column]].type != TYPE_COUNT;
}

/* Times are in microseconds. */
static void put_number(struct text *line, size_t column, double number)
{
    text_put_string(line, ",");
    if (is_time(column))
        amount_put_time(line, (int64_t)llround(number), UNIT_US, 3);
    else
        text_printf(line, number == floor(number) ? "%.0f" : "%.2f", number);
}

static void put_summary(struct text *line, size_t column, const struct sample_summary *summary)
{
    put_number(line, column, summary->median);
    put_number(line, column, summary->spread);
    put_number(line, column, summary->min);
    put_number(line, column, summary->max);
}

static void put_title(struct text *line, const char *prefix, size_t column, const char *suffix)
{
    const char *word = column_infos[repeated_columns[column]].word;
    text_printf(line, ",%s%s%s%s", prefix, word, suffix, is_time(column) ? "_us" : "");
}

static void put_summary_titles(struct text *line, const char *prefix, size_t column)
{
    static const char *const suffixes[] = {"", "_spread", "_min", "_max"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        put_title(line, prefix, column, suffixes[i]);
}

static void put_header(struct text *line, bool is_compared)
{
    for (size_t i = 0; i < REPEATED_COLUMNS; i++) {
        const char *word = column_infos[repeated_columns[i]].word;
        if (is_compared)
            put_summary_titles(line, "old_", i);
        put_summary_titles(line, is_compared ? "new_" : "", i);
        if (!is_compared)
            continue;
        put_title(line, "diff_", i, "");
        put_title(line, "diff_", i, "_low");
        put_title(line, "diff_", i, "_high");
        text_printf(line, ",%s_p,%s_told_apart", word, word);
    }
    text_put_string(line, "\n");
}

static void put_values(struct text *line, const struct repeated_rows *repeated,
                       const struct row *row)
{
    bool is_compared = repeated->old_count > 0;
    struct repeated_summary values[REPEATED_COLUMNS];
    repeated_rows_sum_up(repeated, row, values);
    for (size_t i = 0; i < REPEATED_COLUMNS; i++) {
        const struct repeated_summary *value = &values[i];
        if (is_compared)
            put_summary(line, i, &value->old);
        put_summary(line, i, &value->now);
        if (!is_compared)
            continue;
        put_number(line, i, value->shift.estimate);
        put_number(line, i, value->shift.low);
        put_number(line, i, value->shift.high);
        text_printf(line, ",%.6g,%d", value->shift.p, value->shift.is_told_apart);
    }
    text_put_string(line, "\n");
}

size_t repeated_csv_write(const struct report *report, struct output *out, size_t *left_out_count)
{
    struct repeated_rows repeated;
    struct text line = {0};
    repeated_rows_init(&repeated, report, false);
    bool is_compared = repeated.old_count > 0;
    text_put_string(&line, table_by_infos[report->show.by].cells);
    put_header(&line, is_compared);
    output_put_text(out, &line);
    size_t count = 0;
    for (; count < repeated.table.row_count && report_has_room(report, out, 1); count++) {
        csv_put_row_key(&line, report, &repeated.table, repeated.rows[count]);
        put_values(&line, &repeated, repeated.rows[count]);
        output_put_text(out, &line);
    }
    *left_out_count = repeated.table.row_count - count;
    text_release(&line);
    repeated_rows_release(&repeated);
    return count;
}
