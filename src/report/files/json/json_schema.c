#include "report/files/json/json_schema.h"

#include "report/files/json/json_parts.h"

static void put_column(struct json_writer *json, enum column_kind kind)
{
    static const char *const types[] = {[TYPE_SUM] = "integer",
                                        [TYPE_CALL] = "integer",
                                        [TYPE_PERCENT] = "number",
                                        [TYPE_COUNT] = "integer",
                                        [TYPE_FLAG] = "boolean"};
    static const struct row no_values = {0};
    const struct column_info *column = &column_infos[kind];
    if (column_of(kind, &no_values).is_known) {
        json_string(json, "type", types[column->type]);
    } else {
        json_array(json, "type");
        json_string(json, NULL, types[column->type]);
        json_string(json, NULL, "null");
        json_end(json);
    }
    json_string(json, "description", column->text);
}

/* Appends what is inside the brackets of a document. */
static void put_inside(struct text *text, struct json_writer *json)
{
    struct span document = text_span(&json->text);
    text_put(text, document.at + 1, document.length - 2);
    text_release(&json->text);
}

void json_schema_put_members(struct text *text)
{
    struct json_writer json = {.is_compact = true};
    char key[JSON_COLUMN_KEY_BYTES];
    json_object(&json, NULL);
    for (enum column_kind kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
        if (!json_has_column(kind))
            continue;
        if (kind > 0)
            json_line(&json);
        json_object(&json, json_column_key(key, kind));
        put_column(&json, kind);
        json_end(&json);
    }
    json_end(&json);
    put_inside(text, &json);
}

void json_schema_put_names(struct text *text)
{
    struct json_writer json = {.is_compact = true};
    char key[JSON_COLUMN_KEY_BYTES];
    json_array(&json, NULL);
    for (enum column_kind kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        if (json_has_column(kind) && !json_column_is_optional(kind))
            json_string(&json, NULL, json_column_key(key, kind));
    json_end(&json);
    put_inside(text, &json);
}
