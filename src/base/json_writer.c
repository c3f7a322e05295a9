#include "base/json_writer.h"

#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FLUSH_BYTES = 64 * 1024 };

static void flush(struct json_writer *json)
{
    output_put(json->out, text_span(&json->text).at, json->text.length);
    json->text.length = 0;
}

/* Everything before a value: the comma, the line feed, the key. */
static void begin(struct json_writer *json, const char *key, bool is_object)
{
    if (json->depth == 0)
        return;
    bool *is_used = &json->is_used[json->depth - 1];
    bool is_element = json->ends[json->depth - 1] == ']';
    assert(is_element == (key == NULL));
    text_put_string(&json->text, *is_used ? "," : "");
    *is_used = true;
    if (json->depth == 1 || (is_element && is_object && json->depth <= JSON_LINES_MAX))
        text_put_string(&json->text, "\n");
    if (key != NULL)
        text_printf(&json->text, "\"%s\":", key);
}

static void open(struct json_writer *json, const char *key, const char *start, char end)
{
    begin(json, key, end == '}');
    assert(json->depth < JSON_DEPTH_MAX);
    json->ends[json->depth] = end;
    json->is_used[json->depth++] = false;
    text_put_string(&json->text, start);
}

void json_object(struct json_writer *json, const char *key)
{
    open(json, key, "{", '}');
}

void json_array(struct json_writer *json, const char *key)
{
    open(json, key, "[", ']');
}

void json_end(struct json_writer *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->depth == 0)
        text_put_string(&json->text, "\n");
    text_put(&json->text, &json->ends[json->depth], 1);
    if (json->depth == 0)
        text_put_string(&json->text, "\n");
    if (json->depth == 0 || json->text.length >= FLUSH_BYTES)
        flush(json);
    if (json->depth == 0)
        text_release(&json->text);
}

void json_number(struct json_writer *json, const char *key, int64_t number)
{
    begin(json, key, false);
    text_put_number(&json->text, number);
}

void json_count(struct json_writer *json, const char *key, uint64_t count)
{
    begin(json, key, false);
    text_put_count(&json->text, count);
}

void json_bool(struct json_writer *json, const char *key, bool is_true)
{
    begin(json, key, false);
    text_put_string(&json->text, is_true ? "true" : "false");
}

void json_null(struct json_writer *json, const char *key)
{
    begin(json, key, false);
    text_put_string(&json->text, "null");
}

void json_real(struct json_writer *json, const char *key, double number)
{
    if (!isfinite(number)) {
        json_null(json, key);
        return;
    }
    begin(json, key, false);
    bool is_whole = number == floor(number) && fabs(number) < 1e15;
    /* Without the sign of a zero. */
    text_printf(&json->text, is_whole ? "%.0f" : "%.12g", number == 0 ? 0 : number);
}

void json_text(struct json_writer *json, const char *key, struct span clean)
{
    begin(json, key, false);
    json_put_string(&json->text, clean);
}

void json_string(struct json_writer *json, const char *key, const char *string)
{
    struct text clean = {0};
    text_put_clean(&clean, (struct span){string, strlen(string)}, false);
    json_text(json, key, text_span(&clean));
    text_release(&clean);
}
