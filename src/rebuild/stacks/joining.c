#include "rebuild/stacks/joining.h"

#include "base/number.h"
#include "base/sort.h"

/* A tick as it is now: parts [first, end). */
struct present_tick {
    size_t first, end;
    double units;
};

struct present_ticks {
    struct present_tick *all; /* [count] */
    size_t count, capacity;
    double median_units;
};

static struct present_ticks find_ticks(const struct entries *entries)
{
    struct present_ticks ticks = {0};
    for (size_t part = 0; part < entries->part_count; part++) {
        struct entry_reader reader = entries_read_part(entries, part);
        struct present_tick tick = {.first = part};
        if (!entries_continue_tick(entries, part))
            MEM_APPEND(ticks.all, ticks.count, ticks.capacity, tick);
        struct present_tick *last = &ticks.all[ticks.count - 1];
        for (uint32_t i = 0; i < entries->parts[part].count; i++)
            last->units += (double)entry_next_head(&reader).units;
        last->end = part + 1;
    }
    SCOPED_ARRAY double *units = mem_zeroed(ticks.count, sizeof *units);
    for (size_t i = 0; i < ticks.count; i++)
        units[i] = ticks.all[i].units;
    number_sort(units, ticks.count);
    ticks.median_units = ticks.count > 0 ? units[number_rank(ticks.count, 50)] : 0;
    return ticks;
}

/* Whether counts of the first tick have moved to other nodes by the end of the second. */
static bool is_moved_between(const struct nodes *nodes, size_t *move, size_t first, size_t end)
{
    while (*move < nodes->move_count && nodes->moves[*move].part <= first)
        ++*move;
    return *move < nodes->move_count && nodes->moves[*move].part < end;
}

static bool can_join(const struct entries *entries, const struct present_ticks *ticks, size_t i,
                     double units_max)
{
    const struct present_tick *a = &ticks->all[i], *b = a + 1;
    /* The last tick may go on. */
    if (i + 2 >= ticks->count)
        return false;
    bool is_outside = entries->parts[a->first].number < 0;
    return is_outside == (entries->parts[b->first].number < 0) &&
           entries->parts[a->first].weight == entries->parts[b->first].weight &&
           a->units < ticks->median_units && b->units < ticks->median_units &&
           a->units + b->units <= units_max;
}

/* The entries of parts that become one. */
struct collected {
    struct keyed *keys;          /* [count]: a node, and an index of `counts` */
    struct entry_counts *counts; /* [count] */
    size_t count, key_capacity, capacity;
};

static void collect(struct collected *collected, const struct entries *from, size_t part)
{
    struct entry_reader reader = entries_read_part(from, part);
    for (uint32_t i = 0; i < from->parts[part].count; i++) {
        struct entry_counts counts;
        struct keyed key = {entry_next(&reader, &counts), (uint32_t)collected->count};
        MEM_GROW(collected->keys, collected->key_capacity, collected->count + 1);
        collected->keys[collected->count] = key;
        MEM_APPEND(collected->counts, collected->count, collected->capacity, counts);
    }
}

/* Packs what was collected as a part, those of the same node added up. */
static void pack(struct entries *to, struct collected *collected, struct entry_part part)
{
    int64_t last = 0;
    part.at = to->packed.length;
    part.detail_at = to->details.length;
    part.count = 0;
    key_sort(collected->keys, collected->count);
    for (size_t i = 0; i < collected->count; part.count++) {
        int64_t node = (int64_t)collected->keys[i].key;
        struct entry_counts sum = entry_counts_none();
        for (; i < collected->count && (int64_t)collected->keys[i].key == node; i++)
            entry_counts_add(&sum, &collected->counts[collected->keys[i].item]);
        entry_pack(to, node - last, &sum);
        last = node;
    }
    collected->count = 0;
    to->count += part.count;
    MEM_APPEND(to->parts, to->part_count, to->part_capacity, part);
}

/* Packs parts of `from` as the first of them. The others stay, so that parts keep their numbers. */
static void pack_parts(struct entries *to, const struct entries *from, size_t first, size_t end,
                       struct collected *collected)
{
    for (size_t part = first; part < end; part++)
        collect(collected, from, part);
    for (size_t part = first; part < end; part++)
        pack(to, collected, from->parts[part]);
}

static void join(struct entries *entries, const struct nodes *nodes, double units_max)
{
    struct present_ticks ticks = find_ticks(entries);
    struct collected collected = {0};
    struct entries joined = {0};
    size_t move = 0;
    for (size_t i = 0; i < ticks.count; i++) {
        size_t first = ticks.all[i].first, end = ticks.all[i].end;
        if (can_join(entries, &ticks, i, units_max) &&
            !is_moved_between(nodes, &move, first, ticks.all[i + 1].end)) {
            entries->parts[end].is_joined = true;
            end = ticks.all[++i].end;
            pack_parts(&joined, entries, first, end, &collected);
            continue;
        }
        for (size_t part = first; part < end; part++)
            pack_parts(&joined, entries, part, part + 1, &collected);
    }
    MEM_FREE(collected.keys, collected.counts, ticks.all);
    entries_release(entries);
    *entries = joined;
}

void joining_limit(struct joining *joining, struct entries *entries, const struct nodes *nodes,
                   double units_max)
{
    enum { GROWTH_PARTS = 4 };
    size_t max = joining->packed_max, next = joining->next > max ? joining->next : max;
    if (entries->packed.length + entries->details.length <= next)
        return;
    join(entries, nodes, units_max);
    /* Where little could be joined, it must not be tried for each tick. */
    size_t length = entries->packed.length + entries->details.length;
    joining->next = length + length / GROWTH_PARTS;
}
