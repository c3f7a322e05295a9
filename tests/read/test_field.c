#include "read/field.h"

#include <criterion/criterion.h>
#include <string.h>

enum { LENGTH_MAX = 200, TAIL_BYTES = 64, SEED = 12345 };

/* Bytes of all values but those that end a field. */
static void fill(char *text, size_t length)
{
    uint32_t random = 1;
    for (size_t i = 0; i < length; i++) {
        random = random * 1664525 + 1013904223;
        char byte = (char)(random >> 24);
        text[i] = byte == ';' || byte == '\n' ? 'x' : byte;
    }
}

Test(field, ends_at_the_first_semicolon_or_line_feed)
{
    char text[LENGTH_MAX + TAIL_BYTES];
    for (size_t length = 0; length < LENGTH_MAX; length++) {
        fill(text, sizeof text);
        text[length + 1 + length % 3] = ';';
        text[length] = length % 2 == 0 ? ';' : '\n';
        cr_expect_eq(field_read(text, SEED).length, length);
    }
}

Test(field, has_the_same_hash_whatever_follows_it_and_however_it_is_read)
{
    char text[LENGTH_MAX + TAIL_BYTES];
    for (size_t length = 0; length < LENGTH_MAX; length++) {
        fill(text, sizeof text);
        text[length] = ';';
        uint32_t hash = field_read(text, SEED).hash;
        memset(text + length + 1, 'y', TAIL_BYTES - 1);
        cr_expect_eq(field_read(text, SEED).hash, hash, "%zu bytes", length);
        cr_expect_eq(field_hash(text, length, SEED), hash, "%zu bytes", length);
        cr_expect_neq(field_hash(text, length, SEED + 1), hash, "%zu bytes", length);
    }
}

Test(field, has_a_hash_that_depends_on_each_bit)
{
    char text[LENGTH_MAX];
    fill(text, sizeof text);
    uint32_t whole = field_hash(text, sizeof text, SEED);
    for (size_t bit = 0; bit < 8 * sizeof text; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        cr_expect_neq(field_hash(text, sizeof text, SEED), whole, "bit %zu", bit);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t length = 0; length < sizeof text; length++)
        cr_expect_neq(field_hash(text, length, SEED), field_hash(text, length + 1, SEED));
}

/* The zeros that fill the last block must not be taken for those of the text. */
Test(field, has_a_hash_that_depends_on_zeros_at_its_end)
{
    static const char zeros[LENGTH_MAX];
    for (size_t length = 0; length < sizeof zeros; length++)
        cr_expect_neq(field_hash(zeros, length, SEED), field_hash(zeros, length + 1, SEED));
}

Test(field, is_the_same_only_if_all_bytes_are)
{
    char a[LENGTH_MAX + TAIL_BYTES], b[LENGTH_MAX + TAIL_BYTES];
    for (size_t length = 0; length < LENGTH_MAX; length++) {
        fill(a, sizeof a);
        memset(b, 'z', sizeof b);
        memcpy(b, a, length);
        cr_expect(field_is_same(a, b, length), "%zu bytes", length);
        for (size_t i = 0; i < length; i++) {
            b[i] ^= 1;
            cr_expect(!field_is_same(a, b, length), "byte %zu of %zu", i, length);
            b[i] ^= 1;
        }
    }
}
