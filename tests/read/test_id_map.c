#include "read/id_map.h"

#include "base/hash.h"

#include <criterion/criterion.h>

static struct id_map map;

static void tear_down(void)
{
    id_map_release(&map);
}

TestSuite(id_map, .fini = tear_down);

Test(id_map, knows_nothing_at_first)
{
    cr_expect_eq(id_map_find(&map, 0), 0);
    cr_expect_eq(id_map_find(&map, UINT32_MAX), 0);
}

Test(id_map, keeps_ids_that_count_up_in_an_array)
{
    for (uint32_t id = 0; id < 10000; id++)
        id_map_define(&map, id, id + 7);
    for (uint32_t id = 0; id < 10000; id++)
        cr_assert_eq(id_map_find(&map, id), id + 7);
    cr_expect_eq(id_map_find(&map, 10000), 0);
    cr_expect_eq(map.slot_count, 0);
}

Test(id_map, finds_large_ids_without_an_array_for_them)
{
    for (uint32_t i = 0; i < 1000; i++)
        id_map_define(&map, 16777215 - 5 * i, i + 1);
    for (uint32_t i = 0; i < 1000; i++) {
        cr_assert_eq(id_map_find(&map, 16777215 - 5 * i), i + 1);
        cr_assert_eq(id_map_find(&map, 16777214 - 5 * i), 0);
    }
    cr_expect_eq(map.count, 0);
    cr_expect_leq(map.slot_mask, 4096);
}

/* The array grows over ids that are in the table. */
Test(id_map, moves_ids_into_the_array_when_it_reaches_them)
{
    id_map_define(&map, 3000, 1);
    id_map_define(&map, 900000, 2);
    cr_expect_eq(map.slot_count, 2);
    for (uint32_t id = 0; id < 2000; id++)
        id_map_define(&map, id, id + 10);
    cr_expect_eq(map.slot_count, 2);
    id_map_define(&map, 2500, 3);
    cr_expect_eq(map.slot_count, 1);
    cr_expect_eq(id_map_find(&map, 3000), 1);
    cr_expect_eq(id_map_find(&map, 900000), 2);
    cr_expect_eq(id_map_find(&map, 1999), 2009);
    cr_expect_eq(id_map_find(&map, 2500), 3);
}

/* Returns the length of the longest row of used slots. */
static size_t longest_row(void)
{
    size_t longest = 0, row = 0;
    for (size_t i = 0; i <= map.slot_mask; i++) {
        row = map.slots[i].value == 0 ? 0 : row + 1;
        longest = row > longest ? row : longest;
    }
    return longest;
}

Test(id_map, spreads_ids_that_collide_in_another_map)
{
    enum { COUNT = 1000, SLOTS = 4096, FIRST_ID = 1000000 };
    struct id_map other = {0};
    id_map_define(&other, FIRST_ID, 1);
    size_t count = 0;
    for (uint32_t id = FIRST_ID; count < COUNT; id++)
        if (hash_number(id, other.seed) % SLOTS == 0)
            id_map_define(&map, id, (uint32_t)++count);
    cr_expect_lt(map.slot_mask, SLOTS);
    cr_expect_leq(longest_row(), 200);
    id_map_release(&other);
}
