#include "report/pages/html/html_writing.h"

#include "base/mem.h"
#include "report/pages/html/html_columns.h"

static int compare_parts(const void *left, const void *right)
{
    const struct tick_change *a = left, *b = right;
    return ORDER(a->part, b->part, 0);
}

/* Sorts changes by part, and adds up those of the same part. Returns how many are left. */
static size_t add_up(struct tick_change *changes, size_t count)
{
    size_t kept = 0;
    qsort(changes, count, sizeof *changes, compare_parts);
    for (size_t i = 0; i < count; i++) {
        const struct tick_change *change = &changes[i];
        if (kept == 0 || changes[kept - 1].part != change->part) {
            changes[kept++] = *change;
            continue;
        }
        struct tick_change *sum = &changes[kept - 1];
        sum->calls += change->calls;
        sum->errors += change->errors;
        sum->units += change->units;
        sum->memory_kb += change->memory_kb;
    }
    return kept;
}

/* Adds a bin: the changes of a row of ticks. Returns how many there are after they are added up. */
static size_t add_bin(struct html_columns *columns, const struct tick_change *all, size_t count)
{
    struct tick_change *changes = mem_zeroed(count, sizeof *changes);
    uint32_t before = 0;
    if (count > 0)
        memcpy(changes, all, count * sizeof *changes);
    count = add_up(changes, count);
    for (size_t i = 0; i < count; i++) {
        const struct tick_change *change = &changes[i];
        html_columns_add(columns, (int64_t[]){change->part - before, change->units, change->calls,
                                              change->errors, change->memory_kb});
        before = change->part;
    }
    free(changes);
    return count;
}

/* Slow ticks have bins of their own. */
static void put_bins(struct html_writing *writing, const struct profile *profile)
{
    const struct tick_list *ticks = &profile->ticks;
    const struct tick_changes *changes = &profile->changes;
    struct html_columns columns = {.keys = {"part", "units", "calls", "errors", "heap"},
                                   .kept_count = 5};
    struct html_columns bins = {.keys = {"counts", "ticks"}, .kept_count = 2};
    for (size_t tick = 0, first = 0, from = 0; tick < changes->tick_count; tick++) {
        bool is_last = tick + 1 == changes->tick_count;
        bool is_slow =
            ticks->ticks[tick].over_ns > 0 || (!is_last && ticks->ticks[tick + 1].over_ns > 0);
        if (!is_slow && !is_last && tick + 1 - first < writing->bin_ticks)
            continue;
        size_t count = add_bin(&columns, changes->all + from, changes->ends[tick] - from);
        html_columns_add(&bins, (int64_t[]){(int64_t)count, (int64_t)(tick + 1 - first)});
        first = tick + 1;
        from = changes->ends[tick];
    }
    html_columns_put(&columns, &writing->json);
    html_columns_put(&bins, &writing->json);
}

static void put_parts(struct html_writing *writing, const struct tick_changes *changes)
{
    const struct html_trees *trees = &writing->trees;
    struct html_columns columns = {.keys = {"node_of_part", "units_of_part"}, .kept_count = 2};
    int64_t *index_of = mem_zeroed(trees->now.node_count, sizeof *index_of);
    for (uint32_t place = 0; place < trees->now.node_count; place++)
        index_of[trees->order.nodes[place]] = (int64_t)place - 1;
    for (size_t i = 0; i < changes->part_count; i++)
        html_columns_add(&columns,
                         (int64_t[]){index_of[changes->parts[i].node], changes->parts[i].units});
    html_columns_put(&columns, &writing->json);
    free(index_of);
}

static bool can_put(const struct html_writing *writing, const struct profile *profile)
{
    return writing->bin_ticks > 0 && profile->changes.tick_count > 0 &&
           profile->changes.tick_count == profile->ticks.count &&
           writing->trees.now.node_count == writing->report->tree->node_count;
}

void html_put_changes(struct html_writing *writing, const struct profile *profile)
{
    const struct report *report = writing->report;
    bool is_known = can_put(writing, report->profile) &&
                    (report->old == NULL || can_put(writing, report->old->profile));
    if (!json_object_if(&writing->json, "changes", is_known))
        return;
    put_parts(writing, &profile->changes);
    put_bins(writing, profile);
    text_printf(json_value(&writing->json, "unit_ns"), "%.17g", profile->changes.unit_ns);
    json_end(&writing->json);
}
