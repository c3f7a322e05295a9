#include "names/source_files.h"
#include "names/source_folder.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct symbols symbols;
static struct source_file file = {.path = "lua/a.lua", .line_count = 4};
static struct found_source found[2];
static struct source_files files;

static void tear_down(void)
{
    definitions_release(&file.definitions);
    symbols_release(&symbols);
}

TestSuite(source_files, .fini = tear_down);

static uint32_t add(const char *source, int32_t line)
{
    uint32_t id = intern_add_span(&symbols.strings, span_of(source));
    return symbols_add_function(&symbols, id, line, INTERN_NONE);
}

/* A function of the first source, which was found. */
static uint32_t add_found(int32_t line)
{
    uint32_t function = add("@lua/a.lua", line);
    found[symbols.functions[function].source] = (struct found_source){.file = &file};
    files = (struct source_files){.found = found, .found_count = 1};
    return function;
}

static void expect_lines(uint32_t function, int32_t first, int32_t last)
{
    struct source_lines lines;
    struct error err;
    cr_assert(source_lines_find(&lines, &files, &symbols, function, &err), "%s", err.text);
    cr_expect_eq(lines.first, first);
    cr_expect_eq(lines.last, last, "%d", lines.last);
}

static void expect_none(const struct source_files *sources, uint32_t function, const char *why)
{
    struct source_lines lines;
    struct error err;
    cr_expect_not(source_lines_find(&lines, sources, &symbols, function, &err));
    cr_expect_str_eq(err.text, why);
}

Test(source_files, say_which_lines_a_function_has)
{
    definitions_read(&file.definitions, span_of("x = function() end y = function()\nend\n"));
    expect_lines(add_found(0), 1, 4);
    expect_lines(add_found(1), 1, 2);
    expect_lines(add_found(4), 4, 4);
    definitions_release(&file.definitions);
    definitions_read(&file.definitions, span_of("x = function() y = function() end\nend\n"));
    expect_lines(add_found(1), 1, 2);
}

Test(source_files, say_why_a_function_has_no_lines)
{
    uint32_t function = add_found(1), after = add_found(5);
    expect_none(&files, after, "'lua/a.lua' ends before it: it is of a file that a mod appended");
    expect_none(&files, add("=[C]", -1), "it is not a Lua function");
    expect_none(NULL, function, "--lua-root=DIR says where the Lua sources are");
    expect_none(&(struct source_files){0}, function,
                "--lua-root=DIR says where the Lua sources are");
    char problem[] = "it is a folder";
    found[0] = (struct found_source){.problem = problem};
    expect_none(&files, function, "it is a folder");
    found[0] = (struct found_source){.problem = NULL};
    expect_none(&files, function, "--lua-root: its file is in none of the directories");
    expect_none(&files, add("@lua/b.lua", 1), "--lua-root: its file is in none of the directories");
}

/* Whether a file of the folder is found for a path of reports and one of the log. */
static bool is_found(const struct source_folder *folder, const char *shown, const char *full)
{
    const char *directories[] = {folder->path};
    struct tree tree = {0};
    struct source_request request = {
        .directories = directories, .directory_count = 1, .tree = &tree};
    struct source_files in_folder;
    struct error err;
    bool is_new;
    cr_assert(source_files_init(&in_folder, &request, 0, &err), "%s", err.text);
    bool is_found = source_files_find(&in_folder, span_of(shown), span_of(full), &is_new) != NULL;
    source_files_release(&in_folder);
    return is_found;
}

Test(source_files, lie_in_the_folder_that_the_log_has_before_their_path)
{
    struct source_folder folder;
    source_folder_init(&folder);
    source_folder_write(&folder, "mine/lua/ai.lua", "");
    cr_expect(is_found(&folder, "lua/ai.lua", "d:/mine/lua/ai.lua"));
    cr_expect(is_found(&folder, "lua/ai.lua", "d:/mine/Lua/AI.lua"));
    cr_expect_not(is_found(&folder, "lua/ai.lua", "d:/mine/lib/ai.lua"));
    cr_expect_not(is_found(&folder, "lua/ai.lua", "d:/other/lua/ai.lua"));
    source_folder_release(&folder);
}

Test(source_files, join_what_was_passed_over_with_the_first_example)
{
    struct passed_sources passed = {0}, first = {.example = {.text = "first"}},
                          second = {.example = {.text = "second"}}, none = {0};
    intern_add_span(&first.paths, span_of("a"));
    intern_add_span(&second.paths, span_of("a"));
    intern_add_span(&second.paths, span_of("b"));
    passed_sources_join(&passed, &first);
    passed_sources_join(&passed, &second);
    passed_sources_join(&passed, &none);
    cr_expect_eq(passed.paths.count, 2);
    cr_expect_str_eq(passed.example.text, "first");
    intern_release(&passed.paths);
}

Test(source_files, must_have_the_lines_that_a_function_called_from)
{
    definitions_read(&file.definitions, span_of("\nx = function()\n\nend\n"));
    const char *outside = "the one there does not have the lines that it called from";
    cr_expect_str_eq(call_lines_problem(&file.definitions, 1, (struct call_lines){0}),
                     "no function begins there");
    cr_expect_null(call_lines_problem(&file.definitions, 2, (struct call_lines){0}));
    cr_expect_null(call_lines_problem(&file.definitions, 2, (struct call_lines){2, 4}));
    cr_expect_str_eq(call_lines_problem(&file.definitions, 2, (struct call_lines){1, 4}), outside);
    cr_expect_str_eq(call_lines_problem(&file.definitions, 2, (struct call_lines){2, 5}), outside);
}
