/*
 * tree_builder.h - makes call trees: from call stacks, or node by node out of another tree.
 *
 *     tree_builder_init_like(&builder, tree);
 *     for each node of `tree`, parents first:
 *         uint32_t to = tree_builder_child(&builder, ...);
 *         tree_builder_add(&builder, to, tree_values(tree, node));
 *     tree_builder_replace(&builder, tree);
 *
 * The nodes of a builder have self times. A finished tree has totals, too.
 */
#pragma once

#include "base/hash_index.h"
#include "tree/stacks.h"
#include "tree/tree.h"

struct tree_builder {
    /*
     * The tree so far, with arrays of [capacity]. `samples` and `lines` are NULL until a node with
     * such is added, and lines are not in order; `total_ns` is NULL, and so is `outermost` where
     * stacks are so deep that it is found in the finished tree.
     */
    struct tree tree;
    uint64_t *hashes; /* of the path to the node; that of the root is a seed */
    size_t capacity;
    struct index index;     /* of the calls */
    uint32_t indexed_count; /* nodes that are all in the index; after tree_builder_extend() */
    uint64_t *paths;        /* [path_capacity]: hashes of the stacks that are added */
    size_t path_capacity;
    uint64_t compared_frames; /* to know which nodes are outermost */
    bool has_stacks;          /* stacks were added: nodes may lack a time */
};

/* Makes a builder that has only the root. */
void tree_builder_init(struct tree_builder *builder, bool has_details);

/* The same, with details if the tree has them. */
void tree_builder_init_like(struct tree_builder *builder, const struct tree *tree);

/* The same, with all nodes of a finished tree, but without their values: these can only be added.
 */
void tree_builder_init_alike(struct tree_builder *builder, const struct tree *tree,
                             bool has_details);

/*
 * Goes on with a finished tree, which is taken; its nodes keep their ids. The builder is all zero,
 * or the one that has lent the tree.
 */
void tree_builder_extend(struct tree_builder *builder, struct tree *tree);

/*
 * Gives away the tree, which has no totals, and after deep stacks no `outermost`, until the builder
 * is extended by it again: that takes time in proportion to the nodes that were added since the
 * time before. Meanwhile nothing else may add nodes to the tree.
 */
void tree_builder_lend(struct tree_builder *builder, struct tree *tree);

/* Also for a builder that was finished, or is all zero. */
void tree_builder_release(struct tree_builder *builder);

/* Returns the child of `parent` with this function and calling line; adds it if it is new. */
uint32_t tree_builder_child(struct tree_builder *builder, uint32_t parent, uint32_t function,
                            int32_t line);

/*
 * The same for the calls of a whole tree, [count], where they are nodes of that tree. Returns the
 * nodes, [count], which the caller frees.
 *
 * `last_outermost` has tree->outermost of these nodes, if no two calls are the same and nothing is
 * searched for afterwards: then what is below a new node is new, too, and needs no search. Or NULL.
 */
uint32_t *tree_builder_add_calls(struct tree_builder *builder, const struct call *calls,
                                 uint32_t count, const bool *last_outermost);

/*
 * Adds a child that its parent does not have yet, without a search: for copies of a tree.
 * tree_builder_child() cannot find it later.
 */
uint32_t tree_builder_append(struct tree_builder *builder, struct call call);

/* Adds the stacks of a batch, whose times are totals; in any order and more than once. */
void tree_builder_add_stacks(struct tree_builder *builder, const struct stack_batch *stacks);

/* A node's own values, without those of its children. */
struct node_values {
    uint64_t calls;
    int64_t self_ns;
    uint8_t flags;                      /* or of enum node_flags */
    const struct call_details *details; /* not owned; NULL for none */
    const struct subsamples *samples;   /* the same */
    const struct line_run *lines;       /* the same; [line_count] */
    size_t line_count;
};

struct node_values tree_values(const struct tree *tree, uint32_t node);

/* Adds values to a node. Without details in the builder, those given are ignored. */
void tree_builder_add(struct tree_builder *builder, uint32_t to, struct node_values values);

/*
 * Adds only time and memory, for a node that becomes part of its caller. If `to` is the root,
 * there is no caller, and they go to a child of the root, the function `folded`.
 */
void tree_builder_add_time(struct tree_builder *builder, uint32_t to, struct node_values values,
                           uint32_t folded);

/* Adds a whole tree to a builder to which nothing was appended. */
void tree_builder_add_tree(struct tree_builder *builder, const struct tree *tree);

/*
 * Adds the stacks of another builder: as if they had been added here, after those that were.
 * `functions` has the ids of functions by those that they have there; the other builder is changed.
 */
void tree_builder_join(struct tree_builder *builder, struct tree_builder *later,
                       const uint32_t *functions);

/*
 * Makes the tree and empties the builder. If stacks were added, a node without a log line that has
 * a time gets the sum of its children as its total, and a node without any log line gets the thread
 * flags of its descendants.
 */
void tree_builder_finish(struct tree_builder *builder, struct tree *tree);

/* Finishes the builder, and replaces another tree with the result. */
void tree_builder_replace(struct tree_builder *builder, struct tree *tree);
