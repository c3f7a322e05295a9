#include "rebuild/stacks/entries.h"

#include <assert.h>

/* What the details of an entry have. */
enum detail_flags {
    DETAIL_RETURNED = 1 << 0, /* all calls returned, and there is their sum */
    DETAIL_OTHERS = 1 << 1,   /* another number of calls returned than was made */
    DETAIL_LEAF = 1 << 2,     /* the sum of durations is the self time, with no calls inside */
    DETAIL_BEGINS = 1 << 3,
    DETAIL_ERRORS = 1 << 4,
    DETAIL_MEMORY = 1 << 5,
};

/* Both are pieces of blocks. */
static_assert(4 * ENTRY_NUMBER_MAX <= BYTE_PIECE_MAX, "of the head of an entry");
static_assert(1 + 9 * ENTRY_NUMBER_MAX <= BYTE_PIECE_MAX, "of its details");

/* Puts what every entry has: nearly always three numbers of one byte. */
static inline char *put_head(char *to, uint64_t first, uint64_t calls, uint64_t units)
{
    if ((first | calls | units) < 0x80) {
        to[0] = (char)first;
        to[1] = (char)calls;
        to[2] = (char)units;
        return to + 3;
    }
    to = entry_put_number(to, first);
    to = entry_put_number(to, calls);
    return entry_put_number(to, units);
}

static inline unsigned details_of(const struct entry_counts *counts)
{
    bool is_leaf = counts->duration_sum == (uint64_t)counts->units && counts->longest_calls == 0 &&
                   counts->shortest_calls == 0;
    unsigned flags = 0;
    if (counts->returned > 0)
        flags |= DETAIL_RETURNED | (is_leaf ? DETAIL_LEAF : 0u) |
                 (counts->returned != counts->calls ? DETAIL_OTHERS : 0u);
    flags |= counts->begins != 0 ? DETAIL_BEGINS : 0u;
    flags |= counts->errors != 0 ? DETAIL_ERRORS : 0u;
    return flags | (counts->memory_kb != 0 ? DETAIL_MEMORY : 0u);
}

/* One call has one duration: its sum says it. */
static inline char *put_durations(char *to, const struct entry_counts *counts, unsigned flags)
{
    if (flags & DETAIL_OTHERS)
        to = entry_put_number(to, counts->returned);
    if (!(flags & DETAIL_LEAF)) {
        to = entry_put_number(to, counts->duration_sum);
        to = entry_put_number(to, counts->longest_calls);
    }
    if (counts->returned == 1)
        return to;
    to = entry_put_number(to, (uint64_t)counts->shortest);
    to = entry_put_number(to, (uint64_t)(counts->longest - counts->shortest));
    return flags & DETAIL_LEAF ? to : entry_put_number(to, counts->shortest_calls);
}

static inline void pack_details(struct byte_blocks *details, const struct entry_counts *counts,
                                unsigned flags)
{
    char *to = byte_blocks_begin(details);
    *to++ = (char)flags;
    if (flags & DETAIL_RETURNED)
        to = put_durations(to, counts, flags);
    if (flags & DETAIL_BEGINS)
        to = entry_put_number(to, counts->begins);
    if (flags & DETAIL_ERRORS)
        to = entry_put_number(to, counts->errors);
    if (flags & DETAIL_MEMORY)
        to = entry_put_number(to, entry_without_sign(counts->memory_kb));
    byte_blocks_end(details, to);
}

void entry_pack(struct entries *entries, int64_t step, const struct entry_counts *counts)
{
    unsigned details = entries->has_sums ? 0 : details_of(counts);
    unsigned flags =
        (details != 0 ? ENTRY_HAS_DETAILS : 0u) | (counts->runs != 0 ? ENTRY_HAS_RUNS : 0u);
    char *to = put_head(byte_blocks_begin(&entries->packed),
                        entry_without_sign(step) << ENTRY_FLAG_BITS | flags,
                        counts->calls,
                        entry_without_sign(counts->units));
    if (counts->runs != 0)
        to = entry_put_number(to, counts->runs);
    byte_blocks_end(&entries->packed, to);
    if (details != 0)
        pack_details(&entries->details, counts, details);
}

static void read_durations(const char **at, struct entry_counts *counts, unsigned flags)
{
    counts->returned = flags & DETAIL_OTHERS ? entry_number(at) : counts->calls;
    counts->duration_sum = (uint64_t)counts->units;
    if (!(flags & DETAIL_LEAF)) {
        counts->duration_sum = entry_number(at);
        counts->longest_calls = (uint32_t)entry_number(at);
    }
    if (counts->returned == 1) {
        counts->shortest = counts->longest = (int64_t)counts->duration_sum;
        counts->shortest_calls = counts->longest_calls;
        return;
    }
    counts->shortest = (int64_t)entry_number(at);
    counts->longest = counts->shortest + (int64_t)entry_number(at);
    if (!(flags & DETAIL_LEAF))
        counts->shortest_calls = (uint32_t)entry_number(at);
}

void entry_read_counts(struct entry_reader *reader, const struct entry_head *head,
                       struct entry_counts *counts)
{
    *counts = entry_counts_none();
    counts->calls = head->calls;
    counts->units = head->units;
    counts->runs = head->runs;
    if (!head->has_details)
        return;
    const char *next = byte_reader_piece(&reader->details), **at = &next;
    unsigned flags = (unsigned char)*(*at)++;
    if (flags & DETAIL_RETURNED)
        read_durations(at, counts, flags);
    if (flags & DETAIL_BEGINS)
        counts->begins = entry_number(at);
    if (flags & DETAIL_ERRORS)
        counts->errors = entry_number(at);
    if (flags & DETAIL_MEMORY)
        counts->memory_kb = entry_with_sign(entry_number(at));
    reader->details.at = next;
}

uint64_t entry_long_number(const char **at, uint64_t number)
{
    number &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        uint64_t byte = (unsigned char)*(*at)++;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

struct entry_reader entries_read_part(const struct entries *entries, size_t part)
{
    const struct entry_part *from = &entries->parts[part];
    return (struct entry_reader){.packed = byte_blocks_read(&entries->packed, from->at),
                                 .details = byte_blocks_read(&entries->details, from->detail_at)};
}

static inline bool is_used(const struct entry_counts *counts)
{
    return ((uint64_t)counts->units | counts->calls | counts->returned | counts->errors |
            (uint64_t)counts->memory_kb | counts->runs) != 0;
}

static void put_part(struct entries *entries, struct nodes *nodes, struct entry_part part)
{
    part.at = byte_blocks_place(&entries->packed);
    part.detail_at = byte_blocks_place(&entries->details);
    MEM_APPEND(entries->parts, entries->part_count, entries->part_capacity, part);
    nodes->part++;
}

/* Puts an entry into the last part. */
static inline void put_entry(struct entries *entries, struct nodes *nodes, uint32_t node,
                             uint32_t *last, const struct entry_counts *counts)
{
    nodes_add_past(nodes, node, &(struct node_past){counts->units, counts->calls, counts->runs});
    entry_pack(entries, (int64_t)node - *last, counts);
    *last = node;
    entries->parts[entries->part_count - 1].count++;
    entries->count++;
}

/* Which calls of a node are the longest and the shortest depends on what calls inside them cost,
 * which is known at the end only. */
static bool is_doubtful(const struct entry_counts *a, const struct entry_counts *b)
{
    return a->returned > 0 && b->returned > 0 &&
           ((a->longest < b->longest && a->longest_calls < b->longest_calls) ||
            (a->longest > b->longest && a->longest_calls > b->longest_calls) ||
            (a->shortest < b->shortest && a->shortest_calls < b->shortest_calls) ||
            (a->shortest > b->shortest && a->shortest_calls > b->shortest_calls));
}

static void put_extremes(struct entries *entries, uint32_t node, const struct entry_counts *counts)
{
    char *to = entry_put_number(byte_blocks_begin(&entries->details), node);
    to = entry_put_number(to, (uint64_t)counts->longest);
    to = entry_put_number(to, counts->longest_calls);
    to = entry_put_number(to, (uint64_t)counts->shortest);
    byte_blocks_end(&entries->details, entry_put_number(to, counts->shortest_calls));
    entries->parts[entries->part_count - 1].extreme_count++;
}

uint32_t entry_read_extremes(struct byte_reader *details, struct entry_counts *counts)
{
    const char *at = byte_reader_piece(details);
    uint32_t node = (uint32_t)entry_number(&at);
    counts->longest = (int64_t)entry_number(&at);
    counts->longest_calls = (uint32_t)entry_number(&at);
    counts->shortest = (int64_t)entry_number(&at);
    counts->shortest_calls = (uint32_t)entry_number(&at);
    details->at = at;
    return node;
}

/* Adds an entry to the sum of its node, but for extremes that may be those of the node. */
static void add_to_sum(struct entries *entries, struct nodes *nodes, uint32_t node,
                       struct entry_counts counts)
{
    if (node < nodes->sum_count && is_doubtful(&nodes->sums[node], &counts)) {
        put_extremes(entries, node, &counts);
        counts.longest = entry_counts_none().longest;
        counts.shortest = entry_counts_none().shortest;
    }
    nodes_add_sum(nodes, node, &counts);
}

void entries_end_part(struct entries *entries, struct nodes *nodes, int64_t number, uint32_t serial,
                      uint32_t weight)
{
    uint32_t last = 0;
    put_part(
        entries, nodes, (struct entry_part){.number = number, .serial = serial, .weight = weight});
    for (size_t i = 0; i < nodes->touched_count; i++) {
        struct entry_counts counts = nodes_take_counts(nodes, nodes->touched[i]);
        if (nodes->touched[i] < NODES_FIRST || !is_used(&counts))
            continue;
        put_entry(entries, nodes, nodes->touched[i], &last, &counts);
        if (entries->has_sums)
            add_to_sum(entries, nodes, nodes->touched[i], counts);
    }
    nodes->touched_count = 0;
}

void entries_keep_part(struct entries *entries, struct nodes *nodes, uint32_t serial)
{
    uint32_t last = 0;
    put_part(entries, nodes, (struct entry_part){.number = -1, .serial = serial, .weight = 1});
    for (size_t i = 0; i < nodes->touched_count; i++) {
        uint32_t node = nodes->touched[i];
        struct entry_counts counts = nodes_take_counts(nodes, node);
        if (node < nodes->sum_count && is_doubtful(&nodes->sums[node], &counts))
            put_entry(entries, nodes, node, &last, &counts);
        else
            nodes_add_sum(nodes, node, &counts);
        /* Time that a later part takes back leaves a sum of nothing, but it ran. */
        if (is_used(&counts))
            nodes_add_past(nodes, node, &(struct node_past){0});
    }
    nodes->touched_count = 0;
}

void entries_end_kept(struct entries *entries, struct nodes *nodes, uint32_t serial)
{
    uint32_t last = 0;
    put_part(entries, nodes, (struct entry_part){.number = -1, .serial = serial, .weight = 1});
    for (uint32_t node = NODES_FIRST; node < nodes->sum_count; node++)
        if (is_used(&nodes->sums[node]) || nodes_has_past(nodes, node))
            put_entry(entries, nodes, node, &last, &nodes->sums[node]);
    /* It is the largest array, and the tree follows. */
    free(nodes->sums);
    nodes->sums = NULL;
    nodes->sum_count = 0;
    nodes->sum_capacity = 0;
}

void entries_release(struct entries *entries)
{
    byte_blocks_release(&entries->packed);
    byte_blocks_release(&entries->details);
    free(entries->parts);
    *entries = (struct entries){0};
}
