#include "frames.h"

#include <stdlib.h>
#include <string.h>

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    uint32_t id = intern_find(&frames->texts, text, length);
    return id != INTERN_NONE && frames->frames[id].is_context_free ? id : INTERN_NONE;
}

/*
 * The existing profiler marks a tail call by negating the line that it has for
 * the caller. That line is -1 when the caller has called nothing before, and then
 * it shows up as 1, above the function's own first line; where there is no frame
 * left to mark, it stays -1.
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
        .is_context_free = parsed->is_context_free,
    };
    return id;
}

/* How many calls gave a function a name. */
struct vote {
    uint64_t calls;
    uint32_t function;
    uint32_t name;
};

static int compare_votes(const void *left, const void *right)
{
    const struct vote *a = left;
    const struct vote *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static bool is_no_name(struct span name)
{
    return name.length == 0 || (name.length == 1 && name.at[0] == '?');
}

static bool is_better_name(const struct symbols *symbols, struct vote vote, struct vote best)
{
    struct span name = intern_get(&symbols->strings, vote.name);
    struct span best_name = intern_get(&symbols->strings, best.name);
    if (is_no_name(name) != is_no_name(best_name))
        return is_no_name(best_name);
    if (vote.calls != best.calls)
        return vote.calls > best.calls;
    size_t shorter = name.length < best_name.length ? name.length : best_name.length;
    int order = memcmp(name.at, best_name.at, shorter);
    return order != 0 ? order < 0 : name.length < best_name.length;
}

void frames_name_functions(struct frames *frames)
{
    struct symbols *symbols = frames->symbols;
    size_t vote_count = frames->texts.count;
    struct vote *votes = mem_zeroed(vote_count, sizeof *votes);
    size_t used_count = 0;
    for (size_t i = 0; i < vote_count; i++) {
        const struct frame *frame = &frames->frames[i];
        if (!frame->is_used)
            continue;
        symbols->functions[frame->function].is_used = true;
        votes[used_count++] = (struct vote){frame->calls, frame->function, frame->name};
    }
    vote_count = used_count;
    qsort(votes, vote_count, sizeof *votes, compare_votes);

    struct vote best = {0};
    for (size_t i = 0, next; i < vote_count; i = next) {
        struct vote sum = votes[i];
        for (next = i + 1; next < vote_count && compare_votes(&votes[next], &votes[i]) == 0; next++)
            sum.calls += votes[next].calls;
        bool is_first = i == 0 || sum.function != best.function;
        if (is_first || is_better_name(symbols, sum, best))
            best = sum;
        /* C functions have had their name from the start; it is part of what they are. */
        if (symbols_is_lua(symbols, best.function))
            symbols->functions[best.function].name = best.name;
    }
    free(votes);
}

void frames_release(struct frames *frames)
{
    intern_release(&frames->texts);
    free(frames->frames);
    *frames = (struct frames){0};
}
