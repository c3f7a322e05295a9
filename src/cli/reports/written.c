#include "cli/reports/parts.h"

#include "cli/logs/parts.h"
#include "report/sentences/amounts.h"
#include "report/sentences/recorder_cost.h"

#include <math.h>

void written_say_filters(const struct filters *filters, struct console *console)
{
    size_t of_files = 0, unmatched_of_files = 0;
    if (console->is_quiet)
        return;
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        bool is_of_file = filter->file != NULL, is_unmatched = filter->match_count == 0;
        struct text text = {0};
        of_files += is_of_file;
        unmatched_of_files += is_of_file && is_unmatched;
        if (!is_unmatched || (is_of_file && !console->is_verbose))
            continue;
        filter_put_name(&text, filter);
        text_put_string(&text, " matches no function");
        console_say_text(console, NULL, &text);
    }
    if (unmatched_of_files > 0 && !console->is_verbose)
        console_say(console,
                    "%zu of the %zu patterns of --hide-file match no function (-v lists them)",
                    unmatched_of_files, of_files);
}

void written_say_all_frames(const struct listed_stacks *listed, struct console *console)
{
    if (!console->is_quiet && listed->is_too_long)
        console_say(console,
                    "--max-depth=0: all frames of all stacks take about %.1f GB in each output",
                    (double)listed->whole_bytes / 1e9);
}

/* Says how many stacks were shortened in the list. */
static void say_folded(const char *name, const struct listed_stacks *listed,
                       struct console *console)
{
    if (listed != NULL && listed->folded_count > 0)
        console_say(console,
                    "%s: %s of more than %u frames %s a frame '(folded)' in the middle "
                    "(--max-depth=0 writes all frames, about %.1f GB)",
                    name, amount_things(listed->folded_count, "stack", "stacks").at,
                    (unsigned)listed->depth_max, listed->folded_count == 1 ? "has" : "have",
                    (double)listed->whole_bytes / 1e9);
}

static bool has_removed_costs(const struct profile *profile)
{
    return profile->costs.is_known || recorder_cost_sum_up(profile).known_count > 0;
}

void written_say_result(const struct report *report, const char *path,
                        const struct report_result *result, struct console *console)
{
    bool is_file = strcmp(path, "-") != 0;
    const char *name = is_file ? path : "standard output";
    struct text text = {0};
    struct error why;
    if (console->is_quiet)
        return;
    if (is_file) {
        text_printf(&text, "wrote %s (%s)", name,
                    amount_things(result->count, result->one, result->many).at);
        console_say_text(console, "written", &text);
    }
    if (result->clamped_ns > 0)
        console_say(console, "%s: %s of negative self times are written as 0", name,
                    amount_with_unit(result->clamped_ns, UNIT_MS, 3).at);
    if (result->truncated_count > 0)
        console_say(console, "%s: %s too deep for viewers, and added to (truncated)", name,
                    amount_things(result->truncated_count, "stack is", "stacks are").at);
    say_folded(name, result->listed, console);
    if (result->left_out_count > 0)
        console_say(console,
                    "%s: the last %s are left out: a log of this size should not have as many "
                    "(--max-depth=0 writes all rows)",
                    name, amount_things(result->left_out_count, "row", "rows").at);
    if (result->lacks_timeline && !check_timeline_length(&report->profile->timeline, &why))
        console_say(console, "%s: written without a time line: %s", name, why.text);
    if (result->has_timeline && has_removed_costs(report->profile))
        console_say(console, "%s: the recorder's cost is not subtracted from time lines", name);
}

/* Appends whether the recording overhead was subtracted, and how much that was. */
static void put_costs(struct text *text, const struct profile *profile)
{
    enum { SHOWN_NS_MIN = 500 };
    struct recorder_cost cost = recorder_cost_sum_up(profile);
    if (!has_removed_costs(profile)) {
        text_put_string(text, "; recorder's cost not subtracted");
        return;
    }
    text_printf(text, "; recorder's cost subtracted: %s",
                amount_with_unit((int64_t)llround(cost.removed_ns), UNIT_MS, 3).at);
    if (cost.clamped_ns >= SHOWN_NS_MIN)
        text_printf(text, " (%s could not be)",
                    amount_with_unit((int64_t)llround(cost.clamped_ns), UNIT_MS, 3).at);
}

void written_say_summary(const struct report *report, struct console *console)
{
    const struct profile *profile = report->profile;
    const struct profile_counts *counts = &profile->counts;
    uint64_t missing = profile_missing_lines(profile);
    struct text text = {0};
    text_put_string(&text, "read ");
    if (counts->records > 0 || counts->events == 0)
        text_printf(&text, "%s, ", amount_things(counts->records, "record", "records").at);
    if (counts->events > 0)
        text_printf(&text, "%s, ", amount_things(counts->events, "event", "events").at);
    text_printf(&text, "%s; %s damaged lines skipped",
                amount_with_unit(profile->tree.total_ns[TREE_ROOT], UNIT_MS, 3).at,
                amount_count(counts->damaged).at);
    if (counts->untimed > 0)
        text_printf(&text, "; %s without a usable time", amount_count(counts->untimed).at);
    if (missing > 0)
        text_printf(&text, "; %s missing", amount_things(missing, "line", "lines").at);
    put_costs(&text, profile);
    if (console->is_verbose)
        text_printf(&text, "; %s, %s distinct stacks, %s bytes",
                    amount_things(counts->runs, "run", "runs").at,
                    amount_count(report->totals.stacks).at, amount_count(counts->bytes).at);
    console_say_text(console, "summary", &text);
}
