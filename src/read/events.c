#include "read/events.h"

#include "base/mem.h"

#include <string.h>

void events_put(struct events *events, struct event event)
{
    events->at = mem_grow(events->at, &events->capacity, events->count + 1, sizeof *events->at);
    events->at[events->count++] = event;
}

void events_put_payload(struct events *events, const void *payload, size_t size)
{
    size_t slots = event_slots(size);
    events->at = mem_grow(events->at, &events->capacity, events->count + slots, sizeof *events->at);
    /* The last slot may be only partly filled. */
    memset(events->at + events->count, 0, slots * sizeof *events->at);
    memcpy(events->at + events->count, payload, size);
    events->count += slots;
}
