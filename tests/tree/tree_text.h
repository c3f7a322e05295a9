/*
 * tree_text.h - call trees as text, for tests: what goes in and what comes out can be
 * read side by side.
 *
 *     A 1             a line for each node: its path, its own time in ns, and its calls
 *     A;B@12 1 3      after "@" the line of the call; without calls there is one call
 *
 * Nodes that lead to others need no line of their own; they have no time and no calls.
 * Function names are their labels' names; functions are "@name.lua" at line 1, or C
 * functions when the name ends in "()".
 */
#pragma once

#include "names/labels.h"
#include "tree/tree.h"

struct tree_text {
    struct symbols symbols;
    struct paths paths;
    struct labels labels;
    struct tree tree;
};

/* Makes a tree and whatever belongs to it. */
void tree_text_init(struct tree_text *sample, const char *text);
void tree_text_release(struct tree_text *sample);

/*
 * Returns the tree as text: lines for all nodes with time or calls, in order of labels;
 * calls are left out where there is one. The caller frees it.
 */
char *tree_text_print(const struct tree *tree, const struct symbols *symbols);

/* Expects a tree to be printed as a text; a macro, so that a failure names the test's line. */
#define EXPECT_TREE(tree, symbols, expected)                                                       \
    do {                                                                                           \
        char *printed = tree_text_print(tree, symbols);                                            \
        cr_expect_str_eq(printed, expected);                                                       \
        free(printed);                                                                             \
    } while (0)
