/*
 * samples.h - how far sums of ticks that were chosen by chance may be from those of all ticks.
 *
 * What a function does in one tick is not independent of the rest of the tick: the tick is what was
 * chosen, not its calls. So the ticks of a recording are dealt to SUBSAMPLES, one after the other
 * as cards are, and each is a sample of the whole game, from its beginning to its end. Each node
 * has its weighted self time in each of them. These add up as self times do: over the nodes of a
 * row, a subtree, or two trees. How much they differ in a sum gives its standard error:
 *
 *     sum in a subsample - share of the sum in the whole * the whole in the subsample
 *
 * is 0 on average, and the squares of these, times n / (n - 1), add up to the variance. That is the
 * error of the sum's share, in nanoseconds of the whole; what is alike in all rows cancels out.
 * In 95 games of 100, the truth is no further away than Student's t times that, with fewer degrees
 * of freedom the fewer subsamples carry the variance; tests/bench/coverage.c counts how often that
 * is so. A single tick tells nothing: then the sum itself is the error.
 *
 * What the recorder's cost makes wrong is the same in all ticks, so it does not become less with
 * their number.
 *
 * Subsamples that are all 0 do not differ, since the clock showed no step there. So the error is
 * never less than twice that of the clock.
 */
#pragma once

#include "tree/tree.h"

/* A sum of nodes in each subsample, and the errors that the recording overhead and the clock have.
 */
struct sample_sums {
    double ns[SUBSAMPLES];
    double cost_error_ns;
    double clock_variance_ns2;
};

void sample_sums_add(struct sample_sums *to, const struct sample_sums *from);

/* The sums of a node alone. The tree must have samples. */
struct sample_sums sample_sums_of(const struct tree *tree, uint32_t node);

/* Returns the sums of each node with all below it, [node_count]. */
struct sample_sums *sample_totals(const struct tree *tree);

/* Half of the interval that has the truth in 95 games of 100. `all` is the sum of all nodes. */
double sample_error_ns(const struct sample_sums *sum, const struct sample_sums *all);
