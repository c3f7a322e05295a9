/*
 * selection.h - the options that choose a part of a profile and its detail: they change
 * the tree before any report is written.
 *
 * They apply in this order: the thread; the filters, as given; recursion is folded; nodes
 * that are too deep or too small are folded into their callers.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "select/filter.h"

/* All zero selects everything. */
struct selection {
    int threads; /* or of NODE_MAIN and NODE_COROUTINE; 0 for both */
    struct filters filters;
    bool folds_recursion;
    uint32_t depth_max;    /* 0 for no limit */
    bool lists_all_frames; /* see listed_stacks.h */
    double min_percent;    /* of the profile's time; 0 for no limit */
};

bool selection_is_one_thread(const struct selection *selection);

/* Whether call stacks are filtered or folded, so that calls are taken away. */
bool selection_changes_stacks(const struct selection *selection);

/* Appends the options that fold stacks: ", --fold-recursion, --max-depth 5". */
void selection_put_folds(struct text *text, const struct selection *selection);

/*
 * Returns the function "(folded)", which gets the time of removed frames without a caller.
 * Call this before the labels are made.
 */
uint32_t selection_add_folded(struct symbols *symbols);

/*
 * Keeps only the selected thread in a finished tree; recordings are already read that way.
 */
void selection_apply_thread(const struct selection *selection, struct tree *tree);

/*
 * Applies the rest of a selection to the tree of a finished profile. Fails if a pattern reaches
 * its limits. `folded` is from selection_add_folded().
 */
bool selection_apply(struct selection *selection, struct profile *profile,
                     const struct labels *labels, uint32_t folded, struct error *err);

/*
 * The last step: folds nodes that are too small, in `tree` and, if it is not NULL, in another
 * tree with the same nodes.
 */
void selection_drop_small(const struct selection *selection, struct tree *tree, struct tree *other,
                          uint32_t folded);

/*
 * Fails with a reason if the selection left nothing of a profile that was not empty. The
 * selection must be applied before.
 */
bool selection_check(const struct selection *selection, const struct tree *tree, struct error *err);

void selection_release(struct selection *selection);
