#include "report/screen/grid.h"

#include <criterion/criterion.h>
#include <stdint.h>

/* A row of the tables below. */
struct line {
    const char *first, *second, *name, *place, *suffix;
};

static const struct line calls[] = {
    {"1.5", "12", "next", "[C]", ""},
    {"10.25", "3", "OnKilled", "lua/sim/unit.lua:22", "  from line 7"},
};

static void put_line(struct grid *grid, const void *of, size_t row)
{
    const struct line *line = (const struct line *)of + row;
    grid_put_cell(grid, line->first);
    if (line->second != NULL)
        grid_put_cell(grid, line->second);
    text_put_string(&grid->name, line->name);
    text_put_string(&grid->place, line->place);
    text_put_string(&grid->suffix, line->suffix);
}

/* Adds two columns, of which the second one is left out first, and puts the lines. */
static void expect(struct grid *grid, const struct line *lines, size_t count, const char *expected)
{
    const struct grid_rows rows = {lines, count, put_line};
    struct text text = {0};
    grid_add_column(grid, "ms", 2);
    grid_add_column(grid, "calls", 1);
    grid_put_rows(grid, &rows, &text, NULL);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
    grid_release(grid);
}

Test(grid, columns_are_as_wide_as_their_widest_cell_or_title)
{
    expect(&(struct grid){.label_title = "function"}, calls, 2,
           "   ms  calls  function\n"
           "  1.5     12  next  [C]\n"
           "10.25      3  OnKilled  lua/sim/unit.lua:22  from line 7\n");
}

Test(grid, places_are_aligned_after_names_that_are_not_too_long)
{
    expect(&(struct grid){.name_width_max = 8}, calls, 2,
           "   ms  calls\n"
           "  1.5     12  next      [C]\n"
           "10.25      3  OnKilled  lua/sim/unit.lua:22  from line 7\n");
    expect(&(struct grid){.name_width_max = 5}, calls, 2,
           "   ms  calls\n"
           "  1.5     12  next   [C]\n"
           "10.25      3  OnKilled  lua/sim/unit.lua:22  from line 7\n");
}

Test(grid, all_is_whole_where_the_terminal_has_room)
{
    expect(&(struct grid){.width = 56}, calls, 2,
           "   ms  calls\n"
           "  1.5     12  next  [C]\n"
           "10.25      3  OnKilled  lua/sim/unit.lua:22  from line 7\n");
}

Test(grid, folders_are_cut_before_a_column_is_left_out)
{
    expect(&(struct grid){.width = 50}, calls, 2,
           "   ms  calls\n"
           "  1.5     12  next  [C]\n"
           "10.25      3  OnKilled  l…unit.lua:22  from line 7\n");
}

Test(grid, columns_are_left_out_in_their_order_before_the_name_of_a_file_is_cut)
{
    const struct line line = {"10.25", "3", "OnKilled", "lua/sim/unit.lua:22", ""};
    expect(&(struct grid){.width = 44}, &line, 1,
           "   ms  calls\n10.25      3  OnKilled  lua/sim/unit.lua:22\n");
    expect(&(struct grid){.width = 36}, &line, 1,
           "   ms  calls\n10.25      3  OnKilled  …unit.lua:22\n");
    expect(&(struct grid){.width = 35, .label_wanted = 22}, &line, 1,
           "   ms\n10.25  OnKilled  lua/si…unit.lua:22\n");
    expect(&(struct grid){.width = 28, .label_wanted = 22}, &line, 1,
           "\nOnKilled  lua/si…unit.lua:22\n");
}

Test(grid, labels_take_the_place_of_columns_only_up_to_two_thirds_of_the_line)
{
    const struct line line = {"10.25", "3", "AFunctionWithAVeryLongName", "lua/sim/unit.lua:22",
                              ""};
    expect(&(struct grid){.width = 24}, &line, 1, "   ms\n10.25  AFuncti…  lu…a:22\n");
}

Test(grid, what_is_wanted_for_labels_is_kept_free_also_where_they_are_short)
{
    const struct line line = {"1", "2", "f", "", ""};
    expect(&(struct grid){.width = 19, .label_wanted = 8}, &line, 1, "ms  calls\n 1      2  f\n");
    expect(&(struct grid){.width = 18, .label_wanted = 8}, &line, 1, "ms\n 1  f\n");
}

Test(grid, columns_without_an_order_stay_and_labels_go)
{
    const struct line line = {"10.25", NULL, "OnKilled", "", ""};
    const struct grid_rows rows = {&line, 1, put_line};
    struct grid grid = {.width = 10, .label_title = "function"};
    struct text text = {0};
    grid_add_column(&grid, "ms", 0);
    grid_put_rows(&grid, &rows, &text, NULL);
    cr_expect_str_eq(text_string(&text), "   ms\n10.25\n");
    text_release(&text);
    grid_release(&grid);
}

Test(grid, lines_end_without_blanks_where_there_is_no_label)
{
    expect(&(struct grid){0}, (const struct line[]){{"1", "", "", "", ""}}, 1, "ms  calls\n 1\n");
}

Test(grid, a_title_is_cut_with_its_labels)
{
    const struct line line = {"1", "2", "f", "", ""};
    expect(&(struct grid){.width = 16, .label_title = "thread began in"}, &line, 1,
           "ms  calls  thre…\n 1      2  f\n");
}

Test(grid, left_and_wider_columns_gaps_and_indents_are_as_asked)
{
    const struct line line = {"1", "2", "f", "", ""};
    const struct grid_rows rows = {&line, 1, put_line};
    struct grid grid = {.indent = 2, .line_end = "|\n"};
    struct text text = {0};
    struct grid_column *left = grid_add_column(&grid, "a", 0);
    left->is_left = true;
    left->width = 3;
    grid_add_column(&grid, "b", 0)->gap = 1;
    grid_put_rows(&grid, &rows, &text, NULL);
    cr_expect_str_eq(text_string(&text), "  a    b|\n  1    2 f|\n");
    text_release(&text);
    grid_release(&grid);
}

Test(grid, colors_take_no_room)
{
    const struct line line = {"1", NULL, "f", "[C]", ""};
    struct grid grid = {.width = 20, .is_colored = true, .label_title = "function"};
    struct text text = {0};
    grid_add_column(&grid, "ms", 0);
    for (int pass = 0; pass < 2; pass++) {
        text_put_string(&grid.cells, line.first);
        grid_end_colored_cell(&grid, "\x1b[31m");
        text_put_string(&grid.name, line.name);
        text_put_string(&grid.place, line.place);
        grid_end_line(&grid, &text);
        cr_expect_eq(text.length == 0, pass == 0);
        if (pass == 0)
            grid_fit(&grid);
    }
    cr_expect_str_eq(text_string(&text), " \x1b[31m1\x1b[0m  f  \x1b[2m[C]\x1b[0m\n");
    text_cut(&text, 0);
    grid_put_titles(&grid, &text);
    cr_expect_str_eq(text_string(&text), "\x1b[1mms  function\x1b[0m\n");
    text_release(&text);
    grid_release(&grid);
}

Test(grid, characters_count_and_not_their_bytes)
{
    const struct line line = {"±1", "2", "ü", "", ""};
    expect(&(struct grid){0}, &line, 1, "ms  calls\n±1      2  ü\n");
}
