/*
 * text.h - text that grows, and cleaning of a log's bytes so that they can be shown.
 *
 * A log contains the bytes of Lua strings: UTF-8, Latin-1 and any others, mixed. Clean text is
 * valid UTF-8 without control characters, so that no name can clear a terminal or break a file
 * format.
 */
#pragma once

#include "base/mem.h"
#include "platform/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <strings.h>

/*
 * Bytes that are owned elsewhere.
 */

/* Not NUL-terminated unless a comment says so. */
struct span {
    const char *at; /* [length] */
    size_t length;
};

/* The bytes of a string without its NUL. */
static inline struct span span_of(const char *string)
{
    return (struct span){string, strlen(string)};
}

/* The bytes after the first `start`. */
static inline struct span span_from(struct span span, size_t start)
{
    return (struct span){span.at + start, span.length - start};
}

/* Returns the bytes before the first `end`, or all without one, and moves `*rest` after it. */
static inline struct span span_take(struct span *rest, char end)
{
    const char *at = memchr(rest->at, end, rest->length);
    size_t length = at != NULL ? (size_t)(at - rest->at) : rest->length;
    struct span taken = {rest->at, length};
    *rest = span_from(*rest, length + (at != NULL));
    return taken;
}

/* Returns the bytes after the last one that is `byte`, or all without one. */
static inline struct span span_after_last(struct span span, char byte)
{
    size_t from = span.length;
    while (from > 0 && span.at[from - 1] != byte)
        from--;
    return span_from(span, from);
}

static inline bool span_is_same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/*
 * Orders two numbers as qsort() wants it; `otherwise` is the order if they are equal. So keys
 * follow one another: ORDER(a->run, b->run, ORDER(a->tick, b->tick, 0)).
 */
#define ORDER(a, b, otherwise) ((a) < (b) ? -1 : (a) > (b) ? 1 : (otherwise))

/* A function for qsort() that orders two items of a type, *a and *b. */
#define COMPARES(name, type, order)                                                                \
    static int name(const void *left, const void *right)                                           \
    {                                                                                              \
        const type *a = left, *b = right;                                                          \
        return order;                                                                              \
    }

/* Orders them by their bytes, as strcmp() does. */
static inline int span_compare(struct span a, struct span b)
{
    int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : ORDER(a.length, b.length, 0);
}

static inline bool span_is(struct span span, const char *word)
{
    return span_is_same(span, span_of(word));
}

static inline bool span_starts_with(struct span span, const char *start)
{
    size_t length = strlen(start);
    return span.length >= length && memcmp(span.at, start, length) == 0;
}

static inline bool span_ends_with(struct span span, const char *end)
{
    size_t length = strlen(end);
    return span.length >= length && memcmp(span.at + span.length - length, end, length) == 0;
}

/* The same three with letter case ignored. */
static inline bool span_is_alike(struct span a, struct span b)
{
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

static inline bool span_starts_like(struct span span, const char *start)
{
    size_t length = strlen(start);
    return span.length >= length && strncasecmp(span.at, start, length) == 0;
}

static inline bool span_ends_like(struct span span, const char *end)
{
    size_t length = strlen(end);
    return span.length >= length && strncasecmp(span.at + span.length - length, end, length) == 0;
}

/* A growing text. All zero is empty. */
struct text {
    char *at; /* [length], and a NUL after that; NULL until something was put */
    size_t length, capacity;
};

void text_release(struct text *text);

/* Makes room for `length` more bytes and the NUL. */
void text_grow(struct text *text, size_t length);

/* Inline, like text_put_string(): the writers of large reports call these for each small piece. */
static inline void text_put(struct text *text, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    if (text->capacity - text->length <= length)
        text_grow(text, length);
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static inline void text_put_string(struct text *text, const char *string)
{
    text_put(text, string, strlen(string));
}

static inline void text_put_span(struct text *text, struct span span)
{
    text_put(text, span.at, span.length);
}

/* Appends the UTF-8 of a Unicode character. */
void text_put_character(struct text *text, uint32_t character);

/* Appends bytes with the letters A to Z as small letters. */
void text_put_small(struct text *text, struct span bytes);

/* Appends the text that printf() would print. */
void text_printf(struct text *text, const char *format, ...) FORMATS_LIKE_PRINTF(2, 3);

/* Returns the present text; invalid after the next change. `at` is never NULL. */
static inline struct span text_span(const struct text *text)
{
    return (struct span){text->length > 0 ? text->at : "", text->length};
}

/* Returns the present text with a NUL after it; invalid after the next change. Never NULL. */
static inline const char *text_string(const struct text *text)
{
    return text->at != NULL ? text->at : "";
}

/* Keeps the first `length` bytes. */
static inline void text_cut(struct text *text, size_t length)
{
    if (length == text->length)
        return;
    text->length = length;
    text->at[length] = '\0';
}

/* Decimal digits, with "-" before a negative number. */
void text_put_number(struct text *text, int64_t number);
void text_put_count(struct text *text, uint64_t count);

/* Decimal digits with a comma between thousands: 3,918,220. */
void text_put_grouped(struct text *text, uint64_t number);

/*
 * Appends bytes as clean text. Bytes that are not UTF-8 are read as CP-1252. A character that is a
 * control character, changes the writing direction, or has no width becomes a blank; line feeds and
 * TABs stay if `keeps_lines` is set.
 */
void text_put_clean(struct text *text, struct span bytes, bool keeps_lines);

/* Whether a byte of UTF-8 is not the first of its character. */
static inline bool text_is_inside_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns as many whole characters from the start of a text as have at most so many bytes. */
struct span text_start(struct span text, size_t bytes_max);

/* Whether all bytes are valid UTF-8. */
bool text_is_utf8(struct span bytes);

/*
 * The columns that a terminal gives to the character of clean text that begins at `at`: 0 for a
 * mark on the one before, and for a byte inside a character; 2 for Chinese, Japanese, Korean and
 * most pictures (after Unicode's EastAsianWidth.txt); else 1.
 */
size_t text_columns_at(struct span clean, size_t at);

/* Those of clean text. */
size_t text_width(struct span clean);
void text_put_blanks(struct text *text, size_t count);

/*
 * Appends the first `width` columns of clean text, 1 or more. If it has to be cut, an ellipsis is
 * the last of them, or the last but one where a character of two columns did not fit.
 */
void text_put_cut(struct text *text, struct span clean, size_t width);

/*
 * Appends a path, or a place in one, in at most `width` columns. If it has to be cut, an ellipsis
 * stands for a part in the middle: its end stays, with the name of the file and the line.
 *
 *     lua/sim/units/aiutilities.lua:812 in 24 columns     lua/…aiutilities.lua:812
 */
void text_put_cut_path(struct text *text, struct span clean, size_t width);

/* Removes the sign of the number that begins at `start` if all its digits are 0. */
void text_drop_sign_of_zero(struct text *text, size_t start);
