/*
 * line_runs.h - how often the lines of functions ran, and their self times, where a recording has
 * them. They are parts of the self times of nodes:
 *
 *     node  line  runs  self            node 7: Update, called from OnTick, has a self time of 42
 *        7    12     4    30
 *        7    13     3    12
 *
 * The line 0 of a node has the time before its first line was known. In each node with lines, their
 * times add up to its own. The list of a tree is in order of node and line, and has each once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct line_runs {
    struct line_run {
        uint32_t node;
        int32_t line;
        uint64_t runs;
        uint64_t begins; /* of those, the first of a call; 0 in a tree that is finished */
        int64_t self_ns;
    } * at; /* [count] */
    size_t count, capacity;
};

/* Adds to a list, which is made if it is NULL. */
void line_runs_add(struct line_runs **runs, struct line_run run);

void line_runs_free(struct line_runs *runs);

/* Brings a list into its order, and adds up equal ones; `runs` may be NULL. */
void line_runs_sort(struct line_runs *runs);

/* Return those of a node, [*count], and one of them, or NULL; `runs` may be NULL. */
const struct line_run *line_runs_of(const struct line_runs *runs, uint32_t node, size_t *count);
struct line_run *line_runs_find(const struct line_runs *runs, uint32_t node, int32_t line);

/*
 * Changes the times so that those of each node add up to its own again, in the same proportions.
 * `self_ns` has those of the nodes.
 */
void line_runs_fit(struct line_runs *runs, const int64_t *self_ns);
