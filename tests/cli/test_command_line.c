#include "cli/options/command_line.h"
#include "report/figures/formats.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct options options;
static struct error err;

/* Parses words that are separated by single blanks. */
static bool parse(const char *words, bool has_piped_input)
{
    static char text[256];
    static char *argv[32];
    int argc = 0;
    snprintf(text, sizeof text, "supprof %s", words);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    options_release(&options);
    return command_line_read(&options, argc, argv, has_piped_input, &err);
}

/* The message begins so, and goes on with a list that others make longer. */
static void expect_refused_so(const char *words, const char *start)
{
    cr_expect_not(parse(words, false), "%s", words);
    cr_expect_eq(strncmp(err.text, start, strlen(start)), 0, "%s", err.text);
    options_release(&options);
}

static void expect_refused(const char *words, const char *message)
{
    cr_expect_not(parse(words, false), "%s", words);
    cr_expect_str_eq(err.text, message);
    options_release(&options);
}

static const char no_log[] =
    "no log is named; name one, or let --open take the newest log of the game";

Test(options, show_the_top_20_by_default)
{
    cr_assert(parse("x.log", false));
    cr_expect_eq(options.show.row_limit, 20);
    cr_assert_eq(options.output_count, 1);
    cr_expect_str_eq(options.outputs[0].path, "-");
    cr_expect_eq(options.outputs[0].format, &report_top);
    options_release(&options);
}

Test(options, name_directories_of_sources_in_order)
{
    cr_assert(parse("--lua-root a x.log --lua-root=b", false));
    cr_assert_eq(options.reading.lua_roots.count, 2);
    cr_expect_str_eq(options.reading.lua_roots.all[0], "a");
    cr_expect_str_eq(options.reading.lua_roots.all[1], "b");
    options_release(&options);
}

Test(options, may_stand_behind_logs_and_be_shortened)
{
    cr_assert(parse("x.log --str y.log -q", false));
    cr_expect_eq(options.logs.count, 2);
    cr_expect(options.reading.is_strict && options.is_quiet);
    cr_assert(parse("-- -q", false));
    cr_expect_str_eq(options.logs.all[0], "-q");
    options_release(&options);
}

Test(options, may_have_to_stand_before_logs)
{
    setenv("POSIXLY_CORRECT", "1", 1);
    cr_assert(parse("-q x.log --strict", false));
    cr_expect_eq(options.logs.count, 2);
    cr_expect(options.is_quiet && !options.reading.is_strict);
    unsetenv("POSIXLY_CORRECT");
    options_release(&options);
}

Test(options, choose_formats_by_suffix_or_name)
{
    cr_assert(parse("x -o a.csv -ob.folded", false));
    cr_expect_eq(options.outputs[0].format, &report_csv);
    cr_expect_eq(options.outputs[1].format, &report_folded);
    cr_assert(parse("x -o a.csv --format=folded", false));
    cr_expect_eq(options.outputs[0].format, &report_folded);
    cr_assert(parse("x -f csv", false));
    cr_expect_eq(options.outputs[0].format, &report_csv);
    options_release(&options);
}

Test(options, write_the_table_beside_files_when_asked)
{
    cr_assert(parse("x -o a.csv --top 5", false));
    cr_assert_eq(options.output_count, 2);
    cr_expect_eq(options.outputs[1].format, &report_top);
    cr_expect_eq(options.show.row_limit, 5);
    options_release(&options);
}

Test(options, read_standard_input_from_a_pipe_only)
{
    cr_assert(parse("", true));
    cr_expect_str_eq(options.logs.all[0], "-");
    expect_refused("", no_log);
}

Test(options, that_are_wrong_say_what_would_be_right)
{
    expect_refused(
        "x --by=color",
        "invalid value 'color' for --by; give one of: function, file, mod, line, stack, thread");
    expect_refused_so("x -f pdf",
                      "invalid value 'pdf' for --format; give one of: top, ticks, peek, ");
    expect_refused("x -f trace --focus=a", "the format trace shows all calls of a window, one by "
                                           "one; it can neither filter nor fold them");
    expect_refused("x -o x.trace.json --max-depth=9",
                   "the format trace shows all calls of a window, one by one; it can neither "
                   "filter nor fold them");
    expect_refused("x --top=many",
                   "invalid value 'many' for --top; give a whole number, such as 20");
    expect_refused("x --top=-1", "invalid value '-1' for --top; give a whole number, such as 20");
    expect_refused("x --run=0", "invalid value '0' for --run; give a whole number from 1 on");
    expect_refused("x --run=4294967296",
                   "invalid value '4294967296' for --run; give a whole number from 1 on");
    expect_refused("x --top", "--top needs a value: --top=N");
    expect_refused("x --strict=yes", "--strict takes no value");
    expect_refused("x --nothing", "unknown option '--nothing'");
    expect_refused("x --s",
                   "ambiguous option '--s' (--slow-over, --sort, --state, --show-from, --strict)");
    expect_refused("x -z", "unknown option '-z'");
    expect_refused_so("x -o a.png", "'a.png' does not end in a known suffix (.top, .ticks, ");
    expect_refused("x -o a.csv -o a.csv", "'a.csv' is named twice as output; leave out one");
    expect_refused(
        "x -o - --top 3",
        "only one report can use standard output; write the other to a file with --output");
    expect_refused("x -f json --top 3", "the format json does not use --top; leave it out, or "
                                        "write the format to a file with --output");
    expect_refused("x --top 3 -f folded --ticks",
                   "the format folded does not use --top; leave it out, or write the format to a "
                   "file with --output");
}

/* ------------------------------------------------------------------- recordings */

static void expect_border(const char *words, enum window_kind kind, double value)
{
    cr_assert(parse(words, false), "%s: %s", words, err.text);
    const struct window_border *border = strstr(words, "--from") != NULL
                                             ? &options.reading.rebuild.from
                                             : &options.reading.rebuild.to;
    cr_expect_eq(border->kind, kind, "%s", words);
    cr_expect_float_eq(border->value, value, 1e-9, "%s: %g", words, border->value);
    options_release(&options);
}

Test(options, take_times_and_ticks_as_borders_of_a_window)
{
    cr_assert(parse("x", false));
    cr_expect(options.reading.rebuild.from.kind == WINDOW_OPEN &&
              options.reading.rebuild.to.kind == WINDOW_OPEN);
    expect_border("x --from=90", WINDOW_SECONDS, 90);
    expect_border("x --from=0", WINDOW_SECONDS, 0);
    expect_border("x --from 90.5", WINDOW_SECONDS, 90.5);
    expect_border("x --to=.5", WINDOW_SECONDS, 0.5);
    expect_border("x --to=5.", WINDOW_SECONDS, 5);
    expect_border("x --from=1:30", WINDOW_SECONDS, 90);
    expect_border("x --from=1:05", WINDOW_SECONDS, 65);
    expect_border("x --from=1:5.25", WINDOW_SECONDS, 65.25);
    expect_border("x --to=90:00", WINDOW_SECONDS, 5400);
    expect_border("x --to=1:00:30.5", WINDOW_SECONDS, 3630.5);
    expect_border("x --to=100:59:59", WINDOW_SECONDS, 363599);
    expect_border("x --from=#900", WINDOW_TICK, 900);
    expect_border("x --from=#0", WINDOW_TICK, 0);
    expect_border("x --to #4294967295", WINDOW_TICK, 4294967295);
    /* The last one counts. */
    expect_border("x --from=#900 --from=5", WINDOW_SECONDS, 5);
}

static void expect_border_refused(const char *option, const char *border)
{
    char words[64], message[256];
    snprintf(words, sizeof words, "x --%s%s", option, border);
    snprintf(message, sizeof message,
             "invalid value '%s' for --%s; give a game time such as 90 or 1:30, or a tick such as "
             "'#900'",
             border + 1, option);
    expect_refused(words, message);
}

Test(options, refuse_what_is_no_border_of_a_window)
{
    static const char *const borders[] = {
        "=",
        "=x",
        "=-5",
        "=+5",
        "=1e3",
        "=1:",
        "=:30",
        "=:",
        "=1:60",
        "=1:-1",
        "=1:2:60",
        "=1:60:00",
        "=1:2:3:4",
        "=1:2:3:",
        "=5s",
        "=0x10",
        "=inf",
        "=nan",
        "=1..5",
        "=.",
        "=90,5",
        "=#",
        "=##5",
        "=#-5",
        "=#5.5",
        "=#1:30",
        "=#x",
        "=#4294967296",
        "=9#",
        "=1:#30",
        "=100000000000000000000",
    };
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        expect_border_refused("from", borders[i]);
        expect_border_refused("to", borders[i]);
    }
    expect_refused("x --from", "--from needs a value: --from=T");
}

Test(options, take_one_tick_as_a_window)
{
    static const char *const words[] = {"x --tick 38", "x --tick=#38"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert(parse(words[i], false), "%s", err.text);
        cr_expect(options.reading.rebuild.from.kind == WINDOW_TICK &&
                  options.reading.rebuild.to.kind == WINDOW_TICK);
        cr_expect_float_eq(options.reading.rebuild.from.value, 38, 1e-9);
        cr_expect_float_eq(options.reading.rebuild.to.value, 39, 1e-9);
        cr_expect_not(report_asks(&options.show, TABLE_TICKS));
    }
    expect_refused("x --tick", "--tick needs a value: --tick=N");
    /* A time becomes a window that has one tick, in which it is. */
    cr_assert(parse("x --tick 1:30.04", false), "%s", err.text);
    cr_expect_eq(options.reading.rebuild.from.kind, WINDOW_SECONDS);
    cr_expect_float_eq(options.reading.rebuild.from.value, 90, 1e-6);
    cr_expect_float_eq(options.reading.rebuild.to.value, 90.1, 1e-6);
    static const char *const bad[] = {"1:90", "4294967295"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char given[64], message[160];
        snprintf(given, sizeof given, "x --tick=%s", bad[i]);
        snprintf(message, sizeof message,
                 "invalid value '%s' for --tick; give the number of a tick such as 900, or a game "
                 "time such as 1:30",
                 bad[i]);
        expect_refused(given, message);
    }
    options_release(&options);
}

Test(options, choose_what_becomes_of_the_cost_of_recording)
{
    cr_assert(parse("x", false));
    cr_expect(!options.reading.rebuild.keeps_costs && !options.reading.rebuild.costs.is_known);
    cr_assert(parse("x --overhead=off", false));
    cr_expect(options.reading.rebuild.keeps_costs && !options.reading.rebuild.costs.is_known);
    cr_assert(parse("x --overhead=off --overhead=auto", false));
    cr_expect(!options.reading.rebuild.keeps_costs && !options.reading.rebuild.costs.is_known);
    cr_assert(parse("x --overhead=0.2,0.3", false));
    cr_expect(!options.reading.rebuild.keeps_costs && options.reading.rebuild.costs.is_known);
    for (int kind = 0; kind < COST_COUNT; kind++) {
        cr_expect_float_eq(options.reading.rebuild.costs.in_ns[kind], 200, 1e-9);
        cr_expect_float_eq(options.reading.rebuild.costs.out_ns[kind], 300, 1e-9);
        cr_expect_eq(options.reading.rebuild.costs.in_error_ns[kind], 0);
    }
    cr_assert(parse("x --overhead 1000,0", false));
    cr_expect_float_eq(options.reading.rebuild.costs.in_ns[CALL_OF_C], 1e6, 1e-9);
    cr_expect_eq(options.reading.rebuild.costs.out_ns[CALL_OF_C], 0);
    cr_assert(parse("x --overhead=0.2,0.3 --overhead=off", false));
    cr_expect(options.reading.rebuild.keeps_costs && !options.reading.rebuild.costs.is_known);
    options_release(&options);
}

Test(options, refuse_costs_that_no_recording_has)
{
    static const char *const costs[] = {"",      "on",   "0.2",    "0.2,",   ",0.3",   ",",
                                        "1,2,3", "-1,0", "0,-1",   "1001,0", "0,1001", "nan,1",
                                        "1,inf", "OFF",  "auto,1", "1;2",    "1e2,1"};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        char message[256];
        char words[64];
        snprintf(words, sizeof words, "x --overhead=%s", costs[i]);
        snprintf(message, sizeof message,
                 "invalid value '%s' for --overhead; give auto, off, or the microseconds that a "
                 "call costs in the callee and in the caller, such as 0.2,0.3",
                 costs[i]);
        expect_refused(words, message);
    }
    expect_refused("x --overhead", "--overhead needs a value: --overhead=WHAT");
}

static void expect_ticks(const char *words, size_t tick_limit, const char *log)
{
    cr_assert(parse(words, false), "%s: %s", words, err.text);
    cr_expect(report_asks(&options.show, TABLE_TICKS), "%s", words);
    cr_expect_eq(options.show.tick_limit, tick_limit, "%s", words);
    cr_assert_eq(options.logs.count, 1, "%s", words);
    cr_expect_str_eq(options.logs.all[0], log);
    cr_assert_eq(options.output_count, 1, "%s", words);
    cr_expect_eq(options.outputs[0].format, &report_ticks, "%s", words);
    options_release(&options);
}

Test(options, print_the_worst_ticks_with_or_without_their_number)
{
    expect_ticks("--ticks log", 10, "log");
    expect_ticks("log --ticks", 10, "log");
    expect_ticks("--ticks 5 log", 5, "log");
    expect_ticks("log --ticks 5", 5, "log");
    expect_ticks("--ticks=5 log", 5, "log");
    expect_ticks("--ticks=0 log", 0, "log");
    /* Only a whole number is one. */
    expect_ticks("--ticks 5.log", 10, "5.log");
    expect_ticks("--ticks ./5", 10, "./5");
    expect_ticks("--ticks=7 5", 7, "5");
    expect_ticks("--ticks -q log", 10, "log");
    expect_ticks("--ticks -- 5", 10, "5");
    expect_ticks("--ticks 5 -- 6", 5, "6");
    expect_ticks("--ticks --format=ticks log", 10, "log");
}

Test(options, print_ticks_of_a_log_from_a_pipe)
{
    cr_assert(parse("--ticks 5", true));
    cr_expect_eq(options.show.tick_limit, 5);
    cr_expect_str_eq(options.logs.all[0], "-");
    options_release(&options);
}

Test(options, print_ticks_beside_files)
{
    cr_assert(parse("x --ticks 3 -o a.csv", false));
    cr_assert_eq(options.output_count, 2);
    cr_expect_eq(options.outputs[0].format, &report_csv);
    cr_expect_eq(options.outputs[1].format, &report_ticks);
    options_release(&options);
}

/* Of a table that is printed; where that goes to a file, of the functions. */
Test(options, top_is_the_number_of_rows_of_any_table)
{
    static const char *const words[] = {"x --ticks --top 3", "x --top 3 --peek B",
                                        "x --top 3 --ticks -o a.csv", "x -f peek --peek B --top 3"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert(parse(words[i], false), "%s", err.text);
        cr_expect(options.show.has_rows && options.show.rows == 3, "%s", words[i]);
        cr_expect_not(options.has_top, "%s", words[i]);
    }
    cr_assert(parse("x --top 3 --ticks -o a.ticks", false), "%s", err.text);
    cr_expect(options.has_top && options.show.row_limit == 3 && !options.show.has_rows);
    options_release(&options);
}

Test(options, refuse_ticks_where_something_else_is_printed)
{
    expect_refused("x --ticks=many",
                   "invalid value 'many' for --ticks; give a whole number, such as 20");
    expect_refused("x --ticks=-1",
                   "invalid value '-1' for --ticks; give a whole number, such as 20");
    expect_refused("x --ticks=", "invalid value '' for --ticks; give a whole number, such as 20");
    expect_refused(
        "x --ticks 99999999999999999999",
        "invalid value '99999999999999999999' for --ticks; give a whole number, such as 20");
    expect_refused(
        "x --ticks -f folded",
        "only one report can use standard output; write the other to a file with --output");
    expect_refused(
        "x --ticks -o -",
        "only one report can use standard output; write the other to a file with --output");
    expect_refused("--ticks 5", no_log);
    expect_refused("--peek a.log", "--peek takes 'a.log' as the pattern; name the log, too");
}

Test(options, sort_by_what_only_recordings_have)
{
    cr_assert(parse("x --sort=max", false));
    cr_expect_eq(options.show.sort, COLUMN_MAX);
    cr_assert(parse("x --sort=errors", false));
    cr_expect_eq(options.show.sort, COLUMN_ERRORS);
    cr_assert(parse("x --sort=alloc", false));
    cr_expect_eq(options.show.sort, COLUMN_ALLOC);
    expect_refused_so("x --sort=memory", "invalid value 'memory' for --sort; give one of: self, ");
}

Test(options, peek_on_standard_output_or_into_a_file)
{
    cr_assert(parse("x --peek B", false), "%s", err.text);
    cr_assert_eq(options.output_count, 1);
    cr_expect_eq(options.outputs[0].format, &report_peek);
    cr_assert(parse("x --peek (a --peek B -o a.csv", false) == false);
    cr_assert(parse("x --peek A --peek B -o a.csv", false), "%s", err.text);
    cr_expect_eq(pattern_text(options.patterns[TABLE_PEEK]).at[0], 'B', "the last one counts");
    cr_assert_eq(options.output_count, 2);
    cr_expect_eq(options.outputs[1].format, &report_peek);
    cr_assert(parse("x --top 3 --peek B -o a.peek", false), "%s", err.text);
    cr_assert_eq(options.output_count, 2);
    cr_expect_eq(options.outputs[0].format, &report_peek);
    cr_expect_eq(options.outputs[1].format, &report_top);
    cr_assert(parse("x --peek B -f peek", false), "%s", err.text);
    cr_expect_eq(options.output_count, 1);
    options_release(&options);
}

Test(options, peek_only_with_a_pattern_and_one_log)
{
    expect_refused("x --peek (a", "--peek: missing closing parenthesis at character 2, "
                                  "'(a <-- here'");
    expect_refused("x -f peek",
                   "the format peek needs --peek=RE, which says which functions to show");
    expect_refused("x -o a.peek",
                   "the format peek needs --peek=RE, which says which functions to show");
    expect_refused(
        "x --ticks --peek B -o a.csv",
        "only one report can use standard output; write the other to a file with --output");
    expect_refused(
        "x --peek B -f folded",
        "only one report can use standard output; write the other to a file with --output");
    expect_refused("x --peek B --diff old.log",
                   "the format peek cannot show a comparison; leave out --diff");
}

/* ------------------------------------------------------------------- mistakes */

Test(options, that_are_misspelt_bring_up_the_right_one)
{
    expect_refused("x --tikcs", "unknown option '--tikcs'; did you mean '--ticks'?");
    expect_refused("x --peak=a", "unknown option '--peak'; did you mean '--peek'?");
    expect_refused("x --colour=never", "unknown option '--colour'; did you mean '--color'?");
    expect_refused("x --call-me-ishmael", "unknown option '--call-me-ishmael'");
    expect_refused("x --xyz", "unknown option '--xyz'");
    expect_refused("x --mod", "unknown option '--mod'; did you mean '--by=mod'?");
    expect_refused("x --compare=y", "unknown option '--compare'; did you mean '--diff'?");
    expect_refused("x --a-top-row", "unknown option '--a-top-row'");
    expect_refused("x --an-option-that-is-longer-than-any-there-is",
                   "unknown option '--an-option-that-is-longer-than-any-there-is'");
    expect_refused("x -qz --tikcs", "unknown option '-z'");
    expect_refused("x --f=3", "ambiguous option '--f' (--follow, --from, --focus, "
                              "--fold-recursion, --fail-if, --format)");
}

Test(options, have_letters_for_help_and_version)
{
    cr_assert(parse("-h", false));
    cr_expect(options.wants_help && options.wants_short_help && !options.wants_version);
    cr_assert(parse("help", false));
    cr_expect(options.wants_short_help);
    cr_assert(parse("/?", false));
    cr_expect(options.wants_short_help);
    cr_assert(parse("--help", false));
    cr_expect(options.wants_help && !options.wants_short_help);
    cr_assert(parse("-qV", false));
    cr_expect(options.wants_version && !options.wants_help);
    options_release(&options);
}

Test(options, without_effect_on_any_output_name_the_formats_that_they_work_with)
{
    expect_refused_so("x -f speedscope --by file",
                      "--by has no effect on speedscope; it works with top, csv");
    expect_refused_so("x -o a.folded --columns self",
                      "--columns has no effect on folded; it works with top and csv");
    expect_refused_so("x -o a.csv -o b.csv -o c.callgrind --metric calls",
                      "--metric has no effect on csv, callgrind; it works with folded, ");
    expect_refused_so("x --orientation flame",
                      "--orientation has no effect on top; it works with svg");
    expect_refused_so("x -f csv --unit ms",
                      "--unit has no effect on csv; it works with top, peek, ");
    expect_refused_so("x --ticks --focus a",
                      "--focus has no effect on ticks; it works with top, peek, ");
    expect_refused_so("x -f trace --overhead off",
                      "--overhead has no effect on trace; it works with top, ticks, ");
    expect_refused_so("x -f svg --call-sites",
                      "--call-sites has no effect on svg; it works with top, folded, csv");
    expect_refused("x --call-sites",
                   "--call-sites has an effect on tables only with --by=stack; add that");
}

Test(options, with_an_effect_on_one_output_of_several_are_taken)
{
    cr_expect(parse("x --by file -o a.folded -o b.csv", false), "%s", err.text);
    cr_expect(parse("x --by file --top 3 -o b.folded", false), "%s", err.text);
    cr_expect(parse("x --metric calls -o a.svg -o b.csv", false), "%s", err.text);
    cr_expect(parse("x --call-sites -o a.csv -o b.folded", false), "%s", err.text);
    cr_expect(parse("x --call-sites --by stack", false), "%s", err.text);
    cr_expect(parse("x --focus a --ticks -o b.svg", false), "%s", err.text);
    cr_expect(parse("x --color always --paths full -f ticks-csv", false), "%s", err.text);
    options_release(&options);
}
