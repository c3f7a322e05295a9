#include "base/hash_index.h"

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

static bool has(uint32_t id)
{
    return table.slots[find(id)].id == id;
}

Test(index, ids_are_found_while_a_quarter_of_the_slots_is_free)
{
    enum { COUNT = 1000 };
    for (uint32_t id = 0; id < COUNT; id++) {
        index_reserve(&table, 1);
        index_put(&table, find(id), hash_of(id), id);
        cr_expect_leq(table.count, (table.mask + 1) / 4 * 3);
    }
    for (uint32_t id = 0; id < COUNT; id++)
        cr_expect(has(id), "%u", id);
    cr_expect_eq(table.slots[find(COUNT)].id, INDEX_FREE);
}
