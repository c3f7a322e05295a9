#include "report/files/json/json.h"
#include "report/tables/tick_tables.h"

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
    static const char *const types[] = {
        [TYPE_SUM] = "integer",   [TYPE_CALL] = "integer", [TYPE_PERCENT] = "number",
        [TYPE_COUNT] = "integer", [TYPE_FLAG] = "boolean", [TYPE_NUMBER] = "integer",
        [TYPE_SECONDS] = "number"};
    if (column->may_be_unknown) {
        json_array(json, "type");
        json_string(json, NULL, types[column->type]);
        json_string(json, NULL, "null");
        json_end(json);
    } else {
        json_string(json, "type", types[column->type]);
    }
    if (column->text != NULL)
        json_string(json, "description", column->text);
}

bool json_schema_put(struct text *text, struct span name, bool are_members)
{
    struct json_writer json = {.is_compact = true};
    struct table table = {0};
    char key[JSON_COLUMN_KEY_BYTES];
    add_columns(&table, name);
    if (are_members)
        json_object(&json, NULL);
    else
        json_array(&json, NULL);
    for (size_t i = 0; i < table.column_count; i++) {
        const struct column_info *column = table.columns[i].info;
        json_key(key, column);
        if (are_members) {
            if (i > 0)
                json_line(&json);
            json_object(&json, key);
            put_column(&json, column);
            json_end(&json);
        } else if (column->needs != NEEDS_LINES && column->needs != NEEDS_SAMPLES) {
            json_string(&json, NULL, key);
        }
    }
    json_end(&json);
    struct span document = text_span(&json.text);
    text_put(text, document.at + 1, document.length - 2);
    text_release(&json.text);
    return table.column_count > 0;
}
