#include "report/sentences/verdict.h"

#include "report/figures/computer.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/next_option.h"
#include "report/sentences/subject.h"
#include "report/sentences/watched_comparison.h"
#include "report/sentences/watched_text.h"

/* Of fewer ticks that were chosen by chance, shares of ticks are not said. */
enum { TICKS_ENOUGH = 20 };

static const struct tick_kind *kind_of(const struct report *report)
{
    return &tick_kinds[report->profile->ticks.state];
}

/* Begins another sentence. */
static void begin(struct text *text)
{
    if (text->length > 0)
        text_put_string(text, "\n");
}

/* Lua --------------------------------------------------------------------------------------- */

/* Returns the function with the most self time that can be trusted, or TREE_NONE; sets that time.
 */
static uint32_t find_most_expensive(const struct report *report, int64_t *self_ns)
{
    uint32_t best = TREE_NONE, count = report->profile->symbols.function_count;
    const struct sum *sums = report_function_sums(report, false);
    *self_ns = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sums[i].self_ns > *self_ns && !function_is_unfit(report, i)) {
            best = i;
            *self_ns = sums[i].self_ns;
        }
    return best;
}

/* Appends the function with the most self time, where there are no ticks that name one. */
static void put_most(struct text *text, struct text *option, const struct report *report)
{
    int64_t self_ns;
    uint32_t function = find_most_expensive(report, &self_ns);
    if (function == TREE_NONE)
        return;
    begin(text);
    text_put_string(text, "Most self time: ");
    function_name_put(text, report, function);
    if (amount_is_share(self_ns, tree_share_ns(report->tree)))
        text_printf(text, ", %.0f%%", 100 * (double)self_ns / (double)report_total_ns(report));
    next_option_put_function(option, report, function, "--peek", "");
}

/* Appends how long Lua took, and of what. */
static void put_lua(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    int64_t ns = report_total_ns(report);
    double real_ns = report_real_time_ns(report, false), percent = 100 * (double)ns / real_ns;
    text_put_string(text, "Lua took ");
    subject_put_time(text, ns, amount_unit_for(ns), report->profile->ticks.is_sampled);
    if (report->shows_watch && ticks->count > 0)
        text_printf(text, " in the recorded %s", kind_of(report)->many);
    if (real_ns > 0 && percent >= 1)
        text_printf(text, ", %.0f%% of the real time", percent < 100 ? percent : 100);
    else if (real_ns > 0 && ticks->over_count == 0)
        text_printf(text, " of %.0f s: it does not make this game slow", real_ns / 1e9);
    else if (real_ns > 0)
        text_put_string(text, ", under 1% of the real time");
}

/* Appends why estimates say little: there are few ticks, or one of them has much of the time. */
static void put_weak_sample(struct text *text, const struct report *report)
{
    enum { LARGE_PARTS = 5 };
    const struct tick_statistics *ticks = &report->ticks;
    if (ticks->sampled_count < TICKS_ENOUGH)
        text_printf(
            text,
            "\nOnly %s: that says little about the game",
            amount_things(ticks->sampled_count, "tick was recorded", "ticks were recorded").at);
    if (ticks->largest_share * LARGE_PARTS > 1)
        text_printf(text,
                    "\nOne of the recorded ticks, %s, has %.0f%% of the time",
                    tick_name(report, ticks->largest).at,
                    100 * ticks->largest_share);
}

/* Ticks ------------------------------------------------------------------------------------- */

/* Appends ": 81% BuildThreatMap, 17% next": a second one that is much. */
static void put_functions(struct text *text, const struct report *report, const struct tick *tick)
{
    enum { COUNT_MAX = 2, PERCENT_MIN = 5, SECOND_PERCENT_MIN = 15 };
    int64_t all_ns = 0;
    for (size_t i = 0; i < tick->function_count; i++)
        all_ns += tick->functions[i].self_ns;
    /* Overhead that could not be subtracted from a function is missing in the tick's time. */
    if (all_ns < tick->time_ns)
        all_ns = tick->time_ns;
    size_t shown = 0;
    for (size_t i = 0; shown < COUNT_MAX && i < tick->function_count; i++) {
        const struct tick_function *function = &tick->functions[i];
        double percent = 100 * (double)function->self_ns / (double)all_ns;
        if (function_is_unfit(report, function->function))
            continue;
        /* A tick that took no time has no shares: they are not numbers. */
        if (!(percent >= (shown > 0 ? SECOND_PERCENT_MIN : PERCENT_MIN)))
            break;
        text_printf(text, "%s%.0f%% ", shown++ > 0 ? ", " : ": ", percent);
        function_name_put(text, report, function->function);
    }
}

/*
 * Appends "14 of 600 ticks"; of ticks that were chosen by chance "About 2% of the ticks (1 of 60
 * recorded by chance, and 5 recorded for being slow)".
 */
static void put_slow_share(struct text *text, const struct report *report,
                           const struct tick_statistics *ticks, bool is_sampled)
{
    size_t over = is_sampled ? ticks->sampled_over_count : ticks->over_count;
    size_t count = is_sampled ? ticks->sampled_count : ticks->count;
    bool has_share = is_sampled && over > 0 && count >= TICKS_ENOUGH;
    double percent = 100 * (double)ticks->over_count / (double)ticks->count;
    const struct tick_kind *kind = kind_of(report);
    if (has_share)
        text_printf(text,
                    percent < 1 ? "About %.1f%% of the %s (" : "About %.0f%% of the %s (",
                    percent,
                    kind->many);
    text_printf(text,
                "%s of %s",
                amount_count(over).at,
                has_share ? amount_count(count).at
                          : amount_things(count, kind->one, kind->many).at);
    if (is_sampled)
        text_put_string(text, " recorded by chance");
    else if (report->is_watched)
        text_put_string(text, " recorded");
    if (is_sampled && ticks->over_row_count > over)
        text_printf(
            text, " and %s recorded for being slow", amount_count(ticks->over_row_count - over).at);
    if (has_share)
        text_put_string(text, ")");
}

static void put_compared_ticks(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks, *old = &report->old->ticks;
    const char *name = report->old->is_rest ? "others" : "old";
    const struct tick_list *list = &report->profile->ticks;
    put_slow_share(text, report, ticks, list->is_sampled);
    text_printf(text, " took over %s", tick_limit(list).at);
    if (old->count == 0)
        return;
    text_printf(text, ", %s ", name);
    put_slow_share(text, report, old, report->old->profile->ticks.is_sampled);
    text_printf(text,
                "\nMedian %s, %s %s; longest %s, %s %s",
                tick_time(report, ticks->median_ns).at,
                name,
                tick_time(report, old->median_ns).at,
                tick_time(report, ticks->longest_ns).at,
                name,
                tick_time(report, old->longest_ns).at);
}

/* A time among others in milliseconds: "7.3" and "25". */
static struct amount short_time(const struct report *report, int64_t ns)
{
    enum { TEN_MS = 10000000, SECOND = 1000000000 };
    return ns >= SECOND  ? tick_time(report, ns)
           : ns < TEN_MS ? amount_time(ns, UNIT_MS, tick_decimals(report))
                         : amount_make("%.0f", (double)ns / 1e6);
}

/* Appends how long ticks take, and the longest one, unless it is known. */
static void put_percentiles(struct text *text, const struct report *report, bool names_longest)
{
    const struct tick_statistics *ticks = &report->ticks;
    const struct tick_list *list = &report->profile->ticks;
    const struct tick *longest = ticks->worst[0];
    if (list->is_sampled && ticks->sampled_count < TICKS_ENOUGH)
        return;
    text_printf(text,
                "\n%ss: %shalf up to %s, 95%% %s, 99%% %s",
                kind_of(report)->title,
                list->is_sampled ? "about " : "",
                tick_time(report, ticks->median_ns).at,
                short_time(report, ticks->percentile_95_ns).at,
                short_time(report, ticks->percentile_99_ns).at);
    if (!names_longest)
        return;
    text_printf(text,
                ", longest %s (#%lld",
                short_time(report, longest->time_ns).at,
                (long long)longest->number);
    subject_put_log(text, report, longest->recording, " of ");
    text_put_string(text, ")");
}

/* Of a tick that took more than twice as long as its calls usually do. */
static void put_usual(struct text *text, const struct report *report, const struct tick *tick)
{
    if (tick->usual_ns >= 0 && tick->time_ns / 2 > tick->usual_ns)
        text_printf(text, ", its calls usually take %s", tick_time(report, tick->usual_ns).at);
}

/* Appends which of the slow ticks are the computer's. */
static void put_of_computer(struct text *text, const struct report *report)
{
    const struct computer_ticks *computer = &report->computer;
    struct amount usual = tick_time(report, computer->most_usual_ns);
    if (computer->count < report->ticks.over_row_count)
        text_printf(
            text, ", %s of them probably the computer's doing", amount_count(computer->count).at);
    else if (computer->count == 1)
        text_printf(text, ": probably the computer's doing, usually it takes %s", usual.at);
    else
        text_printf(
            text, ": probably the computer's doing, usually they take at most %s", usual.at);
}

static void put_slow_ticks(struct text *text, const struct report *report, bool is_harmless)
{
    const struct tick_statistics *ticks = &report->ticks;
    const struct tick_list *list = &report->profile->ticks;
    const struct tick_kind *kind = kind_of(report);
    const struct computer_ticks *computer = &report->computer;
    bool is_all = computer->count > 0 && computer->count == ticks->over_row_count;
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered =
        report->selection->filters.count > 0 || selection_is_one_thread(report->selection);
    begin(text);
    if (ticks->over_row_count == 0) {
        if (list->is_sampled)
            text_printf(text,
                        "None of %s recorded by chance",
                        amount_things(ticks->sampled_count, kind->one, kind->many).at);
        else if (report->shows_watch) /* which may have slow ones */
            text_printf(text,
                        "None of the %s recorded",
                        amount_things(ticks->count, kind->one, kind->many).at);
        else
            text_printf(text, "No %s", kind->one);
        text_printf(text,
                    " was slow (over %s)%s%s",
                    tick_limit(list).at,
                    is_filtered ? ", not filtered" : "",
                    is_harmless ? ": nothing here makes the game slow" : "");
        put_percentiles(text, report, true);
        return;
    }
    put_slow_share(text, report, ticks, list->is_sampled);
    text_printf(text,
                " %s slow (over %s)%s",
                ticks->over_row_count == 1 && !list->is_sampled ? "was" : "were",
                tick_limit(list).at,
                is_filtered ? ", not filtered" : "");
    if (computer->count > 0)
        put_of_computer(text, report);
    if (!is_all) {
        text_put_string(text,
                        ticks->over_row_count == 1 ? ": "
                        : computer->count > 0      ? "; the longest of the others, "
                                                   : ", the longest, ");
        text_put_string(text, tick_name(report, computer->lead).at);
        subject_put_log(text, report, computer->lead->recording, " of ");
        text_printf(text,
                    "%s took %s",
                    ticks->over_row_count == 1 ? "" : ",",
                    tick_time(report, computer->lead->time_ns).at);
        put_usual(text, report, computer->lead);
        put_functions(text, report, computer->lead);
    }
    put_percentiles(text, report, is_all);
}

/* Whether the table has what the only tick did, and nothing else. */
static bool is_tick_alone(const struct report *report, int64_t table_ns)
{
    int64_t tick_ns = report->ticks.worst[0]->time_ns;
    return report->selection->filters.count == 0 && !selection_is_one_thread(report->selection) &&
           table_ns / 2 <= tick_ns && tick_ns / 2 <= table_ns;
}

/*
 * Appends the line about a single tick, without the option that leads to this tick. Its times are
 * those of the table, which differ a little from the tick's own: there, each tick has its own
 * recording overhead subtracted.
 */
static void put_only_tick(struct text *text, struct text *option, const struct report *report)
{
    const struct tick *tick = report->ticks.worst[0];
    const struct long_calls *long_calls = &report->long_calls;
    int64_t self_ns, all_ns = report_total_ns(report);
    bool is_alone = is_tick_alone(report, all_ns);
    int64_t now_ns = is_alone ? all_ns : tick->time_ns;
    const struct tick_list *list = &report->profile->ticks;
    begin(text);
    text_printf(text, "%s %s", tick_kinds[list->state].title, tick_name(report, tick).at);
    subject_put_log(text, report, tick->recording, " of ");
    text_printf(text, " took %s%s", tick_time(report, now_ns).at, is_alone ? "" : " in all");
    if (now_ns > list->limit_ns) {
        text_printf(text, ", more than its %s", tick_limit(list).at);
        put_usual(text, report, tick);
    }
    if (!is_alone)
        return;
    uint32_t function = find_most_expensive(report, &self_ns);
    if (long_calls->worst_ns > now_ns / 2) {
        text_printf(text,
                    "; one call of %s took most of it: ",
                    function_name(report->labels, long_calls->worst));
        finding_put_interruption(text, long_calls);
        return;
    }
    if (function == TREE_NONE)
        return;
    text_printf(text, ": %.0f%% ", 100 * (double)self_ns / (double)now_ns);
    function_name_put(text, report, function);
    next_option_put_function(option, report, function, "--peek", "");
}

/* All of it --------------------------------------------------------------------------------- */

/* Whether a recording that is long enough has neither a slow tick nor a finding about the game. */
static bool is_nothing_slow(const struct report *report, const struct findings *findings)
{
    enum { TICKS_MIN = 120 };
    for (size_t i = 0; i < findings->count; i++)
        if (!finding_rows[findings->all[i].kind]->is_about_log)
            return false;
    return report->ticks.count >= TICKS_MIN && report->ticks.over_count == 0 &&
           !report->shows_watch && report->profile->work.recording_count == 1 &&
           report->wants_findings;
}

static void put_ticks(struct verdict *verdict, const struct report *report,
                      const struct findings *findings)
{
    struct text *text = &verdict->answer.text, *option = &verdict->answer.option;
    if (report->ticks.row_count == 1) {
        put_only_tick(text, option, report);
        return;
    }
    put_slow_ticks(text, report, is_nothing_slow(report, findings));
    const struct computer_ticks *computer = &report->computer;
    if (report->has_no_options)
        return;
    if (tick_is_slow(computer->lead) && computer->count < report->ticks.over_row_count)
        next_option_put_tick(option, report, computer->lead);
    else
        text_put_string(option, "--ticks");
}

static void put_watch(struct text *line, const struct report *report)
{
    struct report plain = *report;
    plain.width = 0;
    if (report->shows_watch)
        watched_put_sentence(line, &plain);
    else
        watched_comparison_put(line, &plain);
    if (line->length > 0)
        text_cut(line, line->length - 1);
}

void verdict_make(struct verdict *verdict, const struct report *report,
                  const struct findings *findings)
{
    struct text *text = &verdict->answer.text;
    bool has_ticks = report->ticks.count > 0 && !report->lacks_events;
    *verdict = (struct verdict){0};
    if (report->repeated != NULL)
        return;
    if (report->is_watched)
        put_watch(&verdict->watch.text, report);
    if (report->is_empty)
        return;
    subject_put(&verdict->subject.text, &verdict->subject.option, report);
    if (report->old != NULL) {
        if (has_ticks && !report->profile->has_coarse_clock)
            put_compared_ticks(text, report);
        return;
    }
    if (report->has_no_times) {
        text_put_string(text,
                        "The game's clock had steps of 2 ms or more, too coarse for times "
                        "and slow ticks: only calls are shown");
        return;
    }
    /* A tick alone says it itself. */
    if (!has_ticks || report->ticks.row_count > 1 ||
        !is_tick_alone(report, report_total_ns(report)))
        put_lua(text, report);
    if (report->profile->ticks.is_sampled)
        put_weak_sample(text, report);
    if (has_ticks)
        put_ticks(verdict, report, findings);
    else if (report->ticks.count == 0)
        put_most(text, &verdict->answer.option, report);
}

void verdict_release(struct verdict *verdict)
{
    text_release(&verdict->subject.text);
    text_release(&verdict->subject.option);
    text_release(&verdict->watch.text);
    text_release(&verdict->watch.option);
    text_release(&verdict->answer.text);
    text_release(&verdict->answer.option);
}
