#include "rebuild/ticks/tick_changes.h"

#include "base/mem.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct nodes nodes;
static struct tick_changes changes;

enum { RUN, STEP, SITE_COUNT };
static uint32_t run, step, open_step, moved_step;

static void set_up(void)
{
    nodes_init(&nodes, &(struct nodes){0});
    nodes.keeps_moves = true;
    for (uint32_t i = 0; i < SITE_COUNT; i++) {
        nodes_define_function(&nodes, i, (struct event_function){.id = i, .is_lua = true});
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 3});
    }
    run = nodes_child(&nodes, NODES_COROUTINE, RUN);
    step = nodes_child(&nodes, run, STEP);
    open_step = nodes_child(&nodes, NODES_COROUTINE, STEP | 1u << SITE_OPEN_SHIFT);
    moved_step = step;
}

static void tear_down(void)
{
    tick_changes_release(&changes);
    nodes_release(&nodes);
}

TestSuite(tick_changes, .init = set_up, .fini = tear_down);

static void count(uint32_t node, uint64_t calls, int64_t units)
{
    nodes_touch(&nodes, node);
    nodes.at[node].calls += calls;
    nodes.at[node].self += units;
}

static void end_tick(void)
{
    tick_changes_add(&changes, &nodes);
    nodes_begin_tick(&nodes, false);
}

/* "2:7/1" is 7 units and a call of node 2; '|' ends a tick. Sums of equal nodes in a tick. */
static void expect_changes(const char *expected)
{
    uint32_t *tree_nodes = mem_zeroed(nodes.count, sizeof *tree_nodes);
    struct text text = {0};
    tick_changes_finish(&changes, &nodes, tree_nodes, 1);
    for (size_t tick = 0, i = 0; tick < changes.tick_count; tick++, i = changes.ends[tick - 1]) {
        for (uint32_t node = 0; node < nodes.count; node++) {
            struct tick_change sum = {0};
            for (size_t k = i; k < changes.ends[tick]; k++) {
                if (changes.all[k].part != node)
                    continue;
                sum.units += changes.all[k].units;
                sum.calls += changes.all[k].calls;
                sum.errors += changes.all[k].errors;
            }
            if (sum.units != 0 || sum.calls != 0 || sum.errors != 0)
                text_printf(&text, "%s:%d/%d%s ",
                            node == run    ? "run"
                            : node == step ? "step"
                                           : "open",
                            (int)sum.units, (int)sum.calls, sum.errors > 0 ? "!" : "");
        }
        text_put_string(&text, "|");
    }
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
    free(tree_nodes);
}

Test(tick_changes, are_those_of_each_tick)
{
    count(run, 1, 5);
    end_tick();
    count(run, 0, 7);
    count(step, 2, 10);
    end_tick();
    end_tick();
    count(step, 1, 1);
    nodes_origin(&nodes, step)->errors++;
    end_tick();
    expect_changes("run:7/0 step:10/2 ||step:1/1! |");
    cr_expect_eq(changes.parts[run].units, 12, "with what was before the first tick");
}

Test(tick_changes, of_moved_calls_stay_in_their_ticks)
{
    end_tick();
    count(open_step, 1, 10);
    end_tick();
    count(open_step, 2, 20);
    end_tick();
    count(open_step, 4, 40);
    uint32_t list[] = {open_step};
    nodes_move(&nodes, list, 1, moved_step, false);
    count(open_step, 8, 80);
    end_tick();
    expect_changes("step:10/1 |step:20/2 |step:40/4 open:80/8 |");
}

Test(tick_changes, may_be_moved_again)
{
    uint32_t list[] = {open_step};
    count(open_step, 1, 1);
    end_tick();
    count(open_step, 1, 10);
    end_tick();
    nodes_move(&nodes, list, 1, moved_step, false);
    count(open_step, 2, 20);
    end_tick();
    count(open_step, 4, 40);
    end_tick();
    list[0] = open_step;
    nodes_move(&nodes, list, 1, run, false);
    list[0] = step;
    nodes_move(&nodes, list, 1, run, false);
    end_tick();
    expect_changes("run:10/1 |run:20/2 |run:40/4 ||");
}
