#include "cli/options/command_line.h"

#include "cli/options/option_rows.h"
#include "cli/options/option_values.h"
#include "cli/options/steps.h"
#include "cli/options/unknown_option.h"

#include <getopt.h>

/* getopt_long() returns this plus the row's index for a long option. */
enum { FIRST_CODE = 256 };

/* The arguments of getopt_long(). */
struct getopt_table {
    struct option options[OPTION_ROWS_MAX + 1];
    char letters[2 * OPTION_ROWS_MAX + 1];
};

static bool is_optional(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] == '[';
}

static void fill_getopt(struct getopt_table *table)
{
    char *letter = table->letters;
    *table = (struct getopt_table){0};
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        table->options[i] = (struct option){
            .name = row->name,
            .has_arg = is_optional(row)        ? optional_argument
                       : row->argument != NULL ? required_argument
                                               : no_argument,
            .val = FIRST_CODE + (int)i,
        };
        if (row->letter != '\0')
            *letter++ = row->letter;
        if (row->letter != '\0' && row->argument != NULL)
            *letter++ = ':';
    }
}

/* Returns the row of a code of getopt_long(), or NULL. */
static const struct option_row *find_row(int code)
{
    for (size_t i = 0; i < option_row_count && code != 0; i++)
        if (code == FIRST_CODE + (int)i || code == option_rows[i].letter)
            return &option_rows[i];
    return NULL;
}

/* Sets the error for the word that getopt_long() refused. */
static bool refuse(int argc, char **argv, struct error *err)
{
    const struct option_row *row = find_row(optopt);
    const char *similar = row != NULL && row->similar != NULL ? row->similar : "";
    const char *between = similar[0] != '\0' ? "; " : "";
    if (row != NULL && row->argument != NULL)
        return error_set(err, "%s needs a value: %s=%s%s%s", row->flag, row->flag, row->argument,
                         between, similar);
    if (row != NULL)
        return error_set(err, "%s takes no value%s%s", row->flag, between, similar);
    /* Of "-tick", getopt_long() refuses the first letter that is not an option. */
    const char *word = optind > 0 && optind < argc ? argv[optind] : "";
    if (optopt != 0 && word[0] == '-' && strlen(word) > 2)
        return unknown_option_refuse(word, err);
    if (optopt != 0)
        return error_set(err, "unknown option '-%c'", optopt);
    return unknown_option_refuse(optind > 0 && optind <= argc ? argv[optind - 1] : "", err);
}

/* Reads all options; `is_given` is [option_row_count]. */
static bool read_options(struct options *options, int argc, char **argv, bool *is_given,
                         struct error *err)
{
    struct getopt_table table;
    fill_getopt(&table);
    opterr = 0;
    /* The first of several command lines need not be the last: see cli/mcp. */
    optind = 0;
    for (int code; (code = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1;) {
        struct given_option given = {options, find_row(code), optarg};
        if (given.row == NULL)
            return refuse(argc, argv, err);
        /* As in "--ticks 5 log": a log named 5 can be written ./5. */
        if (is_optional(given.row) && optarg == NULL && optind < argc && argv[optind][0] != '\0' &&
            argv[optind][strspn(argv[optind], "0123456789")] == '\0')
            given.value = argv[optind++];
        if (!option_values_apply(&given, err))
            return false;
        is_given[given.row - option_rows] = true;
        options->wants_short_help |= code == 'h';
    }
    return true;
}

/* Whether the only argument is a word that asks for help, and no log has this name. */
static bool is_help_word(int argc, char **argv)
{
    struct file_status status;
    return argc == 2 &&
           (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "/?") == 0 ||
            strcmp(argv[1], "/h") == 0) &&
           !file_status(&status, argv[1]);
}

static size_t count_standard_input(const struct options *options)
{
    const struct filters *filters = &options->selection.filters;
    size_t count = name_list_count(&options->logs, "-") + name_list_count(&options->old_logs, "-");
    for (size_t i = 0; i < filters->count; i++)
        count += filters->all[i].file != NULL && strcmp(filters->all[i].file, "-") == 0 &&
                 (i == 0 || filters->all[i - 1].file != filters->all[i].file);
    return count;
}

/* Adds the logs. A name with wildcards that match no file stays: it cannot be opened. */
static void add_logs(struct options *options, int argc, char **argv)
{
    for (int i = optind; i < argc; i++)
        if (!options_add_logs(options, &options->logs, argv[i]))
            name_list_add(&options->logs, argv[i]);
}

/* Where no log is named, the log is standard input, unless that is a terminal. */
static bool name_logs(struct options *options, bool has_piped_input, struct error *err)
{
    if (options->logs.count == 0 && !has_piped_input) {
        if (options->old_logs.count > 0)
            return error_set(err, "--diff takes '%s' as the old log; name the new one, too",
                             options->old_logs.all[0]);
        const struct pattern *pattern = options->peek != NULL ? options->peek : options->list;
        if (pattern != NULL)
            return error_set(err, "%s takes '%.*s' as the pattern; name the log, too",
                             options->peek != NULL ? "--peek" : "--list",
                             (int)pattern_text(pattern).length, pattern_text(pattern).at);
        return error_set(err, "no log is named; name one, or let --open take the newest log of the "
                              "game");
    }
    if (options->logs.count == 0)
        name_list_add(&options->logs, "-");
    return count_standard_input(options) <= 1 ||
           error_set(err, "standard input is named twice, but can be read only once");
}

/*
 * The number of ticks whose functions are kept. The slowest ticks are known only after
 * the recording overhead was subtracted, so it is more than are shown.
 */
static size_t kept_ticks(size_t shown)
{
    enum { KEPT_MIN = 64 };
    return shown == 0 || shown > SIZE_MAX / 2 ? SIZE_MAX
           : shown < KEPT_MIN / 2             ? KEPT_MIN
                                              : 2 * shown;
}

/* Whether a page can have what each tick of two logs did, side by side. */
static bool can_choose_ticks_of_both(const struct options *options)
{
    return options->old_logs.count == 1 && !options->is_repeated &&
           options->normalize == NORMALIZE_NOTHING;
}

/* Sets what the other options and the outputs need of the logs. */
static void complete_reading(struct options *options)
{
    struct reading *reading = &options->reading;
    struct rebuild_settings *rebuild = &reading->rebuild;
    const struct selection *selection = &options->selection;
    bool is_one_thread = selection_is_one_thread(selection);
    bool adds_timeline = options_add_timeline(options);
    bool is_compared = options->old_logs.count > 0;
    /* A comparison, a limit and --strict are about whole logs. */
    reading->can_be_stopped =
        !is_compared && !options->is_repeated && options->limit_count == 0 && !reading->is_strict;
    reading->takes_any_log = reading->can_be_stopped && !reading->follows && reading->run == 0 &&
                             !options_have_window(options) && !reading->chooses_ticks &&
                             !is_one_thread && !selection_changes_stacks(selection) &&
                             options_format_without(options, SHOWS_BENCHMARKS) == NULL;
    rebuild->threads = is_one_thread ? (uint8_t)selection->threads : NODE_MAIN | NODE_COROUTINE;
    /* Filters look at call stacks as they were; with them, the tree is folded after reading. */
    rebuild->folds_recursion = selection->folds_recursion && selection->filters.count == 0;
    rebuild->kept_ticks = kept_ticks(options->show.tick_limit);
    rebuild->sums_slow_ticks = options_format_with(options, SHOWS_FINDINGS) != NULL &&
                               !is_one_thread && !selection_changes_stacks(selection);
    bool is_whole = !is_one_thread && !selection_changes_stacks(selection) && !is_compared;
    rebuild->keeps_wakes = options->show.has_threads ||
                           (is_whole && options_format_with(options, USES_CHANGES) != NULL);
    rebuild->counts_work = rebuild->sums_slow_ticks && !is_compared && !options->is_repeated;
    rebuild->has_timeline =
        options_format_with(options, USES_TIMELINE | (adds_timeline ? ADDS_TIMELINE : 0)) != NULL;
    /* Ticks can be chosen in a page that is of all that was recorded. */
    rebuild->keeps_changes =
        (options_format_with(options, USES_CHANGES) != NULL || options_change_totals(options)) &&
        !options_have_window(options) && !reading->chooses_ticks && !is_one_thread &&
        !selection_changes_stacks(selection) && options->logs.count == 1 &&
        (!is_compared || can_choose_ticks_of_both(options));
    rebuild->keeps_all_ticks =
        options->what_if_count > 0 || (rebuild->keeps_changes && !is_compared);
}

/* Adds the defaults to an error: the user does not see them. Returns false. */
static bool name_defaults(const struct options *options, struct error *err)
{
    struct error why = *err;
    struct text names = {0};
    for (size_t i = 0; i < options->defaults.count; i++)
        text_printf(&names, "%s%s", i > 0 ? ", " : "", options->defaults.all[i]);
    if (names.length > 0)
        error_set_code(err, why.code, "%s (defaults count, too, unless --no-config is given: %s)",
                       why.text, names.at);
    text_release(&names);
    return false;
}

bool command_line_read(struct options *options, int argc, char **argv, bool has_piped_input,
                       struct error *err)
{
    bool is_given[OPTION_ROWS_MAX] = {false};
    *options = (struct options){.show.row_limit = DEFAULT_ROW_COUNT,
                                .show.tick_limit = DEFAULT_TICK_COUNT,
                                .show.max_bytes = DEFAULT_PAGE_BYTES};
    if (!read_options(options, argc, argv, is_given, err))
        return false;
    if (is_help_word(argc, argv))
        options->wants_help = options->wants_short_help = true;
    if (options->wants_help || options->wants_version)
        return true;
    if (options->speaks_mcp)
        return argc == 2 || error_set(err, "--mcp takes no log and no other option: each call of a "
                                           "tool names its log");
    add_logs(options, argc, argv);
    if (!defaults_read(options, is_given, err))
        return false;
    if ((options->opens && !opening_add_names(options, err)) ||
        !name_logs(options, has_piped_input, err) || !outputs_choose_formats(options, err))
        return false;
    if (!combinations_check(options, is_given, err))
        return name_defaults(options, err);
    if (options->show.has_rows && !options->has_tick_limit)
        options->show.tick_limit = options->show.rows;
    if (options->show.has_rows && !options->has_top)
        options->show.row_limit = options->show.rows;
    complete_reading(options);
    return true;
}
