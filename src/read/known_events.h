/*
 * known_events.h - the events of a recording that were read before, by their texts.
 *
 * The text of an event is its letters, its units, and for a call its return: "Ab1." is one. A
 * recording repeats a few thousand texts: of the 20 million of a long one, the 2,000 commonest are
 * 97 %. So a table has the event of each text, and where texts begin is found for 64 bytes at once.
 * Without the table, when every event was decoded, the reading thread took twice the time; decoding
 * without branches was not faster.
 *
 * In a run, equal texts are equal events, since an id is defined only once. Memory or a mark that
 * follows a text may belong to its event, so the table is not used before these.
 *
 * A slot of the table has the text that was added last: where two texts have the same slot, both
 * are decoded again and again, which is slower, never wrong. So its hash has no seed. Lines that
 * have only such events, or only events too long to be kept, take up to twice the time that they
 * would take without the table.
 */
#pragma once

#include "base/intern.h"
#include "read/events.h"

/* All zero is empty. */
struct known_events {
    struct known_event *slots; /* NULL until it is used */
};

enum {
    /* The runs that can have known events are those from 1 to this number. */
    KNOWN_RUN_MAX = UINT16_MAX,
    /* Longer texts are not kept. */
    KNOWN_TEXT_MAX = 6,
};

/* The text of an event that is not known. */
struct unknown_event {
    uint64_t key;
    size_t length; /* 0: it cannot be kept */
};

/*
 * Appends the events at the beginning of a text up to the first that is not known, and returns the
 * length of their texts. `*event_count` grows by their number as the recorder counts them, in which
 * a call and its return are two. The events must have room for one event a byte.
 */
size_t known_events_read(struct known_events *known, uint32_t run, struct span text,
                         struct events *events, uint64_t *event_count,
                         struct unknown_event *unknown);

/*
 * Adds the event that known_events_read() did not know. Call it only if its text was exactly one
 * event.
 */
void known_events_add(struct known_events *known, const struct unknown_event *unknown,
                      const struct event *event);

void known_events_release(struct known_events *known);
