#include "report/screen/grid.h"

#include <criterion/criterion.h>

struct line_label {
    const char *name, *place;
};

static const struct column_info columns[] = {{.title = "ms", .type = TYPE_REAL},
                                             {.title = "calls", .type = TYPE_COUNT},
                                             {.type = TYPE_LABEL}};

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct line_label *label = (const struct line_label *)table->of + row;
    cell->word = column->info == &columns[0] ? "10.25" : "3";
    if (column->info->type != TYPE_LABEL)
        return;
    text_put_string(&cell->text, label->name);
    text_put_string(&cell->place, label->place);
}

/* Puts a line with two columns, of which the second one is left out first. */
static void expect(size_t width, struct table table, unsigned first_order, const char *name,
                   const char *place, const char *expected)
{
    struct line_label label = {name, place};
    const struct report report = {.width = width};
    struct text text = {0};
    table.get = get;
    table.of = &label;
    table.row_count = 1;
    table_add_column(&table, &columns[0], ASPECT_BOTH, first_order);
    table_add_column(&table, &columns[1], ASPECT_BOTH, 1);
    table_add_column(&table, &columns[2], ASPECT_BOTH, 0);
    table_put_on_screen(&table, &report, SIZE_MAX, &text, NULL);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(grid, columns_are_left_out_in_their_order_before_the_name_of_a_file_is_cut)
{
    static const char place[] = "lua/sim/unit.lua:22";
    expect(44, (struct table){0}, 2, "OnKilled", place,
           "   ms  calls\n10.25      3  OnKilled  lua/sim/unit.lua:22\n");
    expect(36, (struct table){0}, 2, "OnKilled", place,
           "   ms  calls\n10.25      3  OnKilled  …unit.lua:22\n");
    expect(35, (struct table){.label_wanted = 22}, 2, "OnKilled", place,
           "   ms\n10.25  OnKilled  lua/si…unit.lua:22\n");
    expect(28, (struct table){.label_wanted = 22}, 2, "OnKilled", place,
           "\nOnKilled  lua/si…unit.lua:22\n");
}

Test(grid, labels_take_the_place_of_columns_only_up_to_two_thirds_of_the_line)
{
    expect(24, (struct table){0}, 2, "AFunctionWithAVeryLongName", "lua/sim/unit.lua:22",
           "   ms\n10.25  AFuncti…  lu…a:22\n");
}

Test(grid, columns_without_an_order_stay_and_labels_go)
{
    expect(11, (struct table){.label_title = "thread began in"}, 0, "OnKilled", "",
           "   ms  thr…\n10.25  OnK…\n");
    expect(10, (struct table){.label_title = "function"}, 0, "OnKilled", "", "   ms\n10.25\n");
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
    expect_label((struct label_room){.width = 30}, name, place, "ReclaimablesIn…  lua/….lua:812");
    /* Half of the columns stay for the name, and a third for the place. */
    expect_label((struct label_room){.width = 18}, name, place, "Reclaima…  lu…:812");
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
