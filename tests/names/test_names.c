#include "names/names.h"
#include "names/source_folder.h"
#include "tree/tree_builder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct symbols symbols;
static struct tree_builder builder;
static struct tree tree;
static struct names_counts counts;
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
    source_folder_release(&folder);
}

TestSuite(names, .init = set_up, .fini = tear_down);

static void write_file(const char *name, const char *text)
{
    source_folder_write(&folder, name, text);
}

static uint32_t add(const char *source, int32_t line, const char *name)
{
    uint32_t text = intern_add_span(&symbols.strings, span_of(name));
    uint32_t function = symbols_add_function(
        &symbols, intern_add_span(&symbols.strings, span_of(source)), line, text);
    symbols.functions[function].name = text;
    symbols.functions[function].is_used = true;
    return function;
}

/* A call by a function, from one of its lines. */
static void add_call(uint32_t caller, int32_t line)
{
    uint32_t node = tree_builder_child(&builder, TREE_ROOT, caller, 0);
    tree_builder_child(&builder, node, caller, line);
}

static void keep_problem(void *context, const char *message)
{
    (void)context;
    snprintf(problem, sizeof problem, "%s", message);
}

/* Looks below directories of the folder. */
static bool find_in(const char *first, const char *second)
{
    char paths_below[2][512];
    const char *directories[] = {paths_below[0], paths_below[1]};
    snprintf(paths_below[0], sizeof paths_below[0], "%s/%s", folder.path, first);
    snprintf(paths_below[1], sizeof paths_below[1], "%s/%s", folder.path,
             second != NULL ? second : "");
    struct paths paths;
    paths_init(&paths, &symbols, &(struct mounts){0}, PATHS_SHORT);
    struct source_request request = {.directories = directories,
                                     .directory_count = second != NULL ? 2 : 1,
                                     .paths = &paths,
                                     .tree = &tree,
                                     .on_problem = keep_problem};
    problem[0] = '\0';
    if (builder.tree.node_count > 0)
        tree_builder_finish(&builder, &tree);
    struct source_files files;
    bool is_done = names_find(&symbols, &request, &files, &counts, &err);
    source_files_release(&files);
    paths_release(&paths);
    return is_done;
}

static const char *name_of(uint32_t function)
{
    return intern_get(&symbols.strings, symbols.functions[function].name).at;
}

#define UNIT "@c:\\sc\\LOUD\\gamedata\\lua.scd\\lua\\sim\\Unit.lua"

Test(names, are_those_of_the_definition_at_the_line)
{
    write_file("lua/sim/unit.lua", "function A()\nend\nfunction B() end\nx = function() end "
                                   "y = function() end\nf(function() end) f(function() end)\n");
    uint32_t a = add(UNIT, 1, "?"), b = add(UNIT, 3, ""), known = add(UNIT, 5, "fn");
    uint32_t twice = add(UNIT, 4, "?");
    cr_assert(find_in("", NULL));
    cr_expect_str_eq(name_of(a), "A");
    cr_expect_str_eq(name_of(b), "B");
    cr_expect_str_eq(name_of(known), "fn");
    cr_expect_str_eq(name_of(twice), "?");
    cr_expect_eq(counts.nameless, 3);
    cr_expect_eq(counts.named, 2);
    cr_expect_eq(counts.files, 1);
}

Test(names, are_given_where_all_on_a_line_have_the_same)
{
    write_file("lua/sim/unit.lua", "f(function() end) f(function() end)\n");
    uint32_t a = add(UNIT, 1, "?");
    cr_assert(find_in("", NULL));
    cr_expect_str_eq(name_of(a), "f(function)");
}

Test(names, of_whole_files_and_chunks_need_no_file)
{
    uint32_t a = add(UNIT, 0, "?"), b = add("return 1", 0, "?");
    uint32_t c = add("x = 1\nlocal function f() end return f", 2, "?");
    cr_assert(find_in("", NULL));
    cr_expect_str_eq(name_of(a), "main chunk");
    cr_expect_str_eq(name_of(b), "main chunk");
    cr_expect_str_eq(name_of(c), "f");
    cr_expect_eq(counts.missing, 0);
}

struct place_case {
    const char *file, *directory;
};

Test(names, are_found_wherever_the_directory_lies)
{
    static const struct place_case cases[] = {
        {"a/lua/sim/unit.lua", "a"},
        {"b/LUA/Sim/UNIT.lua", "b"},
        {"c/lua.scd/lua/sim/unit.lua", "c"},
        {"d/lua/lua/sim/unit.lua", "d"},
        {"e/lua/sim/unit.lua", "e/lua"},
        {"f/lua/sim/unit.lua", "f/lua/sim"},
        {"g/lua/sim/unit.lua", "g/lua/../lua"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(cases[i].file, "function A() end\n");
        uint32_t a = add(UNIT, 1, "?");
        cr_assert(find_in(cases[i].directory, NULL));
        cr_expect_str_eq(name_of(a), "A", "%s", cases[i].file);
    }
}

Test(names, are_found_in_the_folder_of_a_mod)
{
    uint32_t a = add("@c:\\My Games\\Mods\\M28AI\\lua\\x.lua", 1, "?");
    write_file("M28AI/lua/x.lua", "function A() end\n");
    write_file("M28/lua/x.lua", "function A() end\n");
    cr_assert(find_in("M28", NULL));
    cr_expect_eq(counts.missing, 1);
    cr_assert(find_in("M28AI", NULL));
    cr_expect_str_eq(name_of(a), "A");
}

Test(names, come_from_the_first_directory_that_has_the_file)
{
    uint32_t a = add(UNIT, 1, "?"), b = add("@c:\\gamedata\\lua\\lua\\b.lua", 1, "?");
    write_file("one/lua/sim/unit.lua", "function One() end\n");
    write_file("two/lua/sim/unit.lua", "function Two() end\n");
    write_file("two/lua/b.lua", "function Two() end\n");
    cr_assert(find_in("one", "two"));
    cr_expect_str_eq(name_of(a), "One");
    cr_expect_str_eq(name_of(b), "Two");
}

Test(names, come_from_the_file_of_the_exact_letter_case_or_else_the_first)
{
    uint32_t a = add(UNIT, 1, "?"), b = add("@c:\\gamedata\\lua\\lua\\b.lua", 1, "?");
    write_file("lua/sim/UNIT.lua", "function Other() end\n");
    write_file("lua/sim/Unit.lua", "function Exact() end\n");
    write_file("lua/B.LUA", "function First() end\n");
    write_file("lua/B.lua", "function Second() end\n");
    cr_assert(find_in("", NULL));
    cr_expect_str_eq(name_of(a), "Exact");
    cr_expect_str_eq(name_of(b), "First");
}

Test(names, are_never_looked_for_outside)
{
    static const char *const sources[] = {
        "@c:\\gamedata\\lua\\..\\secret.lua", "@c:\\gamedata\\...\\secret.lua",
        "@c:\\gamedata\\..\\secret.lua", "@../secret.lua", "@..\\..\\secret.lua"};
    write_file("secret.lua", "function A() end\n");
    write_file("in/lua/x.lua", "");
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        uint32_t a = add(sources[i], 1, "?");
        cr_assert(find_in("in", NULL));
        cr_expect_str_eq(name_of(a), "?", "%s", sources[i]);
    }
}

static void expect_unfit(const char *part)
{
    cr_assert(find_in("", NULL));
    cr_expect_eq(counts.unfit, 1);
    cr_expect_eq(counts.named, 0);
    cr_expect_not_null(strstr(problem, part), "%s", problem);
}

Test(names, are_not_taken_where_a_line_of_the_log_has_no_definition)
{
    write_file("lua/sim/unit.lua", "function A() end\n\n\n");
    add(UNIT, 1, "?");
    add(UNIT, 2, "fn");
    expect_unfit("a function at line 2; no function begins there");
}

Test(names, are_not_taken_where_calls_come_from_outside)
{
    write_file("lua/sim/unit.lua", "function A()\nend\n\n\n");
    add_call(add(UNIT, 1, "?"), 3);
    expect_unfit("line 1; the one there does not have the lines that it called from");
}

Test(names, are_not_taken_where_known_names_have_moved)
{
    write_file("lua/sim/unit.lua", "function A() end\nfunction B() end\nfunction C() end\n");
    add(UNIT, 1, "?");
    add(UNIT, 2, "C");
    expect_unfit("which has its names at other lines");
}

/* `Heal` is called through a variable with the name of the other function. */
static void add_heal_and_kill(bool is_used)
{
    write_file("lua/sim/unit.lua", "local function Heal()\nend\nfunction Kill()\nend\n"
                                   "function C()\nend\n");
    add(UNIT, 1, "Kill");
    add(UNIT, 5, "?");
    symbols.functions[add(UNIT, 3, "Kill")].is_used = is_used;
}

Test(names, are_taken_where_a_function_is_called_by_the_name_of_another)
{
    add_heal_and_kill(true);
    cr_assert(find_in("", NULL));
    cr_expect_eq(counts.named, 1);
}

Test(names, are_taken_where_what_agrees_is_not_used)
{
    add_heal_and_kill(false);
    cr_assert(find_in("", NULL));
    cr_expect_eq(counts.named, 1, "%s", problem);
}

Test(names, are_not_taken_from_what_is_no_lua)
{
    write_file("lua/sim/unit.lua", "function A() end\nend\n");
    add(UNIT, 1, "?");
    expect_unfit("line 2 is not valid Lua");
}

Test(names, are_taken_where_the_log_has_other_names_for_functions)
{
    write_file("lua/sim/unit.lua", "function A() end\nfunction B() end\nfunction C()\nx()\nend\n");
    uint32_t a = add(UNIT, 1, "?"), c = add(UNIT, 3, "C");
    add(UNIT, 2, "fn");
    add(UNIT, 70, "AppendedByAMod");
    add_call(c, 4);
    cr_assert(find_in("", NULL));
    cr_expect_str_eq(name_of(a), "A");
}

Test(names, need_a_directory)
{
    cr_expect_not(find_in("nothing", NULL));
    cr_expect(strncmp(err.text, "--lua-root: cannot open '", 25) == 0);
    cr_expect_not_null(strstr(err.text, "/nothing': No such file or directory"));
    write_file("file", "");
    cr_expect_not(find_in("", "file"));
    cr_expect_not_null(strstr(err.text, "/file': Not a directory"));
}

Test(names, are_not_looked_for_in_what_is_no_file_or_too_large)
{
    char path[512];
    uint32_t a = add(UNIT, 1, "?");
    write_file("lua/sim/unit.lua/x", "");
    cr_assert(find_in("", NULL));
    cr_expect_eq(counts.missing, 1);
    write_file("two/lua/sim/unit.lua", "function A() end\n");
    snprintf(path, sizeof path, "%s/two/lua/sim/unit.lua", folder.path);
    cr_assert_eq(truncate(path, 64 * 1024 * 1024 + 1), 0);
    cr_assert(find_in("two", NULL));
    cr_expect_eq(counts.unreadable, 1);
    cr_expect_not_null(strstr(problem, "it has more than 64 MB"));
    cr_expect_str_eq(name_of(a), "?");
}
