#include "report/html/html_writing.h"

#include "base/mem.h"
#include "report/html/html_json.h"

#include <stdlib.h>

/* What a row of ticks changed, sorted by part. */
struct bin {
    struct tick_change *all; /* [count] */
    size_t count, capacity;
};

static int compare_parts(const void *left, const void *right)
{
    const struct tick_change *a = left;
    const struct tick_change *b = right;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Sorts the changes of a bin, and adds up those of the same part. */
static void settle_bin(struct bin *bin)
{
    size_t count = 0;
    if (bin->count > 0)
        qsort(bin->all, bin->count, sizeof *bin->all, compare_parts);
    for (size_t i = 0; i < bin->count; i++) {
        const struct tick_change *change = &bin->all[i];
        if (count == 0 || bin->all[count - 1].part != change->part) {
            bin->all[count++] = *change;
            continue;
        }
        struct tick_change *sum = &bin->all[count - 1];
        sum->calls += change->calls;
        sum->errors += change->errors;
        sum->units += change->units;
        sum->memory_kb += change->memory_kb;
    }
    bin->count = count;
}

/* The columns of changes, each its own text. */
struct change_columns {
    struct text parts, units, calls, errors, memory, counts, ticks;
};

static void put_bin(struct change_columns *columns, struct bin *bin, size_t tick_count)
{
    uint32_t before = 0;
    settle_bin(bin);
    for (size_t i = 0; i < bin->count; i++) {
        const struct tick_change *change = &bin->all[i];
        text_printf(&columns->parts, "%lu,", (unsigned long)(change->part - before));
        text_printf(&columns->units, "%lld,", (long long)change->units);
        text_printf(&columns->calls, "%ld,", (long)change->calls);
        text_printf(&columns->errors, "%ld,", (long)change->errors);
        text_printf(&columns->memory, "%lld,", (long long)change->memory_kb);
        before = change->part;
    }
    text_printf(&columns->counts, "%zu,", bin->count);
    text_printf(&columns->ticks, "%zu,", tick_count);
    bin->count = 0;
}

static void put_column_text(struct text *json, const char *key, struct text *column)
{
    html_put_key(json, key);
    text_put_string(json, "[");
    if (column->length > 0)
        text_put(json, column->at, column->length - 1);
    text_put_string(json, "]");
    text_release(column);
}

static void put_bins(struct html_writing *writing, uint32_t bin_ticks)
{
    const struct profile *profile = writing->report->profile;
    const struct tick_changes *changes = &profile->changes;
    struct change_columns columns = {0};
    struct bin bin = {0};
    size_t ticks = 0;
    for (size_t tick = 0, i = 0; tick < changes->tick_count; tick++) {
        for (; i < changes->ends[tick]; i++)
            bin.all = mem_append(bin.all, &bin.count, &bin.capacity, &changes->all[i],
                                 sizeof changes->all[i]);
        ticks++;
        bool is_slow = profile->ticks.ticks[tick].time_ns > TICK_BUDGET_NS;
        bool is_slow_next = tick + 1 < changes->tick_count &&
                            profile->ticks.ticks[tick + 1].time_ns > TICK_BUDGET_NS;
        if (!is_slow && !is_slow_next && ticks < bin_ticks && tick + 1 < changes->tick_count)
            continue;
        put_bin(&columns, &bin, ticks);
        ticks = 0;
    }
    put_column_text(writing->json, "part", &columns.parts);
    put_column_text(writing->json, "units", &columns.units);
    put_column_text(writing->json, "calls", &columns.calls);
    put_column_text(writing->json, "errors", &columns.errors);
    put_column_text(writing->json, "heap", &columns.memory);
    put_column_text(writing->json, "counts", &columns.counts);
    put_column_text(writing->json, "ticks", &columns.ticks);
    free(bin.all);
}

/* The parts of the nodes; `place_of` are the indexes of the nodes as they are written. */
static void put_parts(struct html_writing *writing, const uint32_t *place_of)
{
    const struct tick_changes *changes = &writing->report->profile->changes;
    struct text nodes = {0}, units = {0};
    for (size_t i = 0; i < changes->part_count; i++) {
        uint32_t node = changes->parts[i].node;
        text_printf(&nodes, "%ld,", node == TREE_ROOT ? -1L : (long)place_of[node]);
        text_printf(&units, "%lld,", (long long)changes->parts[i].units);
    }
    put_column_text(writing->json, "node_of_part", &nodes);
    put_column_text(writing->json, "units_of_part", &units);
}

/* Puts the changes of each tick, or of bins of ticks; see put_data() of report_html.c. */
void html_put_changes(struct html_writing *writing, uint32_t bin_ticks)
{
    const struct tree *tree = &writing->trees.now;
    const struct tick_changes *changes = &writing->report->profile->changes;
    html_put_key(writing->json, "changes");
    bool can_put = bin_ticks > 0 && changes->tick_count > 0 &&
                   changes->tick_count == writing->report->profile->ticks.count &&
                   tree->node_count == writing->report->tree->node_count;
    if (!can_put) {
        text_put_string(writing->json, "null");
        return;
    }
    uint32_t *place_of = mem_zeroed(tree->node_count, sizeof *place_of);
    for (uint32_t i = 0; i + 1 < tree->node_count; i++)
        place_of[writing->trees.order.nodes[i + 1]] = i;
    text_put_string(writing->json, "{");
    put_parts(writing, place_of);
    put_bins(writing, bin_ticks);
    html_put_key(writing->json, "unit_ns");
    text_printf(writing->json, "%.17g", changes->unit_ns);
    text_put_string(writing->json, "}");
    free(place_of);
}
