/*
 * filter.h - patterns that choose and cut call stacks: a tree in, a tree out.
 *
 * A pattern is looked for in the labels of functions, as reports show them, once for
 * each function of the tree. An example: the pattern B, and the profile A;B;C;B in which
 * each of the four stacks has 1 ms self time. Each kind of filter leaves:
 *
 *                       A    A;B   A;B;C   A;B;C;B
 *     focus             -     1      1       1       stacks in which B is, anywhere
 *     ignore            1     -      -       -       the others
 *     show-from               B     B;C     B;C;B    the same stacks, from the first B on;
 *                       -     1      1       1         its callers are gone
 *     hide              A     A     A;C     A;C      B is taken out of all stacks, and
 *                       1   + 1      1     + 1         its time is its caller's
 *
 * focus and ignore keep the times and calls of the stacks that stay, so the two split the
 * profile. show-from keeps the same stacks as focus. hide keeps all of the time: time
 * without a caller goes to a function "(folded)". Calls of hidden functions are no longer
 * counted. Their callees count as called from the line at which the last visible frame
 * made the first hidden call.
 *
 * Filters apply in the order given, each to the result of the one before: two focuses are
 * an "and". The fble profiler's notes call a focused function selected, an ignored one
 * excluded, and a hidden one folded.
 */
#pragma once

#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "tree/tree.h"

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW_FROM };

struct filter {
    enum filter_kind kind;
    struct pattern *pattern;
    const char *file;     /* of --hide-file; NULL: from an option */
    uint64_t line;        /* in that file */
    const char *origin;   /* "./.supprof:3", which asked for it; NULL: the command line */
    uint32_t match_count; /* functions, by filters_apply(); of several trees, the most */
};

/* All zero is an empty list. */
struct filters {
    struct filter *all; /* [count], in the order in which they apply */
    size_t count, capacity;
};

/* Adds a filter. Fails if the pattern is invalid; the error does not name the option. */
bool filters_add(struct filters *filters, enum filter_kind kind, struct span pattern,
                 struct error *err);

/*
 * Adds a hide for each line of a file. Each line is a pattern; blanks around it, empty lines and
 * lines that begin with '#' are ignored. `path` must outlive the filters.
 */
bool filters_add_file(struct filters *filters, const char *path, struct error *err);

/* "--hide 'next'" or "noise.txt:3: 'next'", in clean text. */
void filter_put_name(struct text *text, const struct filter *filter);

/*
 * Applies all filters to a finished tree, which stays finished. `folded` is the function that
 * gets the time without a caller; no pattern matches it. Fails if a pattern reaches its
 * limits; the tree must not be used then.
 */
bool filters_apply(struct filters *filters, struct tree *tree, const struct labels *labels,
                   uint32_t function_count, uint32_t folded, struct error *err);

/*
 * Looks for a pattern in the label of every function of a tree. Sets `matches`,
 * [function_count], and returns the number of matches, or UINT32_MAX after an error.
 */
uint32_t filter_match(struct pattern *pattern, const struct tree *tree, const struct labels *labels,
                      uint32_t function_count, uint8_t *matches, struct error *err);

/*
 * The options that choose a part of a profile and its detail: they change
 * the tree before any report is written.
 *
 * They apply in this order: the thread; the filters, as given; recursion is folded; nodes
 * that are too deep or too small are folded into their callers.
 */

/* All zero selects everything. */
struct selection {
    int threads; /* or of NODE_MAIN and NODE_COROUTINE; 0 for both */
    struct filters filters;
    bool folds_recursion;
    uint32_t depth_max;    /* 0 for no limit */
    bool lists_all_frames; /* see viewer_tree.h */
    double min_percent;    /* of the profile's time; 0 for no limit */
};

bool selection_is_one_thread(const struct selection *selection);

/* Whether call stacks are filtered or folded, so that calls are taken away. */
bool selection_changes_stacks(const struct selection *selection);

/* Appends the options that fold stacks: ", --fold-recursion, --max-depth 5". */
void selection_put_folds(struct text *text, const struct selection *selection);

/*
 * The first step: keeps only the selected thread in a finished tree; recordings are already read
 * that way. Folds recursion, unless there are filters, which look at call stacks as they were.
 */
void selection_begin(const struct selection *selection, struct tree *tree);

/*
 * Applies the rest of a selection to the tree of a finished profile. Fails if a pattern reaches
 * its limits. `folded` is the function "(folded)", which gets the time of removed frames without a
 * caller.
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
