#include "rebuild/event_text.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [EVENT_NONE] = "none",         [EVENT_CALL] = "call",           [EVENT_ROOT_CALL] = "root",
    [EVENT_RETURN] = "return",     [EVENT_OTHER_RETURN] = "other",  [EVENT_TAIL_RETURN] = "tail",
    [EVENT_RESUME] = "mark",       [EVENT_MEMORY] = "memory",       [EVENT_THREAD] = "thread",
    [EVENT_TICK] = "tick",         [EVENT_UNWIND] = "unwind",       [EVENT_FORGET] = "forget",
    [EVENT_STACK] = "stack",       [EVENT_FRAME] = "frame",         [EVENT_LOST] = "lost",
    [EVENT_RECORDING] = "run",     [EVENT_BEGIN] = "begin",         [EVENT_SITE] = "site",
    [EVENT_FUNCTION] = "function", [EVENT_COROUTINE] = "coroutine", [EVENT_END] = "end",
    [EVENT_LINE] = "line",         [EVENT_SAMPLE] = "sample",       [EVENT_REFERENCE] = "reference",
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    text_put(text, piece, (size_t)length);
}

static bool has_operand(enum event_kind kind)
{
    return kind == EVENT_CALL || kind == EVENT_ROOT_CALL || kind == EVENT_OTHER_RETURN ||
           kind == EVENT_UNWIND || kind == EVENT_THREAD || kind == EVENT_STACK ||
           kind == EVENT_FRAME || kind == EVENT_LINE || kind == EVENT_SAMPLE ||
           (kind >= EVENT_RECORDING && kind < EVENT_REFERENCE);
}

/* Returns the number of events that the payload takes. */
static size_t put_payload(struct text *text, const struct event *event)
{
    struct event_begin begin;
    struct event_site site;
    struct event_function function;
    struct event_reference reference;
    switch (event_kind(*event)) {
    case EVENT_BEGIN:
        memcpy(&begin, event + 1, sizeof begin);
        put(text, "{%.10g,", begin.unit_ns);
        for (int kind = 0; kind < 3; kind++)
            put(text, begin.turn_ns[kind] < 0 ? "?," : "%.10g,", begin.turn_ns[kind]);
        put(text, begin.time_seconds < 0 ? "?," : "%.10g,", begin.time_seconds);
        put(text, begin.tick < 0 ? "?" : "%" PRId64, begin.tick);
        put(text, "%s}", begin.has_resumes ? ",marks" : "");
        return event_slots(sizeof begin);
    case EVENT_SITE:
        memcpy(&site, event + 1, sizeof site);
        put(text, "{%" PRIu32 ",%" PRId32 "}", site.function, site.line);
        return event_slots(sizeof site);
    case EVENT_FUNCTION:
        memcpy(&function, event + 1, sizeof function);
        put(text, "{%" PRIu32 "%s%s%s%s}", function.id, function.is_lua ? ",lua" : "",
            function.is_iterator ? ",iterator" : "", function.calibrates ? ",calibrates" : "",
            function.suspends ? ",suspends" : "");
        return event_slots(sizeof function);
    case EVENT_REFERENCE:
        memcpy(&reference, event + 1, sizeof reference);
        put(text, "{%" PRIu32 ",%s,%.10g,%.10g,%.10g}", reference.function,
            reference.is_watched ? "watched"
            : reference.is_after ? "after"
                                 : "before",
            reference.wakes, reference.ns, reference.deviation_ns);
        return event_slots(sizeof reference);
    default:
        return 0;
    }
}

static void put_event(struct text *text, struct event event)
{
    enum event_kind kind = event_kind(event);
    bool is_known = kind < sizeof names / sizeof names[0] && names[kind] != NULL;
    put(text, "%s%s", text->length > 0 ? " " : "", is_known ? names[kind] : "?");
    if (has_operand(kind))
        put(text, "(%" PRIu32 ")", event_operand(event));
    if (event.units > 0)
        put(text, "%c%" PRIu32, kind == EVENT_TICK ? '=' : '+', event.units);
}

char *events_describe(const struct events *events)
{
    struct text text = {0};
    for (size_t i = 0; i < events->count; i++) {
        struct event event = events->at[i];
        if (event_kind(event) == EVENT_LEAF) {
            put_event(&text, event_make(EVENT_CALL, event_operand(event), event_call_units(event)));
            put_event(&text, event_make(EVENT_RETURN, 0, event_return_units(event)));
        } else if (event_kind(event) != EVENT_NONE) {
            put_event(&text, event);
        }
        i += put_payload(&text, &events->at[i]);
    }
    struct span span = text_span(&text);
    char *copy = mem_copy(span.at, span.length);
    text_release(&text);
    return copy;
}

void id_map_fill(struct id_map *map, const uint32_t *values, size_t count)
{
    index_release(&map->index);
    for (uint32_t id = 0; id < count; id++)
        if (values[id] != 0)
            id_map_define(map, id, values[id]);
}
