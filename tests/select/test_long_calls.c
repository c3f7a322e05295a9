#include "select/long_calls.h"

#include "base/mem.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>

static struct tree_text sample;
static struct long_calls calls;

static void tear_down(void)
{
    long_calls_release(&calls);
    tree_text_release(&sample);
}

TestSuite(long_calls, .fini = tear_down);

/* The sample's last node has a call of `longest_ns`. Returns whether it is too long. */
static bool is_found(const char *text, int64_t longest_ns)
{
    tree_text_init(&sample, text);
    const struct tree *tree = &sample.tree;
    uint32_t last = tree->node_count - 1;
    sample.tree.details = mem_zeroed(tree->node_count, sizeof *tree->details);
    sample.tree.details[last].max_ns = longest_ns;
    long_calls_find(&calls, tree, &sample.symbols);
    bool is_found = long_calls_have(&calls, tree->calls[last].function);
    cr_expect_eq(calls.worst_ns, is_found ? longest_ns : 0);
    tear_down();
    return is_found;
}

/* Names of C functions end in "()" in these texts: "math.()" begins as math.min does. */
#define CALLS "A 1\nA;math.() "

Test(long_calls, are_as_long_as_a_thousand_others_together)
{
    cr_expect(is_found(CALLS "81000000 1001\n", 80000000));
    cr_expect(is_found(CALLS "80000000 1001\n", 80000000), "the others took no time");
    cr_expect(is_found(CALLS "160000000 1001\n", 80000000));
    cr_expect_not(is_found(CALLS "160000002 1001\n", 80000000));
    cr_expect_not(is_found(CALLS "81000000 1000\n", 80000000));
}

Test(long_calls, are_long_enough_to_be_noticed)
{
    cr_expect(is_found(CALLS "10001000 1001\n", 10000000));
    cr_expect_not(is_found(CALLS "10001000 1001\n", 9999999));
}

Test(long_calls, are_those_of_functions_that_always_do_as_little)
{
    cr_expect_not(is_found("A 1\nA;table.sort() 81000000 1001\n", 80000000));
    cr_expect_not(is_found("A 1\nA;math.min 81000000 1001\n", 80000000), "a Lua function");
    cr_expect_not(is_found("math.();B 1\nA;math.() 81000000 1001\n", 80000000), "it calls others");
}

Test(long_calls, are_not_known_without_details)
{
    tree_text_init(&sample, CALLS "81000000 1001\n");
    long_calls_find(&calls, &sample.tree, &sample.symbols);
    cr_expect_eq(calls.worst_ns, 0);
    cr_expect_not(long_calls_have(&calls, 0));
    cr_expect_not(long_calls_have(NULL, 0));
}
