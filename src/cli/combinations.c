#include "cli/combinations.h"

#include "base/mem.h"
#include "cli/option_rows.h"
#include "cli/repeating.h"
#include "select/samples.h"

#include <string.h>

static bool check_peek(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++)
        if (options->outputs[i].format == &report_peek && options->peek == NULL)
            return error_set(err, "the format peek wants to know which functions; give --peek=RE");
    return true;
}

/* Whether the chosen reports can be compared. */
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
                             column_infos[kind].title);
        columns_add_compared(&compared, kind);
    }
    options->columns = compared;
    return true;
}

/* Whether the chosen reports can show several logs of the same thing. */
static bool check_repeated(const struct options *options, struct error *err)
{
    static const enum column_kind keys[] = {COLUMN_SELF, COLUMN_TOTAL, COLUMN_CALLS,
                                            COLUMN_AVERAGE};
    bool is_key = false;
    if (!options->is_repeated)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        is_key |= options->sort == keys[i];
    for (size_t i = 0; i < options->output_count; i++)
        if (!options->outputs[i].format->repeats)
            return error_set(err, "--repeated: the format %s cannot show several logs",
                             options->outputs[i].format->name);
    if (!is_key)
        return error_set(err, "--repeated: rows can be in order of self, total, calls or avg");
    if (options->selection.min_percent > 0)
        return error_set(err,
                         "--repeated: what has few percent in one log may have more in another; "
                         "leave out --min-pct");
    if (options->columns.count > 0)
        return error_set(err, "--repeated has columns of its own; leave out --columns");
    if (options->normalize != NORMALIZE_NOTHING && options->normalize != NORMALIZE_TICKS)
        return error_set(err, "--repeated: only --normalize=tick can scale several logs");
    if (options->log_count + options->old_log_count < 2)
        return error_set(err, "--repeated needs several logs of the same thing");
    if (options->log_count > REPEATING_LOGS_MAX || options->old_log_count > REPEATING_LOGS_MAX)
        return error_set(err, "--repeated takes %d logs at most", (int)REPEATING_LOGS_MAX);
    return true;
}

/* Whether limits of changes have old logs, and enough of them. */
static bool check_limits(const struct options *options, struct error *err)
{
    bool is_enough =
        options->log_count >= SAMPLES_ENOUGH && options->old_log_count >= SAMPLES_ENOUGH;
    for (size_t i = 0; i < options->limit_count; i++) {
        const struct limit *limit = &options->limits[i];
        if (limit->is_change && options->old_log_count == 0)
            return error_set(err, "--fail-if '%s' is about a change; give --diff=OLD as well",
                             limit->text);
        if (limit->is_change && options->is_repeated && !is_enough)
            return error_set(err,
                             "--fail-if '%s': with --repeated no change can be told from chance "
                             "with fewer than %d old and %d new logs",
                             limit->text, (int)SAMPLES_ENOUGH, (int)SAMPLES_ENOUGH);
    }
    return true;
}

/* Time lines show calls without any selection. */
static bool check_timeline(const struct options *options, struct error *err)
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

/* Whether the ticks that are asked for can be chosen. */
static bool check_ticks(const struct options *options, struct error *err)
{
    if (options->compares_rest && !options->chooses_ticks)
        return error_set(err,
                         "--diff-rest needs --ticks-over, which says what is compared with the "
                         "rest");
    for (size_t i = 0; i < options->log_count && options->chooses_ticks; i++)
        if (strcmp(options->logs[i], "-") == 0)
            return error_set(err,
                             "--ticks-over reads each log twice, and standard input can be read "
                             "once");
    for (size_t i = 0; i < options->output_count && options->chooses_ticks; i++)
        if (options->outputs[i].format->uses_timeline)
            return error_set(err,
                             "the format %s shows a window, and no single ticks: use --from and "
                             "--to",
                             options->outputs[i].format->name);
    return true;
}

/* The other ticks are those of the same logs. */
static bool settle_rest(struct options *options, struct error *err)
{
    if (!options->compares_rest)
        return true;
    if (options->old_log_count > 0)
        return error_set(err,
                         "--diff and --diff-rest both say what to compare with; the one or the "
                         "other");
    if (options->is_repeated)
        return error_set(err, "--diff-rest cannot compare several logs; leave out --repeated");
    if (options->normalize == NORMALIZE_NOTHING)
        options->normalize = NORMALIZE_TICKS;
    options->old_logs = mem_grow(options->old_logs, &options->old_log_capacity, options->log_count,
                                 sizeof *options->old_logs);
    for (size_t i = 0; i < options->log_count; i++)
        options->old_logs[options->old_log_count++] = options->logs[i];
    return true;
}

static void put_name(struct text *text, const char *name)
{
    text_printf(text, "%s%s", text->length > 0 ? ", " : "", name);
}

/* Appends the names of the formats that an option works with. */
static void put_formats(struct text *text, unsigned works_with)
{
    for (size_t i = 0; report_formats[i] != NULL; i++)
        if ((report_formats[i]->uses & works_with) != 0)
            put_name(text, report_formats[i]->name);
}

/* Appends the names of the formats of all outputs, each once. */
static void put_chosen(struct text *text, const struct options *options)
{
    for (size_t i = 0; i < options->output_count; i++) {
        const struct report_format *format = options->outputs[i].format;
        size_t first = 0;
        while (options->outputs[first].format != format)
            first++;
        if (first == i)
            put_name(text, format->name);
    }
}

static bool refuse_effect(const struct options *options, const struct option_row *row,
                          struct error *err)
{
    struct text chosen = {0}, others = {0};
    put_chosen(&chosen, options);
    put_formats(&others, row->works_with);
    error_set(err, "--%s has no effect on %.*s; it works with %.*s", row->name, (int)chosen.length,
              chosen.at, (int)others.length, others.at);
    text_release(&chosen);
    text_release(&others);
    return false;
}

/* Tables have frames for calling lines only where a row is a call stack. */
static bool check_call_sites(const struct options *options, struct error *err)
{
    bool has_effect = !options->call_sites || options->by == BY_STACK;
    for (size_t i = 0; i < options->output_count; i++) {
        unsigned uses = options->outputs[i].format->uses;
        has_effect |= (uses & USES_CALL_SITES) != 0 && (uses & USES_ROWS) == 0;
    }
    return has_effect ||
           error_set(err, "--call-sites has an effect on tables only with --by=stack");
}

/* Whether each option changes some output. */
static bool check_effects(const struct options *options, const bool *is_given, struct error *err)
{
    unsigned uses = 0;
    for (size_t i = 0; i < options->output_count; i++)
        uses |= options->outputs[i].format->uses;
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (is_given[i] && row->works_with != 0 && (row->works_with & uses) == 0)
            return refuse_effect(options, row, err);
    }
    return check_call_sites(options, err);
}

/* --follow shows the functions of a log that has no end yet. */
static bool check_follow(const struct options *options, const bool *is_given, struct error *err)
{
    static const char *const others[] = {"by",         "call-sites", "columns",   "diff",
                                         "diff-rest",  "fail-if",    "focus",     "fold-recursion",
                                         "from",       "hide",       "hide-file", "ignore",
                                         "max-depth",  "min-pct",    "normalize", "open",
                                         "progress",   "repeated",   "run",       "show-from",
                                         "sort",       "strict",     "thread",    "tick",
                                         "ticks-over", "to"};
    if (!options->follows)
        return true;
    for (size_t i = 0; i < option_row_count; i++)
        for (size_t k = 0; is_given[i] && k < sizeof others / sizeof others[0]; k++)
            if (strcmp(option_rows[i].name, others[k]) == 0)
                return error_set(err,
                                 "--follow shows all functions of a log that still grows; --%s is "
                                 "for a log that has ended",
                                 others[k]);
    return options->log_count == 1 || error_set(err, "--follow takes one log");
}

/* Whether a window ends after it begins, as far as that is known without a log. */
static bool check_window(const struct options *options, struct error *err)
{
    bool is_empty = options->from.kind == options->to.kind && options->from.kind != WINDOW_OPEN &&
                    options->to.value <= options->from.value;
    return !is_empty || error_set(err, "--to must be later than --from");
}

bool combinations_check(struct options *options, const bool *is_given, struct error *err)
{
    return check_follow(options, is_given, err) && check_window(options, err) &&
           check_ticks(options, err) && settle_rest(options, err) && check_peek(options, err) &&
           check_repeated(options, err) && check_limits(options, err) &&
           settle_comparison(options, err) && check_timeline(options, err) &&
           check_effects(options, is_given, err);
}
