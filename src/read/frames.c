#include "read/frames.h"

enum { ENDS_SEARCHED = 4, END_BYTES = 16 };

/*
 * Returns where the search of a frame begins in `by_end`. A frame's end has its lines and its name,
 * and so tells it from nearly all others; to hash its path, too, takes longer than all the rest of
 * a search.
 */
static size_t end_slot(const struct frames *frames, const char *text, size_t length)
{
    uint64_t halves[2];
    memcpy(halves, text + length - END_BYTES, END_BYTES);
    uint64_t mixed = (halves[0] * 0x9e3779b97f4a7c15u ^ halves[1]) + length;
    return (size_t)((mixed * 0xd6e8feb86659fd93u) >> 32) & frames->end_mask;
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    if (length >= END_BYTES && frames->by_end != NULL) {
        size_t slot = end_slot(frames, text, length);
        for (int i = 0; i < ENDS_SEARCHED; i++) {
            const struct frame_end *known = &frames->by_end[(slot + (size_t)i) & frames->end_mask];
            if (known->length == length && memcmp(known->text, text, length) == 0)
                return known->id;
        }
    }
    uint32_t id = intern_find(&frames->texts, text, length);
    return id != INTERN_NONE && frames->frames[id].is_context_free ? id : INTERN_NONE;
}

/* Puts a context-free frame where frames_find() looks first, if there is room. */
static void put_end(struct frames *frames, uint32_t id)
{
    struct span text = intern_get(&frames->texts, id);
    if (!frames->frames[id].is_context_free || text.length < END_BYTES || text.length > UINT32_MAX)
        return;
    size_t slot = end_slot(frames, text.at, text.length);
    for (int i = 0; i < ENDS_SEARCHED; i++) {
        struct frame_end *end = &frames->by_end[(slot + (size_t)i) & frames->end_mask];
        if (end->length > 0)
            continue;
        *end = (struct frame_end){text.at, (uint32_t)text.length, id};
        return;
    }
}

/* Puts the last frame where it is found first; makes the table twice as large when it is needed. */
static void put_last_end(struct frames *frames)
{
    enum { FIRST_SLOTS = 64, SLOTS_A_FRAME = 2 };
    size_t count = frames->texts.count;
    if (frames->by_end != NULL && count * SLOTS_A_FRAME <= frames->end_mask) {
        put_end(frames, (uint32_t)(count - 1));
        return;
    }
    size_t slots = frames->by_end == NULL ? FIRST_SLOTS : 2 * (frames->end_mask + 1);
    free(frames->by_end);
    frames->by_end = mem_zeroed(slots, sizeof *frames->by_end);
    frames->end_mask = slots - 1;
    for (uint32_t id = 0; id < count; id++)
        put_end(frames, id);
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
    uint32_t source = symbols_add_source(frames->symbols, parsed->source);
    uint32_t name = intern_add_span(strings, parsed->name);
    MEM_GROW(frames->frames, frames->frame_capacity, frames->texts.count);
    frames->frames[id] =
        (struct record_frame){.name = name, .is_context_free = parsed->is_context_free};
    MEM_GROW(frames->in_stacks, frames->in_stacks_capacity, frames->texts.count);
    frames->in_stacks[id] = (struct stack_frame){
        .function = symbols_add_function(frames->symbols, source, parsed->line_defined, name),
        .call_line = call_line(parsed),
    };
    put_last_end(frames);
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
    MEM_FREE(frames->frames, frames->in_stacks, frames->by_end);
    *frames = (struct frames){0};
}
