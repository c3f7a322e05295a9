#include "cli/options/option_rows.h"

#include "cli/options/option_values.h"

/* The parser writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

#define NAME(word) .name = word, .flag = "--" word
#define MEMBER(name) .offset = offsetof(struct options, name)

const struct option_row option_rows[] = {
    {NAME("top"), .letter = 'n', .heading = "What to show", .is_usual = true, .argument = "N",
     .help = "print a table with N rows, 0 for all; the default is 20, and on a terminal what fits",
     .works_with_follow = true, .apply = apply_top},
    {NAME("by"), .letter = 'b', .is_usual = true, .argument = "WHAT",
     .help = "what a row is; in top, csv, json and markdown", .words = &words_of_by,
     .default_word = "function", .works_with = USES_ROWS, .may_be_default = true, MEMBER(show.by)},
    {NAME("sort"), .letter = 's', .argument = "KEY",
     .help = "order the rows by this, largest first; in top, csv, json and markdown",
     .words = &words_of_sort, .default_word = "self", .works_with = USES_ROWS,
     .may_be_default = true, MEMBER(show.sort)},
    {NAME("columns"), .argument = "LIST",
     .help = "the columns of top and csv, in this order, with commas between them",
     .words = &words_of_columns, .takes_list = true, .works_with = USES_COLUMNS,
     .may_be_default = true, .apply = apply_columns},
    {NAME("ticks"), .is_usual = true, .argument = "[N]",
     .help = "print how long the ticks took, and the N worst; 10 by default, 0 for all; recordings "
             "only",
     .works_with_follow = true, .apply = apply_ticks},
    {NAME("what-if"), .argument = "RE/N",
     .help = "print how slow the ticks would be if the functions that match took an Nth of the "
             "time; recordings only",
     .is_list = true, .works_with = SHOWS_WHAT_IF, .apply = apply_what_if},
    {NAME("slow-over"), .argument = "MS",
     .help = "ticks that took more than MS ms are slow; 100 by default, and 33 for frames of the "
             "user interface",
     .works_with_follow = true, .apply = apply_slow_over},
    {NAME("threads"), .is_usual = true,
     .help = "print the threads, by the function that they began with; recordings only",
     .similar = "--thread=coroutine shows only call stacks of threads", .works_with = USES_ROWS,
     MEMBER(show.has_threads)},
    {NAME("peek"), .is_usual = true, .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "print callers and callees of each function that matches", .works_with_follow = true,
     .apply = apply_pattern, MEMBER(peek)},
    {NAME("list"), .is_usual = true, .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "print the source of functions, with what each line called; --lua-root=DIR has "
             "the sources",
     .works_with_follow = true, .apply = apply_pattern, MEMBER(list)},
    {NAME("tree"), .argument = "[RE]", .takes = TAKES_FUNCTION,
     .help = "print the call tree, as far as it is expensive; or the calls below the functions "
             "that match",
     .works_with_follow = true, .apply = apply_tree, MEMBER(tree_root)},
    {NAME("inverted"), .help = "with --tree, print what called the functions",
     .works_with_follow = true, .works_with = USES_TREE, MEMBER(show.is_inverted)},
    {NAME("rows"), .argument = "N",
     .help = "the number of rows of the table, of --ticks, --list and --tree, and of callers and "
             "callees of --peek; 0 for all (default: what fits the terminal)",
     .works_with_follow = true, .works_with = USES_LENGTH, .apply = apply_rows},
    {NAME("follow"), .is_usual = true,
     .help = "show the functions while the game writes the log; q ends and reports",
     .works_with_follow = true, MEMBER(reading.follows)},
    {NAME("c-functions"), .argument = "WHOSE",
     .help = "whose row the C functions are in, with --by=file and --by=mod",
     .words = &words_of_c_functions, .default_word = "caller", .works_with = USES_ROWS,
     .may_be_default = true, MEMBER(show.c_functions)},
    {NAME("call-sites"),
     .help = "show the line of each call as a frame (A;A->12;B) in folded, and with --by=stack in "
             "top, csv, json and markdown",
     .works_with = USES_CALL_SITES, MEMBER(show.call_sites)},
    {NAME("overhead"), .argument = "WHAT",
     .help = "how to subtract the cost of recording from the times; IN,OUT are microseconds per "
             "call in the callee and in the caller",
     .words = &words_of_overhead, .default_word = "auto", .works_with_follow = true,
     .works_with = USES_COSTS, .apply = apply_overhead},
    {NAME("tick"), .heading = "Which part", .is_usual = true, .argument = "N",
     .help =
         "only tick N, or the tick at a game time (1:30); the same as --from=#N with --to of the "
         "next tick; recordings only",
     .apply = apply_tick},
    {NAME("from"), .argument = "T",
     .help = "only from game time T (90, 1:30) or from a tick (#900) on; recordings only",
     .apply = apply_border, MEMBER(reading.rebuild.from)},
    {NAME("to"), .argument = "T",
     .help = "only before game time T or before a tick; recordings only", .apply = apply_border,
     MEMBER(reading.rebuild.to)},
    {NAME("ticks-over"), .argument = "MS",
     .help = "only ticks that took more than MS ms (100), more than 100 and at most 200 ms "
             "(100..200), or at most 50 ms (..50); recordings only",
     .apply = apply_ticks_over},
    {NAME("run"), .argument = "N", .help = "only the Nth profiling run of the logs",
     .apply = apply_run},
    {NAME("state"), .argument = "WHICH", .help = "only recordings of this Lua",
     .words = &words_of_state, .default_word = "first", .works_with_follow = true,
     MEMBER(reading.rebuild.state)},
    {NAME("thread"), .argument = "WHICH", .help = "only stacks of this kind of thread",
     .similar = "--threads lists the threads", .words = &words_of_thread, .default_word = "all",
     MEMBER(selection.threads)},
    {NAME("focus"), .is_usual = true, .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "only call stacks with a function that matches; RE is searched in names and places as "
             "they are shown",
     .is_list = true, .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_FOCUS},
    {NAME("ignore"), .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "only call stacks without a function that matches", .is_list = true,
     .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_IGNORE},
    {NAME("show-from"), .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "only call stacks with a match, from the first match on", .is_list = true,
     .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_SHOW_FROM},
    {NAME("hide"), .argument = "RE", .takes = TAKES_FUNCTION,
     .help = "remove the functions that match; their time goes to their callers", .is_list = true,
     .works_with = USES_FILTERS, .may_be_default = true, .apply = apply_filter,
     .value = FILTER_HIDE},
    {NAME("hide-file"), .argument = "FILE", .help = "--hide for each line of FILE", .is_list = true,
     .takes = TAKES_FILE, .works_with = USES_FILTERS, .may_be_default = true,
     .apply = apply_hide_file},
    {NAME("fold-recursion"),
     .help = "keep only the first call from X to Y in a stack; repetitions are added to it",
     .works_with = USES_FILTERS, MEMBER(selection.folds_recursion)},
    {NAME("max-depth"), .argument = "N",
     .help = "fold frames deeper than N into their callers; 0: list all frames of deep stacks",
     .works_with = USES_FILTERS, .apply = apply_max_depth},
    {NAME("min-pct"), .argument = "P",
     .help = "fold functions with less than P percent of the time into their callers",
     .works_with = USES_FILTERS, .apply = apply_min_pct},
    {NAME("diff"), .letter = 'd', .heading = "Compare", .is_usual = true, .argument = "OLD",
     .help = "compare with an older log; in top, ticks, ticks-csv, csv, folded, svg, html, json "
             "and markdown; may be repeated",
     .is_list = true, .takes = TAKES_FILE, .apply = apply_diff},
    {NAME("repeated"),
     .help = "the logs are repetitions of one game: show medians and how far the logs differ; with "
             "--diff, mark changes that may be chance",
     MEMBER(is_repeated)},
    {NAME("normalize"), .argument = "TO",
     .help = "with --diff, scale the old values to those of the new log",
     .words = &words_of_normalize, .default_word = "none", .works_with = USES_FILTERS,
     MEMBER(normalize)},
    {NAME("diff-rest"),
     .help = "with --ticks-over, compare with the other ticks of the same logs, per tick",
     MEMBER(compares_rest)},
    {NAME("fail-if"), .argument = "EXPR",
     .help = "exit with status 4 if EXPR holds, for example \"total>+5%\" or "
             "\"self(RE)>2ms/tick\"; may be repeated",
     .is_list = true, .apply = apply_fail_if},
    {NAME("output"), .heading = "Write", .letter = 'o', .is_usual = true, .argument = "FILE",
     .help = "write FILE in the format of its suffix; may be repeated, all files come from one "
             "reading; - is standard output",
     .is_list = true, .works_with_follow = true, .takes = TAKES_FILE, .apply = apply_output},
    {NAME("format"), .letter = 'f', .argument = "NAME",
     .help = "write this format, whatever the suffix; see Formats below", .words = &words_of_format,
     .works_with_follow = true, .apply = apply_format},
    {NAME("open"), .is_usual = true,
     .help = "write an HTML report beside the log, and open it; without LOG, take "
             "the newest log of the game",
     MEMBER(opens)},
    {NAME("no-source"), .help = "write html without the source of functions",
     .works_with_follow = true, .works_with = USES_TEXTS, MEMBER(show.has_no_source)},
    {NAME("metric"), .argument = "WHAT",
     .help = "the value that folded and svg show, and the first one of speedscope, pprof and html",
     .words = &words_of_metric, .default_word = "time", .works_with_follow = true,
     .works_with = USES_METRIC, MEMBER(show.metric)},
    {NAME("orientation"), .argument = "WHAT", .help = "the direction of an svg",
     .words = &words_of_orientation, .default_word = "icicle", .works_with_follow = true,
     .works_with = USES_ORIENTATION, .may_be_default = true, MEMBER(show.orientation)},
    {NAME("max-size"), .argument = "MB",
     .help = "the largest size of an html page (default: 10), 0 for no limit",
     .works_with_follow = true, .works_with = USES_SIZE, .apply = apply_max_size},
    {NAME("lua-root"), .heading = "Names", .is_usual = true, .argument = "DIR",
     .help = "find names for functions in the Lua sources below DIR; those of the game or "
             "of a mod; may be repeated",
     .is_list = true, .works_with_follow = true, .takes = TAKES_DIRECTORY, .may_be_default = true,
     .apply = apply_lua_root},
    {NAME("paths"), .argument = "STYLE", .help = "how paths are shown", .words = &words_of_paths,
     .default_word = "short", .works_with_follow = true, .may_be_default = true,
     MEMBER(reading.path_style)},
    {NAME("unit"), .heading = "Output", .argument = "UNIT",
     .help = "show times of top, peek, folded, svg and markdown in this unit",
     .words = &words_of_unit, .works_with_follow = true, .works_with = USES_UNIT,
     .may_be_default = true, MEMBER(show.unit)},
    {NAME("color"), .argument = "WHEN", .help = "use colours in tables", .words = &words_of_when,
     .default_word = "auto", .works_with_follow = true, .may_be_default = true, MEMBER(color)},
    {NAME("progress"), .argument = "WHEN", .help = "show progress on standard error",
     .words = &words_of_when, .default_word = "auto", .may_be_default = true, MEMBER(progress)},
    {NAME("quiet"), .letter = 'q', .help = "print only errors on standard error",
     .works_with_follow = true, MEMBER(is_quiet)},
    {NAME("verbose"), .letter = 'v', .help = "print more about the logs, and list all damage",
     .works_with_follow = true, MEMBER(show.is_verbose)},
    {NAME("strict"), .help = "treat damage and missing lines as an error; exit status 3",
     MEMBER(reading.is_strict)},
    {NAME("codes"), .help = "begin messages with a code in brackets, for programs",
     .works_with_follow = true, MEMBER(shows_codes)},
    {NAME("no-config"),
     .help = "read no options from the files .supprof and config, and from SUPPROF_LUA_ROOT",
     .works_with_follow = true, MEMBER(ignores_defaults)},
    {NAME("mcp"),
     .help = "answer an AI assistant that speaks the Model Context Protocol on standard input and "
             "output",
     MEMBER(speaks_mcp)},
    {NAME("help"), .letter = 'h',
     .help = "print this help; -h prints the options that people use, on one screen",
     .works_with_follow = true, MEMBER(wants_help)},
    {NAME("version"), .letter = 'V', .help = "print the version", .works_with_follow = true,
     MEMBER(wants_version)},
};

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MAX, "room for all");

const struct option_row *option_row_find(struct span name)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (span_is(name, option_rows[i].name))
            return &option_rows[i];
    return NULL;
}
