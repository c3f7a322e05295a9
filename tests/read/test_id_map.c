#include "read/events.h"

#include <criterion/criterion.h>

static struct id_map map;

static void tear_down(void)
{
    index_release(&map.index);
}

TestSuite(id_map, .fini = tear_down);

Test(id_map, knows_nothing_at_first)
{
    cr_expect_eq(id_map_find(&map, 0), 0);
    cr_expect_eq(id_map_find(&map, UINT32_MAX), 0);
}

Test(id_map, keeps_ids_that_count_up)
{
    for (uint32_t id = 0; id < 10000; id++)
        id_map_define(&map, id, id + 7);
    for (uint32_t id = 0; id < 10000; id++)
        cr_assert_eq(id_map_find(&map, id), id + 7);
    cr_expect_eq(id_map_find(&map, 10000), 0);
}

Test(id_map, keeps_large_ids_in_little_memory)
{
    for (uint32_t i = 0; i < 1000; i++)
        id_map_define(&map, 16777215 - 5 * i, i + 1);
    for (uint32_t i = 0; i < 1000; i++) {
        cr_assert_eq(id_map_find(&map, 16777215 - 5 * i), i + 1);
        cr_assert_eq(id_map_find(&map, 16777214 - 5 * i), 0);
    }
    cr_expect_lt(map.index.mask, 4096);
}

/* With as many ids as there are upper halves, two of them would share a hash of fewer bits. */
Test(id_map, gives_each_id_a_hash_of_its_own)
{
    enum { COUNT = 1 << 17 };
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(id_map_find(&map, i * 32749), 0, "id %u", (unsigned)i * 32749);
        id_map_define(&map, i * 32749, i + 1);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        cr_assert_eq(id_map_find(&map, i * 32749), i + 1);
}
