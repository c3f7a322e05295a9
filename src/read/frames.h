/*
 * frames.h - each distinct frame text of the logs, taken apart once.
 *
 * A log of gigabytes repeats a few thousand frame texts, so a frame is looked up
 * by its bytes first and given to the grammar only when it is new.
 */
#pragma once

#include "base/hash_index.h"
#include "read/grammar.h"
#include "tree/stacks.h"
#include "tree/symbols.h"

struct record_frame {
    uint64_t calls;       /* sum over the records that end in this frame */
    uint32_t name;        /* string id: the function's name in this frame */
    uint32_t start;       /* id in `starts` */
    bool is_context_free; /* see grammar.h */
};

enum {
    FRAMES_COMMON_MAX = 96, /* bytes of the longest common start */
    FRAME_END_BYTES = 42,   /* bytes of the longest end: `known_frame` fills a line of the cache */
};

/* All zero is an empty table, once `symbols` is set. */
struct frames {
    struct symbols *symbols;     /* not owned */
    struct intern texts;         /* frame ids are the ids of these */
    struct record_frame *frames; /* [texts.count] */
    size_t frame_capacity;
    /* What each record needs of its frames, in arrays of their own, which are small. */
    struct stack_frame *in_stacks; /* [texts.count]: their functions and lines */
    bool *is_used;                 /* [texts.count]: it is in a record that was used */
    size_t in_stacks_capacity, is_used_capacity;
    size_t semicolon_max; /* in the text of a context-free frame */
    struct intern starts; /* what frames begin with: their sources, as logs spell them */
    /*
     * Most context-free frames, where a short search by their last bytes finds them: with all that
     * it needs in one place, as a log's frames do not fit into the first cache. What is not found
     * here is searched in `texts`, so that no log can make a search long.
     */
    struct known_frame {
        const char *start;     /* [start_length] in `starts`, which the frames of a file share */
        uint32_t start_length; /* without what is skipped */
        uint32_t length;       /* of the frame; 0: the slot is free */
        uint32_t id;
        uint8_t skipped; /* bytes of the common start that it begins with */
        uint8_t end_length;
        char end[FRAME_END_BYTES]; /* [end_length] after the start */
    } * known;                     /* [known_mask + 1], a power of two; NULL at first */
    size_t known_mask;
    /*
     * What at least half of the starts begin with, in whole blocks of 32 bytes: the directory of
     * the game. It is compared once, and not searched for the end of a frame.
     */
    char common[FRAMES_COMMON_MAX]; /* [common_length], without ';' */
    size_t common_length;           /* 0 for none */
};

/* A row of frames in a line. */
enum { FRAMES_ROW_MAX = 16 };
struct frame_row {
    size_t count;
    uint32_t ids[FRAMES_ROW_MAX]; /* [count] */
    const char *next;             /* the text after the last frame and its ';' */
    bool is_last;                 /* no ';' follows in the line */
};

/*
 * Finds the next row of frames in a text that contains a line feed; READ_TAIL_BYTES after that may
 * be read, and `frames` must know some. Returns false if one of the pieces between ';' is no frame
 * that it knows: it may still be one.
 */
bool frames_find_row(const struct frames *frames, const char *text, struct frame_row *row);

/*
 * Returns the id of a context-free frame by its text, or INTERN_NONE. The bytes of such a frame are
 * the same frame in any record: see grammar.h.
 */
uint32_t frames_find(const struct frames *frames, const char *text, size_t length);

/* Returns the id of the frame with this text; creates it if necessary. */
uint32_t frames_add(struct frames *frames, const char *text, size_t length,
                    const struct grammar_frame *parsed);

/*
 * Whether frames that both tables have are the same: one that depends on its context need not be.
 * The symbols have been joined: `functions` has the ids of functions by those of the other table.
 */
bool frames_are_alike(struct frames *frames, const struct frames *later, const uint32_t *functions);

/* Adds the frames of a later log if they are alike. */
void frames_join(struct frames *frames, const struct frames *later, const uint32_t *functions);

/*
 * Call it once, after the last log. It marks the functions of used frames as used, and adds the
 * names in their calls; symbols_name_functions() is to follow.
 */
void frames_name_functions(struct frames *frames);

void frames_release(struct frames *frames);
