#include "report/sentences/amounts.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The amount that a line of amounts.txt is about; a kind that is not known is no amount. */
static struct amount amount_of_line(const char *kind, double value, double whole)
{
    struct tick_list list = {.limit_ns = (int64_t)value};
    return strcmp(kind, "time") == 0        ? amount_said((int64_t)value)
           : strcmp(kind, "count") == 0     ? amount_count((uint64_t)value)
           : strcmp(kind, "percent") == 0   ? amount_percent((int64_t)value, (int64_t)whole)
           : strcmp(kind, "factor") == 0    ? amount_factor(value)
           : strcmp(kind, "game-time") == 0 ? tick_game_time(value)
           : strcmp(kind, "limit") == 0     ? tick_limit(&list)
                                            : amount_make("%s", kind);
}

/* tests/web/amounts.test.mjs reads the same lines: the program and the script of pages say amounts
 * alike. */
Test(amounts, are_as_in_the_list)
{
    FILE *file = fopen(SUPPROF_FIXTURES "/../tests/report/amounts.txt", "r");
    char line[128], kind[16], text[64];
    size_t checked = 0;
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double value = 0, whole = 0;
        if (line[0] == '#')
            continue;
        bool has_whole = strncmp(line, "percent", 7) == 0;
        int found = has_whole ? sscanf(line, "%15s %lf %lf %63[^\n]", kind, &value, &whole, text)
                              : sscanf(line, "%15s %lf %63[^\n]", kind, &value, text);
        cr_assert_eq(found, has_whole ? 4 : 3, "%s", line);
        struct amount said = amount_of_line(kind, value, whole);
        cr_expect_str_eq(said.at, text, "'%s' is said: %s", said.at, line);
        checked++;
    }
    fclose(file);
    cr_expect_gt(checked, 100);
}

/* Two of them that a sentence compares differ in what is said. */
Test(amounts, of_milliseconds_have_two_digits_or_three)
{
    static const struct {
        double ns;
        const char *said;
    } rows[] = {{9599, "less than 0.01"}, {9600, "0.010"}, {36300, "0.036"}, {44900, "0.045"},
                {99499, "0.099"},         {99500, "0.10"}, {360000, "0.36"}, {1200000, "1.2"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_str_eq(amount_ms(rows[i].ns).at, rows[i].said, "%.0f", rows[i].ns);
}
