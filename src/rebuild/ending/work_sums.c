#include "rebuild/ending/work_sums.h"

#include "rebuild/ending/nodes_to_tree.h"

void work_sums_release(struct work_sums *sums)
{
    MEM_FREE(sums->lines, sums->same, sums->long_calls, sums->functions);
    *sums = (struct work_sums){.recording_count = sums->recording_count};
}

/* Returns the units of all returned calls of each function, [function_count]. */
static double *sum_functions(struct work_sums *sums, const struct nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->function_count; i++)
        if (nodes->functions[i].id >= sums->function_count)
            sums->function_count = (size_t)nodes->functions[i].id + 1;
    sums->functions = mem_zeroed(sums->function_count, sizeof *sums->functions);
    double *durations = mem_zeroed(sums->function_count, sizeof *durations);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        const struct node *at = &nodes->at[node];
        struct function_work *function = &sums->functions[nodes_function(nodes, node)->id];
        function->measured_ns += (double)at->self * sums->unit_ns;
        function->usual_part += (double)at->calls;
        durations[nodes_function(nodes, node)->id] += (double)at->duration_sum;
    }
    return durations;
}

/* `usual_part` has the calls until now. */
static void price_functions(struct work_sums *sums, const struct prices *prices)
{
    for (size_t i = 0; i < sums->function_count; i++) {
        struct function_work *function = &sums->functions[i];
        double calls = function->usual_part;
        function->usual_part = 1;
        if (i >= prices->count || prices->at[i].calls == 0 || calls == 0)
            continue;
        function->tick_calls = (double)prices->at[i].calls / (double)prices->tick_count;
        function->price_ns = prices->at[i].price * prices->scale * sums->unit_ns;
        if (calls * function->price_ns < function->measured_ns)
            function->usual_part = calls * function->price_ns / function->measured_ns;
    }
}

static struct line_sum line_of(const struct nodes *nodes, const struct call_line *line)
{
    const struct event_function *callee = &nodes->functions[nodes->sites[line->site].function];
    struct line_sum sum = {
        .caller = line->caller,
        .callee = callee->id,
        .line = nodes_call_line(nodes, line->site, false),
        .invocations = line->invocations,
        .largest = line->largest,
        .bucket_count = line->invocations / line->width,
        .width = line->width,
    };
    for (size_t i = 0; i < CALL_LINE_BUCKETS; i++)
        sum.calls += sum.buckets[i] = line->buckets[i];
    return sum;
}

static void add_lines(struct work_sums *sums, struct work *work, const struct nodes *nodes)
{
    size_t count = work->line_count < CALL_LINES_MAX ? work->line_count : 0, capacity = 0;
    for (size_t i = 0; i < count; i++) {
        work_end_stretch(&work->lines[i], 0);
        struct line_sum sum = line_of(nodes, &work->lines[i]);
        bool is_loop = nodes->site_kinds[work->lines[i].site] == CALL_OF_ITERATOR;
        if (!is_loop && sum.calls >= (uint64_t)LINE_CALLS_MIN * sum.invocations)
            MEM_APPEND(sums->lines, sums->line_count, capacity, sum);
    }
}

/* The smallest distance at which most of the ticks follow another one, or 0. */
static uint32_t distance_of(const struct same_of_function *of)
{
    enum { TICKS_MIN = 5 };
    for (uint32_t i = 1; i <= CALL_DISTANCE_MAX && of->tick_count >= TICKS_MIN; i++)
        if (of->distances[i] >= of->tick_count - of->tick_count / 4)
            return i;
    return 0;
}

/* Adds the most frequent of each function; of equal ones the first. */
static void add_same(struct work_sums *sums, const struct work *work, const double *durations)
{
    size_t count = work->same_count < SAME_CALLS_MAX ? work->same_count : 0, capacity = 0;
    uint32_t *best = mem_zeroed(sums->function_count, sizeof *best);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *of = &best[work->same[i].function];
        *of = *of == 0 || work->same[i].count > work->same[*of - 1].count ? i + 1 : *of;
    }
    for (size_t i = 0; i < sums->function_count; i++) {
        if (best[i] == 0)
            continue;
        const struct same_calls *same = &work->same[best[i] - 1];
        struct same_sum sum = {same->function, same->count, same->below,
                               distance_of(&work->same_of[same->function]),
                               durations[i] > 0 ? (double)same->units / durations[i] : 0};
        MEM_APPEND(sums->same, sums->same_count, capacity, sum);
    }
    free(best);
}

/* Calls of functions that suspend their thread waited. */
static void add_long_calls(struct work_sums *sums, const struct work *work,
                           const struct nodes *nodes)
{
    uint8_t *waits = mem_zeroed(sums->function_count, 1);
    size_t count = work->long_count < LONG_CALLS_MAX ? work->long_count : 0, capacity = 0;
    for (uint32_t i = 0; i < nodes->function_count; i++)
        waits[nodes->functions[i].id] |= nodes->functions[i].suspends;
    for (size_t i = 0; i < count; i++)
        if (!waits[work->long_calls[i].function])
            MEM_APPEND(sums->long_calls, sums->long_count, capacity, work->long_calls[i]);
    free(waits);
}

void work_sums_add(struct work_sums *sums, struct work *work, const struct nodes *nodes,
                   const struct prices *prices, double unit_ns)
{
    if (!work->is_on)
        return;
    if (sums->recording_count++ > 0) {
        work_sums_release(sums);
        return;
    }
    sums->unit_ns = unit_ns;
    double *durations = sum_functions(sums, nodes);
    price_functions(sums, prices);
    add_lines(sums, work, nodes);
    add_same(sums, work, durations);
    add_long_calls(sums, work, nodes);
    free(durations);
}
