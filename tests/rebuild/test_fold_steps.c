#include "rebuild/stacks/nodes.h"

#include <criterion/criterion.h>
#include <string.h>

enum { FUNCTIONS = 6, NODE_COUNT = 4000 };

static struct fold_steps fold;
static uint32_t parents[NODE_COUNT]; /* of roots: themselves */
static uint32_t functions[NODE_COUNT];

static void tear_down(void)
{
    fold_steps_release(&fold);
}

TestSuite(fold_steps, .fini = tear_down);

static void add_root(uint32_t node, uint32_t function)
{
    parents[node] = node;
    functions[node] = function;
    fold_steps_add_root(&fold, node);
}

static void add(uint32_t node, uint32_t parent, uint32_t function)
{
    parents[node] = parent;
    functions[node] = function;
    fold_steps_add(&fold, node, parent, (struct fold_call){functions[parent], function});
}

/* The same by looking at each node of the path. */
static uint32_t find_slowly(uint32_t node, uint32_t callee)
{
    for (uint32_t at = node; parents[at] != at; at = parents[at])
        if (functions[at] == callee && functions[parents[at]] == functions[node])
            return parents[at];
    return node;
}

static uint32_t find(uint32_t node, uint32_t callee)
{
    return fold_steps_find(&fold, node, (struct fold_call){functions[node], callee});
}

Test(fold_steps, of_a_path_are_found_where_they_were_taken)
{
    add_root(0, 1);
    add(1, 0, 2);
    add(2, 1, 1);
    add(3, 2, 3);
    cr_expect_eq(find(2, 2), 0);
    cr_expect_eq(find(2, 3), 2);
    cr_expect_eq(find(3, 1), 3);
    cr_expect_eq(find(1, 1), 1);
}

Test(fold_steps, of_another_branch_are_not_on_the_path)
{
    add_root(0, 1);
    add_root(1, 1);
    add(2, 0, 2);
    cr_expect_eq(find(0, 2), 0);
    cr_expect_eq(find(1, 2), 1);
}

/* Folds random calls from random nodes; deep paths and long lists both occur. */
static void grow_at_random(uint32_t function_count, uint32_t nearness, uint32_t *folded_count)
{
    uint64_t state = 88172645463325252u;
    add_root(0, 0);
    for (uint32_t node = 1; node < NODE_COUNT;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t random = (uint32_t)(state >> 33);
        uint32_t back = random % nearness;
        uint32_t parent = back < node ? node - 1 - back : 0;
        uint32_t callee = random / nearness % function_count;
        uint32_t found = find(parent, callee);
        cr_assert_eq(found, find_slowly(parent, callee), "node %u, function %u", parent, callee);
        *folded_count += found != parent;
        if (random % 97 == 0)
            add_root(node++, callee);
        else if (found == parent)
            add(node++, parent, callee);
        else if (random % 3 == 0)
            add(node++, found, callee); /* from another line */
    }
}

Test(fold_steps, are_found_as_by_looking_at_each_node)
{
    uint32_t folded_count = 0;
    grow_at_random(FUNCTIONS, 5, &folded_count);
    cr_expect_gt(folded_count, 1000);
    fold_steps_release(&fold);
    folded_count = 0;
    grow_at_random(200, 2, &folded_count);
    cr_expect_gt(folded_count, 10);
}

Test(fold_steps, are_found_on_a_path_of_a_million_nodes)
{
    enum { DEEP = 1000000 };
    fold_steps_add_root(&fold, 0);
    for (uint32_t i = 1; i < DEEP; i++)
        fold_steps_add(&fold, i, i - 1, (struct fold_call){i - 1, i});
    for (uint32_t i = 1; i < DEEP; i++)
        cr_assert_eq(fold_steps_find(&fold, DEEP - 1, (struct fold_call){i - 1, i}), i - 1);
}

Test(fold_steps, remember_what_a_call_has_become)
{
    cr_expect_eq(fold_steps_known(&fold, 4, 9), INTERN_NONE);
    fold_steps_remember(&fold, 4, 9, 17);
    fold_steps_remember(&fold, 9, 4, 18);
    cr_expect_eq(fold_steps_known(&fold, 4, 9), 17);
    cr_expect_eq(fold_steps_known(&fold, 9, 4), 18);
    cr_expect_eq(fold_steps_known(&fold, 4, 4), INTERN_NONE);
}
