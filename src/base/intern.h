/*
 * intern.h - a set of byte strings, numbered in the order of their first appearance.
 *
 * The ids are 0, 1, 2, ... without gaps, so that data about a string can be kept in a plain array
 * indexed by id. Two strings are the same when their bytes are; they may hold NULs.
 */
#pragma once

#include "base/index.h"
#include "base/mem.h"
#include "base/span.h"

#define INTERN_NONE UINT32_MAX

/* All zero is an empty set, ready for use. Other files may read `count` only. */
struct intern {
    uint32_t count;
    struct arena bytes;
    struct span *keys; /* [count] */
    size_t key_capacity;
    struct index index;
};

/* Returns the id of the string; a new string is copied. */
uint32_t intern_add(struct intern *set, const char *bytes, size_t length);

/* Returns the id of the string, or INTERN_NONE. */
uint32_t intern_find(const struct intern *set, const char *bytes, size_t length);

static inline uint32_t intern_add_span(struct intern *set, struct span span)
{
    return intern_add(set, span.at, span.length);
}

/* Sets `*id`, and returns whether the string is new. */
static inline bool intern_is_new(struct intern *set, struct span span, uint32_t *id)
{
    uint32_t count = set->count;
    *id = intern_add_span(set, span);
    return *id == count;
}

/*
 * Returns the string, followed by a NUL that is not counted, and ARENA_TAIL_BYTES that may be read.
 * It stays at its address until the set is released.
 */
static inline struct span intern_get(const struct intern *set, uint32_t id)
{
    return set->keys[id];
}

void intern_release(struct intern *set);
