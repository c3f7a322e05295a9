#include "report/formats.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Expects what is written of a tree, after the header. */
static void expect(const char *tree, const char *expected)
{
    struct tree_text sample;
    size_t length;
    tree_text_init(&sample, tree);
    char *written = tree_text_write(&sample, &report_callgrind, METRIC_TIME, &length);
    cr_expect_eq(strlen(written), length);
    const char *body = strstr(written, "events: ns\n\n");
    cr_assert_not_null(body);
    cr_expect_str_eq(body + strlen("events: ns\n\n"), expected);
    free(written);
    tree_text_release(&sample);
}

#define ALL "fl=(0) (all)\nfn=(1) (all)\n"

Test(report_callgrind, gives_a_cost_to_the_outermost_call_alone)
{
    expect("A 1\nA;B@2 1\nA;B@2;C@11 1\nA;B@2;C@11;B@21 1\n",
           ALL "cfl=(1) A.lua\ncfn=(2) A:1\ncalls=1 1\n0 4\n"
               "\nfl=(1)\nfn=(2)\n1 1\n"
               "cfl=(2) B.lua\ncfn=(3) B:1\ncalls=1 1\n2 3\n"
               "\nfl=(2)\nfn=(3)\n1 2\n"
               "cfl=(3) C.lua\ncfn=(4) C:1\ncalls=1 1\n11 2\n"
               "\nfl=(3)\nfn=(4)\n1 1\n"
               "cfl=(2)\ncfn=(3)\ncalls=1 1\n21 0\n"
               "\ntotals: 4\n");
}

Test(report_callgrind, finds_the_outermost_call_on_each_path)
{
    /* Mutual recursion, and B above and below A: both stand outermost once. */
    expect("A 1\nA;B@2 10\nA;B@2;A@3 100\nB 1000\nB;A@3 10000\n",
           ALL "cfl=(1) A.lua\ncfn=(2) A:1\ncalls=1 1\n0 111\n"
               "cfl=(2) B.lua\ncfn=(3) B:1\ncalls=1 1\n0 11000\n"
               "\nfl=(1)\nfn=(2)\n1 10101\n"
               "cfl=(2)\ncfn=(3)\ncalls=1 1\n2 110\n"
               "\nfl=(2)\nfn=(3)\n1 1010\n"
               "cfl=(1)\ncfn=(2)\ncalls=2 1\n3 10000\n"
               "\ntotals: 11111\n");
}

Test(report_callgrind, adds_up_calls_from_a_line)
{
    /* A tail call at line 7, and a call there from another stack; then another line. */
    expect("A 0\nA;B@7 1 2\nA;B@-7 2 3\nA;B@8 4\nA;A@5 0\nA;A@5;B@7 8\n",
           ALL "cfl=(1) A.lua\ncfn=(2) A:1\ncalls=1 1\n0 15\n"
               "\nfl=(1)\nfn=(2)\n1 0\n"
               "cfl=(1)\ncfn=(2)\ncalls=1 1\n5 0\n"
               "cfl=(2) B.lua\ncfn=(3) B:1\ncalls=6 1\n7 11\n"
               "cfl=(2)\ncfn=(3)\ncalls=1 1\n8 4\n"
               "\nfl=(2)\nfn=(3)\n1 15\n"
               "\ntotals: 15\n");
}

Test(report_callgrind, has_a_call_where_there_is_a_cost)
{
    /* A and B were running when the profile began; C was never called, and took nothing. */
    expect("A;B@2 5 0\nA;C@3 0 0\n", ALL "cfl=(1) A.lua\ncfn=(2) A:1\ncalls=1 1\n0 5\n"
                                         "\nfl=(1)\nfn=(2)\n1 0\n"
                                         "cfl=(2) B.lua\ncfn=(3) B:1\ncalls=1 1\n2 5\n"
                                         "\nfl=(2)\nfn=(3)\n1 5\n"
                                         "\ntotals: 5\n");
}

Test(report_callgrind, has_no_line_where_none_is_known)
{
    expect("A 1\nA;b()@-1 2\n", ALL "cfl=(1) A.lua\ncfn=(2) A:1\ncalls=1 1\n0 3\n"
                                    "\nfl=(1)\nfn=(2)\n1 1\n"
                                    "cfl=(2) [C]\ncfn=(3) b()\ncalls=1 0\n0 2\n"
                                    "\nfl=(2)\nfn=(3)\n0 2\n"
                                    "\ntotals: 3\n");
}
