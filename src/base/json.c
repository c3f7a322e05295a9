#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { FLUSH_BYTES = 64 * 1024 };

/* Makes room for everything before a value. What is long enough is written. */
static void make_room(struct json_writer *json)
{
    enum { OTHER_BYTES = 5 }; /* than those of the key */
    struct text *text = &json->text;
    if (json->out != NULL && text->length >= FLUSH_BYTES)
        output_put_text(json->out, text);
    if (text->capacity - text->length <= JSON_KEY_MAX + OTHER_BYTES)
        text_grow(text, JSON_KEY_MAX + OTHER_BYTES);
}

static bool is_at_line(const struct json_writer *json, bool is_object)
{
    bool is_element = json->ends[json->depth - 1] == ']';
    return json->depth == 1 || (is_element && is_object && json->depth <= JSON_LINES_MAX);
}

/*
 * Everything before a value: the comma, the line feed, the key. A large document has millions of
 * values, so there is one check for room.
 */
static void begin(struct json_writer *json, const char *key, bool is_object)
{
    if (json->depth == 0)
        return;
    assert((json->ends[json->depth - 1] == ']') == (key == NULL));
    make_room(json);
    char *to = json->text.at + json->text.length;
    if (json->is_used[json->depth - 1])
        *to++ = ',';
    json->is_used[json->depth - 1] = true;
    if (json->begins_line || (!json->is_compact && is_at_line(json, is_object)))
        *to++ = '\n';
    json->begins_line = false;
    if (key != NULL) {
        assert(strlen(key) <= JSON_KEY_MAX);
        *to++ = '"';
        while (*key != '\0')
            *to++ = *key++;
        *to++ = '"';
        *to++ = ':';
    }
    *to = '\0';
    json->text.length = (size_t)(to - json->text.at);
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
    if (json->begins_line || (json->depth == 0 && !json->is_compact))
        text_put_string(&json->text, "\n");
    json->begins_line = false;
    text_put(&json->text, &json->ends[json->depth], 1);
    if (json->depth > 0 || json->out == NULL)
        return;
    text_put_string(&json->text, "\n");
    output_put_text(json->out, &json->text);
    text_release(&json->text);
}

void json_line(struct json_writer *json)
{
    json->begins_line = true;
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

bool json_object_if(struct json_writer *json, const char *key, bool is_there)
{
    if (is_there)
        json_object(json, key);
    else
        json_null(json, key);
    return is_there;
}

void json_number_if(struct json_writer *json, const char *key, bool is_known, int64_t number)
{
    if (is_known)
        json_number(json, key, number);
    else
        json_null(json, key);
}

/* Puts a number with one or two digits after the point, as most are, without parsing a format. */
static bool put_hundredths(struct text *text, double number)
{
    int64_t hundredths = fabs(number) < 1e7 ? llround(fabs(number) * 100) : 0;
    if ((double)hundredths / 100 != fabs(number))
        return false;
    if (number < 0)
        text_put_string(text, "-");
    text_put_number(text, hundredths / 100);
    text_put_string(text, hundredths / 10 % 10 == 0 ? ".0" : ".");
    text_put_number(text, hundredths % 10 == 0 ? hundredths / 10 % 10 : hundredths % 100);
    return true;
}

void json_put_real(struct text *text, double number)
{
    /* Most are whole; a zero then has no sign. */
    if (!isfinite(number))
        text_put_string(text, "null");
    else if (number == floor(number) && fabs(number) < 1e15)
        text_put_number(text, (int64_t)number);
    else if (!put_hundredths(text, number))
        text_printf(text, "%.12g", number);
}

void json_real(struct json_writer *json, const char *key, double number)
{
    begin(json, key, false);
    json_put_real(&json->text, number);
}

void json_text(struct json_writer *json, const char *key, struct span clean)
{
    begin(json, key, false);
    json_put_string(&json->text, clean);
}

void json_cleaned(struct json_writer *json, const char *key, struct span bytes)
{
    SCOPED(text) clean = {0};
    text_put_clean(&clean, bytes, false);
    json_text(json, key, text_span(&clean));
}

void json_string(struct json_writer *json, const char *key, const char *string)
{
    json_cleaned(json, key, span_of(string));
}

void json_take_lines(struct json_writer *json, const char *key, struct text *lines)
{
    SCOPED(text) joined = {0};
    struct span rest = text_span(lines);
    json_array(json, key);
    while (rest.length > 0) {
        struct span line = span_take(&rest, '\n');
        while (line.length > 0 && line.at[0] == ' ')
            line = span_from(line, 1);
        if (joined.length > 0)
            text_put_string(&joined, " ");
        text_put_span(&joined, line);
        if (rest.length > 0 && rest.at[0] == ' ')
            continue;
        json_text(json, NULL, text_span(&joined));
        text_cut(&joined, 0);
    }
    json_end(json);
    text_cut(lines, 0);
}

struct text *json_value(struct json_writer *json, const char *key)
{
    begin(json, key, false);
    return &json->text;
}

struct text *json_members(struct json_writer *json)
{
    assert(json->ends[json->depth - 1] == '}' && !json->begins_line);
    make_room(json);
    if (json->is_used[json->depth - 1])
        text_put(&json->text, ",", 1);
    json->is_used[json->depth - 1] = true;
    return &json->text;
}

static void put_escaped(struct text *text, unsigned code)
{
    char escape[8];
    int length = snprintf(escape, sizeof escape, "\\u%04x", code);
    text_put(text, escape, (size_t)length);
}

/* U+2028 and U+2029 as UTF-8: they differ in the last byte. */
static bool is_line_separator(struct span rest)
{
    return rest.length >= 3 && memcmp(rest.at, "\xe2\x80", 2) == 0 &&
           (rest.at[2] == '\xa8' || rest.at[2] == '\xa9');
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '<';
}

void json_put_string(struct text *text, struct span clean)
{
    text_put(text, "\"", 1);
    for (size_t i = 0; i < clean.length; i++) {
        size_t plain = i;
        while (plain < clean.length && is_plain((unsigned char)clean.at[plain]))
            plain++;
        text_put(text, clean.at + i, plain - i);
        i = plain;
        if (i == clean.length)
            break;
        unsigned char byte = (unsigned char)clean.at[i];
        if (byte == '"' || byte == '\\') {
            text_put(text, "\\", 1);
            text_put(text, &clean.at[i], 1);
        } else if (byte < 0x20 || byte == 0x7f || byte == '<') {
            put_escaped(text, byte);
        } else if (is_line_separator((struct span){clean.at + i, clean.length - i})) {
            put_escaped(text, clean.at[i + 2] == '\xa8' ? 0x2028 : 0x2029);
            i += 2;
        } else {
            text_put(text, &clean.at[i], 1);
        }
    }
    text_put(text, "\"", 1);
}
