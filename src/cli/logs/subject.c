#include "cli/logs/subject.h"

#include "base/input.h"
#include "cli/logs/parts.h"
#include "cli/options/unknown_option.h"
#include "platform/interrupt.h"
#include "report/sentences/amounts.h"
#include "select/align.h"
#include "select/deep_stacks.h"

#include <math.h>
#include <stdio.h>

void subject_set_title(struct subject *subject)
{
    const char *first = subject->logs.all[subject->first_log];
    const char *name = strcmp(first, "-") == 0 ? input_name(first) : file_name(first);
    size_t count = subject->logs.count - subject->empty_count;
    if (count > 1)
        snprintf(subject->title, sizeof subject->title, "%.200s and %zu more", name, count - 1);
    else
        snprintf(subject->title, sizeof subject->title, "%s%.200s",
                 subject->takes_rest ? "the other ticks of " : "", name);
}

static bool begin_profile(const struct subject *subject, struct profile *profile)
{
    struct error err;
    struct console *console = subject->console;
    if (!profile_init(profile, &err))
        return console_fail(console, FAILED, &err);
    bool shows_progress = console->shows_progress && !subject->options->reading.follows;
    profile->only_run = subject->options->reading.run;
    profile->costs = subject->options->reading.rebuild.costs;
    profile->rebuild = subject->options->reading.rebuild;
    profile->on_progress = shows_progress ? console_progress : NULL;
    profile->context = console;
    return true;
}

/* Chooses among the ticks of a profile. */
static bool choose_among(struct subject *subject, const struct profile *profile, struct error *err)
{
    const struct reading *reading = &subject->options->reading;
    struct tick_choice *choice = &subject->choice;
    tick_choice_init(choice, &profile->ticks, profile->recordings.count, reading->ticks_over_ns,
                     reading->ticks_up_to_ns, subject->takes_rest);
    choice->outside_ns = profile->recordings.count > 0 ? profile->tree.total_ns[TREE_ROOT] : 0;
    for (size_t i = 0; i < profile->ticks.count; i++)
        choice->outside_ns -= profile->ticks.ticks[i].time_ns;
    if (choice->count == 0)
        return error_set(err, "%s: --ticks-over needs ticks, and the log has none", subject->title);
    return choice->chosen_count > 0 ||
           error_set(err, "%s: --ticks-over chooses none of the %zu %s; the longest took %.3f ms",
                     subject->title, choice->count, tick_kinds[profile->ticks.state].many,
                     (double)choice->longest_ns / 1e6);
}

/* Reads the logs for their ticks alone, and chooses those that are asked for. */
static bool choose_ticks(struct subject *subject)
{
    struct profile profile;
    struct error err;
    bool is_good = true;
    if (!subject->options->reading.chooses_ticks)
        return true;
    if (!begin_profile(subject, &profile))
        return false;
    profile.rebuild.kept_ticks = 0;
    profile.rebuild.counts_work = false;
    for (size_t i = 0; i < subject->logs.count && is_good; i++) {
        uint64_t bytes_before = profile.counts.bytes;
        is_good = profile_read(&profile, subject->logs.all[i], &err) ||
                  profile.counts.bytes > bytes_before ||
                  console_fail(subject->console, FAILED, &err);
    }
    if (is_good) {
        profile_finish(&profile);
        is_good = choose_among(subject, &profile, &err) ||
                  console_fail(subject->console, NOTHING_FOUND, &err);
    }
    console_end_reading(subject->console);
    profile_release(&profile);
    return is_good;
}

/* Says that Ctrl-C has ended the reading of a log; nothing if it came after the end. */
static void say_stopped(const struct subject *subject, size_t log, uint64_t bytes_before)
{
    struct text text = {0};
    double read_part = subject->profile.read_part;
    size_t logs_left = subject->logs.count - log - 1;
    uint64_t bytes = subject->profile.counts.bytes - bytes_before;
    bool is_whole = read_part >= 1;
    if (is_whole && logs_left == 0)
        return;
    text_printf(&text, "Ctrl-C ended the reading %s %s", is_whole ? "after" : "of",
                input_name(subject->logs.all[log]));
    if (!is_whole)
        text_printf(&text, " after %.1f MB", (double)bytes / 1e6);
    if (!is_whole && read_part >= 0)
        text_printf(&text, " (%.0f%%)", floor(100 * read_part));
    if (logs_left > 0)
        text_printf(&text, "; not read: %s", amount_things(logs_left, "more log", "more logs").at);
    text_put_string(&text, "; the report shows the part that was read");
    console_say_text(subject->console, NULL, &text);
}

/*
 * Reads a log. If it cannot be opened, the program ends: a report without this log would mislead.
 * If it cannot be read to its end, the part that was read is reported.
 */
static bool read_log(struct subject *subject, const char *log)
{
    struct error err;
    struct profile *profile = &subject->profile;
    uint64_t bytes_before = profile->counts.bytes;
    bool is_read = subject->options->reading.follows
                       ? follow_log(profile, log, subject->options, subject->console, &err)
                       : profile_read(profile, log, &err);
    if (is_read)
        return true;
    profile->is_partial = true;
    if (profile->counts.bytes == bytes_before)
        unknown_option_suggest(&err, log);
    console_fail(subject->console, FAILED, &err);
    return profile->counts.bytes > bytes_before;
}

/* Counts all that supprof reads in logs; it grows with each log that is not empty. */
static uint64_t count_contents(const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    const struct recordings *recordings = &profile->recordings;
    return counts->records + counts->damaged + counts->other_runs + counts->timeless +
           recordings->count + recordings->benchmark_count;
}

/* Says which logs have nothing that supprof reads, if others have; releases their names. */
static void say_empty(struct subject *subject, struct text *names)
{
    struct text message = {0};
    size_t count = subject->empty_count;
    if (count > 0 && count < subject->logs.count) {
        text_printf(&message, "no profiler lines in %s: the report is about the other %s",
                    text_string(names), subject->logs.count - count == 1 ? "log" : "logs");
        console_say_text(subject->console, NULL, &message);
    } else {
        subject->first_log = subject->empty_count = 0;
    }
    text_release(names);
}

static bool read_logs(struct subject *subject)
{
    struct profile *profile = &subject->profile;
    struct text empty = {0};
    bool is_good = true, is_stopped = false;
    if (subject->options->reading.can_be_stopped && !subject->options->reading.follows)
        interrupt_catch();
    for (size_t i = 0; i < subject->logs.count && is_good && !is_stopped; i++) {
        uint64_t bytes_before = profile->counts.bytes, before = count_contents(profile);
        is_good = read_log(subject, subject->logs.all[i]);
        is_stopped = interrupt_is_pending();
        if (is_good && !is_stopped && count_contents(profile) == before) {
            subject->first_log += subject->first_log == i;
            text_put_string(&empty, subject->empty_count++ > 0 ? ", " : "");
            text_put_string(&empty, input_name(subject->logs.all[i]));
        }
        if (!is_stopped)
            continue;
        profile->is_partial |= profile->read_part < 1 || i + 1 < subject->logs.count;
        say_stopped(subject, i, bytes_before);
    }
    interrupt_release();
    console_end_reading(subject->console);
    say_empty(subject, &empty);
    subject_set_title(subject);
    return is_good;
}

static void name_functions(struct subject *subject)
{
    struct profile *profile = &subject->profile;
    paths_init(&subject->paths, &profile->symbols, &profile->mounts,
               subject->options->reading.path_style);
    hooked_functions_name_mods(&subject->hooked, &subject->paths);
    labels_init(&subject->labels, &profile->symbols, &subject->paths);
}

/* Each log of a run gets its part of the stacks that are allowed whatever its size is. */
static void fold_deep_stacks(struct subject *subject)
{
    enum { SPARE_STACKS = 1 << 17 };
    const struct folded_stacks *folded = &subject->profile.folded;
    if (subject->selection->lists_all_frames)
        return;
    deep_stacks_fold(&subject->profile, subject->folded,
                     SPARE_STACKS * subject->logs.count /
                         (subject->options->logs.count + subject->options->old_logs.count));
    if (folded->count > 0 && !subject->console->is_quiet)
        console_say(subject->console,
                    "%s: %s of more than %u frames have a frame '(folded)' in the middle: a log of "
                    "this size should not have so many stacks (--max-depth=0 keeps all frames)",
                    subject->title, amount_things(folded->count, "stack", "stacks").at,
                    (unsigned)folded->depth_max);
}

/* Ends the profile, and reduces it to the selection. */
static bool select_part(struct subject *subject)
{
    struct profile *profile = &subject->profile;
    struct tree *tree = &profile->tree;
    struct console *console = subject->console;
    struct error err;
    if (!check_contents(profile, subject->options, &subject->logs, &err))
        return console_fail(console, NOTHING_FOUND, &err);
    profile_finish(profile);
    if (!naming_complete(profile, &subject->hooked, &subject->sources, subject->options,
                         subject->is_old, console, &err))
        return console_fail(console, FAILED, &err);
    if (profile->recordings.count == 0)
        wrong_callers_find(&subject->wrong_callers, tree, &profile->symbols);
    selection_apply_thread(subject->selection, tree);
    subject->all_ns = tree->total_ns[TREE_ROOT];
    subject->folded = selection_add_folded(&profile->symbols);
    fold_deep_stacks(subject);
    name_functions(subject);
    if (!check_window(profile, subject->title, &err))
        return console_fail(console, NOTHING_FOUND, &err);
    if (!check_timeline(profile, options_format_with(subject->options, USES_TIMELINE), &err))
        return console_fail(console, profile->timeline.is_too_long ? USAGE : NOTHING_FOUND, &err);
    if (!selection_apply(subject->selection, profile, &subject->labels, subject->folded, &err))
        return console_fail(console, USAGE, &err);
    if (subject->options->old_logs.count == 0)
        selection_drop_small(subject->selection, tree, NULL, subject->folded);
    subject->totals = totals_sum_up(tree, &profile->symbols);
    return true;
}

bool subject_read(struct subject *subject)
{
    subject_set_title(subject);
    if (!choose_ticks(subject) || !begin_profile(subject, &subject->profile))
        return false;
    subject->profile.rebuild.choice =
        subject->options->reading.chooses_ticks ? &subject->choice : NULL;
    subject->profile.on_damage = console_damage;
    return read_logs(subject) && select_part(subject);
}

static void forget_names(struct subject *subject)
{
    labels_release(&subject->labels);
    paths_release(&subject->paths);
}

uint32_t *subject_align(struct subject *subject, struct subject *other, double time_factor,
                        double call_factor, struct diff_counts *counts)
{
    struct profile *to = &subject->profile, *from = &other->profile;
    other->gone_from = to->symbols.function_count;
    other->functions = diff_match_functions(to, &subject->paths, from, &other->paths, counts);
    uint32_t *nodes = align_trees(&to->tree, &from->tree, other->functions, &to->symbols,
                                  &from->symbols, time_factor, call_factor);
    forget_names(subject);
    name_functions(subject);
    return nodes;
}

void subject_release(struct subject *subject)
{
    forget_names(subject);
    hooked_functions_release(&subject->hooked);
    source_files_release(&subject->sources);
    tick_choice_release(&subject->choice);
    wrong_callers_release(&subject->wrong_callers);
    repeated_values_release(&subject->repeated);
    free(subject->functions);
    profile_release(&subject->profile);
}
