#include "cli/options/command_line.h"

#include "base/wildcard.h"
#include "cli/options/option_rows.h"
#include "cli/options/unknown_option.h"
#include "platform/terminal.h"
#include "report/figures/formats.h"
#include "report/tables/repeated_tables.h"
#include "select/statistics.h"

/* Statistics do not need more logs on one side, and take time for each pair. */
enum { REPEATED_LOGS_MAX = 1000 };

/* Tables have frames for calling lines only where a row is a call stack. */
static bool lacks_call_sites(const struct options *options)
{
    bool has_table = false;
    for (size_t i = 0; i < options->output_count; i++) {
        unsigned uses = options->outputs[i].shows.uses;
        has_table |= (uses & USES_CALL_SITES) != 0;
        if ((uses & USES_CALL_SITES) != 0 && (uses & USES_ROWS) == 0)
            return false;
    }
    return has_table && options->show.call_sites && options->show.by != BY_STACK;
}

/* Whether a column is named that needs this. */
static bool names_column(const struct report_options *show, enum column_needs needs)
{
    for (size_t i = 0; i < show->columns.count; i++)
        if (column_infos[show->columns.list[i].kind].needs == needs)
            return true;
    return column_infos[show->sort].needs == needs;
}

/* Whether the command line has an option of this name. */
static bool is_given(const struct options *options, const char *name)
{
    return options->is_given[option_row_find(span_of(name)) - option_rows];
}

struct named_option options_of_recordings(const struct options *options)
{
    const struct report_options *show = &options->show;
    const struct rebuild_settings *rebuild = &options->reading.rebuild;
    const struct column_info *sorted = &column_infos[show->sort];
    const struct option_output *ticks = options_output_of(options, TABLE_TICKS);
    bool is_file_of_ticks =
        ticks != NULL && ticks->format == &report_ticks_csv && !report_asks(show, TABLE_TICKS);
    const struct {
        bool is_given;
        struct named_option option;
    } asked[] = {
        {rebuild->from.is_tick, {"--tick", NULL}},
        {rebuild->from.kind != WINDOW_OPEN, {"--from", NULL}},
        {rebuild->to.kind != WINDOW_OPEN, {"--to", NULL}},
        {options->reading.chooses_ticks, {"--ticks-over", NULL}},
        {options->what_if_count > 0, {"--what-if", NULL}},
        {ticks != NULL && !is_file_of_ticks, {"--ticks", NULL}},
        {show->has_threads, {"--threads", NULL}},
        {rebuild->limit_ns != 0, {"--slow-over", NULL}},
        {is_given(options, "state"), {"--state", NULL}},
        {is_file_of_ticks, {"--format", report_ticks_csv.name}},
        {show->metric == METRIC_ERRORS, {"--metric", "errors"}},
        {show->metric == METRIC_ALLOC, {"--metric", "heap"}},
        {sorted->needs != NEEDS_NOTHING, {"--sort", sorted->word}},
    };
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (asked[i].is_given)
            return asked[i].option;
    return (struct named_option){NULL, NULL};
}

/* What the command line must not be. */
struct rule {
    bool is_broken;
    const char *sentence;
};

static bool keeps(const struct rule *rules, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].is_broken)
            return error_set(err, "%s", rules[i].sentence);
    return true;
}

/* Options that do not go with --threads. */
static bool check_threads(const struct options *options, struct error *err)
{
    const struct report_options *show = &options->show;
    const struct rule rules[] = {
        {show->by != BY_FUNCTION && show->by != BY_THREAD,
         "--threads has rows of its own; leave out --by"},
        {options->compares_rest || options->is_repeated,
         "--threads compares no parts and no repeated games; leave out --diff-rest and --repeated"},
        {options->normalize != NORMALIZE_NOTHING,
         "--threads compares what threads took in a tick; leave out --normalize"},
        {options->selection.threads == NODE_MAIN,
         "--threads lists coroutines, and --thread=main leaves them out; leave out one of them"},
        {selection_changes_stacks(&options->selection),
         "--threads counts whole threads, which filters cannot cut; leave out the filter"},
    };
    return keeps(rules, sizeof rules / sizeof rules[0], err);
}

/* Options that do not go together. */
static bool check_options(const struct options *options, struct error *err)
{
    const struct reading *reading = &options->reading;
    const struct window_border *from = &reading->rebuild.from, *to = &reading->rebuild.to;
    const struct report_options *show = &options->show;
    enum normalize normalize = options->normalize;
    size_t count = options->logs.count, old_count = options->old_logs.count;
    bool chooses = reading->chooses_ticks, rest = options->compares_rest;
    bool repeats = options->is_repeated;
    enum column_needs sorted = column_infos[show->sort].needs;
    const struct rule rules[] = {
        {reading->follows && count > 1, "--follow shows one log; name only that one"},
        {from->kind == to->kind && from->kind != WINDOW_OPEN && to->value <= from->value,
         "--to must be later than --from"},
        {rest && !chooses,
         "--diff-rest needs --ticks-over, which says which ticks to compare with the rest"},
        {rest && old_count > 0,
         "--diff and --diff-rest both say what to compare with; leave out one of them"},
        {rest && repeats, "--diff-rest cannot compare several logs; leave out --repeated"},
        {rest && name_list_standard_count(&options->logs) > 0,
         "--diff-rest reads each log twice, but standard input can be read only once; name a "
         "file"},
        {!rest && old_count == 0 && normalize != NORMALIZE_NOTHING,
         "--normalize scales what --diff compares; give --diff=OLD as well"},
        {repeats && repeated_column_place(show->sort) == REPEATED_COLUMNS,
         "--repeated: --sort can be self, total, calls or avg"},
        {repeats && options->selection.min_percent > 0,
         "--repeated: a function with few percent in one log may have more in another; leave out "
         "--min-pct"},
        {repeats && show->columns.count > 0,
         "--repeated has columns of its own; leave out --columns"},
        {repeats && normalize != NORMALIZE_NOTHING && normalize != NORMALIZE_TICKS,
         "--repeated: only --normalize=tick can scale several logs"},
        {repeats && count + old_count < 2 && wildcard_is(options->logs.all[0]),
         "--repeated: no file has a name that fits the pattern"},
        {repeats && count + old_count < 2, "--repeated needs at least two logs of the same game"},
        {repeats && (count > REPEATED_LOGS_MAX || old_count > REPEATED_LOGS_MAX),
         "--repeated takes at most 1000 logs on each side"},
        {options->what_if_count > 0 && (old_count > 0 || rest || repeats),
         "--what-if cannot change a comparison; leave out --diff, --diff-rest and --repeated"},
        {options->what_if_count > 0 && (selection_changes_stacks(&options->selection) ||
                                        selection_is_one_thread(&options->selection)),
         "--what-if is about whole ticks; leave out filters and --thread"},
        {names_column(show, NEEDS_THREADS) && !show->has_threads,
         sorted == NEEDS_THREADS ? "--sort names a column of threads; add --threads"
                                 : "--columns names a column of threads; add --threads"},
        {names_column(show, NEEDS_LINES) && show->by != BY_LINE,
         sorted == NEEDS_LINES ? "--sort names a column of lines; add --by=line"
                               : "--columns names a column of lines; add --by=line"},
        {show->is_inverted && !report_asks(show, TABLE_TREE),
         "--inverted is about --tree; give both"},
        {report_asks(show, TABLE_TREE) && (old_count > 0 || rest || repeats),
         "--tree cannot compare logs; leave out --diff, --diff-rest and --repeated"},
        {is_given(options, "c-functions") && show->by != BY_FILE && show->by != BY_MOD,
         "--c-functions has an effect only with --by=file or --by=mod; add one of them"},
        {lacks_call_sites(options),
         "--call-sites has an effect on tables only with --by=stack; add that"},
    };
    return keeps(rules, sizeof rules / sizeof rules[0], err) &&
           (!show->has_threads || check_threads(options, err));
}

/* Appends a name, behind a comma if it is not the first. */
static void put_name(struct text *text, const char *name)
{
    text_printf(text, "%s%s", text->length > 0 ? ", " : "", name);
}

/* Appends the format of an output: "top", or "csv with --ticks". */
static void put_output(struct text *text, const struct options *options,
                       const struct option_output *output)
{
    enum report_table usual = tables_shown(output->format, 0).first;
    put_name(text, output->format->name);
    bool is_other = output->format->is_table && output->shows.first != usual;
    for (size_t i = 0; i < option_row_count && is_other; i++)
        if (options->is_given[i] && option_rows[i].asks_for == output->shows.first)
            text_printf(text, " with %s", option_rows[i].flag);
}

/* Options that do not go with the format of an output. */
static bool check_formats(const struct options *options, struct error *err)
{
    const struct option_output *timeline = options_output_with(options, USES_TIMELINE),
                               *card = options_output_with(options, NEEDS_TICK);
    const struct {
        bool is_asked;
        const struct option_output *output; /* NULL: none is like that */
        const char *sentence;
    } rules[] = {
        {options->reading.chooses_ticks,
         timeline,
         "shows a window, not single ticks; use --from and --to"},
        {selection_changes_stacks(&options->selection),
         timeline,
         "shows all calls of a window, one by one; it can neither filter nor fold them"},
        {!is_given(options, "tick"), card, "is about one tick; add --tick=N"},
        {options->is_repeated,
         options_output_without(options, SHOWS_REPEATED),
         "cannot show repeated logs; leave out --repeated"},
        {options->show.has_threads && options->old_logs.count > 0,
         options_output_without(options, COMPARES_THREADS),
         "cannot compare threads; top and csv can"},
        {options->old_logs.count > 0,
         options_output_without(options, SHOWS_COMPARISON),
         options->compares_rest ? "cannot show a comparison; leave out --diff-rest"
                                : "cannot show a comparison; leave out --diff"},
    };
    SCOPED(text) name = {0};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].is_asked && rules[i].output != NULL) {
            put_output(&name, options, rules[i].output);
            return error_set(err, "the format %s %s", name.at, rules[i].sentence);
        }
    for (const struct option_row *row = option_rows; row < option_rows + option_row_count; row++) {
        const struct option_output *output = options_output_of(options, row->asks_for);
        if (output != NULL && table_kinds[row->asks_for]->title != NULL &&
            options->patterns[row->asks_for] == NULL)
            return error_set(err,
                             "the format %s needs %s=RE, which says which functions to show",
                             output->format->name,
                             row->flag);
    }
    return true;
}

/* Whether limits of changes have old logs, and enough of them. */
static bool check_limits(const struct options *options, struct error *err)
{
    size_t count = options->logs.count, old_count = options->old_logs.count;
    for (size_t i = 0; i < options->limit_count; i++) {
        const struct limit *limit = &options->limits[i];
        if (limit->is_change && old_count == 0)
            return error_set(
                err, "--fail-if '%s' is about a change; give --diff=OLD as well", limit->text);
        if (limit->is_change && options->is_repeated &&
            (count < SAMPLES_ENOUGH || old_count < SAMPLES_ENOUGH))
            return error_set(err,
                             "--fail-if '%s': with --repeated, limits of changes need %d old and "
                             "%d new logs or more; a change between fewer may be chance",
                             limit->text,
                             (int)SAMPLES_ENOUGH,
                             (int)SAMPLES_ENOUGH);
    }
    return true;
}

/* The other ticks are those of the same logs. */
static void compare_with_rest(struct options *options)
{
    if (options->normalize == NORMALIZE_NOTHING)
        options->normalize = NORMALIZE_TICKS;
    for (size_t i = 0; i < options->logs.count; i++)
        name_list_add(&options->old_logs, options->logs.all[i]);
}

/* With --diff, a word of --columns stands for several columns. */
static bool compare_columns(struct options *options, struct error *err)
{
    struct columns compared = {0};
    for (size_t i = 0; i < options->show.columns.count; i++) {
        enum column_kind kind = options->show.columns.list[i].kind;
        if (kind == COLUMN_SUM_PERCENT || kind == COLUMN_MAIN || kind == COLUMN_COROUTINE)
            return error_set(err,
                             "--columns: '%s' cannot be compared; leave it out with %s",
                             column_infos[kind].title,
                             options->compares_rest ? "--diff-rest" : "--diff");
        columns_add_compared(&compared, kind);
    }
    options->show.columns = compared;
    return true;
}

/* Refuses an option that has no effect on any output, and names formats with which it has one. */
static bool refuse_effect(const struct options *options, const struct option_row *row,
                          struct error *err)
{
    SCOPED(text) chosen = {0}, others = {0};
    for (size_t i = 0, first; i < options->output_count; i++) {
        for (first = 0; options->outputs[first].format != options->outputs[i].format;)
            first++;
        if (first == i)
            put_output(&chosen, options, &options->outputs[i]);
    }
    option_formats_put(&others, row);
    error_set_code(err,
                   row->flag,
                   "%s has no effect on %s; it works with %s",
                   row->flag,
                   text_string(&chosen),
                   text_string(&others));
    return false;
}

/* Whether each option that is given makes sense with --follow, and changes some output. */
static bool check_given(const struct options *options, struct error *err)
{
    for (const struct option_row *row = option_rows; row < option_rows + option_row_count; row++) {
        bool is_used =
            row->works_with == 0 || options_output_with(options, row->works_with) != NULL;
        if (!options->is_given[row - option_rows])
            continue;
        if (options->reading.follows && (row->is & CAN_FOLLOW) == 0)
            return error_set(err,
                             "--follow shows all functions of a log that still grows; use %s when "
                             "the log has ended",
                             row->flag);
        if (!is_used)
            return refuse_effect(options, row, err);
    }
    return true;
}

/* Fails if options that are correct alone make no sense together; the outputs have their formats.
 */
static bool check_combinations(struct options *options, struct error *err)
{
    if (!check_options(options, err))
        return false;
    if (options->compares_rest)
        compare_with_rest(options);
    if (options->show.has_threads) {
        options->show.by = BY_THREAD;
        /* No other row is in a thread's own: it is the same, and in the table. */
        if (options->show.sort == COLUMN_SELF)
            options->show.sort = COLUMN_TOTAL;
    }
    return check_formats(options, err) && check_limits(options, err) && check_given(options, err) &&
           (options->old_logs.count == 0 || compare_columns(options, err));
}

static bool refuse_suffix(const char *path, struct error *err)
{
    static const char *const spreadsheets[] = {".xlsx", ".xls", ".ods"};
    SCOPED(text) suffixes = {0};
    struct file_status status;
    for (size_t i = 0; i < sizeof spreadsheets / sizeof spreadsheets[0]; i++)
        if (span_ends_like(span_of(path), spreadsheets[i]))
            return error_set(
                err, "cannot write '%s'; a spreadsheet opens .csv: end the name in it", path);
    if (file_status(&status, path) && status.kind == FILE_DIRECTORY)
        return error_set(err, "'%s' is a directory; name a file in it, such as loud.html", path);
    for (size_t i = 0; formats[i] != NULL; i++) {
        if (i > 0)
            text_put_string(&suffixes, ", ");
        format_put_suffixes(&suffixes, formats[i], ", ");
    }
    error_set(err,
              "'%s' does not end in a known suffix (%s); name a format with --format, and put a "
              "name with blanks in quotes",
              path,
              suffixes.at);
    return false;
}

/* Gives each output that is named its format. */
static bool choose_named(struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++) {
        struct option_output *output = &options->outputs[i];
        output->format = options->format != NULL          ? options->format
                         : file_is_standard(output->path) ? &report_top
                                                          : format_by_path(output->path);
        if (output->format == NULL)
            return refuse_suffix(output->path, err);
        output->shows =
            tables_shown(output->format, options->format != NULL ? options->show.tables : 0);
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->outputs[k].path, output->path) == 0)
                return error_set(err, "'%s' is named twice as output; leave out one", output->path);
    }
    return true;
}

/* Whether an option asks for a table that no output is. */
static bool lacks_table(const struct options *options, size_t kind)
{
    return report_asks(&options->show, (enum report_table)kind) &&
           options_output_of(options, (enum report_table)kind) == NULL;
}

/* N rows are those of the table that is shown: of the functions only if no other one is. */
static void share_rows(struct options *options)
{
    struct report_options *show = &options->show;
    bool is_other = false;
    for (size_t i = 0; i < TABLE_COUNT && !is_other; i++)
        is_other = lacks_table(options, i);
    if (options->format != NULL && options->format != &report_top && options->output_count == 0)
        is_other = (tables_shown(options->format, show->tables).uses & USES_LENGTH) != 0;
    if (!options->has_top || !is_other)
        return;
    show->rows = show->row_limit;
    show->has_rows = true;
    options->has_top = false;
    if (!show->has_tick_limit) {
        show->tick_limit = show->row_limit;
        show->has_tick_limit = true;
    }
}

/* Adds standard output if an option needs it. */
static void add_standard_outputs(struct options *options)
{
    bool has_named = options->output_count > 0;
    if (options->format != NULL && !has_named)
        options_add_output(options, "-", options->format, options->show.tables);
    if (options->has_top && (has_named || options->format == NULL))
        options_add_output(options, "-", &report_top, 0);
    /* A table may go to a file. */
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (lacks_table(options, i) &&
            options_output_with(options, table_kinds[i]->shown_by) == NULL)
            options_add_output(options, "-", table_kinds[i]->for_people, 1u << i);
    if (options->output_count == 0)
        options_add_output(options, "-", &report_top, 0);
}

/* Gives each output its format; one that --format names shows the tables that options ask for. */
static bool choose_formats(struct options *options, struct error *err)
{
    if (!choose_named(options, err))
        return false;
    share_rows(options);
    bool is_printed = options->format != NULL && options->output_count == 0;
    if (is_printed && options->has_top && options->format != &report_top)
        return error_set(err,
                         "the format %s does not use --top; leave it out, or write the format to "
                         "a file with --output",
                         options->format->name);
    add_standard_outputs(options);
    size_t stdout_count = 0;
    for (size_t i = 0; i < options->output_count; i++)
        stdout_count += file_is_standard(options->outputs[i].path);
    return stdout_count <= 1 ||
           error_set(err,
                     "only one report can use standard output; write the other to a file "
                     "with --output");
}

static bool find_status(struct file_status *status, const char *path)
{
    return file_is_standard(path) ? file_status_of_open(status, FILE_STANDARD_INPUT)
                                  : file_status(status, path);
}

/* Fails if a pipe is a log of both sides, as it is with --diff-rest. */
static bool check_pipes(const struct options *options, struct error *err)
{
    struct file_status status, old;
    const struct name_list *logs = &options->logs, *old_logs = &options->old_logs;
    for (size_t i = 0; i < logs->count; i++) {
        bool is_pipe = find_status(&status, logs->all[i]) && status.kind == FILE_OTHER;
        for (size_t k = 0; k < old_logs->count && is_pipe; k++)
            if (find_status(&old, old_logs->all[k]) && file_is_same(&status, &old))
                return error_set(
                    err, "'%s' would be read twice, but is no file; name a file", old_logs->all[k]);
    }
    return true;
}

/* Fails if a file would replace an input, or a source of --lua-root, which may be read after it was
 * written. */
static bool check_file(const struct options *options, const char *path, struct error *err)
{
    const struct name_list *roots = &options->reading.lua_roots;
    const struct {
        const struct name_list *names;
        const char *what;
    } inputs[] = {
        {&options->hide_files, "the file of --hide-file"},
        {&options->default_files, "a file of options"},
        {&options->logs, "the log itself"},
        {&options->old_logs, "the log itself"},
    };
    struct file_status status;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        for (size_t k = 0; k < inputs[i].names->count; k++)
            if (find_status(&status, inputs[i].names->all[k]) && output_is_input(path, &status))
                return error_set(err, "'%s' is %s; name another file", path, inputs[i].what);
    SCOPED_ARRAY char *target = roots->count > 0 ? file_target(path) : NULL;
    for (size_t i = 0; i < roots->count && target != NULL; i++) {
        SCOPED_ARRAY char *root = file_real_path(roots->all[i]);
        if (root != NULL && file_is_in(target, root) && source_is_path(span_of(target)))
            return error_set(err, "'%s' may be a source of --lua-root; name another file", path);
    }
    return true;
}

/* Whether two outputs, which are not both standard output, are the same file. */
static bool is_same_output(const char *path, const char *other)
{
    struct file_status status;
    if (file_is_standard(path) || file_is_standard(other))
        return file_is_standard_output(file_is_standard(path) ? other : path, &status);
    return output_is_output(path, other);
}

/* Fails if an output is the same file as another under two names, or would replace an input, or is
 * binary on a terminal. */
static bool check_outputs(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++) {
        const struct option_output *output = &options->outputs[i];
        bool is_stdout = file_is_standard(output->path);
        if (is_stdout && terminal_of(FILE_STANDARD_OUTPUT).is_there && output->format->is_binary)
            return error_set(err,
                             "the format %s is binary; write it to a file with --output",
                             output->format->name);
        for (size_t k = 0; k < i; k++) {
            const char *other = options->outputs[k].path;
            if (is_same_output(output->path, other))
                return error_set(err,
                                 "'%s' and '%s' are the same file; name another for one of them",
                                 other,
                                 output->path);
        }
        if (!is_stdout && !check_file(options, output->path, err))
            return false;
    }
    return true;
}

/* --follow needs a terminal for its screen, and a log that is not its keyboard. */
static bool check_following(const struct options *options, struct error *err)
{
    if (!terminal_of(FILE_STANDARD_OUTPUT).has_color)
        return error_set(err,
                         "--follow needs a terminal that can show a screen; without --follow, "
                         "the log is read to its end");
    return !file_is_standard(options->logs.all[0]) || !terminal_of(FILE_STANDARD_INPUT).is_there ||
           error_set(err,
                     "--follow reads keys from the terminal, so the log cannot come from "
                     "there; name a log");
}

bool path_checks_pass(const struct options *options, struct error *err)
{
    return (!options->reading.follows || check_following(options, err)) &&
           check_outputs(options, err) &&
           (options->old_logs.count == 0 || check_pipes(options, err));
}

/* The option with this name, or the only one that begins so; or NULL. */
static const struct option_row *find_long(struct span name)
{
    const struct option_row *longer = NULL, *row = option_row_find(name);
    size_t count = 0;
    for (size_t i = 0; i < option_row_count; i++)
        if (strncmp(option_rows[i].name, name.at, name.length) == 0) {
            longer = &option_rows[i];
            count++;
        }
    return row != NULL ? row : count == 1 ? longer : NULL;
}

static const struct option_row *find_letter(char letter)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].letter == letter)
            return &option_rows[i];
    return NULL;
}

/* Sets an option to the value in its word, which may be NULL, or to the next word. */
static bool set_option(struct options *options, const struct option_row *row, const char *value,
                       char *const **next, struct error *err)
{
    struct given_option given = {options, row, value, err};
    bool is_optional = row->argument != NULL && row->argument[0] == '[';
    const char *word = **next, *similar = row->similar != NULL ? row->similar : "";
    if (row->argument == NULL && value != NULL)
        return error_set(err, "%s takes no value%s", row->flag, similar);
    /* As in "--ticks 5 log": a log named 5 can be written ./5. */
    bool takes_next =
        row->argument != NULL && value == NULL && word != NULL &&
        (!is_optional || (word[0] != '\0' && word[strspn(word, "0123456789")] == '\0'));
    if (takes_next)
        given.value = *(*next)++;
    if (row->argument != NULL && !is_optional && given.value == NULL)
        return error_set(
            err, "%s needs a value: %s=%s%s", row->flag, row->flag, row->argument, similar);
    options->is_given[row - option_rows] = true;
    if (option_values_apply(&given))
        return true;
    if (row->takes == TAKES_FILE)
        unknown_option_suggest(err, given.value, options->words);
    return false;
}

/* Reads "--top=5", or "--top" and perhaps the next word. */
static bool read_long(struct options *options, const char *word, char *const **next,
                      struct error *err)
{
    struct span value = span_of(word + strlen("--"));
    struct span name = span_take(&value, '=');
    const struct option_row *row = find_long(name);
    bool has_value = value.at > name.at + name.length;
    return row != NULL ? set_option(options, row, has_value ? value.at : NULL, next, err)
                       : unknown_option_refuse(word, err);
}

/* Reads letters of options, as in "-qn5". */
static bool read_letters(struct options *options, const char *word, char *const **next,
                         struct error *err)
{
    bool is_good = true;
    for (const char *letter = word + 1; *letter != '\0' && is_good; letter++) {
        const struct option_row *row = find_letter(*letter);
        /* "-tick" is meant as a word. */
        if (row == NULL)
            return letter == word + 1 || letter[1] != '\0'
                       ? unknown_option_refuse(word, err)
                       : error_set(err, "unknown option '-%c'", *letter);
        bool has_value = row->argument != NULL && letter[1] != '\0';
        is_good = set_option(options, row, has_value ? letter + 1 : NULL, next, err);
        options->wants_short_help |= *letter == 'h';
        if (has_value)
            break;
    }
    return is_good;
}

/* Reads options and logs. */
static bool read_words(struct options *options, struct error *err)
{
    bool can_be_option = true, is_good = true;
    const bool begins_with_options = getenv("POSIXLY_CORRECT") != NULL;
    for (char *const *next = options->words + 1; is_good && *next != NULL;) {
        const char *word = *next++;
        bool is_log = !can_be_option || word[0] != '-' || word[1] == '\0';
        if (is_log)
            options_add_logs(options, &options->logs, word);
        else if (strcmp(word, "--") == 0)
            can_be_option = false;
        else
            is_good = word[1] == '-' ? read_long(options, word, &next, err)
                                     : read_letters(options, word, &next, err);
        can_be_option &= !is_log || !begins_with_options;
    }
    return is_good;
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

/* Where no log is named, the log is standard input, unless that is a terminal. */
static bool name_logs(struct options *options, bool has_piped_input, struct error *err)
{
    if (options->logs.count == 0 && !has_piped_input) {
        if (options->old_logs.count > 0)
            return error_set(err,
                             "--diff takes '%s' as the old log; name the new one, too",
                             options->old_logs.all[0]);
        for (size_t i = 0; i < option_row_count; i++) {
            const struct pattern *pattern = options->patterns[option_rows[i].asks_for];
            if (pattern != NULL)
                return error_set(err,
                                 "%s takes '%.*s' as the pattern; name the log, too",
                                 option_rows[i].flag,
                                 (int)pattern_text(pattern).length,
                                 pattern_text(pattern).at);
        }
        return error_set(err,
                         "no log is named; name one, or let --open take the newest log of the "
                         "game");
    }
    if (options->logs.count == 0)
        name_list_add(&options->logs, "-");
    size_t standard_count = name_list_standard_count(&options->logs) +
                            name_list_standard_count(&options->old_logs) +
                            name_list_standard_count(&options->hide_files);
    return standard_count <= 1 ||
           error_set(err, "standard input is named twice, but can be read only once");
}

/* Of logs that are added up, a file counts once, whatever its names are. */
static void drop_repeated(struct options *options)
{
    struct name_list *logs = &options->logs;
    SCOPED_ARRAY struct file_status *seen = mem_zeroed(logs->count, sizeof *seen);
    size_t kept = 0;
    for (size_t i = 0; i < logs->count; i++) {
        bool is_new = true;
        seen[kept] = (struct file_status){.kind = FILE_OTHER};
        bool is_file = find_status(&seen[kept], logs->all[i]) && seen[kept].kind == FILE_REGULAR;
        for (size_t k = 0; k < kept && is_new && is_file; k++)
            is_new = seen[k].kind != FILE_REGULAR || !file_is_same(&seen[k], &seen[kept]);
        if (!is_new && options->repeated_log == NULL)
            options->repeated_log = logs->all[i];
        if (is_new)
            logs->all[kept++] = logs->all[i];
    }
    logs->count = kept;
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

/* Whether all outputs have something of a watch. */
static bool show_watch(const struct options *options)
{
    unsigned wanted = SHOWS_WATCH | (options->is_repeated ? SHOWS_REPEATED : 0);
    for (size_t i = 0; i < options->output_count; i++) {
        const struct option_output *output = &options->outputs[i];
        bool is_ticks = output->shows.first == TABLE_TICKS;
        bool is_csv = (output->format == &report_csv && (options->show.has_threads || is_ticks)) ||
                      output->format == &report_ticks_csv;
        if ((output->shows.uses & wanted) != wanted && (options->is_repeated || !is_csv))
            return false;
    }
    return true;
}

/* The option that needs calls, so that a watch alone does not have what it asks for; or NULL. */
static const char *find_option_of_calls(const struct options *options)
{
    const struct report_options *show = &options->show;
    const struct reading *reading = &options->reading;
    const struct {
        bool is_given;
        const char *name;
    } asked[] = {
        {report_asks(show, TABLE_TREE), "--tree"},
        {options->what_if_count > 0, "--what-if"},
        {show->metric == METRIC_ERRORS || show->metric == METRIC_ALLOC, "--metric"},
        {column_infos[show->sort].needs != NEEDS_NOTHING, "--sort"},
        {selection_is_one_thread(&options->selection), "--thread"},
        {selection_changes_stacks(&options->selection), "a filter of call stacks"},
        {options->compares_rest, "--diff-rest"},
        {reading->chooses_ticks, "--ticks-over"},
        {reading->rebuild.limit_ns != 0, "--slow-over"},
        {options->limit_count > 0, "--fail-if"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (asked[i].is_given)
            return asked[i].name;
    return NULL;
}

void command_line_complete(struct options *options)
{
    struct reading *reading = &options->reading;
    struct rebuild_settings *rebuild = &reading->rebuild;
    const struct selection *selection = &options->selection;
    bool is_one_thread = selection_is_one_thread(selection);
    bool adds_timeline = options_add_timeline(options);
    bool is_compared = options->old_logs.count > 0;
    /* What a game without a profile does not have. */
    bool needs_profile = report_asks(&options->show, TABLE_TREE) || reading->run != 0 ||
                         options_of_recordings(options).flag != NULL;
    bool is_whole = !settings_have_window(&reading->rebuild) && !reading->chooses_ticks &&
                    !is_one_thread && !selection_changes_stacks(selection);
    /* A comparison, a limit and --strict are about whole logs. */
    reading->can_be_stopped =
        !is_compared && !options->is_repeated && options->limit_count == 0 && !reading->is_strict;
    reading->takes_any_log = options->limit_count == 0 && !reading->is_strict &&
                             !reading->follows && is_whole && !needs_profile &&
                             options_output_without(options, NEEDS_NO_PROFILE) == NULL;
    reading->option_of_calls = find_option_of_calls(options);
    reading->takes_watch = reading->option_of_calls == NULL && show_watch(options);
    rebuild->threads = is_one_thread ? (uint8_t)selection->threads : NODE_MAIN | NODE_COROUTINE;
    rebuild->kept_ticks = kept_ticks(options->show.tick_limit);
    rebuild->has_timeline =
        options_output_with(options, USES_TIMELINE | (adds_timeline ? ADDS_TIMELINE : 0)) != NULL;
    /* Ticks can be chosen in a page that is of all that was recorded; a comparison says what
       --what-if promised of the old log. */
    unsigned uses = USES_CHANGES | (is_compared ? SHOWS_FINDINGS : 0);
    rebuild->keeps_changes =
        (options_output_with(options, uses) != NULL || options->changes_totals) && is_whole &&
        options->logs.count == 1 && (!is_compared || can_choose_ticks_of_both(options));
    rebuild->keeps_order =
        rebuild->keeps_changes && options_output_with(options, USES_CHANGES) != NULL;
    rebuild->keeps_all_ticks =
        options->what_if_count > 0 || (rebuild->keeps_changes && !is_compared);
    bool has_only_sums = is_whole && !is_compared && !options->is_repeated && !reading->follows &&
                         options->limit_count == 0 && options->what_if_count == 0 &&
                         !needs_profile && options_output_without(options, SHOWS_SUMS) == NULL;
    rebuild->needs = has_only_sums                                          ? NEEDS_WHOLE
                     : options_output_with(options, SHOWS_FINDINGS) != NULL ? NEEDS_FINDINGS
                                                                            : NEEDS_TICKS;
}

bool command_line_needs_two_readings(const struct options *options)
{
    const struct rebuild_settings *rebuild = &options->reading.rebuild;
    return rebuild->keeps_order && rebuild->has_timeline;
}

/* Fails if a log that is read twice is no file. */
static bool check_readings(const struct options *options, struct error *err)
{
    struct file_status status;
    for (size_t i = 0; i < options->logs.count; i++)
        if (file_is_standard(options->logs.all[i]) ||
            (find_status(&status, options->logs.all[i]) && status.kind == FILE_OTHER))
            return error_set_code(err,
                                  "--output",
                                  "for a page and a time line, a whole log is read twice, and '%s' "
                                  "is no file; name a file, or write them in two runs",
                                  options->logs.all[i]);
    return true;
}

/* Adds the defaults to an error: the user does not see them. Returns false. */
static bool name_defaults(const struct options *options, struct error *err)
{
    struct error why = *err;
    SCOPED(text) names = {0};
    for (size_t i = 0; i < options->defaults.count; i++)
        put_name(&names, options->defaults.all[i]);
    if (names.length > 0)
        error_set_code(err,
                       why.code,
                       "%s (defaults count, too, unless --no-config is given: %s)",
                       why.text,
                       names.at);
    return false;
}

bool command_line_read(struct options *options, int argc, char **argv, bool has_piped_input,
                       struct error *err)
{
    *options = (struct options){.words = argv,
                                .show.row_limit = DEFAULT_ROW_COUNT,
                                .show.tick_limit = DEFAULT_TICK_COUNT,
                                .show.page_bytes_max = DEFAULT_PAGE_BYTES};
    if (argc > 0 && !read_words(options, err))
        return false;
    if (is_help_word(argc, argv))
        options->wants_help = options->wants_short_help = true;
    if (options->wants_help || options->wants_version)
        return true;
    if (options->speaks_mcp)
        return argc == 2 || error_set(err,
                                      "--mcp takes no log and no other option: each call of a "
                                      "tool names its log");
    if (!defaults_read(options, err) || (options->opens && !opening_add_names(options, err)) ||
        !name_logs(options, has_piped_input, err) || !choose_formats(options, err))
        return false;
    bool is_comparison = options->is_repeated || options->old_logs.count > 0;
    if (options->logs.count > 1 && !is_comparison && !options->reading.follows)
        drop_repeated(options);
    if (!check_combinations(options, err))
        return name_defaults(options, err);
    if (options->show.has_rows && !options->has_tick_limit)
        options->show.tick_limit = options->show.rows;
    if (options->show.has_rows && !options->has_top)
        options->show.row_limit = options->show.rows;
    command_line_complete(options);
    return !command_line_needs_two_readings(options) || check_readings(options, err);
}
