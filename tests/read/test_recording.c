#include "read/recording.h"
#include "rebuild/event_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct grammar *grammar;
static struct symbols symbols;
static struct recordings recordings;
static struct events events;
static struct error err;
static uint32_t run_count;

static void set_up(void)
{
    grammar = grammar_new(&err);
    cr_assert_not_null(grammar);
    recordings_init(&recordings, grammar, &symbols);
}

static void tear_down(void)
{
    free(events.at);
    recordings_release(&recordings);
    symbols_release(&symbols);
    grammar_free(grammar);
}

TestSuite(recording, .init = set_up, .fini = tear_down);

static struct grammar_recorder_line parse(const char *text)
{
    struct grammar_recorder_line line;
    cr_assert(grammar_recorder_line(grammar, span_of(text), &line), "%s", text);
    return line;
}

/* Reads a line, and numbers its run as profile.c does. */
static bool feed_line(const char *text, bool is_cut)
{
    struct grammar_recorder_line line = parse(text);
    struct line_owner owner = recordings_find_owner(&recordings, &line);
    owner.run = owner.begins_one ? ++run_count : owner.run;
    return recordings_read(&recordings, &line, owner, is_cut, &events, &err);
}

static void feed(const char *text)
{
    cr_expect(feed_line(text, false), "%s: %s", text, err.text);
}

static void feed_all(const char *const *lines)
{
    for (; *lines != NULL; lines++)
        feed(*lines);
}

#define FEED(...) feed_all((const char *const[]){__VA_ARGS__, NULL})

static void expect_refused(const char *text, const char *message)
{
    cr_expect_not(feed_line(text, false), "%s", text);
    cr_expect_str_eq(err.text, message);
}

static void expect_cut(const char *text, const char *message)
{
    cr_expect_not(feed_line(text, true), "%s", text);
    cr_expect_str_eq(err.text, message);
}

/* Compares the events since the last time. */
static void expect_events(const char *expected)
{
    char *found = events_describe(&events);
    cr_expect_str_eq(found, expected, "\n  found    %s\n  expected %s", found, expected);
    free(found);
    events.count = 0;
    recordings.last = (struct last_line){0};
}

static void forget_events(void)
{
    events.count = 0;
    recordings.last = (struct last_line){0};
}

static void expect_text(uint32_t string, const char *expected)
{
    struct span found = intern_get(&symbols.strings, string);
    cr_expect_str_eq(found.at, expected);
    cr_expect_eq(found.length, strlen(expected));
}

static void expect_function(uint32_t function, const char *source, int32_t line, const char *name)
{
    cr_assert_lt(function, symbols.function_count);
    symbols_name_functions(&symbols);
    recordings_finish(&recordings);
    expect_text(symbols.functions[function].source, source);
    cr_expect_eq(symbols.functions[function].line, line);
    expect_text(symbols.functions[function].name, name);
}

/* A run with a Lua function F and a C function next; sites A (root F), B (next), C (F). */
static void begin_small_run(void)
{
    FEED("$2 s1 1 begin version=1 state=sim unit=0.001", "$2 s1 2 source 1 @c:\\092a.lua",
         "$2 s1 3 source 2 =[C]", "$2 s1 4 function 3 1 12 F", "$2 s1 5 function 4 2 -1 next",
         "$2 s1 6 site 0 3,-2", "$2 s1 7 site 1 4,15", "$2 s1 8 site 2 3,20",
         "$2 s1 9 thread 0 main", "$2 s1 10 thread 1 coroutine");
    forget_events();
}

/* ------------------------------------------------------------------------ begin */

Test(recording, begins_with_what_the_recorder_says_of_itself)
{
    feed("$2 s1 1 begin version=1 state=sim clock=GetSystemTime at=3600.5 step=0.000244140625 "
         "unit=0.000244140625 tick=30 time=3.1 marks=yes memory=yes calibration=20 calibrator=1 "
         "lua_call=1.5e-08 c_call=2e-008 next_call=2.5e-08");
    expect_events("run(0) begin(0){244140.625,15,20,25,3.1,30,marks}");
    cr_assert_eq(recordings.count, 1);
    const struct recording *recording = &recordings.all[0];
    cr_expect(recording->is_sim && recording->has_begin && recording->has_resumes &&
              recording->has_memory && !recording->has_end);
    cr_expect_eq(recording->run, 1);
    cr_expect_eq(recording->lines, 1);
    cr_expect_eq(recording->unit_ns, 244140.625);
    cr_expect_float_eq(recording->step_ns, 244140.625, 1);
    expect_text(recording->clock, "GetSystemTime");
}

Test(recording, takes_keys_it_knows_in_any_order_and_skips_others)
{
    feed("$2 u3 1 begin colour=blue tick=7  marks=no unit=0.5 xtick=9 time= =3 c_call lua_call=1");
    expect_events("run(0) begin(0){500000000,1000000000,?,?,?,7}");
    cr_expect_not(recordings.all[0].is_sim);
    expect_text(recordings.all[0].clock, "");
}

Test(recording, takes_question_marks_for_what_is_not_known)
{
    feed("$2 s1 1 begin version=1 state=sim clock=os.clock at=0 step=? unit=0.0009765625 tick=? "
         "time=? marks=? memory=? calibrator=? lua_call=? c_call=? next_call=?");
    expect_events("run(0) begin(0){976562.5,?,?,?,?,?}");
    cr_expect_eq(recordings.all[0].step_ns, 0);
}

Test(recording, has_a_power_of_two_as_unit_where_the_digits_mean_one)
{
    static const struct {
        const char *unit;
        double unit_ns;
    } units[] = {
        {"9.53674316e-07", 1e9 / 1048576},
        {"9.53674316e-007", 1e9 / 1048576},
        {"1.90734863e-06", 2e9 / 1048576},
        {"0.000244140625", 1e9 / 4096},
        {"6.10351562e-05", 1e9 / 16384},
        {"1", 1e9},
        {"0.001", 1e6},
        /* Nonsense: the usual one. */
        {"", 1e9 / 1048576},
        {"0", 1e9 / 1048576},
        {"-1", 1e9 / 1048576},
        {"nan", 1e9 / 1048576},
        {"inf", 1e9 / 1048576},
        {"1e300", 1e9 / 1048576},
        {"?", 1e9 / 1048576},
        {"0.00000000000000000000000000000000001", 1e9 / 1048576},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "$2 s%zu 1 begin unit=%s", i + 1, units[i].unit);
        feed(line);
        cr_expect_float_eq(recordings.all[i].unit_ns, units[i].unit_ns, 1e-9, "%s: %.17g",
                           units[i].unit, recordings.all[i].unit_ns);
    }
}

Test(recording, that_lost_its_begin_has_the_usual_unit)
{
    feed("$2 s1 4 source 1 @a.lua");
    cr_assert_eq(recordings.count, 1);
    cr_expect_eq(recordings.all[0].missing_lines, 3);
    cr_expect_eq(recordings.all[0].unit_ns, 1e9 / 1048576);
    cr_expect_not(recordings.all[0].has_begin);
}

/* ------------------------------------------------------------------ definitions */

Test(recording, numbers_what_is_defined_from_0)
{
    FEED("$2 s1 1 begin calibrator=90 unit=0.5", "$2 s1 2 source 70 @a.lua",
         "$2 s1 3 source 5 =[C]", "$2 s1 4 function 90 70 12 calibrate",
         "$2 s1 5 function 80 5 -1 next", "$2 s1 6 site 44 80,3", "$2 s1 7 site 0 90,-2",
         "$2 s1 8 thread 9 main", "$2 s1 9 thread 2 coroutine");
    expect_events("run(0) begin(0){500000000,?,?,?,?,?} function(0){1,lua,calibrates} "
                  "function(1){2,iterator} site(0){1,3} site(1){0,-2} coroutine(1)");
    feed("$2 s1 10 events 9 0.5 0 @9A.@2As.^80.");
    expect_events("thread(0) root(1) return thread(1) call(0) return other(1)");
    expect_function(0, SYMBOLS_RECORDER, -1, "");
    expect_function(1, "@a.lua", 12, "calibrate");
    expect_function(2, "=[C]", -1, "next");
}

Test(recording, undoes_escapes_in_sources_and_names)
{
    static const struct {
        const char *escaped, *plain;
    } texts[] = {
        {"@c:\\092a b\\092x.lua", "@c:\\a b\\x.lua"},
        {"return 1\\010return\\0092", "return 1\nreturn\t2"},
        {"100\\037", "100%"},
        {"\\228\\255\\128", "\xe4\xff\x80"},
        /* What is no escape stays. */
        {"\\256", "\\256"},
        {"\\999x", "\\999x"},
        {"\\12", "\\12"},
        {"\\1a2", "\\1a2"},
        {"a\\", "a\\"},
        {"\\09", "\\09"},
        {"\\\\092", "\\\\"},
        {"", ""},
        {"  two  blanks ", "  two  blanks "},
        {"a,b;c", "a,b;c"},
    };
    feed("$2 s1 1 begin");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "$2 s1 %zu source %zu %s", 2 + 2 * i, 1 + i, texts[i].escaped);
        feed(line);
        snprintf(line, sizeof line, "$2 s1 %zu function %zu %zu -1 %s", 3 + 2 * i, i, 1 + i,
                 texts[i].escaped);
        feed(line);
        expect_function((uint32_t)i, texts[i].plain, -1, texts[i].plain);
    }
}

Test(recording, keeps_a_nul_that_was_escaped)
{
    FEED("$2 s1 1 begin", "$2 s1 2 source 1 a\\000b");
    cr_expect_neq(intern_find(&symbols.strings, "a\0b", 3), INTERN_NONE);
}

Test(recording, tells_functions_that_suspend_their_thread_by_name)
{
    static const char *const names[] = {"WaitTicks", "WaitFor",         "WaitSeconds",
                                        "yield",     "coroutine.yield", "SuspendCurrentThread"};
    FEED("$2 s1 1 begin", "$2 s1 2 source 1 =[C]", "$2 s1 3 source 2 @a.lua");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[128], expected[64];
        forget_events();
        snprintf(line, sizeof line, "$2 s1 %zu function %zu 1 -1 %s", 4 + i, i, names[i]);
        feed(line);
        snprintf(expected, sizeof expected, "function(%zu){%zu,suspends}", i, i);
        expect_events(expected);
    }
    /* Lua functions do not, whatever they are called. */
    FEED("$2 s1 10 function 10 2 7 WaitSeconds", "$2 s1 11 function 11 1 -1 Wait");
    expect_events("function(6){6,lua} function(7){7}");
}

Test(recording, names_functions_when_their_name_is_known)
{
    FEED("$2 s1 1 begin", "$2 s1 2 source 1 @a.lua", "$2 s1 3 function 1 1 5 ?",
         "$2 s1 4 function 2 1 9 ?", "$2 s1 5 function 3 1 11 Named", "$2 s1 6 name 1 Run\\032fast",
         "$2 s1 7 name 3 Other", "$2 s1 8 name 77 Nobody");
    expect_function(0, "@a.lua", 5, "Run fast");
    expect_function(1, "@a.lua", 9, "?");
    expect_function(2, "@a.lua", 11, "Named");
}

Test(recording, takes_the_name_that_most_runs_give)
{
    FEED("$2 s1 1 begin", "$2 s1 2 source 1 @a.lua", "$2 s1 3 function 1 1 5 Alias",
         "$2 s2 1 begin", "$2 s2 2 source 1 @a.lua", "$2 s2 3 function 1 1 5 Run", "$2 u1 1 begin",
         "$2 u1 2 source 1 @a.lua", "$2 u1 3 function 1 1 5 ?", "$2 u1 4 name 1 Run");
    expect_function(0, "@a.lua", 5, "Run");
    cr_assert_eq(symbols.name_count, 2);
    cr_expect_eq(symbols.names[0].calls, 2);
    cr_expect_eq(symbols.names[1].calls, 1);
    expect_text(symbols.names[1].name, "Alias");
}

Test(recording, takes_the_first_of_two_definitions)
{
    begin_small_run();
    uint32_t count = symbols.function_count;
    FEED("$2 s1 11 source 1 @b.lua", "$2 s1 12 function 3 2 -1 other", "$2 s1 13 site 1 3,99",
         "$2 s1 14 thread 0 coroutine", "$2 s1 15 function 9 1 30 G");
    expect_events("function(2){2,lua}");
    cr_expect_eq(symbols.function_count, count + 1);
    expect_function(2, "@c:\\a.lua", 30, "G");
}

Test(recording, calls_what_was_defined_in_lost_lines_lost)
{
    begin_small_run();
    /* A source, then a function that is missing; the same stands for all of them. */
    FEED("$2 s1 13 function 8 99 5 H", "$2 s1 14 site 5 77,3", "$2 s1 15 site 6 78,4");
    expect_events("function(2){2,lua} function(3){3} site(3){3,3} site(4){3,4}");
    expect_function(2, "=(lost)", 5, "H");
    expect_function(3, "=(lost)", -1, "");
}

Test(recording, refuses_definitions_that_are_none)
{
    begin_small_run();
    static const char *const lines[] = {
        "$2 s1 11 source x @a.lua",
        "$2 s1 12 source 1",
        "$2 s1 13 source 16777216 @a",
        "$2 s1 14 function 9 1 F",
        "$2 s1 15 function 9 1 1e5 F",
        "$2 s1 16 function 9 1 99999999999 F",
        "$2 s1 17 function 9 1 9999999999 F",
        "$2 s1 18 site 9 3",
        "$2 s1 19 site 9 3,x",
        "$2 s1 20 site 16777216 3,5",
        "$2 s1 21 site 9 3,5 ",
        "$2 s1 22 thread 9 both",
        "$2 s1 23 thread 9",
        "$2 s1 24 name 9",
        "$2 s1 25 function 9 16777216 1 F",
        "$2 s1 26 function",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect_not(feed_line(lines[i], false), "%s", lines[i]);
    cr_expect_str_eq(err.text, "the line 'function' of the recording is damaged");
    cr_expect_eq(recordings.all[0].damaged_lines, sizeof lines / sizeof lines[0]);
    expect_events("");
}

/* ----------------------------------------------------------------------- losses */

Test(recording, that_lacks_nothing_has_no_losses)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 0.5 0.25 @0A5B.", "$2 s1 12 source 3 @b.lua",
         "$2 s1 13 events 0 0.5 0.5 .", "$2 s1 14 end lines=14 events=5 lost=0.75");
    expect_events("thread(0) root(0)+5 call(1) return return end");
    const struct recording *recording = &recordings.all[0];
    cr_expect_eq(recording->lines, 14);
    cr_expect_eq(recording->missing_lines + recording->late_lines + recording->damaged_lines, 0);
    cr_expect_eq(recording->events, 5);
    cr_expect_eq(recording->events_written, 5);
    cr_expect_float_eq(recording->lost_ns, 0.75e9, 1);
    cr_expect(recording->has_end);
}

Test(recording, trusts_no_stack_behind_lines_that_are_missing)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 0.5 0 @0A", "$2 s1 14 events 1 0.5 0 B.", "$2 s1 15 events 1 0.5 0 C");
    expect_events("thread(0) root(0) lost thread(1) call(1) return call(2)");
    cr_expect_eq(recordings.all[0].missing_lines, 2);
}

Test(recording, takes_no_longer_than_until_the_next_line_behind_missing_ones)
{
    begin_small_run();
    /* A unit is about a microsecond: 90,000,000 of them do not fit between 0.5 and 0.6 s. */
    FEED("$2 s1 11 events 0 0.5 0 @0A7B90000000.5B.", "$2 s1 14 events 0 0.6 0 B.");
    expect_events("thread(0) root(0)+7 lost thread(0) call(1) return");
    cr_expect_eq(recordings.all[0].events, 2 + 2);
    FEED("$2 s1 15 events 0 0.7 0 B90000000", "$2 s1 16 events 0 0.8 0 .");
    expect_events("call(1)+90000000 return");
}

Test(recording, keeps_definitions_that_stand_behind_a_time_that_is_too_long)
{
    begin_small_run();
    /* Site 7 is lost, and defined where it first occurs. */
    FEED("$2 s1 11 events 0 0.5 0 @0A90000000H.", "$2 s1 14 events 0 0.6 0 H.");
    expect_events("thread(0) function(2){2} site(3){2,0} lost thread(0) call(3) return");
}

Test(recording, says_once_that_stacks_were_lost_where_events_go_on)
{
    begin_small_run();
    FEED("$2 s1 13 source 7 @b.lua", "$2 s1 15 function 7 7 3 X", "$2 s1 17 site 7 7,4");
    expect_events("function(2){2,lua} site(3){2,4}");
    FEED("$2 s1 18 events 0 0.5 0 H", "$2 s1 19 events 0 0.5 0 .");
    expect_events("lost thread(0) call(3) return");
    cr_expect_eq(recordings.all[0].missing_lines, 4);
}

Test(recording, meets_threads_whose_definition_is_missing)
{
    begin_small_run();
    FEED("$2 s1 12 events 55 0.5 0 B", "$2 s1 13 events 55 0.5 0 @0.@55.@56.");
    expect_events("lost coroutine(2) thread(2) call(1) thread(0) return thread(2) return "
                  "coroutine(3) thread(3) return");
}

Test(recording, meets_sites_and_functions_whose_definition_is_missing)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 0.5 0 @0AG5BG.^99.(AH).");
    expect_events("thread(0) root(0) function(2){2} site(3){2,0} call(3)+5 call(1) call(3) return "
                  "other(2) site(4){2,0} stack(2) frame(0) frame(4) return");
    cr_expect_eq(recordings.all[0].events, 9);
    expect_function(2, "=(lost)", -1, "");
}

Test(recording, ends_without_stacks_when_lines_are_missing_before_its_end)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 0.5 0 @0A", "$2 s1 13 end events=8");
    expect_events("thread(0) root(0) lost end");
}

Test(recording, ignores_lines_that_come_again_or_too_late)
{
    begin_small_run();
    FEED("$2 s1 12 events 0 0.5 0 A", "$2 s1 12 events 0 0.5 0 A", "$2 s1 11 events 0 0.5 0 B",
         "$2 s1 2 source 1 @other.lua", "$2 s1 3 end events=3", "$2 s1 4 nonsense",
         "$2 s1 13 events 0 0.5 0 .");
    expect_events("lost thread(0) root(0) return");
    const struct recording *recording = &recordings.all[0];
    cr_expect_eq(recording->late_lines, 5);
    cr_expect_eq(recording->missing_lines, 1);
    cr_expect_eq(recording->lines, 12);
    cr_expect_eq(recording->events, 2);
    cr_expect_eq(recording->unit_ns, 1e6);
    cr_expect_not(recording->has_end);
}

Test(recording, takes_definitions_that_come_too_late)
{
    begin_small_run();
    FEED("$2 s1 13 events 0 0.5 0 A", "$2 s1 11 function 7 1 30 Late", "$2 s1 12 site 3 7,8",
         "$2 s1 14 events 0 0.5 0 D");
    expect_events("lost thread(0) root(0) function(2){2,lua} site(3){2,8} call(3)");
    expect_function(2, "@c:\\a.lua", 30, "Late");
}

/* ----------------------------------------------------------------------- damage */

Test(recording, skips_the_rest_of_a_line_from_what_is_no_event)
{
    begin_small_run();
    expect_refused("$2 s1 11 events 0 0.5 0 @0AB5?..",
                   "the events cannot be read from byte 6 on; those before it were used");
    expect_events("thread(0) root(0) call(1)+5");
    feed("$2 s1 12 events 1 0.5 0 C");
    expect_events("lost thread(1) call(2)");
    cr_expect_eq(recordings.all[0].damaged_lines, 1);
    cr_expect_eq(recordings.all[0].events, 4);
}

Test(recording, takes_a_site_of_too_many_letters_for_damage)
{
    begin_small_run();
    expect_refused("$2 s1 11 events 0 0.5 0 ABzzzzzzzzz.",
                   "the events cannot be read from byte 2 on; those before it were used");
    expect_events("root(0)");
}

Test(recording, refuses_events_without_a_thread)
{
    static const char *const lines[] = {
        "$2 s1 11 events",
        "$2 s1 11 events A",
        "$2 s1 11 events 0 0.5 A",
        "$2 s1 11 events x 0.5 0 A",
        "$2 s1 11 events 16777216 0.5 0 A",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        begin_small_run();
        expect_refused(lines[i], "the line is not <thread> <time> <lost> <events>");
        feed("$2 s1 12 events 0 0.5 0 A");
        expect_events("lost thread(0) root(0)");
    }
}

Test(recording, may_have_a_line_without_events)
{
    begin_small_run();
    feed("$2 s1 11 events 0 0.5 0 ");
    expect_events("");
}

Test(recording, uses_of_a_cut_line_what_is_whole)
{
    begin_small_run();
    expect_cut("$2 s1 11 events 0 0.5 0 @0AB12.5",
               "the line of events is cut off; its complete events were used");
    expect_events("thread(0) root(0) call(1)+12");
    expect_cut("$2 s1 12 events 0 0.5 0 ^4.",
               "the line of events is cut off; its complete events were used");
    expect_events("lost thread(0)");
    expect_cut("$2 s1 13 events 0 0.5 0 ",
               "the line of events is cut off; its complete events were used");
    expect_events("lost thread(0)");
    expect_cut("$2 s1 14 events 0 0.5", "the line is not <thread> <time> <lost> <events>");
    cr_expect_eq(recordings.all[0].damaged_lines, 4);
}

/* ------------------------------------------------------------------------ watches */

static void begin_watch(void)
{
    FEED("$5 s1 1 begin version=5 mode=watch slow=150 state=sim unit=0.001 tick=1",
         "$5 s1 2 source 1 @a.lua", "$5 s1 3 function 3 1 12 F", "$5 s1 4 function 4 1 20 G",
         "$5 s1 5 site 0 3,-2", "$5 s1 6 site 1 4,15");
    forget_events();
}

Test(recording, keeps_lengths_of_ticks_and_what_threads_took)
{
    begin_watch();
    FEED("$5 s1 7 ticks 10 0 21 1523", "$5 s1 8 threads 10 12 3:4:150000:149000 0:7:4400:900");
    const struct watches *watches = &recordings.watches;
    cr_assert_eq(watches->tick_count, 1);
    cr_expect_eq(watches->ticks[0].first, 10);
    cr_assert_eq(watches->ticks[0].count, 3);
    cr_expect_eq(watches->lengths[2], 152300000);
    cr_assert_eq(watches->thread_count, 1);
    cr_expect_eq(watches->threads[0].last, 12);
    cr_assert_eq(watches->threads[0].count, 2);
    cr_expect_eq(watches->sums[0].function, 0);
    cr_expect_eq(watches->sums[0].wakes, 4);
    cr_expect_eq(watches->sums[0].longest_ns, 149000000);
    cr_expect_eq(watches->sums[1].function, WATCH_OTHERS);
    cr_expect(recordings.all[0].is_watch);
    cr_expect_eq(recordings.all[0].slow_ns, 150000000);
    cr_expect_eq(recordings.all[0].unknown_lines, 0);
    expect_events("reference{0,watched,4,150000000,64662585.78}");
}

Test(recording, keeps_slow_ticks_and_their_long_wakes)
{
    begin_watch();
    FEED("$5 s1 7 slow 40 212000 3:2:200000:190000 9:1:30000:30000 -:2:95000:90000:4",
         "$5 s1 8 slow 41 160000", "$5 s1 9 wake 40 190000 3 (ABZz)", "$5 s1 10 wake 41 16000 4 -");
    const struct watches *watches = &recordings.watches;
    cr_assert_eq(watches->slow_tick_count, 2);
    cr_expect_eq(watches->slow_ticks[0].time_ns, 212000000);
    cr_assert_eq(watches->slow_ticks[0].count, 2);
    cr_expect_eq(watches->sums[1].function, WATCH_UNKNOWN);
    cr_expect_eq(watches->slow_ticks[0].gaps.longest_ns, 90000000);
    cr_expect_eq(watches->slow_ticks[0].gaps.function, 1);
    cr_expect_eq(watches->slow_ticks[1].gaps.wakes, 0);
    cr_assert_eq(watches->wake_count, 2);
    cr_assert_eq(watches->wakes[0].stack_count, 3);
    cr_expect_eq(watches->frames[1].function, 1);
    cr_expect_eq(watches->frames[1].line, 15);
    cr_expect_eq(watches->frames[2].function, WATCH_UNKNOWN);
    cr_expect_eq(watches->wakes[1].stack_count, 0);
}

Test(recording, keeps_units_of_every_recording)
{
    begin_small_run();
    FEED("$2 s1 11 units 300 1250", "$2 s1 12 wake 40 190000 3 (AB)");
    cr_assert_eq(recordings.watches.unit_count, 1);
    cr_expect_eq(recordings.watches.units[0].tick, 300);
    cr_expect_eq(recordings.watches.units[0].count, 1250);
    cr_expect_eq(recordings.watches.frames[0].function, WATCH_UNKNOWN);
}

Test(recording, uses_nothing_of_a_damaged_line_of_a_watch)
{
    begin_watch();
    static const char *const lines[] = {
        "ticks",
        "ticks x 1",
        "ticks 1 2  3",
        "ticks 1 -2",
        "ticks 1 99999999999999999999",
        "threads 1 2 3:1:1",
        "threads 1 2 3:1:1:1:1",
        "threads 2 1",
        "threads 1 2 -:1:1:1:3",
        "slow 1",
        "slow 1 x",
        "slow 1 2 3:1:1",
        "slow 1 2 -:1:1:1",
        "slow 1 2 3:1:1:1 -x:1:1:1:3",
        "slow 1 2 -:1:1:1:3 3:1:1:1",
        "wake 1 2 3",
        "wake 1 2 3 (A",
        "wake 1 2 3 (Aa:b)",
        "wake 1 2 3 (a)",
        "wake 1 2 x (A)",
        "wake 1 2 3 (Azzzzzzzzzz)",
        "units 1",
        "units 1 2 3",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "$5 s1 %zu %s", i + 7, lines[i]);
        cr_expect_not(feed_line(text, false), "%s", text);
    }
    const struct watches *watches = &recordings.watches;
    cr_expect_eq(watches->length_count + watches->sum_count + watches->frame_count, 0);
    cr_expect_eq(watches->tick_count + watches->thread_count + watches->slow_tick_count +
                     watches->wake_count + watches->unit_count,
                 0);
    expect_cut("$5 s1 40 ticks 1 2", "the line 'ticks' of the recording is damaged");
}

Test(recording, counts_for_nothing_what_was_recorded_of_a_watch)
{
    begin_watch();
    FEED("$5 s1 7 hook watched 41 3", "$5 s1 8 hook left 41",
         "$5 s1 9 end lines=9 events=0 wakes=70 unknown=3 slow_ticks=1 watched=1 share=0.002");
    expect_events("sample(1000003)+41 sample(1000004)+41 end");
    cr_expect_eq(recordings.all[0].watched, 1);
    cr_expect_eq(recordings.all[0].wakes, 70);
    cr_expect_eq(recordings.all[0].unknown_wakes, 3);
}

Test(recording, keeps_of_a_watch_the_events_of_its_wakes)
{
    begin_watch();
    FEED("$5 s1 7 thread 5 coroutine", "$5 s1 8 thread 6 coroutine",
         "$5 s1 9 events 0 0.1 0 #40@5A1.2", "$5 s1 10 hook watched 41 3",
         "$5 s1 11 events 0 0.2 0 #41@5A1B2", "$5 s1 12 events 5 0.3 0 .3.4@6A5.6",
         "$5 s1 13 events 6 0.4 0 A7.8", "$5 s1 14 hook cut 41");
    expect_events("coroutine(0) coroutine(1) sample(1000003)+41 tick=41 thread(0) root(0)+1 "
                  "call(1)+2 return+3 return+4 sample(1000005)+41");
}

Test(recording, knows_a_wake_of_a_watch_of_which_lines_are_missing)
{
    begin_watch();
    FEED("$5 s1 7 thread 5 coroutine", "$5 s1 9 hook watched 41 3",
         "$5 s1 10 events 0 0.2 0 #41@5A1B2", "$5 s1 12 hook left 41", "$5 s1 14 hook watched 42 3",
         "$5 s1 15 events 0 0.2 0 #42@5A1", "$5 s1 17 events 5 0.3 0 .2", "$5 s1 18 hook left 42");
    expect_events("coroutine(0) sample(1000003)+41 tick=41 thread(0) root(0)+1 call(1)+2 "
                  "sample(1000002)+41 sample(1000003)+42 tick=42 thread(0) root(0)+1 lost "
                  "sample(1000002)+42");
}

Test(recording, uses_no_definition_that_is_cut)
{
    begin_small_run();
    expect_cut("$2 s1 11 source 9 @a", "the line 'source' of the recording is damaged");
    expect_cut("$2 s1 12 function 9 1 3 Fu", "the line 'function' of the recording is damaged");
    expect_cut("$2 s1 13 site 9 3,1", "the line 'site' of the recording is damaged");
    expect_cut("$2 s1 14 thread 9 main", "the line 'thread' of the recording is damaged");
    expect_cut("$2 s1 15 name 3 Na", "the line 'name' of the recording is damaged");
    expect_cut("$2 s1 16 end lines=16 events=1", "the line 'end' of the recording is damaged");
    expect_cut("$2 s2 1 begin unit=0.5 ti", "the line 'begin' of the recording is damaged");
    expect_events("");
    cr_expect_not(recordings.all[0].has_end);
}

Test(recording, uses_no_benchmark_that_is_cut)
{
    expect_cut("$2 s0 1 benchmark 0 10 1", "the line of a benchmark is cut off");
    cr_expect_eq(recordings.benchmark_count, 0);
}

Test(recording, refuses_a_begin_that_is_not_its_first_line)
{
    begin_small_run();
    expect_refused("$2 s1 11 begin unit=0.5", "the line 'begin' of the recording is damaged");
    expect_refused("$2 s2 2 begin unit=0.5", "the line 'begin' of the recording is damaged");
    expect_events("");
    cr_expect_eq(recordings.all[0].unit_ns, 1e6);
    cr_expect_not(recordings.all[1].has_begin);
}

Test(recording, refuses_an_end_that_does_not_say_how_many_events_there_were)
{
    begin_small_run();
    expect_refused("$2 s1 11 end lines=11", "the line 'end' of the recording is damaged");
    expect_events("");
}

Test(recording, that_was_sampled_by_bursts_has_no_events_and_no_functions)
{
    FEED("$4 s1 1 begin version=3 mode=sample unit=0.001", "$4 s1 2 source 1 @a.lua",
         "$4 s1 3 function 3 1 12 F", "$4 s1 4 site 0 3,-2", "$4 s1 7 events 0 1 0 #1-9<(A)3>16:2",
         "$4 s1 5 thread 0 main", "$4 s1 8 end events=7");
    expect_events("");
    cr_expect(recordings.all[0].has_bursts && !recordings.all[0].has_end);
    cr_expect_eq(recordings.all[0].events, 0);
    cr_expect_eq(recordings.all[0].missing_lines, 0);
    cr_expect_eq(symbols.function_count, 0);
    /* Where logs were joined, another game has a recording of the same name. */
    FEED("$4 s1 1 begin version=3 mode=exact unit=0.001", "$4 s1 2 thread 0 main");
    cr_assert_eq(recordings.count, 2);
    cr_expect_not(recordings.all[1].has_bursts);
    expect_events("run(1) begin(1){1000000,?,?,?,?,?}");
}

Test(recording, takes_pieces_of_bursts_for_damage_if_it_is_exact)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 1 0 A1");
    forget_events();
    static const char *const pieces[] = {"-9", "<", "<(A)", ">16:2"};
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "$2 s1 %d events 0 1 0 .3%s.", 12 + i, pieces[i]);
        expect_refused(line, "the events cannot be read from byte 3 on; those before it were used");
        expect_events(i == 0 ? "return+3" : "lost thread(0) return+3");
    }
    cr_expect_eq(recordings.all[0].damaged_lines, 4);
}

Test(recording, goes_on_behind_kinds_of_lines_that_are_not_known)
{
    begin_small_run();
    FEED("$2 s1 11 events 0 0.5 0 A", "$2 s1 12 weather fair: 20 degrees", "$2 s1 13 eventss",
         "$2 s1 14 events 0 0.5 0 .");
    expect_events("root(0) return");
    cr_expect_eq(recordings.all[0].unknown_lines, 2);
    cr_expect_eq(recordings.all[0].damaged_lines, 0);
}

Test(recording, of_another_format_is_refused)
{
    expect_refused(
        "$6 s1 1 begin unit=0.5",
        "a line of profiler.lua's format 6, and this supprof reads formats 2 to 5; take the "
        "supprof that came with that profiler.lua");
    expect_refused(
        "$1 s0 1 benchmark 0 1 1",
        "a line of profiler.lua's format 1, and this supprof reads formats 2 to 5; take the "
        "supprof that came with that profiler.lua");
    cr_expect_eq(recordings.count, 0);
    cr_expect_eq(run_count, 0);
    cr_expect_eq(recordings.benchmark_count, 0);
    expect_events("");
}

/* ------------------------------------------------------------------------- runs */

Test(recording, says_whose_events_follow_where_runs_lie_side_by_side)
{
    FEED("$2 s1 1 begin unit=0.5", "$2 u1 1 begin unit=0.5", "$2 s1 2 source 1 @a.lua",
         "$2 u1 2 source 1 @b.lua", "$2 s1 3 function 1 1 5 F", "$2 u1 3 function 1 1 6 G",
         "$2 u1 4 site 0 1,-2", "$2 s1 4 site 0 1,-2", "$2 s1 5 thread 0 main",
         "$2 u1 5 thread 0 main");
    expect_events("run(0) begin(0){500000000,?,?,?,?,?} run(1) begin(1){500000000,?,?,?,?,?} "
                  "run(0) function(0){0,lua} run(1) function(0){1,lua} site(0){0,-2} "
                  "run(0) site(0){0,-2} run(1)");
    FEED("$2 u1 6 events 0 0.5 0 A", "$2 u1 7 events 0 0.5 0 .", "$2 s1 6 events 0 0.5 0 A",
         "$2 u1 9 events 0 0.5 0 A", "$2 s1 7 end events=1", "$2 u1 10 end events=3");
    expect_events("root(0) return run(0) root(0) run(1) lost thread(0) root(0) run(0) end run(1) "
                  "end");
    cr_expect_eq(recordings.count, 2);
    cr_expect(recordings.all[0].is_sim && !recordings.all[1].is_sim);
    cr_expect_eq(recordings.all[0].run, 1);
    cr_expect_eq(recordings.all[1].run, 2);
    cr_expect_eq(recordings.all[0].missing_lines, 0);
    cr_expect_eq(recordings.all[1].missing_lines, 1);
    cr_expect_eq(recordings.all[1].events, 3);
    expect_function(1, "@b.lua", 6, "G");
}

Test(recording, is_a_function_the_same_in_all_runs)
{
    FEED("$2 s1 1 begin", "$2 s1 2 source 1 @a.lua", "$2 s1 3 function 1 1 5 F", "$2 s2 1 begin",
         "$2 s2 2 source 4 @a.lua", "$2 s2 3 function 8 4 5 F");
    cr_expect_eq(symbols.function_count, 1);
}

static void expect_run(const char *text, bool begins, uint32_t run)
{
    struct grammar_recorder_line line = parse(text);
    struct line_owner owner = recordings_find_owner(&recordings, &line);
    cr_expect_eq(owner.begins_one, begins, "%s", text);
    cr_expect_eq(owner.run, run, "%s", text);
}

Test(recording, has_the_number_of_its_run)
{
    run_count = 6;
    expect_run("$2 s1 1 begin", true, 0);
    feed("$2 s1 1 begin");
    cr_expect_eq(recordings.all[0].run, 7);
    expect_run("$2 s1 1 begin", false, 7);
    expect_run("$2 s1 2 source 1 a", false, 7);
    expect_run("$2 s2 5 source 1 a", true, 0);
    expect_run("$6 s2 1 begin", false, 0);
    expect_run("$2 s0 1 benchmark 1 2 3", false, 0);
    feed("$2 s2 5 source 1 a");
    cr_expect_eq(recordings.all[1].run, 8);
    expect_run("$2 s1 2 source 1 a", false, 7);
}

Test(recording, that_begins_again_is_another)
{
    begin_small_run();
    feed("$2 s1 11 events 0 0.5 0 A");
    expect_run("$2 s1 1 begin", true, 1);
    FEED("$2 s1 1 begin unit=0.5", "$2 s1 2 source 1 @b.lua", "$2 s1 3 function 3 1 1 H",
         "$2 s1 4 site 1 3,-2", "$2 s1 5 thread 0 main", "$2 s1 6 events 0 0.5 0 B");
    expect_events("root(0) run(1) begin(1){500000000,?,?,?,?,?} function(0){2,lua} "
                  "site(0){0,-2} root(0)");
    cr_expect_eq(recordings.count, 2);
    cr_expect_eq(recordings.all[1].run, 2);
    cr_expect_eq(recordings.all[0].late_lines, 0);
}

Test(recording, is_another_in_another_log)
{
    begin_small_run();
    recordings_begin_log(&recordings);
    expect_run("$2 s1 11 events 0 0.5 0 A", true, 0);
    feed("$2 s1 11 events 0 0.5 0 A");
    cr_expect_eq(recordings.count, 2);
    expect_events("run(1) lost coroutine(0) thread(0) function(0){2} site(0){0,0} call(0)");
    cr_expect_eq(recordings.all[0].missing_lines, 0);
    cr_expect_eq(recordings.all[1].missing_lines, 10);
}

Test(recording, has_a_run_of_at_most_16_letters)
{
    feed("$2 s123456789012345 1 begin");
    expect_refused("$2 s1234567890123456 1 begin", "unknown run 's1234567890123456'");
    cr_expect_eq(recordings.count, 1);
}

/* So many that the numbers of runs in keys of known events do not suffice. */
Test(recording, has_its_own_events_however_many_there_are)
{
    FEED("$2 s1 1 source 1 @a", "$2 s1 2 function 1 1 1 F", "$2 s1 3 site 0 1,-2",
         "$2 s1 4 events 0 0 0 AAA");
    expect_events("run(0) function(0){0,lua} site(0){0,-2} root(0) root(0) root(0)");
    char line[64];
    for (uint32_t run = 2; run <= KNOWN_RECORDING_MAX + 1; run++) {
        snprintf(line, sizeof line, "$2 s%u 1 begin", run);
        feed(line);
    }
    forget_events();
    snprintf(line, sizeof line, "$2 s%u 1 events 0 0 0 AAA", KNOWN_RECORDING_MAX + 2);
    feed(line);
    expect_events("run(65536) function(0){1} site(0){0,0} call(0) call(0) call(0)");
}

/* ------------------------------------------------------------------- benchmarks */

Test(recording, may_be_preceded_by_benchmarks)
{
    FEED("$2 s0 1 benchmark 0 10 1.25", "$2 s0 2 benchmark 10 20.5 0.001");
    cr_assert_eq(recordings.benchmark_count, 2);
    cr_expect_eq(recordings.benchmarks[0].from_ns, 0);
    cr_expect_eq(recordings.benchmarks[0].to_ns, 10000000000);
    cr_expect_eq(recordings.benchmarks[0].time_ns, 1250000000);
    cr_expect_eq(recordings.benchmarks[1].to_ns, 20500000000);
    cr_expect_eq(recordings.count, 0);
    cr_expect_eq(run_count, 0);
    expect_events("");
}

Test(recording, refuses_benchmarks_that_are_none)
{
    static const char *const lines[] = {"$2 s0 1 benchmark 0 10", "$2 s0 2 benchmark 0 ? 3",
                                        "$2 s0 3 benchmark a 10 3", "$2 s0 4 benchmark 0 1 nan",
                                        "$2 s0 5 benchmark"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_refused(lines[i], "the line is not <from> <to> <seconds>");
    cr_expect_eq(recordings.benchmark_count, 0);
}

Test(recording, takes_the_first_thread_from_its_line_of_events)
{
    FEED("$2 s1 1 thread 3 main", "$2 s1 2 thread 5 coroutine", "$2 s1 3 events 5 0 0 ~");
    expect_events("run(0) coroutine(1) thread(1) forget");
    FEED("$2 s1 4 events 3 0 0 ~");
    expect_events("forget");
}

Test(recording, has_runs_that_were_timed_without_it)
{
    begin_small_run();
    forget_events();
    FEED("$4 s1 90 reference before 12 87 2100 30 @c:\\092a.lua",
         "$4 s1 91 end lines=91 events=0 at=1 lost=0 reference=yes",
         "$4 s1 92 reference after 77 20 999 0 @b.lua");
    expect_events("reference{0,before,87,2100,30} lost end reference{2,after,20,999,0}");
    expect_function(2, "@b.lua", 77, "?");
}

Test(recording, refuses_damaged_runs_that_were_timed)
{
    static const char *const lines[] = {
        "$4 s1 90 reference before 1 87 2100 30",       "$4 s1 91 reference before 1 0 2100 30 @a",
        "$4 s1 92 reference between 1 87 2100 30 @a",   "$4 s1 93 reference after -1 87 2100 30 @a",
        "$4 s1 94 reference after 1 87 2100 -30 @a",    "$4 s1 95 reference after 1 x 2100 30 @a",
        "$4 s1 96 reference after 3e9 87 2100 30 @a.b", "$4 s1 97 reference",
    };
    begin_small_run();
    forget_events();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_refused(lines[i], "the line 'reference' of the recording is damaged");
    expect_cut("$4 s1 98 reference after 1 87 2100 30 @a.b",
               "the line 'reference' of the recording is damaged");
    cr_expect_eq(events.count, 0);
}
