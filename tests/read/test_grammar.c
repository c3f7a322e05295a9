#include "read/grammar.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct grammar *grammar;

static void set_up(void)
{
    struct error err;
    grammar = grammar_new(&err);
    cr_assert_not_null(grammar);
}

static void tear_down(void)
{
    grammar_free(grammar);
}

TestSuite(grammar, .init = set_up, .fini = tear_down);

static struct span span(const char *text)
{
    return span_of(text);
}

static void expect_keyword(const char *text, enum grammar_keyword keyword, size_t after)
{
    size_t at, found_after = 0;
    cr_expect_eq(grammar_find_keyword(grammar, text, strlen(text), 0, true, &at, &found_after),
                 keyword, "%s", text);
    if (keyword != GRAMMAR_NOTHING)
        cr_expect_eq(found_after, after, "%s", text);
}

Test(grammar, finds_records_in_any_severity_and_letter_case)
{
    expect_keyword("info: prof: x", GRAMMAR_RECORD, 12);
    expect_keyword("  INFO: prof: x", GRAMMAR_RECORD, 14);
    expect_keyword("Warning: prof: x", GRAMMAR_RECORD, 15);
    expect_keyword("debug: prof: x", GRAMMAR_RECORD, 13);
    expect_keyword("prof: x", GRAMMAR_RECORD, 6);
    expect_keyword("a\nprof: x", GRAMMAR_RECORD, 8);
    expect_keyword("[12:00] info: prof: x", GRAMMAR_RECORD, 20);
    expect_keyword("info: a\r\ninfo: prof: x", GRAMMAR_RECORD, 21);
}

Test(grammar, takes_decoys_for_what_they_are)
{
    expect_keyword("info: prof is not a profiler line; 1,2,t,f", GRAMMAR_NOTHING, 0);
    expect_keyword("info: prof:x;1,2,t,f", GRAMMAR_NOTHING, 0);
    expect_keyword("info: myprof: x;1,2,t,f", GRAMMAR_NOTHING, 0);
    expect_keyword("info:  prof: x;1,2,t,f", GRAMMAR_NOTHING, 0);
    expect_keyword("info: Prof: x;1,2,t,f", GRAMMAR_NOTHING, 0);
    expect_keyword("info: Stopping profiler", GRAMMAR_NOTHING, 0);
    expect_keyword("I said: Starting profiler", GRAMMAR_NOTHING, 0);
    expect_keyword("", GRAMMAR_NOTHING, 0);
}

Test(grammar, finds_the_start_of_a_run)
{
    expect_keyword("INFO: Starting profiler", GRAMMAR_RECORDING_START, 23);
}

static const char benchmark_line[] = "info: benchmark started at: 600s, duration: 599.5s, "
                                     "measured wallclock time: 312.25s";

Test(grammar, finds_benchmarks)
{
    expect_keyword(benchmark_line, GRAMMAR_BENCHMARK, sizeof benchmark_line - 8);
    expect_keyword("info: measured wallclock time: \"..difference", GRAMMAR_NOTHING, 0);
    expect_keyword("info: wallclock time: 3s", GRAMMAR_NOTHING, 0);
}

Test(grammar, reads_benchmarks)
{
    struct benchmark benchmark;
    cr_assert(grammar_benchmark(grammar, FIELDS_WALLCLOCK, span(benchmark_line), &benchmark));
    cr_expect_eq(benchmark.from_ns, 600000000000);
    cr_expect_eq(benchmark.to_ns, 1199500000000);
    cr_expect_eq(benchmark.time_ns, 312250000000);
    cr_expect(grammar_benchmark(grammar, FIELDS_WALLCLOCK,
                                span("  INFO: benchmark started at: 60s, duration: 6e+001s, "
                                     "measured wallclock time: 0.5s \r"),
                                &benchmark));
    static const char *const others[] = {
        "benchmark started at: 1s, duration: 2s, measured wallclock time: 3s",
        "info: a benchmark started at: 1s, duration: 2s, measured wallclock time: 3s",
        "info: benchmark started at: 1s, duration: 2s, measured wallclock time: 3",
        "info: benchmark started at: 1s, duration: 2s, measured wallclock time: 3s.",
        "info: benchmark started at: 1s, duration: twos, measured wallclock time: 3s",
        "info: benchmark started at: 1s, duration: 2s, measured wallclock time: 1.#INFs",
        "info: benchmark started at: 1s, duration: 99999999s, measured wallclock time: 3s"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_not(grammar_benchmark(grammar, FIELDS_WALLCLOCK, span(others[i]), &benchmark),
                      "%s", others[i]);
}

Test(grammar, does_not_take_the_front_of_a_block_for_a_line_start)
{
    size_t at, after;
    cr_expect_eq(grammar_find_keyword(grammar, "prof: x", 7, 0, false, &at, &after),
                 GRAMMAR_NOTHING);
}

Test(grammar, reads_hooks)
{
    static const struct {
        const char *line;
        size_t base_length, file_length; /* 0: it is not a hook */
    } cases[] = {
        {"info: Hooked /lua/a.lua with /mods/y/hook/lua/a.lua", 10, 22},
        {" INFO: Hooked /a with b.lua with /c d.lua\r", 13, 8},
        {"warning: Hooked /a.lua with /b.lua", 0, 0},
        {"info: LOG: Hooked /a.lua with /b.lua", 0, 0},
        {"info: Hooked a.lua with /b.lua", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct span fields[GRAMMAR_FIELDS_MAX] = {{"", 0}};
        size_t at, after;
        bool is_hook = cases[i].base_length > 0;
        struct span line = span(cases[i].line);
        cr_expect_eq(grammar_fields(grammar, FIELDS_HOOK, line, fields), is_hook, "%s",
                     cases[i].line);
        cr_expect_eq(fields[0].length, cases[i].base_length, "%s", cases[i].line);
        cr_expect_eq(fields[1].length, cases[i].file_length, "%s", cases[i].line);
        cr_expect_eq(grammar_find_keyword(grammar, line.at, line.length, 0, true, &at, &after),
                     is_hook ? GRAMMAR_HOOK : GRAMMAR_NOTHING, "%s", cases[i].line);
    }
}

Test(grammar, reads_mounts)
{
    const char *text = "info: DISK: AddSearchPath: 'c:\\a b', mounted as '/lua/'\n";
    struct span directory, mount_point;
    size_t from = 0;
    cr_assert(grammar_find_mount(grammar, text, strlen(text), &from, &directory, &mount_point));
    cr_expect_eq(directory.length, 6);
    cr_expect_eq(mount_point.length, 5);
    cr_expect_not(grammar_find_mount(grammar, text, strlen(text), &from, &directory, &mount_point));
}

Test(grammar, knows_which_lines_continue_a_record)
{
    static const struct {
        const char *line;
        bool continues;
        size_t text_start;
    } cases[] = {
        {"      for i = 1", true, 6},
        {"        for i = 1", true, 6},
        {"info:   for i = 1", true, 6},
        {"INFO: x", true, 6},
        {"   x", true, 3},
        {"", true, 0},
        {"warning: x", false, 0},
        {"debug: x", false, 0},
        {"\tx", true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t start = 0;
        cr_expect_eq(grammar_continues(grammar, span(cases[i].line), 6, &start), cases[i].continues,
                     "%s", cases[i].line);
        if (cases[i].continues)
            cr_expect_eq(start, cases[i].text_start, "%s", cases[i].line);
    }
}

Test(grammar, reads_the_end_of_a_record)
{
    struct stack totals;
    size_t stack_length;
    cr_assert(grammar_totals(grammar, span("@a.lua,1,f,2;3,0.5,t,f \r"), &stack_length, &totals));
    cr_expect_eq(stack_length, 12);
    cr_expect_eq(totals.calls, 3);
    cr_expect_eq(totals.total_ns, 500000000);
    cr_expect(totals.has_time && totals.on_main && !totals.on_coroutine);

    cr_assert(grammar_totals(grammar, span("x;3,1.#INF,f,t"), &stack_length, &totals));
    cr_expect(!totals.has_time && totals.total_ns == 0 && totals.on_coroutine);
    static const char *const without_time[] = {"x;3,-1.#IND,f,t", "x;3,-nan(ind),f,t",
                                               "x;3,inf,f,t", "x;3,1.#QNAN0,f,t", "x;3,2e9,f,t"};
    for (size_t i = 0; i < sizeof without_time / sizeof without_time[0]; i++)
        cr_expect(grammar_totals(grammar, span(without_time[i]), &stack_length, &totals) &&
                      !totals.has_time,
                  "%s", without_time[i]);
}

Test(grammar, finds_no_end_in_a_cut_record)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "x;3,0.5,t",
                                        "x;3,0.5,t,",
                                        "x;3,0.5,t,g",
                                        "x;3,0.5",
                                        "x;,0,t,f",
                                        "x;3,0,t,fx",
                                        "x; 1,2,t,f",
                                        "x;1,2,t,f;y",
                                        "x;-1,2,t,f",
                                        "x;1,2,t,f,t,f",
                                        "x;1,,t,f",
                                        "x;1,0.0x5,t,f",
                                        "x;1,--1,t,f",
                                        "x;1,1 2,t,f",
                                        "x;1,0x1p3,t,f"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct stack totals;
        size_t stack_length;
        cr_expect_not(grammar_totals(grammar, span(texts[i]), &stack_length, &totals), "'%s'",
                      texts[i]);
    }
}

/* A stack and the frames it is made of, written as "source|line|name|line" joined by " + ". */
struct stack_case {
    const char *stack;
    const char *frames; /* NULL: damaged */
};

static const struct stack_case stack_cases[] = {
    {"@c:\\a.lua,1,f,2", "@c:\\a.lua|1|f|2"},
    {"@c:\\a.lua,1,f,-2;=[C],-1,next,-1", "@c:\\a.lua|1|f|-2 + =[C]|-1|next|-1"},
    {"@a.lua,1,?,2;=(tail call),-1,,-1;@B.LUA,3,,4",
     "@a.lua|1|?|2 + =(tail call)|-1||-1 + @B.LUA|3||4"},
    /* `,` and `;` in an install path. */
    {"@d:\\x; y, 2007\\sup,com;fa\\a.lua,1,f,2;@d:\\x; y, 2007\\sup,com;fa\\b.lua,3,g,4",
     "@d:\\x; y, 2007\\sup,com;fa\\a.lua|1|f|2 + @d:\\x; y, 2007\\sup,com;fa\\b.lua|3|g|4"},
    /* A directory that looks like the end of a frame. */
    {"@d:\\x,1,y,2;z\\a.lua,3,F,4", "@d:\\x,1,y,2;z\\a.lua|3|F|4"},
    /* Other suffixes, and a blueprint. */
    {"@d:\\noext,1,y,2;@d:\\unit.bp,3,F,4", "@d:\\noext|1|y|2 + @d:\\unit.bp|3|F|4"},
    /* Chunks: raw text with anything in it. */
    {"local a, b = 1, 2;\nreturn f(a), 'x,y;z',0,f,2;@a.lua,1,g,2",
     "local a, b = 1, 2;\nreturn f(a), 'x,y;z'|0|f|2 + @a.lua|1|g|2"},
    {"local a,b,c,d = 0,1,c,2; foo(),0,?,1", "local a,b,c,d = 0,1,c,2; foo()|0|?|1"},
    {"x=1;y=2,0,?,1;x=1;y=2,1,Foo,1;=[C],-1,next,-1",
     "x=1;y=2|0|?|1 + x=1;y=2|1|Foo|1 + =[C]|-1|next|-1"},
    {"chunk one,0,?,1;chunk two,0,?,1", "chunk one|0|?|1 + chunk two|0|?|1"},
    {"@a.lua,1,f,2;return 1,0,f,1;@b.lua,1,g,2", "@a.lua|1|f|2 + return 1|0|f|1 + @b.lua|1|g|2"},
    {"?,-1,?,-1;@a.lua,1,f,2", "?|-1|?|-1 + @a.lua|1|f|2"},
    /* Names may be any string constant. */
    {"@a.lua,5,a,b,7;@b.lua,6,G,7", "@a.lua|5|a,b|7 + @b.lua|6|G|7"},
    {"@a.lua,5,a;b,7;@b.lua,6,G,7", "@a.lua|5|a;b|7 + @b.lua|6|G|7"},
    {"=[C],-1,x,y,-1;@b.lua,6,G,7", "=[C]|-1|x,y|-1 + @b.lua|6|G|7"},
    {"@a.lua,5,12,7", "@a.lua|5|12|7"},
    /* Damage. */
    {"", NULL},
    {"@a.lua", NULL},
    {"@a.lua,1,f", NULL},
    {"@a.lua,1,f,2;", NULL},
    {";@a.lua,1,f,2", NULL},
    {"@a.lua,x,f,2", NULL},
    {"@a.lua,1,f,x", NULL},
    {"@a.lua,1,f,2;;@b.lua,1,f,2", NULL},
    {"@a.lua,1,f;@b.lua,1,g,2", NULL},
    {"@c:\\a;@c:\\b.lua,1,g,2", NULL},
    {"@c:\\a.l\nua.lua,1,g,2", NULL},
    {"@a.lua,99999999999,f,2", NULL},
    {"@a.lua,1,f,9999999999", NULL},
    {",1,f,2", NULL},
    {"@a.lua,12,info: prof: @c.lua,5,F,7", NULL},
    {"@c:\\a.lua,10,Run,-157@c:\\b.lua,30,Sub,31", NULL},
    {"@a.lua,1,A,2@b.lua,3,B,4", NULL},
    {"LOG(1),0INFO: prof: @c:\\z.lua,10,Zed,15", NULL},
};

/* Writes the frames of a stack as above; NULL when it is damaged. */
static const char *describe(struct span stack, char *text, size_t size)
{
    size_t length = 0, work_left = grammar_work(stack);
    for (size_t from = 0; from <= stack.length;) {
        struct grammar_frame frame;
        if (!grammar_frame(grammar, stack, from, &work_left, &frame))
            return NULL;
        length += (size_t)snprintf(text + length, size - length, "%s%.*s|%d|%.*s|%d",
                                   from > 0 ? " + " : "", (int)frame.source.length, frame.source.at,
                                   (int)frame.line_defined, (int)frame.name.length, frame.name.at,
                                   (int)frame.current_line);
        from = frame.end + 1;
    }
    return text;
}

Test(grammar, cuts_stacks_into_frames)
{
    for (size_t i = 0; i < sizeof stack_cases / sizeof stack_cases[0]; i++) {
        char text[1024];
        const char *frames = describe(span(stack_cases[i].stack), text, sizeof text);
        if (stack_cases[i].frames == NULL)
            cr_expect_null(frames, "%s", stack_cases[i].stack);
        else
            cr_expect(frames != NULL && strcmp(frames, stack_cases[i].frames) == 0, "%s: %s",
                      stack_cases[i].stack, frames == NULL ? "damaged" : frames);
    }
}

Test(grammar, calls_context_free_only_what_reads_alike_everywhere)
{
    static const struct {
        const char *stack;
        bool is_context_free;
    } cases[] = {{"@a.lua,1,f,2", true},          {"=[C],-1,f,-1", true},
                 {"@d:\\x;y\\a.lua,1,f,2", true}, {"return 1,0,f,2", false},
                 {"@noext,1,f,2", false},         {"@a.lua,1,x;y,2", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grammar_frame frame;
        size_t work_left = grammar_work(span(cases[i].stack));
        cr_assert(grammar_frame(grammar, span(cases[i].stack), 0, &work_left, &frame));
        cr_expect_eq(frame.is_context_free, cases[i].is_context_free, "%s", cases[i].stack);
    }
}

Test(grammar, gives_up_on_a_frame_in_linear_time, .timeout = 300)
{
    static const char piece[] = ".lua,1,x";
    size_t count = 400000, length = strlen(piece);
    char *stack = malloc(count * length + 1);
    stack[0] = '@';
    for (size_t i = 0; i < count; i++)
        memcpy(stack + 1 + i * length, piece, length);
    struct grammar_frame frame;
    struct span all = {stack, count * length + 1};
    size_t work_left = grammar_work(all);
    cr_expect_not(grammar_frame(grammar, all, 0, &work_left, &frame));
    free(stack);
}

/* Returns how many frames a stack of `count` numbered pieces and an end has, and what is left. */
static size_t count_frames(const char *start, const char *rest, size_t count, const char *end,
                           size_t *work_left)
{
    size_t capacity = (strlen(start) + strlen(rest) + 20) * count + strlen(end) + 1;
    char *text = malloc(capacity);
    size_t length = 0, frames = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, capacity - length, "%s%zu%s", start, i, rest);
    length += (size_t)snprintf(text + length, capacity - length, "%s", end);
    struct span stack = {text, length};
    struct grammar_frame frame;
    *work_left = grammar_work(stack);
    for (size_t from = 0; from <= length && grammar_frame(grammar, stack, from, work_left, &frame);
         from = frame.end + 1)
        frames++;
    free(text);
    return frames;
}

Test(grammar, reads_many_paths_with_semicolons_in_names_in_linear_time, .timeout = 300)
{
    size_t work_left;
    cr_expect_eq(count_frames("@a", ".lua,1,f;g,1;", 100000, "@a.lua,1,f,1", &work_left), 100001);
    cr_expect_gt(work_left, 0);
}

Test(grammar, gives_up_on_a_stack_of_chunks_that_takes_quadratic_time, .timeout = 300)
{
    static const char end[] = "a.lua,1,f;g,1;@c:\\a.lua,1,f,1";
    size_t work_left;
    cr_expect_eq(count_frames("a", ".lua,1,f;g,1;b,1,g,1;", 20, end, &work_left), 22);
    cr_expect_lt(count_frames("a", ".lua,1,f;g,1;b,1,g,1;", 50000, end, &work_left), 50002);
    cr_expect_eq(work_left, 0);
}

Test(grammar, reads_lines_of_the_recorder)
{
    struct grammar_recorder_line line;
    cr_assert(grammar_recorder_line(grammar, span("$2 s1 17 events 3 0.5 0 A.B."), &line));
    cr_expect_eq(line.version, 2);
    cr_expect_eq(line.number, 17);
    cr_expect_eq(line.run.length, 2);
    cr_expect_eq(line.kind.length, 6);
    cr_expect_eq(line.text.length, strlen("3 0.5 0 A.B."));
    cr_assert(grammar_recorder_line(grammar, span("$3 u2 1 end"), &line));
    cr_expect_eq(line.text.length, 0);
    static const char *const others[] = {"", "$", "$2", "$x s1 1 end", "$2 s1 x end", "@a.lua,1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_not(grammar_recorder_line(grammar, span(others[i]), &line), "%s", others[i]);
}

Test(grammar, reads_a_chunk_of_a_megabyte)
{
    size_t size = 1000000;
    char *stack = malloc(size + 16);
    memset(stack, 'x', size);
    memcpy(stack + size, ",0,f,2", 6);
    struct grammar_frame frame;
    size_t work_left = grammar_work((struct span){stack, size + 6});
    cr_assert(grammar_frame(grammar, (struct span){stack, size + 6}, 0, &work_left, &frame));
    cr_expect_eq(frame.source.length, size);
    free(stack);
}
