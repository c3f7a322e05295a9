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

/* The longest common start of frames. */
enum { FRAMES_COMMON_MAX = 128 };

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
     * The context-free frames by their hashes, with all that a search needs in one place. A log's
     * frames do not fit into the first cache.
     */
    struct known_frame {
        const char *rest; /* [length] the text after `start` bytes; NULL: the slot is free */
        uint32_t length, start, hash, id;
    } * known;         /* [known_mask + 1], a power of two; at least half are free */
    size_t known_mask; /* known_count are used */
    size_t known_count;
    uint64_t known_seed; /* of their hashes */
    /*
     * The start of at least half of the known frames, in whole blocks of 32 bytes: the directory of
     * the game. It is compared once, and only the text after it is hashed, searched for its end,
     * and compared with that of a known frame: the thread that reads records takes 15 % less time.
     */
    char common[FRAMES_COMMON_MAX]; /* [common_length], without ';' */
    size_t common_length;           /* 0 for none */
};

/*
 * Returns the id of a context-free frame by its text, or INTERN_NONE. The bytes of such a frame are
 * the same frame in any record: see grammar.h.
 */
uint32_t frames_find(const struct frames *frames, const char *text, size_t length);

/* A row of frames in a line. */
enum { FRAMES_ROW_MAX = 16 };
struct frame_row {
    size_t count;
    uint32_t ids[FRAMES_ROW_MAX]; /* [count] */
    size_t next;                  /* where the text after the last frame and its ';' begins */
    bool is_last;                 /* no ';' stands after that in the line, */
    size_t line_end;              /* which ends here, at a line feed */
};

/*
 * Finds the next row of frames in text[from, ...), which must contain a line feed; READ_TAIL_BYTES
 * after that may be read. Returns false if one of the fields between ';' is not a known
 * context-free frame.
 *
 * All frames of a row are hashed before any is compared, so that the processor fetches their texts
 * at the same time: the thread that reads records takes 8 % less time than if each is found by
 * itself.
 */
bool frames_find_row(const struct frames *frames, const char *text, size_t from,
                     struct frame_row *row);

/* Returns the id of the frame with this text; creates it if necessary. */
uint32_t frames_add(struct frames *frames, const char *text, size_t length,
                    const struct grammar_frame *parsed);

/*
 * Call it once, after the last log. It marks the functions of used frames as used, and names each
 * function by the names in its calls.
 */
void frames_name_functions(struct frames *frames);

void frames_release(struct frames *frames);
