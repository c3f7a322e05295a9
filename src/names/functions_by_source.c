#include "names/functions_by_source.h"

struct sorted {
    uint32_t source, function;
    bool is_used;
    int32_t line;
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    return ORDER(a->source, b->source, ORDER(b->is_used, a->is_used, ORDER(a->line, b->line, 0)));
}

void functions_by_source(const struct symbols *symbols,
                         void (*act)(void *context, const struct source_group *group),
                         void *context)
{
    struct sorted *sorted = mem_zeroed(symbols->function_count, sizeof *sorted);
    uint32_t *functions = mem_zeroed(symbols->function_count, sizeof *functions);
    size_t count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (symbols_is_lua(symbols, i))
            sorted[count++] =
                (struct sorted){function->source, i, function->is_used, function->line};
    }
    qsort(sorted, count, sizeof *sorted, compare_sorted);
    for (size_t from = 0, to = 0; from < count; from = to) {
        size_t used = 0;
        for (; to < count && sorted[to].source == sorted[from].source; to++) {
            functions[to] = sorted[to].function;
            used += sorted[to].is_used;
        }
        if (used > 0)
            act(context,
                &(struct source_group){sorted[from].source, functions + from, used, to - from});
    }
    free(sorted);
    free(functions);
}
