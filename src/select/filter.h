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
#include "names/labels.h"
#include "tree/tree.h"

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW_FROM };

struct filter {
    enum filter_kind kind;
    struct pattern *pattern;
    const char *file;     /* of --hide-file; NULL: from an option */
    uint64_t line;        /* in that file */
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
 * Fails if a filter that has been applied matches no function, and so left nothing of a profile.
 */
bool filters_have_matches(const struct filters *filters, struct error *err);

/*
 * Looks for a pattern in the label of every function of a tree. Sets `matches`,
 * [function_count], and returns the number of matches, or UINT32_MAX after an error.
 */
uint32_t filter_match(struct pattern *pattern, const struct tree *tree, const struct labels *labels,
                      uint32_t function_count, uint8_t *matches, struct error *err);

void filters_release(struct filters *filters);
