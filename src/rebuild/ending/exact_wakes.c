#include "rebuild/ending/exact_wakes.h"

#include "base/text.h"
#include "rebuild/ending/tick_reader.h"

/* What a function did where another one has called it, in stacks that begin with `root`. */
struct called_sum {
    uint32_t root, function, caller;
    int64_t self_ns;
    uint64_t calls;
};

COMPARES(compare_sums, struct called_sum,
         ORDER(a->root, b->root, ORDER(a->function, b->function, ORDER(a->caller, b->caller, 0))))

/* Returns what the tick that is read has on coroutines, in that order; sets the count. */
static struct called_sum *sum_calls(const struct tick_reader *reader, size_t *count)
{
    const struct recorded *recorded = reader->recorded;
    struct called_sum *sums = mem_zeroed(reader->count, sizeof *sums);
    *count = 0;
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        const struct place *place = &recorded->places[entry->place];
        const uint32_t *ids = recorded->function_ids;
        bool is_root = place->parent == 0;
        if (!place->is_coroutine)
            continue;
        sums[(*count)++] = (struct called_sum){
            .root = ids[place->root],
            .function = ids[place->function],
            .caller = is_root ? TREE_NONE : ids[recorded->places[place->parent].function],
            .self_ns = entry->self_ns,
            .calls = entry->calls,
        };
    }
    if (*count > 1)
        qsort(sums, *count, sizeof *sums, compare_sums);
    return sums;
}

/* Returns the end of the items that have the root of the first, and sets their time. */
static size_t end_of_root(const struct called_sum *sums, size_t first, size_t count, int64_t *ns)
{
    size_t end = first;
    for (*ns = 0; end < count && sums[end].root == sums[first].root; end++)
        *ns += sums[end].self_ns;
    return end;
}

/* Puts a function where it belongs among those that are kept. */
static void keep_function(struct exact_wake *wake, struct wake_function function)
{
    size_t at = wake->function_count;
    if (at == EXACT_WAKE_FUNCTIONS && function.self_ns <= wake->functions[at - 1].self_ns)
        return;
    wake->function_count += at < EXACT_WAKE_FUNCTIONS;
    for (at = wake->function_count - 1;
         at > 0 && wake->functions[at - 1].self_ns < function.self_ns;
         at--)
        wake->functions[at] = wake->functions[at - 1];
    wake->functions[at] = function;
}

static void add_functions(struct exact_wake *wake, const struct called_sum *sums, size_t count)
{
    for (size_t i = 0; i < count;) {
        struct wake_function function = {.function = sums[i].function, .caller = sums[i].caller};
        for (; i < count && sums[i].function == function.function;) {
            uint32_t caller = sums[i].caller;
            int64_t ns = 0;
            for (; i < count && sums[i].function == function.function && sums[i].caller == caller;
                 i++) {
                ns += sums[i].self_ns;
                function.calls += sums[i].calls;
            }
            function.self_ns += ns;
            if (ns > function.caller_ns) {
                function.caller = caller;
                function.caller_ns = ns;
            }
        }
        if (function.self_ns > 0)
            keep_function(wake, function);
    }
}

/* Adds the wake that is read. Callbacks of the engine may have run on the same thread: it is what
 * the root with the most time did. */
static void add_wake(struct exact_wakes *wakes, const struct tick_reader *reader,
                     uint32_t recording, bool is_cut)
{
    size_t count, from = 0, to = 0;
    int64_t time_ns = -1;
    SCOPED_ARRAY struct called_sum *sums = sum_calls(reader, &count);
    for (size_t first = 0, end; first < count; first = end) {
        int64_t ns;
        end = end_of_root(sums, first, count, &ns);
        if (ns <= time_ns)
            continue;
        time_ns = ns;
        from = first;
        to = end;
    }
    if (from == to)
        return;
    struct exact_wake wake = {
        .recording = recording,
        .function = sums[from].root,
        .tick = reader->recorded->ticks[reader->tick].number,
        .time_ns = time_ns,
        .is_cut = is_cut,
    };
    add_functions(&wake, sums + from, to - from);
    MEM_APPEND(wakes->all, wakes->count, wakes->capacity, wake);
}

void exact_wakes_add(struct exact_wakes *wakes, const struct recorded *recorded, uint32_t recording,
                     const struct wake_start *starts, size_t count)
{
    struct tick_reader reader;
    size_t next = 0;
    tick_reader_begin(&reader, recorded, false);
    while (tick_reader_next(&reader)) {
        while (next < count && recorded->tick_of_part[starts[next].part] < reader.tick)
            next++;
        if (next < count && recorded->tick_of_part[starts[next].part] == reader.tick)
            add_wake(wakes, &reader, recording, starts[next].is_cut);
    }
    tick_reader_end(&reader);
}
