/*
 * events_text.h - the text of an "events" line in, events out.
 *
 * The text is not read by PCRE2: an event has 1.7 bytes on average, and tens of millions of them
 * are read in a second. Most events are found by their text (read/known_events.h), and a plain loop
 * decodes the others.
 */
#pragma once

#include "base/intern.h"
#include "read/events.h"
#include "read/id_map.h"
#include "read/known_events.h"

struct events_text {
    struct span text;
    const struct id_map *sites;     /* event_make(EVENT_CALL or EVENT_ROOT_CALL, ...).what */
    const struct id_map *functions; /* 1 + function */
    const struct id_map *threads;   /* 1 + thread */
    struct known_events *known;     /* NULL: every event is decoded, which has the same result */
    uint32_t run;                   /* for `known`: 1 to KNOWN_RUN_MAX */
};

/*
 * Returns the length of the complete events in a text whose end is missing: the last event may lack
 * a digit or a letter, so it is not included.
 */
size_t events_whole_length(struct span text);

enum events_problem {
    EVENTS_READ,
    EVENTS_DAMAGED, /* at a byte that cannot be part of an event there */
    EVENTS_NO_SITE, /* at a site that is not defined; `*id` is its number in the log */
    EVENTS_NO_FUNCTION,
    EVENTS_NO_THREAD,
};

/*
 * Appends the events of text[*from ...]. `*from` is moved past the read part, and `*event_count`
 * grows by the number of events as the recorder counts them. If a definition is missing, define the
 * id and call this again.
 */
enum events_problem events_read(struct events *events, const struct events_text *text, size_t *from,
                                uint64_t *event_count, uint32_t *id);
