#include "cli/options/option_rows.h"

#include "cli/options/option_values.h"
#include "report/figures/report_format.h"

/* The parser writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

#define NAME(word) .name = word, .flag = "--" word
#define MEMBER(name) .offset = offsetof(struct options, name)

const struct option_row option_rows[] = {
    {NAME("top"), .letter = 'n', .heading = "What to show", .is_usual = true, .argument = "N",
     .help = "print a table with N rows, 0 for all; the default is 20, and on a terminal what fits",
     .manual = "Print the table on standard output with {N} rows, 0 for all. The default is 20, "
               "and on a terminal the number that fits its height. With {-o}, the table is printed "
               "and the files are written; {N} also holds for files in the format {top}. The other "
               "formats are always complete.",
     .works_with_follow = true, .apply = apply_top},
    {NAME("by"), .letter = 'b', .is_usual = true, .argument = "WHAT",
     .help = "what a row is; in top, csv, json and markdown",
     .manual = "The rows of the formats {top}, {csv}, {json} and {markdown}. See {Sx NAMES AND "
               "PATHS} for mods.",
     .words = &words_of_by, .default_word = "function", .works_with = USES_ROWS,
     .may_be_default = true, MEMBER(show.by)},
    {NAME("sort"), .letter = 's', .argument = "KEY",
     .help = "order the rows by this, largest first; in top, csv, json and markdown",
     .manual = "Order the rows of {top}, {csv}, {json} and {markdown}, largest first. With {max}, "
               "{errors} or {heap}, the table has that column instead of self/call. Memory is "
               "known only if 'memory = true' was set in {Pa profiler.lua}. Equal rows are in "
               "order of self time, then of name, so the same logs always give the same bytes.",
     .words = &words_of_sort, .default_word = "self", .works_with = USES_ROWS,
     .may_be_default = true, MEMBER(show.sort)},
    {NAME("columns"), .argument = "LIST",
     .help = "the columns of top and csv, in this order, with commas between them",
     .manual = "The columns of numbers in {top} and {csv}, in this order, with commas between "
               "them. A value that is not known is '-' in the table and empty in csv. '<1' is a "
               "number of calls that {--diff-rest} or {--normalize} scaled to less than one.",
     .words = &words_of_columns, .takes_list = true, .works_with = USES_COLUMNS,
     .may_be_default = true, .apply = apply_columns},
    {NAME("ticks"), .is_usual = true, .argument = "[N]",
     .help = "print how long the ticks took, and the N worst; 10 by default, 0 for all; recordings "
             "only",
     .manual = "Print the format {ticks} on standard output, with the {N} worst ticks, 10 by "
               "default, 0 for all.",
     .works_with_follow = true, .apply = apply_ticks},
    {NAME("what-if"), .argument = "RE/N",
     .help = "print how slow the ticks would be if the functions that match took an Nth of the "
             "time; recordings only",
     .manual =
         "Print how many ticks would be slow if the self time of the functions that match {RE} "
         "were divided by {N}, with the median and the longest of them; see {Sx WHAT IF}. "
         "{RE*N} multiplies it, and so 'RE*0' takes it away. Repeated, each is shown, and all of "
         "them together. {--ticks}, {json} and {markdown} show it.",
     .is_list = true, .works_with = SHOWS_WHAT_IF, .apply = apply_what_if},
    {NAME("threads"), .is_usual = true,
     .help = "print the threads, by the function that they began with; recordings only",
     .manual =
         "Print one row for each function that threads began with: how many there were, how often "
         "they woke and for how long, and what became of them; see {Sx THREADS}. The formats "
         "{top}, {csv}, {json} and {markdown} have these rows.",
     .similar = "--thread=coroutine shows only call stacks of threads", .works_with = USES_ROWS,
     MEMBER(show.has_threads)},
    {NAME("peek"), .is_usual = true, .argument = "RE",
     .help = "print callers and callees of each function that matches",
     .manual =
         "Print the callers and callees of each function that matches {RE}; see {Sx CALLERS AND "
         "CALLEES}. They go to standard output, or to the {-o FILE} in the format {peek}. {Sx "
         "FILTERS} describes patterns; only the call stacks that the filters left are searched.",
     .works_with_follow = true, .apply = apply_pattern, MEMBER(peek)},
    {NAME("list"), .is_usual = true, .argument = "RE",
     .help = "print the source of functions, with what each line called; --lua-root=DIR has "
             "the sources",
     .manual = "Print the source of each function that matches {RE}, with the calls that each line "
               "made and the time they took; see {Sx SOURCE LINES}. {--lua-root} says where the "
               "sources are. They go to standard output, or to the {-o FILE} in a format that has "
               "them: {list}, {markdown} or {json}. {RE} is that of {--peek}.",
     .works_with_follow = true, .apply = apply_pattern, MEMBER(list)},
    {NAME("tree"), .argument = "[RE]",
     .help = "print the call tree, as far as it is expensive; or the calls below the functions "
             "that match",
     .manual = "Print the call tree on standard output, as far as it is expensive; with {RE}, only "
               "what the functions that match {RE} called; see {Sx CALL TREES}. With {-f} or {-o} "
               "of the format {markdown}, its first 20 lines are in the details there.",
     .works_with_follow = true, .apply = apply_tree, MEMBER(tree_root)},
    {NAME("inverted"), .help = "with --tree, print what called the functions",
     .manual = "With {--tree}, print the functions with the most self time, and below each of them "
               "what called it; with {RE}, what called the functions that match.",
     .works_with_follow = true, .works_with = USES_TREE, MEMBER(show.is_inverted)},
    {NAME("rows"), .argument = "N",
     .help = "the number of rows of the table, of --ticks, --list and --tree, and of callers and "
             "callees of --peek; 0 for all (default: what fits the terminal)",
     .manual =
         "The number of rows of the table, {--threads}, {--ticks}, {--list} and {--tree}, and "
         "of the callers and of the callees of {--peek}; 0 for all. The default is what fits "
         "the terminal, and all of {--peek}. In files, {--list} has the lines with calls and "
         "those beside them, and {--tree} what has a thousandth of the time; with 0 all of "
         "them. {--top} and {--ticks} may have an {N} of their own.",
     .works_with_follow = true, .works_with = USES_LENGTH, .apply = apply_rows},
    {NAME("follow"), .is_usual = true,
     .help = "show the functions while the game writes the log; q ends and reports",
     .manual = "Read on while the game writes {LOG}, and show the 15 functions with the most self "
               "time on the terminal; see {Sx FOLLOWING A GAME}.",
     .works_with_follow = true, MEMBER(reading.follows)},
    {NAME("c-functions"), .argument = "WHOSE",
     .help = "whose row the C functions are in, with --by=file and --by=mod",
     .manual = "With {--by=file} and {--by=mod}, the row that has the calls and times of C "
               "functions. C functions that the engine called have a row of their own.",
     .words = &words_of_c_functions, .default_word = "caller", .works_with = USES_ROWS,
     .may_be_default = true, MEMBER(show.c_functions)},
    {NAME("call-sites"),
     .help = "show the line of each call as a frame (A;A->12;B) in folded, and with --by=stack in "
             "top, csv, json and markdown",
     .manual = "In {folded}, and with {--by=stack} in {top}, {csv}, {json} and {markdown}, put a "
               "frame for the calling line between a caller and its callee: 'A;A->12;B' if 'A' "
               "called 'B' in line 12. 'A->-12' is a tail call near line 12. Stacks with different "
               "calling lines become different stacks. Calls from C functions, and calls whose "
               "line is not known, have no such frame.",
     .works_with = USES_CALL_SITES, MEMBER(show.call_sites)},
    {NAME("overhead"), .argument = "WHAT",
     .help = "how to subtract the cost of recording from the times; IN,OUT are microseconds per "
             "call in the callee and in the caller",
     .manual =
         "The measured times include the cost of recording; this option says how to subtract it. "
         "{IN,OUT} holds for recordings and for records of delins' profiler; {auto} subtracts "
         "nothing from these records.\n\nNo self time becomes negative in this way; the summary "
         "says how much could not be subtracted. Total times and durations of calls become shorter "
         "by the same amounts. See {Sx HOW FAR TO TRUST THE NUMBERS}.",
     .words = &words_of_overhead, .default_word = "auto", .works_with_follow = true,
     .works_with = USES_COSTS, .apply = apply_overhead},
    {NAME("tick"), .heading = "Which part", .is_usual = true, .argument = "N",
     .help =
         "only tick N, or the tick at a game time (1:30); the same as --from=#N with --to of the "
         "next tick; recordings only",
     .manual = "Take only tick {N}: the window from {N} to the tick after it. {N} can also be a "
               "game time as {--from} takes it, such as '1:30.4'; then it is the tick in which "
               "that time is. The table and {--ticks} name the slow ticks.",
     .apply = apply_tick},
    {NAME("from"), .argument = "T",
     .help = "only from game time T (90, 1:30) or from a tick (#900) on; recordings only",
     .manual = "Take only the part of the recording from {T} on. {T} is a game time in seconds "
               "('90', '90.5'), minutes ('1:30') or hours ('1:00:30'), or a tick ('#900'), which "
               "most shells want in quotes. The window that {--from} and {--to} take begins and "
               "ends with a tick. A call that runs across its borders is cut there: only its time "
               "inside counts, and a call that began before the window is not counted. Records of "
               "delins' profiler have no game time, so they are left out.",
     .apply = apply_border, MEMBER(reading.rebuild.from)},
    {NAME("to"), .argument = "T",
     .help = "only before game time T or before a tick; recordings only",
     .manual = "Take only the part of the recording before {T}; see {--from}.",
     .apply = apply_border, MEMBER(reading.rebuild.to)},
    {NAME("ticks-over"), .argument = "MS",
     .help = "only ticks that took more than MS ms (100), more than 100 and at most 200 ms "
             "(100..200), or at most 50 ms (..50); recordings only",
     .manual = "Take only ticks in which Lua took more than {MS} milliseconds, such as '100'. "
               "'100..200' takes those of more than 100 and at most 200 ms, '..50' those of at "
               "most 50 ms. The time of a tick is {Li time_us} of {ticks-csv}, from which the cost "
               "of recording is subtracted. With {--from} and {--to}, only ticks of that window "
               "are taken. Calls are cut at the borders of these ticks as at those of a window. "
               "Time outside of all ticks is left out; the table shows how much that is.\n\nThe "
               "length of a tick is known only at its end, so each log is read twice. That takes "
               "twice the time, and needs a file: standard input cannot be read twice.",
     .apply = apply_ticks_over},
    {NAME("run"), .argument = "N", .help = "only the Nth profiling run of the logs",
     .manual = "Take only the {N}th profiling run. Runs are counted from 1, over all logs in the "
               "order given. A run begins where the log says 'Starting profiler', and where a "
               "recording begins; records before the first such line of a log are a run too. "
               "Without this option all runs are added up.",
     .apply = apply_run},
    {NAME("state"), .argument = "WHICH", .help = "only recordings of this Lua",
     .manual = "The sim and the user interface have a Lua each, and one log can have recordings of "
               "both. Their times are never added up: a report is of one of them. In a recording "
               "of the user interface, a tick is a frame: it has a number, and no game time.",
     .words = &words_of_state, .default_word = "first", .works_with_follow = true,
     MEMBER(reading.state)},
    {NAME("thread"), .argument = "WHICH", .help = "only stacks of this kind of thread",
     .manual =
         "Take only the stacks that ran on this kind of thread. Records of delins' profiler have "
         "one time for a stack that ran on both kinds, so {main} and {coroutine} both take such a "
         "stack. Percentages are shares of the time of the stacks that were taken.",
     .similar = "--threads lists the threads", .words = &words_of_thread, .default_word = "all",
     .apply = apply_thread},
    {NAME("focus"), .is_usual = true, .argument = "RE",
     .help = "only call stacks with a function that matches; RE is searched in names and places as "
             "they are shown",
     .manual = "Keep the call stacks in which a function matches; see {Sx FILTERS}.",
     .is_list = true, .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_FOCUS},
    {NAME("ignore"), .argument = "RE", .help = "only call stacks without a function that matches",
     .manual = "Keep the call stacks in which no function matches; see {Sx FILTERS}.",
     .is_list = true, .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_IGNORE},
    {NAME("show-from"), .argument = "RE",
     .help = "only call stacks with a match, from the first match on",
     .manual = "Keep the same stacks as {--focus}, and remove the frames above the first match; "
               "see {Sx FILTERS}.",
     .is_list = true, .works_with = USES_FILTERS, .apply = apply_filter, .value = FILTER_SHOW_FROM},
    {NAME("hide"), .argument = "RE",
     .help = "remove the functions that match; their time goes to their callers",
     .manual = "Remove the functions that match from all stacks, and add their time to their "
               "callers; see {Sx FILTERS}.",
     .is_list = true, .works_with = USES_FILTERS, .may_be_default = true, .apply = apply_filter,
     .value = FILTER_HIDE},
    {NAME("hide-file"), .argument = "FILE", .help = "--hide for each line of FILE",
     .manual = "Apply {--hide} with each line of {FILE}, for instance a list that a team shares. "
               "Blanks around a pattern, empty lines and lines that begin with '#' are ignored.",
     .is_list = true, .takes = TAKES_FILE, .works_with = USES_FILTERS, .may_be_default = true,
     .apply = apply_hide_file},
    {NAME("fold-recursion"),
     .help = "keep only the first call from X to Y in a stack; repetitions are added to it",
     .manual = "Keep only the first call from a function X to a function Y in each call stack: "
               "repetitions of it are added to that one. The size of the tree then depends on the "
               "program, not on the depth of its recursion. Calls and times of each function, and "
               "of each pair of caller and callee, do not change. See {Sx FOLDED RECURSION}.",
     .works_with = USES_FILTERS, MEMBER(selection.folds_recursion)},
    {NAME("max-depth"), .argument = "N",
     .help = "fold frames deeper than N into their callers; 0: list all frames of deep stacks",
     .manual =
         "Shorten call stacks to {N} frames. The time of deeper frames goes to the last frame that "
         "is left; their calls are no longer counted.\n\nWithout this option, the formats that "
         "write stack by stack ({folded}, {speedscope}, {pprof}, and with {--by=stack} {top}, "
         "{csv}, {json} and {markdown}) keep their output in proportion to the log. If all stacks "
         "together would be too long, because of a recursion of thousands of calls, the deepest "
         "stacks are shortened: a frame '(folded)' replaces those between the first frames and the "
         "last one, and a message says how many stacks that are. With 0, all stacks are written "
         "whole, which can take many gigabytes.",
     .works_with = USES_FILTERS, .apply = apply_max_depth},
    {NAME("min-pct"), .argument = "P",
     .help = "fold functions with less than P percent of the time into their callers",
     .manual = "Remove frames with less than {P} percent of the time that is shown, together with "
               "all frames below them. Their time goes to their callers, or to a function "
               "'(folded)' if they have none; their calls are no longer counted.",
     .works_with = USES_FILTERS, .apply = apply_min_pct},
    {NAME("diff"), .letter = 'd', .heading = "Compare", .is_usual = true, .argument = "OLD",
     .help = "compare with an older log; in top, ticks, ticks-csv, csv, folded, svg, html, json "
             "and markdown; may be repeated",
     .manual = "Compare with an older log; see {Sx COMPARING TWO LOGS}. Several old logs are "
               "merged, as several new ones are. The last part of {OLD} may contain '*' and '?', "
               "in quotes: {--diff \"old/*.log\"}.",
     .is_list = true, .takes = TAKES_FILE, .apply = apply_diff},
    {NAME("repeated"),
     .help = "the logs are repetitions of one game: show medians and how far the logs differ; with "
             "--diff, mark changes that may be chance",
     .manual = "Take each {LOG}, and each {OLD} of {--diff}, as a repetition of the same game, and "
               "show how far they differ, in {top}, {csv} and {json}; see {Sx SEVERAL LOGS OF THE "
               "SAME GAME}. Without this option, several logs are added up.",
     MEMBER(is_repeated)},
    {NAME("normalize"), .argument = "TO",
     .help = "with --diff, scale the old values to those of the new log",
     .manual = "Before the comparison, scale the old times to the number of calls, the number of "
               "ticks, or the total time of the new log. With {call} and {total}, calls, errors "
               "and memory are not scaled.",
     .words = &words_of_normalize, .default_word = "none", .works_with = USES_FILTERS,
     MEMBER(normalize)},
    {NAME("diff-rest"),
     .help = "with --ticks-over, compare with the other ticks of the same logs, per tick",
     .manual =
         "With {--ticks-over}, compare with all other ticks of the same logs, as {--diff} does, "
         "scaled to the same number of ticks. This shows what is different in slow ticks.",
     MEMBER(compares_rest)},
    {NAME("fail-if"), .argument = "EXPR",
     .help = "exit with status 4 if EXPR holds, for example \"total>+5%\" or "
             "\"self(RE)>2ms/tick\"; may be repeated",
     .manual = "Exit with status 4 if {EXPR} holds, with a line on standard error that names it; "
               "see {Sx LIMITS}.",
     .is_list = true, .apply = apply_fail_if},
    {NAME("output"), .heading = "Write", .letter = 'o', .is_usual = true, .argument = "FILE",
     .help = "write FILE in the format of its suffix; may be repeated, all files come from one "
             "reading; - is standard output",
     .manual =
         "Write {FILE} instead of the table on standard output. Its suffix chooses the format, in "
         "any letter case; see {Sx FORMATS}. Any other suffix is a usage error, unless {-f} is "
         "given. '-' is standard output, with the format {top} unless {-f} names another. Only one "
         "report can use standard output.\n\nA regular file is written under a temporary name in "
         "the same folder, and gets its own name when it is complete. After a failure the old file "
         "is still there, unchanged. A symbolic link is followed; a pipe or a device is written to "
         "directly. A log that is being read is never replaced.\n\nAfter writing, supprof prints "
         "one line on standard error for each file: its name and contents, and what its format "
         "could not show, such as negative times. The last line says how many records and events "
         "were read, how long they took, how many were damaged, and how much of the cost of "
         "recording was subtracted.",
     .is_list = true, .works_with_follow = true, .takes = TAKES_FILE, .apply = apply_output},
    {NAME("format"), .letter = 'f', .argument = "NAME",
     .help = "write this format, whatever the suffix; see Formats below",
     .manual = "Write every {-o FILE} in this format, whatever its suffix; without {-o}, write it "
               "to standard output. {NAME} may also be a suffix of a format without its dot, such "
               "as {md}. See {Sx FORMATS}.",
     .words = &words_of_format, .works_with_follow = true, .apply = apply_format},
    {NAME("open"), .is_usual = true,
     .help = "write an HTML report beside the log, and open it; without LOG, take "
             "the newest log of the game",
     .manual =
         "Write the report of the format {html} beside the first {LOG}, unless {-o} names files, "
         "and open the first written file in the system's program for it. If the folder of the log "
         "is not writable, the report goes to a folder {Pa supprof} in the user's own data. A "
         "{LOG} may be a folder: the newest log in it is read. Without {LOG}, supprof takes the "
         "newest log beside the program, in the folders above it, in FAF's folder, and in the "
         "folders of the game and of LOUD in the Steam libraries.\n\nOn Windows, a double click on "
         "the program has the effect of this option, and so has dragging logs onto it.",
     MEMBER(opens)},
    {NAME("no-source"), .help = "write html without the source of functions",
     .manual = "Leave the source of functions out of {html}, for a page that is for others; see "
               "{--lua-root}.",
     .works_with_follow = true, .works_with = USES_TEXTS, MEMBER(show.has_no_source)},
    {NAME("metric"), .argument = "WHAT",
     .help = "the value that folded and svg show, and the first one of speedscope, pprof and html",
     .manual = "The value of call stacks that {folded} and {svg} show, and the one of several "
               "values that {speedscope}, {pprof} and {html} show first.",
     .words = &words_of_metric, .default_word = "time", .works_with_follow = true,
     .works_with = USES_METRIC, MEMBER(show.metric)},
    {NAME("orientation"), .argument = "WHAT", .help = "the direction of an svg",
     .manual = "The direction of the frames in an {svg}.", .words = &words_of_orientation,
     .default_word = "icicle", .works_with_follow = true, .works_with = USES_ORIENTATION,
     .may_be_default = true, MEMBER(show.orientation)},
    {NAME("max-size"), .argument = "MB",
     .help = "the largest size of an html page (default: 10), 0 for no limit",
     .manual = "The largest size of a page in the format {html}, in megabytes; 0 for no limit. If "
               "a page would be larger, ticks of at most 100 ms are joined first, up to 1,000 into "
               "one, which can then only be chosen together. If that is not enough, no ticks can "
               "be chosen in the page, and the frames with the least time are folded into their "
               "callers as by {--min-pct}; the page says how much time they had.",
     .works_with_follow = true, .works_with = USES_SIZE, .apply = apply_max_size},
    {NAME("lua-root"), .heading = "Names", .is_usual = true, .argument = "DIR",
     .help = "find names for functions in the Lua sources below DIR; those of the game or "
             "of a mod; may be repeated",
     .manual = "Find names for Lua functions that have none in the log. {DIR} has the Lua sources: "
               "those of the game, with the folders {Pa lua , units} and so on; the folder {Pa "
               "gamedata} with its archives unpacked; the folder {Pa lua} itself; or the folder of "
               "a mod or a map. Letter case does not matter. If the option is repeated, a later "
               "{DIR} is searched for files that the others lack. See {Sx NAMES AND "
               "PATHS}.\n\nWhere the game has appended files of mods to its own, the sources also "
               "tell which function is of which mod; see {Sx Hooks of mods}.\n\nA file gives no "
               "names if it is of another version than the game ran, or cannot be read. Messages "
               "on standard error say how many such files there are, and whether any file was "
               "found. {-v} says how many functions got a name, and which files gave none and why.",
     .is_list = true, .works_with_follow = true, .takes = TAKES_DIRECTORY, .may_be_default = true,
     .apply = apply_lua_root},
    {NAME("paths"), .argument = "STYLE", .help = "how paths are shown",
     .manual = "How paths are shown. Mods are found either way.", .words = &words_of_paths,
     .default_word = "short", .works_with_follow = true, .may_be_default = true,
     MEMBER(reading.path_style)},
    {NAME("unit"), .heading = "Output", .argument = "UNIT",
     .help = "show times of top, peek, folded, svg and markdown in this unit",
     .manual =
         "Show times in this unit. In {folded} it is the unit of the weights, by default {us}. In "
         "{top}, {peek} and {markdown} the default depends on the length of the profile, and "
         "self/call is in {us}; with this option, all columns have the same unit. In {svg} each "
         "time has a unit that suits it by default. The format {csv} is always in microseconds.",
     .words = &words_of_unit, .works_with_follow = true, .works_with = USES_UNIT,
     .may_be_default = true, MEMBER(show.unit)},
    {NAME("color"), .argument = "WHEN", .help = "use colours in tables",
     .manual =
         "Use bold, dim and coloured text in the table. {auto} does so only on a terminal that has "
         "colours; see {Sx ENVIRONMENT}. A self% of 10 or more is red, one of 2 or more magenta.",
     .words = &words_of_when, .default_word = "auto", .works_with_follow = true,
     .may_be_default = true, MEMBER(color)},
    {NAME("progress"), .argument = "WHEN", .help = "show progress on standard error",
     .manual = "Show on standard error how much of the logs has been read, at most ten times a "
               "second, and erase it at the end.",
     .words = &words_of_when, .default_word = "auto", .may_be_default = true, MEMBER(progress)},
    {NAME("quiet"), .letter = 'q', .help = "print only errors on standard error",
     .manual = "Print only errors on standard error: no damaged records, no lines about the logs "
               "and the written files, and no progress unless {--progress=always} is given.",
     .works_with_follow = true, MEMBER(is_quiet)},
    {NAME("verbose"), .letter = 'v', .help = "print more about the logs, and list all damage",
     .manual =
         "Print more lines above the table: the threads in which the time was spent, the slowest "
         "ticks, and the cost of recording. Say what was read even if no file was written, with "
         "the numbers of runs, of distinct stacks and of bytes after decompression. List every "
         "damaged record. List at most 20 of the functions that have several names, with up to "
         "five names each and the number of calls that used each name; reports show the first "
         "name. A recording asks for the name of a function once, which counts as one call.",
     .works_with_follow = true, MEMBER(show.is_verbose)},
    {NAME("strict"), .help = "treat damage and missing lines as an error; exit status 3",
     .manual =
         "Treat any damaged record, and any missing line of a recording, as an error: no file is "
         "written and the exit status is 3. Damage in runs that {--run} leaves out counts, too.",
     MEMBER(reading.is_strict)},
    {NAME("codes"), .help = "begin messages with a code in brackets, for programs",
     .manual = "Begin messages on standard error with a code in square brackets, for programs that "
               "run supprof: the option that a failure is about, such as [--from], or a word. The "
               "words are [not-a-log], [archive], [unreadable], [damaged-file], [no-recording], "
               "[all-damaged], [sources], [sources-of-another-version], [written], [summary] and "
               "[other]. Later versions may change the sentences, but not the codes.",
     .works_with_follow = true, MEMBER(shows_codes)},
    {NAME("no-config"),
     .help = "read no options from the files .supprof and config, and from SUPPROF_LUA_ROOT",
     .manual = "Take no options from files and from {Ev SUPPROF_LUA_ROOT}; see {Sx DEFAULTS}.",
     .works_with_follow = true, MEMBER(ignores_defaults)},
    {NAME("help"), .letter = 'h',
     .help = "print this help; -h prints the options that people use, on one screen",
     .manual = "Print all options on standard output and exit. {-h} prints those that people use, "
               "and so do 'supprof help' and 'supprof /?'.",
     .works_with_follow = true, MEMBER(wants_help)},
    {NAME("version"), .letter = 'V', .help = "print the version",
     .manual = "Print the version on standard output and exit.", .works_with_follow = true,
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
