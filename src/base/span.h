/*
 * span.h - bytes that are owned elsewhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

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

static inline bool span_is_same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/*
 * Orders two numbers as qsort() wants it; `otherwise` is the order if they are equal. So keys
 * follow one another: ORDER(a->run, b->run, ORDER(a->tick, b->tick, 0)).
 */
#define ORDER(a, b, otherwise) ((a) < (b) ? -1 : (a) > (b) ? 1 : (otherwise))

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
