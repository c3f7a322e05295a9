#include "read/events.h"

#include "base/mem.h"

void events_put(struct events *events, struct event event)
{
    MEM_GROW(events->at, events->capacity, events->count + 1);
    events->at[events->count++] = event;
}

void events_put_payload(struct events *events, const void *payload, size_t size)
{
    size_t slots = event_slots(size);
    MEM_GROW(events->at, events->capacity, events->count + slots);
    /* The last slot may be only partly filled. */
    memset(events->at + events->count, 0, slots * sizeof *events->at);
    memcpy(events->at + events->count, payload, size);
    events->count += slots;
}
