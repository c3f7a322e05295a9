/*
 * limit_check.h - computes the value of a limit's quantity, and whether the limit is broken.
 */
#pragma once

#include "base/text.h"
#include "select/limit.h"
#include "select/repeated_values.h"
#include "tree/tree.h"

/* The data that limits are checked on. */
struct limit_side {
    const struct tree *tree;
    const struct tick_list *ticks;
    size_t tick_count;                      /* divides a value per tick */
    bool has_memory;                        /* heap growth was recorded */
    const struct repeated_values *repeated; /* of --repeated, with the ticks of each log; or NULL */
};

struct limit_result {
    const struct limit *limit;
    uint8_t *is_matched;  /* [function_count], or NULL for all; owned by the caller */
    uint32_t match_count; /* functions; 0 without a pattern */
    double now, old;      /* in the limit's units, see struct limit; medians of --repeated */
    double change;        /* compared with the bound, if that is a change; may be infinite */
    bool is_told_apart;   /* the change is larger than the clocks' error, or chance */
    bool is_broken;
    bool is_unsure; /* it would be broken, but the change cannot be told apart */
};

/* Whether a side has data for the limit's quantity. */
bool limit_is_known(const struct limit *limit, const struct limit_side *side, struct error *err);

/*
 * Computes a result whose limit, is_matched and match_count are set. `old` is NULL without
 * --diff; its tree has the same nodes as the other.
 */
void limit_check(struct limit_result *result, const struct limit_side *now,
                 const struct limit_side *old);

/* Appends a line about a limit that is broken, or unsure; without a line feed. */
void limit_put_result(struct text *text, const struct limit_result *result);
