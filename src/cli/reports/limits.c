#include "cli/reports/parts.h"

static struct limit_side make_side(const struct profile *profile, const struct tree *tree,
                                   const struct repeated_values *repeated)
{
    return (struct limit_side){
        .tree = tree,
        .ticks = &profile->ticks,
        .tick_count = repeated != NULL ? repeated->logs[0].ticks.count : profile->ticks.count,
        .repeated = repeated,
        .has_memory = profile_has_memory(profile),
    };
}

/* Finds the functions that match the pattern of a limit, if it has one. */
static bool match(struct limit_result *result, const struct report *report, struct console *console)
{
    struct error err, why;
    const struct limit *limit = result->limit;
    uint32_t function_count = report->profile->symbols.function_count;
    if (limit->pattern == NULL)
        return true;
    result->is_matched = mem_zeroed(function_count, 1);
    result->match_count = filter_match(limit->pattern, report->tree, report->labels, function_count,
                                       result->is_matched, &why);
    if (result->match_count == UINT32_MAX) {
        error_set(&err, "--fail-if '%s': %s", limit->text, why.text);
        return console_fail(console, USAGE, &err);
    }
    if (result->match_count > 0 || limit->may_match_nothing)
        return true;
    error_set(
        &err,
        "--fail-if '%s': no function matches; if there may be none, write '(?' instead of '('",
        limit->text);
    return console_fail(console, NOTHING_FOUND, &err);
}

bool limits_check(struct report *report, const struct options *options, struct console *console)
{
    struct error err;
    const struct report_old *before = report->old;
    struct limit_side now = make_side(report->profile, report->tree, report->repeated), old = now;
    if (before != NULL)
        old = make_side(before->profile, before->tree, before->repeated);
    /* Old values are then scaled to the same number of ticks. */
    if (options->normalize == NORMALIZE_TICKS)
        old.tick_count = now.tick_count;
    report->limits = mem_zeroed(options->limit_count, sizeof *report->limits);
    report->limit_count = options->limit_count;
    for (size_t i = 0; i < report->limit_count; i++) {
        struct limit_result *result = &report->limits[i];
        result->limit = &options->limits[i];
        if (!limit_is_known(result->limit, &now, &err) ||
            !limit_is_known(result->limit, &old, &err))
            return console_fail(console, NOTHING_FOUND, &err);
        if (!match(result, report, console))
            return false;
        limit_check(result, &now, before != NULL ? &old : NULL);
    }
    return true;
}

void limits_say(const struct report *report, struct console *console)
{
    for (size_t i = 0; i < report->limit_count; i++) {
        const struct limit_result *result = &report->limits[i];
        struct text text = {0};
        if (!result->is_broken && !result->is_unsure)
            continue;
        limit_put_result(&text, result);
        console_say_text(console, NULL, &text);
        if (result->is_broken)
            console_set_status(console, LIMIT_BROKEN);
    }
}

void limits_release(struct report *report)
{
    for (size_t i = 0; i < report->limit_count; i++)
        free(report->limits[i].is_matched);
    free(report->limits);
}
