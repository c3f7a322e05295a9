/*
 * stacks.h - call stacks as a log gives them, many in one array; trees are built from them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Special values of a calling line; all others are line numbers > 0. In a stack
 * and in the tree, a negative line -N means that the frame made a tail call at
 * or near line N, and its callee has replaced it.
 */
enum { LINE_UNKNOWN = 0, LINE_TAIL_CALL = -1 /* a tail call from an unknown line */ };

static inline bool line_is_known(int32_t line)
{
    return line != LINE_UNKNOWN && line != LINE_TAIL_CALL;
}

/* The number of a calling line or of the line near a tail call; 0 if it is not known. */
static inline int32_t line_number(int32_t line)
{
    if (!line_is_known(line) || line == INT32_MIN)
        return 0;
    return line < 0 ? -line : line;
}

/* Returns the new calling line if its function has moved by `shift` lines. */
static inline int32_t line_moved(int32_t line, int64_t shift)
{
    if (!line_is_known(line))
        return line;
    int64_t moved = line > 0 ? line + shift : line - shift;
    bool is_line =
        line > 0 ? moved > 0 && moved <= INT32_MAX : moved < LINE_TAIL_CALL && moved >= INT32_MIN;
    return is_line ? (int32_t)moved : line;
}

struct stack_frame {
    uint32_t function; /* function id, see symbols.h */
    int32_t call_line; /* from which it calls the next frame; see above */
};

struct stack {
    size_t depth; /* frames, at least 1 */
    uint64_t calls;
    int64_t total_ns; /* of the last frame, including its callees */
    bool has_time;    /* false: seconds were infinite, too many, or not a number; total_ns is 0 */
    bool on_main, on_coroutine;
};

/* All zero is an empty batch. */
struct stack_batch {
    struct stack *at; /* [count] */
    size_t count, capacity;
    struct stack_frame *frames; /* [frame_count]: the stacks' frames, one stack after another */
    size_t frame_count, frame_capacity;
};
