#include "cli/options/option_rows.h"

#include "base/number.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"

#include <errno.h>
#include <math.h>

static bool format_at(size_t index, struct option_word *word)
{
    const struct report_format *format = formats[index];
    bool is_listed = format != NULL && !format->is_old;
    if (is_listed)
        *word = (struct option_word){format->name, (int)index, format->summary, NULL};
    return is_listed;
}

static bool column_at(size_t index, struct option_word *word)
{
    if (index >= (size_t)column_count)
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

bool option_word_at(const struct option_row *row, size_t index, struct option_word *word)
{
    if (row->word_at != NULL)
        return row->word_at(index, word);
    *word = row->words != NULL ? row->words[index] : (struct option_word){0};
    return word->word != NULL;
}

bool option_word_is_default(const struct option_row *row, const struct option_word *word)
{
    return word->value == 0 && (row->is & (IS_WORD_LIST | WORDS_BELOW)) == 0;
}

void option_formats_put(struct text *text, const struct option_row *row)
{
    size_t count = 0, done = 0;
    for (size_t i = 0; formats[i] != NULL && !formats[i]->is_old; i++)
        count += (tables_shown(formats[i], 0).uses & row->works_with) != 0;
    for (size_t i = 0; formats[i] != NULL && !formats[i]->is_old; i++)
        if ((tables_shown(formats[i], 0).uses & row->works_with) != 0)
            text_printf(text,
                        "%s%s",
                        done++ == 0     ? ""
                        : done == count ? " and "
                                        : ", ",
                        formats[i]->name);
}

void option_words_put(struct text *text, const struct option_row *row)
{
    struct option_word word;
    for (size_t i = 0; option_word_at(row, i, &word); i++)
        text_printf(text, "%s%s", i > 0 ? ", " : "", word.word);
}

static bool refuse(const struct given_option *given, const char *wanted)
{
    const char *flag = given->row->flag;
    struct span value = span_of(given->value);
    if (span_ends_like(value, ".log") || span_ends_like(value, ".log.gz"))
        return error_set_code(given->err,
                              flag,
                              "%s needs a value before the log '%s'; give %s",
                              flag,
                              given->value,
                              wanted);
    return error_set_code(
        given->err, flag, "invalid value '%s' for %s; give %s", given->value, flag, wanted);
}

/* Names the option in the failure of another module. */
static bool check(const struct given_option *given, bool is_good)
{
    struct error why = *given->err;
    const char *flag = given->row->flag;
    return is_good || error_set_code(given->err, flag, "%s: %s", flag, why.text);
}

static void *member_of(const struct given_option *given)
{
    return (char *)given->options + given->row->offset;
}

static bool find_word(const struct given_option *given, int *value)
{
    const struct option_row *row = given->row;
    struct option_word word;
    SCOPED(text) wanted = {0};
    for (size_t i = 0; option_word_at(row, i, &word); i++)
        if (strcmp(word.word, given->value) == 0 ||
            (word.alias != NULL && strcmp(word.alias, given->value) == 0)) {
            *value = word.value;
            return true;
        }
    text_put_string(&wanted, "one of: ");
    option_words_put(&wanted, row);
    if (row->similar != NULL)
        text_put_string(&wanted, row->similar);
    refuse(given, wanted.at);
    return false;
}

static bool read_word(const struct given_option *given)
{
    return find_word(given, member_of(given));
}

/* Whether the text is digits alone: strtoull() would accept a sign and blanks. */
static bool is_count(const char *digits, size_t most, size_t *count)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, 10);
    *count = (size_t)value;
    return digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno == 0 && value <= most;
}

/* Whether it is digits with a point, or without one; `*value` is their number of these units. */
static bool is_decimal(struct span text, double most, double *value)
{
    int64_t ns;
    if (text.length == 0 || strspn(text.at, "0123456789.") < text.length ||
        !number_seconds(text, &ns))
        return false;
    *value = (double)ns / 1e9;
    return *value <= most;
}

static bool is_ms(struct span text, int64_t *ns)
{
    double ms = 0;
    bool is_good = is_decimal(text, 1e9, &ms);
    *ns = is_good ? (int64_t)(ms * 1e6 + 0.5) : 0;
    return is_good;
}

/* "90", "1:30" or "1:00:30.5". */
static bool is_game_time(const char *text, double *seconds)
{
    enum { PARTS_MAX = 3, PART_MAX = 60 };
    *seconds = 0;
    for (int parts = 0; parts < PARTS_MAX; parts++) {
        double part = 0;
        size_t length = strcspn(text, ":");
        if (!is_decimal((struct span){text, length}, 1e10, &part) ||
            (parts > 0 && part >= PART_MAX))
            return false;
        *seconds = PART_MAX * *seconds + part;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
    return false;
}

static bool read_count(const struct given_option *given)
{
    return is_count(given->value, SIZE_MAX, member_of(given)) ||
           refuse(given, "a whole number, such as 20");
}

static bool read_pattern(const struct given_option *given)
{
    struct pattern **pattern = &given->options->patterns[given->row->asks_for];
    if (given->value == NULL)
        return true;
    pattern_free(*pattern);
    *pattern = pattern_new(span_of(given->value), given->err);
    return check(given, *pattern != NULL);
}

/* A game time, or "#900" for a tick. */
static bool read_border(const struct given_option *given)
{
    struct window_border read, *border = member_of(given);
    size_t tick = 0;
    /* --tick takes one tick of any range. */
    border = border->is_tick ? &read : border;
    *border = (struct window_border){.kind = WINDOW_SECONDS};
    if (given->value[0] == '#' && is_count(given->value + 1, UINT32_MAX, &tick))
        *border = (struct window_border){WINDOW_TICK, (double)tick, false};
    else if (!is_game_time(given->value, &border->value))
        return refuse(given, "a game time such as 90 or 1:30, or a tick such as '#900'");
    return true;
}

static bool read_columns(const struct given_option *given)
{
    return columns_parse(&given->options->show.columns, given->value, given->err);
}

static bool read_ticks(const struct given_option *given)
{
    given->options->show.tick_limit = DEFAULT_TICK_COUNT;
    given->options->has_tick_limit = given->options->show.has_tick_limit = given->value != NULL;
    return given->value == NULL || read_count(given);
}

static bool add_what_if(const struct given_option *given)
{
    struct what_if what_if;
    struct options *options = given->options;
    bool is_good = what_if_parse(&what_if, given->value, given->err);
    if (is_good) {
        MEM_APPEND(options->what_ifs, options->what_if_count, options->what_if_capacity, what_if);
        options->changes_totals |= what_if.is_total;
    }
    return check(given, is_good);
}

static bool read_slow(const struct given_option *given)
{
    int64_t *limit_ns = &given->options->reading.rebuild.limit_ns;
    return (is_ms(span_of(given->value), limit_ns) && *limit_ns > 0) ||
           refuse(given, "milliseconds above 0, such as 50");
}

static bool read_overhead(const struct given_option *given)
{
    enum { US_MAX = 1000, NS_PER_US = 1000 };
    struct rebuild_settings *rebuild = &given->options->reading.rebuild;
    struct span out = span_of(given->value), in = span_take(&out, ',');
    double in_us = 0, out_us = 0;
    rebuild->keeps_costs = strcmp(given->value, "off") == 0;
    rebuild->costs = (struct call_costs){0};
    if (rebuild->keeps_costs || strcmp(given->value, "auto") == 0)
        return true;
    if (!is_decimal(in, US_MAX, &in_us) || !is_decimal(out, US_MAX, &out_us))
        return refuse(given,
                      "auto, off, or the microseconds that a call costs in the callee and in the "
                      "caller, such as 0.2,0.3");
    rebuild->costs.is_known = true;
    for (int kind = 0; kind < COST_COUNT; kind++) {
        rebuild->costs.in_ns[kind] = NS_PER_US * in_us;
        rebuild->costs.out_ns[kind] = NS_PER_US * out_us;
    }
    return true;
}

/* A tick, or a game time in it. */
static bool read_tick(const struct given_option *given)
{
    size_t tick = 0;
    double seconds = 0;
    struct rebuild_settings *window = &given->options->reading.rebuild;
    if (is_count(given->value + (given->value[0] == '#'), UINT32_MAX - 1, &tick)) {
        window->from = (struct window_border){WINDOW_TICK, (double)tick, true};
        window->to = (struct window_border){WINDOW_TICK, (double)tick + 1, true};
        return true;
    }
    if (strpbrk(given->value, ":.") == NULL || !is_game_time(given->value, &seconds))
        return refuse(given, "the number of a tick such as 900, or a game time such as 1:30");
    /* A tick has a tenth of a second, and 1:30.04 is in the one at 1:30.0. */
    seconds = floor(seconds * TICKS_A_SECOND + 1e-6) / TICKS_A_SECOND;
    window->from = (struct window_border){WINDOW_SECONDS, seconds, true};
    window->to = (struct window_border){WINDOW_SECONDS, seconds + 1.0 / TICKS_A_SECOND, true};
    return true;
}

/* "100", "100..200" or "..50". */
static bool read_tick_times(const struct given_option *given)
{
    struct reading *reading = &given->options->reading;
    const char *dots = strstr(given->value, "..");
    struct span over = span_of(given->value);
    over.length = dots != NULL ? (size_t)(dots - over.at) : over.length;
    reading->ticks_over_ns = -1;
    reading->ticks_up_to_ns = INT64_MAX;
    bool is_good = (dots == given->value || is_ms(over, &reading->ticks_over_ns)) &&
                   (dots == NULL || is_ms(span_of(dots + 2), &reading->ticks_up_to_ns));
    return (is_good && reading->ticks_up_to_ns > reading->ticks_over_ns) ||
           refuse(given, "milliseconds such as 100, 100..200 or ..50");
}

static bool read_run(const struct given_option *given)
{
    size_t run = 0;
    bool is_good = is_count(given->value, UINT32_MAX, &run) && run > 0;
    given->options->reading.run = (uint32_t)run;
    return is_good || refuse(given, "a whole number from 1 on");
}

static bool add_filter(const struct given_option *given)
{
    return check(given,
                 filters_add(&given->options->selection.filters,
                             (enum filter_kind)given->row->value,
                             span_of(given->value),
                             given->err));
}

static bool add_hide_file(const struct given_option *given)
{
    name_list_add(&given->options->hide_files, given->value);
    return check(given,
                 filters_add_file(&given->options->selection.filters, given->value, given->err));
}

static bool read_depth(const struct given_option *given)
{
    size_t depth = 0;
    struct selection *selection = &given->options->selection;
    bool is_good = is_count(given->value, UINT32_MAX, &depth);
    selection->depth_max = (uint32_t)depth;
    selection->lists_all_frames = depth == 0;
    return is_good || refuse(given, "a whole number");
}

static bool read_percent(const struct given_option *given)
{
    return is_decimal(span_of(given->value), 100, member_of(given)) ||
           refuse(given, "a percentage such as 0.5");
}

/* In quotes, so that the shell does not split it into several arguments: --diff 'old/a*.log'. */
static bool add_old_logs(const struct given_option *given)
{
    options_add_logs(given->options, &given->options->old_logs, given->value);
    return true;
}

static bool add_limit(const struct given_option *given)
{
    struct limit limit;
    struct options *options = given->options;
    bool is_good = limit_parse(&limit, given->value, given->err);
    if (is_good)
        MEM_APPEND(options->limits, options->limit_count, options->limit_capacity, limit);
    return check(given, is_good);
}

static bool add_output(const struct given_option *given)
{
    options_add_output(given->options, given->value, NULL, 0);
    return true;
}

static bool read_format(const struct given_option *given)
{
    int none;
    const struct report_format **format = &given->options->format;
    *format = format_by_word(given->value);
    /* It says which words there are. */
    return *format != NULL || find_word(given, &none);
}

static bool read_size(const struct given_option *given)
{
    enum { MEGABYTE = 1000 * 1000, MEGABYTES_MAX = 1000 * 1000 };
    double megabytes = 0;
    bool is_good = is_decimal(span_of(given->value), MEGABYTES_MAX, &megabytes);
    given->options->show.page_bytes_max = is_good ? (size_t)(megabytes * MEGABYTE) : 0;
    return is_good || refuse(given, "megabytes such as 10 or 0.5");
}

static bool add_lua_root(const struct given_option *given)
{
    name_list_add(&given->options->reading.lua_roots, given->value);
    return true;
}

bool option_values_apply(const struct given_option *given)
{
    const struct option_row *row = given->row;
    if (row->asks_for != TABLE_FUNCTIONS)
        given->options->show.tables |= 1u << row->asks_for;
    if (row->flag_offset > 0)
        *((bool *)given->options + row->flag_offset) = true;
    return row->read == NULL || row->read(given);
}

/* read_word() writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

#define NAME(word) word, "--" word
#define SETS(flag) .flag_offset = offsetof(struct options, flag)
#define READS(function, member) .read = function, .offset = offsetof(struct options, member)
#define WORDS(...)                                                                                 \
    .words = (const struct option_word[])                                                          \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

static const struct option_word when_words[] = {
    {"auto", WHEN_AUTO, "on a terminal only", NULL},
    {"always", WHEN_ALWAYS, "in files and pipes, too", NULL},
    {"never", WHEN_NEVER, "nowhere", NULL},
    {0},
};

const struct option_row option_rows[] = {
    {NAME("ticks"),
     0,
     "[N]",
     IS_USUAL | CAN_FOLLOW,
     "print how long the ticks took, and the N worst; 10 by default, 0 for all; recordings only",
     .heading = "What to show",
     .asks_for = TABLE_TICKS,
     READS(read_ticks, show.tick_limit)},
    {NAME("threads"),
     0,
     NULL,
     IS_USUAL,
     "print the threads, by the function that they began with; recordings only",
     .similar = "; --thread=coroutine shows only call stacks of threads",
     .works_with = USES_ROWS,
     SETS(show.has_threads)},
    {NAME("peek"),
     0,
     "RE",
     IS_USUAL | CAN_FOLLOW,
     "print callers and callees of each function that matches",
     .takes = TAKES_FUNCTION,
     .asks_for = TABLE_PEEK,
     .read = read_pattern},
    {NAME("list"),
     0,
     "RE",
     IS_USUAL | CAN_FOLLOW,
     "print the source of functions, with what each line called; --lua-root=DIR has the sources",
     .takes = TAKES_FUNCTION,
     .asks_for = TABLE_LIST,
     .read = read_pattern},
    {NAME("tree"),
     0,
     "[RE]",
     CAN_FOLLOW,
     "print the call tree, as far as it is expensive; or the calls below the functions that match",
     .takes = TAKES_FUNCTION,
     .asks_for = TABLE_TREE,
     .read = read_pattern},
    {NAME("inverted"),
     0,
     NULL,
     CAN_FOLLOW,
     "print what called the functions; with --tree",
     .works_with = USES_TREE,
     SETS(show.is_inverted)},
    {NAME("what-if"),
     0,
     "RE/N",
     IS_LIST,
     "print how slow the ticks would be if the functions that match took an Nth of the time; "
     "recordings only",
     .asks_for = TABLE_WHAT_IF,
     .works_with = SHOWS_WHAT_IF,
     .read = add_what_if},
    {NAME("follow"),
     0,
     NULL,
     IS_USUAL | CAN_FOLLOW,
     "show the functions while the game writes the log; q ends and reports",
     SETS(reading.follows)},
    {NAME("slow-over"),
     0,
     "MS",
     CAN_FOLLOW,
     "ticks that took more than MS ms are slow; 100 by default, and 33 for frames of the user "
     "interface",
     .works_with = USES_TICKS | SHOWS_FINDINGS | SHOWS_WHAT_IF,
     .read = read_slow},
    {NAME("top"),
     'n',
     "N",
     IS_USUAL | CAN_FOLLOW,
     "N rows of the table that is shown, 0 for all; the default is 20, and on a terminal what fits",
     .heading = "How it looks",
     SETS(has_top),
     READS(read_count, show.row_limit)},
    {NAME("rows"),
     0,
     "N",
     IS_RARE | CAN_FOLLOW,
     "another name of --top, without a table of its own",
     .works_with = USES_LENGTH,
     SETS(show.has_rows),
     READS(read_count, show.rows)},
    {NAME("by"),
     'b',
     "WHAT",
     IS_USUAL | CAN_BE_DEFAULT | NAMES_FORMATS,
     "what a row is",
     .works_with = USES_ROWS,
     READS(read_word, show.by),
     WORDS({"function", BY_FUNCTION, "a function", NULL},
           {"file",
            BY_FILE,
            "all functions of one source file, with the C functions that they call",
            NULL},
           {"mod", BY_MOD, "all functions of one mod, of one map, or of the game itself", NULL},
           {"line", BY_LINE, "a line that makes calls: the calls and times of what it calls", NULL},
           {"stack", BY_STACK, "a call stack: a chain of functions, the first caller first", NULL},
           {"thread",
            BY_THREAD,
            "the function that a thread or an engine callback began with",
            NULL})},
    {NAME("sort"),
     's',
     "KEY",
     CAN_BE_DEFAULT | NAMES_FORMATS,
     "order the rows by this, largest first",
     .works_with = USES_ROWS,
     READS(read_word, show.sort),
     .word_at = sort_key_at},
    {NAME("columns"),
     0,
     "LIST",
     IS_WORD_LIST | CAN_BE_DEFAULT | NAMES_FORMATS,
     "the columns, in this order, with commas between them",
     .works_with = USES_COLUMNS,
     .read = read_columns,
     .word_at = column_at},
    {NAME("unit"),
     0,
     "UNIT",
     CAN_FOLLOW | CAN_BE_DEFAULT | NAMES_FORMATS,
     "show times in this unit",
     .works_with = USES_UNIT,
     READS(read_word, show.unit),
     WORDS({"ns", UNIT_NS, "nanoseconds", NULL}, {"us", UNIT_US, "microseconds", NULL},
           {"ms", UNIT_MS, "milliseconds", NULL}, {"s", UNIT_S, "seconds", NULL})},
    {NAME("color"),
     0,
     "WHEN",
     CAN_FOLLOW | CAN_BE_DEFAULT,
     "use colours in tables",
     READS(read_word, color),
     .words = when_words},
    {NAME("c-functions"),
     0,
     "WHOSE",
     IS_RARE | CAN_BE_DEFAULT,
     "whose row the C functions are in, with --by=file and --by=mod",
     .works_with = USES_ROWS,
     READS(read_word, show.c_functions),
     WORDS({"caller", C_OF_CALLER, "that of the function that called them", NULL},
           {"own", C_OWN, "one of their own, '[C]'", NULL})},
    {NAME("call-sites"),
     0,
     NULL,
     IS_RARE | NAMES_FORMATS,
     "show the line of each call as a frame (A;A->12;B); tables need --by=stack, too",
     .works_with = USES_CALL_SITES,
     SETS(show.call_sites)},
    {NAME("overhead"),
     0,
     "WHAT",
     IS_RARE | CAN_FOLLOW,
     "how to subtract the recorder's cost from the times; IN,OUT are microseconds per call in "
     "the callee and in the caller",
     .works_with = USES_COSTS,
     .read = read_overhead,
     WORDS({"auto", 0, "subtract what a recording has measured itself", NULL},
           {"off", 1, "leave the times as they were measured", NULL},
           {"IN,OUT",
            2,
            "subtract so many microseconds per call in the callee and in the caller",
            NULL})},
    {NAME("tick"),
     0,
     "N",
     IS_USUAL,
     "only tick N, or the tick at a game time (1:30); the same as --from=#N with --to of the next "
     "tick; recordings only",
     .heading = "Which part",
     .read = read_tick},
    {NAME("from"),
     0,
     "T",
     0,
     "only from game time T (90, 1:30) or from a tick (#900) on; recordings only",
     READS(read_border, reading.rebuild.from)},
    {NAME("to"),
     0,
     "T",
     0,
     "only before game time T or before a tick; recordings only",
     READS(read_border, reading.rebuild.to)},
    {NAME("ticks-over"),
     0,
     "MS",
     0,
     "only ticks that took more than MS ms (100), more than 100 and at most 200 ms (100..200), or "
     "at most 50 ms (..50); recordings only",
     SETS(reading.chooses_ticks),
     .read = read_tick_times},
    {NAME("run"), 0, "N", 0, "only the Nth recording of the logs", .read = read_run},
    {NAME("state"),
     0,
     "WHICH",
     CAN_FOLLOW,
     "only recordings of this Lua",
     READS(read_word, reading.rebuild.state),
     WORDS({"first", LUA_STATE_FIRST, "that of the first recording", NULL},
           {"sim", LUA_STATE_SIM, "the sim", NULL},
           {"ui", LUA_STATE_UI, "the user interface", NULL})},
    {NAME("thread"),
     0,
     "WHICH",
     0,
     "only stacks of this kind of thread",
     .similar = "; --threads lists the threads",
     READS(read_word, selection.threads),
     WORDS({"main", NODE_MAIN, "stacks that ran on the main thread", NULL},
           {"coroutine", NODE_COROUTINE, "stacks that ran in coroutines", NULL},
           {"all", 0, "all stacks", NULL})},
    {NAME("focus"),
     0,
     "RE",
     IS_USUAL | IS_LIST,
     "only call stacks with a function that matches; RE is searched in names and places as they "
     "are shown",
     .takes = TAKES_FUNCTION,
     .works_with = USES_FILTERS,
     .value = FILTER_FOCUS,
     .read = add_filter},
    {NAME("ignore"),
     0,
     "RE",
     IS_LIST,
     "only call stacks without a function that matches",
     .takes = TAKES_FUNCTION,
     .works_with = USES_FILTERS,
     .value = FILTER_IGNORE,
     .read = add_filter},
    {NAME("show-from"),
     0,
     "RE",
     IS_LIST,
     "only call stacks with a match, from the first match on",
     .takes = TAKES_FUNCTION,
     .works_with = USES_FILTERS,
     .value = FILTER_SHOW_FROM,
     .read = add_filter},
    {NAME("hide"),
     0,
     "RE",
     IS_LIST | CAN_BE_DEFAULT,
     "remove the functions that match; their time goes to their callers",
     .takes = TAKES_FUNCTION,
     .works_with = USES_FILTERS,
     .value = FILTER_HIDE,
     .read = add_filter},
    {NAME("hide-file"),
     0,
     "FILE",
     IS_RARE | IS_LIST | CAN_BE_DEFAULT,
     "--hide for each line of FILE",
     .takes = TAKES_FILE,
     .works_with = USES_FILTERS,
     .read = add_hide_file},
    {NAME("fold-recursion"),
     0,
     NULL,
     IS_RARE,
     "keep only the first call from X to Y in a stack; repetitions are added to it",
     .works_with = USES_FILTERS,
     SETS(selection.folds_recursion)},
    {NAME("max-depth"),
     0,
     "N",
     IS_RARE,
     "fold frames deeper than N into their callers; 0: list all frames of deep stacks",
     .works_with = USES_FILTERS,
     .read = read_depth},
    {NAME("min-pct"),
     0,
     "P",
     IS_RARE,
     "fold functions with less than P percent of the time into their callers",
     .works_with = USES_FILTERS,
     READS(read_percent, selection.min_percent)},
    {NAME("diff"),
     'd',
     "OLD",
     IS_USUAL | IS_LIST | NAMES_FORMATS,
     "compare with an older log; may be repeated",
     .takes = TAKES_FILE,
     .heading = "Compare",
     .works_with = SHOWS_COMPARISON,
     .read = add_old_logs},
    {NAME("repeated"),
     0,
     NULL,
     0,
     "the logs are repetitions of one game: show medians and how far the logs differ; with --diff, "
     "mark changes that may be chance",
     SETS(is_repeated)},
    {NAME("normalize"),
     0,
     "TO",
     0,
     "scale the old values of --diff to those of the new log",
     .works_with = USES_FILTERS,
     READS(read_word, normalize),
     WORDS({"call", NORMALIZE_CALLS, "as many calls in each row as now", NULL},
           {"tick",
            NORMALIZE_TICKS,
            "as many ticks as now; scales calls, errors and memory, too",
            NULL},
           {"unit", NORMALIZE_UNITS, "as many ticks with as many units as now; likewise", NULL},
           {"total", NORMALIZE_TOTALS, "the same time in total as now", NULL},
           {"none", NORMALIZE_NOTHING, "nothing is scaled", NULL})},
    {NAME("diff-rest"),
     0,
     NULL,
     0,
     "with --ticks-over, compare with the other ticks of the same logs, per tick",
     SETS(compares_rest)},
    {NAME("fail-if"),
     0,
     "EXPR",
     IS_LIST,
     "exit with status 4 if EXPR holds, for example \"total>+5%\" or \"self(RE)>2ms/tick\"; may be "
     "repeated",
     .read = add_limit},
    {NAME("output"),
     'o',
     "FILE",
     IS_USUAL | IS_LIST | CAN_FOLLOW,
     "write FILE in the format of its suffix; may be repeated, all files come from one reading; - "
     "is standard output",
     .takes = TAKES_FILE,
     .heading = "Write",
     .read = add_output},
    {NAME("format"),
     'f',
     "NAME",
     CAN_FOLLOW | WORDS_BELOW,
     "write this format, whatever the suffix; see Formats below",
     .read = read_format,
     .word_at = format_at},
    {NAME("open"),
     0,
     NULL,
     IS_USUAL,
     "write an HTML report beside the log, and open it; without LOG, take the newest log of the "
     "game",
     SETS(opens)},
    {NAME("no-source"),
     0,
     NULL,
     IS_RARE | CAN_FOLLOW,
     "write html without the source of functions",
     .works_with = USES_TEXTS,
     SETS(show.has_no_source)},
    {NAME("metric"),
     0,
     "WHAT",
     IS_RARE | CAN_FOLLOW,
     "the value that folded and svg show, and the first one of speedscope, pprof and html",
     .works_with = USES_METRIC,
     READS(read_word, show.metric),
     WORDS({"time", METRIC_TIME, "self time", NULL}, {"calls", METRIC_CALLS, "calls", NULL},
           {"errors", METRIC_ERRORS, "calls that an error ended; recordings only", NULL},
           {"heap",
            METRIC_ALLOC,
            "heap growth in KB, kept or freed later; recordings with memory only",
            "alloc"})},
    {NAME("orientation"),
     0,
     "WHAT",
     IS_RARE | CAN_FOLLOW | CAN_BE_DEFAULT,
     "the direction of an svg",
     .works_with = USES_ORIENTATION,
     READS(read_word, show.orientation),
     WORDS({"icicle", ORIENTATION_ICICLE, "root at the top", NULL},
           {"flame", ORIENTATION_FLAME, "root at the bottom", NULL})},
    {NAME("max-size"),
     0,
     "MB",
     IS_RARE | CAN_FOLLOW,
     "the largest size of an html page (default: 10), 0 for no limit",
     .works_with = USES_SIZE,
     .read = read_size},
    {NAME("lua-root"),
     0,
     "DIR",
     IS_USUAL | IS_LIST | CAN_FOLLOW | CAN_BE_DEFAULT,
     "find names for functions in the Lua sources below DIR; those of the game or of a mod; may be "
     "repeated",
     .takes = TAKES_DIRECTORY,
     .heading = "Names",
     .read = add_lua_root},
    {NAME("paths"),
     0,
     "STYLE",
     IS_RARE | CAN_FOLLOW | CAN_BE_DEFAULT,
     "how paths are shown",
     READS(read_word, reading.path_style),
     WORDS({"short", PATHS_SHORT, "where a file lies inside the game, with /", NULL},
           {"full", PATHS_FULL, "as in the log, without the @ in front", NULL})},
    {NAME("progress"),
     0,
     "WHEN",
     CAN_BE_DEFAULT,
     "show progress on standard error",
     .heading = "Output",
     READS(read_word, progress),
     .words = when_words},
    {NAME("quiet"), 'q', NULL, CAN_FOLLOW, "print only errors on standard error", SETS(is_quiet)},
    {NAME("verbose"),
     'v',
     NULL,
     CAN_FOLLOW,
     "print more about the logs, and list all damage",
     SETS(show.is_verbose)},
    {NAME("strict"),
     0,
     NULL,
     0,
     "treat damage and missing lines as an error; exit status 3",
     SETS(reading.is_strict)},
    {NAME("codes"),
     0,
     NULL,
     IS_RARE | CAN_FOLLOW,
     "begin messages with a code in brackets, for programs",
     SETS(shows_codes)},
    {NAME("no-config"),
     0,
     NULL,
     CAN_FOLLOW,
     "read no options from the files .supprof and config, and from SUPPROF_LUA_ROOT",
     SETS(ignores_defaults)},
    {NAME("mcp"),
     0,
     NULL,
     0,
     "answer an AI assistant that speaks the Model Context Protocol on standard input and output",
     SETS(speaks_mcp)},
    {NAME("help"),
     'h',
     NULL,
     CAN_FOLLOW,
     "print this help; -h prints the options that people use, on one screen",
     SETS(wants_help)},
    {NAME("version"), 'V', NULL, CAN_FOLLOW, "print the version", SETS(wants_version)},
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
