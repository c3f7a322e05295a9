#include "base/wildcard.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(wildcard, stands_for_any_characters)
{
    cr_expect(wildcard_fits("*.log", "a.log"));
    cr_expect(wildcard_fits("*.log", "a.log.log"));
    cr_expect(wildcard_fits("a*b*c", "a1b2b3c"));
    cr_expect(wildcard_fits("a*", "a"));
    cr_expect(wildcard_fits("a?c", "abc"));
    cr_expect(wildcard_fits("*", "anything"));
    cr_expect(wildcard_fits(".*", ".hidden"));
    cr_expect_not(wildcard_fits("*.log", "a.log.gz"));
    cr_expect_not(wildcard_fits("a?c", "ac"));
    cr_expect_not(wildcard_fits("*", ".hidden"));
    cr_expect_not(wildcard_fits("?hidden", ".hidden"));
    cr_expect_not(wildcard_fits("a", "ab"));
}

Test(wildcard, of_many_stars_takes_no_exponential_time)
{
    char name[2001];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_expect_not(wildcard_fits("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

Test(wildcard, finds_files_in_order_of_their_names)
{
    struct arena arena = {0};
    size_t count;
    const char **found = wildcard_find(SUPPROF_FIXTURES "/t*.log", &arena, &count);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(found[0], SUPPROF_FIXTURES "/tail-calls.log");
    cr_expect_str_eq(found[1], SUPPROF_FIXTURES "/truncated.log");
    cr_expect_str_eq(found[2], SUPPROF_FIXTURES "/two-runs.log");
    free(found);
    found = wildcard_find("no-such-directory/*", &arena, &count);
    cr_expect_eq(count, 0);
    free(found);
    arena_release(&arena);
}

Test(wildcard, is_none_where_a_file_is_called_so)
{
    cr_expect(wildcard_is("old/*.log"));
    cr_expect_not(wildcard_is("old*/x.log"));
    cr_expect_not(wildcard_is("x.log"));
}
