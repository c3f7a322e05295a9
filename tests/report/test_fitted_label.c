#include "report/text/fitted_label.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

static void expect(const struct label_room *room, const char *name, const char *place,
                   const char *expected)
{
    struct text line = {0};
    fitted_label_put(&line, room, (struct span){name, strlen(name)},
                     (struct span){place, strlen(place)});
    text_put(&line, "", 1);
    cr_expect_str_eq(line.at, expected);
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

Test(fitted_label, leaves_two_thirds_of_the_room_to_a_long_name)
{
    expect(&(struct label_room){.width = 21}, "ReclaimablesInAreaMass", "lua/a.lua:8",
           "Reclaimable\xe2\x80\xa6  lu\xe2\x80\xa6ua:8");
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
    expect(&(struct label_room){.by = BY_STACK, .width = 5}, "A;abcdefghi", "", "A;\xe2\x80\xa6hi");
}
