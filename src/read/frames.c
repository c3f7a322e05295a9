#include "read/frames.h"

#include "base/mem.h"
#include "platform/random.h"
#include "read/piece.h"
#include "tree/stacks.h"

#include <stdlib.h>
#include <string.h>

/* `has_tail` says whether the bytes after the text may be read, which is faster. */
static inline uint32_t find_known(const struct frames *frames, const char *text, struct piece piece,
                                  bool has_tail)
{
    size_t mask = frames->known_mask;
    for (size_t slot = piece.hash & mask;; slot = (slot + 1) & mask) {
        const struct known_frame *known = &frames->known[slot];
        if (known->text == NULL)
            return INTERN_NONE;
        if (known->hash == piece.hash && known->length == piece.length &&
            (has_tail ? piece_is_same(known->text, text, piece.length)
                      : memcmp(known->text, text, piece.length) == 0))
            return known->id;
    }
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    if (frames->known_count == 0)
        return INTERN_NONE;
    struct piece piece = {length, piece_hash(text, length, frames->known_seed)};
    return find_known(frames, text, piece, false);
}

bool frames_find_row(const struct frames *frames, const char *text, size_t from,
                     struct frame_row *row)
{
    enum { LINE_BYTES = 64 };
    struct piece pieces[FRAMES_ROW_MAX];
    if (frames->known_count == 0)
        return false;
    size_t at = from, count = 0;
    row->is_last = false;
    while (count < FRAMES_ROW_MAX) {
        struct piece piece = piece_read(text + at, frames->known_seed);
        __builtin_prefetch(&frames->known[piece.hash & frames->known_mask]);
        row->is_last = text[at + piece.length] == '\n';
        if (row->is_last) {
            row->line_end = at + piece.length;
            break;
        }
        pieces[count++] = piece;
        at += piece.length + 1;
    }
    row->next = at;
    row->count = count;
    for (size_t i = 0; i < count; i++) {
        const struct known_frame *known = &frames->known[pieces[i].hash & frames->known_mask];
        __builtin_prefetch(known->text);
        if (known->length > LINE_BYTES)
            __builtin_prefetch(known->text + LINE_BYTES);
    }
    at = from;
    for (size_t i = 0; i < count; i++) {
        row->ids[i] = find_known(frames, text + at, pieces[i], true);
        if (row->ids[i] == INTERN_NONE)
            return false;
        at += pieces[i].length + 1;
    }
    return true;
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
        if (before == NULL)
            frames->known_seed = random_number();
        frames->known_count = 0;
        for (size_t i = 0; i < slots; i++)
            if (before[i].text != NULL)
                put_known(frames, before[i]);
        free(before);
    }
    struct span text = intern_get(&frames->texts, id);
    uint32_t hash = piece_hash(text.at, text.length, frames->known_seed);
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
