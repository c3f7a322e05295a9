#include "read/known_events.h"

#include "platform/wide.h"

enum {
    /* So many bytes are searched for the beginnings of events at once. */
    WINDOW_BYTES = 64,
    KEY_BYTES = 8,
    /*
     * The table takes 256 KB, if so many texts are read. With a quarter of it, the reading thread
     * took a quarter more time for a long recording; with twice of it, about the same.
     */
    SLOT_BITS = 14,
};

/* The bytes of a key are those of the text, zeros, and two of the run, which is not 0. */
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

static uint64_t run_key(uint32_t run)
{
    unsigned char bytes[KEY_BYTES] = {[6] = (unsigned char)run, [7] = (unsigned char)(run >> 8)};
    return load(bytes);
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
    uint64_t key = run_key(run);
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

void known_events_add(struct known_events *known, const struct unknown_event *unknown,
                      const struct event *event)
{
    known->slots[slot_of(unknown->key)] = (struct known_event){unknown->key, *event};
}

void known_events_release(struct known_events *known)
{
    free(known->slots);
    *known = (struct known_events){0};
}
