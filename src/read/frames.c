#include "read/frames.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/read_ahead.h"
#include "read/piece.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)ARENA_TAIL_BYTES >= (int)PIECE_BLOCK_BYTES,
               "a known frame is compared in whole blocks");
_Static_assert((int)READ_TAIL_BYTES > (int)FRAMES_COMMON_MAX,
               "the common start is compared at a line's end");

/* A frame's text without the common start of known frames, if it has that. */
struct rest {
    size_t start; /* 0, or the length of the common start */
    struct piece piece;
};

/* Two rests with different starts have different hashes, too. */
static uint64_t rest_seed(const struct frames *frames, size_t start)
{
    return frames->known_seed + start;
}

static struct rest rest_of(const struct frames *frames, const char *text, size_t length)
{
    size_t common = frames->common_length;
    size_t start = length >= common && memcmp(text, frames->common, common) == 0 ? common : 0;
    uint32_t hash = piece_hash(text + start, length - start, rest_seed(frames, start));
    return (struct rest){start, {length - start, hash}};
}

/* The same of the text up to the next ';' or line feed. */
static inline struct rest read_rest(const struct frames *frames, const char *text)
{
    uint32_t different = 0;
    for (size_t i = 0; i < frames->common_length; i += PIECE_BLOCK_BYTES)
        different |= wide_find_different(text + i, frames->common + i);
    size_t start = different == 0 ? frames->common_length : 0;
    return (struct rest){start, piece_read(text + start, rest_seed(frames, start))};
}

/* `text` begins at the rest. `has_tail`: the bytes after it may be read, which is faster. */
static inline uint32_t find_known(const struct frames *frames, const char *text, struct rest rest,
                                  bool has_tail)
{
    size_t mask = frames->known_mask, length = rest.piece.length;
    for (size_t slot = rest.piece.hash & mask;; slot = (slot + 1) & mask) {
        const struct known_frame *known = &frames->known[slot];
        if (known->rest == NULL)
            return INTERN_NONE;
        if (known->hash == rest.piece.hash && known->length == length &&
            known->start == rest.start &&
            (has_tail ? piece_is_same(known->rest, text, length)
                      : memcmp(known->rest, text, length) == 0))
            return known->id;
    }
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    if (frames->known_count == 0)
        return INTERN_NONE;
    struct rest rest = rest_of(frames, text, length);
    return find_known(frames, text + rest.start, rest, false);
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
        __builtin_prefetch(&frames->known[rest.piece.hash & frames->known_mask]);
        size_t end = at + rest.start + rest.piece.length;
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
        __builtin_prefetch(frames->known[rests[i].piece.hash & frames->known_mask].rest);
    at = from;
    for (size_t i = 0; i < count; i++) {
        at += rests[i].start;
        row->ids[i] = find_known(frames, text + at, rests[i], true);
        if (row->ids[i] == INTERN_NONE)
            return false;
        at += rests[i].piece.length + 1;
    }
    return true;
}

/* Whether block `number` of a text is one of the common start, if the blocks before it are. */
static bool may_be_common(const struct frames *frames, struct span text, size_t number)
{
    size_t from = number * PIECE_BLOCK_BYTES;
    return text.length >= from + PIECE_BLOCK_BYTES && memcmp(text.at, frames->common, from) == 0 &&
           memchr(text.at + from, ';', PIECE_BLOCK_BYTES) == NULL;
}

/*
 * Sets one more block of the common start to that which at least half of the known frames have;
 * fails if there is none. The first loop finds the only candidate (Boyer and Moore's majority
 * vote): blocks that differ cancel each other, and what more than half have is left. The second
 * counts it.
 */
static bool find_common_block(struct frames *frames, const uint32_t *ids, size_t count,
                              size_t number)
{
    char *block = frames->common + number * PIECE_BLOCK_BYTES;
    size_t left = 0, with_block = 0;
    for (size_t i = 0; i < count; i++) {
        struct span text = intern_get(&frames->texts, ids[i]);
        const char *at = text.at + number * PIECE_BLOCK_BYTES;
        if (!may_be_common(frames, text, number))
            continue;
        if (left == 0)
            memcpy(block, at, PIECE_BLOCK_BYTES);
        left = memcmp(block, at, PIECE_BLOCK_BYTES) == 0 ? left + 1 : left - 1;
    }
    for (size_t i = 0; i < count && left > 0; i++) {
        struct span text = intern_get(&frames->texts, ids[i]);
        with_block += may_be_common(frames, text, number) &&
                      memcmp(block, text.at + number * PIECE_BLOCK_BYTES, PIECE_BLOCK_BYTES) == 0;
    }
    return 2 * with_block >= count && left > 0;
}

static void put_known(struct frames *frames, uint32_t id)
{
    struct span text = intern_get(&frames->texts, id);
    struct rest rest = rest_of(frames, text.at, text.length);
    size_t slot = rest.piece.hash & frames->known_mask;
    while (frames->known[slot].rest != NULL)
        slot = (slot + 1) & frames->known_mask;
    frames->known[slot] = (struct known_frame){.rest = text.at + rest.start,
                                               .length = (uint32_t)rest.piece.length,
                                               .start = (uint32_t)rest.start,
                                               .hash = rest.piece.hash,
                                               .id = id};
}

/* Makes the table twice as large, and chooses the common start. */
static void grow_known(struct frames *frames)
{
    enum { FIRST_SLOTS = 64 };
    size_t slots = frames->known == NULL ? FIRST_SLOTS : 2 * (frames->known_mask + 1);
    uint32_t *ids = mem_zeroed(frames->known_count, sizeof *ids);
    size_t count = 0;
    for (size_t i = 0; frames->known != NULL && i <= frames->known_mask; i++)
        if (frames->known[i].rest != NULL)
            ids[count++] = frames->known[i].id;
    if (frames->known == NULL)
        frames->known_seed = hash_seed();
    size_t blocks = 0;
    while (count > 0 && blocks < FRAMES_COMMON_MAX / PIECE_BLOCK_BYTES &&
           find_common_block(frames, ids, count, blocks))
        blocks++;
    frames->common_length = blocks * PIECE_BLOCK_BYTES;
    free(frames->known);
    frames->known = mem_zeroed(slots, sizeof *frames->known);
    frames->known_mask = slots - 1;
    for (size_t i = 0; i < count; i++)
        put_known(frames, ids[i]);
    free(ids);
}

static void add_known(struct frames *frames, uint32_t id)
{
    if (2 * (frames->known_count + 1) > frames->known_mask)
        grow_known(frames);
    put_known(frames, id);
    frames->known_count++;
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
    uint32_t known_count = frames->texts.count;
    uint32_t id = intern_add(&frames->texts, text, length);
    if (id < known_count)
        return id;

    struct intern *strings = &frames->symbols->strings;
    uint32_t source = intern_add(strings, parsed->source.at, parsed->source.length);
    uint32_t name = intern_add(strings, parsed->name.at, parsed->name.length);
    frames->frames = mem_grow(frames->frames, &frames->frame_capacity, frames->texts.count,
                              sizeof *frames->frames);
    frames->frames[id] = (struct frame){.name = name};
    frames->in_stacks = mem_grow(frames->in_stacks, &frames->in_stacks_capacity,
                                 frames->texts.count, sizeof *frames->in_stacks);
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
        const struct frame *frame = &frames->frames[i];
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
    free(frames->frames);
    free(frames->in_stacks);
    free(frames->known);
    *frames = (struct frames){0};
}
