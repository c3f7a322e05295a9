#include "report/edges.h"

#include "base/intern.h"
#include "base/mem.h"
#include "tree/tree_links.h"

#include <stdlib.h>

/* Nodes of one kind: a function, an edge or a calling line. */
struct sum {
    uint64_t calls;
    int64_t self_ns, total_ns;
    uint32_t on_path; /* how many are on the path to the current node */
    bool is_recursive;
};

struct pair {
    struct sum sum;
    uint32_t caller, callee; /* caller: TREE_NONE for the engine */
};

struct site {
    struct sum sum;
    uint32_t pair;
    int32_t line;
};

struct sums {
    const struct tree *tree;
    const struct labels *labels;
    const uint8_t *is_chosen; /* [function_count] */
    uint32_t function_count;
    struct sum *functions; /* [function_count] */
    struct intern pair_keys, site_keys;
    struct pair *pairs; /* [pair_keys.count] */
    struct site *sites; /* [site_keys.count] */
    size_t pair_capacity, site_capacity;
    uint32_t *site_of; /* [node_count]: INTERN_NONE if neither end is chosen */
};

static uint32_t find_pair(struct sums *sums, uint32_t caller, uint32_t callee)
{
    const uint32_t key[] = {caller, callee};
    uint32_t known = sums->pair_keys.count;
    uint32_t pair = intern_add(&sums->pair_keys, (const char *)key, sizeof key);
    if (pair == known) {
        sums->pairs =
            mem_grow(sums->pairs, &sums->pair_capacity, (size_t)known + 1, sizeof *sums->pairs);
        sums->pairs[pair] = (struct pair){.caller = caller, .callee = callee};
    }
    return pair;
}

static uint32_t find_site(struct sums *sums, uint32_t caller, uint32_t callee, int32_t line)
{
    const uint32_t key[] = {caller, callee, (uint32_t)line};
    uint32_t known = sums->site_keys.count;
    uint32_t site = intern_add(&sums->site_keys, (const char *)key, sizeof key);
    if (site == known) {
        uint32_t pair = find_pair(sums, caller, callee);
        sums->sites =
            mem_grow(sums->sites, &sums->site_capacity, (size_t)known + 1, sizeof *sums->sites);
        sums->sites[site] = (struct site){.pair = pair, .line = line};
    }
    return site;
}

static void find_sites(struct sums *sums)
{
    const struct tree *tree = sums->tree;
    sums->site_of = mem_zeroed(tree->node_count, sizeof *sums->site_of);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        bool is_root = call->parent == TREE_ROOT;
        uint32_t caller = is_root ? TREE_NONE : tree->calls[call->parent].function;
        bool is_wanted = sums->is_chosen[call->function] || (!is_root && sums->is_chosen[caller]);
        sums->site_of[node] =
            is_wanted ? find_site(sums, caller, call->function, call->line) : INTERN_NONE;
    }
}

static void enter(struct sum *sum, const struct tree *tree, uint32_t node)
{
    sum->calls += tree->call_counts[node];
    sum->self_ns += tree->self_ns[node];
    if (sum->on_path++ == 0)
        sum->total_ns += tree->total_ns[node];
}

static void leave_node(void *context, uint32_t node)
{
    struct sums *sums = context;
    uint32_t site = sums->site_of[node];
    sums->functions[sums->tree->calls[node].function].on_path--;
    if (site == INTERN_NONE)
        return;
    sums->sites[site].sum.on_path--;
    sums->pairs[sums->sites[site].pair].sum.on_path--;
}

static void sum_up(struct sums *sums)
{
    const struct tree *tree = sums->tree;
    struct tree_links links;
    tree_link(&links, tree, NULL);
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave_node, sums)) != TREE_NONE) {
        struct sum *function = &sums->functions[tree->calls[node].function];
        uint32_t site = sums->site_of[node];
        bool is_recursive = function->on_path > 0;
        function->is_recursive |= is_recursive;
        enter(function, tree, node);
        if (site == INTERN_NONE)
            continue;
        struct pair *pair = &sums->pairs[sums->sites[site].pair];
        pair->sum.is_recursive |= is_recursive;
        enter(&pair->sum, tree, node);
        enter(&sums->sites[site].sum, tree, node);
    }
    tree_links_release(&links);
}

/* An item to sort: by owner, then most expensive first, then by rank. */
struct ordered {
    uint32_t owner;
    int64_t total_ns;
    int64_t rank;
    uint32_t id;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *a = left;
    const struct ordered *b = right;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int64_t rank_of(const struct sums *sums, uint32_t function)
{
    return function == TREE_NONE ? -1 : (int64_t)sums->labels->labels[function].rank;
}

/* Returns the place of each chosen function in edges->functions, [function_count]. */
static uint32_t *list_functions(struct edges *edges, const struct sums *sums)
{
    struct ordered *ordered = mem_zeroed(sums->function_count, sizeof *ordered);
    uint32_t *places = mem_zeroed(sums->function_count, sizeof *places);
    bool *is_used = mem_zeroed(sums->function_count, sizeof *is_used);
    for (uint32_t node = 1; node < sums->tree->node_count; node++)
        is_used[sums->tree->calls[node].function] = true;
    size_t count = 0;
    for (uint32_t i = 0; i < sums->function_count; i++)
        if (is_used[i] && sums->is_chosen[i])
            ordered[count++] =
                (struct ordered){0, sums->functions[i].total_ns, rank_of(sums, i), i};
    qsort(ordered, count, sizeof *ordered, compare_ordered);
    edges->functions = mem_zeroed(count, sizeof *edges->functions);
    edges->function_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct sum *sum = &sums->functions[ordered[i].id];
        places[ordered[i].id] = i;
        edges->functions[i] = (struct edge_function){.function = ordered[i].id,
                                                     .calls = sum->calls,
                                                     .self_ns = sum->self_ns,
                                                     .total_ns = sum->total_ns,
                                                     .is_recursive = sum->is_recursive};
    }
    free(is_used);
    free(ordered);
    return places;
}

/* The range of one owner's items in a list. */
struct extent {
    size_t first, count;
};

/* Returns the lines of each pair, [pair_keys.count]. */
static struct extent *list_lines(struct edges *edges, const struct sums *sums)
{
    size_t count = sums->site_keys.count;
    struct ordered *ordered = mem_zeroed(count, sizeof *ordered);
    struct extent *extents = mem_zeroed(sums->pair_keys.count, sizeof *extents);
    for (uint32_t i = 0; i < count; i++) {
        const struct site *site = &sums->sites[i];
        ordered[i] = (struct ordered){site->pair, site->sum.total_ns, site->line, i};
    }
    qsort(ordered, count, sizeof *ordered, compare_ordered);
    edges->lines = mem_zeroed(count, sizeof *edges->lines);
    edges->line_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct site *site = &sums->sites[ordered[i].id];
        edges->lines[i] = (struct edge_line){site->line, site->sum.calls, site->sum.total_ns};
        if (extents[site->pair].count++ == 0)
            extents[site->pair].first = i;
    }
    free(ordered);
    return extents;
}

/* The callers or callees of all chosen functions, sorted by function. */
struct edge_list {
    struct edge *edges; /* [count] */
    size_t count;
    struct extent *of_functions; /* by place */
};

static struct edge make_edge(const struct pair *pair, uint32_t other, const struct extent *lines)
{
    return (struct edge){.function = other,
                         .calls = pair->sum.calls,
                         .total_ns = pair->sum.total_ns,
                         .is_recursive = pair->sum.is_recursive,
                         .first_line = lines->first,
                         .line_count = lines->count};
}

static struct edge_list list_edges(const struct sums *sums, const uint32_t *places,
                                   size_t place_count, const struct extent *lines, bool are_callers)
{
    struct ordered *ordered = mem_zeroed(sums->pair_keys.count, sizeof *ordered);
    size_t count = 0;
    for (uint32_t i = 0; i < sums->pair_keys.count; i++) {
        const struct pair *pair = &sums->pairs[i];
        uint32_t owner = are_callers ? pair->callee : pair->caller;
        uint32_t other = are_callers ? pair->caller : pair->callee;
        if (owner != TREE_NONE && sums->is_chosen[owner])
            ordered[count++] =
                (struct ordered){places[owner], pair->sum.total_ns, rank_of(sums, other), i};
    }
    qsort(ordered, count, sizeof *ordered, compare_ordered);
    struct edge_list list = {mem_zeroed(count, sizeof *list.edges), count,
                             mem_zeroed(place_count, sizeof *list.of_functions)};
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &sums->pairs[ordered[i].id];
        list.edges[i] =
            make_edge(pair, are_callers ? pair->caller : pair->callee, &lines[ordered[i].id]);
        struct extent *extent = &list.of_functions[ordered[i].owner];
        if (extent->count++ == 0)
            extent->first = i;
    }
    free(ordered);
    return list;
}

static void list_all(struct edges *edges, const struct sums *sums)
{
    uint32_t *places = list_functions(edges, sums);
    struct extent *lines = list_lines(edges, sums);
    struct edge_list callers = list_edges(sums, places, edges->function_count, lines, true);
    struct edge_list callees = list_edges(sums, places, edges->function_count, lines, false);
    for (size_t i = 0; i < edges->function_count; i++) {
        struct edge_function *function = &edges->functions[i];
        function->first_caller = callers.of_functions[i].first;
        function->caller_count = callers.of_functions[i].count;
        function->first_callee = callees.of_functions[i].first;
        function->callee_count = callees.of_functions[i].count;
    }
    edges->callers = callers.edges;
    edges->caller_count = callers.count;
    edges->callees = callees.edges;
    edges->callee_count = callees.count;
    free(callers.of_functions);
    free(callees.of_functions);
    free(places);
    free(lines);
}

void edges_init(struct edges *edges, const struct tree *tree, const struct labels *labels,
                const uint8_t *is_chosen, uint32_t function_count)
{
    struct sums sums = {.tree = tree,
                        .labels = labels,
                        .is_chosen = is_chosen,
                        .function_count = function_count,
                        .functions = mem_zeroed(function_count, sizeof *sums.functions)};
    *edges = (struct edges){0};
    find_sites(&sums);
    sum_up(&sums);
    list_all(edges, &sums);
    intern_release(&sums.pair_keys);
    intern_release(&sums.site_keys);
    free(sums.functions);
    free(sums.pairs);
    free(sums.sites);
    free(sums.site_of);
}

void edges_release(struct edges *edges)
{
    free(edges->functions);
    free(edges->callers);
    free(edges->callees);
    free(edges->lines);
    *edges = (struct edges){0};
}
