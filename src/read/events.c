#include "read/events.h"

#include "base/mem.h"
#include "platform/bytes.h"
#include "platform/wide.h"

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

enum {
    /* So many bytes are searched for the beginnings of events at once. */
    WINDOW_BYTES = 64,
    KEY_BYTES = 8,
    /* A smaller table is slower in a long recording, and a larger one is not faster. */
    SLOT_BITS = 14,
};

/* The bytes of a key are those of the text, zeros, and two of the recording, which is not 0. */
struct known_event {
    uint64_t key; /* 0: the slot is free */
    struct event event;
};

static uint64_t load(const void *at)
{
    uint64_t key;
    memcpy(&key, at, sizeof key);
    return key;
}

/* A text that is too long gets the key 0, which no event has. */
static uint64_t text_key(const char *text, size_t length)
{
    static const unsigned char masks[WINDOW_BYTES][KEY_BYTES] = {
        {0},
        {255},
        {255, 255},
        {255, 255, 255},
        {255, 255, 255, 255},
        {255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255},
    };
    return load(text) & load(masks[length]);
}

static size_t slot_of(uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - SLOT_BITS));
}

static uint64_t find_range(const char *window, char first, char last)
{
    return wide_find_range(window, first, last) |
           (uint64_t)wide_find_range(window + 32, first, last) << 32;
}

static uint64_t find_either(const char *window, char a, char b)
{
    return wide_find_either(window, a, b) | (uint64_t)wide_find_either(window + 32, a, b) << 32;
}

/* Where the texts of events begin in a window, as bits. */
struct starts {
    uint64_t texts;
    uint64_t returns; /* those that are in the text of their call */
};

static struct starts find_starts(const char *window)
{
    uint64_t calls = find_range(window, 'A', 'Z');
    uint64_t inside = find_range(window, 'a', 'z') | find_range(window, '0', '9');
    /* The sum has a carry through the letters and digits of each call, to the byte after them. */
    uint64_t after_calls = ((calls << 1) + inside) & ~inside;
    uint64_t returns = after_calls & find_either(window, '.', '.');
    uint64_t followed = find_either(window, '+', '!') >> 1;
    uint64_t before_followed = (followed & (0 - followed)) - 1;
    return (struct starts){~inside & ~returns & before_followed, returns};
}

/* Reads the events of a window, which is the beginning of the text. */
static size_t read_window(const struct known_event *slots, uint64_t run, const char *window,
                          struct events *events, uint64_t *event_count,
                          struct unknown_event *unknown)
{
    struct starts starts = find_starts(window);
    struct event *first = events->at + events->count, *next = first;
    size_t from = 0;
    *unknown = (struct unknown_event){0};
    /* A text ends where the next one begins. */
    for (uint64_t left = starts.texts & (starts.texts - 1); left != 0; left &= left - 1) {
        size_t to = (size_t)__builtin_ctzll(left);
        uint64_t key = text_key(window + from, to - from) | run;
        const struct known_event *slot = &slots[slot_of(key)];
        if (slot->key != key) {
            *unknown = (struct unknown_event){key, to - from <= KNOWN_TEXT_MAX ? to - from : 0};
            break;
        }
        *next++ = slot->event;
        from = to;
    }
    uint64_t read_returns = starts.returns & (((uint64_t)1 << from) - 1);
    *event_count += (uint64_t)(next - first) + (uint64_t)__builtin_popcountll(read_returns);
    events->count += (size_t)(next - first);
    return from;
}

size_t known_events_read(struct known_events *known, uint32_t run, struct span text,
                         struct events *events, uint64_t *event_count,
                         struct unknown_event *unknown)
{
    /* The key of a window's last text is read, too. */
    enum { READABLE_BYTES = WINDOW_BYTES + KEY_BYTES };
    if (known->slots == NULL)
        known->slots = mem_zeroed((size_t)1 << SLOT_BITS, sizeof *known->slots);
    unsigned char number[KEY_BYTES] = {[6] = (unsigned char)run, [7] = (unsigned char)(run >> 8)};
    uint64_t key = load(number);
    size_t at = 0, length;
    do {
        char last[READABLE_BYTES];
        const char *window = text.at + at;
        if (text.length - at < sizeof last) {
            memset(last, 0, sizeof last);
            memcpy(last, window, text.length - at);
            window = last;
        }
        length = read_window(known->slots, key, window, events, event_count, unknown);
        at += length;
    } while (length > 0 && unknown->key == 0);
    return at;
}

/*
 * Adds the event that known_events_read() did not know. Call it only if its text was exactly one
 * event.
 */
static void known_events_add(struct known_events *known, const struct unknown_event *unknown,
                             const struct event *event)
{
    known->slots[slot_of(unknown->key)] = (struct known_event){unknown->key, *event};
}

void known_events_release(struct known_events *known)
{
    free(known->slots);
    *known = (struct known_events){0};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits; a number that is too large becomes UINT32_MAX. */
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
 * Reads the number of a site: 'A' is 0, 'Z' 25, 'Aa' 26, 'Zz' 701, 'Aaa' 702. A number that is too
 * large becomes UINT32_MAX.
 */
static inline const char *read_site(const char *at, const char *end, uint32_t *number)
{
    uint32_t value = (uint32_t)(*at++ - 'A');
    for (; at < end && *at >= 'a' && *at <= 'z'; at++)
        value = value > EVENT_OPERAND_MAX ? value : (value + 1) * 26 + (uint32_t)(*at - 'a');
    *number = value > EVENT_OPERAND_MAX ? UINT32_MAX : value;
    return at;
}

size_t events_whole_length(struct span text)
{
    const char *start = text.at;
    const char *end = text.at + text.length;
    const char *open = bytes_find_last(start, '(', text.length);
    const char *close = bytes_find_last(start, ')', text.length);
    if (open != NULL && (close == NULL || close < open || close == end - 1))
        return (size_t)(open - start);
    /* All but the letters and digits that follow the first character of an event. */
    while (end > start &&
           (is_digit(end[-1]) || end[-1] == '+' || (end[-1] >= 'a' && end[-1] <= 'z')))
        end--;
    if (end > start)
        end--;
    const char *digits = end;
    while (digits > start && (*end == '.' || *end == ':') && is_digit(digits[-1]))
        digits--;
    bool is_numbered = digits < end && digits > start;
    if (is_numbered && digits[-1] == (*end == '.' ? '^' : '/'))
        end = digits - 1;
    return (size_t)(end - start);
}

struct reader {
    const struct events_text *text;
    struct events *events;
    const char *end;
    enum events_problem problem; /* why reading stopped */
    uint32_t id;                 /* with it */
};

static uint32_t find_id(struct reader *reader, const struct id_map *ids, uint32_t id,
                        enum events_problem otherwise)
{
    uint32_t found = id_map_find(ids, id);
    if (found == 0) {
        reader->problem = otherwise;
        reader->id = id;
    }
    return found;
}

/*
 * Each of the functions below reads one item at `at`, appends events for it, and returns the end of
 * the item. If there is no such item, it returns NULL and appends nothing.
 */

/* Reads ":<site>", in small letters. */
static const char *read_line_site(struct reader *reader, const char *at, uint32_t *what)
{
    uint32_t number = 0;
    const char *letters = ++at;
    for (; at < reader->end && *at >= 'a' && *at <= 'z'; at++)
        number = number > EVENT_OPERAND_MAX ? number : number * 26 + (uint32_t)(*at - 'a') + 1;
    if (at == letters)
        return NULL;
    number = number > EVENT_OPERAND_MAX ? UINT32_MAX : number - 1;
    struct event site = {find_id(reader, reader->text->sites, number, EVENTS_NO_SITE), 0};
    *what = event_make(EVENT_LINE, event_operand(site), 0).what;
    return site.what != 0 ? at : NULL;
}

/* Reads "(<sites>)", with the lines that frames are at. */
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
        uint32_t line;
        const char *after =
            at < reader->end && *at == ':' ? read_line_site(reader, at, &line) : NULL;
        if (after == NULL)
            continue;
        events_put(reader->events, (struct event){line, 0});
        at = after;
        depth++;
    }
    if (reader->problem == EVENTS_DAMAGED && at < reader->end && *at == ')') {
        reader->events->at[start] = event_make(EVENT_STACK, depth, 0);
        return at + 1;
    }
    reader->events->count = start;
    return NULL;
}

/* Reads "@<thread>" and "#<tick>". */
static const char *read_thread_or_tick(struct reader *reader, const char *at)
{
    uint32_t number;
    const char *digits = at + 1;
    const char *end = read_number(digits, reader->end, &number);
    if (end == digits || (*at == '@' && number > EVENT_OPERAND_MAX))
        return NULL;
    if (*at == '#') {
        events_put(reader->events, event_make(EVENT_TICK, 0, number));
        return end;
    }
    uint32_t found = find_id(reader, reader->text->threads, number, EVENTS_NO_THREAD);
    if (found == 0)
        return NULL;
    events_put(reader->events, event_make(EVENT_THREAD, found - 1, 0));
    return end;
}

/* Reads "+<kilobytes>", if that is next, and inserts it before the last event. */
static const char *read_memory(struct reader *reader, const char *at)
{
    if (at == reader->end || *at != '+')
        return at;
    uint32_t kilobytes;
    const char *digits = at + 1;
    struct events *events = reader->events;
    struct event last = events->at[--events->count];
    at = read_number(digits, reader->end, &kilobytes);
    if (at == digits)
        return NULL;
    events_put(events, event_make(EVENT_MEMORY, 0, kilobytes));
    events_put(events, last);
    return at;
}

/* Reads the units and the memory of an event, `what`. */
static inline const char *read_timed(struct reader *reader, const char *at, uint32_t what)
{
    struct events *events = reader->events;
    /* There is room: see events_read(). */
    struct event *event = &events->at[events->count++];
    event->what = what;
    at = read_units(at, reader->end, &event->units);
    return at < reader->end && *at == '+' ? read_memory(reader, at) : at;
}

/* Reads a number between a letter, at `at`, and `end`. Returns what is after that, or NULL. */
static const char *read_operand(const struct reader *reader, const char *at, char end,
                                uint32_t *number)
{
    const char *digits = at + 1;
    at = read_number(digits, reader->end, number);
    bool is_read = at > digits && at < reader->end && *at == end && *number <= EVENT_OPERAND_MAX;
    return is_read ? at + 1 : NULL;
}

/* Reads "^<function>.". */
static const char *read_other_return(struct reader *reader, const char *at)
{
    uint32_t number;
    at = read_operand(reader, at, '.', &number);
    uint32_t found =
        at != NULL ? find_id(reader, reader->text->functions, number, EVENTS_NO_FUNCTION) : 0;
    if (found == 0)
        return NULL;
    return read_timed(reader, at, event_make(EVENT_OTHER_RETURN, found - 1, 0).what);
}

/* Reads "/<frames>:". */
static const char *read_unwind(struct reader *reader, const char *at)
{
    uint32_t frames;
    at = read_operand(reader, at, ':', &frames);
    return at != NULL ? read_timed(reader, at, event_make(EVENT_UNWIND, frames, 0).what) : NULL;
}

/* Reads ":<site>" with units. */
static inline const char *read_line(struct reader *reader, const char *at)
{
    uint32_t what;
    at = read_line_site(reader, at, &what);
    return at != NULL ? read_timed(reader, at, what) : NULL;
}

/* Reads a call, and its return too if that is next. */
static inline const char *read_call(struct reader *reader, const char *at, uint64_t *count)
{
    uint32_t number;
    const char *end = reader->end;
    at = read_site(at, end, &number);
    uint32_t what = find_id(reader, reader->text->sites, number, EVENTS_NO_SITE);
    if (what == 0)
        return NULL;
    at = read_timed(reader, at, what);
    if (at == NULL || at == end || *at != '.')
        return at;
    struct event *call = &reader->events->at[reader->events->count - 1];
    if (event_kind(*call) != EVENT_CALL)
        return at;
    uint32_t return_units;
    const char *after = read_units(at + 1, end, &return_units);
    if ((after < end && (*after == '+' || *after == '!')) || !event_make_leaf(call, return_units))
        return at;
    ++*count;
    return after;
}

static inline const char *read_event(struct reader *reader, const char *at, uint64_t *count)
{
    char c = *at;
    if (c >= 'A' && c <= 'Z')
        return read_call(reader, at, count);
    if (c == '.')
        return read_timed(reader, at + 1, EVENT_RETURN);
    switch (c) {
    case ',':
        return read_timed(reader, at + 1, EVENT_TAIL_RETURN);
    case '!':
        return read_timed(reader, at + 1, EVENT_RESUME);
    case ':':
        return read_line(reader, at);
    case '^':
        return read_other_return(reader, at);
    case '/':
        return read_unwind(reader, at);
    case '@':
    case '#':
        return read_thread_or_tick(reader, at);
    case '(':
        return read_stack(reader, at);
    case '~':
        events_put(reader->events, event_make(EVENT_FORGET, 0, 0));
        return at + 1;
    default:
        return NULL;
    }
}

enum events_problem events_read(struct events *events, const struct events_text *text, size_t *from,
                                uint64_t *event_count, uint32_t *id)
{
    struct reader reader = {.text = text,
                            .events = events,
                            .end = text->text.at + text->text.length,
                            .problem = EVENTS_DAMAGED};
    const char *at = text->text.at + *from;
    /* Every event has at least one byte; an event with memory takes two slots. */
    size_t room = at < reader.end ? (size_t)(reader.end - at) : 0;
    MEM_GROW(events->at, events->capacity, events->count + 2 * room + 1);
    uint64_t count = 0;
    while (at < reader.end) {
        struct unknown_event unknown = {0};
        if (text->known != NULL)
            at += known_events_read(text->known,
                                    text->run,
                                    (struct span){at, (size_t)(reader.end - at)},
                                    events,
                                    &count,
                                    &unknown);
        const char *next = at < reader.end ? read_event(&reader, at, &count) : NULL;
        if (next == NULL)
            break;
        count++;
        if (unknown.length == (size_t)(next - at))
            known_events_add(text->known, &unknown, &events->at[events->count - 1]);
        at = next;
    }
    *event_count += count;
    *from = (size_t)(at - text->text.at);
    *id = reader.id;
    return at == reader.end ? EVENTS_READ : reader.problem;
}
