#include "base/input.h"
#include "read/frames.h"
#include "tree/stacks.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct symbols symbols;
static struct frames frames;

static void set_up(void)
{
    frames.symbols = &symbols;
}

static void tear_down(void)
{
    frames_release(&frames);
    symbols_release(&symbols);
}

TestSuite(frames, .init = set_up, .fini = tear_down);

static struct span span(const char *text)
{
    return span_of(text);
}

/* Adds a frame under a text of its own; returns its id. */
static uint32_t add(const char *text, const char *source, int32_t line, const char *name,
                    int32_t current_line)
{
    struct grammar_frame parsed = {.source = span(source),
                                   .name = span(name),
                                   .line_defined = line,
                                   .current_line = current_line,
                                   .is_context_free = true};
    uint32_t id = frames_add(&frames, text, strlen(text), &parsed);
    frames.is_used[id] = true;
    return id;
}

static uint32_t vote(const char *text, const char *name, uint64_t calls)
{
    uint32_t id = add(text, "@a.lua", 5, name, 6);
    frames.frames[id].calls = calls;
    return frames.in_stacks[id].function;
}

static uint32_t function_of(const char *source)
{
    uint32_t id = add(source, source, 5, "f", 6);
    return frames.in_stacks[id].function;
}

Test(frames, of_one_file_in_any_spelling_are_one_function)
{
    static const char *const alike[] = {"@c:\\Lua\\a.lua", "@C:/lua//A.LUA", "@c:\\lua\\.\\a.lua",
                                        "@./c:/lua/./a.lua"};
    static const char *const others[] = {"@/c:/lua/a.lua", "@c:/lua/../a.lua", "@c:/lua/.a.lua",
                                         "=c:/lua/a.lua",  "c:/lua/a.lua",     "@",
                                         "@c:/lua/a.lua b"};
    uint32_t function = function_of("@c:/lua/a.lua");
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        cr_expect_eq(function_of(alike[i]), function, "%s", alike[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_neq(function_of(others[i]), function, "%s", others[i]);
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.functions[function].source).at,
                     "@c:/lua/a.lua");
}

/* Finds the one frame of a line in a row; INTERN_NONE: a row does not know it. */
static uint32_t find_in_row(const char *frame)
{
    char line[300 + READ_TAIL_BYTES];
    struct frame_row row;
    snprintf(line, sizeof line, "%s;1,2,t,f\n", frame);
    bool is_found = frames_find_row(&frames, line, &row);
    cr_expect(!is_found || (row.count == 1 && row.is_last && row.next == strchr(line, ';') + 1));
    return is_found ? row.ids[0] : INTERN_NONE;
}

/* More than a search by their ends looks at; what it does not find is found by the whole text. */
Test(frames, with_one_end_are_told_apart)
{
    char text[64], source[64];
    uint32_t ids[300];
    size_t found = 0;
    for (int i = 0; i < 300; i++) {
        snprintf(source, sizeof source, "@%03d/the/same/end.lua", i);
        snprintf(text, sizeof text, "@%03d/the/same/end.lua,5,f,6", i);
        ids[i] = add(text, source, 5, "f", 6);
    }
    for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "@%03d/the/same/end.lua,5,f,6", i);
        uint32_t in_row = find_in_row(text);
        cr_expect(in_row == ids[i] || in_row == INTERN_NONE);
        cr_expect_eq(frames_find(&frames, text, strlen(text)), ids[i]);
        found += in_row == ids[i];
        text[1] = 'x';
        cr_expect_eq(find_in_row(text), INTERN_NONE);
        cr_expect_eq(frames_find(&frames, text, strlen(text)), INTERN_NONE);
    }
    cr_expect(found > 0 && found < 300);
}

/* The start that most files have is skipped, whatever is in its place in others. */
Test(frames, of_most_lengths_are_found_in_rows)
{
    static const char *const starts[] = {"@c:/games/forged alliance/gamedata/lua/lua/sim/",
                                         "@c:/games/forged alliance/gamedata/lua/lua/ai/",
                                         "@c:/games/forged alliance/gamedatA/lua/lua/ai/", "@"};
    char source[128], text[256];
    uint32_t ids[4 * 60];
    for (int i = 0; i < 4 * 60; i++) {
        snprintf(source, sizeof source, "%s%.*d.lua", starts[i % 4], 1 + i / 4, i);
        snprintf(text, sizeof text, "%s,5,%.*s,6", source, i % 30,
                 "abcdefghijklmnopqrstuvwxyzabcd");
        ids[i] = add(text, source, 5, "f", 6);
    }
    for (int i = 0; i < 4 * 60; i++) {
        snprintf(text, sizeof text, "%s%.*d.lua,5,%.*s,6", starts[i % 4], 1 + i / 4, i, i % 30,
                 "abcdefghijklmnopqrstuvwxyzabcd");
        cr_expect_eq(find_in_row(text), ids[i], "%s", text);
        cr_expect_eq(frames_find(&frames, text, strlen(text)), ids[i], "%s", text);
    }
    cr_expect(frames.common_length > 0);
}

static void expect_name(uint32_t function, const char *name)
{
    frames_name_functions(&frames);
    symbols_name_functions(&symbols);
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.functions[function].name).at, name);
}

Test(frames, keeps_all_names_by_their_calls)
{
    char text[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%d", i);
        vote(text, i % 3 == 0 ? "rare" : i % 100 == 1 ? "?" : "often", 2);
    }
    frames_name_functions(&frames);
    symbols_name_functions(&symbols);
    cr_assert_eq(symbols.name_count, 3);
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.names[0].name).at, "often");
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.names[1].name).at, "rare");
    cr_expect_eq(symbols.names[1].calls, 2 * 334);
    cr_expect_str_eq(intern_get(&symbols.strings, symbols.names[2].name).at, "?");
}

Test(frames, takes_source_and_line_for_the_function)
{
    uint32_t a = add("1", "@a.lua", 5, "f", 6);
    uint32_t b = add("2", "@a.lua", 5, "g", 7);
    uint32_t c = add("3", "@a.lua", 8, "f", 9);
    cr_expect_eq(frames.in_stacks[a].function, frames.in_stacks[b].function);
    cr_expect_neq(frames.in_stacks[a].function, frames.in_stacks[c].function);
}

Test(frames, tells_c_functions_apart_by_name)
{
    uint32_t a = add("1", "=[C]", -1, "next", -1);
    uint32_t b = add("2", "=[C]", -1, "sort", -1);
    cr_expect_neq(frames.in_stacks[a].function, frames.in_stacks[b].function);
    cr_expect_eq(frames.in_stacks[a].call_line, LINE_UNKNOWN);
}

static void expect_call_line(const char *text, const char *source, int32_t line,
                             int32_t current_line, int32_t expected)
{
    uint32_t id = add(text, source, line, "f", current_line);
    cr_expect_eq(frames.in_stacks[id].call_line, expected, "%s", text);
}

Test(frames, reads_a_negative_line_as_a_tail_call)
{
    expect_call_line("1", "@a.lua", 5, -13, -13);
    expect_call_line("2", "@a.lua", 5, -1, LINE_TAIL_CALL);
    expect_call_line("3", "@a.lua", 5, 1, LINE_TAIL_CALL);
    expect_call_line("4", "@a.lua", 1, 1, 1);
    expect_call_line("5", "a chunk", 0, 1, 1);
}

Test(frames, finds_only_frames_that_read_alike_everywhere)
{
    struct grammar_frame parsed = {.source = span("chunk"), .name = span("f")};
    uint32_t id = frames_add(&frames, "x", 1, &parsed);
    cr_expect_eq(frames_find(&frames, "x", 1), INTERN_NONE);
    cr_expect_eq(frames_add(&frames, "x", 1, &parsed), id);
    uint32_t other = add("y", "@a.lua", 5, "f", 6);
    cr_expect_eq(frames_find(&frames, "y", 1), other);
}

Test(frames, names_a_function_as_most_calls_do)
{
    vote("1", "f", 2);
    vote("2", "Foo", 3);
    expect_name(vote("3", "f", 2), "f");
}

Test(frames, prefers_any_name_to_none)
{
    vote("1", "?", 100);
    vote("2", "", 100);
    expect_name(vote("3", "f", 0), "f");
}

Test(frames, takes_the_first_in_order_among_equals)
{
    vote("1", "b", 1);
    vote("2", "ab", 1);
    expect_name(vote("3", "abc", 1), "ab");
}

Test(frames, leaves_a_nameless_function_nameless)
{
    expect_name(vote("1", "?", 1), "?");
}

Test(frames, are_found_only_where_their_bytes_mean_them_everywhere)
{
    struct grammar_frame chunk = {.source = span("x=1"), .name = span("main")};
    uint32_t id = frames_add(&frames, "chunk", 5, &chunk);
    cr_expect_eq(frames_find(&frames, "chunk", 5), INTERN_NONE);
    cr_expect_eq(frames_add(&frames, "chunk", 5, &chunk), id);
}

Test(frames, are_found_again_after_the_table_has_grown)
{
    char text[16];
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%u", i);
        cr_expect_eq(add(text, "@a.lua", 5, "f", 6), i);
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_expect_eq(frames_find(&frames, text, (size_t)snprintf(text, sizeof text, "%u", i)), i);
    cr_expect_eq(frames_find(&frames, "1000", 4), INTERN_NONE);
}
