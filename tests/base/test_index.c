#include "base/index.h"

#include <criterion/criterion.h>

static struct index table;

static void tear_down(void)
{
    index_release(&table);
}

TestSuite(index, .fini = tear_down);

static uint32_t hash_of(uint32_t id)
{
    return id * 2654435761u;
}

/* The slot of an id, or the free one for it. */
static size_t find(uint32_t id)
{
    size_t slot = index_first(&table, hash_of(id));
    while (table.slots[slot].id != INDEX_FREE && table.slots[slot].id != id)
        slot = index_next(&table, slot);
    return slot;
}

static void add(uint32_t count)
{
    for (uint32_t id = 0; id < count; id++) {
        index_reserve(&table);
        index_put(&table, find(id), hash_of(id), id);
    }
}

static bool has(uint32_t id)
{
    return table.slots[find(id)].id == id;
}

Test(index, slots_stay_until_as_many_ids_are_put_as_there_is_room_reserved_for)
{
    for (uint32_t room = 1; room <= 200; room++) {
        index_release(&table);
        add(room / 2);
        index_reserve_many(&table, room);
        const struct index_slot *slots = table.slots;
        for (uint32_t id = room / 2; id < room / 2 + room; id++)
            index_put(&table, find(id), hash_of(id), id);
        cr_expect_eq(table.slots, slots);
        cr_expect_leq(table.count, (table.mask + 1) / 4 * 3);
        for (uint32_t id = 0; id < room / 2 + room; id++)
            cr_expect(has(id), "%u of %u", id, room);
    }
}

Test(index, room_for_no_more_ids_changes_nothing)
{
    add(48);
    const struct index_slot *slots = table.slots;
    index_reserve_many(&table, 0);
    cr_expect_eq(table.slots, slots);
    cr_expect_eq(table.mask, 63);
    index_reserve_many(&table, 1);
    cr_expect_eq(table.mask, 127);
}

Test(index, a_full_table_keeps_its_memory_when_it_is_cleared)
{
    add(1000);
    const struct index_slot *slots = table.slots;
    index_clear(&table);
    cr_expect_eq(table.slots, slots);
    cr_expect_eq(table.count, 0);
    for (uint32_t id = 0; id < 1000; id++)
        cr_expect_not(has(id));
    add(10);
    cr_expect(has(9));
    cr_expect_not(has(10));
}

Test(index, a_table_with_few_ids_in_much_memory_gives_it_back_when_it_is_cleared)
{
    add(1000);
    index_clear(&table);
    add(10);
    index_clear(&table);
    cr_expect_null(table.slots);
    add(10);
    cr_expect(has(9));
}

Test(index, an_empty_table_can_be_cleared)
{
    index_clear(&table);
    cr_expect_null(table.slots);
    add(1);
    cr_expect(has(0));
}
