/*
 * label_texts.h - labels of rows and time lines, and a call stack as one line of text.
 */
#pragma once

#include "base/text.h"
#include "names/labels.h"
#include "report/figures/report.h"
#include "report/figures/row_sums.h"
#include "tree/tree.h"

/*
 * Names in time lines, for the formats that have them.
 */

/*
 * A time line has a function's name in every slice, so longer names than this are cut and
 * end in an ellipsis: one long name and a million calls would make gigabytes.
 */
enum { TIMELINE_NAME_MAX = 200 };

/* Appends the label of a slice's function, or "(truncated)". */
void timeline_put_function(struct text *text, const struct report *report, uint32_t function);

/*
 * Appends "main", or the thread's first function and its number: "EngineerManagerThread
 * tests/spikes.lua:65 #3". With `names_run`, and if there are several runs, "run 2, " comes before
 * it.
 */
void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run);

/*
 * A call stack as one line of text.
 */

/*
 * Appends the frames of a node's stack, root first, joined by ';'. With
 * `call_sites` there is a frame between a caller and its callee if the calling line
 * is known: the caller's label, "->" and the line, negative for a tail call.
 */
void stack_put(struct text *text, const struct tree *tree, const struct labels *labels,
               uint32_t node, bool call_sites);

/* Appends the call site frame for a call out of `function`; nothing when the line is unknown. */
void stack_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line);

/* The text of a call stack while nodes are visited depth first. All zero is the root's. */
struct stack_path {
    struct text text;
    /* Private. */
    uint32_t node; /* the last one */
    size_t *ends;  /* [depth]: the length of the text above each node on the path */
    size_t depth, capacity;
};

/*
 * Cuts the text to that of the caller of `node`, and if there is one, appends `between`. The caller
 * of this function then appends the text of the node. `node` is the next one, depth first.
 */
void stack_path_enter(struct stack_path *path, const struct tree *tree, uint32_t node,
                      const char *between);

void stack_path_release(struct stack_path *path);

/*
 * The label of a table row, for people.
 */

/*
 * Appends the name to one text and the place to the other, which may stay empty. `call_sites`:
 * stacks have frames for calling lines, see stack_put().
 */
void row_label_put(struct text *name, struct text *place, const struct row_sums *table,
                   const struct row *row, bool call_sites);

/* The same for a function; TREE_NONE is the engine. The place stays empty if it is the name. */
void function_label_put(struct text *name, struct text *place, const struct labels *labels,
                        uint32_t function);
