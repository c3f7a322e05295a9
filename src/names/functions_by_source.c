#include "names/functions_by_source.h"

#include "base/mem.h"

#include <stdlib.h>

struct sorted {
    uint32_t source, function;
    int32_t line;
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left;
    const struct sorted *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

uint32_t *functions_by_source(const struct symbols *symbols, size_t *count)
{
    struct sorted *sorted = mem_zeroed(symbols->function_count, sizeof *sorted);
    *count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++)
        if (symbols->functions[i].is_used && symbols_is_lua(symbols, i))
            sorted[(*count)++] =
                (struct sorted){symbols->functions[i].source, i, symbols->functions[i].line};
    qsort(sorted, *count, sizeof *sorted, compare_sorted);
    uint32_t *functions = mem_zeroed(*count, sizeof *functions);
    for (size_t i = 0; i < *count; i++)
        functions[i] = sorted[i].function;
    free(sorted);
    return functions;
}
