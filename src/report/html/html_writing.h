/*
 * html_writing.h - what the parts of a page's data share while they are written.
 *
 * Functions and nodes are numbered as they are written: by their labels, and depth first.
 */
#ifndef SUPPROF_HTML_WRITING_H
#define SUPPROF_HTML_WRITING_H

#include "base/text.h"
#include "report/report.h"
#include "tree/tree.h"
#include "tree/tree_order.h"

#include <stdbool.h>
#include <stdint.h>

/* The trees as they are written: depth first, and without nodes that are too small. */
struct html_trees {
    struct tree now, old;
    bool is_compared;
    struct tree_order order; /* of both: the nodes of the trees that they were made from */
};

struct html_writing {
    struct text *json;
    const struct report *report;
    struct html_trees trees;
    uint32_t *functions; /* [function_count]: ids of symbols.h, as they are written */
    uint32_t *number_of; /* [symbols' function_count]: index of `functions` */
    uint32_t function_count;
    uint32_t folded;    /* id in symbols.h */
    uint32_t bin_ticks; /* see html_data_put() */
};

/* The function for time without a caller, or TREE_NONE: see selection_add_folded(). */
uint32_t html_find_folded(const struct symbols *symbols);

/* Sets `functions`, `number_of`, `function_count` and `folded`. */
void html_number_functions(struct html_writing *writing);

/* A column of numbers from `number_at`; nothing if all are 0. */
void html_put_column(struct html_writing *writing, const char *key, uint32_t count,
                     int64_t (*number_at)(const struct html_writing *writing, uint32_t index));

/* Members of the document, in this order. */
void html_put_functions(struct html_writing *writing);
void html_put_findings(struct html_writing *writing);
void html_put_nodes(struct html_writing *writing);
void html_put_old(struct html_writing *writing);
void html_put_ticks(struct html_writing *writing);

/* Puts what changed in each tick, or in rows of so many ticks; null for 0. */
void html_put_changes(struct html_writing *writing, uint32_t bin_ticks);

#endif
