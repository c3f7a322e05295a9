/*
 * limit_check.h - what there is of the quantity of a limit, and whether the limit is broken.
 */
#ifndef SUPPROF_LIMIT_CHECK_H
#define SUPPROF_LIMIT_CHECK_H

#include "base/text.h"
#include "select/limit.h"
#include "select/repeats.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What limits are checked on. */
struct limit_side {
    const struct tree *tree;
    const struct tick_list *ticks;
    size_t tick_count;             /* what a value per tick is of */
    bool has_memory;               /* it was recorded */
    const struct repeats *repeats; /* of --repeated, or NULL: then of the logs, ticks too */
};

struct limit_result {
    const struct limit *limit;
    uint8_t *is_matched;  /* [function_count], or NULL for all; of whoever checks it */
    uint32_t match_count; /* functions; 0 without a pattern */
    double now, old;      /* in the limit's units, see struct limit; medians of --repeated */
    double change;        /* what the bound is for, where that is a change; may be infinite */
    bool is_told_apart;   /* the change is more than clocks, or chance, can make */
    bool is_broken;
};

/* Whether a side knows what the limit is for. */
bool limit_is_known(const struct limit *limit, const struct limit_side *side, struct error *err);

/*
 * Fills in the rest of a result with limit, is_matched and match_count. `old` is NULL where nothing
 * is compared; its tree has the nodes of the other.
 */
void limit_check(struct limit_result *result, const struct limit_side *now,
                 const struct limit_side *old);

/* Appends one line about a limit that is broken, without its end. */
void limit_put_broken(struct text *text, const struct limit_result *result);

#endif
