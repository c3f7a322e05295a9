#include "report/pages/html/html_writing.h"

#include "report/figures/repeated_rows.h"

static void put_row(struct html_writing *writing, const struct repeated_rows *repeated,
                    const struct row *row)
{
    struct json_writer *json = &writing->json;
    struct repeated_summary summaries[REPEATED_COLUMNS];
    size_t column = repeated_column_place(COLUMN_SELF);
    repeated_rows_sum_up(repeated, row, summaries);
    const struct sample_shift *shift = &summaries[column].shift;
    const double *values = repeated_rows_values(repeated, row->order, column);
    json_array(json, NULL);
    json_count(json, NULL, writing->number_of[repeated->table.groups.all[row->group].function]);
    json_array(json, NULL);
    for (size_t i = 0; i < repeated->new_count + repeated->old_count; i++)
        json_number(json, NULL, (int64_t)values[i]);
    json_end(json);
    const double numbers[] = {summaries[column].now.median,
                              summaries[column].old.median,
                              shift->estimate,
                              shift->low,
                              shift->high,
                              shift->p};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_real(json, NULL, repeated->old_count > 0 || i == 0 ? numbers[i] : 0);
    json_number(json, NULL, repeated->old_count > 0 && shift->is_told_apart);
    json_end(json);
}

void html_put_repeated(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    struct repeated_rows repeated;
    bool is_whole = writing->trees.now.node_count == report->tree->node_count;
    if (!json_object_if(json, "repeated",
                        report->repeated != NULL && report->show.by == BY_FUNCTION && is_whole))
        return;
    repeated_rows_init(&repeated, report, false);
    json_count(json, "new", repeated.new_count);
    json_count(json, "old", repeated.old_count);
    json_array(json, "rows");
    for (size_t i = 0; i < repeated.table.row_count; i++)
        put_row(writing, &repeated, repeated.rows[i]);
    json_end(json);
    json_end(json);
    repeated_rows_release(&repeated);
}
