/*
 * row_label.h - the label of a table row, for people.
 */
#pragma once

#include "report/figures/table.h"

/*
 * Appends the name to one text and the place to the other, which may stay empty. `call_sites`:
 * stacks have frames for calling lines, see stack_text.h.
 */
void row_label_put(struct text *name, struct text *place, const struct table *table,
                   const struct row *row, bool call_sites);

/* The same for a function; TREE_NONE is the engine. The place stays empty if it is the name. */
void function_label_put(struct text *name, struct text *place, const struct labels *labels,
                        uint32_t function);
