#include "report/figures/edges.h"

#include "tree/sums.h"
#include "tree/tree.h"

/* A function that calls another one. */
struct pair {
    struct edge edge;        /* gets its function when it is listed */
    uint32_t caller, callee; /* caller: TREE_NONE for the engine */
};

/* A line that does so. */
struct site {
    struct edge_line line;
    uint32_t pair;
};

struct edge_sums {
    const struct report *report;
    const uint8_t *is_chosen; /* [function_count]; NULL: all are */
    uint32_t function_count;
    struct edge_function *functions; /* [function_count]; of TREE_NONE, if it is not in the tree */
    /* The first of each is for nodes of which neither end is chosen. */
    struct pair *pairs; /* [pair_count] */
    struct site *sites; /* [site_count] */
    uint32_t pair_count, site_count;
    uint32_t *site_of, *pair_of; /* [node_count] */
    bool has_recursion;          /* of a chosen function, or of one that it calls */
    bool has_errors;
};

static bool is_chosen(const struct edge_sums *sums, uint32_t function)
{
    return function != TREE_NONE && (sums->is_chosen == NULL || sums->is_chosen[function]);
}

/* Finds the site and the pair of each node. */
static void find_sites(struct edge_sums *sums)
{
    const struct tree *tree = sums->report->tree;
    sums->site_of = mem_zeroed(tree->node_count, sizeof *sums->site_of);
    sums->pair_of = mem_zeroed(tree->node_count, sizeof *sums->pair_of);
    SCOPED(intern) pairs = {0}, sites = {0};
    intern_add_span(&pairs, span_of(""));
    intern_add_span(&sites, span_of(""));
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        const uint32_t caller = tree->calls[call->parent].function;
        const uint32_t key[] = {caller, call->function, (uint32_t)call->line};
        if (!is_chosen(sums, call->function) && !is_chosen(sums, caller))
            continue;
        sums->has_recursion |= !tree->outermost[node];
        sums->pair_of[node] = intern_add(&pairs, (const char *)key, 2 * sizeof key[0]);
        sums->site_of[node] = intern_add(&sites, (const char *)key, sizeof key);
    }
    sums->pair_count = pairs.count;
    sums->site_count = sites.count;
    sums->pairs = mem_zeroed(pairs.count, sizeof *sums->pairs);
    sums->sites = mem_zeroed(sites.count, sizeof *sums->sites);
}

/* Returns half of the intervals of pairs or sites, [count], by the one of each node; 0 is none. */
static double *find_errors(const struct tree *tree, const uint32_t *of_nodes, const bool *outermost,
                           uint32_t count)
{
    SCOPED_ARRAY bool *counts = mem_zeroed(tree->node_count, sizeof *counts);
    for (uint32_t node = 1; node < tree->node_count; node++)
        counts[node] = of_nodes[node] != 0 && outermost[node];
    return total_half_widths(tree, of_nodes, counts, count);
}

static void sum_errors(struct edge_sums *sums, const bool *of_pairs, const bool *of_sites)
{
    const struct tree *tree = sums->report->tree;
    SCOPED_ARRAY double *pairs_ns = find_errors(tree, sums->pair_of, of_pairs, sums->pair_count);
    SCOPED_ARRAY double *sites_ns = find_errors(tree, sums->site_of, of_sites, sums->site_count);
    for (uint32_t i = 0; i < sums->pair_count; i++)
        sums->pairs[i].edge.error_ns = pairs_ns[i];
    for (uint32_t i = 0; i < sums->site_count; i++)
        sums->sites[i].line.error_ns = sites_ns[i];
}

static void sum_up(struct edge_sums *sums)
{
    const struct tree *tree = sums->report->tree;
    const struct tree *old_tree = sums->report->old != NULL ? sums->report->old->tree : NULL;
    SCOPED_ARRAY bool *found_pairs =
        sums->has_recursion ? tree_find_outermost(tree, sums->pair_of, false) : NULL;
    SCOPED_ARRAY bool *found_sites =
        sums->has_recursion ? tree_find_outermost(tree, sums->site_of, false) : NULL;
    const bool *of_pairs = sums->has_recursion ? found_pairs : tree->outermost;
    const bool *of_sites = sums->has_recursion ? found_sites : tree->outermost;
    for (uint32_t i = 0; i < sums->function_count; i++)
        sums->functions[i].function = TREE_NONE;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (sums->pair_of[node] == 0)
            continue;
        const struct call *call = &tree->calls[node];
        struct pair *pair = &sums->pairs[sums->pair_of[node]];
        struct site *site = &sums->sites[sums->site_of[node]];
        struct edge_function *function = &sums->functions[call->function];
        struct edge *edge = &pair->edge;
        struct edge_line *line = &site->line;
        uint64_t calls = tree->call_counts[node];
        int64_t total_ns = tree->total_ns[node];
        pair->caller = tree->calls[call->parent].function;
        pair->callee = function->function = call->function;
        site->pair = sums->pair_of[node];
        line->line = call->line;
        function->calls += calls;
        function->self_ns += tree->self_ns[node];
        function->total_ns += tree->outermost[node] ? total_ns : 0;
        function->is_recursive |= !tree->outermost[node];
        edge->calls += calls;
        edge->total_ns += of_pairs[node] ? total_ns : 0;
        edge->is_recursive |= !tree->outermost[node];
        line->calls += calls;
        line->total_ns += of_sites[node] ? total_ns : 0;
        if (old_tree == NULL)
            continue;
        edge->old_calls += old_tree->call_counts[node];
        edge->old_total_ns += of_pairs[node] ? old_tree->total_ns[node] : 0;
    }
    if (sums->has_errors)
        sum_errors(sums, of_pairs, of_sites);
}

/* An item to sort: by owner, then most expensive first, then by rank. */
struct ordered_edge {
    uint32_t owner;
    int64_t total_ns;
    int64_t rank;
    uint32_t id;
};

COMPARES(compare_ordered, struct ordered_edge,
         ORDER(a->owner, b->owner, ORDER(b->total_ns, a->total_ns, ORDER(a->rank, b->rank, 0))))

static int64_t rank_of(const struct edge_sums *sums, uint32_t function)
{
    return function == TREE_NONE ? -1 : (int64_t)sums->report->labels->ranks[function];
}

static void list_functions(struct edges *edges, const struct edge_sums *sums)
{
    SCOPED_ARRAY struct ordered_edge *ordered = mem_zeroed(sums->function_count, sizeof *ordered);
    size_t count = 0;
    edges->place_of = mem_zeroed(sums->function_count, sizeof *edges->place_of);
    for (uint32_t i = 0; i < sums->function_count; i++) {
        edges->place_of[i] = TREE_NONE;
        if (sums->functions[i].function != TREE_NONE && is_chosen(sums, i))
            ordered[count++] =
                (struct ordered_edge){0, sums->functions[i].total_ns, rank_of(sums, i), i};
    }
    qsort(ordered, count, sizeof *ordered, compare_ordered);
    edges->functions = mem_zeroed(count, sizeof *edges->functions);
    edges->function_count = count;
    for (uint32_t i = 0; i < count; i++) {
        edges->functions[i] = sums->functions[ordered[i].id];
        edges->place_of[ordered[i].id] = i;
    }
}

/* Gives each pair its lines. */
static void list_lines(struct edges *edges, struct edge_sums *sums)
{
    size_t count = sums->site_count - 1;
    SCOPED_ARRAY struct ordered_edge *ordered = mem_zeroed(count, sizeof *ordered);
    for (uint32_t i = 1; i <= count; i++) {
        const struct site *site = &sums->sites[i];
        ordered[i - 1] = (struct ordered_edge){site->pair, site->line.total_ns, site->line.line, i};
    }
    qsort(ordered, count, sizeof *ordered, compare_ordered);
    edges->lines = mem_zeroed(count, sizeof *edges->lines);
    edges->line_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct site *site = &sums->sites[ordered[i].id];
        struct edge *edge = &sums->pairs[site->pair].edge;
        edges->lines[i] = site->line;
        if (edge->line_count++ == 0)
            edge->first_line = i;
    }
}

/* Gives each function its callers or callees; returns those of all functions, [*count]. */
static struct edge *list_edges(struct edges *edges, const struct edge_sums *sums, bool are_callers,
                               size_t *count)
{
    SCOPED_ARRAY struct ordered_edge *ordered = mem_zeroed(sums->pair_count, sizeof *ordered);
    *count = 0;
    for (uint32_t i = 1; i < sums->pair_count; i++) {
        const struct pair *pair = &sums->pairs[i];
        uint32_t owner = are_callers ? pair->callee : pair->caller;
        uint32_t other = are_callers ? pair->caller : pair->callee;
        if (is_chosen(sums, owner))
            ordered[(*count)++] = (struct ordered_edge){
                edges->place_of[owner], pair->edge.total_ns, rank_of(sums, other), i};
    }
    qsort(ordered, *count, sizeof *ordered, compare_ordered);
    struct edge *list = mem_zeroed(*count, sizeof *list);
    for (size_t i = 0; i < *count; i++) {
        const struct pair *pair = &sums->pairs[ordered[i].id];
        struct edge_function *owner = &edges->functions[ordered[i].owner];
        size_t *first = are_callers ? &owner->first_caller : &owner->first_callee;
        size_t *owned = are_callers ? &owner->caller_count : &owner->callee_count;
        list[i] = pair->edge;
        list[i].function = are_callers ? pair->caller : pair->callee;
        if ((*owned)++ == 0)
            *first = i;
    }
    return list;
}

void edges_init(struct edges *edges, const struct report *report, const uint8_t *is_chosen,
                bool wants_errors)
{
    uint32_t function_count = report->profile->symbols.function_count;
    struct edge_sums sums = {.report = report,
                             .is_chosen = is_chosen,
                             .function_count = function_count,
                             .has_errors = wants_errors && report->tree->details != NULL,
                             .functions = mem_zeroed(function_count, sizeof *sums.functions)};
    *edges = (struct edges){.has_errors = sums.has_errors};
    find_sites(&sums);
    sum_up(&sums);
    list_functions(edges, &sums);
    list_lines(edges, &sums);
    edges->callers = list_edges(edges, &sums, true, &edges->caller_count);
    edges->callees = list_edges(edges, &sums, false, &edges->callee_count);
    MEM_FREE(sums.functions, sums.pairs, sums.sites, sums.site_of, sums.pair_of);
}

const struct edge_line *edges_busiest_line(const struct edges *edges, const uint8_t *is_left_out,
                                           const struct edge **caller)
{
    const struct edge_line *best = NULL;
    for (size_t i = 0; i < edges->caller_count; i++) {
        const struct edge *edge = &edges->callers[i];
        bool counts =
            is_left_out == NULL || edge->function == TREE_NONE || !is_left_out[edge->function];
        for (size_t k = 0; counts && k < edge->line_count; k++) {
            const struct edge_line *line = &edges->lines[edge->first_line + k];
            if (best != NULL && line->calls <= best->calls)
                continue;
            best = line;
            *caller = edge;
        }
    }
    return best;
}

void edges_release(struct edges *edges)
{
    MEM_FREE(edges->functions, edges->place_of, edges->callers, edges->callees, edges->lines);
    *edges = (struct edges){0};
}
