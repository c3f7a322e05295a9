#include "rebuild/ticks/tick_meter.h"
#include "rebuild/ticks/ticks.h"

#include <criterion/criterion.h>

/* A unit is 1 ms. One root, which runs in all ticks. */
static const double unit_ns = 1e6;
static struct nodes nodes;
static struct tick_meter meter;
static struct slow_ticks slow = {.limit_ns = 100000000};
static uint32_t root;

static void set_up(void)
{
    nodes_init(&nodes, &(struct nodes){0});
    nodes_define_function(&nodes, 0, (struct event_function){.is_lua = true});
    nodes_define_site(&nodes, 0, (struct event_site){.function = 0, .line = NO_CALLER});
    root = nodes_child(&nodes, NODES_MAIN, 0);
}

static void tear_down(void)
{
    slow_ticks_release(&slow);
    tick_meter_release(&meter);
    nodes_release(&nodes);
}

TestSuite(slow_ticks, .init = set_up, .fini = tear_down);

static struct call_costs costs_of_ms(double ms)
{
    return (struct call_costs){.is_known = true, .in_ns = {ms * 1e6, ms * 1e6, ms * 1e6}};
}

/* A tick with one call, when a call is known to cost so many ms. */
static void add_tick(int64_t ms, double cost_ms)
{
    struct call_costs costs = costs_of_ms(cost_ms);
    nodes_touch(&nodes, root);
    nodes_count_call(&nodes, root);
    nodes.at[root].self += ms;
    tick_meter_add(&meter, &nodes, (int64_t)meter.count, ms, 0, false);
    slow_ticks_add(&slow, &nodes, &meter, unit_ns, &costs);
    nodes_begin_tick(&nodes, false);
}

static int64_t finish(double cost_ms)
{
    struct call_costs costs = costs_of_ms(cost_ms);
    slow_ticks_finish(&slow, &nodes, &meter, unit_ns, &costs);
    return nodes.parts == NULL ? 0 : nodes.parts[root].slow;
}

Test(slow_ticks, are_decided_by_the_costs_of_the_whole_run)
{
    for (int i = 0; i < SLOW_TICKS_WAITING_MAX; i++)
        add_tick(i % 2 == 0 ? 110 : 130, 0);
    cr_expect_eq(finish(20), 130 * SLOW_TICKS_WAITING_MAX / 2);
    cr_expect_not(slow.is_wrong);
}

Test(slow_ticks, far_from_the_limit_need_not_wait)
{
    for (int i = 0; i < 1000; i++)
        add_tick(i % 50 == 0 ? 125 : 500, 20);
    cr_expect_leq(slow.waiting_count, SLOW_TICKS_WAITING_MAX);
    cr_expect_eq(finish(30), 980 * 500, "the 20 of 125 ms have waited");
    cr_expect_not(slow.is_wrong);
}

Test(slow_ticks, that_many_costs_could_decide_may_be_wrong)
{
    for (int i = 0; i < 1000; i++)
        add_tick(110, 0);
    finish(20);
    cr_expect(slow.is_wrong);
}

Test(slow_ticks, have_what_was_moved_to_another_node)
{
    uint32_t target = nodes_child(&nodes, NODES_COROUTINE, 0);
    add_tick(200, 0);
    cr_expect_eq(finish(0), 200);
    nodes_move(&nodes, &(uint32_t){root}, 1, target, true);
    cr_expect_eq(nodes.parts[root].slow, 0);
    cr_expect_eq(nodes.parts[target].slow, 200);
}

Test(slow_ticks, in_which_older_counts_were_moved_are_not_known)
{
    add_tick(200, 0);
    nodes_move(&nodes, &(uint32_t){root}, 1, nodes_child(&nodes, NODES_COROUTINE, 0), true);
    add_tick(200, 0);
    finish(0);
    cr_expect(slow.is_wrong);
}

Test(slow_ticks, do_not_include_what_was_before_the_first)
{
    nodes_touch(&nodes, root);
    nodes.at[root].self += 7;
    slow_ticks_begin(&nodes);
    nodes_begin_tick(&nodes, false);
    add_tick(200, 0);
    cr_expect_eq(finish(0), 200);
    cr_expect_eq(nodes.parts[root].outside, 7);
}
