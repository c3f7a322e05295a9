#include "report/screen/grid.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

static void expect(const struct label_room *room, const char *name, const char *place,
                   const char *expected)
{
    struct text line = {0};
    fitted_label_put(&line, room, span_of(name), span_of(place));
    cr_expect_str_eq(text_string(&line), expected);
    text_release(&line);
}

Test(fitted_label, is_whole_and_aligned_on_a_pipe)
{
    expect(&(struct label_room){.width = SIZE_MAX, .name_width = 6}, "next", "[C]", "next    [C]");
}

Test(fitted_label, gives_up_alignment_before_it_cuts_a_place)
{
    expect(&(struct label_room){.width = 16, .name_width = 9}, "f", "lua/unit.lua:1",
           "f  lu\xe2\x80\xa6unit.lua:1");
    expect(&(struct label_room){.width = 17, .name_width = 9}, "f", "lua/unit.lua:1",
           "f  lua/unit.lua:1");
}

Test(fitted_label, cuts_the_name_before_that_of_the_file)
{
    expect(&(struct label_room){.width = 21}, "ReclaimablesInAreaMass", "lua/a.lua:8",
           "Reclaimabl\xe2\x80\xa6  \xe2\x80\xa6"
           "a.lua:8");
    expect(&(struct label_room){.width = 30}, "ReclaimablesInAreaMass", "lua/aiutilities.lua:812",
           "Reclaim\xe2\x80\xa6  \xe2\x80\xa6"
           "aiutilities.lua:812");
}

Test(fitted_label, leaves_eight_columns_of_the_name_and_a_third_of_all_to_the_place)
{
    expect(&(struct label_room){.width = 18}, "ReclaimablesInArea", "lua/aiutilities.lua:812",
           "Reclaim\xe2\x80\xa6  lua\xe2\x80\xa6:812");
    expect(&(struct label_room){.width = 21}, "ReclaimablesInAreaMass", "[C code]",
           "Reclaimabl\xe2\x80\xa6  [C code]");
}

Test(fitted_label, needs_its_name_and_the_name_of_its_file)
{
    struct span name = span_of("Run"), place = span_of("lua/sim/unit.lua:8 (coroutine)");
    cr_expect_eq(fitted_label_need(BY_THREAD, name, place), 3 + 2 + 1 + strlen("unit.lua:8"));
    cr_expect_eq(fitted_label_need(BY_FUNCTION, name, span_of("[C]")), 3 + 2 + 3);
    cr_expect_eq(fitted_label_need(BY_STACK, span_of("A;BB;CCC"), span_of("")), 2 + 3);
    cr_expect_eq(fitted_label_need(BY_FILE, span_of("lua/a.lua"), span_of("")), 1 + 5);
}

Test(fitted_label, loses_the_kind_of_a_thread_before_its_line)
{
    expect(&(struct label_room){.by = BY_THREAD, .width = 20}, "Run", "lua/a.lua:8 (coroutine)",
           "Run  lua/a.lua:8");
}

Test(fitted_label, of_a_stack_keeps_its_last_frames)
{
    expect(&(struct label_room){.by = BY_STACK, .width = 8}, "A;BB;CCC;DD", "",
           "\xe2\x80\xa6;CCC;DD");
    expect(&(struct label_room){.by = BY_STACK, .width = 7}, "A;BB;CCC;DD", "", "\xe2\x80\xa6;DD");
    expect(&(struct label_room){.by = BY_STACK, .width = 11}, "A;BB;CCC;DD", "", "A;BB;CCC;DD");
    expect(&(struct label_room){.by = BY_STACK, .width = 18}, "A a.lua:1;B b.lua:2;C c.lua:3", "",
           "A;B;C c.lua:3");
    expect(&(struct label_room){.by = BY_STACK, .width = 13}, "Aaa a.lua:1;B b.lua:2;C c.lua:3", "",
           "\xe2\x80\xa6;B;C c.lua:3");
    /* The nearest caller is worth more than the place. */
    expect(&(struct label_room){.by = BY_STACK, .width = 11}, "A a.lua:1;B b.lua:2;C c.lua:3", "",
           "A;B;C");
    expect(&(struct label_room){.by = BY_STACK, .width = 14}, "Aaa a.lua:1;? b.lua:2;C c.lua:3", "",
           "\xe2\x80\xa6;? b.lua:2;C");
    expect(&(struct label_room){.by = BY_STACK, .width = 5}, "A;abcdefghi", "", "A;\xe2\x80\xa6hi");
}
