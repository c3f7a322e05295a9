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
    /* The last slot may be filled in part only. */
    memset(events->at + events->count, 0, slots * sizeof *events->at);
    memcpy(events->at + events->count, payload, size);
    events->count += slots;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits; what is too large stays at the most there is. */
static const char *read_number(const char *at, const char *end, uint32_t *number)
{
    uint64_t value = 0;
    for (; at < end && is_digit(*at); at++)
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(*at - '0');
    *number = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return at;
}

static inline const char *read_units(const char *at, const char *end, uint32_t *units)
{
    *units = 0;
    if (at == end || !is_digit(*at))
        return at;
    *units = (uint32_t)(*at++ - '0');
    return at < end && is_digit(*at) ? read_number(at - 1, end, units) : at;
}

/*
 * Reads the number of a site: 'A' is 0, 'Z' 25, 'Aa' 26, 'Zz' 701, 'Aaa' 702. What
 * is too large becomes UINT32_MAX.
 */
static inline const char *read_site(const char *at, const char *end, uint32_t *number)
{
    uint32_t value = (uint32_t)(*at++ - 'A');
    for (; at < end && *at >= 'a' && *at <= 'z'; at++)
        value = value > EVENT_OPERAND_MAX ? value : (value + 1) * 26 + (uint32_t)(*at - 'a');
    *number = value > EVENT_OPERAND_MAX ? UINT32_MAX : value;
    return at;
}

static const char *find_last(const char *from, const char *end, char c)
{
    while (end > from)
        if (*--end == c)
            return end;
    return NULL;
}

/* Returns where the events end that can be trusted: a cut line may lack the end of its last. */
static const char *trusted_end(const struct events_text *text, size_t from)
{
    const char *start = text->text.at + from;
    const char *end = text->text.at + text->text.length;
    if (!text->is_cut)
        return end;
    const char *open = find_last(start, end, '(');
    const char *close = find_last(start, end, ')');
    if (open != NULL && (close == NULL || close < open || close == end - 1))
        return open;
    /* All but the letters and digits that follow the first character of an event. */
    while (end > start &&
           (is_digit(end[-1]) || end[-1] == '+' || (end[-1] >= 'a' && end[-1] <= 'z')))
        end--;
    if (end > start)
        end--;
    const char *digits = end;
    while (digits > start && *end == '.' && is_digit(digits[-1]))
        digits--;
    return digits < end && digits > start && digits[-1] == '^' ? digits - 1 : end;
}

struct reader {
    const struct events_text *text;
    struct events *events;
    const char *end;
    enum events_problem problem; /* why reading stopped */
    uint32_t id;                 /* with it */
};

static uint32_t find_id(struct reader *reader, const struct event_ids *ids, uint32_t id,
                        enum events_problem otherwise)
{
    uint32_t found = id < ids->count ? ids->at[id] : 0;
    if (found == 0) {
        reader->problem = otherwise;
        reader->id = id;
    }
    return found;
}

/* Returns the end of "(<sites>)", or NULL. */
static const char *read_stack(struct reader *reader, const char *at)
{
    size_t start = reader->events->count;
    events_put(reader->events, event_make(EVENT_STACK, 0, 0));
    uint32_t depth = 0;
    for (at++; at < reader->end && *at >= 'A' && *at <= 'Z'; depth++) {
        uint32_t site;
        at = read_site(at, reader->end, &site);
        struct event call = {find_id(reader, reader->text->sites, site, EVENTS_NO_SITE), 0};
        if (call.what == 0)
            break;
        events_put(reader->events, event_make(EVENT_FRAME, event_operand(call), 0));
    }
    if (reader->problem == EVENTS_DAMAGED && at < reader->end && *at == ')') {
        reader->events->at[start] = event_make(EVENT_STACK, depth, 0);
        return at + 1;
    }
    reader->events->count = start;
    return NULL;
}

/* Reads "@<thread>", "#<tick>", "^<function>." and "~"; the units are read by whoever calls it. */
static const char *read_rare(struct reader *reader, const char *at, struct event *event)
{
    char kind = *at++;
    uint32_t number, found;
    const char *digits = at;
    at = kind == '~' ? at : read_number(at, reader->end, &number);
    if (kind == '~') {
        *event = event_make(EVENT_FORGET, 0, 0);
        return at;
    }
    if (at == digits)
        return NULL;
    if (kind == '#') {
        *event = event_make(EVENT_TICK, 0, number);
        return at;
    }
    if (number > EVENT_OPERAND_MAX)
        return NULL;
    if (kind == '@') {
        found = find_id(reader, reader->text->threads, number, EVENTS_NO_THREAD);
        *event = event_make(EVENT_THREAD, found - 1, 0);
        return found != 0 ? at : NULL;
    }
    if (at == reader->end || *at != '.')
        return NULL;
    found = find_id(reader, reader->text->functions, number, EVENTS_NO_FUNCTION);
    *event = event_make(EVENT_OTHER_RETURN, found - 1, 0);
    return found != 0 ? at + 1 : NULL;
}

/* Puts what follows "+" in front of the event that was read last. */
static const char *read_memory(struct reader *reader, const char *at)
{
    uint32_t kilobytes;
    const char *digits = at + 1;
    at = read_number(digits, reader->end, &kilobytes);
    if (at == digits)
        return NULL;
    struct events *events = reader->events;
    struct event last = events->at[events->count - 1];
    events->at[events->count - 1] = event_make(EVENT_MEMORY, 0, kilobytes);
    events_put(events, last);
    return at;
}

enum events_problem events_read(struct events *events, const struct events_text *text, size_t *from,
                                uint64_t *event_count, uint32_t *id)
{
    struct reader reader = {
        .text = text, .events = events, .end = trusted_end(text, *from), .problem = EVENTS_DAMAGED};
    const char *at = text->text.at + *from;
    const char *const end = reader.end;
    /* Every event has at least a byte; with memory it takes two places. */
    size_t room = at < end ? (size_t)(end - at) : 0;
    events->at =
        mem_grow(events->at, &events->capacity, events->count + 2 * room + 1, sizeof *events->at);
    struct event *to = events->at + events->count;
    uint64_t count = 0;
    while (at < end) {
        const char *next = at + 1;
        char c = *at;
        if (c >= 'A' && c <= 'Z') {
            uint32_t number;
            next = read_site(at, end, &number);
            to->what = find_id(&reader, text->sites, number, EVENTS_NO_SITE);
            if (to->what == 0)
                break;
        } else if (c == '.') {
            to->what = EVENT_RETURN;
        } else if (c == ',') {
            to->what = EVENT_TAIL_RETURN;
        } else if (c == '!') {
            to->what = EVENT_MARK;
        } else if (c == '(') {
            events->count = (size_t)(to - events->at);
            next = read_stack(&reader, at);
            if (next == NULL)
                break;
            to = events->at + events->count;
            at = next;
            count++;
            continue;
        } else if (c == '^' || c == '@' || c == '#' || c == '~') {
            next = read_rare(&reader, at, to);
            if (next == NULL)
                break;
            if (c != '^') {
                to++;
                at = next;
                count++;
                continue;
            }
        } else {
            break;
        }
        next = read_units(next, end, &to->units);
        if (next < end && *next == '.' && event_kind(*to) == EVENT_CALL) {
            uint32_t return_units;
            const char *behind = read_units(next + 1, end, &return_units);
            if ((behind == end || (*behind != '+' && *behind != '!')) &&
                event_make_leaf(to, return_units)) {
                next = behind;
                count++;
            }
        }
        to++;
        if (next < end && *next == '+') {
            events->count = (size_t)(to - events->at);
            next = read_memory(&reader, next);
            if (next == NULL) {
                to--;
                break;
            }
            to++;
        }
        at = next;
        count++;
    }
    events->count = (size_t)(to - events->at);
    *from = (size_t)(at - text->text.at);
    *event_count += count;
    *id = reader.id;
    return at == end ? EVENTS_READ : reader.problem;
}
