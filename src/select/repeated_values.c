#include "select/repeated_values.h"

#include "base/number.h"

static bool has_values(const struct tree *tree, uint32_t node)
{
    const struct call_details *details = tree->details != NULL ? &tree->details[node] : NULL;
    return tree->call_counts[node] > 0 || tree->self_ns[node] != 0 ||
           (details != NULL && (details->errors > 0 || details->memory_kb > 0));
}

static void add_nodes(struct log_values *log, const struct tree *tree)
{
    log->nodes = mem_zeroed(log->count, sizeof *log->nodes);
    if (tree->details != NULL)
        log->details = mem_zeroed(log->count, sizeof *log->details);
    size_t at = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (!has_values(tree, node))
            continue;
        log->nodes[at] = (struct log_node){node, tree->call_counts[node], tree->self_ns[node]};
        log->calls += tree->call_counts[node];
        if (log->details != NULL) {
            const struct call_details *details = &tree->details[node];
            log->details[at] = (struct log_node_details){details->errors, details->memory_kb};
            log->errors += details->errors;
        }
        at++;
    }
}

static double find_untimed_bias(const struct profile *profile)
{
    double most = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (rebuilt->is_there && !rebuilt->is_outside && rebuilt->costs.untimed_bias > most)
            most = rebuilt->costs.untimed_bias;
    }
    return most;
}

void repeated_values_add(struct repeated_values *repeated, const struct tree *tree,
                         struct profile *profile)
{
    MEM_GROW(repeated->logs, repeated->capacity, repeated->count + 1);
    struct log_values *log = &repeated->logs[repeated->count++];
    *log = (struct log_values){.scale = 1, .total_ns = tree->total_ns[TREE_ROOT]};
    for (uint32_t node = 1; node < tree->node_count; node++)
        log->count += has_values(tree, node);
    add_nodes(log, tree);
    log->damaged = profile->counts.damaged;
    log->missing_lines = profile_missing_lines(profile);
    log->untimed_bias = find_untimed_bias(profile);
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
        if (tree->details == NULL || log->details == NULL)
            continue;
        struct call_details *details = &tree->details[node];
        const struct log_node_details *more = &log->details[i];
        details->errors += number_scaled_part(more->errors, log->scale, &rest->errors);
        details->memory_kb += number_scaled_part(more->memory_kb, log->scale, &rest->memory_kb);
    }
    tree_sum_totals(tree);
}

void log_trees_release(struct log_trees *trees)
{
    forget(trees);
    MEM_FREE(trees->places, trees->rests);
    *trees = (struct log_trees){0};
}

struct repeated_sums repeated_sums_of(const struct tree *tree)
{
    return (struct repeated_sums){.node_count = tree->node_count,
                                  .has_details = tree->details != NULL};
}

void repeated_sums_make(struct repeated_sums *sums, const struct repeated_values *repeated)
{
    sums->log_count = repeated->count;
    sums->values = mem_zeroed(sums->node_count, sizeof *sums->values);
    if (sums->has_details)
        sums->details = mem_zeroed(sums->node_count, sizeof *sums->details);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        for (size_t k = 0; k < log->count; k++) {
            struct node_sum *sum = &sums->values[log->nodes[k].node];
            sum->count += (double)log->nodes[k].calls * log->scale;
            sum->amount += (double)log->nodes[k].self_ns * log->scale;
        }
        for (size_t k = 0; sums->has_details && log->details != NULL && k < log->count; k++) {
            struct node_sum *sum = &sums->details[log->nodes[k].node];
            sum->count += (double)log->details[k].errors * log->scale;
            sum->amount += (double)log->details[k].memory_kb * log->scale;
        }
    }
}

void repeated_sums_release(struct repeated_sums *sums)
{
    MEM_FREE(sums->values, sums->details);
    *sums = (struct repeated_sums){0};
}

/* Rounded, but never to 0. */
static uint64_t mean_count(double sum, size_t count)
{
    double mean = sum / (double)count;
    return sum <= 0 ? 0 : mean < 1 ? 1 : (uint64_t)number_rounded(mean);
}

static void average_details(const struct repeated_sums *sums, struct tree *tree)
{
    double count = (double)sums->log_count;
    for (uint32_t node = 1; node < sums->node_count; node++) {
        struct call_details *details = &tree->details[node];
        details->errors = mean_count(sums->details[node].count, sums->log_count);
        details->memory_kb = mean_count(sums->details[node].amount, sums->log_count);
        details->variance_ns2 /= count * count;
        details->cost_error_ns /= count;
        details->common_error_ns /= count;
        details->measured_ns /= count;
    }
}

void repeated_tree_average(const struct repeated_sums *sums, struct tree *tree)
{
    if (sums->has_details)
        average_details(sums, tree);
    for (uint32_t node = 1; node < sums->node_count; node++) {
        const struct node_sum *sum = &sums->values[node];
        tree->call_counts[node] = mean_count(sum->count, sums->log_count);
        tree->self_ns[node] = number_rounded(sum->amount / (double)sums->log_count);
    }
    tree_sum_totals(tree);
}

void repeated_values_release(struct repeated_values *repeated)
{
    for (size_t i = 0; i < repeated->count; i++) {
        MEM_FREE(
            repeated->logs[i].nodes, repeated->logs[i].details, repeated->logs[i].watch.threads);
        tick_list_release(&repeated->logs[i].ticks);
    }
    free(repeated->logs);
    *repeated = (struct repeated_values){0};
}
