/*
 * hash.h - hashes of numbers for tables.
 *
 * A log could be made of numbers or texts that have the same hash, and each would be compared with
 * all others. So a hash depends on a seed, which each table draws for itself: see base/index.h.
 * No output depends on a hash.
 */
#pragma once

#include "platform/random.h"

/* Returns a seed that is not used elsewhere. */
static inline uint64_t hash_seed(void)
{
    return random_number();
}

/* All bits of the result depend on all bits of both arguments. */
static inline uint64_t hash_number(uint64_t number, uint64_t seed)
{
    uint64_t mixed = (number ^ seed) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32 ^ seed) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 32;
}
