/*
 * selection.h - what of a profile is looked at, and how closely: the options that turn
 * its tree into another one before any report is written.
 *
 * They apply in this order: the thread; the filters, as given; recursion is folded; what
 * is too deep or too small is folded into its caller.
 */
#ifndef SUPPROF_SELECTION_H
#define SUPPROF_SELECTION_H

#include "base/error.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "select/filter.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero selects everything. */
struct selection {
    uint8_t threads; /* or of NODE_MAIN and NODE_COROUTINE; 0 for both */
    struct filters filters;
    bool folds_recursion;
    uint32_t depth_max;    /* 0 for no limit */
    bool lists_all_frames; /* see listed_stacks.h */
    double min_percent;    /* of the profile's time; 0 for no limit */
};

bool selection_is_one_thread(const struct selection *selection);

/* Whether call stacks are filtered or folded. */
bool selection_changes_stacks(const struct selection *selection);

/*
 * Returns the function that stands for time whose frames were taken out and that has no
 * caller: "(folded)". To be called before the labels are made.
 */
uint32_t selection_add_folded(struct symbols *symbols);

/*
 * Leaves the selected thread of a settled tree; a recording was read with no other.
 */
void selection_apply_thread(const struct selection *selection, struct tree *tree);

/*
 * Applies the rest of a selection to the tree of a finished profile. Fails when a pattern runs into
 * its limits. `folded` is of selection_add_folded().
 */
bool selection_apply(struct selection *selection, struct profile *profile,
                     const struct labels *labels, uint32_t folded, struct error *err);

/*
 * And last: folds what is too small, in `tree` and, if it is not NULL, in another with the
 * same nodes.
 */
void selection_drop_small(const struct selection *selection, struct tree *tree, struct tree *other,
                          uint32_t folded);

/*
 * Fails with a reason when nothing is left of a profile that was not empty. `selection`
 * has been applied.
 */
bool selection_check(const struct selection *selection, const struct tree *tree, struct error *err);

void selection_release(struct selection *selection);

#endif
