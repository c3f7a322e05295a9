#include "names/definitions.h"

#include "base/mem.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct definitions definitions;

static void tear_down(void)
{
    definitions_release(&definitions);
}

TestSuite(definitions, .fini = tear_down);

static void read_text(const char *source)
{
    definitions_release(&definitions);
    definitions_read(&definitions, span_of(source));
}

/* Appends "LINE NAME" for each definition, separated by " | ". */
static void put_definitions(struct text *text)
{
    for (size_t i = 0; i < definitions.count; i++) {
        text_put_string(text, i > 0 ? " | " : "");
        text_put_number(text, definitions.all[i].line);
        text_put_string(text, " ");
        text_put_string(text, intern_get(&definitions.texts, definitions.all[i].name).at);
    }
}

static void expect(const char *source, const char *expected)
{
    struct text text = {0};
    read_text(source);
    put_definitions(&text);
    cr_expect_str_eq(text_string(&text), expected, "%s: %s", source, text.at);
    cr_expect_eq(definitions.error_line, 0, "%s: line %d", source, definitions.error_line);
    text_release(&text);
}

Test(definitions, have_the_name_they_are_assigned_to)
{
    expect("function f() end", "1 f");
    expect("local function f() end", "1 f");
    expect("f = function() end", "1 f");
    expect("function A.b.c() end", "1 A.b.c");
    expect("function A.b:c() end", "1 A.b.c");
    expect("A['c'] = function() end", "1 A.c");
    expect("A[3], A[k.x], A[i+1] = function() end, function() end, function() end",
           "1 A[3] | 1 A[k.x] | 1 A[?]");
    expect("A['b c'] = function() end", "1 A[\"b c\"]");
    expect("A['end'] = function() end", "1 A[\"end\"]");
    expect("local a, b = 1, function() end", "1 b");
    expect("local a = 1, function() end", "1 anonymous");
    expect("A = A or function() end", "1 A");
    expect("f(x).y[2].z = function() end", "1 y[2].z");
}

Test(definitions, have_the_names_of_tables_around_them)
{
    expect("A = {b = function() end, t = {c = function() end}}", "1 A.b | 1 A.t.c");
    expect("A = Class(Base) {b = function() end}", "1 A.b");
    expect("A = Class(Base)({b = function() end})", "1 A.b");
    expect("A = setmetatable({b = function() end}, {})", "1 A.b");
    expect("A = {1, x, function() end, k = 1, function() end}", "1 A[3] | 1 A[4]");
    expect("A = {{b = function() end}}", "1 A[1].b");
    expect("A = {x = 1; [2] = function() end; y = x}", "1 A[2]");
    expect("return {b = function() end, function() end}", "1 b | 1 anonymous");
    expect("Call {b = function() end}", "1 b");
    expect("A = {Call {b = function() end}, f(function() end)}", "1 A[1].b | 1 f(function)");
    expect("A = {x == y, b = x, c = function() end}", "1 A.c");
}

Test(definitions, without_a_name_of_their_own_are_named_after_what_they_are_given_to)
{
    expect("Call(function() end)", "1 Call(function)");
    expect("a.b:Call(1, function() end)", "1 a.b:Call(function)");
    expect("x = Call(function() end)", "1 Call(function)");
    expect("return function() end", "1 anonymous");
    expect("x = (function() end)()", "1 anonymous");
    expect("x()(function() end)", "1 anonymous");
    expect("x():Then(function() end)", "1 Then(function)");
    expect("x = 1 .. y(function() end)", "1 y(function)");
    expect("x = 1 + function() end", "1 anonymous");
    expect("t[function() end] = 1", "1 anonymous");
    expect("if function() end then end", "1 anonymous");
}

Test(definitions, have_the_function_around_them_as_context)
{
    expect("function A:c() local function f() end end", "1 A.c | 1 f in A.c");
    expect("function A:c() F(function() return function() end end) end",
           "1 A.c | 1 F(function) in A.c | 1 anonymous in A.c");
    expect("function A:c() local function f() return function() end end end",
           "1 A.c | 1 f in A.c | 1 anonymous in f");
    expect("function A() end function B() end", "1 A | 1 B");
    expect("F(function() x = function() end end) y = function() end", "1 F(function) | 1 x | 1 y");
}

Test(definitions, lie_where_lua_says)
{
    expect("\nfunction\nf\n(\n) end", "2 f");
    expect("\nlocal\nfunction\nf\n(\n) end", "5 f");
    expect("f =\nfunction\n(\n) end", "3 f");
    expect("f = function --[[\n\n]] () end", "3 f");
    expect("-- x\r\nfunction f() end\r\nfunction g() end", "2 f | 3 g");
    expect("\r\r\rfunction f() end", "1 f");
    expect("\n\r\n\rfunction f() end", "3 f");
    expect("x = 'a\\\nb' function f() end", "2 f");
    expect("x = [[\n\n]] function f() end", "3 f");
    read_text("f = function()\nlocal x\nend g = function() end");
    cr_expect_eq(definitions.all[0].last_line, 3);
    cr_expect_eq(definitions.line_count, 2);
}

Test(definitions, are_none_in_comments_and_strings)
{
    expect("#!function a() end\nfunction b() end", "2 b");
    expect("-- function a() end", "");
    expect("x = 1 # function a() end\n", "");
    expect("--[[ a [[ b ]] function c() end ]] function d() end", "1 d");
    expect("--[=[ function a()\nfunction d() end", "2 d");
    expect("x = [[ [[ ]] function c() end ]] function d() end", "1 d");
    expect("x = [==[ ]] function c() end ]=] ]==] function d() end", "1 d");
    expect("x = t[ [[a]]] function f() end", "1 f");
}

Test(definitions, are_those_of_the_games_dialect)
{
    expect("for k, v in t do if k != v then continue end end function f() end", "1 f");
    expect("x = a ^ b & c | d << 2 >> 1 ~= 3 function f() end", "1 f");
    expect("x = a .. b, -c, not d, ... y = 0x1F, 1e+5, .5, 1., nil f = function(...) end", "1 f");
    expect("repeat local x = 1; until x while a do break end do end", "");
    expect("if a then elseif b then x() else y = {} end f'x' {1} (2) g[[x]]:h'y'", "");
}

Test(definitions, end_where_lua_does)
{
    static const struct broken_case {
        const char *source;
        size_t count;
        int32_t line;
    } cases[] = {
        {"function a() end\nend function b() end", 1, 2},
        {"function a()\n", 1, 2},
        {"function a() end\nx = 'y\nfunction b() end", 1, 2},
        {"function a() end x = [[", 1, 1},
        {"function a() end --[[\n", 1, 2},
        {"function a() end x = \1 function b() end", 1, 1},
        {"function a() end x y function b() end", 1, 1},
        {"function a() end x = = function() end", 1, 1},
        {"x = function y() end", 0, 1},
        {"function a() end x = function", 1, 1},
        {"x = {function() end", 1, 1},
        {"x = (1} function b() end", 0, 1},
        {"if x do end function b() end", 0, 1},
        {"repeat end function b() end", 0, 1},
        {"x.y:z = function() end", 0, 1},
        {"f() = function() end", 0, 1},
        {"a, f() = function() end", 0, 1},
        {"f(, function() end)", 0, 1},
        {"return , function() end", 0, 1},
        {"for in function() end do end", 0, 1},
        {"\xef\xbb", 0, 1},
        {"x = 1 \xef\xbb\xbf", 0, 1},
        {"t = {& a = function() end}", 0, 1},
        {"t = {&1, &8} function a() end", 0, 1},
        {"a = \"\\", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_text(cases[i].source);
        cr_expect_eq(definitions.count, cases[i].count, "%s: %zu", cases[i].source,
                     definitions.count);
        cr_expect_eq(definitions.error_line, cases[i].line, "%s: %d", cases[i].source,
                     definitions.error_line);
        for (size_t k = 0; k < definitions.count; k++)
            cr_expect_geq(definitions.all[k].last_line, definitions.all[k].line);
    }
}

static void read_repeated(const char *start, const char *part, size_t count, const char *end)
{
    struct text text = {0};
    text_put_string(&text, start);
    for (size_t i = 0; i < count; i++)
        text_put_string(&text, part);
    text_put_string(&text, end);
    definitions_release(&definitions);
    definitions_read(&definitions, text_span(&text));
    text_release(&text);
}

Test(definitions, after_a_byte_order_mark_are_read)
{
    expect("\xef\xbb\xbf"
           "function f()\nend",
           "1 f");
}

Test(definitions, after_the_sizes_of_a_table_are_read)
{
    expect("local t = {&1 &8}\nfunction f()\nend", "2 f");
    expect("t = {&15 &0 a = function()\nend}", "1 t.a");
}

Test(definitions, may_be_nested_and_repeated_a_million_times)
{
    enum { MILLION = 1000000 };
    read_repeated("", "f(function() ", MILLION, "");
    cr_expect_eq(definitions.error_line, 1);
    cr_expect_gt(definitions.count, 99);
    static const char *const brackets[] = {"x={", "x=(", "x[", "do ", "if a then ", "x=[[ [[ "};
    for (size_t i = 0; i < sizeof brackets / sizeof brackets[0]; i++) {
        read_repeated("", brackets[i], MILLION, "");
        cr_expect_eq(definitions.error_line, 1);
    }
    read_repeated("x={", "f=function()end,\n", MILLION, "}");
    cr_expect_eq(definitions.count, MILLION);
    cr_expect_eq(definitions.error_line, 0);
    read_repeated("if a then ", "elseif b then ", MILLION, "end");
    cr_expect_eq(definitions.error_line, 0);
}

Test(definitions, nested_as_deep_as_lua_allows_are_read)
{
    read_repeated("x = ", "{f = ", 199, "function() end");
    cr_expect_eq(definitions.count, 1);
    struct span name = intern_get(&definitions.texts, definitions.all[0].name);
    cr_expect_eq(name.length, 200);
    cr_expect(memcmp(name.at, "...f.f.", 6) == 0 || memcmp(name.at, "....f.", 6) == 0);
}

Test(definitions, are_read_to_255_levels_and_no_deeper)
{
    read_repeated("", "do ", 255, "f = 1\nend");
    cr_expect_eq(definitions.error_line, 2, "%d", definitions.error_line);
    read_repeated("", "do ", 256, "f = 1\nend");
    cr_expect_eq(definitions.error_line, 1, "%d", definitions.error_line);
}

Test(definitions, are_found_by_their_line)
{
    size_t count;
    read_text("function a() end\n\na = 1 b = function() end c = function() end\n");
    cr_expect_str_eq(
        intern_get(&definitions.texts, definitions_at(&definitions, 1, &count)->name).at, "a");
    cr_expect_eq(count, 1);
    definitions_at(&definitions, 2, &count);
    cr_expect_eq(count, 0);
    definitions_at(&definitions, 3, &count);
    cr_expect_eq(count, 2);
    definitions_at(&definitions, 4, &count);
    cr_expect_eq(count, 0);
}

static void read_file(const char *name, struct text *text)
{
    char path[512];
    snprintf(path, sizeof path, SUPPROF_FIXTURES "/lua-root/%s", name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    for (int c; (c = fgetc(file)) != EOF;)
        text_put(text, &(char){(char)c}, 1);
    fclose(file);
}

/* What the arrows in a fixture say, in the form of put_definitions(). */
static void put_arrows(struct text *text, const struct text *source)
{
    int32_t number = 1;
    for (size_t start = 0, end; start < source->length; start = end + 1, number++) {
        for (end = start; end < source->length && source->at[end] != '\n';)
            end++;
        char *line = mem_copy(source->at + start, end - start);
        line[strcspn(line, "\r")] = '\0';
        char *arrow = strstr(line, "-->");
        while (arrow != NULL) {
            char *name = arrow + strspn(arrow, "-> \t|");
            arrow = strstr(name, " | ");
            if (arrow != NULL)
                *arrow++ = '\0';
            text_put_string(text, text->length > 0 ? " | " : "");
            text_put_number(text, number);
            text_put_string(text, " ");
            text_put_string(text, name);
        }
        free(line);
    }
}

Test(definitions, of_real_looking_sources_are_where_the_arrows_point)
{
    static const char *const names[] = {"lua/sim/unit.lua", "lua/ai/AIUtilities.lua",
                                        "lua/decoys.lua", "units/UEL0301/UEL0301_script.lua",
                                        "mods/Threat/lua/threat.lua"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct text source = {0}, found = {0}, expected = {0};
        read_file(names[i], &source);
        definitions_release(&definitions);
        definitions_read(&definitions, text_span(&source));
        put_definitions(&found);
        put_arrows(&expected, &source);
        cr_expect_str_eq(text_string(&found), expected.at, "%s:\n%s\n%s", names[i], found.at,
                         expected.at);
        cr_expect_gt(definitions.count, 2);
        cr_expect_eq(definitions.error_line, 0);
        text_release(&source);
        text_release(&found);
        text_release(&expected);
    }
}
