#include "names/hooks.h"
#include "names/source_folder.h"
#include "tree/tree_builder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct symbols symbols;
static struct hooks hooks;
static struct tree_builder builder;
static struct tree tree;
static struct hooked_functions hooked;
static struct error err;
static struct source_folder folder;
static char problem[1024];

static void set_up(void)
{
    tree_builder_init(&builder, false);
    source_folder_init(&folder);
}

static void tear_down(void)
{
    tree_builder_release(&builder);
    tree_release(&tree);
    symbols_release(&symbols);
    hooks_release(&hooks);
    hooked_functions_release(&hooked);
    source_folder_release(&folder);
}

TestSuite(hooked_functions, .init = set_up, .fini = tear_down);

static void write_file(const char *name, const char *text)
{
    source_folder_write(&folder, name, text);
}

#define UNIT "@c:\\sc\\LOUD\\gamedata\\lua.scd\\lua\\sim\\Unit.lua"

static uint32_t add(int32_t line)
{
    uint32_t source = intern_add(&symbols.strings, UNIT, sizeof UNIT - 1);
    uint32_t function = symbols_add_function(&symbols, source, line, INTERN_NONE);
    symbols.functions[function].name = intern_add_span(&symbols.strings, span_of("?"));
    symbols.functions[function].is_used = true;
    return function;
}

static void hook(const char *file)
{
    hooks_add(&hooks, span_of("/lua/sim/unit.lua"), span_of(file));
}

static void keep_problem(void *context, const char *message)
{
    (void)context;
    snprintf(problem, sizeof problem, "%s", message);
}

static void move(void)
{
    const char *directories[] = {folder.path};
    struct paths paths;
    hooks_end_batch(&hooks);
    tree_builder_finish(&builder, &tree);
    paths_init(&paths, &symbols, &(struct mounts){0}, PATHS_SHORT);
    struct source_request request = {.directories = directories,
                                     .directory_count = 1,
                                     .paths = &paths,
                                     .tree = &tree,
                                     .on_problem = keep_problem};
    problem[0] = '\0';
    cr_assert(hooked_functions_move(&hooked, &symbols, &hooks, &request, &err), "%s", err.text);
    hooked_functions_shift_lines(&hooked, &tree);
    paths_release(&paths);
}

static void expect_place(uint32_t function, const char *source, int32_t line)
{
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.functions[function].source).at, source);
    cr_expect_eq(symbols.functions[function].line, line, "line %d",
                 symbols.functions[function].line);
}

static void expect_mod(uint32_t function, const char *mod)
{
    struct paths paths;
    paths_init(&paths, &symbols, &(struct mounts){0}, PATHS_SHORT);
    hooked_functions_name_mods(&hooked, &paths);
    uint32_t source = symbols.functions[function].source;
    cr_expect_str_eq(intern_get(&paths.texts, paths.mods[source]).at, mod);
    paths_release(&paths);
}

Test(hooked_functions, move_to_the_files_of_their_mods_in_the_order_of_the_lines)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    write_file("mods/y/hook/lua/sim/unit.lua", "\nfunction B()\nend\n");
    write_file("mods/z/hook/lua/sim/unit.lua", "function C()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    hook("/mods/z/hook/lua/sim/unit.lua");
    uint32_t main_chunk = add(0), a = add(1), b = add(4), c = add(6);
    move();
    expect_place(main_chunk, UNIT, 0);
    expect_place(a, UNIT, 1);
    expect_place(b, "@mods/y/hook/lua/sim/unit.lua", 2);
    expect_place(c, "@mods/z/hook/lua/sim/unit.lua", 1);
    expect_mod(a, "game");
    expect_mod(b, "mods/y");
    cr_expect_eq(hooked.moved, 2);
}

Test(hooked_functions, follow_the_line_feed_that_the_engine_adds)
{
    write_file("lua/sim/unit.lua", "function A()\nend");
    write_file("mods/y/hook/lua/sim/unit.lua", "function B()\nend");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(3);
    move();
    expect_place(a, UNIT, 1);
    expect_place(b, "@mods/y/hook/lua/sim/unit.lua", 1);
}

Test(hooked_functions, take_their_calling_lines_with_them)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    write_file("mods/y/hook/lua/sim/unit.lua", "function B()\n  A()\n  return A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(3);
    uint32_t node = tree_builder_child(&builder, TREE_ROOT, b, 0);
    tree_builder_child(&builder, node, a, 4);
    tree_builder_child(&builder, node, a, -5);
    move();
    cr_expect_eq(tree.calls[1].line, 0);
    cr_expect_eq(tree.calls[2].line, 2);
    cr_expect_eq(tree.calls[3].line, -3);
}

Test(hooked_functions, need_no_length_of_the_last_hook)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t b = add(30);
    add(1);
    move();
    expect_place(b, "@mods/y/hook/lua/sim/unit.lua", 28);
}

Test(hooked_functions, are_of_one_of_several_mods_without_the_lengths_of_those_before)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    hook("/mods/z/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(30);
    move();
    expect_place(b, UNIT " (hooks)", 30);
    expect_mod(b, "hooks of y, z");
    expect_mod(a, "game");
}

Test(hooked_functions, stay_without_the_length_of_the_file)
{
    hook("/schook/lua/sim/unit.lua");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(30);
    move();
    expect_place(b, UNIT, 30);
    expect_mod(a, "game and hooks of y");
    cr_expect_str_eq(problem, "");
}

Test(hooked_functions, of_the_games_own_hooks_are_of_the_game)
{
    hook("/schook/lua/sim/unit.lua");
    uint32_t b = add(30);
    move();
    expect_mod(b, "game");
}

Test(hooked_functions, stay_if_the_files_are_of_another_version)
{
    write_file("lua/sim/unit.lua", "\nfunction A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(30);
    move();
    expect_place(b, UNIT, 30);
    expect_mod(a, "game and hooks of y");
    cr_expect_not_null(strstr(problem, "another version of 'lua/sim/Unit.lua'"), "%s", problem);
}

Test(hooked_functions, stay_if_the_file_is_no_lua)
{
    write_file("lua/sim/unit.lua", "function A(\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t b = add(30);
    add(1);
    move();
    expect_place(b, UNIT, 30);
    cr_expect_not_null(strstr(problem, "the functions of mods cannot be told apart: line 2 of "),
                       "%s", problem);
    cr_expect_not_null(strstr(problem, "unit.lua' is not valid Lua"), "%s", problem);
}

Test(hooked_functions, stay_if_a_hook_is_of_another_version)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    write_file("mods/y/hook/lua/sim/unit.lua", "\nfunction B()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t b = add(3);
    add(1);
    move();
    expect_place(b, UNIT, 3);
    expect_mod(b, "game and hooks of y");
}

Test(hooked_functions, stay_if_no_function_shows_that_the_version_is_right)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t b = add(30);
    move();
    expect_mod(b, "game and hooks of y");
}

Test(hooked_functions, go_to_the_hooks_that_fit_where_a_file_was_loaded_with_different_ones)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    write_file("mods/y/hook/lua/sim/unit.lua", "\nfunction B()\nend\n");
    write_file("mods/z/hook/lua/sim/unit.lua", "function C()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    hook("/mods/z/hook/lua/sim/unit.lua");
    hooks_end_batch(&hooks);
    hook("/mods/z/hook/lua/sim/unit.lua");
    uint32_t c = add(3);
    move();
    expect_place(c, "@mods/z/hook/lua/sim/unit.lua", 1);
}

Test(hooked_functions, are_of_several_mods_where_the_batches_do_not_agree)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    hooks_end_batch(&hooks);
    hook("/mods/z/hook/lua/sim/unit.lua");
    uint32_t b = add(30);
    add(1);
    move();
    expect_mod(b, "hooks of y, z");
}

Test(hooked_functions, are_found_by_their_new_places)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n");
    hook("/mods/y/hook/lua/sim/unit.lua");
    uint32_t a = add(1), b = add(30);
    move();
    uint32_t source = symbols.functions[b].source;
    cr_expect_eq(symbols_add_function(&symbols, source, 28, INTERN_NONE), b);
    cr_expect_eq(symbols_add_function(&symbols, symbols.functions[a].source, 1, INTERN_NONE), a);
}

Test(hooks, that_are_said_again_are_one_batch)
{
    hook("/mods/y/hook/lua/sim/unit.lua");
    hook("/mods/z/hook/lua/sim/unit.lua");
    hook("/mods/y/hook/lua/sim/unit.lua");
    hook("/mods/z/hook/lua/sim/unit.lua");
    hooks_end_batch(&hooks);
    cr_expect_eq(hooks.batches.count, 1);
    hooks_release(&hooks);
}

Test(hooks, of_many_mods_are_cut)
{
    char file[64];
    for (int i = 0; i <= HOOKS_PER_BATCH_MAX; i++) {
        snprintf(file, sizeof file, "/mods/%d/hook/lua/sim/unit.lua", i);
        hook(file);
    }
    hooks_end_batch(&hooks);
    cr_expect_eq(hooks.batches.count, 2);
    hooks_release(&hooks);
}
