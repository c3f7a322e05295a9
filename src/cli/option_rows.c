#include "cli/option_rows.h"

#include "cli/option_values.h"

/* The parser writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

#define MEMBER(name) .offset = offsetof(struct options, name)

const struct option_row option_rows[] = {
    {.letter = 'o',
     .name = "output",
     .argument = "FILE",
     .help = "write FILE in the format of its suffix; may be repeated, all files come from one "
             "reading; - is standard output",
     .manual =
         "Write {FILE} instead of the table on standard output. Its suffix chooses the format, in "
         "any letter case; see {Sx FORMATS}. Any other suffix is a usage error, unless {-f} is "
         "given. '-' is standard output, with the format {top} unless {-f} names another. At most "
         "one report can go to standard output.\n\nA regular file is written under a temporary "
         "name beside it and renamed when it is complete. After a failure the old file is still "
         "there, unchanged. A symbolic link is followed; a pipe or a device is written to "
         "directly. A log that is being read is never replaced.\n\nAfter writing, supprof prints "
         "one line on standard error for each file: its name and contents, and what its format "
         "could not show, such as negative times. A last line has the number of records and events "
         "that were read, their time, the number of damaged ones, and how much of the cost of "
         "recording was subtracted.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .apply = apply_output},
    {.name = "open",
     .help = "write an HTML report beside the log and open it in the browser; without LOG, of the "
             "newest log of the game",
     .manual =
         "Write the report of the format {html} beside the first {LOG}, unless {-o} names files, "
         "and open the first written file in the system's program for it. If the folder of the log "
         "is not writable, the report goes to a folder {Pa supprof} in the user's own data. A "
         "{LOG} may be a folder: the newest log in it is read. Without {LOG}, supprof takes the "
         "newest log beside the program, in the folders above it, in FAF's folder, and in the "
         "folders of the game and of LOUD in the Steam libraries.\n\nOn Windows, dragging logs "
         "onto the program and a double click on it both mean this option.",
     MEMBER(opens)},
    {.name = "follow",
     .help = "show the functions on the terminal while the game writes the log; q ends and reports",
     .manual = "Read on while the game writes {LOG}, and show the 15 functions with the most self "
               "time on "
               "the terminal; see {Sx FOLLOWING A GAME}.",
     MEMBER(follows)},
    {.letter = 'f',
     .name = "format",
     .argument = "NAME",
     .help = "write this format, whatever the suffix; see Formats below",
     .manual = "Write every {-o FILE} in this format, whatever its suffix; without {-o}, write it "
               "to standard output. {NAME} may also be a suffix of a format without its dot, such "
               "as {md}. See {Sx FORMATS}.",
     .words = &words_of_format,
     .apply = apply_format},
    {.name = "top",
     .argument = "N",
     .help = "print a table with N rows, 0 for all (default: 20; on a terminal, what fits)",
     .manual = "Print the table on standard output with {N} rows, 0 for all. The default is 20, "
               "and on a terminal the number that fits its height. With {-o}, the table is printed "
               "and the files are written; {N} also holds for files in the format {top}. The other "
               "formats are always complete.",
     .apply = apply_top},
    {.name = "by",
     .argument = "WHAT",
     .help = "the rows of top, csv, json and markdown",
     .manual = "The rows of the formats {top}, {csv}, {json} and {markdown}. See {Sx NAMES AND "
               "PATHS} for mods.",
     .words = &words_of_by,
     .default_word = "function",
     .works_with = USES_ROWS,
     MEMBER(by)},
    {.name = "sort",
     .argument = "KEY",
     .help = "order the rows of top, csv, json and markdown by this, largest first",
     .manual = "Order the rows of {top}, {csv}, {json} and {markdown}, largest first. For {max}, "
               "{errors} and {heap} "
               "the table has a column in place of self/call. Memory is known if 'memory = true' "
               "was set in {Pa profiler.lua}. Equal rows are ordered by self time, then by name, "
               "so that the same logs always give the same bytes.",
     .words = &words_of_sort,
     .default_word = "self",
     .works_with = USES_ROWS,
     MEMBER(sort)},
    {.name = "ticks",
     .argument = "[N]",
     .help =
         "print how long the ticks of recordings took, and the N worst (default: 10), 0 for all",
     .manual = "Print the format {ticks} on standard output, with the {N} worst ticks, 10 by "
               "default, 0 for all.",
     .apply = apply_ticks},
    {.name = "peek",
     .argument = "RE",
     .help = "print callers and callees of each function that matches",
     .manual = "Print the callers and callees of each function that matches {RE}; see {Sx CALLERS "
               "AND CALLEES}. They go to standard output, or to the {-o FILE} in the format "
               "{peek}. The pattern is one as in {Sx FILTERS}; it looks at the call stacks that "
               "the filters have left.",
     .apply = apply_peek},
    {.name = "from",
     .argument = "T",
     .help = "only from game time T (90, 1:30) or from a tick (#900) on; recordings only",
     .manual = "Take only a window of the recording: from {T} on. {T} is a game time in seconds "
               "('90', '90.5'), minutes ('1:30') or hours ('1:00:30'), or a tick ('#900'), which "
               "most shells want in quotes. A window begins and ends with a tick. Calls that are "
               "running at its borders are cut exactly: only time inside counts, and a call that "
               "began before the window is not counted. Records of delins' profiler carry no game "
               "time, so they are left out.",
     .apply = apply_from},
    {.name = "to",
     .argument = "T",
     .help = "only before game time T or before a tick; recordings only",
     .manual = "Take only the part of the recording before {T}; see {--from}.",
     .apply = apply_to},
    {.name = "tick",
     .argument = "N",
     .help = "only tick N, the same as --from=#N with --to of the next tick; recordings only",
     .manual = "Take only tick {N}: the window from {N} to the tick after it. The table and "
               "{--ticks} name the slow ticks.",
     .apply = apply_tick},
    {.name = "ticks-over",
     .argument = "MS",
     .help = "only ticks that took more than MS ms (100), more than one number and at most another "
             "(100..200), or at most one (..50); recordings only",
     .manual =
         "Take only ticks that took more than {MS} milliseconds of Lua: '100'. A second number is "
         "the most that they may have taken: '100..200', or '..50' for all up to 50. The time of a "
         "tick is {Li time_us} of {ticks-csv}, with the cost of recording subtracted. With "
         "{--from} and {--to}, only ticks of that window are taken. Calls are cut as in a window: "
         "only time inside such ticks counts, and a call that began before is not counted. Time "
         "outside of all ticks is left out; the table shows how much that is.\n\nThe length of a "
         "tick is known only at its end, so each log is read twice, which takes twice the time. "
         "Standard input cannot be read twice, so this option needs a file.",
     .apply = apply_ticks_over},
    {.name = "diff-rest",
     .help = "with --ticks-over, compare with the other ticks of the same logs, per tick",
     .manual =
         "With {--ticks-over}, compare with all other ticks of the same logs, as {--diff} does, "
         "scaled to the same number of ticks. It shows what is different in a slow tick.",
     MEMBER(compares_rest)},
    {.name = "overhead",
     .argument = "WHAT",
     .help = "how to subtract the cost of recording from the times; IN,OUT are microseconds per "
             "call in the callee and in the caller",
     .manual = "How to subtract the cost of recording, which is inside the measured times. "
               "{IN,OUT} holds for recordings and for records of delins' profiler; with {auto}, "
               "nothing is subtracted from these records.\n\nNo self time becomes less than 0; the "
               "summary shows how much could not be subtracted. Totals and durations of calls "
               "change by the same amounts. See {Sx HOW FAR TO TRUST THE NUMBERS}.",
     .words = &words_of_overhead,
     .default_word = "auto",
     .works_with = USES_COSTS,
     .apply = apply_overhead},
    {.name = "call-sites",
     .help = "show the line of each call as a frame (A;A->12;B) in folded, and in top and csv with "
             "--by=stack",
     .manual =
         "In {folded}, and in {top} and {csv} with {--by=stack}, put a frame for the calling line "
         "between a caller and its callee: 'A;A->12;B' if 'A' called 'B' in line 12. 'A->-12' is a "
         "tail call near line 12. Stacks with different calling lines become different stacks. A "
         "call whose line is not known has no such frame; calls from C functions never have one.",
     .works_with = USES_CALL_SITES,
     MEMBER(call_sites)},
    {.name = "thread",
     .argument = "WHICH",
     .help = "only stacks of this kind of thread",
     .manual = "Take only the stacks that ran on this kind of thread. The log of delins' profiler "
               "has one time for a stack that ran on both, so such a stack is taken with either "
               "kind. Percentages are shares of the stacks that were taken.",
     .words = &words_of_thread,
     .default_word = "all",
     .apply = apply_thread},
    {.name = "run",
     .argument = "N",
     .help = "only the Nth profiling run of the logs",
     .manual = "Take only the {N}th profiling run. Runs are counted from 1, over all logs in the "
               "order given. A run begins where the log says 'Starting profiler', and where a "
               "recording begins; records before the first such line of a log are a run too. "
               "Without this option all runs are added up.",
     .apply = apply_run},
    {.name = "focus",
     .argument = "RE",
     .help = "only call stacks with a function that matches; RE is searched in names and places as "
             "they are shown",
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
     .help = "remove the functions that match; their time goes to their callers",
     .manual = "Remove the functions that match from all stacks, and add their time to their "
               "callers; see {Sx FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_hide},
    {.name = "hide-file",
     .argument = "FILE",
     .help = "--hide for each line of FILE",
     .manual = "Do {--hide} for each line of {FILE}, which may be a list that a team shares. "
               "Blanks around a pattern, empty lines and lines that begin with '#' are ignored.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .works_with = USES_FILTERS,
     .apply = apply_hide_file},
    {.name = "show-from",
     .argument = "RE",
     .help = "only call stacks with a match, from the first match on",
     .manual = "Keep the same stacks as {--focus}, and remove the frames above the first match; "
               "see {Sx FILTERS}.",
     .is_repeated = true,
     .works_with = USES_FILTERS,
     .apply = apply_show_from},
    {.name = "fold-recursion",
     .help = "let a call from X to Y occur once in a stack; repetitions fold into the first",
     .manual = "Let a call from a function X to a function Y occur once in a call stack: a "
               "repetition goes to the same Y as the first one. So the size of the tree depends on "
               "the program, not on how deep it recursed. Calls and times of each function, and of "
               "each pair of caller and callee, do not change. See {Sx FOLDED RECURSION}.",
     .works_with = USES_FILTERS,
     MEMBER(selection.folds_recursion)},
    {.name = "max-depth",
     .argument = "N",
     .help = "fold frames deeper than N into their callers; 0: list all frames of deep stacks",
     .manual = "Leave no call stack longer than {N} frames. The time of deeper frames goes to the "
               "last frame that is left; their calls are no longer counted.\n\nWithout this "
               "option, the formats that write stack by stack ({folded}, {speedscope}, {pprof}, "
               "and {top} and {csv} with {--by=stack}) keep their output in proportion to the log. "
               "If all stacks together would be too long, because of a recursion of thousands of "
               "calls, the deepest stacks keep their first frames and the last one, and one frame "
               "'(folded)' replaces the frames between; a message tells how many stacks that are. "
               "With 0 they are written whole, which can take many gigabytes.",
     .works_with = USES_FILTERS,
     .apply = apply_max_depth},
    {.name = "min-pct",
     .argument = "P",
     .help = "fold functions with less than P percent of the time into their callers",
     .manual = "Remove frames with less than {P} percent of the time that is shown, together with "
               "all frames below them. Their time goes to their callers, or to a function "
               "'(folded)' if they have none; their calls are no longer counted.",
     .works_with = USES_FILTERS,
     .apply = apply_min_pct},
    {.name = "max-size",
     .argument = "MB",
     .help = "the largest size of an html page (default: 10), 0 for no limit",
     .manual = "The largest size of a page in the format {html}, in megabytes; 0 for no limit. If "
               "the page is too large, up to 1,000 ticks of no more than 100 ms become one in it, "
               "when ticks are chosen. If that is not enough, ticks cannot be chosen, and the "
               "frames with the least time are folded into their callers as by {--min-pct}; the "
               "page shows how much that was.",
     .works_with = USES_SIZE,
     .apply = apply_max_size},
    {.name = "columns",
     .argument = "LIST",
     .help = "the columns of top and csv, in this order, with commas between them",
     .manual = "The columns of numbers in {top} and {csv}, in this order, with commas between "
               "them. A value that is not known is '-' in the table and empty in csv.",
     .words = &words_of_columns,
     .takes_list = true,
     .works_with = USES_COLUMNS,
     .apply = apply_columns},
    {.name = "diff",
     .argument = "OLD",
     .help = "compare with an older log, in top, ticks, csv, folded, svg, html and json; may be "
             "repeated",
     .manual = "Compare with an older log; see {Sx COMPARING TWO LOGS}. If it is repeated, the old "
               "logs are merged, as the new ones are. The last part of {OLD} may have '*' and '?' "
               "in it, in quotes: {--diff 'old/*.log'}.",
     .is_repeated = true,
     .takes = TAKES_FILE,
     .apply = apply_diff},
    {.name = "repeated",
     .help = "the logs are repetitions of one game: show medians and how far the logs differ; with "
             "--diff, mark changes that may be chance",
     .manual =
         "Take each {LOG}, and each {OLD} of {--diff}, as a repetition of the same game, and "
         "show how far they differ, in {top}, {csv} and {json}; see {Sx SEVERAL LOGS OF THE SAME "
         "THING}. Without this option several logs are added up.",
     MEMBER(is_repeated)},
    {.name = "fail-if",
     .argument = "EXPR",
     .help = "exit with status 4 if EXPR holds, for example \"total>+5%\" or "
             "\"self(RE)>2ms/tick\"; may be repeated",
     .manual = "Exit with status 4 if {EXPR} holds, with a line on standard error that names it; "
               "see {Sx LIMITS}.",
     .is_repeated = true,
     .apply = apply_fail_if},
    {.name = "normalize",
     .argument = "TO",
     .help = "with --diff, scale the old values to those of the new log",
     .manual = "Before the comparison, scale the old times to the number of calls, the number of "
               "ticks, or the total time of the new log. With {call} and {total}, calls, errors "
               "and memory are not scaled.",
     .words = &words_of_normalize,
     .default_word = "none",
     .works_with = USES_FILTERS,
     MEMBER(normalize)},
    {.name = "lua-root",
     .argument = "DIR",
     .help = "find names for functions without one, in the Lua sources of the game or a mod below "
             "DIR; may be repeated",
     .manual =
         "Find names for Lua functions that have none in the log, in the Lua sources below {DIR}: "
         "the sources of the game, with the folders {Pa lua , units} and so on; the folder {Pa "
         "gamedata} with its archives unpacked; the folder {Pa lua} itself; or the folder of a mod "
         "or a map. Letter case does not matter. If the option is repeated, a later {DIR} is "
         "searched for files that the others lack. See {Sx NAMES AND PATHS}.\n\nThe "
         "sources also tell which functions are of which mod, where mods have appended files to "
         "files of the game; see {Sx Hooks of mods}.\n\nA file gives no names if its version is "
         "not the one that the game ran, or if it cannot be read. Messages "
         "on standard error tell how many files that were, and whether any file was found; {-v} "
         "tells how many functions got a name, and which files gave none and why.",
     .is_repeated = true,
     .takes = TAKES_DIRECTORY,
     .apply = apply_lua_root},
    {.name = "metric",
     .argument = "WHAT",
     .help = "the value that folded and svg show, and the first one of speedscope and pprof",
     .manual = "The value of a call stack in the formats {folded} and {svg}, which show one; and "
               "the value that {speedscope} and {pprof}, which have several, show first.",
     .words = &words_of_metric,
     .default_word = "time",
     .works_with = USES_METRIC,
     MEMBER(metric)},
    {.name = "orientation",
     .argument = "WHAT",
     .help = "the direction of an svg",
     .manual = "The direction of the frames in an {svg}.",
     .words = &words_of_orientation,
     .default_word = "icicle",
     .works_with = USES_ORIENTATION,
     MEMBER(orientation)},
    {.name = "unit",
     .argument = "UNIT",
     .help = "show times of top, peek, folded and svg in this unit",
     .manual =
         "Show times in this unit. In {folded} it is the unit of the weights, by default {us}. In "
         "{top} and {peek} the default depends on the length of the profile, and self/call is in "
         "{us}; with this option, all columns have this unit. In {svg} the default is the unit "
         "that suits each time. The format {csv} is always in microseconds.",
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
     .help = "treat damage and missing lines as an error; exit status 3",
     .manual =
         "Treat any damaged record, and any missing line of a recording, as an error: no file is "
         "written and the exit status is 3. With {--run}, damage in the other runs counts too.",
     MEMBER(is_strict)},
    {.letter = 'q',
     .name = "quiet",
     .help = "print only errors on standard error",
     .manual = "Print only errors on standard error: no damaged records, no lines about the logs "
               "and the written files, and no progress unless {--progress=always} is given.",
     MEMBER(is_quiet)},
    {.letter = 'v',
     .name = "verbose",
     .help = "print more about the logs, and list all damage",
     .manual =
         "Print more lines above the table: in which threads the time was spent, the slowest "
         "ticks, and the cost of recording. Print what was read even if no file was written, with "
         "the number of runs, of distinct stacks and of bytes after decompression. List every "
         "damaged record. List the functions that have several names, 20 at most, with up to five "
         "names each and the calls that gave them; the first name is the one that is shown. A "
         "recording asks for the name of a function once, which counts as one call.",
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
     .manual = "Show on standard error how much of the logs has been read, at most ten times a "
               "second, and erase it at the end.",
     .words = &words_of_when,
     .default_word = "auto",
     MEMBER(progress)},
    {.letter = 'h',
     .name = "help",
     .help = "print this help",
     .manual = "Print a summary of the options on standard output and exit.",
     MEMBER(wants_help)},
    {.letter = 'V',
     .name = "version",
     .help = "print the version",
     .manual = "Print the version on standard output and exit.",
     MEMBER(wants_version)},
};

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MAX, "room for all");
