/*
 * frames.h - each distinct frame text of the logs, taken apart once.
 *
 * A log of gigabytes repeats a few thousand frame texts, so a frame is looked up
 * by its bytes first and given to the grammar only when it is new.
 */
#pragma once

#include "base/index.h"
#include "read/grammar.h"
#include "tree/stacks.h"
#include "tree/symbols.h"

struct record_frame {
    uint64_t calls;       /* sum over the records that end in this frame */
    uint32_t name;        /* string id: the function's name in this frame */
    bool is_used;         /* it is in a record that was used */
    bool is_context_free; /* see grammar.h */
};

/* All zero is an empty table, once `symbols` is set. */
struct frames {
    struct symbols *symbols;     /* not owned */
    struct intern texts;         /* frame ids are the ids of these */
    struct record_frame *frames; /* [texts.count] */
    size_t frame_capacity;
    /*
     * The functions and lines of the frames, in an array of their own: what each record needs is
     * small.
     */
    struct stack_frame *in_stacks; /* [texts.count] */
    size_t in_stacks_capacity;
    /*
     * Most context-free frames, where a short search by their last bytes finds them. It is a cache:
     * what is not found here is searched in `texts`, so that no log can make a search long.
     */
    struct frame_end {
        const char *text; /* [length] */
        uint32_t length;  /* 0: the slot is free */
        uint32_t id;
    } * by_end; /* [end_mask + 1], a power of two; NULL at first */
    size_t end_mask;
};

/*
 * Returns the id of a context-free frame by its text, or INTERN_NONE. The bytes of such a frame are
 * the same frame in any record: see grammar.h.
 */
uint32_t frames_find(const struct frames *frames, const char *text, size_t length);

/* Returns the id of the frame with this text; creates it if necessary. */
uint32_t frames_add(struct frames *frames, const char *text, size_t length,
                    const struct grammar_frame *parsed);

/*
 * Call it once, after the last log. It marks the functions of used frames as used, and names each
 * function by the names in its calls.
 */
void frames_name_functions(struct frames *frames);

void frames_release(struct frames *frames);
