#include "cli/options/option_rows.h"

#include "base/number.h"
#include "report/figures/report.h"
#include "report/formats.h"

#include <errno.h>

static bool format_at(size_t index, struct option_word *word)
{
    const struct report_format *format = formats[index];
    if (format != NULL)
        *word = (struct option_word){format->name, (int)index, format->summary, NULL};
    return format != NULL;
}

static bool column_at(size_t index, struct option_word *word)
{
    if (index >= COLUMN_KIND_COUNT)
        return false;
    const struct column_info *column = &column_infos[index];
    *word = (struct option_word){column->word, (int)index, column->text, column->alias};
    return true;
}

static bool sort_key_at(size_t index, struct option_word *word)
{
    size_t key_count = 0;
    for (size_t i = 0; column_at(i, word); i++)
        if (column_infos[i].is_sort_key && key_count++ == index)
            return true;
    return false;
}

const struct option_words words_of_by = {
    .array = {
        {"function", BY_FUNCTION, "a function", NULL},
        {"file", BY_FILE, "all functions of one source file, with the C functions that they call",
         NULL},
        {"mod", BY_MOD, "all functions of one mod, of one map, or of the game itself", NULL},
        {"line", BY_LINE, "a line that makes calls: the calls and times of what it calls", NULL},
        {"stack", BY_STACK, "a call stack: a chain of functions, the first caller first", NULL},
        {"thread", BY_THREAD, "the function that a thread or an engine callback began with", NULL},
    }};

const struct option_words words_of_c_functions = {
    .array = {
        {"caller", C_OF_CALLER, "that of the function that called them", NULL},
        {"own", C_OWN, "one of their own, '[C]'", NULL},
    }};

const struct option_words words_of_state = {
    .array = {
        {"first", LUA_STATE_FIRST, "that of the first recording", NULL},
        {"sim", LUA_STATE_SIM, "the sim", NULL},
        {"ui", LUA_STATE_UI, "the user interface", NULL},
    }};

const struct option_words words_of_thread = {
    .array = {
        {"main", NODE_MAIN, "stacks that ran on the main thread", NULL},
        {"coroutine", NODE_COROUTINE, "stacks that ran in coroutines", NULL},
        {"all", NODE_MAIN | NODE_COROUTINE, "all stacks", NULL},
    }};

const struct option_words words_of_normalize = {
    .array = {
        {"call", NORMALIZE_CALLS, "as many calls in each row as now", NULL},
        {"tick", NORMALIZE_TICKS, "as many ticks as now; scales calls, errors and memory, too",
         NULL},
        {"total", NORMALIZE_TOTALS, "the same time in total as now", NULL},
        {"none", NORMALIZE_NOTHING, "nothing is scaled", NULL},
    }};

const struct option_words words_of_metric = {
    .array = {
        {"time", METRIC_TIME, "self time", NULL},
        {"calls", METRIC_CALLS, "calls", NULL},
        {"errors", METRIC_ERRORS, "calls that an error ended; recordings only", NULL},
        {"heap", METRIC_ALLOC, "heap growth in KB; recordings with memory only", "alloc"},
    }};

const struct option_words words_of_orientation = {
    .array = {
        {"icicle", ORIENTATION_ICICLE, "root at the top", NULL},
        {"flame", ORIENTATION_FLAME, "root at the bottom", NULL},
    }};

const struct option_words words_of_unit = {.array = {
                                               {"ns", UNIT_NS, "nanoseconds", NULL},
                                               {"us", UNIT_US, "microseconds", NULL},
                                               {"ms", UNIT_MS, "milliseconds", NULL},
                                               {"s", UNIT_S, "seconds", NULL},
                                           }};

const struct option_words words_of_paths = {
    .array = {
        {"short", PATHS_SHORT, "where a file lies inside the game, with /", NULL},
        {"full", PATHS_FULL, "as in the log, without the @ in front", NULL},
    }};

/* For texts only: apply_overhead() reads them, and pairs of numbers. */
const struct option_words words_of_overhead = {
    .array = {
        {"auto", 0, "subtract what a recording has measured itself", NULL},
        {"off", 0, "leave the times as they were measured", NULL},
        {"IN,OUT", 0, "subtract so many microseconds per call in the callee and in the caller",
         NULL},
    }};

const struct option_words words_of_when = {
    .array = {
        {"auto", WHEN_AUTO, "on a terminal only", NULL},
        {"always", WHEN_ALWAYS, "in files and pipes, too", NULL},
        {"never", WHEN_NEVER, "nowhere", NULL},
    }};

const struct option_words words_of_format = {.at = format_at};
const struct option_words words_of_columns = {.at = column_at};
const struct option_words words_of_sort = {.at = sort_key_at};

bool option_words_at(const struct option_words *words, size_t index, struct option_word *word)
{
    if (words->at != NULL)
        return words->at(index, word);
    *word = words->array[index];
    return word->word != NULL;
}

void option_words_put(struct text *text, const struct option_words *words, const char *between)
{
    struct option_word word;
    for (size_t i = 0; option_words_at(words, i, &word); i++) {
        text_printf(text, "%s%s", i > 0 ? between : "", word.word);
    }
}

/* Sets the value of a word. Returns false if it is none of the list. */
static bool find_words(const struct option_words *words, const char *wanted, int *value)
{
    struct option_word word;
    for (size_t i = 0; option_words_at(words, i, &word); i++)
        if (strcmp(word.word, wanted) == 0 ||
            (word.alias != NULL && strcmp(word.alias, wanted) == 0)) {
            *value = word.value;
            return true;
        }
    return false;
}

static bool refuse(const struct given_option *given, const char *wanted, struct error *err)
{
    const char *flag = given->row->flag;
    return error_set_code(err, flag, "invalid value '%s' for %s; give %s", given->value, flag,
                          wanted);
}

/* Quotes the failure of another module. */
static bool fail(const struct given_option *given, const struct error *why, struct error *err)
{
    return error_set_code(err, given->row->flag, "%s: %s", given->row->flag, why->text);
}

static bool read_word(const struct given_option *given, int *value, struct error *err)
{
    struct text wanted = {0};
    bool is_known = find_words(given->row->words, given->value, value);
    if (!is_known) {
        text_put_string(&wanted, "one of: ");
        option_words_put(&wanted, given->row->words, ", ");
        if (given->row->similar != NULL)
            text_printf(&wanted, "; %s", given->row->similar);
        refuse(given, wanted.at, err);
    }
    text_release(&wanted);
    return is_known;
}

bool option_values_apply(const struct given_option *given, struct error *err)
{
    char *member = (char *)given->options + given->row->offset;
    bool is_set = true;
    int value = 0;
    if (given->row->apply != NULL)
        return given->row->apply(given, err);
    if (given->row->words == NULL)
        memcpy(member, &is_set, sizeof is_set);
    else if (!read_word(given, &value, err))
        return false;
    else
        memcpy(member, &value, sizeof value);
    return true;
}

/* Reads digits alone: strtoull() would accept a sign and blanks. */
static bool read_count(const char *digits, size_t max, size_t *count)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, 10);
    *count = (size_t)value;
    return digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno == 0 && value <= max;
}

static bool apply_count(const struct given_option *given, size_t max, size_t *count,
                        struct error *err)
{
    return read_count(given->value, max, count) || refuse(given, "a whole number", err);
}

/* Reads digits with a point, or none. */
static bool read_decimal(struct span text, double max, double *value)
{
    int64_t ns;
    if (text.length == 0 || strspn(text.at, "0123456789.") < text.length ||
        !number_seconds(text, &ns))
        return false;
    *value = (double)ns / 1e9;
    return *value <= max;
}

bool apply_output(const struct given_option *given, struct error *err)
{
    (void)err;
    options_add_output(given->options, given->value, NULL);
    return true;
}

bool apply_lua_root(const struct given_option *given, struct error *err)
{
    (void)err;
    name_list_add(&given->options->reading.lua_roots, given->value);
    return true;
}

bool apply_format(const struct given_option *given, struct error *err)
{
    int index = 0;
    const struct report_format *format = format_by_suffix(given->value);
    if (format == NULL && !read_word(given, &index, err))
        return false;
    given->options->format = format != NULL ? format : formats[index];
    return true;
}

bool apply_top(const struct given_option *given, struct error *err)
{
    given->options->has_top = true;
    return apply_count(given, SIZE_MAX, &given->options->show.row_limit, err);
}

bool apply_ticks(const struct given_option *given, struct error *err)
{
    struct options *options = given->options;
    options->show.has_ticks = true;
    options->has_tick_limit = given->value != NULL;
    options->show.tick_limit = DEFAULT_TICK_COUNT;
    return given->value == NULL || apply_count(given, SIZE_MAX, &options->show.tick_limit, err);
}

bool apply_run(const struct given_option *given, struct error *err)
{
    size_t run = 0;
    bool is_good = read_count(given->value, UINT32_MAX, &run) && run > 0;
    given->options->reading.run = (uint32_t)run;
    return is_good || refuse(given, "a whole number from 1 on", err);
}

bool apply_filter(const struct given_option *given, struct error *err)
{
    struct error why;
    return filters_add(&given->options->selection.filters, (enum filter_kind)given->row->value,
                       span_of(given->value), &why) ||
           fail(given, &why, err);
}

bool apply_hide_file(const struct given_option *given, struct error *err)
{
    return filters_add_file(&given->options->selection.filters, given->value, err);
}

bool apply_max_depth(const struct given_option *given, struct error *err)
{
    size_t depth = 0;
    bool is_good = apply_count(given, UINT32_MAX, &depth, err);
    given->options->selection.depth_max = (uint32_t)depth;
    given->options->selection.lists_all_frames = depth == 0;
    return is_good;
}

bool apply_min_pct(const struct given_option *given, struct error *err)
{
    return read_decimal(span_of(given->value), 100, &given->options->selection.min_percent) ||
           refuse(given, "a percentage such as 0.5", err);
}

bool apply_max_size(const struct given_option *given, struct error *err)
{
    enum { MEGABYTE = 1000 * 1000, MEGABYTES_MAX = 1000 * 1000 };
    double megabytes = 0;
    bool is_good = read_decimal(span_of(given->value), MEGABYTES_MAX, &megabytes);
    given->options->show.max_bytes = is_good ? (size_t)(megabytes * MEGABYTE) : 0;
    return is_good || refuse(given, "megabytes such as 10 or 0.5", err);
}

bool apply_pattern(const struct given_option *given, struct error *err)
{
    struct error why;
    struct pattern **member =
        (struct pattern **)(void *)((char *)given->options + given->row->offset);
    pattern_free(*member);
    *member = pattern_new(span_of(given->value), &why);
    return *member != NULL || fail(given, &why, err);
}

bool apply_tree(const struct given_option *given, struct error *err)
{
    given->options->show.has_tree = true;
    return given->value == NULL || apply_pattern(given, err);
}

bool apply_rows(const struct given_option *given, struct error *err)
{
    given->options->show.has_rows = true;
    return apply_count(given, SIZE_MAX, &given->options->show.rows, err);
}

/* "90", "1:30" or "1:00:30.5". */
static bool read_game_time(const char *text, double *seconds)
{
    enum { PARTS_MAX = 3, PART_MAX = 60 };
    *seconds = 0;
    for (int parts = 0; parts < PARTS_MAX; parts++) {
        double part = 0;
        size_t length = strcspn(text, ":");
        if (!read_decimal((struct span){text, length}, 1e10, &part) ||
            (parts > 0 && part >= PART_MAX))
            return false;
        *seconds = PART_MAX * *seconds + part;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
    return false;
}

/* A game time, or "#900" for a tick. */
bool apply_border(const struct given_option *given, struct error *err)
{
    struct window_border border = {.kind = WINDOW_SECONDS};
    size_t tick = 0;
    if (given->value[0] == '#' && read_count(given->value + 1, UINT32_MAX, &tick))
        border = (struct window_border){WINDOW_TICK, (double)tick};
    else if (!read_game_time(given->value, &border.value))
        return refuse(given, "a game time such as 90 or 1:30, or a tick such as '#900'", err);
    memcpy((char *)given->options + given->row->offset, &border, sizeof border);
    return true;
}

/* A tick, or a game time in it. */
bool apply_tick(const struct given_option *given, struct error *err)
{
    /* A time is in the tick that began at most 100 ms before it; game time is exact to 10 ms. */
    static const double before = 0.08, after = 0.02;
    size_t tick = 0;
    double seconds = 0;
    struct rebuild_settings *window = &given->options->reading.rebuild;
    if (read_count(given->value + (given->value[0] == '#'), UINT32_MAX - 1, &tick)) {
        window->from = (struct window_border){WINDOW_TICK, (double)tick};
        window->to = (struct window_border){WINDOW_TICK, (double)tick + 1};
        return true;
    }
    if (strpbrk(given->value, ":.") == NULL || !read_game_time(given->value, &seconds))
        return refuse(given, "the number of a tick such as 900, or a game time such as 1:30", err);
    window->from = (struct window_border){WINDOW_SECONDS, seconds - before};
    window->to = (struct window_border){WINDOW_SECONDS, seconds + after};
    return true;
}

static bool read_ms(struct span text, int64_t *ns)
{
    double ms = 0;
    bool is_read = read_decimal(text, 1e9, &ms);
    *ns = is_read ? (int64_t)(ms * 1e6 + 0.5) : 0;
    return is_read;
}

/* "100", "100..200" or "..50". */
bool apply_ticks_over(const struct given_option *given, struct error *err)
{
    struct reading *reading = &given->options->reading;
    const char *dots = strstr(given->value, "..");
    struct span over = span_of(given->value);
    over.length = dots != NULL ? (size_t)(dots - over.at) : over.length;
    reading->chooses_ticks = true;
    reading->ticks_over_ns = -1;
    reading->ticks_up_to_ns = INT64_MAX;
    bool is_read = (dots == given->value || read_ms(over, &reading->ticks_over_ns)) &&
                   (dots == NULL || read_ms(span_of(dots + 2), &reading->ticks_up_to_ns));
    return (is_read && reading->ticks_up_to_ns > reading->ticks_over_ns) ||
           refuse(given, "milliseconds such as 100, 100..200 or ..50", err);
}

bool apply_slow_over(const struct given_option *given, struct error *err)
{
    int64_t *limit_ns = &given->options->reading.rebuild.limit_ns;
    return (read_ms(span_of(given->value), limit_ns) && *limit_ns > 0) ||
           refuse(given, "milliseconds above 0, such as 50", err);
}

bool apply_overhead(const struct given_option *given, struct error *err)
{
    enum { US_MAX = 1000, NS_PER_US = 1000 };
    struct rebuild_settings *rebuild = &given->options->reading.rebuild;
    const char *comma = strchr(given->value, ',');
    struct span in = {given->value, comma != NULL ? (size_t)(comma - given->value) : 0};
    double in_us = 0, out_us = 0;
    rebuild->keeps_costs = strcmp(given->value, "off") == 0;
    rebuild->costs = (struct call_costs){0};
    if (rebuild->keeps_costs || strcmp(given->value, "auto") == 0)
        return true;
    if (!read_decimal(in, US_MAX, &in_us) || !read_decimal(span_of(comma + 1), US_MAX, &out_us))
        return refuse(given,
                      "auto, off, or the microseconds that a call costs in the callee and in the "
                      "caller, such as 0.2,0.3",
                      err);
    rebuild->costs.is_known = true;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        rebuild->costs.in_ns[kind] = NS_PER_US * in_us;
        rebuild->costs.out_ns[kind] = NS_PER_US * out_us;
    }
    return true;
}

bool apply_columns(const struct given_option *given, struct error *err)
{
    return columns_parse(&given->options->show.columns, given->value, err);
}

/* In quotes, so that the shell does not split it into several arguments: --diff 'old/a*.log'. */
bool apply_diff(const struct given_option *given, struct error *err)
{
    return options_add_logs(given->options, &given->options->old_logs, given->value) ||
           error_set(err, "--diff: no file matches '%s'", given->value);
}

bool apply_fail_if(const struct given_option *given, struct error *err)
{
    struct error why;
    struct limit limit;
    struct options *options = given->options;
    if (!limit_parse(&limit, given->value, &why))
        return fail(given, &why, err);
    MEM_APPEND(options->limits, options->limit_count, options->limit_capacity, limit);
    return true;
}

bool apply_what_if(const struct given_option *given, struct error *err)
{
    struct error why;
    struct what_if what_if;
    struct options *options = given->options;
    if (!what_if_parse(&what_if, given->value, &why))
        return fail(given, &why, err);
    MEM_APPEND(options->what_ifs, options->what_if_count, options->what_if_capacity, what_if);
    return true;
}

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
