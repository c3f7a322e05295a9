#include "cli/reports/parts.h"

#include "platform/terminal.h"
#include "tree/fold.h"

static bool is_file(const struct option_output *output)
{
    return strcmp(output->path, "-") != 0;
}

static bool write_one(struct report *report, const struct option_output *wanted,
                      struct console *console)
{
    struct error err;
    struct output output;
    if (console->kept != NULL)
        output_keep(&output, console->kept);
    else if (!output_open(&output, wanted->path, &err))
        return console_fail(console, FAILED, &err);
    struct report_result result = wanted->format->write(report, &output);
    if (!output_close(&output, &err))
        return console_fail(console, FAILED, &err);
    written_say_result(report, wanted->path, &result, console);
    return true;
}

static bool write_all(struct report *report, const struct options *options, struct console *console)
{
    bool is_limited = options->has_top || options->has_tick_limit || options->show.has_rows;
    bool is_good = true;
    for (size_t i = 0; i < options->output_count; i++) {
        bool is_stdout = !is_file(&options->outputs[i]);
        report->is_colored = options_wants_color(options, is_stdout);
        report->width = is_stdout ? terminal_width(FILE_STANDARD_OUTPUT) : 0;
        report->height = is_stdout && !is_limited ? terminal_height() : 0;
        is_good &= write_one(report, &options->outputs[i], console);
    }
    return is_good;
}

/* Whether a report distinguishes calls from different lines; the values of logs of --repeated are
   stored by such nodes. */
static bool needs_lines(const struct options *options)
{
    return options->is_repeated || options->show.call_sites || options->show.by == BY_LINE ||
           options->show.by == BY_THREAD || options_format_with(options, USES_LINES) != NULL;
}

/*
 * Makes the tree without calling lines. Two large trees together would be most of the memory that
 * supprof uses; so if lines are not needed, it replaces `tree`, and otherwise it is `paths`.
 * Returns the one it is.
 */
static const struct tree *drop_lines(struct tree *tree, bool needs_lines, struct tree *paths)
{
    fold_lines(paths, tree);
    if (needs_lines)
        return paths;
    tree_release(tree);
    *tree = *paths;
    *paths = (struct tree){0};
    return tree;
}

/* Stacks as reports list them, and the trees that they are of. */
struct report_trees {
    struct tree paths, old_paths;
    struct listed_stacks stacks, line_stacks;
};

static void list_stacks(struct report_trees *listing, struct report *report,
                        struct subject *subject, struct comparison *comparison,
                        const struct options *options)
{
    struct report_old *old = comparison != NULL ? &comparison->old : NULL;
    struct list_limit limit = {.input_bytes = report->profile->counts.bytes,
                               .is_off = options->selection.lists_all_frames};
    limit.input_bytes += old != NULL ? old->profile->counts.bytes : 0;
    if (options->show.by == BY_STACK || options->show.has_tree ||
        options_format_with(options, USES_PATHS) != NULL) {
        bool keeps_lines = needs_lines(options);
        report->paths = drop_lines(&subject->profile.tree, keeps_lines, &listing->paths);
        if (old != NULL)
            old->paths = drop_lines(comparison->old_tree, keeps_lines, &listing->old_paths);
        listed_stacks_init(&listing->stacks, report->paths, old != NULL ? old->paths : NULL,
                           report->labels, subject->folded, &limit);
        report->stacks = &listing->stacks;
    }
    if (options->show.call_sites || options_format_with(options, LISTS_LINES) != NULL) {
        listed_stacks_init(&listing->line_stacks, report->tree, old != NULL ? old->tree : NULL,
                           report->labels, subject->folded, &limit);
        report->line_stacks = &listing->line_stacks;
    }
}

static void listing_release(struct report_trees *listing)
{
    listed_stacks_release(&listing->stacks);
    listed_stacks_release(&listing->line_stacks);
    tree_release(&listing->paths);
    tree_release(&listing->old_paths);
}

/*
 * Finds the functions that the pattern of an option matches; sets `matches`, [function_count].
 * Without a pattern, none is asked for.
 */
static bool find_matches(const struct subject *subject, const char *flag, struct pattern *pattern,
                         uint8_t *matches)
{
    struct error err, why;
    const struct profile *profile = &subject->profile;
    bool is_filtered = subject->selection->filters.count > 0;
    uint32_t match_count = pattern == NULL
                               ? 1
                               : filter_match(pattern, &profile->tree, &subject->labels,
                                              profile->symbols.function_count, matches, &why);
    struct text text = {0};
    if (match_count > 0 && match_count != UINT32_MAX)
        return true;
    text_put_clean(&text, pattern_text(pattern), false);
    if (match_count == UINT32_MAX)
        error_set(&err, "%s '%s': %s", flag, text_string(&text), why.text);
    else
        error_set(&err,
                  is_filtered
                      ? "%s '%s' matches none of the functions that the filters left"
                      : "%s '%s' matches no function; patterns are looked for in names and "
                        "places such as 'OnDamage lua/sim/unit.lua:120', and letter case counts "
                        "unless they begin with (?i)",
                  flag, text_string(&text));
    text_release(&text);
    return console_fail(subject->console, match_count == UINT32_MAX ? USAGE : NOTHING_FOUND, &err);
}

/* Whether the ticks are known as --what-if needs them. */
static bool check_what_if(const struct profile *profile, bool needs_nodes, struct error *err)
{
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile->runs[i].is_there && profile->runs[i].is_sampled &&
            !profile->runs[i].is_outside)
            return error_set_code(err, "--what-if",
                                  "--what-if: a sampled recording does not have the functions of "
                                  "each tick; record exactly");
    if (needs_nodes && profile->changes.tick_count != profile->ticks.count)
        return error_set_code(err, "--what-if",
                              "--what-if: total() needs one log with one recording, and all of "
                              "it; give one log or --run, and leave out --from, --to, --tick and "
                              "--ticks-over");
    return true;
}

/* Makes the rows of --what-if: of each change alone, and of all. `matches` is [function_count]. */
static bool find_what_ifs(const struct subject *subject, const struct options *options,
                          uint8_t *matches, struct what_if_rows *rows)
{
    const struct profile *profile = &subject->profile;
    struct tick_nodes of_ticks = {&profile->tree, &profile->changes};
    const struct tick_nodes *nodes = options_change_totals(options) ? &of_ticks : NULL;
    size_t function_count = profile->symbols.function_count;
    size_t count = nodes != NULL ? profile->tree.node_count : function_count;
    struct error err;
    if (!check_what_if(profile, nodes != NULL, &err))
        return console_fail(subject->console, NOTHING_FOUND, &err);
    double *alone = mem_zeroed(count, sizeof *alone);
    double *all = mem_zeroed(count, sizeof *all);
    bool is_good = true;
    what_if_rows_init(rows, &profile->ticks, options->what_if_count + 1);
    for (size_t k = 0; k < count; k++)
        all[k] = 1;
    for (size_t i = 0; i < options->what_if_count && is_good; i++) {
        const struct what_if *what_if = &options->what_ifs[i];
        for (size_t k = 0; k < count; k++)
            alone[k] = 1;
        is_good = find_matches(subject, "--what-if", what_if->pattern, matches);
        what_if_apply(what_if, matches, function_count, nodes != NULL ? nodes->tree : NULL, alone);
        for (size_t k = 0; k < count; k++)
            all[k] *= alone[k];
        rows->rows[rows->count++] =
            (struct what_if_row){what_if->text, what_if_times(&profile->ticks, nodes, alone)};
    }
    if (options->what_if_count > 1 && is_good)
        rows->rows[rows->count++] =
            (struct what_if_row){"all of these", what_if_times(&profile->ticks, nodes, all)};
    free(alone);
    free(all);
    return is_good;
}

/* Returns the names of the logs without their folders, [count]; the caller frees them. */
static const char **list_names(const struct name_list *logs)
{
    const char **names = mem_zeroed(logs->count, sizeof *names);
    for (size_t i = 0; i < logs->count; i++)
        names[i] = file_name(logs->all[i]);
    return names;
}

static void write_reports(struct report *report, const struct options *options,
                          struct console *console)
{
    const struct listed_stacks *listed =
        report->line_stacks != NULL ? report->line_stacks : report->stacks;
    bool has_files = false;
    for (size_t i = 0; i < options->output_count; i++)
        has_files |= is_file(&options->outputs[i]);
    written_say_filters(&options->selection.filters, console);
    if (options->selection.lists_all_frames && listed != NULL)
        written_say_all_frames(listed, console);
    if (limits_check(report, options, console) && write_all(report, options, console)) {
        if (!console->is_quiet && (has_files || console->is_verbose))
            written_say_summary(report, console);
        limits_say(report, console);
    }
    limits_release(report);
}

void reporting_write(struct subject *subject, struct comparison *comparison,
                     const struct options *options)
{
    struct profile *profile = &subject->profile;
    struct report_trees listing = {0};
    size_t function_count = profile->symbols.function_count;
    uint8_t *matches = mem_zeroed(3 * function_count, 1);
    uint8_t *is_listed = matches + function_count, *is_tree_root = is_listed + function_count;
    const char **log_names = list_names(&subject->logs);
    struct report report = {
        .profile = profile,
        .totals = subject->totals,
        .wrong_callers = &subject->wrong_callers,
        .selection = &options->selection,
        .all_ns = subject->all_ns,
        .tree = &profile->tree,
        .labels = &subject->labels,
        .folded = subject->folded,
        .title = subject->title,
        .log_names = log_names,
        .log_count = subject->logs.count - subject->empty_count,
        .old = comparison != NULL ? &comparison->old : NULL,
        .repeated = options->is_repeated ? &subject->repeated : NULL,
        .choice = options->reading.chooses_ticks ? &subject->choice : NULL,
        .peek = options->peek,
        .is_peeked = matches,
        .list = options->list,
        .is_listed = is_listed,
        .tree_root = options->tree_root,
        .is_tree_root = is_tree_root,
        .sources = &subject->sources,
        .show = options->show,
        .has_sources = options->reading.lua_roots.count > 0,
        .adds_timeline = options_add_timeline(options),
    };
    struct long_calls long_calls;
    long_calls_find(&long_calls, &profile->tree, &profile->symbols);
    report.long_calls = &long_calls;
    tick_statistics_init(&report.ticks, &profile->ticks);
    if (comparison != NULL)
        tick_statistics_init(&comparison->old.ticks, &comparison->old.profile->ticks);
    struct what_if_rows what_if = {0};
    report.what_if = options->what_if_count > 0 ? &what_if : NULL;
    if ((report.what_if == NULL || find_what_ifs(subject, options, matches, &what_if)) &&
        find_matches(subject, "--peek", options->peek, matches) &&
        find_matches(subject, "--list", options->list, is_listed) &&
        find_matches(subject, "--tree", options->tree_root, is_tree_root)) {
        list_stacks(&listing, &report, subject, comparison, options);
        write_reports(&report, options, subject->console);
    }
    listing_release(&listing);
    tick_statistics_release(&report.ticks);
    if (comparison != NULL)
        tick_statistics_release(&comparison->old.ticks);
    long_calls_release(&long_calls);
    MEM_FREE(what_if.rows, log_names, matches);
}
