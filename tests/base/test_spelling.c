#include "cli/options/unknown_option.h"

#include <criterion/criterion.h>
#include <string.h>

static size_t distance(const char *a, const char *b)
{
    return spelling_distance(span_of(a), span_of(b));
}

Test(spelling, counts_letters_that_differ)
{
    cr_expect_eq(distance("", ""), 0);
    cr_expect_eq(distance("ticks", "ticks"), 0);
    cr_expect_eq(distance("ticks", ""), 5);
    cr_expect_eq(distance("ticks", "tick"), 1);
    cr_expect_eq(distance("ticks", "tichs"), 1);
    cr_expect_eq(distance("kitten", "sitting"), 3);
}

Test(spelling, counts_swapped_neighbours_once)
{
    cr_expect_eq(distance("tikcs", "ticks"), 1);
    cr_expect_eq(distance("ca", "abc"), 3);
}

Test(spelling, does_not_compare_words_that_are_too_long)
{
    char longest[SPELLING_LENGTH_MAX + 2];
    memset(longest, 'a', sizeof longest);
    struct span word = {longest, SPELLING_LENGTH_MAX};
    cr_expect_eq(spelling_distance(word, word), 0);
    word.length++;
    cr_expect_eq(spelling_distance(word, span_of("a")), SIZE_MAX);
    cr_expect_eq(spelling_distance(span_of("a"), word), SIZE_MAX);
}
