/*
 * event_text.h - events as text, for tests.
 *
 * One word each: "call(1)+5" is a call from site 1 after 5 units, "tick=30" the tick
 * 30, "site(1){0,12}" the definition of site 1 with what it holds. A leaf is two words,
 * and what is no event is none.
 */
#pragma once

#include "read/events.h"

/* Returns the events in words with blanks between them. The caller frees it. */
char *events_describe(const struct events *events);

/* Makes a map of `values`, [count] by id; 0: the id is not defined. The map is released before. */
void id_map_fill(struct id_map *map, const uint32_t *values, size_t count);
