#include "report/screen/grid.h"

#include <criterion/criterion.h>

struct line_label {
    const char *name, *place;
};

static void put_line(struct grid *grid, const void *of, size_t row)
{
    const struct line_label *label = (const struct line_label *)of + row;
    grid_put_cell(grid, "10.25");
    grid_put_cell(grid, "3");
    text_put_string(&grid->name, label->name);
    text_put_string(&grid->place, label->place);
}

/* Puts a line with two columns, of which the second one is left out first. */
static void expect(struct grid grid, unsigned first_order, const char *name, const char *place,
                   const char *expected)
{
    const struct line_label label = {name, place};
    const struct grid_rows rows = {&label, 1, put_line};
    struct text text = {0};
    grid_add_column(&grid, "ms", first_order);
    grid_add_column(&grid, "calls", 1);
    grid_put_rows(&grid, &rows, &text, NULL);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(grid, columns_are_left_out_in_their_order_before_the_name_of_a_file_is_cut)
{
    static const char place[] = "lua/sim/unit.lua:22";
    expect((struct grid){.width = 44}, 2, "OnKilled", place,
           "   ms  calls\n10.25      3  OnKilled  lua/sim/unit.lua:22\n");
    expect((struct grid){.width = 36}, 2, "OnKilled", place,
           "   ms  calls\n10.25      3  OnKilled  …unit.lua:22\n");
    expect((struct grid){.width = 35, .label_wanted = 22}, 2, "OnKilled", place,
           "   ms\n10.25  OnKilled  lua/si…unit.lua:22\n");
    expect((struct grid){.width = 28, .label_wanted = 22}, 2, "OnKilled", place,
           "\nOnKilled  lua/si…unit.lua:22\n");
}

Test(grid, labels_take_the_place_of_columns_only_up_to_two_thirds_of_the_line)
{
    expect((struct grid){.width = 24}, 2, "AFunctionWithAVeryLongName", "lua/sim/unit.lua:22",
           "   ms\n10.25  AFuncti…  lu…a:22\n");
}

Test(grid, columns_without_an_order_stay_and_labels_go)
{
    expect((struct grid){.width = 11, .label_title = "thread began in"}, 0, "OnKilled", "",
           "   ms  thr…\n10.25  OnK…\n");
    expect((struct grid){.width = 10, .label_title = "function"}, 0, "OnKilled", "",
           "   ms\n10.25\n");
}

static void expect_label(struct label_room room, const char *name, const char *place,
                         const char *expected)
{
    struct text line = {0};
    fitted_label_put(&line, &room, span_of(name), span_of(place));
    cr_expect_str_eq(text_string(&line), expected);
    text_release(&line);
}

Test(fitted_label, gives_up_alignment_before_it_cuts_a_place)
{
    struct label_room room = {.width = 16, .name_width = 9};
    expect_label(room, "f", "lua/unit.lua:1", "f  lu…unit.lua:1");
    room.width = 17;
    expect_label(room, "f", "lua/unit.lua:1", "f  lua/unit.lua:1");
}

Test(fitted_label, cuts_the_name_before_that_of_the_file)
{
    static const char name[] = "ReclaimablesInAreaMass", place[] = "lua/aiutilities.lua:812";
    expect_label((struct label_room){.width = 21}, name, "lua/a.lua:8", "Reclaimabl…  …a.lua:8");
    expect_label((struct label_room){.width = 30}, name, place, "Reclaim…  …aiutilities.lua:812");
    /* Eight columns of the name stay, and a third of all for the place. */
    expect_label((struct label_room){.width = 18}, name, place, "Reclaim…  lua…:812");
    expect_label((struct label_room){.width = 21}, name, "[C code]", "Reclaimabl…  [C code]");
}

static void expect_stack(size_t width, const char *stack, const char *expected)
{
    expect_label((struct label_room){.by = BY_STACK, .width = width}, stack, "", expected);
}

Test(fitted_label, of_a_stack_keeps_its_last_frames)
{
    expect_stack(11, "A;BB;CCC;DD", "A;BB;CCC;DD");
    expect_stack(8, "A;BB;CCC;DD", "…;CCC;DD");
    expect_stack(7, "A;BB;CCC;DD", "…;DD");
    expect_stack(18, "A a.lua:1;B b.lua:2;C c.lua:3", "A;B;C c.lua:3");
    expect_stack(13, "Aaa a.lua:1;B b.lua:2;C c.lua:3", "…;B;C c.lua:3");
    /* The nearest caller is worth more than the place. */
    expect_stack(11, "A a.lua:1;B b.lua:2;C c.lua:3", "A;B;C");
    expect_stack(14, "Aaa a.lua:1;? b.lua:2;C c.lua:3", "…;? b.lua:2;C");
    expect_stack(5, "A;abcdefghi", "A;…hi");
}
