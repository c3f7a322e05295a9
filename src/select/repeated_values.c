#include "select/repeated_values.h"

#include "base/number.h"

static struct log_node values_of(const struct tree *tree, uint32_t node)
{
    struct log_node values = {node, tree->call_counts[node], tree->self_ns[node], 0, 0};
    if (tree->details != NULL) {
        values.errors = tree->details[node].errors;
        values.memory_kb = tree->details[node].memory_kb;
    }
    return values;
}

static bool has_some(struct log_node values)
{
    return values.calls > 0 || values.self_ns != 0 || values.errors > 0 || values.memory_kb > 0;
}

void repeated_values_add(struct repeated_values *repeated, const struct tree *tree,
                         struct profile *profile)
{
    MEM_GROW(repeated->logs, repeated->capacity, repeated->count + 1);
    struct log_values *log = &repeated->logs[repeated->count++];
    *log = (struct log_values){.scale = 1, .total_ns = tree->total_ns[TREE_ROOT]};
    for (uint32_t node = 1; node < tree->node_count; node++)
        log->count += has_some(values_of(tree, node));
    struct log_node *to = log->nodes = mem_zeroed(log->count, sizeof *log->nodes);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct log_node values = values_of(tree, node);
        if (!has_some(values))
            continue;
        *to++ = values;
        log->calls += values.calls;
        log->errors += values.errors;
    }
    log->damaged = profile->counts.damaged;
    log->missing_lines = profile_missing_lines(profile);
    log->ticks = profile->ticks;
    profile->ticks = (struct tick_list){0};
}

void repeated_values_move(struct repeated_values *repeated, const uint32_t *nodes)
{
    for (size_t i = 0; i < repeated->count; i++)
        for (size_t k = 0; k < repeated->logs[i].count; k++)
            repeated->logs[i].nodes[k].node = nodes[repeated->logs[i].nodes[k].node];
}

void repeated_tree_init(struct tree *tree, const struct tree *shape)
{
    uint32_t count = shape->node_count;
    *tree = tree_make(count, shape->details != NULL);
    memcpy(tree->calls, shape->calls, count * sizeof *tree->calls);
    memcpy(tree->flags, shape->flags, count * sizeof *tree->flags);
    for (uint32_t node = 0; shape->details != NULL && node < count; node++)
        tree->details[node] = call_details_none();
    tree_sum_totals(tree);
}

void repeated_tree_fill(const struct repeated_values *repeated, size_t index, struct tree *tree)
{
    const struct log_values *log = &repeated->logs[index];
    struct scaled_rests *rests = mem_zeroed(tree_count_functions(tree), sizeof *rests);
    memset(tree->call_counts, 0, tree->node_count * sizeof *tree->call_counts);
    memset(tree->self_ns, 0, tree->node_count * sizeof *tree->self_ns);
    for (uint32_t node = 0; tree->details != NULL && node < tree->node_count; node++)
        tree->details[node] = call_details_none();
    for (size_t i = 0; i < log->count; i++) {
        const struct log_node *from = &log->nodes[i];
        struct scaled_rests *rest = &rests[tree->calls[from->node].function];
        tree->call_counts[from->node] = number_scaled_part(from->calls, log->scale, &rest->calls);
        tree->self_ns[from->node] = number_scaled(from->self_ns, log->scale);
        if (tree->details == NULL)
            continue;
        struct call_details *details = &tree->details[from->node];
        details->errors = number_scaled_part(from->errors, log->scale, &rest->errors);
        details->memory_kb = number_scaled_part(from->memory_kb, log->scale, &rest->memory_kb);
    }
    free(rests);
    tree_sum_totals(tree);
}

void repeated_tree_count_logs(const struct repeated_values *repeated, struct tree *tree)
{
    for (size_t i = 0; i < repeated->count; i++)
        for (size_t k = 0; k < repeated->logs[i].count; k++)
            tree->call_counts[repeated->logs[i].nodes[k].node]++;
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

void repeated_tree_average(const struct repeated_values *repeated, struct tree *tree)
{
    struct node_sum *sums = mem_zeroed(tree->node_count, sizeof *sums);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        for (size_t k = 0; k < log->count; k++) {
            const struct log_node *from = &log->nodes[k];
            struct node_sum *sum = &sums[from->node];
            sum->calls += (double)from->calls * log->scale;
            sum->self_ns += (double)from->self_ns * log->scale;
            sum->errors += (double)from->errors * log->scale;
            sum->memory_kb += (double)from->memory_kb * log->scale;
        }
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct node_sum *sum = &sums[node];
        tree->call_counts[node] = mean_count(sum->calls, repeated->count);
        tree->self_ns[node] = number_rounded(sum->self_ns / (double)repeated->count);
        if (tree->details == NULL)
            continue;
        struct call_details *details = &tree->details[node];
        double count = (double)repeated->count;
        details->errors = mean_count(sum->errors, repeated->count);
        details->memory_kb = mean_count(sum->memory_kb, repeated->count);
        details->variance_ns2 /= count * count;
        details->cost_error_ns /= count;
    }
    free(sums);
    tree_sum_totals(tree);
}

void repeated_values_release(struct repeated_values *repeated)
{
    for (size_t i = 0; i < repeated->count; i++) {
        free(repeated->logs[i].nodes);
        tick_list_release(&repeated->logs[i].ticks);
    }
    free(repeated->logs);
    *repeated = (struct repeated_values){0};
}
