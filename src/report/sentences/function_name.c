#include "report/sentences/function_name.h"

#include "report/figures/flags.h"
#include "report/sentences/amounts.h"

const char *function_name(const struct labels *labels, uint32_t function)
{
    return labels_string(labels, labels->of[function].said);
}

bool function_is_unfit(const struct report *report, uint32_t function)
{
    return flag_of_function(report, function) != FLAG_NONE ||
           symbols_is_lost(&report->profile->symbols, function);
}

/*
 * Adds up the self times of a C function by caller: the nearest function above that is not a C
 * function itself. Sets `all_ns` to the sum of all, calls by the engine included.
 */
static int64_t *sum_up_callers(const struct report *report, uint32_t function, int64_t *all_ns)
{
    const struct tree *tree = report->tree;
    const struct symbols *symbols = &report->profile->symbols;
    SCOPED_ARRAY uint32_t *callers = mem_zeroed(tree->node_count, sizeof *callers);
    SCOPED_ARRAY bool *is_c = mem_zeroed(symbols->function_count, sizeof *is_c);
    int64_t *self_ns = mem_zeroed(symbols->function_count, sizeof *self_ns);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        is_c[i] = i == function || symbols_is_c(symbols, i);
    callers[TREE_ROOT] = TREE_NONE;
    *all_ns = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t caller = callers[call->parent];
        callers[node] = is_c[call->function] ? caller : call->function;
        if (call->function != function)
            continue;
        *all_ns += tree->self_ns[node];
        if (caller != TREE_NONE)
            self_ns[caller] += tree->self_ns[node];
    }
    return self_ns;
}

/* Appends the function for which a C function took the most self time: where no caller has much of
 * it, how many there are. */
static void put_caller(struct text *text, const struct report *report, uint32_t function)
{
    enum { PERCENT_MUCH = 25, PERCENT_ALL = 95 };
    int64_t all_ns;
    SCOPED_ARRAY int64_t *self_ns = sum_up_callers(report, function, &all_ns);
    uint32_t best = 0, count = 0;
    for (uint32_t i = 0; i < report->profile->symbols.function_count; i++) {
        best = self_ns[i] > self_ns[best] ? i : best;
        count += self_ns[i] > 0;
    }
    double percent = all_ns > 0 ? 100 * (double)self_ns[best] / (double)all_ns : 0;
    if (count > 1 && percent < PERCENT_MUCH)
        text_printf(text, " called by %s", amount_things(count, "function", "functions").at);
    else if (percent >= PERCENT_MUCH && !function_is_unfit(report, best))
        text_printf(text,
                    " called by %s%s",
                    function_name(report->labels, best),
                    percent < PERCENT_ALL ? " and others" : "");
}

void function_name_put(struct text *text, const struct report *report, uint32_t function)
{
    text_put_string(text, function_name(report->labels, function));
    if (symbols_is_c(&report->profile->symbols, function))
        put_caller(text, report, function);
}

bool function_forks(const struct symbols *symbols, uint32_t function)
{
    static const char NAME[] = "ForkThread";
    uint32_t id = symbols->functions[function].name;
    const char *name = id != INTERN_NONE ? intern_get(&symbols->strings, id).at : "";
    const char *dot = strrchr(name, '.');
    return strcmp(dot != NULL ? dot + 1 : name, NAME) == 0;
}
