#include "report/files/json/json_parts.h"

#include "report/figures/repeated_rows.h"
#include "report/figures/stack_text.h"

#include <math.h>
#include <stdio.h>

/* Values ----------------------------------------------------------------------------------- */

/* Not sum%: its value depends on the order of the rows. */
bool json_has_column(enum column_kind kind)
{
    return kind != COLUMN_SUM_PERCENT && column_infos[kind].needs != NEEDS_THREADS;
}

bool json_column_is_optional(enum column_kind kind)
{
    return column_infos[kind].needs == NEEDS_SAMPLES || column_infos[kind].needs == NEEDS_LINES;
}

const char *json_column_key(char key[JSON_COLUMN_KEY_BYTES], enum column_kind kind)
{
    const char *name = column_infos[kind].name;
    size_t length = strlen(name);
    snprintf(key, JSON_COLUMN_KEY_BYTES, "%s", name);
    if (length > 3 && strcmp(name + length - 3, "_us") == 0)
        key[length - 2] = 'n';
    return key;
}

/* `is_line`: the row is of a table of lines that ran, where each row has the same keys. */
static void put_value(struct json_report *file, enum column_kind kind, const struct row *row,
                      int64_t all_ns, bool is_line)
{
    char key[JSON_COLUMN_KEY_BYTES];
    json_column_key(key, kind);
    struct column_value value = column_of(kind, row);
    if (!value.is_known) {
        if (!json_column_is_optional(kind) || (is_line && column_infos[kind].needs == NEEDS_LINES))
            json_null(&file->json, key);
        return;
    }
    switch (column_infos[kind].type) {
    case TYPE_PERCENT:
        json_real(&file->json, key,
                  all_ns == 0 ? 0 : round(1e4 * (double)value.number / (double)all_ns) / 100);
        break;
    case TYPE_FLAG:
        json_bool(&file->json, key, value.number != 0);
        break;
    case TYPE_SUM:
    case TYPE_CALL:
    case TYPE_COUNT:
        json_number(&file->json, key, value.number);
        break;
    }
}

static void put_all(struct json_report *file, const struct table *table, const struct row *row,
                    int64_t all_ns)
{
    bool is_line = table != NULL && table->lines != NULL;
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        if (json_has_column((enum column_kind)kind))
            put_value(file, (enum column_kind)kind, row, all_ns, is_line);
}

void json_put_values(struct json_report *file, const struct table *table, const struct row *row)
{
    const struct report *report = file->report;
    put_all(file, table, row, report_total_ns(report));
    if (report->old == NULL)
        return;
    static const struct row no_values = {0};
    const struct row *old = table != NULL ? table_old(table, row) : &no_values;
    json_object(&file->json, "old");
    put_all(file, table, old, report->old->tree->total_ns[TREE_ROOT]);
    json_end(&file->json);
    if (rows_have_noise(row, old))
        json_bool(&file->json, "within_noise", row_is_alike(row, old));
    else
        json_null(&file->json, "within_noise");
}

/* Rows ------------------------------------------------------------------------------------- */

/* What a row stands for. */
static void put_key(struct json_report *file, const struct table *table, const struct row *row)
{
    const struct report *report = file->report;
    if (table->by == BY_STACK) {
        struct text stack = {0};
        stack_put(&stack, table->tree, report->labels, row->group, report->show.call_sites);
        json_text(&file->json, "stack", text_span(&stack));
        text_release(&stack);
        return;
    }
    const struct row_group *group = &table->groups.all[row->group];
    if (table->by == BY_FILE || table->by == BY_MOD) {
        json_text(&file->json, table_by_infos[table->by].name,
                  labels_text(report->labels, group->text));
        return;
    }
    json_put_function(file, "function", group->function);
    if (table->by == BY_LINE)
        json_number(&file->json, "line", group->line);
    if (table->by == BY_THREAD)
        json_string(&file->json, "thread", threads_name(group->flags));
}

static void put_threads(struct json_report *file, const struct row *row)
{
    json_object(&file->json, "threads");
    for (enum column_kind kind = COLUMN_THREADS; kind < COLUMN_KIND_COUNT; kind++)
        put_value(file, kind, row, 0, false);
    json_end(&file->json);
}

/* Puts how many rows had no room. */
static void put_left_out(struct json_report *file, size_t count)
{
    if (count > 0)
        json_count(&file->json, "rows_left_out", count);
    file->left_out_count += count;
}

void json_put_rows(struct json_report *file)
{
    json_string(&file->json, "by", table_by_infos[file->report->show.by].name);
    if (file->report->show.by == BY_FUNCTION) {
        json_null(&file->json, "rows");
        return;
    }
    unsigned lists = file->report->repeated != NULL ? 2 : 1;
    size_t count = 0;
    struct table table = report_table(file->report, file->report->show.by, false);
    json_array(&file->json, "rows");
    for (; count < table.row_count && report_has_room(file->report, file->json.out, lists);
         count++) {
        json_object(&file->json, NULL);
        put_key(file, &table, &table.rows[count]);
        json_put_values(file, &table, &table.rows[count]);
        if (file->report->show.has_threads)
            put_threads(file, &table.rows[count]);
        json_end(&file->json);
    }
    json_end(&file->json);
    put_left_out(file, table.row_count - count);
    table_release(&table);
}

/* Several logs of the same game ------------------------------------------------------------ */

static void put_number(struct json_report *file, const char *key, double value, bool is_time)
{
    if (is_time)
        json_number(&file->json, key, (int64_t)llround(value));
    else
        json_real(&file->json, key, value);
}

static void put_summary(struct json_report *file, const char *key,
                        const struct sample_summary *summary, bool is_time)
{
    json_object(&file->json, key);
    put_number(file, "median", summary->median, is_time);
    put_number(file, "spread", summary->spread, is_time);
    put_number(file, "min", summary->min, is_time);
    put_number(file, "max", summary->max, is_time);
    json_end(&file->json);
}

static void put_repeated_value(struct json_report *file, const struct repeated_summary *value,
                               bool is_time, bool is_compared)
{
    const struct sample_shift *shift = &value->shift;
    put_summary(file, "new", &value->now, is_time);
    if (!is_compared)
        return;
    put_summary(file, "old", &value->old, is_time);
    json_object(&file->json, "change");
    put_number(file, "estimate", shift->estimate, is_time);
    put_number(file, "low", shift->low, is_time);
    put_number(file, "high", shift->high, is_time);
    json_real(&file->json, "p", shift->p);
    json_bool(&file->json, "exact", shift->is_exact);
    json_bool(&file->json, "told_apart", shift->is_told_apart);
    json_end(&file->json);
}

static void put_logs(struct json_report *file, const char *key,
                     const struct repeated_values *repeated)
{
    struct json_writer *json = &file->json;
    json_array(json, key);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        json_object(json, NULL);
        json_number(json, "total_ns", log->total_ns);
        json_count(json, "calls", log->calls);
        json_count(json, "errors", log->errors);
        json_count(json, "ticks", log->ticks.count);
        json_count(json, "damaged", log->damaged);
        json_count(json, "missing_lines", log->missing_lines);
        json_real(json, "scale", log->scale);
        json_end(json);
    }
    json_end(json);
}

static void put_totals(struct json_report *file, const struct repeated_rows *repeated)
{
    int count = repeated->has_ticks ? TOTAL_KIND_COUNT : TOTAL_TICKS;
    json_object(&file->json, "totals");
    for (int kind = 0; kind < count; kind++) {
        const struct repeated_total_info *info = &repeated_totals[kind];
        json_object(&file->json, info->key);
        put_repeated_value(file, &repeated->totals[kind], info->is_time, repeated->old_count > 0);
        json_end(&file->json);
    }
    json_end(&file->json);
}

static void put_repeated_row(struct json_report *file, const struct repeated_rows *repeated,
                             const struct row *row)
{
    struct repeated_summary values[REPEATED_COLUMNS];
    repeated_rows_sum_up(repeated, row, values);
    json_object(&file->json, NULL);
    put_key(file, &repeated->table, row);
    for (size_t i = 0; i < REPEATED_COLUMNS; i++) {
        const struct column_info *column = &column_infos[repeated_columns[i]];
        json_object(&file->json, column->word);
        put_repeated_value(file, &values[i], column->type != TYPE_COUNT, repeated->old_count > 0);
        json_end(&file->json);
    }
    json_end(&file->json);
}

void json_put_repeated(struct json_report *file)
{
    const struct report *report = file->report;
    struct repeated_rows repeated;
    if (!json_object_if(&file->json, "repeated", report->repeated != NULL))
        return;
    repeated_rows_init(&repeated, report, false);
    put_logs(file, "logs", report->repeated);
    if (report->old != NULL)
        put_logs(file, "old_logs", report->old->repeated);
    put_totals(file, &repeated);
    json_array(&file->json, "rows");
    size_t count = 0;
    for (; count < repeated.table.row_count && report_has_room(report, file->json.out, 1); count++)
        put_repeated_row(file, &repeated, repeated.rows[count]);
    json_end(&file->json);
    put_left_out(file, repeated.table.row_count - count);
    json_end(&file->json);
    repeated_rows_release(&repeated);
}
