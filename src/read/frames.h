/*
 * frames.h - each distinct frame text of the logs, taken apart once.
 *
 * A log of gigabytes repeats a few thousand frame texts, so a frame is looked up
 * by its bytes first and given to the grammar only when it is new.
 */
#ifndef SUPPROF_FRAMES_H
#define SUPPROF_FRAMES_H

#include "base/intern.h"
#include "read/grammar.h"
#include "tree/symbols.h"

#include <stdbool.h>
#include <stdint.h>

struct frame {
    uint64_t calls;    /* sum over the records that end in this frame */
    uint32_t function; /* function id */
    uint32_t name;     /* string id: the function's name in this frame */
    int32_t call_line; /* calling line of the next frame; see stacks.h */
    bool is_used;      /* it is in a record that was used */

    /* Whether these bytes mean this frame in any record: see grammar.h. */
    bool is_context_free;
};

/* All zero is an empty table, once `symbols` is set. */
struct frames {
    struct symbols *symbols; /* not owned */
    struct intern texts;     /* frame ids are the ids of these */
    struct frame *frames;    /* [texts.count] */
    size_t frame_capacity;
};

/* Returns the id of a context-free frame by its text, or INTERN_NONE. */
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

#endif
