#include "select/repeats.h"

#include "base/mem.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static uint64_t errors_of(const struct tree *tree, uint32_t node)
{
    return tree->details != NULL ? tree->details[node].errors : 0;
}

static uint64_t memory_of(const struct tree *tree, uint32_t node)
{
    return tree->details != NULL ? tree->details[node].memory_kb : 0;
}

static bool has_something(const struct tree *tree, uint32_t node)
{
    return tree->call_counts[node] > 0 || tree->self_ns[node] != 0 || errors_of(tree, node) > 0 ||
           memory_of(tree, node) > 0;
}

void repeats_add(struct repeats *repeats, const struct tree *tree, struct profile *profile)
{
    repeats->all =
        mem_grow(repeats->all, &repeats->capacity, repeats->count + 1, sizeof *repeats->all);
    struct repeat *repeat = &repeats->all[repeats->count++];
    *repeat = (struct repeat){.scale = 1, .total_ns = tree->total_ns[TREE_ROOT]};
    for (uint32_t node = 1; node < tree->node_count; node++)
        repeat->count += has_something(tree, node);
    repeat->nodes = mem_zeroed(repeat->count, sizeof *repeat->nodes);
    size_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (!has_something(tree, node))
            continue;
        repeat->nodes[count++] =
            (struct repeat_node){node, tree->call_counts[node], tree->self_ns[node],
                                 errors_of(tree, node), memory_of(tree, node)};
        repeat->calls += tree->call_counts[node];
        repeat->errors += errors_of(tree, node);
    }
    repeat->damaged = profile->counts.damaged;
    for (size_t i = 0; i < profile->recordings.count; i++)
        repeat->missing_lines += profile->recordings.all[i].missing_lines;
    repeat->ticks = profile->ticks;
    profile->ticks = (struct tick_list){0};
}

void repeats_move(struct repeats *repeats, const uint32_t *nodes)
{
    for (size_t i = 0; i < repeats->count; i++)
        for (size_t k = 0; k < repeats->all[i].count; k++)
            repeats->all[i].nodes[k].node = nodes[repeats->all[i].nodes[k].node];
}

void repeats_tree_init(struct tree *tree, const struct tree *shape)
{
    uint32_t count = shape->node_count;
    *tree = (struct tree){
        .node_count = count,
        .calls = mem_zeroed(count, sizeof *tree->calls),
        .call_counts = mem_zeroed(count, sizeof *tree->call_counts),
        .total_ns = mem_zeroed(count, sizeof *tree->total_ns),
        .self_ns = mem_zeroed(count, sizeof *tree->self_ns),
        .flags = mem_zeroed(count, sizeof *tree->flags),
    };
    memcpy(tree->calls, shape->calls, count * sizeof *tree->calls);
    memcpy(tree->flags, shape->flags, count * sizeof *tree->flags);
    if (shape->details != NULL)
        tree->details = mem_zeroed(count, sizeof *tree->details);
    for (uint32_t node = 0; shape->details != NULL && node < count; node++)
        tree->details[node] = call_details_none();
}

void repeats_fill(const struct repeats *repeats, size_t index, struct tree *tree)
{
    const struct repeat *repeat = &repeats->all[index];
    memset(tree->call_counts, 0, tree->node_count * sizeof *tree->call_counts);
    memset(tree->self_ns, 0, tree->node_count * sizeof *tree->self_ns);
    for (uint32_t node = 0; tree->details != NULL && node < tree->node_count; node++)
        tree->details[node] = call_details_none();
    for (size_t i = 0; i < repeat->count; i++) {
        const struct repeat_node *from = &repeat->nodes[i];
        tree->call_counts[from->node] = number_scaled_count(from->calls, repeat->scale);
        tree->self_ns[from->node] = number_scaled(from->self_ns, repeat->scale);
        if (tree->details == NULL)
            continue;
        tree->details[from->node].errors = number_scaled_count(from->errors, repeat->scale);
        tree->details[from->node].memory_kb = number_scaled_count(from->memory_kb, repeat->scale);
    }
    tree_sum_totals(tree);
}

void repeats_count(const struct repeats *repeats, struct tree *tree)
{
    for (size_t i = 0; i < repeats->count; i++)
        for (size_t k = 0; k < repeats->all[i].count; k++)
            tree->call_counts[repeats->all[i].nodes[k].node]++;
}

/* The sums of a node over all logs; counts are doubles because they may be scaled. */
struct node_sum {
    double calls, self_ns, errors, memory_kb;
};

/* Rounded, but never to 0. */
static uint64_t mean_count(double sum, size_t count)
{
    double mean = sum / (double)count;
    return sum <= 0 ? 0 : mean < 1 ? 1 : (uint64_t)number_rounded(mean);
}

void repeats_average(const struct repeats *repeats, struct tree *tree)
{
    struct node_sum *sums = mem_zeroed(tree->node_count, sizeof *sums);
    for (size_t i = 0; i < repeats->count; i++) {
        const struct repeat *repeat = &repeats->all[i];
        for (size_t k = 0; k < repeat->count; k++) {
            const struct repeat_node *from = &repeat->nodes[k];
            struct node_sum *sum = &sums[from->node];
            sum->calls += (double)from->calls * repeat->scale;
            sum->self_ns += (double)from->self_ns * repeat->scale;
            sum->errors += (double)from->errors * repeat->scale;
            sum->memory_kb += (double)from->memory_kb * repeat->scale;
        }
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct node_sum *sum = &sums[node];
        tree->call_counts[node] = mean_count(sum->calls, repeats->count);
        tree->self_ns[node] = number_rounded(sum->self_ns / (double)repeats->count);
        if (tree->details == NULL)
            continue;
        struct call_details *details = &tree->details[node];
        double count = (double)repeats->count;
        details->errors = mean_count(sum->errors, repeats->count);
        details->memory_kb = mean_count(sum->memory_kb, repeats->count);
        details->variance_ns2 /= count * count;
        details->cost_error_ns /= count;
    }
    free(sums);
    tree_sum_totals(tree);
}

void repeats_release(struct repeats *repeats)
{
    for (size_t i = 0; i < repeats->count; i++) {
        free(repeats->all[i].nodes);
        tick_list_release(&repeats->all[i].ticks);
    }
    free(repeats->all);
    *repeats = (struct repeats){0};
}
