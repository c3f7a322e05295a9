#include "tree/line_runs.h"

#include "base/mem.h"
#include "base/sort.h"
#include "base/text.h"

#include <math.h>

void line_runs_add(struct line_runs **runs, struct line_run run)
{
    if (*runs == NULL)
        *runs = mem_zeroed(1, sizeof **runs);
    MEM_APPEND((*runs)->at, (*runs)->count, (*runs)->capacity, run);
}

void line_runs_free(struct line_runs *runs)
{
    MEM_FREE(runs->at, runs);
}

COMPARES(compare, struct line_run, ORDER(a->node, b->node, ORDER(a->line, b->line, 0)))

void line_runs_sort(struct line_runs *runs)
{
    size_t used = 0;
    if (runs == NULL || runs->count == 0)
        return;
    qsort(runs->at, runs->count, sizeof *runs->at, compare);
    for (size_t i = 0; i < runs->count; i++) {
        const struct line_run *run = &runs->at[i];
        if (used > 0 && compare(run, &runs->at[used - 1]) == 0) {
            runs->at[used - 1].runs += run->runs;
            runs->at[used - 1].begins += run->begins;
            runs->at[used - 1].self_ns += run->self_ns;
        } else {
            runs->at[used++] = *run;
        }
    }
    runs->count = used;
}

struct line_run *line_runs_find(const struct line_runs *runs, uint32_t node, int32_t line)
{
    struct line_run wanted = {.node = node, .line = line};
    return runs == NULL ? NULL : bsearch(&wanted, runs->at, runs->count, sizeof wanted, compare);
}

const struct line_run *line_runs_of(const struct line_runs *runs, uint32_t node, size_t *count)
{
    struct line_run wanted = {.node = node, .line = INT32_MIN};
    *count = 0;
    if (runs == NULL)
        return NULL;
    size_t first = search_first(&wanted, runs->at, runs->count, sizeof wanted, compare);
    while (first + *count < runs->count && runs->at[first + *count].node == node)
        ++*count;
    return &runs->at[first];
}

void line_runs_fit(struct line_runs *runs, const int64_t *self_ns)
{
    for (size_t first = 0, end; first < runs->count; first = end) {
        uint32_t node = runs->at[first].node;
        int64_t sum_ns = 0, seen_ns = 0, given_ns = 0;
        for (end = first; end < runs->count && runs->at[end].node == node; end++)
            sum_ns += runs->at[end].self_ns;
        for (size_t i = first; i < end; i++) {
            seen_ns += runs->at[i].self_ns;
            int64_t until_ns = sum_ns > 0 ? llroundl((long double)self_ns[node] *
                                                     (long double)seen_ns / (long double)sum_ns)
                                          : self_ns[node];
            runs->at[i].self_ns = until_ns - given_ns;
            given_ns = until_ns;
        }
    }
}
