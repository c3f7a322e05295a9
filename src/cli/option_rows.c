#include "cli/option_rows.h"

#include "cli/option_values.h"

/* The parser writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

#define MEMBER(name) .offset = offsetof(struct options, name)

const struct option_row option_rows[] = {
    {.letter = 'o',
     .name = "output",
     .argument = "FILE",
     .help = "write FILE in the format of its suffix; may be repeated: all files come from one "
             "reading; - is standard output",
     .manual =
         "Write {FILE} instead of the table on standard output. Its suffix chooses the format, in "
         "any letter case; see {Sx FORMATS}. Any other suffix is a usage error, unless {-f} is "
         "given. '-' is standard output, with the format {top} unless {-f} names another. At most "
         "one report can go to standard output.\n"
         "\n"
         "A regular file is written under a temporary name beside it and renamed when it is "
         "complete. After a failure the old file is still there, as it was. A symbolic link is "
         "followed; a pipe or a device is written to directly. A log that is being read is never "
         "replaced.\n"
         "\n"
         "After writing files, supprof says in one line for each file on standard error what it "
         "has written. A last line says how many records and events were read, their time, how "
         "many damaged ones were skipped, whether the cost of recording was subtracted and how "
         "much that was. A line for each file says what its format could not show, such as "
         "negative "
         "times.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .apply = apply_output},
    {.name = "open",
     .help = "write a report beside the log and open it in the browser; without LOG, of the newest "
             "log of the game",
     .manual =
         "Write the report of the format {html} beside the first {LOG} unless {-o} names files, "
         "and open the first file that was written in the program that the system has for it. "
         "Where nothing can be written beside the log, the report goes to a folder {Pa supprof} "
         "of the user's own data. A {LOG} may be a folder, and stands for the newest log in it. "
         "Without {LOG}, the newest log is taken that lies beside the program or in the folders "
         "above it, in FAF's folder, or with the game or LOUD in a Steam library.\n"
         "\n"
         "On Windows this option is given by dragging logs on the program, or by a double click.",
     MEMBER(opens)},
    {.letter = 'f',
     .name = "format",
     .argument = "NAME",
     .help = "write this format, whatever the suffix; see Formats below",
     .manual = "Write every {-o FILE} in this format, whatever its suffix; without {-o}, write it "
               "to standard output. See {Sx FORMATS}.",
     .words = &words_of_format,
     .apply = apply_format},
    {.name = "top",
     .argument = "N",
     .help = "print a table with N rows, 0 for all (default: 20; on a terminal, what fits)",
     .manual =
         "Print the table on standard output with {N} rows, 0 for all. The default is 20, and "
         "on a terminal the number that fits its height. "
         "Together with {-o} the table is printed as well as the files are written, and {N} "
         "also holds for files in the format {top}. The other formats are always complete.",
     .apply = apply_top},
    {.name = "by",
     .argument = "WHAT",
     .help = "what a row of top and csv is",
     .manual = "What a row of the formats {top} and {csv} stands for. See {Sx NAMES AND PATHS} for "
               "mods.",
     .words = &words_of_by,
     .default_word = "function",
     .works_with = USES_ROWS,
     MEMBER(by)},
    {.name = "sort",
     .argument = "KEY",
     .help = "order the rows of top and csv, largest first",
     .manual =
         "Order the rows of {top} and {csv}, largest first. For {max}, {errors} and {heap} the "
         "table has a column in place of self/call. Memory is known where 'memory = true' was set "
         "in {Pa profiler.lua}. Equal rows are ordered by self time, then by name, so that the "
         "same logs always give the same bytes.",
     .words = &words_of_sort,
     .default_word = "self",
     .works_with = USES_ROWS,
     MEMBER(sort)},
    {.name = "ticks",
     .argument = "[N]",
     .help = "print the ticks of recordings against their budget of 100 ms, and the N worst "
             "(default: 10), 0 for all",
     .manual = "Print the format {ticks} on standard output, with the {N} worst ticks, 10 by "
               "default, 0 for all.",
     .apply = apply_ticks},
    {.name = "peek",
     .argument = "RE",
     .help = "print callers and callees of each function that matches",
     .manual = "Print on standard output, or write to the {-o FILE} in the format {peek}, who "
               "called each function that matches {RE}, and what it called; see {Sx CALLERS AND "
               "CALLEES}. The pattern is one as in {Sx FILTERS}, and looks at what the filters "
               "have left.",
     .apply = apply_peek},
    {.name = "from",
     .argument = "T",
     .help = "only from game time T (90, 1:30) or from a tick (#900); recordings only",
     .manual =
         "Take only what happened in a window: from {T} on. {T} is a game time in seconds ('90', "
         "'90.5'), minutes ('1:30') or hours ('1:00:30'), or a tick ('#900'), which a shell wants "
         "in quotes. A window begins and ends with a tick. It cuts what is running at its borders "
         "exactly: only time inside counts, and a call that began before is not counted. Records "
         "of delins' profiler do not say when they were, and are left out.",
     .apply = apply_from},
    {.name = "to",
     .argument = "T",
     .help = "only before game time T or before a tick; recordings only",
     .manual = "Take only what happened before {T}; see {--from}.",
     .apply = apply_to},
    {.name = "tick",
     .argument = "N",
     .help = "only tick N, as --from=#N with --to of the next; recordings only",
     .manual = "Take only what happened in tick {N}: the window from {N} to the tick after it. The "
               "table and {--ticks} name the slow ticks.",
     .apply = apply_tick},
    {.name = "ticks-over",
     .argument = "MS",
     .help = "only ticks that took more than so many ms (100), not more than a second number "
             "(100..200), or only that (..50); recordings only",
     .manual =
         "Take only what happened in ticks that took more than {MS} milliseconds of Lua, and not "
         "more than a second number where that is given: '100', '100..200', or '..50' for all up "
         "to 50. The "
         "time of a tick is {Li time_us} of {ticks-csv}, with the cost of recording subtracted. "
         "With {--from} and {--to} these are ticks of that window. Each row of such ticks is cut "
         "like a window: only time inside counts, and calls that began before are not counted. "
         "What is in no tick is left out; the table says how much that is.\n"
         "\n"
         "How long a tick was is known only at the end of a log, so each log is read twice, which "
         "takes twice the time; standard input cannot be.",
     .apply = apply_ticks_over},
    {.name = "diff-rest",
     .help = "with --ticks-over, compare with the other ticks of the same logs, per tick",
     .manual = "With {--ticks-over}, compare with all other ticks of the same logs, as {--diff} "
               "does, scaled to as many ticks: what is different in a slow tick.",
     MEMBER(compares_rest)},
    {.name = "overhead",
     .argument = "WHAT",
     .help = "how to subtract the cost of recording from the times; IN,OUT are microseconds per "
             "call in the callee and in the caller",
     .manual =
         "What to do with the cost of recording that is inside the times. {IN,OUT} holds for "
         "recordings and for records of delins' profiler; with {auto}, nothing is subtracted from "
         "these records.\n"
         "\n"
         "No self time is taken below 0. How much could not be subtracted is reported. Totals and "
         "durations of calls follow. See {Sx HOW FAR TO TRUST THE NUMBERS}.",
     .words = &words_of_overhead,
     .default_word = "auto",
     .works_with = USES_COSTS,
     .apply = apply_overhead},
    {.name = "call-sites",
     .help = "a frame for the line of each call (A;A->12;B) in folded, and in top and csv with "
             "--by=stack",
     .manual =
         "In {folded}, and in {top} and {csv} with {--by=stack}, put a frame for the calling line "
         "between a caller and what it called: 'A;A->12;B' where 'A' called 'B' in line 12. "
         "'A->-12' is a tail call near line 12. Stacks that differ in their calling lines become "
         "different stacks. A call whose line is not known gets no such frame; calls out of C "
         "functions never have one.",
     .works_with = USES_CALL_SITES,
     MEMBER(call_sites)},
    {.name = "thread",
     .argument = "WHICH",
     .help = "only stacks of this kind of thread",
     .manual = "Take only the stacks that ran on this kind of thread. The log of delins' profiler "
               "has one time for a stack that ran on both, so such a stack is taken either way. "
               "Percentages are of what was taken.",
     .words = &words_of_thread,
     .default_word = "all",
     .apply = apply_thread},
    {.name = "run",
     .argument = "N",
     .help = "only the Nth profiling run of the logs",
     .manual =
         "Take only the {N}th profiling run. Runs are counted from 1, over all logs in the order "
         "given. A run begins where the log says 'Starting profiler', and where a recording "
         "begins; records before the first such line of a log are a run too. Without this option "
         "all runs are added up.",
     .apply = apply_run},
    {.name = "focus",
     .argument = "RE",
     .help = "only call stacks with a function that matches; RE is looked for in names and places "
             "as they are shown",
     .manual = "Keep the call stacks in which a function matches; see {Sx FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_focus},
    {.name = "ignore",
     .argument = "RE",
     .help = "only call stacks without a function that matches",
     .manual = "Keep the call stacks in which no function matches; see {Sx FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_ignore},
    {.name = "hide",
     .argument = "RE",
     .help = "take out the functions that match; their time goes to their callers",
     .manual = "Take the functions that match out of all stacks, and give their time to their "
               "callers; see {Sx FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_hide},
    {.name = "hide-file",
     .argument = "FILE",
     .help = "--hide for each line of FILE",
     .manual = "{--hide} for each line of {FILE}, which may be a team's list of noise. Blanks "
               "around a pattern, empty lines and lines that begin with '#' are left out.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .works_with = USES_FILTERS,
     .apply = apply_hide_file},
    {.name = "show-from",
     .argument = "RE",
     .help = "only call stacks with a match, from the first match on",
     .manual = "Keep what {--focus} keeps, and cut off what is above the first match; see {Sx "
               "FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_show_from},
    {.name = "fold-recursion",
     .help = "let a step from X to Y occur once in a stack; repetitions fold into the first",
     .manual =
         "Let a step from a function X to a function Y occur once in a call stack: where it comes "
         "again, it goes to the Y that it led to the first time. A tree is then bounded by the "
         "program and not by how deep it recursed. Calls and times of each function, and of each "
         "caller and callee, stay what they were. See {Sx FOLDED RECURSION}.",
     .works_with = USES_FILTERS,
     MEMBER(selection.folds_recursion)},
    {.name = "max-depth",
     .argument = "N",
     .help = "fold what is deeper than N frames into its caller; 0: list all frames of deep "
             "stacks",
     .manual =
         "Leave no call stack longer than {N} frames. What is deeper becomes time of the last "
         "frame "
         "that is left; its calls are no longer counted.\n"
         "\n"
         "Without this option, formats that write stack by stack ({folded}, {speedscope}, {pprof}, "
         "and {top} and {csv} with {--by=stack}) keep in proportion to the log: where all stacks "
         "together would be too long, as a recursion of thousands of calls makes them, the deepest "
         "keep their first frames and the last one, and one frame '(folded)' stands for those "
         "between. supprof says of how many. With 0 they are written whole, which can take many "
         "gigabytes.",
     .works_with = USES_FILTERS,
     .apply = apply_max_depth},
    {.name = "min-pct",
     .argument = "P",
     .help = "fold what has less than P percent of the time into its caller",
     .manual = "Take away, with all below it, what has less than {P} percent of the time that is "
               "shown. Its time goes to its caller, or to a function '(folded)' where there is "
               "none; its calls are no longer counted.",
     .works_with = USES_FILTERS,
     .apply = apply_min_pct},
    {.name = "max-size",
     .argument = "MB",
     .help = "how large an html page may get (default: 10), 0 for no limit",
     .manual = "How large a page in the format {html} may get, in megabytes; 0 for no limit. Where "
               "the call tree does not fit, what has the least time is folded into its caller as "
               "by {--min-pct}, and the page says so.",
     .works_with = USES_SIZE,
     .apply = apply_max_size},
    {.name = "columns",
     .argument = "LIST",
     .help = "the columns of top and csv, in this order, with commas between them",
     .manual = "The columns of numbers in {top} and {csv}, in this order, with commas between "
               "them. What is not known is '-' in the table and empty in csv.",
     .words = &words_of_columns,
     .takes_list = true,
     .works_with = USES_ROWS,
     .apply = apply_columns},
    {.name = "diff",
     .argument = "OLD",
     .help = "compare with an older log, in top, csv, folded and svg; may be repeated, as LOG",
     .manual = "Compare with an older log; see {Sx COMPARING TWO LOGS}. Repeated, the old logs are "
               "merged, as the others are. The last part of {OLD} may have '*' and '?' in it, "
               "in quotes: {--diff 'old/*.log'}.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .apply = apply_diff},
    {.name = "repeated",
     .help = "each log is one of the same thing: show medians and how far logs differ, and with "
             "--diff what can be told from chance",
     .manual =
         "Take each {LOG}, and each {OLD} of {--diff}, for a recording of the same thing, and "
         "show how far they differ, in {top} and {csv}; see {Sx SEVERAL LOGS OF THE SAME "
         "THING}. Without this option several logs are added up.",
     MEMBER(is_repeated)},
    {.name = "fail-if",
     .argument = "EXPR",
     .help = "exit with status 4 if EXPR holds, as \"total>+5%\" or \"self(RE)>2ms/tick\"; may be "
             "repeated",
     .manual =
         "Exit with status 4 if {EXPR} holds, and say so in a line on standard error; see {Sx "
         "LIMITS}.",
     .is_repeated = true,
     .apply = apply_fail_if},
    {.name = "normalize",
     .argument = "TO",
     .help = "with --diff, scale the old values to those of the new log",
     .manual = "Before comparing, scale the old times to what they would be with the same calls, "
               "ticks or total time as the new log has. With {call} and {total}, calls, errors "
               "and memory stay as they are.",
     .words = &words_of_normalize,
     .default_word = "none",
     MEMBER(normalize)},
    {.name = "lua-root",
     .argument = "DIR",
     .help = "name what the log could not name, from the Lua sources of the game or a mod in DIR; "
             "may be repeated",
     .manual =
         "Name Lua functions that the log has no name for, from the Lua sources below {DIR}: the "
         "game's, with the folders {Pa lua , units} and so on in it; the folder {Pa gamedata} with "
         "its archives unpacked; the folder {Pa lua} itself; or the folder of a mod or a map. "
         "Letter case does not matter. May be repeated; a later {DIR} is asked for files that the "
         "others lack. See {Sx NAMES AND PATHS}.\n"
         "\n"
         "A file that is of another version than the one that the game ran gives no names, and "
         "neither does one that cannot be read. That is said on standard error, as is that no "
         "file was found at all; {-v} says how many functions were named in any case, and which "
         "files gave nothing and why.",
     .is_repeated = true,
     .takes = TAKES_DIRECTORY,
     .apply = apply_lua_root},
    {.name = "metric",
     .argument = "WHAT",
     .help = "what folded and svg count, and what speedscope and pprof show first",
     .manual = "What the formats {folded} and {svg} count, which have one value for a call stack; "
               "and what {speedscope} and {pprof} show first, which have several.",
     .words = &words_of_metric,
     .default_word = "time",
     .works_with = USES_METRIC,
     MEMBER(metric)},
    {.name = "orientation",
     .argument = "WHAT",
     .help = "how an svg is drawn",
     .manual = "How an {svg} is drawn.",
     .words = &words_of_orientation,
     .default_word = "icicle",
     .works_with = USES_ORIENTATION,
     MEMBER(orientation)},
    {.name = "unit",
     .argument = "UNIT",
     .help = "show times of top, peek, folded and svg in this unit",
     .manual = "Show times in this unit. In {folded} it is the unit of the weights, by default "
               "{us}. In {top} and {peek} the default follows the length of the profile, with "
               "self/call always in {us}; when this option is given, it holds for all columns. In "
               "{svg} each time has the unit that suits it by default. The format {csv} is always "
               "in microseconds.",
     .words = &words_of_unit,
     .works_with = USES_UNIT,
     MEMBER(unit)},
    {.name = "paths",
     .argument = "STYLE",
     .help = "how paths are shown",
     .manual = "How paths are shown. Mods are found either way.",
     .words = &words_of_paths,
     .default_word = "short",
     MEMBER(path_style)},
    {.name = "strict",
     .help = "damage and missing lines are an error; exit status 3",
     .manual = "Make any damaged record, and any missing line of a recording, an error: nothing is "
               "written and the exit status is 3. With {--run}, damage in the other runs counts "
               "too.",
     MEMBER(is_strict)},
    {.letter = 'q',
     .name = "quiet",
     .help = "print nothing on standard error but errors",
     .manual = "Print nothing on standard error but errors: no damaged records, no lines about "
               "what was read and written, and no progress unless {--progress=always} is given.",
     MEMBER(is_quiet)},
    {.letter = 'v',
     .name = "verbose",
     .help = "say more about what was read; list all damage",
     .manual =
         "Print more lines above the table: in which threads the time was spent, the slowest "
         "ticks, "
         "and the cost of recording. "
         "Say what was read even where no file was written, together with the number of runs, of "
         "distinct stacks and of bytes after decompression. List every damaged record. List the "
         "functions that calls gave several names, 20 at most, with the names and the calls that "
         "gave each, five at most; the first is the one that is shown. A recording asks for the "
         "name of a function once, which counts as one call.",
     MEMBER(is_verbose)},
    {.name = "color",
     .argument = "WHEN",
     .help = "use colours in tables",
     .manual = "Use bold, dim and coloured text in the table. With {auto}, only on a terminal that "
               "has colours; see {Sx ENVIRONMENT}. A self% of 10 or more is red, one of 2 or more "
               "magenta.",
     .words = &words_of_when,
     .default_word = "auto",
     MEMBER(color)},
    {.name = "progress",
     .argument = "WHEN",
     .help = "show progress on standard error",
     .manual = "Show on standard error how far reading has come, at most ten times a second, and "
               "erase that at the end.",
     .words = &words_of_when,
     .default_word = "auto",
     MEMBER(progress)},
    {.letter = 'h',
     .name = "help",
     .help = "print this help",
     .manual = "Print a summary of the options on standard output, and do nothing else.",
     MEMBER(wants_help)},
    {.letter = 'V',
     .name = "version",
     .help = "print the version",
     .manual = "Print the version on standard output, and do nothing else.",
     MEMBER(wants_version)},
};

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MAX, "room for all");
