#include "cli/options.h"

#include "base/mem.h"
#include "base/number.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ROW_COUNT = 20, DEFAULT_TICK_COUNT = 10 };

/* apply_row() writes an int where struct options has an enum. */
_Static_assert(sizeof(enum table_by) == sizeof(int), "enums are as wide as int");

/* A word that an option takes, and what it stands for. */
struct choice {
    const char *word;
    int value;
};

static bool choose(const struct choice *choices, const char *option, const char *word, int *value,
                   struct error *err)
{
    char words[128] = "";
    size_t length = 0;
    for (const struct choice *choice = choices; choice->word != NULL; choice++) {
        if (strcmp(choice->word, word) == 0) {
            *value = choice->value;
            return true;
        }
        const char *comma = length > 0 ? ", " : "";
        length +=
            (size_t)snprintf(words + length, sizeof words - length, "%s%s", comma, choice->word);
        if (length >= sizeof words)
            length = sizeof words - 1;
    }
    return error_set(err, "'%s' is no value for --%s; choose one of %s", word, option, words);
}

static bool read_count(const char *option, const char *text, uint64_t max, uint64_t *count,
                       struct error *err)
{
    char *end;
    errno = 0;
    /* strtoull() takes a sign and blanks; a count has neither. */
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > max)
        return error_set(err, "'%s' is no value for --%s; give a whole number", text, option);
    *count = value;
    return true;
}

static bool apply_output(struct options *options, const char *argument, struct error *err)
{
    (void)err;
    options->outputs = mem_grow(options->outputs, &options->output_capacity,
                                options->output_count + 1, sizeof *options->outputs);
    options->outputs[options->output_count++] = (struct option_output){.path = argument};
    return true;
}

static bool apply_lua_root(struct options *options, const char *argument, struct error *err)
{
    (void)err;
    options->lua_roots = mem_grow(options->lua_roots, &options->lua_root_capacity,
                                  options->lua_root_count + 1, sizeof *options->lua_roots);
    options->lua_roots[options->lua_root_count++] = argument;
    return true;
}

static bool apply_format(struct options *options, const char *argument, struct error *err)
{
    options->format = report_by_name(argument);
    if (options->format != NULL)
        return true;
    struct choice choices[16] = {{NULL, 0}};
    for (size_t i = 0; report_formats[i] != NULL && i + 1 < sizeof choices / sizeof choices[0]; i++)
        choices[i].word = report_formats[i]->name;
    int unused;
    return choose(choices, "format", argument, &unused, err);
}

static bool apply_top(struct options *options, const char *argument, struct error *err)
{
    uint64_t count = 0;
    if (!read_count("top", argument, SIZE_MAX, &count, err))
        return false;
    options->has_top = true;
    options->row_limit = (size_t)count;
    return true;
}

static bool apply_run(struct options *options, const char *argument, struct error *err)
{
    uint64_t run = 0;
    if (!read_count("run", argument, UINT32_MAX, &run, err))
        return false;
    if (run == 0)
        return error_set(err, "'0' is no value for --run; runs are counted from 1");
    options->run = (uint32_t)run;
    return true;
}

static const struct choice thread_choices[] = {{"main", NODE_MAIN},
                                               {"coroutine", NODE_COROUTINE},
                                               {"all", NODE_MAIN | NODE_COROUTINE},
                                               {NULL, 0}};

/* Reads digits with a point, or none, that end at `end`. */
static bool read_decimal(const char *text, const char *end, double *value)
{
    struct span span = {text, (size_t)(end - text)};
    int64_t ns;
    if (span.length == 0 || strspn(text, "0123456789.") < span.length || !number_seconds(span, &ns))
        return false;
    *value = (double)ns / 1e9;
    return true;
}

static bool apply_thread(struct options *options, const char *argument, struct error *err)
{
    int threads = 0;
    bool is_known = choose(thread_choices, "thread", argument, &threads, err);
    options->selection.threads = (uint8_t)threads;
    return is_known;
}

static bool add_filter(struct options *options, enum filter_kind kind, const char *argument,
                       struct error *err)
{
    struct error why;
    if (filters_add(&options->selection.filters, kind, (struct span){argument, strlen(argument)},
                    &why))
        return true;
    return error_set(err, "%s: %s", filter_option(kind), why.text);
}

static bool apply_focus(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_FOCUS, argument, err);
}

static bool apply_ignore(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_IGNORE, argument, err);
}

static bool apply_hide(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_HIDE, argument, err);
}

static bool apply_show_from(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_SHOW_FROM, argument, err);
}

static bool apply_hide_file(struct options *options, const char *argument, struct error *err)
{
    return filters_add_file(&options->selection.filters, argument, err);
}

static bool apply_max_depth(struct options *options, const char *argument, struct error *err)
{
    uint64_t depth = 0;
    if (!read_count("max-depth", argument, UINT32_MAX, &depth, err))
        return false;
    if (depth == 0)
        return error_set(err, "'0' is no value for --max-depth; a stack has at least 1 frame");
    options->selection.depth_max = (uint32_t)depth;
    return true;
}

static bool apply_min_pct(struct options *options, const char *argument, struct error *err)
{
    double percent = 0;
    if (!read_decimal(argument, argument + strlen(argument), &percent) || percent > 100)
        return error_set(err, "'%s' is no value for --min-pct; give a percentage such as 0.5",
                         argument);
    options->selection.min_percent = percent;
    return true;
}

static bool apply_ticks(struct options *options, const char *argument, struct error *err)
{
    uint64_t count = DEFAULT_TICK_COUNT;
    if (argument != NULL && !read_count("ticks", argument, SIZE_MAX, &count, err))
        return false;
    options->has_ticks = true;
    options->tick_limit = (size_t)count;
    return true;
}

static bool apply_peek(struct options *options, const char *argument, struct error *err)
{
    struct error why;
    pattern_free(options->peek);
    options->peek = pattern_new((struct span){argument, strlen(argument)}, &why);
    return options->peek != NULL || error_set(err, "--peek: %s", why.text);
}

/* "#900" is a tick; "90", "1:30" and "1:00:30.5" are game times. */
static bool read_border(const char *option, const char *text, struct window_border *border,
                        struct error *err)
{
    uint64_t tick = 0;
    if (text[0] == '#' && read_count(option, text + 1, UINT32_MAX, &tick, err)) {
        *border = (struct window_border){WINDOW_TICK, (double)tick};
        return true;
    }
    double seconds = 0, part = 0;
    for (int parts = 0; text[0] != '#' && parts < 3; parts++) {
        const char *end = text + strcspn(text, ":");
        if (!read_decimal(text, end, &part) || (parts > 0 && part >= 60))
            break;
        seconds = 60 * seconds + part;
        if (*end == '\0') {
            *border = (struct window_border){WINDOW_SECONDS, seconds};
            return true;
        }
        text = end + 1;
    }
    return error_set(err, "--%s wants a game time such as 90 or 1:30, or a tick such as '#900'",
                     option);
}

static bool apply_from(struct options *options, const char *argument, struct error *err)
{
    return read_border("from", argument, &options->from, err);
}

static bool apply_to(struct options *options, const char *argument, struct error *err)
{
    return read_border("to", argument, &options->to, err);
}

static bool apply_overhead(struct options *options, const char *argument, struct error *err)
{
    options->keeps_costs = strcmp(argument, "off") == 0;
    options->costs = (struct call_costs){0};
    if (options->keeps_costs || strcmp(argument, "auto") == 0)
        return true;
    const char *comma = strchr(argument, ',');
    double in_us = 0, out_us = 0;
    if (comma == NULL || !read_decimal(argument, comma, &in_us) ||
        !read_decimal(comma + 1, comma + 1 + strlen(comma + 1), &out_us) || in_us > 1000 ||
        out_us > 1000)
        return error_set(err,
                         "'%s' is no value for --overhead; choose auto, off, or what a call costs "
                         "inside and outside of it in microseconds, as in 0.2,0.3",
                         argument);
    options->costs = (struct call_costs){.is_known = true};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        options->costs.in_ns[kind] = 1000 * in_us;
        options->costs.out_ns[kind] = 1000 * out_us;
    }
    return true;
}

static bool apply_columns(struct options *options, const char *argument, struct error *err)
{
    return columns_parse(&options->columns, argument, err);
}

static bool apply_diff(struct options *options, const char *argument, struct error *err)
{
    (void)err;
    options->old_logs = mem_grow(options->old_logs, &options->old_log_capacity,
                                 options->old_log_count + 1, sizeof *options->old_logs);
    options->old_logs[options->old_log_count++] = argument;
    return true;
}

static const struct choice by_choices[] = {
    {"function", BY_FUNCTION}, {"file", BY_FILE},     {"mod", BY_MOD}, {"line", BY_LINE},
    {"stack", BY_STACK},       {"thread", BY_THREAD}, {NULL, 0},
};
static const struct choice sort_choices[] = {
    {"self", SORT_SELF}, {"total", SORT_TOTAL},   {"calls", SORT_CALLS}, {"avg", SORT_AVERAGE},
    {"max", SORT_MAX},   {"errors", SORT_ERRORS}, {"alloc", SORT_ALLOC}, {NULL, 0},
};
static const struct choice unit_choices[] = {
    {"ns", UNIT_NS}, {"us", UNIT_US}, {"ms", UNIT_MS}, {"s", UNIT_S}, {NULL, 0},
};
static const struct choice metric_choices[] = {
    {"time", METRIC_TIME},
    {"calls", METRIC_CALLS},
    {"errors", METRIC_ERRORS},
    {"alloc", METRIC_ALLOC},
    {NULL, 0},
};
static const struct choice normalize_choices[] = {
    {"none", NORMALIZE_NOTHING},
    {"call", NORMALIZE_CALLS},
    {"tick", NORMALIZE_TICKS},
    {"total", NORMALIZE_TOTALS},
    {NULL, 0},
};
static const struct choice orientation_choices[] = {
    {"icicle", ORIENTATION_ICICLE}, {"flame", ORIENTATION_FLAME}, {NULL, 0}};
static const struct choice path_choices[] = {
    {"short", PATHS_SHORT}, {"full", PATHS_FULL}, {NULL, 0}};
static const struct choice when_choices[] = {
    {"auto", WHEN_AUTO}, {"always", WHEN_ALWAYS}, {"never", WHEN_NEVER}, {NULL, 0}};

/*
 * What an option does: it calls apply(); or sets the enum at `offset` of struct
 * options to one of `choices`; or, with neither, sets the bool at `offset`.
 */
struct option_row {
    char letter; /* '\0' for none */
    const char *name;
    const char *argument; /* NULL for none; "[X]" may be left out */
    const char *help;     /* '\n' begins another line */
    bool (*apply)(struct options *options, const char *argument, struct error *err);
    const struct choice *choices; /* ended by a NULL word */
    size_t offset;
};

#define MEMBER(name) .offset = offsetof(struct options, name)

static const struct option_row rows[] = {
    {'o', "output", "FILE",
     "write FILE, in the format of its suffix; may be\n"
     "repeated: all come from one reading; - is stdout",
     .apply = apply_output},
    {'f', "format", "NAME", "write this format, whatever the suffix (see below)",
     .apply = apply_format},
    {0, "top", "N", "table with N rows, 0 for all (default: 20)", .apply = apply_top},
    {0, "by", "WHAT",
     "a row of top and csv is a function (default), file,\n"
     "mod, line (of the call), stack, or thread",
     .choices = by_choices, MEMBER(by)},
    {0, "sort", "KEY",
     "order rows by self (default), total, calls, avg;\n"
     "of recordings also by max, errors, alloc",
     .choices = sort_choices, MEMBER(sort)},
    {0, "ticks", "[N]",
     "the ticks of recordings against their 100 ms, and\n"
     "the N worst (default: 10), 0 for all",
     .apply = apply_ticks},
    {0, "peek", "RE", "callers and callees of each function that matches", .apply = apply_peek},
    {0, "from", "T",
     "only from game time T on (90, 1:30) or from a tick\n"
     "on (#900); recordings only",
     .apply = apply_from},
    {0, "to", "T", "only up to there, without it", .apply = apply_to},
    {0, "overhead", "WHAT",
     "take the cost of recording out of the times: auto\n"
     "(default; as recordings measured it), off, or IN,OUT\n"
     "in us a call, in the callee and in the caller",
     .apply = apply_overhead},
    {0, "call-sites", NULL,
     "in folded and --by stack, a frame for the line of\n"
     "each call: A;A->12;B",
     MEMBER(call_sites)},
    {0, "thread", "WHICH", "only the main thread or coroutines: main, coroutine,\nall (default)",
     .apply = apply_thread},
    {0, "focus", "RE",
     "only call stacks with a function that matches; RE is\n"
     "looked for in names and places as they are shown",
     .apply = apply_focus},
    {0, "ignore", "RE", "only call stacks without one", .apply = apply_ignore},
    {0, "hide", "RE", "without the functions that match; their time is\ntheir callers'",
     .apply = apply_hide},
    {0, "hide-file", "FILE", "--hide for each line of FILE", .apply = apply_hide_file},
    {0, "show-from", "RE", "only what is at and below the first match in a stack",
     .apply = apply_show_from},
    {0, "fold-recursion", NULL, "a step from X to Y once in a stack; repetitions fold\ninto it",
     MEMBER(selection.folds_recursion)},
    {0, "max-depth", "N", "what is deeper than N frames becomes its caller's",
     .apply = apply_max_depth},
    {0, "min-pct", "P", "so does what has less than P percent of the time", .apply = apply_min_pct},
    {0, "run", "N", "only the Nth profiling run of the logs", .apply = apply_run},
    {0, "columns", "LIST",
     "the columns of top and csv, in this order: self,\n"
     "self%, sum%, total, total%, calls, avg; min, mean,\n"
     "max, errors, alloc, noise; main, coroutine",
     .apply = apply_columns},
    {0, "diff", "OLD",
     "compare with an older log; may be repeated, as LOG;\n"
     "for top, csv, folded and svg",
     .apply = apply_diff},
    {0, "normalize", "TO",
     "scale the old times to the calls, ticks or total of\n"
     "the new ones: call, tick, total, none (default)",
     .choices = normalize_choices, MEMBER(normalize)},
    {0, "lua-root", "DIR",
     "name what the log could not, from the Lua sources\n"
     "of the game or a mod in DIR; may be repeated",
     .apply = apply_lua_root},
    {0, "metric", "WHAT",
     "what folded and svg count, what speedscope and pprof\n"
     "show first: time (default), calls; of recordings\n"
     "also errors, alloc (KB)",
     .choices = metric_choices, MEMBER(metric)},
    {0, "orientation", "WHAT",
     "svg with its root at the top, icicle (default), or at\nthe bottom, flame",
     .choices = orientation_choices, MEMBER(orientation)},
    {0, "unit", "UNIT", "ns, us, ms or s, for top, peek, folded and svg", .choices = unit_choices,
     MEMBER(unit)},
    {0, "paths", "STYLE",
     "short (default): inside the game, with /;\n"
     "full: as in the log",
     .choices = path_choices, MEMBER(path_style)},
    {0, "strict", NULL, "damage and missing lines are an error (exit status 3)", MEMBER(is_strict)},
    {'q', "quiet", NULL, "say nothing on standard error but errors", MEMBER(is_quiet)},
    {'v', "verbose", NULL, "say more about what was read; list all damage", MEMBER(is_verbose)},
    {0, "color", "WHEN", "auto (default), always, never", .choices = when_choices, MEMBER(color)},
    {0, "progress", "WHEN", "show progress on standard error: auto, always, never",
     .choices = when_choices, MEMBER(progress)},
    {0, "help", NULL, "print this help", MEMBER(wants_help)},
    {0, "version", NULL, "print the version", MEMBER(wants_version)},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0], FIRST_CODE = 256 };

/* Fills what getopt_long() wants from the table; the code of a row is FIRST_CODE + its index. */
static void fill_getopt(struct option long_options[ROW_COUNT + 1], char letters[2 * ROW_COUNT + 1])
{
    size_t length = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        bool has_argument = rows[i].argument != NULL;
        long_options[i] = (struct option){
            .name = rows[i].name,
            .has_arg = !has_argument                ? no_argument
                       : rows[i].argument[0] == '[' ? optional_argument
                                                    : required_argument,
            .val = FIRST_CODE + i,
        };
        if (rows[i].letter == '\0')
            continue;
        letters[length++] = rows[i].letter;
        if (has_argument)
            letters[length++] = ':';
    }
    letters[length] = '\0';
    long_options[ROW_COUNT] = (struct option){0};
}

static const struct option_row *find_row(int code)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (code == FIRST_CODE + i || (code == rows[i].letter && code != 0))
            return &rows[i];
    return NULL;
}

static bool apply_row(struct options *options, const struct option_row *row, const char *argument,
                      struct error *err)
{
    if (row->apply != NULL)
        return row->apply(options, argument, err);
    char *member = (char *)options + row->offset;
    if (row->choices != NULL) {
        int value = 0;
        if (!choose(row->choices, row->name, argument, &value, err))
            return false;
        memcpy(member, &value, sizeof value);
        return true;
    }
    bool is_set = true;
    memcpy(member, &is_set, sizeof is_set);
    return true;
}

/* Says why getopt_long() did not take what it looked at last. */
static bool refuse(int argc, char **argv, struct error *err)
{
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    const struct option_row *row = optopt != 0 ? find_row(optopt) : NULL;
    if (row != NULL && row->argument != NULL)
        return error_set(err, "--%s needs a value: --%s=%s", row->name, row->name, row->argument);
    if (row != NULL)
        return error_set(err, "--%s takes no value", row->name);
    if (optopt != 0)
        return error_set(err, "there is no option -%c", optopt);
    return error_set(err, "there is no option '%s', or it is short for several", word);
}

/* Whether a file is written in this format, so that standard output need not be. */
static bool has_file_of(const struct options *options, const struct report_format *wanted)
{
    for (size_t i = 0; i < options->output_count; i++) {
        const char *path = options->outputs[i].path;
        if ((options->format != NULL ? options->format : report_by_path(path)) == wanted)
            return true;
    }
    return false;
}

/* Finds the report that an option wants on standard output; NULL for none. */
static bool choose_table(const struct options *options, const struct report_format **table,
                         struct error *err)
{
    const struct {
        const struct report_format *format;
        bool is_wanted;
    } tables[] = {
        {&report_top, options->has_top},
        {&report_ticks, options->has_ticks},
        {&report_peek, options->peek != NULL && !has_file_of(options, &report_peek)},
    };
    *table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (!tables[i].is_wanted)
            continue;
        if (*table != NULL)
            return error_set(err, "--%s and --%s both want standard output; the one or the other",
                             (*table)->name, tables[i].format->name);
        *table = tables[i].format;
    }
    return true;
}

/* Decides what is written where, after all options are known. */
static bool settle_outputs(struct options *options, struct error *err)
{
    const struct report_format *table;
    if (!choose_table(options, &table, err))
        return false;
    if (options->output_count == 0) {
        if (table != NULL && options->format != NULL && options->format != table)
            return error_set(err,
                             "--%s and --format=%s both want standard output; name a file "
                             "for one with --output",
                             table->name, options->format->name);
        apply_output(options, "-", err);
        options->outputs[0].format = options->format != NULL ? options->format
                                     : table != NULL         ? table
                                                             : &report_top;
        return true;
    }
    size_t stdout_count = table != NULL;
    for (size_t i = 0; i < options->output_count; i++) {
        struct option_output *output = &options->outputs[i];
        bool is_stdout = strcmp(output->path, "-") == 0;
        stdout_count += is_stdout;
        output->format = options->format != NULL ? options->format
                         : is_stdout             ? &report_top
                                                 : report_by_path(output->path);
        if (output->format == NULL)
            return error_set(err, "'%s' has no suffix of a known format; name one with --format",
                             output->path);
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->outputs[k].path, output->path) == 0)
                return error_set(err, "'%s' is named twice as output", output->path);
    }
    if (stdout_count > 1)
        return error_set(err, "more than one report wants standard output; name a file for one");
    if (table != NULL) {
        apply_output(options, "-", err);
        options->outputs[options->output_count - 1].format = table;
    }
    return true;
}

static bool settle_peek(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++)
        if (options->outputs[i].format == &report_peek && options->peek == NULL)
            return error_set(err, "the format peek wants to know which functions; give --peek=RE");
    return true;
}

/* Whether what is asked for can be compared. */
static bool settle_comparison(struct options *options, struct error *err)
{
    if (options->old_log_count == 0)
        return options->normalize == NORMALIZE_NOTHING ||
               error_set(err, "--normalize scales what --diff compares; give --diff=OLD as well");
    for (size_t i = 0; i < options->output_count; i++)
        if (!options->outputs[i].format->compares)
            return error_set(err, "--diff: the format %s cannot show a comparison",
                             options->outputs[i].format->name);
    struct columns compared = {0};
    for (size_t i = 0; i < options->columns.count; i++) {
        enum column_kind kind = options->columns.list[i].kind;
        if (kind == COLUMN_SUM_PERCENT || kind == COLUMN_MAIN || kind == COLUMN_COROUTINE)
            return error_set(err, "--columns: '%s' cannot be compared; leave it out of --diff",
                             column_title(kind));
        columns_add_compared(&compared, kind);
    }
    options->columns = compared;
    return true;
}

/* Time lines show calls as they were. */
static bool settle_timeline(const struct options *options, struct error *err)
{
    bool is_changed = selection_changes_stacks(&options->selection);
    for (size_t i = 0; i < options->output_count && is_changed; i++)
        if (options->outputs[i].format->uses_timeline)
            return error_set(err,
                             "the format %s shows all calls of a window, one by one; it can "
                             "neither filter nor fold them",
                             options->outputs[i].format->name);
    return true;
}

static size_t count_standard_input(const struct options *options)
{
    const struct filters *filters = &options->selection.filters;
    size_t count = 0;
    for (size_t i = 0; i < options->log_count; i++)
        count += strcmp(options->logs[i], "-") == 0;
    for (size_t i = 0; i < options->old_log_count; i++)
        count += strcmp(options->old_logs[i], "-") == 0;
    for (size_t i = 0; i < filters->count; i++)
        count += filters->all[i].file != NULL && strcmp(filters->all[i].file, "-") == 0 &&
                 (i == 0 || filters->all[i - 1].file != filters->all[i].file);
    return count;
}

bool options_parse(struct options *options, int argc, char **argv, bool has_piped_input,
                   struct error *err)
{
    static char standard_input[] = "-";
    static char *only_standard_input[] = {standard_input};
    *options = (struct options){.row_limit = DEFAULT_ROW_COUNT, .tick_limit = DEFAULT_TICK_COUNT};
    struct option long_options[ROW_COUNT + 1];
    char letters[2 * ROW_COUNT + 1];
    fill_getopt(long_options, letters);

    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        const struct option_row *row = find_row(code);
        if (row == NULL)
            return refuse(argc, argv, err);
        /* As in "--ticks 5 log": a log that is called 5 can be written ./5. */
        bool has_word = row->argument != NULL && row->argument[0] == '[' && optarg == NULL &&
                        optind < argc && argv[optind][0] != '\0' &&
                        argv[optind][strspn(argv[optind], "0123456789")] == '\0';
        if (!apply_row(options, row, has_word ? argv[optind++] : optarg, err))
            return false;
    }
    options->logs = argv + optind;
    options->log_count = (size_t)(argc - optind);
    if (options->wants_help || options->wants_version)
        return true;
    if (options->log_count == 0) {
        if (!has_piped_input)
            return error_set(err, "no log is named");
        options->logs = only_standard_input;
        options->log_count = 1;
    }
    if (count_standard_input(options) > 1)
        return error_set(err, "standard input is named twice, and can be read once");
    bool is_empty_window = options->from.kind == options->to.kind &&
                           options->from.kind != WINDOW_OPEN &&
                           options->to.value <= options->from.value;
    if (is_empty_window)
        return error_set(err, "--to must be later than --from");
    return settle_outputs(options, err) && settle_peek(options, err) &&
           settle_comparison(options, err) && settle_timeline(options, err);
}

bool options_wants(enum when when, bool otherwise)
{
    return when == WHEN_ALWAYS || (when == WHEN_AUTO && otherwise);
}

void options_release(struct options *options)
{
    free(options->outputs);
    free(options->old_logs);
    pattern_free(options->peek);
    selection_release(&options->selection);
    free(options->lua_roots);
    *options = (struct options){0};
}

static void print_row(FILE *out, const struct option_row *row)
{
    enum { HELP_COLUMN = 26 };
    char start[64];
    char letter[8] = "    ";
    if (row->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *argument = row->argument != NULL ? row->argument : "";
    bool is_optional = argument[0] == '[';
    snprintf(start, sizeof start, "  %s--%s%s%s", letter, row->name,
             is_optional           ? "[="
             : argument[0] != '\0' ? "="
                                   : "",
             argument + is_optional);
    fprintf(out, "%-*s", HELP_COLUMN, start);
    for (const char *line = row->help;;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "%.*s\n", (int)length, line);
        if (line[length] == '\0')
            break;
        line += length + 1;
        fprintf(out, "%-*s", HELP_COLUMN, "");
    }
}

void options_print_help(FILE *out)
{
    fputs("Usage: supprof [OPTION]... [LOG]...\n"
          "Say where the time goes in the Lua of Supreme Commander: Forged Alliance.\n"
          "\n"
          "  supprof loud.log                      what matters, on one screen\n"
          "  supprof --top 50 loud.log             the 50 dearest functions\n"
          "  supprof --ticks loud.log              which ticks were slow, and why\n"
          "  supprof loud.log -o stacks.folded     for speedscope or a flame graph\n"
          "  supprof loud.log -o functions.csv     for a spreadsheet\n"
          "\n"
          "LOG is a game log with profiler lines, gzipped or not; several are merged.\n"
          "Without LOG, or where it is -, standard input is read.\n"
          "\n",
          out);
    for (size_t i = 0; i < ROW_COUNT; i++)
        print_row(out, &rows[i]);
    fputs("\nFormats:\n", out);
    for (size_t i = 0; report_formats[i] != NULL; i++) {
        const struct report_format *format = report_formats[i];
        fprintf(out, "  %-10s  %s (", format->name, format->summary);
        for (size_t k = 0; format->suffixes[k] != NULL; k++)
            fprintf(out, "%s%s", k > 0 ? " " : "", format->suffixes[k]);
        if (format->prefix != NULL)
            fprintf(out, " %s*", format->prefix);
        fputs(")\n", out);
    }
    fputs("\n"
          "Exit status: 0 done; 1 input or output failed; 2 wrong usage; 3 the log has no\n"
          "profiler lines, or --strict found damage. The manual is supprof(1).\n",
          out);
}
