#include "base/hash_index.h"
#include "base/mem.h"
#include "platform/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { COLLIDING = 256, SLOTS = 256 };

/* Finds numbers whose hashes have the same low bits under this seed. */
static void collide(uint64_t seed, uint64_t numbers[COLLIDING])
{
    size_t count = 0;
    for (uint64_t number = 0; count < COLLIDING; number++)
        if (hash_number(number, seed) % SLOTS == 0)
            numbers[count++] = number;
}

/* Returns the largest number of numbers that share a slot. */
static size_t largest_share(const uint64_t numbers[COLLIDING], uint64_t seed)
{
    size_t shares[SLOTS] = {0}, largest = 0;
    for (size_t i = 0; i < COLLIDING; i++) {
        size_t *share = &shares[hash_number(numbers[i], seed) % SLOTS];
        *share += 1;
        largest = *share > largest ? *share : largest;
    }
    return largest;
}

Test(hash, numbers_that_collide_under_one_seed_do_not_under_another)
{
    uint64_t numbers[COLLIDING];
    collide(1, numbers);
    cr_expect_eq(largest_share(numbers, 1), COLLIDING);
    for (uint64_t i = 1; i <= 64; i++)
        cr_expect_leq(largest_share(numbers, i * 0xa0761d6478bd642f), 16, "seed %d", (int)i);
}

Test(hash, numbers_that_differ_in_any_bit_are_spread_over_the_slots)
{
    uint64_t numbers[COLLIDING];
    for (unsigned shift = 0; shift <= 56; shift++) {
        for (uint64_t i = 0; i < COLLIDING; i++)
            numbers[i] = i << shift;
        cr_expect_leq(largest_share(numbers, 0x0123456789abcdef), 16, "shift %u", shift);
    }
}

Test(hash, random_numbers_differ)
{
    cr_expect_neq(random_number(), random_number());
}

Test(hash, each_table_draws_a_seed_and_keeps_it_while_it_grows)
{
    struct index a = {0}, b = {0};
    index_reserve(&a, 1);
    index_reserve(&b, 1);
    cr_expect_neq(a.seed, b.seed);
    uint64_t seed = a.seed;
    for (uint32_t id = 0; id < 1000; id++) {
        index_reserve(&a, 1);
        uint32_t hash = (uint32_t)hash_number(id, a.seed);
        size_t slot = index_first(&a, hash);
        while (a.slots[slot].id != INDEX_FREE)
            slot = index_next(&a, slot);
        index_put(&a, slot, hash, id);
    }
    cr_expect_eq(a.seed, seed);
    index_release(&a);
    index_release(&b);
}
