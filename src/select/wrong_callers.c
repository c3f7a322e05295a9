#include "select/wrong_callers.h"

/* Marks the functions that the engine called: those of the first frames of stacks. */
static uint8_t *find_entries(const struct tree *tree, uint32_t function_count)
{
    uint8_t *is_entry = mem_zeroed(function_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->calls[node].parent == TREE_ROOT && tree->call_counts[node] > 0)
            is_entry[tree->calls[node].function] = 1;
    return is_entry;
}

enum { BELOW = 1, ABOVE = 2 }; /* marks of nodes: below a frame that had ended; such a frame */

/* Adds the stacks that begin right below a frame that had ended. */
static void add_place(struct wrong_callers *frames, int64_t *below_ns, uint32_t function,
                      int64_t time_ns)
{
    frames->below_ns += time_ns;
    frames->place_count += below_ns[function] == 0;
    below_ns[function] += time_ns + 1;
    if (frames->place_count == 1 || below_ns[function] > below_ns[frames->worst])
        frames->worst = function;
}

/* Frames of error() are never left, nor are those of a thread that kills itself. */
static bool never_returns(const struct symbols *symbols, uint32_t function)
{
    uint32_t name = symbols->functions[function].name;
    if (!symbols_is_c(symbols, function) || name == INTERN_NONE)
        return false;
    struct span text = intern_get(&symbols->strings, name);
    return span_is(text, "error") || span_is(text, "KillThread");
}

/* Marks the functions that have much of their self time in frames that had ended. */
static void find_doubtful(struct wrong_callers *frames, const struct tree *tree, uint8_t *marks,
                          const struct symbols *symbols)
{
    enum { PART_MIN = 10 };
    struct caller_times {
        int64_t self_ns, size_ns, ended_ns;
        bool never_returns;
    } *parts = mem_zeroed(frames->function_count, sizeof *parts);
    for (uint32_t i = 0; i < frames->function_count; i++)
        parts[i].never_returns = never_returns(symbols, i);
    for (uint32_t node = tree->node_count - 1; node > 0; node--) {
        struct caller_times *part = &parts[tree->calls[node].function];
        bool has_ended = (marks[node] & ABOVE) != 0 || part->never_returns;
        marks[tree->calls[node].parent] |= marks[node] & ABOVE;
        part->self_ns += tree->self_ns[node];
        part->size_ns += llabs(tree->self_ns[node]);
        part->ended_ns += has_ended ? llabs(tree->self_ns[node]) : 0;
    }
    for (uint32_t i = 0; i < frames->function_count; i++) {
        const struct caller_times *part = &parts[i];
        bool is_impossible = part->self_ns < 0 || part->self_ns > tree->total_ns[TREE_ROOT];
        bool is_ended = part->ended_ns > 0 && part->ended_ns >= part->size_ns / PART_MIN;
        frames->is_doubtful[i] = is_impossible || is_ended;
        frames->doubtful_count += frames->is_doubtful[i];
        frames->doubtful_ns += frames->is_doubtful[i] ? part->size_ns : 0;
    }
    free(parts);
}

void wrong_callers_find(struct wrong_callers *frames, const struct tree *tree,
                        const struct symbols *symbols)
{
    uint32_t function_count = symbols->function_count;
    SCOPED_ARRAY uint8_t *is_entry = find_entries(tree, function_count);
    SCOPED_ARRAY uint8_t *marks = mem_zeroed(tree->node_count, 1);
    SCOPED_ARRAY int64_t *below_ns = mem_zeroed(function_count, sizeof *below_ns);
    *frames = (struct wrong_callers){.is_doubtful = mem_zeroed(function_count, 1),
                                     .function_count = function_count,
                                     .share_ns = tree_share_ns(tree)};
    /* A parent's id is smaller than those of its children. */
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        if (parent == TREE_ROOT)
            continue;
        bool is_deep_entry = is_entry[tree->calls[node].function];
        marks[node] = is_deep_entry ? BELOW : marks[parent] & BELOW;
        if (is_deep_entry && (marks[parent] & BELOW) == 0)
            add_place(frames, below_ns, tree->calls[parent].function, tree->total_ns[node]);
        if (is_deep_entry)
            marks[parent] |= ABOVE;
    }
    find_doubtful(frames, tree, marks, symbols);
}
