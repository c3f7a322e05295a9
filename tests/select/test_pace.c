#include "base/mem.h"
#include "select/diff.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <math.h>

static void init(struct tree_text *sample, const char *text, double error_part)
{
    tree_text_init(sample, text);
    struct tree *tree = &sample->tree;
    tree->details = mem_zeroed(tree->node_count, sizeof *tree->details);
    for (uint32_t node = 1; node < tree->node_count; node++)
        tree->details[node].cost_error_ns = tree->details[node].common_error_ns =
            error_part * (double)tree->self_ns[node];
}

/* A takes as many times as long as most functions: so it may take as long as before, whatever its
 * own errors are. The time of F, the last one, may be the pace, or may not. */
static void expect(const char *old_text, const char *new_text, double pace, bool last_may)
{
    for (double error_part = 0.05; error_part < 0.5; error_part += 0.05) {
        SCOPED(tree_text) old, now;
        init(&old, old_text, 0.2);
        init(&now, new_text, error_part);
        double last_ns = old.tree.details[6].cost_error_ns;
        uint32_t count = tree_count_functions(&old.tree);
        double found = diff_add_pace(&now.tree, &old.tree, count);
        cr_expect_float_eq(found, pace, 1e-9);
        double noise_ns = call_details_difference_ns(&now.tree.details[1], &old.tree.details[1]);
        cr_expect_leq(fabs((double)(now.tree.self_ns[1] - old.tree.self_ns[1])), 2 * noise_ns);
        cr_expect_eq(old.tree.details[6].cost_error_ns > last_ns, last_may);
    }
}

Test(pace, is_in_the_errors_of_what_runs_in_both)
{
    const char *quick = "A 100\nB 100\nC 100\nD 100\nE 100\nF 100\n";
    const char *slow = "A 400\nB 400\nC 400\nD 400\nE 400\nF 100\n";
    expect(quick, slow, 4, true);
    expect(slow, quick, 0.25, true);
}

Test(pace, has_nothing_to_do_with_what_does_not_run_any_more)
{
    const char *quick = "A 100\nB 100\nC 100\nD 100\nE 100\nF 100\n";
    const char *slow = "A 400\nB 400\nC 400\nD 400\nE 400\nF 100\n";
    expect(quick, "A 400\nB 400\nC 400\nD 400\nE 400\nF 0 0\n", 4, false);
    expect(slow, "A 100\nB 100\nC 100\nD 100\nE 100\nF 0 0\n", 0.25, false);
}
