/*
 * html_writing.h - what the parts of a page's data share while they are written.
 *
 * Functions and nodes are numbered as they are written: by their labels, and depth first.
 */
#pragma once

#include "base/json_writer.h"
#include "report/figures/report.h"
#include "tree/tree.h"
#include "tree/tree_order.h"

/* The trees as they are written: depth first, and without nodes that are too small. */
struct html_trees {
    struct tree now, old;    /* `old` has no node if nothing is compared */
    struct tree_order order; /* of both: the nodes of the trees that they were made from */
};

struct html_writing {
    struct json_writer json;
    const struct report *report;
    struct html_trees trees;
    uint32_t *functions; /* [function_count]: ids of symbols.h, as they are written */
    uint32_t *number_of; /* [symbols' function_count]: index of `functions` */
    uint32_t function_count;
    uint32_t bin_ticks; /* of which the changes are one; 0: without changes */
};

/* Sets `functions`, `number_of` and `function_count`. */
void html_number_functions(struct html_writing *writing);

/* Members of the document, in this order. */
void html_put_functions(struct html_writing *writing);
void html_put_sources(struct html_writing *writing);
void html_put_findings(struct html_writing *writing);
void html_put_nodes(struct html_writing *writing);
void html_put_old(struct html_writing *writing);
void html_put_ticks(struct html_writing *writing);
void html_put_threads(struct html_writing *writing);
void html_put_repeated(struct html_writing *writing);

/*
 * Puts what changed in each tick of a side, or in bins of `bin_ticks` ticks; null for 0, or if the
 * other side does not know it.
 */
void html_put_changes(struct html_writing *writing, const struct profile *profile);
