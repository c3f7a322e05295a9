/*
 * row_groups.h - the row of a table to which each node of a tree belongs.
 */
#pragma once

#include "names/labels.h"
#include "tree/symbols.h"
#include "tree/tree.h"

/* The kinds of table rows. */
enum table_by {
    BY_FUNCTION,
    BY_FILE,   /* all functions of a source, with the C functions that they call */
    BY_MOD,    /* see paths.h */
    BY_LINE,   /* a line: the functions called there, with their callees; and its own runs */
    BY_STACK,  /* a path of functions */
    BY_THREAD, /* the first function of a thread or an engine callback, and the kind of thread */
};

/* By enum table_by. */
extern const struct table_by_info {
    const char *name;  /* as --by takes it */
    const char *title; /* of the column of labels, for people */
    const char *cells; /* titles of the cells that name a row in CSV */
} table_by_infos[];

/* What a row stands for; `by` decides which members are used. */
struct row_group {
    uint32_t function; /* BY_FUNCTION, BY_LINE: the caller, BY_THREAD; TREE_NONE: the engine */
    uint32_t text;     /* text id: BY_FILE, BY_MOD */
    int32_t line;      /* BY_LINE, see stacks.h */
    uint8_t flags;     /* BY_THREAD: or of NODE_MAIN and NODE_COROUTINE */
    bool is_recorder;  /* all calls of the recorder itself; `function` is TREE_NONE */
};

struct row_groups {
    struct row_group *all; /* [count] */
    size_t count, capacity;
    uint32_t *of_nodes; /* [node_count]: index of `all`; not set for the root */
    /* BY_LINE, [count of tree->lines]: index of `all`; NULL if the tree has none. */
    uint32_t *of_lines, *of_old_lines;
};

/*
 * Groups the nodes of a tree by any kind except BY_STACK. `old_tree` has the same nodes, or is
 * NULL; it gives the thread of nodes that only the old profile has. `charging`: BY_FILE and BY_MOD,
 * calls of C functions belong to the group of the function that made them; NULL: C functions are a
 * group of their own. `joins_recorder`: BY_FUNCTION and BY_THREAD, all nodes of the recorder itself
 * are one group.
 */
void row_groups_init(struct row_groups *groups, enum table_by by, const struct tree *tree,
                     const struct tree *old_tree, const struct labels *labels,
                     const struct symbols *charging, bool joins_recorder);
void row_groups_release(struct row_groups *groups);

/* The threads of a node as files of data name them: "main", "main+coroutine", "?". */
const char *threads_name(uint8_t flags);
