#include "rebuild/ending/nodes_to_tree.h"

#include <criterion/criterion.h>
#include <string.h>

static struct nodes nodes;

/* Functions 0 to 3 have these ids: the last two are one function of the symbols. */
static const uint32_t ids[] = {10, 11, 12, 12};

static void define_site(uint32_t site, uint32_t function, int32_t line)
{
    nodes_define_site(&nodes, site, (struct event_site){.function = function, .line = line});
}

static void set_up(void)
{
    nodes_init(&nodes, &(struct nodes){0});
    for (uint32_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        nodes_define_function(&nodes, i, (struct event_function){.id = ids[i], .is_lua = true});
    nodes_define_function(&nodes, 4, (struct event_function){.id = 13, .is_lua = false});
    define_site(0, 0, NO_CALLER);
    define_site(1, 1, 20);
    define_site(2, 1, 21);
    define_site(3, 1, 20);
    define_site(4, 2, 20);
    define_site(5, 3, 20);
    define_site(6, 1, NO_LINE);
    define_site(7, 1, NO_CALLER);
    define_site(8, 1, 0);
    define_site(9, 4, 11);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

TestSuite(distinct_calls, .init = set_up, .fini = tear_down);

static bool are_distinct(void)
{
    uint8_t is_used[100];
    memset(is_used, 1, sizeof is_used);
    return distinct_calls(&nodes, is_used);
}

/* Whether two children of one root are distinct. */
static bool siblings_are_distinct(uint32_t site, uint32_t other)
{
    uint32_t root = nodes_child(&nodes, NODES_MAIN, 0);
    nodes_child(&nodes, root, site);
    nodes_child(&nodes, root, other);
    return are_distinct();
}

Test(distinct_calls, have_another_line)
{
    cr_expect(siblings_are_distinct(1, 2));
}

Test(distinct_calls, have_another_function)
{
    cr_expect(siblings_are_distinct(1, 4));
}

Test(distinct_calls, have_no_line_or_have_one)
{
    cr_expect(siblings_are_distinct(1, 6));
}

Test(distinct_calls, have_another_parent)
{
    uint32_t root = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t child = nodes_child(&nodes, root, 1);
    nodes_child(&nodes, child, 3);
    cr_expect(are_distinct());
}

Test(distinct_calls, are_not_those_of_a_site_that_is_defined_twice)
{
    cr_expect_not(siblings_are_distinct(1, 3));
}

Test(distinct_calls, are_not_those_of_a_function_that_is_defined_twice)
{
    cr_expect_not(siblings_are_distinct(4, 5));
}

Test(distinct_calls, are_not_those_without_a_line)
{
    cr_expect_not(siblings_are_distinct(6, 7));
}

/* Lua calls without a line are tail calls; a C function has no lines, so 0 is as good as none. */
Test(distinct_calls, without_a_line_and_at_line_0_are_one_below_a_c_function)
{
    uint32_t root = nodes_child(&nodes, NODES_MAIN, 0);
    nodes_child(&nodes, root, 6);
    nodes_child(&nodes, root, 8);
    cr_expect(are_distinct());
    uint32_t of_c = nodes_child(&nodes, root, 9);
    nodes_child(&nodes, of_c, 6);
    nodes_child(&nodes, of_c, 8);
    cr_expect_not(are_distinct());
}

Test(distinct_calls, are_not_those_of_an_open_root_and_its_site)
{
    cr_expect_not(siblings_are_distinct(1, 1 | 1u << SITE_OPEN_SHIFT));
}

Test(distinct_calls, are_not_roots_of_one_function_in_both_kinds_of_threads)
{
    nodes_child(&nodes, NODES_MAIN, 0);
    cr_expect(are_distinct());
    nodes_child(&nodes, NODES_COROUTINE, 0);
    cr_expect_not(are_distinct());
}

Test(distinct_calls, are_compared_only_if_they_are_used)
{
    uint32_t root = nodes_child(&nodes, NODES_MAIN, 0);
    nodes_child(&nodes, root, 1);
    uint32_t unused = nodes_child(&nodes, root, 3);
    uint8_t is_used[100];
    memset(is_used, 1, sizeof is_used);
    is_used[unused] = 0;
    cr_expect(distinct_calls(&nodes, is_used));
}
