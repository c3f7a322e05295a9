#include "read/frames.h"

#include "base/mem.h"
#include "tree/stacks.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *text, size_t length)
{
    return (uint32_t)XXH3_64bits(text, length);
}

static uint32_t find_known(const struct frames *frames, uint32_t hash, const char *text,
                           size_t length)
{
    size_t mask = frames->known_mask;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        const struct known_frame *known = &frames->known[slot];
        if (known->text == NULL)
            return INTERN_NONE;
        if (known->hash == hash && known->length == length &&
            memcmp(known->text, text, length) == 0)
            return known->id;
    }
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    if (frames->known_count == 0)
        return INTERN_NONE;
    return find_known(frames, hash_of(text, length), text, length);
}

size_t frames_find_row(const struct frames *frames, struct span stack, size_t from,
                       uint32_t ids[FRAMES_ROW_MAX], size_t *count)
{
    enum { LINE_BYTES = 64 };
    size_t starts[FRAMES_ROW_MAX + 1] = {from};
    uint32_t hashes[FRAMES_ROW_MAX];
    size_t length = 0;
    *count = 0;
    if (frames->known_count == 0)
        return from;
    for (; length < FRAMES_ROW_MAX && starts[length] <= stack.length; length++) {
        const char *at = stack.at + starts[length];
        const char *semicolon = memchr(at, ';', stack.length - starts[length]);
        size_t end = semicolon == NULL ? stack.length : (size_t)(semicolon - stack.at);
        hashes[length] = hash_of(at, end - starts[length]);
        __builtin_prefetch(&frames->known[hashes[length] & frames->known_mask]);
        starts[length + 1] = end + 1;
    }
    for (size_t i = 0; i < length; i++) {
        const struct known_frame *known = &frames->known[hashes[i] & frames->known_mask];
        __builtin_prefetch(known->text);
        if (known->length > LINE_BYTES)
            __builtin_prefetch(known->text + LINE_BYTES);
    }
    for (; *count < length; ++*count) {
        size_t start = starts[*count];
        ids[*count] =
            find_known(frames, hashes[*count], stack.at + start, starts[*count + 1] - 1 - start);
        if (ids[*count] == INTERN_NONE)
            break;
    }
    return starts[*count];
}

static void put_known(struct frames *frames, struct known_frame known)
{
    size_t slot = known.hash & frames->known_mask;
    while (frames->known[slot].text != NULL)
        slot = (slot + 1) & frames->known_mask;
    frames->known[slot] = known;
    frames->known_count++;
}

static void add_known(struct frames *frames, uint32_t id)
{
    enum { FIRST_SLOTS = 64 };
    if (2 * (frames->known_count + 1) > frames->known_mask) {
        struct known_frame *before = frames->known;
        size_t slots = before == NULL ? 0 : frames->known_mask + 1;
        size_t more = slots == 0 ? FIRST_SLOTS : 2 * slots;
        frames->known = mem_zeroed(more, sizeof *frames->known);
        frames->known_mask = more - 1;
        frames->known_count = 0;
        for (size_t i = 0; i < slots; i++)
            if (before[i].text != NULL)
                put_known(frames, before[i]);
        free(before);
    }
    struct span text = intern_get(&frames->texts, id);
    uint32_t hash = hash_of(text.at, text.length);
    put_known(frames, (struct known_frame){text.at, (uint32_t)text.length, hash, id});
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
    frames->frames[id] = (struct frame){
        .function = symbols_add_function(frames->symbols, source, parsed->line_defined, name),
        .name = name,
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
        symbols->functions[frame->function].is_used = true;
        symbols_add_name(symbols, frame->function, frame->name, frame->calls);
    }
    symbols_name_functions(symbols);
}

void frames_release(struct frames *frames)
{
    intern_release(&frames->texts);
    free(frames->frames);
    free(frames->known);
    *frames = (struct frames){0};
}
