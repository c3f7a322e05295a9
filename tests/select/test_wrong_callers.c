#include "select/wrong_callers.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <string.h>

static struct tree_text sample;
static struct wrong_callers frames;

static void find(const char *text)
{
    tree_text_init(&sample, text);
    wrong_callers_find(&frames, &sample.tree, &sample.symbols);
}

static void tear_down(void)
{
    wrong_callers_release(&frames);
    tree_text_release(&sample);
}

TestSuite(wrong_callers, .fini = tear_down);

/* Whether the function with this name is doubtful. */
static bool warnings(const char *name)
{
    for (uint32_t i = 0; i < sample.symbols.function_count; i++)
        if (strcmp(labels_text(&sample.labels, sample.labels.labels[i].name).at, name) == 0)
            return wrong_callers_doubt(&frames, i);
    cr_assert(false, "there is no function %s", name);
    return false;
}

Test(wrong_callers, are_those_above_a_function_that_the_engine_calls)
{
    find("Beat 10\nBeat;Leaf 5\nTick 1\nTick;pcall() 2\nTick;pcall();Fail 900\n"
         "Tick;pcall();Fail;Beat 40\nTick;pcall();Fail;Beat;Leaf 60\n");
    cr_expect_eq(frames.place_count, 1);
    cr_expect_eq(frames.below_ns, 100);
    cr_expect(warnings("Fail") && warnings("pcall()") && warnings("Tick"));
    cr_expect_not(warnings("Beat") || warnings("Leaf"));
}

Test(wrong_callers, are_not_there_where_only_lua_calls_a_function)
{
    find("Beat 10\nBeat;Leaf 5\nTick 1\nTick;pcall() 2\nTick;pcall();Leaf 9\nTick;Leaf 3\n");
    cr_expect_eq(frames.place_count, 0);
    cr_expect_not(warnings("pcall()") || warnings("Leaf") || warnings("Tick"));
}

Test(wrong_callers, are_all_of_c_functions_that_do_not_return)
{
    tree_text_init(&sample, "Thread 10\nThread;error() 5\nThread;error 7\n");
    /* C functions have "()" in their names there. */
    for (uint32_t i = 0; i < sample.symbols.function_count; i++)
        if (symbols_is_c(&sample.symbols, i))
            sample.symbols.functions[i].name =
                intern_add(&sample.symbols.strings, "KillThread", 10);
    wrong_callers_find(&frames, &sample.tree, &sample.symbols);
    cr_expect(warnings("error()"));
    cr_expect_not(warnings("error") || warnings("Thread"));
}

Test(wrong_callers, do_not_make_a_function_doubtful_that_has_little_time_in_them)
{
    find("Beat 10\nGo;Tick 100\nGo;Tick;Beat 40\nRun;Tick 9001\n");
    cr_expect_eq(frames.place_count, 1);
    cr_expect_not(warnings("Tick"));
}

Test(wrong_callers, make_a_function_doubtful_whose_self_time_is_impossible)
{
    find("A 10\nB 20\nB;C -21\nB;D 500\nB;E -450\n");
    cr_expect_eq(frames.place_count, 0);
    cr_expect_eq(frames.doubtful_count, 3);
    cr_expect(warnings("C") && warnings("D") && warnings("E"));
    cr_expect_not(warnings("A") || warnings("B"));
}

Test(wrong_callers, are_counted_once_where_they_lie_below_others)
{
    find("A 10\nB 20\nB;A 30\nB;A;B 40\nB;A;B;A 50\n");
    cr_expect_eq(frames.place_count, 1);
    cr_expect_eq(frames.below_ns, 120);
}
