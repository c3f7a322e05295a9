/*
 * follow_screen.h - the screen of --follow: the most expensive functions so far, while the log
 * grows.
 *
 *     game.log: 61.842 s of Lua in 1,204 ticks, 3,918,220 calls of 1,204 functions
 *     Slow ticks: 14 of 1,204 over 100 ms, mean 51.4 ms. The longest, #912, took 480.3 ms
 *     Waiting for more (12.4 MB)
 *
 *       self ms  self%  ms/tick    total ms      calls  function
 *     9,550.052  15.44    7.932  11,201.440     12,005  BuildThreatMap   lua/ai/aiutilities.lua:812
 *
 *     w: the last 10 seconds   q: end and report
 */
#pragma once

#include "base/text.h"
#include "names/labels.h"
#include "rebuild/running_sums.h"
#include "tree/function_sums.h"

/*
 * The rows of --follow: the functions of sums that still grow, all of them, or
 * only what came after other sums.
 */

struct running_row {
    uint32_t function, rank;
    struct function_sum sum;
};

struct running_rows {
    struct running_row *all; /* [count], most self time first; equal ones by calls, then label */
    size_t count;
    struct function_sum whole; /* the calls and the self time of all */
};

/*
 * The rows have the sums of `now` less those of `before`, or 0 if that is negative. `before` may be
 * NULL. `ranks`: by function, its place in the order of labels.
 */
void running_rows_init(struct running_rows *rows, const struct function_sums *now,
                       const struct function_sums *before, const uint32_t *ranks);

void running_rows_release(struct running_rows *rows);

enum { FOLLOW_WINDOW_SECONDS = 10, FOLLOW_ROWS = 15 };

struct follow_screen {
    const char *title;              /* of the log */
    const char *status;             /* what the program does */
    const struct running_sums *now; /* functions have labels */
    bool has_recording;             /* a recording has begun */
    const struct rebuild_settings *settings;
    bool is_window; /* shows only what came after `before` */
    const struct running_sums *before;
    int64_t window_ns; /* from `before` until now: game time, see running_sums.h */
    const struct labels *labels;
    size_t row_limit;     /* 0: all that fit */
    size_t width, height; /* of the terminal; at least 1 */
    bool is_colored;
};

/*
 * Appends the whole screen, with the escape sequences that move the cursor: no more lines than
 * `height`, no line wider than `width`. Sums less those before are shown as 0 where they are
 * negative: the estimated cost of recording changes while it is read.
 */
void follow_screen_put(struct text *text, const struct follow_screen *screen);
