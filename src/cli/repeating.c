#include "cli/repeating.h"

#include "base/mem.h"
#include "select/align.h"
#include "select/samples.h"

#include <stdlib.h>

/* Adds the counts of one log to those of all logs. */
static void add_counts(struct profile *to, const struct profile *from)
{
    to->counts.records += from->counts.records;
    to->counts.calls += from->counts.calls;
    to->counts.time_ns += from->counts.time_ns;
    to->counts.damaged += from->counts.damaged;
    to->counts.untimed += from->counts.untimed;
    to->counts.events += from->counts.events;
    to->counts.other_runs += from->counts.other_runs;
    to->counts.timeless += from->counts.timeless;
    to->counts.runs += from->counts.runs;
    to->counts.bytes += from->counts.bytes;
    for (size_t i = 0; i < from->recordings.benchmark_count; i++)
        recordings_add_benchmark(&to->recordings, &from->recordings.benchmarks[i]);
}

static void add_tree(struct tree *to, const struct tree *from)
{
    for (uint32_t node = 0; node < from->node_count; node++) {
        to->flags[node] |= from->flags[node];
        if (to->details != NULL && from->details != NULL)
            call_details_add(&to->details[node], &from->details[node]);
    }
}

/* Whether both have the same kinds of data, or one of them has none. */
static bool check_kinds(const struct subject *subject, const struct subject *next,
                        struct error *err)
{
    const struct tree *tree = &subject->profile.tree, *other = &next->profile.tree;
    bool is_alike = (tree->details == NULL) == (other->details == NULL) || tree->node_count <= 1 ||
                    other->node_count <= 1;
    return is_alike ||
           error_set(err,
                     "--repeated: '%s' and '%s' are not of the same thing: one is a recording of "
                     "profiler.lua, and the other has records of delins' profiler",
                     subject->logs[0], next->logs[0]);
}

static void join(struct subject *subject, struct subject *next, struct repeats *repeats,
                 const struct options *options)
{
    struct diff_counts counts;
    struct profile *profile = &subject->profile;
    uint32_t *functions =
        diff_match_functions(profile, &subject->paths, &next->profile, &next->paths, &counts);
    free(align_trees(&profile->tree, &next->profile.tree, functions, &profile->symbols,
                     &next->profile.symbols, 1, 1));
    free(functions);
    subject_rename(subject, options);
    add_tree(&profile->tree, &next->profile.tree);
    repeats_add(repeats, &next->profile.tree, &next->profile);
    add_counts(profile, &next->profile);
    subject->all_ns += next->all_ns;
}

static enum exit_status read_next(struct subject *subject, size_t index, struct repeats *repeats,
                                  struct options *options, struct console *console,
                                  bool *can_report)
{
    struct error err;
    struct subject next = {.logs = &subject->logs[index], .log_count = 1};
    enum exit_status status = subject_read(&next, options, console, can_report);
    if (*can_report && !check_kinds(subject, &next, &err)) {
        console_say(console, err.text);
        *can_report = false;
        status = USAGE;
    }
    if (*can_report)
        join(subject, &next, repeats, options);
    subject_release(&next);
    return status;
}

enum exit_status repeating_read(struct subject *subject, struct repeats *repeats,
                                struct options *options, struct console *console, bool *can_report)
{
    size_t count = subject->log_count;
    subject->log_count = 1;
    enum exit_status status = subject_read(subject, options, console, can_report);
    if (*can_report)
        repeats_add(repeats, &subject->profile.tree, &subject->profile);
    for (size_t i = 1; i < count && *can_report; i++) {
        enum exit_status next = read_next(subject, i, repeats, options, console, can_report);
        status = status == DONE ? next : status;
    }
    subject->log_count = count;
    subject->all_ns /= (int64_t)count;
    subject_set_title(subject);
    return status;
}

static bool have_ticks(const struct repeats *repeats)
{
    bool has_ticks = true;
    for (size_t i = 0; i < repeats->count; i++)
        has_ticks &= repeats->all[i].ticks.count > 0;
    return has_ticks;
}

static void scale_to_ticks(struct repeats *repeats, double tick_count)
{
    for (size_t i = 0; i < repeats->count; i++)
        repeats->all[i].scale = tick_count / (double)repeats->all[i].ticks.count;
}

/* The median of the numbers of ticks of all logs. */
static double middle_tick_count(const struct repeats *repeats)
{
    double *counts = mem_zeroed(repeats->count, sizeof *counts);
    for (size_t i = 0; i < repeats->count; i++)
        counts[i] = (double)repeats->all[i].ticks.count;
    double middle = sample_sum_up(counts, repeats->count).median;
    free(counts);
    return middle;
}

static bool scale(struct repeats *repeats, struct repeats *old, const struct options *options,
                  struct error *err)
{
    if (options->normalize != NORMALIZE_TICKS)
        return true;
    if (!have_ticks(repeats) || (old != NULL && !have_ticks(old)))
        return error_set(err, "--normalize=tick needs ticks in every log");
    double tick_count = middle_tick_count(repeats);
    scale_to_ticks(repeats, tick_count);
    if (old != NULL)
        scale_to_ticks(old, tick_count);
    return true;
}

bool repeating_settle(struct subject *subject, struct repeats *repeats, struct subject *old_subject,
                      struct repeats *old, const struct options *options,
                      struct diff_counts *counts, struct error *err)
{
    struct profile *profile = &subject->profile;
    if (!scale(repeats, old, options, err))
        return false;
    if (old != NULL) {
        struct profile *old_profile = &old_subject->profile;
        uint32_t *functions = diff_match_functions(profile, &subject->paths, old_profile,
                                                   &old_subject->paths, counts);
        uint32_t *nodes = align_trees(&profile->tree, &old_profile->tree, functions,
                                      &profile->symbols, &old_profile->symbols, 1, 1);
        repeats_move(old, nodes);
        repeats_average(old, &old_profile->tree);
        free(nodes);
        free(functions);
        subject_rename(subject, options);
    }
    repeats_average(repeats, &profile->tree);
    subject->totals = report_sum_up(&profile->tree, &profile->symbols);
    return true;
}
