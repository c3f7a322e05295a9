#include "base/hash_index.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(intern, numbers_strings_in_the_order_they_come)
{
    struct intern set = {0};
    cr_expect_eq(intern_find(&set, "a", 1), INTERN_NONE);
    cr_expect_eq(intern_add(&set, "a", 1), 0);
    cr_expect_eq(intern_add(&set, "", 0), 1);
    cr_expect_eq(intern_add(&set, "a", 1), 0);
    cr_expect_eq(intern_find(&set, "", 0), 1);
    cr_expect_eq(set.count, 2);
    intern_release(&set);
}

Test(intern, tells_strings_with_nuls_apart)
{
    struct intern set = {0};
    uint32_t first = intern_add(&set, "a\0b", 3);
    cr_expect_neq(intern_add(&set, "a\0c", 3), first);
    cr_expect_neq(intern_add(&set, "a", 1), first);
    cr_expect_eq(intern_get(&set, first).length, 3);
    intern_release(&set);
}

Test(intern, finds_all_after_growing)
{
    struct intern set = {0};
    char text[16];
    for (uint32_t i = 0; i < 600000; i++)
        cr_assert_eq(intern_add(&set, text, (size_t)snprintf(text, sizeof text, "%u", i)), i);
    for (uint32_t i = 0; i < 600000; i++)
        cr_assert_eq(intern_find(&set, text, (size_t)snprintf(text, sizeof text, "%u", i)), i);
    intern_release(&set);
}
