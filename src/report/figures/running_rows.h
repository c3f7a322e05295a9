/*
 * running_rows.h - the rows of --follow: the functions of sums that still grow, all of them, or
 * only what came after other sums.
 */
#pragma once

#include "tree/function_sums.h"

/* The function of the row of the recorder itself. */
#define RUNNING_ROW_OF_RECORDER UINT32_MAX

struct running_row {
    uint32_t function, rank;
    struct function_sum sum; /* without calls of the recorder, which have a row of their own */
};

struct running_rows {
    struct running_row *all; /* [count], most self time first; equal ones by calls, then label */
    size_t count;
    size_t function_count;
    struct function_sum whole; /* the calls and the self time of all */
};

/*
 * The rows have the sums of `now` less those of `before`, or 0 if that is negative. `before` may be
 * NULL. `ranks`: by function, its place in the order of labels.
 */
void running_rows_init(struct running_rows *rows, const struct function_sums *now,
                       const struct function_sums *before, const uint32_t *ranks);
void running_rows_release(struct running_rows *rows);
