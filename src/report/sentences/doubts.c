#include "report/sentences/parts.h"

#include "report/figures/marks.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/tick_text.h"
#include "report/sentences/wrap.h"

enum { INDENT = 2 };

/* The part of the time that is in functions whose names the log has lost. */
static double lost_percent(const struct report *report)
{
    const struct tree *tree = report->tree;
    int64_t lost_ns = 0, all_ns = report_total_ns(report);
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (symbols_is_lost(&report->profile->symbols, tree->calls[node].function))
            lost_ns += tree->self_ns[node];
    return all_ns > 0 ? 100 * (double)lost_ns / (double)all_ns : 0;
}

static uint64_t count_beginless(const struct profile *profile)
{
    uint64_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        count += profile->runs[i].is_there && !profile->recordings.all[i].has_begin;
    return count;
}

/* Appends what is missing, and whether the times depend on it. */
static void put_missing(struct text *sentence, const struct profile *profile, uint64_t beginless)
{
    if (beginless == 0)
        text_put_string(sentence, "Lines of the log are missing");
    else if (beginless == 1)
        text_printf(sentence,
                    "The beginning of %s recording is missing: its unit of time is a guess",
                    profile->recordings.count > 1 ? "a" : "the");
    else
        text_printf(sentence,
                    "The beginning of %s recordings is missing: their units of time are guesses",
                    amount_count(beginless).at);
}

static void put_lost(struct text *text, const struct report *report)
{
    enum { PERCENT_MIN = 1 };
    struct text sentence = {0};
    double percent = lost_percent(report);
    uint64_t beginless = count_beginless(report->profile);
    if (beginless == 0 && percent < PERCENT_MIN)
        return;
    put_missing(&sentence, report->profile, beginless);
    if (percent >= PERCENT_MIN)
        text_printf(&sentence, "; %.0f%% of the time is in functions whose names are lost: (lost)",
                    percent);
    wrap_put_line(text, report->width, INDENT, &sentence);
}

/* Appends "55% of the time has wrong callers: an error had ended them (pcall and 5 others)". */
static void put_wrong_callers(struct text *sentence, const struct report *report)
{
    const struct wrong_callers *frames = report->wrong_callers;
    double percent = 100 * (double)frames->below_ns / (double)report->all_ns;
    text_printf(sentence, "%.0f%% of the time has wrong callers: an error had ended them (%s",
                percent > 0 ? percent : 0, function_name(report->labels, frames->worst));
    if (frames->place_count > 1)
        text_printf(sentence, " and %s",
                    amount_things(frames->place_count - 1, "other", "others").at);
    text_put_string(sentence, "), and delins' profiler does not notice that");
}

static void put_wrong_times(struct text *text, const struct report *report)
{
    struct text sentence = {0};
    if (!report_has_wrong_callers(report))
        return;
    if (report->wrong_callers->place_count > 0)
        put_wrong_callers(&sentence, report);
    else
        text_printf(
            &sentence,
            "The times of %s are wrong: delins' profiler does not notice errors that are "
            "caught, nor threads that end",
            amount_things(report->wrong_callers->doubtful_count, "function", "functions").at);
    text_printf(&sentence, ". Do not trust the times of functions marked %s",
                mark_infos[MARK_ENDED].sign);
    wrap_put_line(text, report->width, INDENT, &sentence);
}

/* Returns the slow tick that is slow because of a call of a function, or NULL. */
static const struct tick *find_slow_tick(const struct report *report, uint32_t function)
{
    enum { PERCENT_MIN = 30 };
    const struct tick_list *list = &report->profile->ticks;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        for (size_t k = 0; tick->over_ns > 0 && k < tick->function_count; k++)
            if (tick->functions[k].function == function &&
                tick->functions[k].self_ns >= tick->time_ns / 100 * PERCENT_MIN)
                return tick;
    }
    return NULL;
}

static void put_long_call(struct text *text, const struct report *report)
{
    struct text sentence = {0};
    const struct long_calls *calls = report->long_calls;
    if (calls == NULL || calls->worst_ns == 0 || report->old != NULL)
        return;
    const struct tick *tick = find_slow_tick(report, calls->worst);
    if (tick == NULL)
        return;
    text_printf(&sentence,
                "One call of %s took %s ms of the slow %s %s, over 1,000 times as long as the "
                "others: probably the computer or a garbage collection, not the game's code",
                function_name(report->labels, calls->worst),
                amount_grouped_time(calls->worst_ns, UNIT_MS, 1).at,
                tick_kinds[report->profile->ticks.state].one, tick_name(report, tick).at);
    wrap_put_line(text, report->width, INDENT, &sentence);
}

void doubts_put(struct text *text, const struct report *report)
{
    put_lost(text, report);
    put_wrong_times(text, report);
    put_long_call(text, report);
}
