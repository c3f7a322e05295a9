#include "report/figures/report.h"

#include <math.h>

const struct report_metric_names report_metric_names[] = {
    [METRIC_TIME] = {"time", "ns"},
    [METRIC_CALLS] = {"calls", "calls"},
    [METRIC_ERRORS] = {"errors", "errors"},
    [METRIC_ALLOC] = {"alloc", "KB"},
};

int64_t report_value(const struct tree *tree, uint32_t node, enum report_metric metric)
{
    switch (metric) {
    case METRIC_CALLS:
        return (int64_t)tree->call_counts[node];
    case METRIC_ERRORS:
        return tree->details == NULL ? 0 : (int64_t)tree->details[node].errors;
    case METRIC_ALLOC:
        return tree->details == NULL ? 0 : (int64_t)tree->details[node].memory_kb;
    case METRIC_TIME:
        break;
    }
    return tree->self_ns[node];
}

uint64_t report_viewer_value(const struct tree *tree, uint32_t node, enum report_metric metric)
{
    uint64_t value = (uint64_t)report_value(tree, node, metric);
    return metric == METRIC_ALLOC ? value * 1024 : value;
}

/* What was counted of trees that are no longer as they were. */
static void forget_counts(struct report *report)
{
    if (report->sums != NULL)
        MEM_FREE(report->sums->now, report->sums->old);
    MEM_FREE(
        report->sums, report->long_calls.of, report->long_calls.interrupted, report->ticks.worst);
    report->sums = NULL;
    report->long_calls = (struct long_calls){0};
    report->ticks = (struct tick_statistics){0};
}

/* Whether nothing is chosen of which a watch says nothing. */
static bool is_of_watch(const struct report *report)
{
    return report->repeated == NULL && report->choice == NULL &&
           !selection_changes_stacks(report->selection) && profile_has_watch(report->profile);
}

static bool are_watched(const struct repeated_values *repeated)
{
    for (size_t i = 0; i < repeated->count; i++)
        if (!repeated->logs[i].watch.is_there)
            return false;
    return true;
}

struct lacking lacking_events(const struct profile *profile)
{
    enum { LEAST_CUT = 3, PARTS = 10, PARTS_WARNED = 100 };
    struct lacking lacking = {0};
    uint64_t read = 0, written = 0, orphans = 0;
    for (size_t i = 0; i < profile->game_logs.count; i++)
        orphans += profile->game_logs.all[i].log.orphan_lines;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        const struct line_widths *widths = &recording->widths;
        /* Lines that were wrapped at blanks have no greatest length, but lack what they need. */
        uint64_t cut = recording->damaged_lines > widths->widest_count ? recording->damaged_lines
                                                                       : widths->widest_count;
        lacking.is_wrapped |= recording->has_begin && cut >= LEAST_CUT &&
                              cut * PARTS > widths->lines && orphans >= cut;
        /* That the beginning is missing is said elsewhere: the rest is whole. */
        if (profile->rebuilt == NULL || !profile->rebuilt[i].is_there || !recording->has_begin)
            continue;
        read += recording->has_end ? recording->events : 0;
        written += recording->has_end ? recording->events_written : 0;
    }
    const struct profile_counts *counts = &profile->counts;
    if (profile->recordings.count == 0 && counts->damaged >= LEAST_CUT &&
        counts->damaged * PARTS > counts->records) {
        read = counts->records;
        written = counts->records + counts->damaged;
    }
    lacking.fraction = read < written ? 1 - (double)read / (double)written : 0;
    lacking.is_some = (written - read) * PARTS_WARNED > written && read < written;
    lacking.is_too_much = (read < written && (written - read) * PARTS > written) ||
                          (written == 0 && lacking.is_wrapped);
    return lacking;
}

static bool is_of_delins(const struct profile *profile)
{
    return profile->recordings.count == 0 && profile->counts.records > 0;
}

/* Sets what the report is about, and what it lacks. */
static void find_kind(struct report *report)
{
    enum { PART_MIN = 100 };
    const struct report *old = report->old;
    const struct profile *profile = report->profile,
                         *old_profile = old != NULL ? old->profile : NULL;
    const struct wrong_callers *wrong = report->wrong_callers;
    bool has_watch = profile->has_watches && is_of_watch(report);
    report->shows_watch = old == NULL && has_watch;
    report->compares_logs = old != NULL && !old->is_rest;
    report->compares_watches = report->compares_logs && old->repeated == NULL &&
                               old->scaled == NULL && has_watch && profile_has_watch(old_profile);
    report->is_watched = report->shows_watch || report->compares_watches;
    report->repeats_watches = report->repeated != NULL && are_watched(report->repeated) &&
                              (old == NULL || (old->repeated != NULL && old->scaled == NULL &&
                                               are_watched(old->repeated)));
    report->has_benchmarks = profile->recordings.benchmark_count > 0 ||
                             (old != NULL && old_profile->recordings.benchmark_count > 0);
    report->is_unrecorded =
        profile_is_unrecorded(profile) || (old != NULL && profile_is_unrecorded(old_profile));
    report->is_empty = report->is_unrecorded ||
                       (report->tree->node_count <= 1 &&
                        (report->has_benchmarks || report->is_watched || report->repeats_watches));
    report->has_all_calls = report->repeated == NULL && !profile->ticks.is_sampled &&
                            settings_are_whole(&profile->rebuild) && profile->counts.records == 0 &&
                            !selection_changes_stacks(report->selection);
    report->has_no_times = old == NULL && profile->has_coarse_clock;
    report->lacks_events = lacking_events(profile).is_too_much ||
                           (old != NULL && lacking_events(old_profile).is_too_much);
    report->wants_findings =
        old == NULL && !selection_changes_stacks(report->selection) && !report->lacks_events;
    report->is_of_two_profilers =
        old != NULL && ((is_of_delins(profile) && old_profile->recordings.count > 0) ||
                        (profile->recordings.count > 0 && is_of_delins(old_profile)));
    report->has_wrong_callers =
        wrong != NULL &&
        (wrong->place_count > 0 ||
         (wrong->doubtful_count > 0 && wrong->doubtful_ns >= report->all_ns / PART_MIN));
}

void report_count(struct report *report)
{
    forget_counts(report);
    report->sums = mem_zeroed(1, sizeof *report->sums);
    if (report->profile->rebuild.needs == NEEDS_WHOLE)
        return;
    find_kind(report);
    if (report->functions == NULL)
        long_calls_find(&report->long_calls, report->profile);
    tick_statistics_init(&report->ticks, &report->profile->ticks);
    report->computer = computer_ticks_find(
        &report->ticks, &report->profile->ticks, &report->long_calls, report->all_ns);
}

void report_release(struct report *report)
{
    tree_release(&report->without_lines);
    forget_counts(report);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        free(report->chosen[i].is_chosen);
    if (report->what_if != NULL)
        free(report->what_if->rows);
    MEM_FREE(report->what_if, report->log_names, report->limits);
}

const struct sum *report_function_sums(const struct report *report, bool is_old)
{
    struct sum **sums = is_old ? &report->sums->old : &report->sums->now;
    const struct tree *tree = is_old ? report->old->tree : report->tree;
    if (*sums == NULL)
        *sums = sums_of_functions(tree, report->profile->symbols.function_count);
    return *sums;
}

/* Whether a side has all of one recording. */
static bool is_whole(const struct report *report, const struct profile *profile)
{
    const struct rebuilt_recording *rebuilt = profile->rebuilt;
    return report->repeated == NULL && profile->recordings.count == 1 && rebuilt->is_there &&
           rebuilt->has_ticks && rebuilt->first_tick == rebuilt->all_first_tick &&
           rebuilt->last_tick == rebuilt->all_last_tick && report->choice == NULL &&
           report->selection->filters.count == 0 && !selection_is_one_thread(report->selection);
}

double report_real_time_ns(const struct report *report, bool is_old)
{
    const double LEAST_NS = 1e9;
    const struct profile *profile = is_old ? report->old->profile : report->profile;
    if (!is_whole(report, profile) || (is_old && report->old->scaled != NULL))
        return -1;
    const struct recording *recording = &profile->recordings.all[0];
    const struct rebuilt_recording *rebuilt = profile->rebuilt;
    double clock_ns = recording->to_ns - recording->from_ns;
    if (!recording->is_sim || recording->is_sampled || recording->is_coarse ||
        recording->missing_lines > 0 || recording->from_ns == 0 || clock_ns < LEAST_NS)
        return -1;
    double ticks = (double)(rebuilt->last_tick - rebuilt->first_tick + 1);
    double own_ns = clock_ns - recording->lost_ns - rebuilt->removed_ns;
    return fmax(own_ns, fmin(clock_ns, ticks / TICKS_A_SECOND * 1e9));
}

double report_real_time_percent(const struct report *report, bool is_old)
{
    const struct tree *tree = is_old ? report->old->tree : report->tree;
    double real_ns = report_real_time_ns(report, is_old);
    return real_ns < 0 ? -1 : fmin(100 * (double)tree->total_ns[TREE_ROOT] / real_ns, 100);
}

bool report_shows_all(const struct report *report)
{
    return report->show.has_rows && report->show.rows == 0;
}

size_t report_row_limit(const struct report *report)
{
    return report->show.has_rows && report->show.rows != 0 ? report->show.rows : SIZE_MAX;
}

size_t report_room(const struct report *report, size_t others)
{
    enum { MIN = 10 };
    if (report->show.has_rows || report->height == 0)
        return report_row_limit(report);
    return report->height > others + MIN ? report->height - others : MIN;
}

const struct tree *report_listed(const struct report *report)
{
    return report->show.call_sites ? report->tree : report->paths;
}

const struct tree *report_old_listed(const struct report *report)
{
    if (report->old == NULL)
        return NULL;
    return report->show.call_sites ? report->old->tree : report->old->paths;
}

uint32_t *report_old_functions(const struct report *report)
{
    const struct report *old = report->old;
    uint32_t count = report->profile->symbols.function_count;
    if (old == NULL || old->functions == NULL)
        return NULL;
    uint32_t *old_of = mem_zeroed(count, sizeof *old_of);
    memset(old_of, 0xff, count * sizeof *old_of);
    for (uint32_t i = 0; i < old->profile->symbols.function_count; i++)
        if (old->functions[i] < count)
            old_of[old->functions[i]] = i;
    return old_of;
}

const struct call_histogram *report_durations_of(const struct report *report, bool is_old,
                                                 uint32_t function)
{
    const struct report *side = is_old ? report->old : report;
    bool is_known = side->has_all_calls &&
                    (report->old == NULL || (report->compares_logs && report->old->scaled == NULL));
    return is_known ? call_durations_of(&side->profile->durations, function) : NULL;
}

const struct call_histogram *report_durations(const struct report *report, uint32_t function)
{
    return report->old == NULL ? report_durations_of(report, false, function) : NULL;
}

const struct argument_counts *report_arguments(const struct report *report, uint32_t function)
{
    const struct profile *profile = report->profile;
    bool is_known = function < profile->argument_functions && report->old == NULL &&
                    report->has_all_calls && profile->arguments[function].of[ARGUMENTS_CALLS] > 0;
    return is_known ? &profile->arguments[function] : NULL;
}

const struct symbols *report_charging(const struct report *report)
{
    return report->show.c_functions == C_OWN ? NULL : &report->profile->symbols;
}

struct row_sums report_rows(const struct report *report, enum table_by by, bool wants_total_errors)
{
    bool is_compared = report->old != NULL;
    struct row_sums table = {.by = by,
                             .sort = report->show.sort,
                             .tree = report->tree,
                             .old_tree = is_compared ? report->old->tree : NULL,
                             .labels = report->labels,
                             .charging = report_charging(report),
                             .scales_calls = is_compared && report->old->scales_calls,
                             .wants_total_errors = wants_total_errors};
    if (by == BY_STACK) {
        table.tree = report_listed(report);
        table.old_tree = report_old_listed(report);
    }
    if (by == BY_THREAD && report->show.has_threads)
        table.threads = &report->profile->threads;
    row_sums_init(&table);
    return table;
}

void report_put_source(struct text *text, const struct report *report, uint32_t function)
{
    const struct symbols *symbols = &report->profile->symbols;
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    if (source.length > 0 && source.at[0] != '@' && source.at[0] != '=')
        text_put_clean(text, source, true);
    else
        text_put_span(text, labels_text(report->labels, report->labels->of[function].file));
}

struct span report_path(const struct report *report, uint32_t function)
{
    const char *path = source_path_find(report->sources, &report->profile->symbols, function);
    return path != NULL ? span_of(path)
                        : labels_text(report->labels, report->labels->of[function].file);
}

struct report report_plain(const struct report *report)
{
    struct report plain = *report;
    plain.is_colored = false;
    plain.width = 0;
    plain.has_no_options = true;
    return plain;
}

struct report_result report_stacks_result(const struct report *report)
{
    return (struct report_result){.count = report->totals.stacks, .one = "stack", .many = "stacks"};
}

struct report_result report_viewer_result(const struct report *report,
                                          const struct viewer_tree *viewer)
{
    struct report_result result = report_stacks_result(report);
    result.clamped_ns = viewer->clamped_ns;
    return result;
}

uint64_t report_bytes_max(const struct report *report)
{
    enum { BYTES_ALWAYS = 48 << 20, BYTES_PER_INPUT_BYTE = 90 };
    uint64_t input_bytes = report->profile->counts.bytes + report->sources->byte_count;
    if (report->old != NULL)
        input_bytes += report->old->profile->counts.bytes + report->old->sources->byte_count;
    return report->selection->lists_all_frames ? UINT64_MAX
                                               : BYTES_ALWAYS + BYTES_PER_INPUT_BYTE * input_bytes;
}

bool report_has_room(const struct report *report, const struct output *out, unsigned lists)
{
    return !output_has_failed(out) && out->byte_count < report_bytes_max(report) / lists;
}
