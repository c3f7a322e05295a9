#include "cli/limits.h"

#include "base/mem.h"

#include <stdlib.h>

static struct limit_side make_side(const struct profile *profile, const struct tree *tree,
                                   const struct repeats *repeats)
{
    struct limit_side side = {.tree = tree,
                              .ticks = &profile->ticks,
                              .tick_count = profile->ticks.count,
                              .repeats = repeats};
    for (size_t i = 0; i < profile->recordings.count; i++)
        side.has_memory |= profile->recordings.all[i].has_memory;
    if (repeats != NULL)
        side.tick_count = repeats->all[0].ticks.count;
    return side;
}

/* Finds the functions that match the pattern of a limit, if it has one. */
static enum exit_status match(struct limit_result *result, const struct report *report,
                              struct console *console, struct error *err)
{
    struct error why;
    uint32_t function_count = report->profile->symbols.function_count;
    if (result->limit->pattern == NULL)
        return DONE;
    uint8_t *is_matched = mem_zeroed(function_count, 1);
    result->is_matched = is_matched;
    result->match_count = filter_match(result->limit->pattern, report->tree, report->labels,
                                       function_count, is_matched, &why);
    if (result->match_count == UINT32_MAX) {
        error_set(err, "--fail-if '%s': %s", result->limit->text, why.text);
        return USAGE;
    }
    if (result->match_count == 0) {
        error_set(&why, "--fail-if '%s' matches no function", result->limit->text);
        console_say(console, why.text);
    }
    return DONE;
}

static enum exit_status check(struct limit_result *result, const struct report *report,
                              const struct limit_side *now, const struct limit_side *old,
                              struct console *console)
{
    struct error err;
    enum exit_status status = NOTHING_FOUND;
    if (limit_is_known(result->limit, now, &err) &&
        (old == NULL || limit_is_known(result->limit, old, &err)))
        status = match(result, report, console, &err);
    if (status == DONE)
        limit_check(result, now, old);
    else
        console_say(console, err.text);
    return status;
}

enum exit_status limits_check(struct report *report, const struct options *options,
                              struct console *console)
{
    struct limit_side now = make_side(report->profile, report->tree, report->repeats);
    struct limit_side old = now;
    if (report->old != NULL)
        old = make_side(report->old->profile, report->old->tree, report->old->repeats);
    /* Old values are then scaled to the same number of ticks. */
    if (options->normalize == NORMALIZE_TICKS)
        old.tick_count = now.tick_count;
    struct limit_result *results = mem_zeroed(options->limit_count, sizeof *results);
    enum exit_status status = DONE;
    report->limits = results;
    report->limit_count = options->limit_count;
    for (size_t i = 0; i < options->limit_count && status == DONE; i++) {
        results[i].limit = &options->limits[i];
        status = check(&results[i], report, &now, report->old != NULL ? &old : NULL, console);
    }
    return status;
}

enum exit_status limits_say(const struct report *report, struct console *console)
{
    enum exit_status status = DONE;
    struct error message;
    struct text text = {0};
    for (size_t i = 0; i < report->limit_count; i++) {
        if (!report->limits[i].is_broken && !report->limits[i].is_unsure)
            continue;
        if (report->limits[i].is_broken)
            status = LIMIT_BROKEN;
        text.length = 0;
        limit_put_result(&text, &report->limits[i]);
        error_set(&message, "%.*s", (int)text.length, text.at);
        console_say(console, message.text);
    }
    text_release(&text);
    return status;
}

void limits_release(struct report *report)
{
    for (size_t i = 0; i < report->limit_count; i++)
        free(report->limits[i].is_matched);
    free(report->limits);
}
