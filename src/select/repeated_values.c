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

void repeated_values_move(struct repeated_values *repeated, const uint32_t *nodes,
                          const uint32_t *functions)
{
    for (size_t i = 0; i < repeated->count; i++) {
        struct log_values *log = &repeated->logs[i];
        for (size_t k = 0; k < log->count; k++)
            log->nodes[k].node = nodes[log->nodes[k].node];
        for (size_t k = 0; k < log->watch.thread_count && functions != NULL; k++)
            log->watch.threads[k].function = functions[log->watch.threads[k].function];
    }
}

void repeated_values_append(struct repeated_values *repeated, struct repeated_values *from)
{
    for (size_t i = 0; i < from->count; i++)
        MEM_APPEND(repeated->logs, repeated->count, repeated->capacity, from->logs[i]);
    free(from->logs);
    *from = (struct repeated_values){0};
}

void log_trees_init(struct log_trees *trees, const struct tree *shape)
{
    *trees = (struct log_trees){.shape = shape};
    trees->places = mem_zeroed(shape->node_count, sizeof *trees->places);
    trees->rests = mem_zeroed(tree_count_functions(shape), sizeof *trees->rests);
}

static void forget(struct log_trees *trees)
{
    for (uint32_t node = 1; node < trees->tree.node_count; node++) {
        trees->places[trees->nodes[node]] = 0;
        trees->rests[trees->tree.calls[node].function] = (struct scaled_rests){0};
    }
    free(trees->nodes);
    tree_release(&trees->tree);
}

/* Turns a path that was found from its end. */
static void reverse(uint32_t *path, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t node = path[i];
        path[i] = path[count - 1 - i];
        path[count - 1 - i] = node;
    }
}

/* Finds the nodes of a log and those above them, parents first; returns how many these are. */
static uint32_t find_nodes(struct log_trees *trees, const struct log_values *log)
{
    size_t count = 0;
    trees->nodes = NULL;
    trees->capacity = 0;
    MEM_APPEND(trees->nodes, count, trees->capacity, (uint32_t){TREE_ROOT});
    for (size_t i = 0; i < log->count; i++) {
        size_t known = count;
        for (uint32_t node = log->nodes[i].node; node != TREE_ROOT && trees->places[node] == 0;
             node = trees->shape->calls[node].parent) {
            trees->places[node] = 1;
            MEM_APPEND(trees->nodes, count, trees->capacity, node);
        }
        reverse(trees->nodes + known, count - known);
        for (; known < count; known++)
            trees->places[trees->nodes[known]] = (uint32_t)known;
    }
    return (uint32_t)count;
}

void log_trees_make(struct log_trees *trees, const struct log_values *log)
{
    const struct tree *shape = trees->shape;
    struct tree *tree = &trees->tree;
    forget(trees);
    *tree = tree_make(find_nodes(trees, log), shape->details != NULL);
    tree->outermost = mem_zeroed(tree->node_count, sizeof *tree->outermost);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        tree->outermost[node] = shape->outermost[trees->nodes[node]];
        tree->calls[node] = shape->calls[trees->nodes[node]];
        tree->calls[node].parent = trees->places[tree->calls[node].parent];
        tree->flags[node] = shape->flags[trees->nodes[node]];
        if (tree->details != NULL)
            tree->details[node] = call_details_none();
    }
    for (size_t i = 0; i < log->count; i++) {
        const struct log_node *from = &log->nodes[i];
        uint32_t node = trees->places[from->node];
        struct scaled_rests *rest = &trees->rests[tree->calls[node].function];
        tree->call_counts[node] += number_scaled_part(from->calls, log->scale, &rest->calls);
        tree->self_ns[node] += number_scaled(from->self_ns, log->scale);
        if (tree->details == NULL)
            continue;
        struct call_details *details = &tree->details[node];
        details->errors += number_scaled_part(from->errors, log->scale, &rest->errors);
        details->memory_kb += number_scaled_part(from->memory_kb, log->scale, &rest->memory_kb);
    }
    tree_sum_totals(tree);
}

void log_trees_release(struct log_trees *trees)
{
    forget(trees);
    MEM_FREE(trees->places, trees->rests);
    *trees = (struct log_trees){0};
}

/* Two sums of a node over all logs; counts are doubles because they may be scaled. */
struct node_sum {
    double count, amount; /* calls and self time; or errors and memory */
};

/* Returns them, [node_count]. */
static struct node_sum *sum_up(const struct repeated_values *repeated, uint32_t node_count,
                               bool of_details)
{
    struct node_sum *sums = mem_zeroed(node_count, sizeof *sums);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        for (size_t k = 0; k < log->count; k++) {
            const struct log_node *from = &log->nodes[k];
            struct node_sum *sum = &sums[from->node];
            sum->count += (double)(of_details ? from->errors : from->calls) * log->scale;
            sum->amount +=
                (of_details ? (double)from->memory_kb : (double)from->self_ns) * log->scale;
        }
    }
    return sums;
}

/* Rounded, but never to 0. */
static uint64_t mean_count(double sum, size_t count)
{
    double mean = sum / (double)count;
    return sum <= 0 ? 0 : mean < 1 ? 1 : (uint64_t)number_rounded(mean);
}

static void average_details(const struct repeated_values *repeated, struct tree *tree)
{
    double count = (double)repeated->count;
    SCOPED_ARRAY struct node_sum *sums = sum_up(repeated, tree->node_count, true);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct call_details *details = &tree->details[node];
        details->errors = mean_count(sums[node].count, repeated->count);
        details->memory_kb = mean_count(sums[node].amount, repeated->count);
        details->variance_ns2 /= count * count;
        details->cost_error_ns /= count;
        details->measured_ns /= count;
    }
}

void repeated_tree_average(const struct repeated_values *repeated, struct tree *tree)
{
    if (tree->details != NULL)
        average_details(repeated, tree);
    SCOPED_ARRAY struct node_sum *sums = sum_up(repeated, tree->node_count, false);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        tree->call_counts[node] = mean_count(sums[node].count, repeated->count);
        tree->self_ns[node] = number_rounded(sums[node].amount / (double)repeated->count);
    }
    tree_sum_totals(tree);
}

void repeated_values_release(struct repeated_values *repeated)
{
    for (size_t i = 0; i < repeated->count; i++) {
        free(repeated->logs[i].nodes);
        free(repeated->logs[i].watch.threads);
        tick_list_release(&repeated->logs[i].ticks);
    }
    free(repeated->logs);
    *repeated = (struct repeated_values){0};
}
