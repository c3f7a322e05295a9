#include "rebuild/ending/cheapest_calls.h"

#include "base/number.h"
#include "rebuild/ending/nodes_to_tree.h"

#include <math.h>

/* A function of the game. */
struct called {
    double units, calls;
    double mean; /* of its units, as large as it may be by chance */
    enum call_kind kind;
    bool is_unfit; /* it calls others, or waits */
};

/* Of a sampled run, what was seen, not what it stands for. */
static struct node_counts seen_of(const struct nodes *nodes, uint32_t node)
{
    struct node_counts counts = nodes_whole(nodes, node);
    if (node >= nodes->sample_capacity || counts.calls == 0)
        return counts;
    uint64_t seen = nodes->samples[node].calls;
    return (struct node_counts){number_scaled(counts.self, (double)seen / (double)counts.calls),
                                seen};
}

/* Returns the sums of each function, [nodes->function_count]. */
static struct called *sum_functions(const struct nodes *nodes)
{
    struct called *functions = mem_zeroed(nodes->function_count, sizeof *functions);
    uint8_t *recorder = nodes_find_recorder(nodes);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        struct called *called = &functions[nodes->sites[node_site(&nodes->at[node])].function];
        struct node_counts counts = seen_of(nodes, node);
        uint32_t parent = nodes->at[node].parent;
        if (parent >= NODES_FIRST && !node_is_line(&nodes->at[node]))
            functions[nodes->sites[node_site(&nodes->at[parent])].function].is_unfit = true;
        called->kind = nodes_kind(nodes, node);
        called->is_unfit |= recorder[node] != 0 || nodes_function(nodes, node)->suspends;
        called->units += (double)counts.self;
        called->calls += (double)counts.calls;
    }
    free(recorder);
    return functions;
}

static int compare_means(const void *left, const void *right)
{
    const struct called *a = left;
    const struct called *b = right;
    return (a->mean > b->mean) - (a->mean < b->mean);
}

/* Moves the functions that can limit a cost to the front, cheapest first. Returns their count. */
static size_t sort_fit(struct called *functions, size_t count)
{
    const double CALLS_MIN = 1000;
    size_t fit = 0;
    for (size_t i = 0; i < count; i++) {
        struct called *called = &functions[i];
        if (called->is_unfit || called->calls < CALLS_MIN || called->units < 0)
            continue;
        /* The clock shows whole units, by chance: Poisson's distribution. The true sum is hardly
         * ever larger than this, and where none was seen it may be 5. */
        called->mean = (called->units + 3 * sqrt(called->units) + 5) / called->calls;
        functions[fit++] = *called;
    }
    qsort(functions, fit, sizeof *functions, compare_means);
    return fit;
}

/* The units that the cheapest calls of a kind take: the cheapest fiftieth does not count. */
static double limit_of(const struct called *functions, size_t count, enum call_kind kind)
{
    const double PART = 0.02;
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += functions[i].kind == kind ? functions[i].calls : 0;
    double calls = 0;
    for (size_t i = 0; i < count; i++) {
        calls += functions[i].kind == kind ? functions[i].calls : 0;
        if (calls > 0 && calls >= all * PART)
            return functions[i].mean;
    }
    return HUGE_VAL;
}

void cheapest_calls_limit(struct call_costs *costs, const struct run *run)
{
    struct called *functions = sum_functions(&run->nodes);
    size_t count = sort_fit(functions, run->nodes.function_count);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        double limit_ns = limit_of(functions, count, (enum call_kind)kind) * run->begin.unit_ns;
        costs->in_ns[kind] = fmin(costs->in_ns[kind], limit_ns);
    }
    free(functions);
}
