#include "tree/sums.h"

#include "base/mem.h"
#include "tree/samples.h"

#include <math.h>

struct sum sum_of_none(bool has_details)
{
    struct sum sum = {.has_details = has_details};
    if (has_details)
        sum.details = call_details_none();
    return sum;
}

void sum_add_node(struct sum *sum, const struct tree *tree, uint32_t node, bool is_outermost)
{
    sum->calls += tree->call_counts[node];
    sum->self_ns += tree->self_ns[node];
    sum->total_ns += is_outermost ? tree->total_ns[node] : 0;
    sum->flags |= tree->flags[node];
    if (sum->has_details)
        call_details_add(&sum->details, &tree->details[node]);
}

void sums_add_tree(struct sum *sums, const struct tree *tree, const struct sum_map *map)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t mapped = map->nodes != NULL ? map->nodes[node] : node;
        uint32_t place = map->of_nodes[mapped];
        if (place != TREE_NONE)
            sum_add_node(
                &sums[place], tree, node, map->outermost == NULL || map->outermost[mapped]);
    }
}

struct sum *sums_of_functions(const struct tree *tree, size_t count)
{
    struct sum *sums = mem_zeroed(count, sizeof *sums);
    for (size_t i = 0; i < count; i++)
        sums[i] = sum_of_none(tree->details != NULL);
    for (uint32_t node = 1; node < tree->node_count; node++)
        sum_add_node(&sums[tree->calls[node].function], tree, node, tree->outermost[node]);
    return sums;
}

double error_sum_cost_ns(const struct error_sum *sum)
{
    return fmin(hypot(sqrt(sum->cost_squares_ns2), sum->common_error_ns), sum->cost_error_ns);
}

static void add_error(struct error_sum *to, const struct error_sum *from)
{
    to->variance_ns2 += from->variance_ns2;
    to->cost_error_ns += from->cost_error_ns;
    to->common_error_ns += from->common_error_ns;
}

/* Returns the sums of each node with all below it, [node_count], without squares. */
static struct error_sum *sums_of_nodes(const struct tree *tree)
{
    struct error_sum *sums = mem_zeroed(tree->node_count, sizeof *sums);
    for (uint32_t node = tree->node_count; node-- > TREE_ROOT;) {
        const struct call_details *details = &tree->details[node];
        add_error(&sums[node],
                  &(struct error_sum){.variance_ns2 = details->variance_ns2,
                                      .cost_error_ns = details->cost_error_ns,
                                      .common_error_ns = details->common_error_ns});
        if (node != TREE_ROOT)
            add_error(&sums[tree->calls[node].parent], &sums[node]);
    }
    return sums;
}

/* The group in which a node counts; TREE_NONE: in none. */
static uint32_t group_of(uint32_t node, const uint32_t *of_nodes, const bool *outermost)
{
    if (outermost != NULL && !outermost[node])
        return TREE_NONE;
    return of_nodes == NULL ? node : of_nodes[node];
}

/* What is below nodes of a group; of each node by its place, see tree_order. */
struct walk {
    struct tree_order order;
    uint32_t *functions; /* [node_count] */
    double *errors_ns;   /* [node_count] */
    uint32_t *groups;    /* [node_count]; TREE_NONE: does not count */
};

static void walk_release(struct walk *walk)
{
    tree_order_release(&walk->order);
    MEM_FREE(walk->functions, walk->errors_ns, walk->groups);
}

static void walk_init(struct walk *walk, const struct tree *tree, const uint32_t *of_nodes,
                      const bool *outermost)
{
    uint32_t count = tree->node_count;
    tree_order_init(&walk->order, tree, NULL);
    walk->functions = mem_zeroed(count, sizeof *walk->functions);
    walk->errors_ns = mem_zeroed(count, sizeof *walk->errors_ns);
    walk->groups = mem_zeroed(count, sizeof *walk->groups);
    walk->groups[0] = TREE_NONE;
    for (uint32_t place = 1; place < count; place++) {
        uint32_t node = walk->order.nodes[place];
        walk->functions[place] = tree->calls[node].function;
        walk->errors_ns[place] = tree->details[node].cost_error_ns;
        walk->groups[place] = group_of(node, of_nodes, outermost);
    }
}

/* Returns the places that count, group by group: those of a group end at ends[group]. */
static uint32_t *sort_by_group(const struct walk *walk, uint32_t node_count, uint32_t *ends,
                               size_t count)
{
    uint32_t *places = mem_zeroed(node_count, sizeof *places);
    for (uint32_t place = 0; place < node_count; place++)
        if (walk->groups[place] != TREE_NONE)
            ends[walk->groups[place]]++;
    uint32_t begin = 0;
    for (size_t group = 0; group < count; group++) {
        uint32_t size = ends[group];
        ends[group] = begin;
        begin += size;
    }
    for (uint32_t place = 0; place < node_count; place++)
        if (walk->groups[place] != TREE_NONE)
            places[ends[walk->groups[place]]++] = place;
    return places;
}

/* Adds up by function what is below so many nodes, and returns the sum of squares. `of_functions`
 * is all 0, and is so again. */
static double squares_below(const struct walk *walk, const uint32_t *places, uint32_t count,
                            double *of_functions)
{
    double squares_ns2 = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t at = places[i], end = at + walk->order.sizes[at]; at < end; at++) {
            double *sum_ns = &of_functions[walk->functions[at]], error_ns = walk->errors_ns[at];
            squares_ns2 += (2 * *sum_ns + error_ns) * error_ns;
            *sum_ns += error_ns;
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t at = places[i], end = at + walk->order.sizes[at]; at < end; at++)
            of_functions[walk->functions[at]] = 0;
    return squares_ns2;
}

/* Whether each node is not below too many that count: a stack may be a million deep. */
static bool is_short(const struct walk *walk, uint32_t node_count)
{
    const uint64_t STEPS_MAX = 64; /* of each node */
    uint64_t steps = 0;
    for (uint32_t place = 0; place < node_count; place++)
        steps += walk->groups[place] != TREE_NONE ? walk->order.sizes[place] : 0;
    return steps <= STEPS_MAX * node_count;
}

struct error_sum *total_errors(const struct tree *tree, const uint32_t *of_nodes,
                               const bool *outermost, size_t count)
{
    struct error_sum *sums = mem_zeroed(count, sizeof *sums);
    SCOPED_ARRAY struct error_sum *of_tree = sums_of_nodes(tree);
    SCOPED(walk) walk;
    walk_init(&walk, tree, of_nodes, outermost);
    SCOPED_ARRAY uint32_t *ends = mem_zeroed(count, sizeof *ends);
    SCOPED_ARRAY uint32_t *places = sort_by_group(&walk, tree->node_count, ends, count);
    SCOPED_ARRAY double *of_functions =
        mem_zeroed(tree_count_functions(tree), sizeof *of_functions);
    bool is_walked = is_short(&walk, tree->node_count);
    for (size_t group = 0, begin = 0; group < count; begin = ends[group++]) {
        for (size_t i = begin; i < ends[group]; i++)
            add_error(&sums[group], &of_tree[walk.order.nodes[places[i]]]);
        sums[group].cost_squares_ns2 =
            is_walked
                ? squares_below(&walk, &places[begin], ends[group] - (uint32_t)begin, of_functions)
                : HUGE_VAL;
    }
    return sums;
}

static double *exact_half_widths(const struct tree *tree, const uint32_t *of_nodes,
                                 const bool *outermost, size_t count)
{
    SCOPED_ARRAY struct error_sum *sums = total_errors(tree, of_nodes, outermost, count);
    double *widths_ns = mem_zeroed(count, sizeof *widths_ns);
    SCOPED_ARRAY double *totals_ns = mem_zeroed(count, sizeof *totals_ns);
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (group_of(node, of_nodes, outermost) != TREE_NONE)
            totals_ns[group_of(node, of_nodes, outermost)] += (double)tree->total_ns[node];
    for (size_t i = 0; i < count; i++) {
        double noise_ns = hypot(sqrt(fmax(sums[i].variance_ns2, 0)), error_sum_cost_ns(&sums[i]));
        /* No share is below 0, nor above 1. */
        double most_ns = fmax(totals_ns[i], (double)tree->whole_ns - totals_ns[i]);
        widths_ns[i] = fmin(2 * noise_ns, most_ns);
    }
    return widths_ns;
}

static double *sampled_half_widths(const struct tree *tree, const uint32_t *of_nodes,
                                   const bool *outermost, size_t count)
{
    SCOPED_ARRAY struct sample_sums *totals = sample_totals(tree);
    SCOPED_ARRAY struct sample_sums *sums = mem_zeroed(count, sizeof *sums);
    double *widths_ns = mem_zeroed(count, sizeof *widths_ns);
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (group_of(node, of_nodes, outermost) != TREE_NONE)
            sample_sums_add(&sums[group_of(node, of_nodes, outermost)], &totals[node]);
    for (size_t i = 0; i < count; i++)
        widths_ns[i] = sample_error_ns(&sums[i], &totals[TREE_ROOT]);
    return widths_ns;
}

double *total_half_widths(const struct tree *tree, const uint32_t *of_nodes, const bool *outermost,
                          size_t count)
{
    if (tree->samples != NULL)
        return sampled_half_widths(tree, of_nodes, outermost, count);
    return tree->details != NULL ? exact_half_widths(tree, of_nodes, outermost, count) : NULL;
}
