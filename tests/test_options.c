#include "options.h"

#include <criterion/criterion.h>
#include <getopt.h>
#include <stdio.h>
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
    optind = 0;
    options_release(&options);
    return options_parse(&options, argc, argv, has_piped_input, &err);
}

static void expect_refused(const char *words, const char *message)
{
    cr_expect_not(parse(words, false), "%s", words);
    cr_expect_str_eq(err.text, message);
    options_release(&options);
}

Test(options, show_the_top_20_by_default)
{
    cr_assert(parse("x.log", false));
    cr_expect_eq(options.row_limit, 20);
    cr_assert_eq(options.output_count, 1);
    cr_expect_str_eq(options.outputs[0].path, "-");
    cr_expect_eq(options.outputs[0].format, &report_top);
    options_release(&options);
}

Test(options, may_stand_behind_logs_and_be_shortened)
{
    cr_assert(parse("x.log --str y.log -q", false));
    cr_expect_eq(options.log_count, 2);
    cr_expect(options.is_strict && options.is_quiet);
    cr_assert(parse("-- -q", false));
    cr_expect_str_eq(options.logs[0], "-q");
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
    cr_expect_eq(options.row_limit, 5);
    options_release(&options);
}

Test(options, read_standard_input_from_a_pipe_only)
{
    cr_assert(parse("", true));
    cr_expect_str_eq(options.logs[0], "-");
    expect_refused("", "no log is named");
}

Test(options, that_are_wrong_say_what_would_be_right)
{
    expect_refused("x --by=color", "'color' is no value for --by; choose one of function, file, "
                                   "mod, line, stack, thread");
    expect_refused(
        "x -f svg",
        "'svg' is no value for --format; choose one of top, ticks, folded, csv, ticks-csv");
    expect_refused("x --top=many", "'many' is no value for --top; give a whole number");
    expect_refused("x --top=-1", "'-1' is no value for --top; give a whole number");
    expect_refused("x --run=0", "'0' is no value for --run; runs are counted from 1");
    expect_refused("x --run=4294967296", "'4294967296' is no value for --run; give a whole number");
    expect_refused("x --top", "--top needs a value: --top=N");
    expect_refused("x --strict=yes", "--strict takes no value");
    expect_refused("x --nothing", "there is no option '--nothing', or it is short for several");
    expect_refused("x --s", "there is no option '--s', or it is short for several");
    expect_refused("x -z", "there is no option -z");
    expect_refused("x -o a.svg", "'a.svg' has no suffix of a known format; name one with --format");
    expect_refused("x -o a.csv -o a.csv", "'a.csv' is named twice as output");
    expect_refused("x -o - --top 3",
                   "more than one report wants standard output; name a file for one");
    expect_refused("x -f csv --top 3", "--top and --format=csv both want standard output; name a "
                                       "file for one with --output");
}
