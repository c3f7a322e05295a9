#include "report/files/json/json.h"

#include <math.h>
#include <stdio.h>

const char *json_key(char key[JSON_COLUMN_KEY_BYTES], const struct column_info *info)
{
    size_t length = strlen(info->name);
    snprintf(key, JSON_COLUMN_KEY_BYTES, "%s", info->name);
    if (length > 3 && strcmp(info->name + length - 3, "_us") == 0)
        key[length - 2] = 'n';
    return key;
}

static double percent_of(int64_t number, int64_t all_ns)
{
    return all_ns == 0 ? 0 : round(1e4 * (double)number / (double)all_ns) / 100;
}

static void put_cell(struct json_report *file, const char *key, const struct table *table,
                     const struct cell *cell)
{
    struct json_writer *json = &file->json;
    enum column_type type = cell->is_known ? cell->type : TYPE_MARK;
    switch (type) {
    case TYPE_MARK:
        json_null(json, key);
        break;
    case TYPE_FLAG:
        json_bool(json, key, cell->number != 0);
        break;
    case TYPE_PERCENT:
        json_real(json, key,
                  percent_of(cell->number,
                             cell->aspect == ASPECT_OLD ? table->old_all_ns : table->all_ns));
        break;
    case TYPE_SECONDS:
        json_real(json, key, round((double)cell->number / 1e8) / 10);
        break;
    case TYPE_REAL:
    case TYPE_CHANCE:
        json_real(json, key, cell->real);
        break;
    case TYPE_TEXT:
        json_text(json, key, text_span(&cell->text));
        break;
    case TYPE_FUNCTION:
        json_number(json, key, file->number_of[cell->number]);
        break;
    default:
        json_number(json, key, cell->number);
    }
}

static bool are_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The objects in which a cell is, the outer one first; NULL: it is in one less. */
struct cell_place {
    const char *outer, *inner;
};

static struct cell_place place_of(const struct table *table, const struct table_column *column)
{
    const char *group = aspect_infos[column->aspect].group;
    if (table->has_samples && group != NULL)
        return (struct cell_place){column->info->word, group};
    return (struct cell_place){column->info->needs == NEEDS_THREADS ? "threads"
                               : column->aspect == ASPECT_OLD       ? group
                                                                    : NULL,
                               NULL};
}

/* Ends the objects that are not open any more, and begins others. */
static void move(struct json_writer *json, struct cell_place *from, struct cell_place to)
{
    bool is_same = are_equal(from->outer, to.outer);
    bool is_all_same = is_same && are_equal(from->inner, to.inner);
    if (from->inner != NULL && !is_all_same)
        json_end(json);
    if (from->outer != NULL && !is_same)
        json_end(json);
    if (to.outer != NULL && !is_same)
        json_object(json, to.outer);
    if (to.inner != NULL && !is_all_same)
        json_object(json, to.inner);
    *from = to;
}

void json_put_row(struct json_report *file, const struct table *table, size_t row)
{
    struct cell_place place = {0};
    char key[JSON_COLUMN_KEY_BYTES];
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        struct cell_place next = place_of(table, column);
        move(&file->json, &place, next);
        table_get(table, row, column, &file->cell);
        put_cell(file,
                 next.inner != NULL ? aspect_infos[column->aspect].key
                                    : json_key(key, column->info),
                 table, &file->cell);
    }
    move(&file->json, &place, (struct cell_place){0});
}

void json_put_table(struct json_report *file, const char *key, const struct table *table,
                    unsigned lists)
{
    size_t row = 0;
    json_array(&file->json, key);
    for (; row < table->row_count && report_has_room(file->report, file->json.out, lists); row++) {
        json_object(&file->json, NULL);
        json_put_row(file, table, row);
        json_end(&file->json);
    }
    json_end(&file->json);
    if (row < table->row_count)
        json_count(&file->json, "rows_left_out", table->row_count - row);
    file->left_out_count += table->row_count - row;
}
