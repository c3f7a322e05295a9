#include "read/frames.h"

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    uint32_t id = intern_find(&frames->texts, text, length);
    return id != INTERN_NONE && frames->frames[id].is_context_free ? id : INTERN_NONE;
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
    MEM_FREE(frames->frames, frames->in_stacks);
    *frames = (struct frames){0};
}
