#include "read/id_map.h"

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
    cr_expect_eq(map.large.count, 0);
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
}

Test(id_map, finds_large_ids_when_the_array_has_grown_over_them)
{
    id_map_define(&map, 3000, 1);
    id_map_define(&map, 900000, 2);
    cr_expect_eq(map.large.count, 2);
    for (uint32_t id = 0; id < 2000; id++)
        id_map_define(&map, id, id + 10);
    id_map_define(&map, 2500, 3);
    cr_expect_eq(map.large.count, 2);
    cr_expect_gt(map.count, 3000);
    cr_expect_eq(id_map_find(&map, 3000), 1);
    cr_expect_eq(id_map_find(&map, 900000), 2);
    cr_expect_eq(id_map_find(&map, 1999), 2009);
    cr_expect_eq(id_map_find(&map, 2500), 3);
    cr_expect_eq(id_map_find(&map, 2400), 0);
}
