/*
 * wrong_callers.h - frames that an error had ended, and that delins' profiler left on the stack.
 *
 * That profiler does not notice errors that pcall() catches. What runs on the thread after one is
 * written below the frames that the error has ended: with right times, but with wrong callers. The
 * frames themselves last until the profiler is stopped. They cannot all be found, but these are
 * such frames:
 *
 * - those above a function that the engine calls, which is one that occurs as the first frame of a
 *   stack. It has no caller:
 *
 *       SimBeat                      the engine calls SimBeat,
 *       OnTick;pcall;Fail;SimBeat    so OnTick, pcall and Fail had ended
 *
 * - those of error(), and of KillThread() as a thread calls it for itself: they never return.
 *
 * In logs that were made with the game's VM beside the true stacks, every stack found by the first
 * rule was wrong, and about as many were not found; in a log without errors none was found. The
 * true callers of such stacks cannot be found: moved to the root, most calls were not on their true
 * stack either.
 */
#pragma once

#include "tree/symbols.h"
#include "tree/tree.h"

/* All zero: there are none. */
struct wrong_callers {
    /*
     * [function_count]: whether a tenth or more of a function's self time is of such frames, or its
     * self time is impossible: less than 0, or more than the time of the log.
     */
    uint8_t *is_doubtful; /* the caller frees it */
    uint32_t function_count, doubtful_count;
    int64_t doubtful_ns; /* the size of the self times of those functions */
    uint32_t worst;      /* the function with the most time right below its frames */
    size_t place_count;  /* functions right below which such stacks begin */
    int64_t below_ns;    /* the time of those stacks */
    int64_t share_ns;    /* of which it is a part: see tree_share_ns() */
};

/* Finds them in the tree of a log of delins' profiler, before anything was filtered. */
void wrong_callers_find(struct wrong_callers *frames, const struct tree *tree,
                        const struct symbols *symbols);
