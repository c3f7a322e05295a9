#include "rebuild/stacks/entries.h"

#include <criterion/criterion.h>

/* Reads all of the next entry. Returns its node. */
static uint32_t entry_next(struct entry_reader *reader, struct entry_counts *counts)
{
    struct entry_head head = entry_next_head(reader);
    entry_read_counts(reader, &head, counts);
    return head.node;
}

static struct entries entries;
static struct nodes nodes;
static struct targets targets;

enum { NODE_COUNT = 6 };
static uint32_t made[NODE_COUNT]; /* roots of the main thread */

static void set_up(void)
{
    nodes_init(&nodes);
    nodes_define_function(&nodes, 0, (struct event_function){.id = 0, .is_lua = true});
    for (uint32_t i = 0; i < NODE_COUNT; i++) {
        nodes_define_site(&nodes, i, (struct event_site){.function = 0, .line = 1});
        made[i] = nodes_child(&nodes, NODES_MAIN, i);
    }
}

static void tear_down(void)
{
    entries_release(&entries);
    MEM_FREE(targets.first, targets.changes);
    targets = (struct targets){0};
    nodes_release(&nodes);
}

TestSuite(entries, .init = set_up, .fini = tear_down);

static uint64_t next_random(void)
{
    static uint64_t random = 1;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return random >> 32 ^ random << 32;
}

/* A number of any length, often 0. */
static uint64_t any_number(unsigned bit_count)
{
    return next_random() % 3 == 0
               ? 0
               : (next_random() >> (64 - bit_count)) >> next_random() % bit_count;
}

/* ------------------------------------------------------------------------ packing */

static void begin_part(void)
{
    struct entry_part part = {.at = byte_blocks_place(&entries.packed),
                              .detail_at = byte_blocks_place(&entries.details)};
    MEM_APPEND(entries.parts, entries.part_count, entries.part_capacity, part);
}

struct known_entry {
    uint32_t node;
    struct entry_counts counts;
};

static void expect_counts(const struct entry_counts *found, const struct entry_counts *wanted)
{
    cr_expect_eq(found->units, wanted->units);
    cr_expect_eq(found->memory_kb, wanted->memory_kb);
    cr_expect_eq(found->calls, wanted->calls);
    cr_expect_eq(found->errors, wanted->errors);
    cr_expect_eq(found->returned, wanted->returned);
    cr_expect_eq(found->duration_sum, wanted->duration_sum);
    cr_expect_eq(found->shortest, wanted->shortest);
    cr_expect_eq(found->longest, wanted->longest);
    cr_expect_eq(found->shortest_calls, wanted->shortest_calls);
    cr_expect_eq(found->longest_calls, wanted->longest_calls);
    cr_expect_eq(found->runs, wanted->runs);
    cr_expect_eq(found->begins, wanted->begins);
}

static void expect_end(const struct byte_reader *reader, const struct byte_blocks *blocks)
{
    if (blocks->count > 0)
        cr_expect_eq(reader->at, blocks->at[blocks->count - 1] + blocks->used);
}

/* Packs them as one part, and reads them again in all ways. */
static void expect_round_trip(const struct known_entry *known, size_t count)
{
    int64_t last = 0;
    size_t part = entries.part_count;
    begin_part();
    for (size_t i = 0; i < count; i++) {
        entry_pack(&entries, (int64_t)known[i].node - last, &known[i].counts);
        last = known[i].node;
    }
    struct entry_reader all = entries_read_part(&entries, part), heads = all;
    for (size_t i = 0; i < count; i++) {
        struct entry_counts found;
        struct entry_head head = entry_next_head(&heads);
        cr_assert_eq(entry_next(&all, &found), known[i].node, "entry %zu", i);
        expect_counts(&found, &known[i].counts);
        cr_expect_eq(head.node, known[i].node);
        cr_expect(head.calls == found.calls && head.units == found.units &&
                  head.runs == found.runs);
    }
    expect_end(&all.packed, &entries.packed);
    expect_end(&heads.packed, &entries.packed);
    expect_end(&all.details, &entries.details);
}

static struct entry_counts any_durations(struct entry_counts counts)
{
    counts.returned = next_random() % 2 == 0 ? counts.calls : any_number(64);
    if (counts.returned == 0)
        return counts;
    counts.duration_sum = any_number(64);
    counts.longest_calls = (uint32_t)any_number(32);
    counts.shortest_calls = (uint32_t)any_number(32);
    counts.shortest = (int64_t)any_number(63);
    counts.longest =
        counts.shortest + (int64_t)(any_number(63) % ((uint64_t)(INT64_MAX - counts.shortest) + 1));
    if (next_random() % 3 == 0) {
        counts.duration_sum = (uint64_t)counts.units;
        counts.longest_calls = counts.shortest_calls = 0;
    }
    if (counts.returned > 1)
        return counts;
    counts.duration_sum %= INT64_MAX;
    counts.shortest = counts.longest = (int64_t)counts.duration_sum;
    counts.shortest_calls = counts.longest_calls;
    return counts;
}

static struct entry_counts any_counts(void)
{
    struct entry_counts counts = entry_counts_none();
    counts.units = (int64_t)any_number(64);
    counts.calls = any_number(64);
    counts.memory_kb = (int64_t)any_number(64);
    counts.errors = any_number(64);
    counts.runs = any_number(64);
    counts.begins = any_number(64);
    return next_random() % 2 == 0 ? counts : any_durations(counts);
}

Test(entries, keep_any_counts)
{
    enum { PARTS = 200, ENTRIES_MAX = 100 };
    for (int part = 0; part < PARTS; part++) {
        struct known_entry known[ENTRIES_MAX];
        size_t count = next_random() % (ENTRIES_MAX + 1);
        for (size_t i = 0; i < count; i++)
            known[i] = (struct known_entry){(uint32_t)any_number(32), any_counts()};
        expect_round_trip(known, count);
    }
}

Test(entries, keep_the_largest_counts_and_nodes)
{
    struct entry_counts most = {.units = INT64_MAX,
                                .memory_kb = INT64_MAX,
                                .calls = UINT64_MAX,
                                .errors = UINT64_MAX,
                                .returned = UINT64_MAX - 1,
                                .duration_sum = UINT64_MAX,
                                .shortest = 0,
                                .longest = INT64_MAX,
                                .shortest_calls = UINT32_MAX,
                                .longest_calls = UINT32_MAX,
                                .runs = UINT64_MAX,
                                .begins = UINT64_MAX};
    struct entry_counts least = entry_counts_none();
    least.units = least.memory_kb = INT64_MIN;
    const struct known_entry known[] = {{UINT32_MAX, most}, {0, least}, {UINT32_MAX, least}};
    expect_round_trip(known, 3);
}

/* Numbers take a byte for each 7 bits. */
Test(entries, keep_numbers_at_the_border_of_each_length)
{
    for (unsigned bits = 7; bits < 64; bits += 7)
        for (uint64_t number = (UINT64_C(1) << bits) - 1; number <= UINT64_C(1) << bits; number++) {
            struct entry_counts counts = entry_counts_none();
            counts.calls = counts.errors = counts.runs = number;
            counts.units = (int64_t)(0 - number);
            counts.memory_kb = (int64_t)number;
            expect_round_trip(&(struct known_entry){7, counts}, 1);
        }
}

Test(entries, keep_the_duration_of_one_call_and_of_several)
{
    const struct entry_counts some[] = {
        /* A leaf: its duration is its self time. */
        {.units = 9, .calls = 1, .returned = 1, .duration_sum = 9, .shortest = 9, .longest = 9},
        {.units = 9, .calls = 3, .returned = 3, .duration_sum = 9, .shortest = 1, .longest = 6},
        /* It called others, in the longest only. */
        {.units = 9,
         .calls = 2,
         .returned = 2,
         .duration_sum = 9,
         .shortest = 2,
         .longest = 7,
         .longest_calls = 1},
        {.units = 9,
         .calls = 2,
         .returned = 2,
         .duration_sum = 9,
         .shortest = 2,
         .longest = 7,
         .shortest_calls = 1},
        {.units = 9,
         .calls = 1,
         .returned = 1,
         .duration_sum = 50,
         .shortest = 50,
         .longest = 50,
         .shortest_calls = 4,
         .longest_calls = 4},
        /* It returned in a later part than it was called. */
        {.units = 2, .returned = 1, .duration_sum = 40, .shortest = 40, .longest = 40},
        {.units = 2, .calls = 1, .shortest = INT64_MAX, .longest = -1},
        {.units = 0, .calls = 2, .returned = 2, .shortest = 0, .longest = 0},
    };
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        expect_round_trip(&(struct known_entry){5, some[i]}, 1);
}

Test(entries, of_a_few_calls_take_a_few_bytes)
{
    struct entry_counts counts = entry_counts_none();
    counts.calls = 3;
    counts.units = 50;
    expect_round_trip(&(struct known_entry){5, counts}, 1);
    cr_expect(byte_blocks_place(&entries.packed) == 3 && byte_blocks_place(&entries.details) == 0);
    counts = (struct entry_counts){
        .units = 50, .calls = 1, .returned = 1, .duration_sum = 50, .shortest = 50, .longest = 50};
    expect_round_trip(&(struct known_entry){5, counts}, 1);
    cr_expect(byte_blocks_place(&entries.packed) == 6 && byte_blocks_place(&entries.details) == 1);
}

Test(entries, add_up_with_the_shortest_and_the_longest_of_all)
{
    struct entry_counts sum = entry_counts_none();
    const struct entry_counts some[] = {
        {.units = 5,
         .memory_kb = -3,
         .calls = 2,
         .errors = 1,
         .returned = 2,
         .duration_sum = 30,
         .shortest = 10,
         .longest = 20,
         .shortest_calls = 1,
         .longest_calls = 2,
         .runs = 7,
         .begins = 2},
        entry_counts_none(),
        {.units = 6,
         .memory_kb = 1,
         .calls = 1,
         .errors = 2,
         .returned = 1,
         .duration_sum = 4,
         .shortest = 4,
         .longest = 4,
         .shortest_calls = 3,
         .longest_calls = 3,
         .runs = 1,
         .begins = 1},
        {.units = 1,
         .returned = 1,
         .duration_sum = 20,
         .shortest = 20,
         .longest = 20,
         .shortest_calls = 9,
         .longest_calls = 9},
    };
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        entry_counts_add(&sum, &some[i]);
    const struct entry_counts wanted = {.units = 12,
                                        .memory_kb = -2,
                                        .calls = 3,
                                        .errors = 3,
                                        .returned = 4,
                                        .duration_sum = 54,
                                        .shortest = 4,
                                        .longest = 20,
                                        .shortest_calls = 3,
                                        .longest_calls = 2,
                                        .runs = 8,
                                        .begins = 3};
    expect_counts(&sum, &wanted);
}

/* -------------------------------------------------------------------------- parts */

static void count(uint32_t node, uint32_t calls, int64_t units)
{
    nodes_touch(&nodes, node);
    nodes.at[node].calls += calls;
    nodes.at[node].self += units;
}

static void expect_part(size_t part, const struct known_entry *known, uint32_t count)
{
    struct entry_reader reader = entries_read_part(&entries, part);
    cr_assert_eq(entries.parts[part].count, count);
    for (uint32_t i = 0; i < count; i++) {
        struct entry_counts found;
        cr_expect_eq(entry_next(&reader, &found), known[i].node);
        expect_counts(&found, &known[i].counts);
    }
}

static struct known_entry known(uint32_t node, uint64_t calls, int64_t units)
{
    struct known_entry known = {node, entry_counts_none()};
    known.counts.calls = calls;
    known.counts.units = units;
    return known;
}

Test(entries, of_a_part_are_what_its_nodes_have_counted)
{
    count(made[2], 1, 5);
    nodes_count_error(&nodes, made[2]);
    count(made[0], 2, 6);
    entries_end_part(&entries, &nodes, -1, 7, 1);
    entries_end_part(&entries, &nodes, 30, 7, 1);
    count(made[2], 3, 0);
    nodes_count_memory(&nodes, made[2], 4);
    entries_end_part(&entries, &nodes, 30, 7, 1);
    cr_assert_eq(entries.part_count, 3);
    cr_expect_eq(nodes.part, 3);
    cr_expect_eq(entries.count, 3);
    cr_expect(entries.parts[0].number == -1 && entries.parts[0].serial == 7);
    cr_expect(entries.parts[2].number == 30);
    struct known_entry first[] = {known(made[2], 1, 5), known(made[0], 2, 6)};
    struct known_entry last = known(made[2], 3, 0);
    first[0].counts.errors = 1;
    last.counts.memory_kb = 4;
    expect_part(0, first, 2);
    expect_part(1, NULL, 0);
    expect_part(2, &last, 1);
}

Test(entries, are_none_of_nodes_that_have_counted_nothing)
{
    count(made[1], 0, 0);
    count(NODES_UNATTRIBUTED, 0, 9);
    count(made[3], 1, 0);
    count(made[4], 0, 0);
    nodes_count_memory(&nodes, made[4], 2);
    nodes_count_memory(&nodes, made[1], 2);
    nodes_move_memory(&nodes, made[1], made[4], 2);
    entries_end_part(&entries, &nodes, 1, 0, 1);
    struct known_entry memory = known(made[4], 0, 0);
    memory.counts.memory_kb = 4;
    expect_part(0, (const struct known_entry[]){known(made[3], 1, 0), memory}, 2);
    cr_expect_not(nodes_is_touched(&nodes, made[1]));
}

Test(entries, say_how_much_memory_was_taken_from_an_earlier_part)
{
    nodes_touch(&nodes, made[0]);
    nodes_touch(&nodes, made[1]);
    nodes_move_memory(&nodes, made[0], made[1], 5);
    entries_end_part(&entries, &nodes, 1, 0, 1);
    struct known_entry from = known(made[0], 0, 0), to = known(made[1], 0, 0);
    from.counts.memory_kb = -5;
    to.counts.memory_kb = 5;
    expect_part(0, (const struct known_entry[]){from, to}, 2);
}

/* --------------------------------------------------------------------------- sums */

/* A part with a call that returned. */
static void end_part_with(uint32_t node, int64_t units, uint32_t calls_inside)
{
    count(node, 1, units);
    node_add_duration(&nodes.at[node], units, calls_inside);
    entries_end_part(&entries, &nodes, 0, 0, 1);
}

Test(entries, with_sums_have_only_calls_apart_that_may_be_the_longest_or_shortest)
{
    entries.has_sums = true;
    end_part_with(made[1], 50, 4);
    end_part_with(made[1], 60, 4);
    end_part_with(made[1], 55, 3);
    cr_expect_eq(entries.parts[0].extreme_count + entries.parts[1].extreme_count, 0);
    cr_assert_eq(entries.parts[2].extreme_count, 1);
    struct byte_reader details = byte_blocks_read(&entries.details, entries.parts[2].detail_at);
    struct entry_counts extremes = entry_counts_none();
    cr_expect_eq(entry_read_extremes(&details, &extremes), made[1]);
    expect_end(&details, &entries.details);
    cr_expect(extremes.longest == 55 && extremes.longest_calls == 3);
    cr_expect(extremes.shortest == 55 && extremes.shortest_calls == 3);
    cr_assert_gt(nodes.sum_count, made[1]);
    expect_counts(&nodes.sums[made[1]], &(struct entry_counts){.units = 165,
                                                               .calls = 3,
                                                               .returned = 3,
                                                               .duration_sum = 165,
                                                               .shortest = 50,
                                                               .longest = 60,
                                                               .shortest_calls = 4,
                                                               .longest_calls = 4});
}

/* -------------------------------------------------------------------------- moves */

static void move(uint32_t from, uint32_t to)
{
    nodes_move(&nodes, &(uint32_t){from}, 1, to);
}

static void end_parts(int part_count)
{
    while (part_count-- > 0)
        entries_end_part(&entries, &nodes, 0, 0, 1);
}

/* The place of a node has its number. */
static void begin_targets(struct target_reader *reader)
{
    MEM_FREE(targets.first, targets.changes);
    targets_init(&targets, &nodes);
    for (uint32_t node = 0; node < nodes.count; node++)
        targets.first[node].place = node;
    targets_move(&targets, &nodes);
    target_reader_begin(reader, &targets);
}

/* Against nodes whose counts are moved at once. */
Test(entries, add_up_to_what_nodes_have_that_keep_all_counts)
{
    enum { ROUNDS = 200, PARTS = 12, STEPS = 8 };
    for (int round = 0; round < ROUNDS; round++) {
        int64_t wanted[NODE_COUNT] = {0}, found[NODE_COUNT] = {0};
        tear_down();
        set_up();
        for (int step = 0; step < PARTS * STEPS; step++) {
            uint32_t a = (uint32_t)(next_random() % NODE_COUNT);
            uint32_t b = (uint32_t)(next_random() % NODE_COUNT);
            int64_t units = (int64_t)(next_random() % 1000);
            if (a != b && next_random() % 4 == 0) {
                move(made[a], made[b]);
                wanted[b] += wanted[a];
                wanted[a] = 0;
            } else {
                count(made[a], 1, units);
                wanted[a] += units;
            }
            if (next_random() % STEPS == 0)
                end_parts(1);
        }
        end_parts(1);
        struct target_reader moved;
        begin_targets(&moved);
        for (size_t part = 0; part < entries.part_count; part++) {
            target_reader_go(&moved, part);
            struct entry_reader reader = entries_read_part(&entries, part);
            for (uint32_t i = 0; i < entries.parts[part].count; i++) {
                struct entry_head head = entry_next_head(&reader);
                found[moved.of[head.node].place - made[0]] += head.units;
            }
        }
        target_reader_end(&moved);
        for (uint32_t i = 0; i < NODE_COUNT; i++) {
            cr_expect_eq(found[i], wanted[i], "round %d, node %u", round, i);
            cr_expect_eq(nodes.past[made[i]].units, wanted[i], "round %d, node %u", round, i);
        }
    }
}
