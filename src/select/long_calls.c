#include "select/long_calls.h"

#include "base/text.h"

/* Whether each call of a function does as little as the others, by its name. */
static bool is_simple(const struct symbols *symbols, uint32_t function)
{
    static const char *const names[] = {"getmetatable", "ipairs",      "next",       "pairs",
                                        "rawequal",     "rawget",      "rawset",     "select",
                                        "setmetatable", "string.byte", "string.len", "table.getn",
                                        "table.insert", "tonumber",    "type",       "unpack"};
    static const char math[] = "math.";
    uint32_t id = symbols->functions[function].name;
    struct span name = id != INTERN_NONE ? intern_get(&symbols->strings, id) : span_of("");
    if (span_is_same(text_start(name, sizeof math - 1), span_of(math)))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (span_is(name, names[i]))
            return true;
    return false;
}

/* What is known of the calls of a function. */
struct sum {
    uint64_t calls;
    int64_t self_ns, longest_ns;
    bool has_callees;
};

/* Whether the longest call took longer than the others together, which are a thousand or more. */
static bool is_too_long(const struct sum *sum)
{
    enum { CALLS_MIN = 1001, LONGEST_NS_MIN = 10000000 };
    return !sum->has_callees && sum->calls >= CALLS_MIN && sum->longest_ns >= LONGEST_NS_MIN &&
           sum->longest_ns >= sum->self_ns / 2;
}

/* Returns the sums of all functions, [function_count]; the caller frees them. */
static struct sum *sum_up(const struct tree *tree, uint32_t function_count)
{
    struct sum *sums = mem_zeroed(function_count, sizeof *sums);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        struct sum *sum = &sums[call->function];
        int64_t longest_ns = tree->details[node].max_ns;
        sum->calls += tree->call_counts[node];
        sum->self_ns += tree->self_ns[node];
        sum->longest_ns = longest_ns > sum->longest_ns ? longest_ns : sum->longest_ns;
        if (call->parent != TREE_ROOT)
            sums[tree->calls[call->parent].function].has_callees = true;
    }
    return sums;
}

void long_calls_find(struct long_calls *calls, const struct tree *tree,
                     const struct symbols *symbols)
{
    uint32_t count = symbols->function_count;
    *calls = (struct long_calls){0};
    if (tree->details == NULL)
        return;
    *calls = (struct long_calls){.is_long = mem_zeroed(count, 1), .function_count = count};
    struct sum *sums = sum_up(tree, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_too_long(&sums[i]) || !symbols_is_c(symbols, i) || !is_simple(symbols, i))
            continue;
        calls->is_long[i] = 1;
        if (sums[i].longest_ns <= calls->worst_ns)
            continue;
        calls->worst = i;
        calls->worst_ns = sums[i].longest_ns;
    }
    free(sums);
}

bool long_calls_have(const struct long_calls *calls, uint32_t function)
{
    return calls != NULL && function < calls->function_count && calls->is_long[function] != 0;
}

void long_calls_release(struct long_calls *calls)
{
    free(calls->is_long);
    *calls = (struct long_calls){0};
}
