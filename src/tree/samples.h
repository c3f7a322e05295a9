/*
 * samples.h - how far sums of a sampled recording may be from the truth.
 *
 * The bursts of a sampled recording (rebuild/stacks/sampling.h) are dealt to SAMPLE_PARTS parts,
 * one after the other as cards are, so that each part is a sample of the whole recording. Each node
 * has its self time in each part. These add up like self times do: over the nodes of a row, a
 * subtree, or two trees. How much the parts of a sum differ from each other gives its standard
 * error:
 *
 *     part of the sum - share of the sum in the whole * part of the whole
 *
 * is 0 on average, and the squares of these, times n / (n - 1), add up to the variance. That is the
 * error of the sum's share, in nanoseconds of the whole; what is alike in all rows cancels out.
 * With 20 parts, the truth lies within 2.1 standard errors in 95 cases of 100 (Student's t).
 */
#pragma once

#include "tree/tree.h"

/* The parts of a sum of nodes, and the error that the recording overhead has. */
struct sample_sums {
    double ns[SAMPLE_PARTS];
    double cost_error_ns;
};

/* Add to another node, or sum, and scale. */
void sample_parts_add(struct sample_parts *to, const struct sample_parts *from);
struct sample_parts sample_parts_scaled(const struct sample_parts *from, double factor);
void sample_sums_add(struct sample_sums *to, const struct sample_sums *from);

/* The sums of a node alone. The tree must have samples. */
struct sample_sums sample_sums_of(const struct tree *tree, uint32_t node);

/* Returns the sums of each node with all below it, [node_count]. */
struct sample_sums *sample_totals(const struct tree *tree);

/* The variance of a sum, without the error of the overhead. `all` is the sum of all nodes. */
double sample_variance_ns2(const struct sample_sums *sum, const struct sample_sums *all);

/* The standard error of a sum, with both. */
double sample_error_ns(const struct sample_sums *sum, const struct sample_sums *all);

/*
 * Call it when the overhead was subtracted: `measured_ns`, [node_count], are the self times before.
 * The parts lose as much of theirs, and the details of each node get the variance that they show.
 */
void samples_finish(struct tree *tree, const int64_t *measured_ns);
