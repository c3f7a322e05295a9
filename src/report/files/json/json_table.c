#include "report/files/json/json.h"
#include "report/sentences/amounts.h"
#include "report/tables/tables.h"
#include "report/tables/tick_tables.h"

#include <math.h>

static void put_cell(struct text *text, const struct json_report *file, const struct table *table)
{
    const struct cell *cell = &file->cell;
    switch (cell->is_known ? cell->type : TYPE_MARK) {
    case TYPE_MARK:
        text_put_string(text, "null");
        break;
    case TYPE_FLAG:
        text_put_string(text, cell->number != 0 ? "true" : "false");
        break;
    case TYPE_PERCENT:
        json_put_real(text, amount_percent_number(cell->number, cell_all_ns(table, cell)));
        break;
    case TYPE_SECONDS:
        json_put_real(text, round((double)cell->number / 1e8) / 10);
        break;
    case TYPE_RATE:
        json_put_real(text, round(1e3 * cell->real) / 1e3);
        break;
    case TYPE_REAL:
    case TYPE_CHANCE:
        json_put_real(text, cell->real);
        break;
    case TYPE_TEXT:
    case TYPE_LABEL:
        json_put_string(text, text_span(&cell->text));
        break;
    case TYPE_FUNCTION:
        text_put_number(text, file->number_of[cell->number]);
        break;
    default:
        text_put_number(text, cell->number);
    }
}

enum { OBJECTS = 2 };

/* Returns the key of a column's cells, and in which objects they are; NULL: in no further one. */
static const char *find_place(const char *objects[OBJECTS], const struct table *table,
                              const struct table_column *column)
{
    const struct aspect_info *aspect = &aspect_infos[column->aspect];
    const struct column_info *info = column->info;
    bool has_word = aspect->group != NULL && info->word != NULL;
    objects[0] = objects[1] = NULL;
    if (!table->has_samples) {
        objects[0] = info->needs == NEEDS_THREADS   ? "threads"
                     : column->aspect == ASPECT_OLD ? aspect->group
                                                    : NULL;
        return info->name;
    }
    objects[0] = has_word ? info->word : aspect->group;
    objects[1] = has_word ? aspect->group : NULL;
    return aspect->key != NULL ? aspect->key : info->name;
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Ends open objects and begins others. */
static void move_to(struct json_writer *json, const char *open[OBJECTS],
                    const char *const objects[OBJECTS])
{
    int same = 0;
    while (same < OBJECTS && is_same(open[same], objects[same]))
        same++;
    for (int i = OBJECTS; i-- > same;)
        if (open[i] != NULL)
            json_end(json);
    for (int i = same; i < OBJECTS; i++) {
        open[i] = objects[i];
        if (open[i] != NULL)
            json_object(json, open[i]);
    }
}

static void make_keys(struct json_keys *keys, const struct table *table)
{
    static const char *const none[OBJECTS] = {NULL};
    const char *open[OBJECTS] = {NULL}, *objects[OBJECTS];
    struct json_writer json = {.is_compact = true, .text = keys->text};
    json_object(&json, NULL);
    text_cut(&json.text, 0);
    for (size_t i = 0; i < table->column_count; i++) {
        const char *key = find_place(objects, table, &table->columns[i]);
        move_to(&json, open, objects);
        keys->ends[i] = json_value(&json, key)->length;
    }
    move_to(&json, open, none);
    keys->count = table->column_count;
    keys->ends[keys->count] = json.text.length;
    memcpy(keys->columns, table->columns, keys->count * sizeof *keys->columns);
    keys->has_samples = table->has_samples;
    keys->text = json.text;
}

static const struct json_keys *find_keys(struct json_report *file, const struct table *table)
{
    for (size_t i = 0; i < JSON_KEYS_KEPT; i++) {
        const struct json_keys *keys = &file->keys[i];
        if (keys->count == table->column_count && keys->has_samples == table->has_samples &&
            memcmp(keys->columns, table->columns, keys->count * sizeof *keys->columns) == 0)
            return keys;
    }
    struct json_keys *keys = &file->keys[file->made_keys++ % JSON_KEYS_KEPT];
    make_keys(keys, table);
    return keys;
}

void json_put_row(struct json_report *file, const struct table *table, size_t row)
{
    if (table->column_count == 0)
        return;
    const struct json_keys *keys = find_keys(file, table);
    struct text *text = json_members(&file->json);
    size_t from = 0;
    for (size_t i = 0; i < keys->count; from = keys->ends[i++]) {
        text_put(text, keys->text.at + from, keys->ends[i] - from);
        table_get(table, row, &table->columns[i], &file->cell);
        put_cell(text, file, table);
    }
    text_put(text, keys->text.at + from, keys->ends[keys->count] - from);
}

void json_put_object(struct json_report *file, const char *key, const struct table *table,
                     size_t row)
{
    JSON_OBJECT(&file->json, key);
    json_put_row(file, table, row);
}

void json_put_all(struct json_report *file, const char *key, const struct table *table)
{
    JSON_ARRAY(&file->json, key);
    for (size_t row = 0; row < table->row_count; row++)
        json_put_object(file, NULL, table, row);
}

void json_number_table(struct json_report *file, const struct table *table)
{
    for (size_t row = 0; row < table->row_count; row++)
        for (size_t i = 0; i < table->column_count; i++) {
            if (table->columns[i].info->type != TYPE_FUNCTION)
                continue;
            table_get(table, row, &table->columns[i], &file->cell);
            if (file->cell.is_known)
                json_number_function(file, (uint32_t)file->cell.number);
        }
}

static void put_keyed(struct table_walk *walk, const struct table *table)
{
    json_put_all(walk->context, walk->kind->key, table);
}

static void number_keyed(struct table_walk *walk, const struct table *table)
{
    json_number_table(walk->context, table);
}

void json_walk_keyed(struct json_report *file, bool are_numbered)
{
    tables_walk_keyed(&(struct table_walk){.report = file->report,
                                           .reader = FOR_JSON,
                                           .context = file,
                                           .take = are_numbered ? put_keyed : number_keyed});
}

void json_put_table(struct json_report *file, const struct table *table, unsigned lists)
{
    size_t row = 0;
    json_array(&file->json, "rows");
    for (; row < table->row_count && report_has_room(file->report, file->json.out, lists); row++)
        json_put_object(file, NULL, table, row);
    json_end(&file->json);
    if (row < table->row_count)
        json_count(&file->json, "rows_left_out", table->row_count - row);
    file->left_out_count += table->row_count - row;
}

/* Adds the columns of a table that the schema names. */
static void add_columns(struct table *table, struct span name)
{
    static const char *const ticks[] = {[TICKS_EACH] = "ticks",
                                        [TICKS_OLD] = "old ticks",
                                        [TICKS_WHAT_IF] = "tick times",
                                        [TICKS_SIDES] = "tick statistics"};
    if (span_is(name, "values"))
        function_table_add_json(table, ASPECT_NEW, false, ~0u);
    else if (span_is(name, "threads"))
        function_table_add_json(table, ASPECT_NEW, true, 0);
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++)
        if (ticks[i] != NULL && span_is(name, ticks[i]))
            tick_table_add_json(table, (enum tick_table_kind)i, true);
}

static void put_column(struct json_writer *json, const struct column_info *column)
{
    static const char *const types[] = {[TYPE_SUM] = "integer",
                                        [TYPE_CALL] = "integer",
                                        [TYPE_PERCENT] = "number",
                                        [TYPE_COUNT] = "integer",
                                        [TYPE_FLAG] = "boolean",
                                        [TYPE_NUMBER] = "integer",
                                        [TYPE_FUNCTION] = "integer",
                                        [TYPE_RATE] = "number",
                                        [TYPE_SECONDS] = "number"};
    if (column->may_be_unknown) {
        JSON_ARRAY(json, "type");
        json_string(json, NULL, types[column->type]);
        json_string(json, NULL, "null");
    } else {
        json_string(json, "type", types[column->type]);
    }
    if (column->text != NULL)
        json_string(json, "description", column->text);
}

/* The cells of a row that are in an object, and the objects in that; NULL: in the row itself. */
static void put_object(struct json_writer *json, const struct table *table, const char *object)
{
    const char *names[TABLE_COLUMNS_MAX], *objects[OBJECTS];
    size_t count = 0;
    json_string(json, "type", "object");
    json_object(json, "properties");
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = find_place(objects, table, &table->columns[i]);
        bool is_inner = !is_same(objects[0], object);
        name = is_inner ? objects[0] : name;
        if (is_inner && (object != NULL || (count > 0 && is_same(names[count - 1], name))))
            continue;
        names[count++] = name;
        JSON_OBJECT(json, name);
        if (is_inner)
            put_object(json, table, name);
        else
            put_column(json, table->columns[i].info);
    }
    json_end(json);
    JSON_ARRAY(json, "required");
    for (size_t i = 0; i < count; i++)
        json_string(json, NULL, names[i]);
}

static void put_schema(struct table_walk *walk, const struct table *table)
{
    struct json_writer *json = walk->context;
    JSON_OBJECT(json, walk->kind->key);
    json_string(json, "type", "array");
    json_string(json, "description", walk->kind->rows);
    JSON_OBJECT(json, "items");
    put_object(json, table, NULL);
}

bool json_schema_put(struct text *text, struct span name, bool are_members)
{
    static const struct report empty;
    struct json_writer json = {.is_compact = true};
    struct table table = {0};
    bool is_of_findings = span_is(name, "findings"), is_of_tables = span_is(name, "tables");
    add_columns(&table, name);
    if (are_members)
        json_object(&json, NULL);
    else
        json_array(&json, NULL);
    for (size_t i = 0; i < table.column_count; i++) {
        const struct column_info *column = table.columns[i].info;
        if (are_members) {
            if (i > 0)
                json_line(&json);
            JSON_OBJECT(&json, column->name);
            put_column(&json, column);
        } else if (column->needs != NEEDS_LINES && column->needs != NEEDS_SAMPLES &&
                   column->needs != NEEDS_ERRORS) {
            json_string(&json, NULL, column->name);
        }
    }
    if (is_of_tables)
        tables_walk_keyed(&(struct table_walk){
            .report = &empty, .reader = FOR_JSON, .context = &json, .take = put_schema});
    for (size_t kind = 0; is_of_findings && kind < FINDING_KIND_COUNT; kind++)
        json_string(&json, NULL, finding_rows[kind]->name);
    json_end(&json);
    struct span document = text_span(&json.text);
    text_put(text, document.at + 1, document.length - 2);
    text_release(&json.text);
    return is_of_findings || is_of_tables || table.column_count > 0;
}
