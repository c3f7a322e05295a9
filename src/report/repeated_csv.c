/*
 * CSV of several logs of the same thing: for each row the median, spread, least and greatest of
 * each column, and in a comparison the shift between both sides.
 */
#include "report/text/report_repeated.h"

#include "report/csv_cells.h"
#include "report/repeated.h"

#include <math.h>

/* Calls have no unit; times are in microseconds. */
static void put_csv_number(struct text *line, enum repeated_kind kind, double number)
{
    text_put_string(line, ",");
    if (kind == REPEATED_CALLS)
        text_printf(line, number == floor(number) ? "%.0f" : "%.2f", number);
    else
        report_put_time(line, (int64_t)llround(number), UNIT_US, 3);
}

static void put_csv_summary(struct text *line, enum repeated_kind kind,
                            const struct sample_summary *summary)
{
    put_csv_number(line, kind, summary->median);
    put_csv_number(line, kind, summary->spread);
    put_csv_number(line, kind, summary->min);
    put_csv_number(line, kind, summary->max);
}

static void put_csv_names(struct text *line, const char *prefix, const char *name, const char *unit)
{
    static const char *const of[] = {"", "_spread", "_min", "_max"};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        text_printf(line, ",%s%s%s%s", prefix, name, of[i], unit);
}

static void put_csv_header(struct text *line, const struct repeated *repeated)
{
    static const char *const names[] = {"self", "total", "calls", "avg"};
    bool is_compared = repeated->old_count > 0;
    for (int kind = 0; kind < REPEATED_KIND_COUNT; kind++) {
        const char *unit = kind == REPEATED_CALLS ? "" : "_us";
        if (is_compared)
            put_csv_names(line, "old_", names[kind], unit);
        put_csv_names(line, is_compared ? "new_" : "", names[kind], unit);
        if (!is_compared)
            continue;
        text_printf(line, ",diff_%s%s,diff_%s_low%s,diff_%s_high%s", names[kind], unit, names[kind],
                    unit, names[kind], unit);
        text_printf(line, ",%s_p,%s_told_apart", names[kind], names[kind]);
    }
    text_put_string(line, "\n");
}

static void put_csv_row(struct text *line, const struct repeated *repeated,
                        const struct repeated_row *row)
{
    for (int i = 0; i < REPEATED_KIND_COUNT; i++) {
        enum repeated_kind kind = (enum repeated_kind)i;
        const struct repeated_value *value = &row->values[kind];
        if (repeated->old_count > 0)
            put_csv_summary(line, kind, &value->old);
        put_csv_summary(line, kind, &value->now);
        if (repeated->old_count == 0)
            continue;
        put_csv_number(line, kind, value->shift.estimate);
        put_csv_number(line, kind, value->shift.low);
        put_csv_number(line, kind, value->shift.high);
        text_printf(line, ",%.6g,%d", value->shift.p, value->shift.is_told_apart);
    }
    text_put_string(line, "\n");
}

void repeated_write_csv(const struct report *report, struct output *out)
{
    struct repeated repeated;
    struct text line = {0};
    repeated_init(&repeated, report);
    text_put_string(&line, csv_key_header(report->by));
    put_csv_header(&line, &repeated);
    for (size_t i = 0; i < repeated.table.row_count && !output_has_failed(out); i++) {
        output_put(out, line.at, line.length);
        line.length = 0;
        csv_put_row_key(&line, report, &repeated.table, repeated.rows[i].row);
        put_csv_row(&line, &repeated, &repeated.rows[i]);
    }
    output_put(out, line.at, line.length);
    text_release(&line);
    repeated_release(&repeated);
}
