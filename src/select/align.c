#include "select/align.h"

#include "base/number.h"
#include "tree/line_runs.h"
#include "tree/samples.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

static struct call moved_call(const struct tree *old_tree, uint32_t node, const uint32_t *functions,
                              const struct symbols *new_symbols, const struct symbols *old_symbols)
{
    struct call call = old_tree->calls[node];
    uint32_t caller = old_tree->calls[call.parent].function;
    int64_t shift = 0;
    if (call.parent != TREE_ROOT && old_symbols->functions[caller].line >= 0)
        shift = (int64_t)new_symbols->functions[functions[caller]].line -
                old_symbols->functions[caller].line;
    call.line = line_moved(call.line, shift);
    call.function = functions[call.function];
    return call;
}

/* The lines of a function move with its definition. */
static void copy_lines(struct tree_builder *copy, uint32_t to, struct node_values values,
                       int64_t shift, double time_factor, double call_factor)
{
    for (size_t i = 0; i < values.line_count; i++) {
        struct line_run run = values.lines[i];
        run.node = to;
        run.line = run.line > 0 ? line_moved(run.line, shift) : run.line;
        run.runs = number_scaled_count(run.runs, call_factor);
        run.self_ns = number_scaled(run.self_ns, time_factor);
        run.squares_ns2 *= time_factor * time_factor;
        line_runs_add(&copy->tree.lines, run);
    }
}

static void copy_scaled(struct tree_builder *copy, uint32_t to, struct node_values values,
                        double time_factor, double call_factor, struct scaled_rests *rests)
{
    struct call_details details = call_details_none();
    struct sample_parts samples;
    uint64_t calls = values.calls;
    values.calls = number_scaled_part(calls, call_factor, &rests->calls);
    values.flags |= calls > 0 && values.calls == 0 ? NODE_CALLED : 0;
    values.self_ns = number_scaled(values.self_ns, time_factor);
    if (values.details != NULL) {
        details = *values.details;
        details.errors = number_scaled_part(details.errors, call_factor, &rests->errors);
        details.memory_kb = number_scaled_part(details.memory_kb, call_factor, &rests->memory_kb);
        details.variance_ns2 *= time_factor * time_factor;
        details.cost_error_ns *= time_factor;
        values.details = &details;
    }
    if (values.samples != NULL) {
        samples = sample_parts_scaled(values.samples, time_factor);
        values.samples = &samples;
    }
    tree_builder_add(copy, to, values);
}

uint32_t *align_trees(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                      const struct symbols *new_symbols, const struct symbols *old_symbols,
                      double time_factor, double call_factor)
{
    struct tree_builder new_copy, old_copy;
    tree_builder_init_like(&new_copy, new_tree);
    tree_builder_init_like(&old_copy, old_tree);
    /* Both copies get the same nodes in the same order, and so with the same ids. */
    for (uint32_t node = 1; node < new_tree->node_count; node++) {
        const struct call *call = &new_tree->calls[node];
        uint32_t to = tree_builder_child(&new_copy, call->parent, call->function, call->line);
        tree_builder_child(&old_copy, call->parent, call->function, call->line);
        tree_builder_add(&new_copy, to, tree_values(new_tree, node));
    }
    uint32_t *target = mem_zeroed(old_tree->node_count, sizeof *target);
    struct scaled_rests *rests = mem_zeroed(new_symbols->function_count, sizeof *rests);
    for (uint32_t node = 1; node < old_tree->node_count; node++) {
        struct call call = moved_call(old_tree, node, functions, new_symbols, old_symbols);
        uint32_t parent = target[call.parent];
        target[node] = tree_builder_child(&old_copy, parent, call.function, call.line);
        tree_builder_child(&new_copy, parent, call.function, call.line);
        struct node_values values = tree_values(old_tree, node);
        int64_t shift = (int64_t)new_symbols->functions[call.function].line -
                        old_symbols->functions[old_tree->calls[node].function].line;
        copy_lines(&old_copy, target[node], values, shift, time_factor, call_factor);
        values.line_count = 0;
        copy_scaled(&old_copy, target[node], values, time_factor, call_factor,
                    &rests[call.function]);
    }
    free(rests);
    tree_builder_replace(&new_copy, new_tree);
    tree_builder_replace(&old_copy, old_tree);
    return target;
}
