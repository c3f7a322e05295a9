/*
 * tree.h - the call tree as lines of text, see tree.c.
 */
#pragma once

#include "base/text.h"
#include "report/figures/call_tree.h"
#include "report/figures/report.h"

/*
 * Appends the most expensive part of the tree, at most `limit` rows, and none with less than a
 * thousandth of the time; SIZE_MAX: all of it.
 */
void tree_put(struct text *text, const struct report *report, enum report_unit unit, size_t limit);
