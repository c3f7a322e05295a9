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
    frames.frames[id].is_used = true;
    return id;
}

static uint32_t vote(const char *text, const char *name, uint64_t calls)
{
    uint32_t id = add(text, "@a.lua", 5, name, 6);
    frames.frames[id].calls = calls;
    return frames.in_stacks[id].function;
}

static void expect_name(uint32_t function, const char *name)
{
    frames_name_functions(&frames);
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

/* Looks for a row in a line, which must have these ids. Returns it. */
static struct frame_row expect_row(const char *line, size_t from, const uint32_t *ids, size_t count)
{
    struct frame_row row = {0};
    char text[8 * FRAMES_ROW_MAX + READ_TAIL_BYTES];
    memset(text, ';', sizeof text);
    memcpy(text, line, strlen(line));
    cr_assert(frames_find_row(&frames, text, from, &row), "%s", line);
    cr_assert_eq(row.count, count, "%s: %zu", line, row.count);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(row.ids[i], ids[i], "%s", line);
    return row;
}

static void expect_no_row(const char *line, size_t from)
{
    struct frame_row row;
    char text[128 + READ_TAIL_BYTES] = {0};
    memcpy(text, line, strlen(line));
    cr_expect(!frames_find_row(&frames, text, from, &row), "%s", line);
}

Test(frames, are_found_in_rows_if_all_are_known)
{
    expect_no_row("a;b\n", 0);
    uint32_t a = add("a", "@a.lua", 5, "f", 6);
    uint32_t b = add("bb", "@a.lua", 8, "g", 9);
    struct frame_row row = expect_row("a;bb;a;1,1,t,f\na;a\n", 0, (uint32_t[]){a, b, a}, 3);
    cr_expect(row.is_last);
    cr_expect_eq(row.next, strlen("a;bb;a;"));
    cr_expect_eq(row.line_end, strlen("a;bb;a;1,1,t,f"));
    expect_row("x;a;bb;\n", 2, (uint32_t[]){a, b}, 2);
    expect_row("x\n", 0, NULL, 0);
    expect_no_row("a;bb;a;x;a;\n", 0);
    expect_no_row("ab;\n", 0);
    expect_no_row(";\n", 0);
}

Test(frames, are_found_in_rows_of_a_limited_length)
{
    uint32_t a = add("a", "@a.lua", 5, "f", 6);
    uint32_t ids[FRAMES_ROW_MAX];
    char line[2 * (FRAMES_ROW_MAX + 5) + 2];
    for (size_t i = 0; i < FRAMES_ROW_MAX; i++)
        ids[i] = a;
    for (size_t i = 0; i < sizeof line; i++)
        line[i] = i % 2 == 0 ? 'a' : ';';
    memcpy(line + sizeof line - 2, "\n", 2);
    struct frame_row row = expect_row(line, 0, ids, FRAMES_ROW_MAX);
    cr_expect(!row.is_last);
    cr_expect_eq(row.next, 2 * FRAMES_ROW_MAX);
    row = expect_row(line, row.next, ids, 5);
    cr_expect(row.is_last);
    cr_expect_eq(row.line_end, sizeof line - 2);
}

Test(frames, are_found_only_where_their_bytes_mean_them_everywhere)
{
    struct grammar_frame chunk = {.source = span("x=1"), .name = span("main")};
    uint32_t id = frames_add(&frames, "chunk", 5, &chunk);
    cr_expect_eq(frames_find(&frames, "chunk", 5), INTERN_NONE);
    expect_no_row("chunk;\n", 0);
    cr_expect_eq(frames_add(&frames, "chunk", 5, &chunk), id);
}

/* The start that most have in common is chosen when the table grows, and differs then. */
Test(frames, are_found_whatever_start_they_have_in_common)
{
    static const char *const starts[] = {
        "@c:\\games\\supreme commander forged alliance\\lua\\a.lua,",
        "@c:\\games\\supreme commander forged alliance\\lua\\",
        "@c:\\games\\supreme commander;forged alliance\\lua\\", "@x"};
    enum { STARTS = sizeof starts / sizeof starts[0], COUNT = 800 };
    char text[128 + READ_TAIL_BYTES];
    for (uint32_t i = 0; i < COUNT; i++) {
        size_t length = (size_t)sprintf(text, "%s%u", starts[i % 7 % STARTS], i);
        cr_assert_eq(add(text, "@a.lua", 5, "f", 6), i);
        cr_assert_eq(frames_find(&frames, text, length), i, "%s", text);
    }
    cr_expect_eq(frames.common_length, 32);
    for (uint32_t i = 0; i < COUNT; i++) {
        const char *start = starts[i % 7 % STARTS];
        size_t length = (size_t)sprintf(text, "%s%u", start, i);
        cr_expect_eq(frames_find(&frames, text, length), i, "%s", text);
        for (size_t other = 0; other < strlen(start); other++) {
            text[other] ^= 1;
            cr_expect_eq(frames_find(&frames, text, length), INTERN_NONE, "%s", text);
            text[other] ^= 1;
        }
        if (strchr(text, ';') != NULL)
            continue;
        strcpy(text + length, ";1,1,t,f\n");
        expect_row(text, 0, (uint32_t[]){i}, 1);
        text[length / 2] ^= 1;
        expect_no_row(text, 0);
    }
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
