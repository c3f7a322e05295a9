#include "cli/options/steps.h"

#include "cli/options/option_rows.h"
#include "report/figures/repeated_rows.h"
#include "report/formats.h"
#include "select/statistics.h"

/* Statistics do not need more logs on one side, and take time for each pair. */
enum { REPEATED_LOGS_MAX = 1000 };

static bool is_empty(const struct rebuild_settings *window)
{
    return window->from.kind == window->to.kind && window->from.kind != WINDOW_OPEN &&
           window->to.value <= window->from.value;
}

/* Tables have frames for calling lines only where a row is a call stack. */
static bool lacks_call_sites(const struct options *options)
{
    bool has_table = false;
    for (size_t i = 0; i < options->output_count; i++) {
        unsigned uses = options->outputs[i].format->uses;
        has_table |= (uses & USES_CALL_SITES) != 0;
        if ((uses & USES_CALL_SITES) != 0 && (uses & USES_ROWS) == 0)
            return false;
    }
    return has_table && options->show.call_sites && options->show.by != BY_STACK;
}

/* Whether a column is named that needs this. */
static bool names_column(const struct report_options *show, enum column_needs needs)
{
    bool is_named = column_infos[show->sort].needs == needs;
    for (size_t i = 0; i < show->columns.count; i++)
        is_named |= column_infos[show->columns.list[i].kind].needs == needs;
    return is_named;
}

/* Options that do not go together. */
static bool check_options(const struct options *options, struct error *err)
{
    const struct reading *reading = &options->reading;
    const struct report_options *show = &options->show;
    enum normalize normalize = options->normalize;
    size_t count = options->logs.count, old_count = options->old_logs.count;
    bool chooses = reading->chooses_ticks, rest = options->compares_rest;
    bool repeats = options->is_repeated;
    bool is_repeated_key = repeated_column_place(show->sort) < REPEATED_COLUMNS;
    const struct {
        bool is_broken;
        const char *sentence;
    } rules[] = {
        {reading->follows && count > 1, "--follow takes one log"},
        {is_empty(&reading->rebuild), "--to must be later than --from"},
        {rest && !chooses,
         "--diff-rest needs --ticks-over, which says which ticks to compare with the rest"},
        {rest && old_count > 0,
         "--diff and --diff-rest both say what to compare with; leave out one of them"},
        {rest && repeats, "--diff-rest cannot compare several logs; leave out --repeated"},
        {chooses && name_list_count(&options->logs, "-") > 0,
         "--ticks-over reads each log twice, but standard input can be read only once; name a "
         "file"},
        {!rest && old_count == 0 && normalize != NORMALIZE_NOTHING,
         "--normalize scales what --diff compares; give --diff=OLD as well"},
        {repeats && !is_repeated_key, "--repeated: --sort can be self, total, calls or avg"},
        {repeats && options->selection.min_percent > 0,
         "--repeated: a function with few percent in one log may have more in another; leave out "
         "--min-pct"},
        {repeats && show->columns.count > 0,
         "--repeated has columns of its own; leave out --columns"},
        {repeats && normalize != NORMALIZE_NOTHING && normalize != NORMALIZE_TICKS,
         "--repeated: only --normalize=tick can scale several logs"},
        {repeats && count + old_count < 2, "--repeated needs at least two logs of the same game"},
        {repeats && (count > REPEATED_LOGS_MAX || old_count > REPEATED_LOGS_MAX),
         "--repeated takes at most 1000 logs on each side"},
        {options->what_if_count > 0 && (old_count > 0 || rest || repeats),
         "--what-if cannot change a comparison; leave out --diff, --diff-rest and --repeated"},
        {options->what_if_count > 0 && (selection_changes_stacks(&options->selection) ||
                                        selection_is_one_thread(&options->selection)),
         "--what-if is about whole ticks; leave out filters and --thread"},
        {names_column(show, NEEDS_THREADS) && !show->has_threads,
         "--sort or --columns names a column of threads; add --threads"},
        {names_column(show, NEEDS_LINES) && show->by != BY_LINE,
         "--sort or --columns names a column of lines; add --by=line"},
        {show->has_threads && show->by != BY_FUNCTION && show->by != BY_THREAD,
         "--threads has rows of its own; leave out --by"},
        {show->has_threads && (old_count > 0 || rest || repeats),
         "--threads cannot compare threads; leave out --diff, --diff-rest and --repeated"},
        {show->has_threads && options->selection.threads == NODE_MAIN,
         "--threads lists coroutines, and --thread=main leaves them out; leave out one of them"},
        {show->has_threads && selection_changes_stacks(&options->selection),
         "--threads counts whole threads, which filters cannot cut; leave out the filter"},
        {show->is_inverted && !show->has_tree, "--inverted is about --tree; give both"},
        {show->has_tree && (old_count > 0 || rest || repeats),
         "--tree cannot compare logs; leave out --diff, --diff-rest and --repeated"},
        {lacks_call_sites(options),
         "--call-sites has an effect on tables only with --by=stack; add that"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].is_broken)
            return error_set(err, "%s", rules[i].sentence);
    return true;
}

/* Options that do not go with the format of an output. */
static bool check_formats(const struct options *options, struct error *err)
{
    const struct report_format *timeline = options_format_with(options, USES_TIMELINE);
    const struct {
        bool is_asked;
        const struct report_format *format; /* NULL: no output is in such a format */
        const char *sentence;
    } rules[] = {
        {options->reading.chooses_ticks, timeline,
         "shows a window, not single ticks; use --from and --to"},
        {selection_changes_stacks(&options->selection), timeline,
         "shows all calls of a window, one by one; it can neither filter nor fold them"},
        {options->peek == NULL, options_format_with(options, USES_PEEK),
         "needs --peek=RE, which says which functions to show"},
        {options->list == NULL, options_with(options, &report_list),
         "needs --list=RE, which says which functions to show"},
        {options->is_repeated, options_format_without(options, SHOWS_REPEATED),
         "cannot show several logs; leave out --repeated"},
        {options->old_logs.count > 0, options_format_without(options, SHOWS_COMPARISON),
         options->compares_rest ? "cannot show a comparison; leave out --diff-rest"
                                : "cannot show a comparison; leave out --diff"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].is_asked && rules[i].format != NULL)
            return error_set(err, "the format %s %s", rules[i].format->name, rules[i].sentence);
    return true;
}

/* Whether limits of changes have old logs, and enough of them. */
static bool check_limits(const struct options *options, struct error *err)
{
    size_t count = options->logs.count, old_count = options->old_logs.count;
    for (size_t i = 0; i < options->limit_count; i++) {
        const struct limit *limit = &options->limits[i];
        if (limit->is_change && old_count == 0)
            return error_set(err, "--fail-if '%s' is about a change; give --diff=OLD as well",
                             limit->text);
        if (limit->is_change && options->is_repeated &&
            (count < SAMPLES_ENOUGH || old_count < SAMPLES_ENOUGH))
            return error_set(err,
                             "--fail-if '%s': with --repeated, limits of changes need %d old and "
                             "%d new logs or more; a change between fewer may be chance",
                             limit->text, (int)SAMPLES_ENOUGH, (int)SAMPLES_ENOUGH);
    }
    return true;
}

/* The other ticks are those of the same logs. */
static void compare_with_rest(struct options *options)
{
    if (!options->compares_rest)
        return;
    if (options->normalize == NORMALIZE_NOTHING)
        options->normalize = NORMALIZE_TICKS;
    for (size_t i = 0; i < options->logs.count; i++)
        name_list_add(&options->old_logs, options->logs.all[i]);
}

/* With --diff, a word of --columns stands for several columns. */
static bool compare_columns(struct options *options, struct error *err)
{
    struct columns compared = {0};
    if (options->old_logs.count == 0)
        return true;
    for (size_t i = 0; i < options->show.columns.count; i++) {
        enum column_kind kind = options->show.columns.list[i].kind;
        if (kind == COLUMN_SUM_PERCENT || kind == COLUMN_MAIN || kind == COLUMN_COROUTINE)
            return error_set(err, "--columns: '%s' cannot be compared; leave it out with %s",
                             column_infos[kind].title,
                             options->compares_rest ? "--diff-rest" : "--diff");
        columns_add_compared(&compared, kind);
    }
    options->show.columns = compared;
    return true;
}

static void put_name(struct text *text, const char *name)
{
    text_printf(text, "%s%s", text->length > 0 ? ", " : "", name);
}

/* Refuses an option that has no effect on any output, and names formats with which it has one. */
static bool refuse_effect(const struct options *options, const struct option_row *row,
                          struct error *err)
{
    struct text chosen = {0}, others = {0};
    for (size_t i = 0, first; i < options->output_count; i++) {
        for (first = 0; options->outputs[first].format != options->outputs[i].format;)
            first++;
        if (first == i)
            put_name(&chosen, options->outputs[i].format->name);
    }
    for (size_t i = 0; formats[i] != NULL; i++)
        if ((formats[i]->uses & row->works_with) != 0)
            put_name(&others, formats[i]->name);
    error_set_code(err, row->flag, "%s has no effect on %s; it works with %s", row->flag,
                   text_string(&chosen), text_string(&others));
    text_release(&chosen);
    text_release(&others);
    return false;
}

/* Whether each option that is given makes sense with --follow, and changes some output. */
static bool check_given(const struct options *options, const bool *is_given, struct error *err)
{
    for (const struct option_row *row = option_rows; row < option_rows + option_row_count; row++) {
        bool is_used =
            row->works_with == 0 || options_format_with(options, row->works_with) != NULL;
        if (!is_given[row - option_rows])
            continue;
        if (options->reading.follows && !row->works_with_follow)
            return error_set(err,
                             "--follow shows all functions of a log that still grows; use %s when "
                             "the log has ended",
                             row->flag);
        if (!is_used)
            return refuse_effect(options, row, err);
    }
    return true;
}

bool combinations_check(struct options *options, const bool *is_given, struct error *err)
{
    if (!check_options(options, err))
        return false;
    compare_with_rest(options);
    if (options->show.has_threads) {
        options->show.by = BY_THREAD;
        /* No other row is in a thread's own: it is the same, and in the table. */
        if (options->show.sort == COLUMN_SELF)
            options->show.sort = COLUMN_TOTAL;
    }
    return check_formats(options, err) && check_limits(options, err) &&
           check_given(options, is_given, err) && compare_columns(options, err);
}
