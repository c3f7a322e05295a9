#include "read/frames.h"

#include "base/input.h"
#include "read/field.h"

_Static_assert((int)ARENA_TAIL_BYTES >= (int)FIELD_BLOCK_BYTES,
               "a known frame is compared in whole blocks");
_Static_assert((int)READ_TAIL_BYTES > (int)FRAMES_COMMON_MAX,
               "the common start is compared at a line's end");

/* A frame's text without the common start of known frames, if it has that. */
struct rest {
    size_t start; /* 0, or the length of the common start */
    struct field field;
};

/* Two rests with different starts have different hashes, too. */
static uint64_t rest_seed(const struct frames *frames, size_t start)
{
    return frames->known_seed + start;
}

/* Reads the text up to the next ';' or line feed. */
static inline struct rest read_rest(const struct frames *frames, const char *text)
{
    uint32_t different = 0;
    for (size_t i = 0; i < frames->common_length; i += FIELD_BLOCK_BYTES)
        different |= wide_find_different(text + i, frames->common + i);
    size_t start = different == 0 ? frames->common_length : 0;
    return (struct rest){start, field_read(text + start, rest_seed(frames, start))};
}

/* `text` begins at the rest. */
static inline uint32_t find_known(const struct frames *frames, const char *text, struct rest rest)
{
    size_t mask = frames->known_mask, length = rest.field.length;
    for (size_t slot = rest.field.hash & mask;; slot = (slot + 1) & mask) {
        const struct known_frame *known = &frames->known[slot];
        if (known->rest == NULL)
            return INTERN_NONE;
        if (known->hash == rest.field.hash && known->length == length &&
            known->start == rest.start && field_is_same(known->rest, text, length))
            return known->id;
    }
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    uint32_t id = intern_find(&frames->texts, text, length);
    return id != INTERN_NONE && frames->frames[id].is_context_free ? id : INTERN_NONE;
}

bool frames_find_row(const struct frames *frames, const char *text, size_t from,
                     struct frame_row *row)
{
    struct rest rests[FRAMES_ROW_MAX];
    if (frames->known_count == 0)
        return false;
    size_t at = from, count = 0;
    for (row->is_last = false; count < FRAMES_ROW_MAX; count++) {
        struct rest rest = read_rest(frames, text + at);
        __builtin_prefetch(&frames->known[rest.field.hash & frames->known_mask]);
        size_t end = at + rest.start + rest.field.length;
        if (text[end] == '\n') {
            row->is_last = true;
            row->line_end = end;
            break;
        }
        rests[count] = rest;
        at = end + 1;
    }
    row->next = at;
    row->count = count;
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(frames->known[rests[i].field.hash & frames->known_mask].rest);
    at = from;
    for (size_t i = 0; i < count; i++) {
        at += rests[i].start;
        row->ids[i] = find_known(frames, text + at, rests[i]);
        if (row->ids[i] == INTERN_NONE)
            return false;
        at += rests[i].field.length + 1;
    }
    return true;
}

/*
 * Returns block `number` of the text of a frame if the frame is known, and its blocks before that
 * are those of the common start; otherwise NULL.
 */
static const char *block_after_common(const struct frames *frames, uint32_t id, size_t number)
{
    struct span text = intern_get(&frames->texts, id);
    size_t from = number * FIELD_BLOCK_BYTES;
    bool may_be_common = frames->frames[id].is_context_free &&
                         text.length >= from + FIELD_BLOCK_BYTES &&
                         memcmp(text.at, frames->common, from) == 0 &&
                         memchr(text.at + from, ';', FIELD_BLOCK_BYTES) == NULL;
    return may_be_common ? text.at + from : NULL;
}

/*
 * Sets one more block of the common start to that which at least half of the known frames have;
 * fails if there is none. The first loop finds the only candidate (Boyer and Moore's majority
 * vote): blocks that differ cancel each other, and what more than half have is left. The second
 * counts it.
 */
static bool find_common_block(struct frames *frames, size_t number)
{
    char *block = frames->common + number * FIELD_BLOCK_BYTES;
    size_t left = 0, with_block = 0;
    for (uint32_t id = 0; id < frames->texts.count; id++) {
        const char *at = block_after_common(frames, id, number);
        if (at == NULL)
            continue;
        if (left == 0)
            memcpy(block, at, FIELD_BLOCK_BYTES);
        left = memcmp(block, at, FIELD_BLOCK_BYTES) == 0 ? left + 1 : left - 1;
    }
    for (uint32_t id = 0; id < frames->texts.count && left > 0; id++) {
        const char *at = block_after_common(frames, id, number);
        with_block += at != NULL && memcmp(block, at, FIELD_BLOCK_BYTES) == 0;
    }
    return 2 * with_block >= frames->known_count && left > 0;
}

static void put_known(struct frames *frames, uint32_t id)
{
    struct span text = intern_get(&frames->texts, id);
    size_t common = frames->common_length;
    bool has_common = text.length >= common && memcmp(text.at, frames->common, common) == 0;
    size_t start = has_common ? common : 0;
    struct span rest = span_from(text, start);
    uint32_t hash = field_hash(rest.at, rest.length, rest_seed(frames, start));
    size_t slot = hash & frames->known_mask;
    while (frames->known[slot].rest != NULL)
        slot = (slot + 1) & frames->known_mask;
    frames->known[slot] =
        (struct known_frame){rest.at, (uint32_t)rest.length, (uint32_t)start, hash, id};
}

/* Makes a table of that many slots for all known frames, and chooses the common start. */
static void make_known(struct frames *frames, size_t slots)
{
    size_t blocks = 0;
    /* The first frame alone has much in common with itself. */
    while (frames->known_count > 1 && blocks < FRAMES_COMMON_MAX / FIELD_BLOCK_BYTES &&
           find_common_block(frames, blocks))
        blocks++;
    frames->common_length = blocks * FIELD_BLOCK_BYTES;
    free(frames->known);
    frames->known = mem_zeroed(slots, sizeof *frames->known);
    frames->known_mask = slots - 1;
    for (uint32_t id = 0; id < frames->texts.count; id++)
        if (frames->frames[id].is_context_free)
            put_known(frames, id);
}

static void add_known(struct frames *frames, uint32_t id)
{
    enum { FIRST_SLOTS = 64 };
    frames->known_count++;
    if (frames->known == NULL) {
        frames->known_seed = hash_seed();
        make_known(frames, FIRST_SLOTS);
    } else if (2 * frames->known_count > frames->known_mask) {
        make_known(frames, 2 * (frames->known_mask + 1));
    } else {
        put_known(frames, id);
    }
}

/*
 * Delins' profiler marks a tail call by negating the caller's current line. That line is -1 if the
 * caller has made no call before; negated it becomes 1, a line above the function's own first line.
 * If there is no frame left to mark, it stays -1.
 */
static int32_t call_line(const struct grammar_frame *parsed)
{
    if (parsed->line_defined < 0)
        return LINE_UNKNOWN;
    if (parsed->current_line == 0)
        return LINE_UNKNOWN;
    if (parsed->current_line == 1 && parsed->line_defined > 1)
        return LINE_TAIL_CALL;
    return parsed->current_line;
}

uint32_t frames_add(struct frames *frames, const char *text, size_t length,
                    const struct grammar_frame *parsed)
{
    uint32_t id;
    if (!intern_is_new(&frames->texts, (struct span){text, length}, &id))
        return id;

    struct intern *strings = &frames->symbols->strings;
    uint32_t source = intern_add_span(strings, parsed->source);
    uint32_t name = intern_add_span(strings, parsed->name);
    MEM_GROW(frames->frames, frames->frame_capacity, frames->texts.count);
    frames->frames[id] =
        (struct record_frame){.name = name, .is_context_free = parsed->is_context_free};
    MEM_GROW(frames->in_stacks, frames->in_stacks_capacity, frames->texts.count);
    frames->in_stacks[id] = (struct stack_frame){
        .function = symbols_add_function(frames->symbols, source, parsed->line_defined, name),
        .call_line = call_line(parsed),
    };
    if (parsed->is_context_free)
        add_known(frames, id);
    return id;
}

void frames_name_functions(struct frames *frames)
{
    struct symbols *symbols = frames->symbols;
    for (size_t i = 0; i < frames->texts.count; i++) {
        const struct record_frame *frame = &frames->frames[i];
        if (!frame->is_used)
            continue;
        uint32_t function = frames->in_stacks[i].function;
        symbols->functions[function].is_used = true;
        symbols_add_name(symbols, function, frame->name, frame->calls);
    }
    symbols_name_functions(symbols);
}

void frames_release(struct frames *frames)
{
    intern_release(&frames->texts);
    MEM_FREE(frames->frames, frames->in_stacks, frames->known);
    *frames = (struct frames){0};
}
