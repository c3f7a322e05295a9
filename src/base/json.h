/*
 * json.h - writes a JSON document (RFC 8259) piece by piece to an output.
 *
 *     struct json_writer json = {.out = out};
 *     json_object(&json, NULL);
 *     json_number(&json, "calls", 12);
 *     json_array(&json, "lines");
 *     json_number(&json, NULL, 7);
 *     json_end(&json);
 *     json_end(&json);                    {"calls":12,"lines":[7]}
 *
 * Keys are NULL for elements of arrays and for the document; they need no escapes, and have at most
 * JSON_KEY_MAX bytes. Members of the document begin lines, and so do objects in arrays that are at
 * most JSON_LINES_MAX deep. With `is_compact`, lines begin only where json_line() says so.
 *
 * Without an output, the document stays in `text`, with no line feed after it; the caller releases
 * that text.
 */
#pragma once

#include "base/output.h"
#include "base/text.h"

enum { JSON_DEPTH_MAX = 16, JSON_LINES_MAX = 3, JSON_KEY_MAX = 60 };

struct json_writer {
    /* Set by the caller; all else is 0 at first. */
    struct output *out;
    bool is_compact;

    struct text text; /* not written yet */

    /* Private. */
    bool begins_line;             /* before the next value or end */
    char ends[JSON_DEPTH_MAX];    /* [depth]: what ends each open object or array */
    bool is_used[JSON_DEPTH_MAX]; /* [depth]: whether it has something */
    size_t depth;
};

/* Each ends with json_end(). The end of the document writes all and releases the writer. */
void json_object(struct json_writer *json, const char *key);
void json_array(struct json_writer *json, const char *key);
void json_end(struct json_writer *json);

/*
 * The same, and end where the block ends that they are in; none of the ends is then written:
 *
 *     for (size_t i = 0; i < count; i++) {
 *         JSON_OBJECT(&json, NULL);
 *         json_count(&json, "calls", calls[i]);
 *     }
 */
#define JSON_OBJECT(json, key) JSON_SCOPE(json_object, json, key, __LINE__)
#define JSON_ARRAY(json, key) JSON_SCOPE(json_array, json, key, __LINE__)
#define JSON_SCOPE(begin, json, key, line) JSON_SCOPE_AT(begin, json, key, line)
#define JSON_SCOPE_AT(begin, json, key, line)                                                      \
    __attribute__((cleanup(json_end_scoped), unused)) struct json_writer *json_of_##line =         \
        (begin(json, key), (json))
static inline void json_end_scoped(struct json_writer *const *json)
{
    json_end(*json);
}

/* Begins a line before the next value, after its comma, or before the next end. */
void json_line(struct json_writer *json);
void json_number(struct json_writer *json, const char *key, int64_t number);
void json_count(struct json_writer *json, const char *key, uint64_t count);
void json_bool(struct json_writer *json, const char *key, bool is_true);
void json_null(struct json_writer *json, const char *key);

/* Begins an object, or puts null if it is not there; returns that. */
bool json_object_if(struct json_writer *json, const char *key, bool is_there);

/* A number, or null if it is not known. */
void json_number_if(struct json_writer *json, const char *key, bool is_known, int64_t number);

/* A whole number below 10^15, or any other with 12 digits; null if it is not finite. */
void json_real(struct json_writer *json, const char *key, double number);

/* Clean text; and text that is cleaned, see text.h. */
void json_text(struct json_writer *json, const char *key, struct span clean);
void json_cleaned(struct json_writer *json, const char *key, struct span bytes);
void json_string(struct json_writer *json, const char *key, const char *string);

/*
 * An array of the lines of a clean text, which is empty then. A line that begins with blanks
 * continues the one before.
 */
void json_take_lines(struct json_writer *json, const char *key, struct text *lines);

/* Returns the text to which the caller appends the value, as JSON, before the next call. */
struct text *json_value(struct json_writer *json, const char *key);

/* The same for one or more members of the open object, with their keys and commas. */
struct text *json_members(struct json_writer *json);

/* Appends a number as json_real() does. */
void json_put_real(struct text *text, double number);

/*
 * Appends clean text (see text.h) in quotes. Besides the characters that JSON requires, it escapes
 * '<', so that no name can end a script that contains the JSON, and the line separators that old
 * JavaScript does not allow in strings.
 */
void json_put_string(struct text *text, struct span clean);
