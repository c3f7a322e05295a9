#include "report/sentences/headline.h"

#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/judged.h"
#include "report/sentences/wrap.h"
#include "tree/sums.h"

#include <math.h>

void next_option_put_tick(struct text *text, const struct report *report, const struct tick *tick)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (recordings->count > 1 && report->profile->only_run == 0)
        text_printf(text, "--run %u ", (unsigned)recordings->all[tick->recording].run);
    text_printf(text, "--tick %lld", (long long)tick->number);
}

/* Whether it is short, and no shell and no pattern takes a character of it for more than a letter.
   A '.' also matches other characters, which does not matter here. */
static bool is_plain(struct span text)
{
    enum { LENGTH_MAX = 80 };
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && (c == '\0' || strchr("_./:", c) == NULL))
            return false;
    }
    return text.length > 0 && text.length <= LENGTH_MAX;
}

static bool has_part(struct span whole, struct span part)
{
    for (size_t i = 0; i + part.length <= whole.length; i++)
        if (memcmp(whole.at + i, part.at, part.length) == 0)
            return true;
    return false;
}

/* Counts the used functions whose labels have a text in them, or begin with it and a blank. */
static size_t count_matches(const struct report *report, struct span part, bool is_start)
{
    const struct symbols *symbols = &report->profile->symbols;
    size_t count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct labels *labels = report->labels;
        struct span label = labels_text(labels, labels->labels[i].label);
        if (is_start)
            count += label.length > part.length && label.at[part.length] == ' ' &&
                     memcmp(label.at, part.at, part.length) == 0;
        else
            count += has_part(label, part);
    }
    return count;
}

/*
 * Appends an option with a pattern that matches a function and no other, and with an end; nothing
 * if its name and place are long, or have characters that mean something else to a shell or in a
 * pattern.
 */
static void put_option_of_function(struct text *text, const struct report *report,
                                   uint32_t function, const char *option, const char *end)
{
    const struct label *label = &report->labels->labels[function];
    struct span name = labels_text(report->labels, label->name);
    struct span place = labels_text(report->labels, label->place);
    if (is_plain(name) && count_matches(report, name, false) == 1)
        text_printf(text, "%s %s%s", option, name.at, end);
    else if (is_plain(name) && count_matches(report, name, true) == 1)
        text_printf(text, "%s \"^%s %s\"", option, name.at, end);
    else if (is_plain(place))
        text_printf(text, "%s %s%s", option, place.at, end);
}

/* Appends the option that shows more of a finding. */
static void put_option_of_finding(struct text *text, const struct report *report,
                                  const struct finding *finding)
{
    const char *option = finding_rows[finding->kind].option;
    bool is_trend = finding->kind == FINDING_TREND, is_loop = finding->kind == FINDING_LOOP;
    uint32_t caller = is_loop ? finding->caller : finding->function;
    if (is_trend && finding_number(finding, "last_threads") > 0)
        text_put_string(text, "--threads");
    else if (is_trend || is_loop)
        put_option_of_function(
            text, report, caller,
            symbols_is_c(&report->profile->symbols, caller) ? "--peek" : "--list", "");
    else if (finding->kind == FINDING_INTERRUPTED && finding_number(finding, "functions") > 1)
        text_put_string(text, "--sort max");
    else if (finding->kind == FINDING_WHAT_IF)
        put_option_of_function(text, report, finding->function, option, "/2");
    else if (option != NULL)
        text_put_string(text, option);
    else
        put_option_of_function(text, report, finding->function, "--peek", "");
}

enum { INDENT = 2 };

static void put_clean(struct text *text, const char *string)
{
    text_put_clean(text, span_of(string), false);
}

/* Whether an option is for another report than this one, which it cannot be added to. */
static bool is_other_report(const struct report *report, struct span option)
{
    bool is_usual = report->show.by == BY_FUNCTION && !report_asks(&report->show, TABLE_TICKS) &&
                    report->profile->rebuild.limit_ns == 0;
    return (report->show.has_threads && span_starts_with(option, "--tick ")) ||
           (!is_usual && (span_starts_with(option, "--peek ") ||
                          span_starts_with(option, "--list ") || span_is(option, "--ticks")));
}

/* Whether the report is by this option already. */
static bool is_given(const struct report *report, struct span option)
{
    const struct report_options *show = &report->show;
    const struct columns *columns = &show->columns;
    struct span value = option, name = span_take(&value, ' ');
    if (span_is(name, "--sort"))
        return span_is(value, column_infos[show->sort].word);
    if (span_is(name, "--columns"))
        return columns->count > 0 && columns->list[0].kind == COLUMN_NOISE;
    return span_is(name, "--threads") && show->has_threads;
}

/* Appends a paragraph, and releases the sentence and the option. */
static void put(struct text *text, const struct report *report, const char *style,
                struct text *sentence, struct text *option)
{
    struct wrap wrap = {.width = report->width,
                        .indent = INDENT,
                        .style = style,
                        .is_colored = report->is_colored,
                        .is_marked = report->marks_hints,
                        .option = report->has_no_options || is_given(report, text_span(option))
                                      ? span_of("")
                                      : text_span(option),
                        .is_other = is_other_report(report, text_span(option))};
    wrap_put(text, &wrap, text_span(sentence));
    text_release(sentence);
    text_release(option);
}

/* The profile ------------------------------------------------------------------------------ */

/* Appends how many ticks there were, if only some of them were recorded. */
static void put_sampled_ticks(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    text_printf(text, " in about %s ticks, %s recorded by chance", amount_about(ticks->count).at,
                amount_count(ticks->sampled_count).at);
}

/* Appends which part of the real time Lua took. */
static void put_share_of_real_time(struct text *text, const struct report *report)
{
    double percent = report_real_time_percent(report, false);
    if (percent >= 1)
        text_printf(text, ", %.0f%% of the real time,", percent);
    else if (percent >= 0)
        text_put_string(text, ", under 1% of the real time,");
}

/* Appends " in 600 ticks (1:00.0 to 1:59.9)", or of chosen ticks " in 4 of 600 ticks". */
static void put_tick_range(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    size_t count = 0;
    const struct rebuilt_recording *last = NULL;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        bool has_ticks = rebuilt->has_ticks && !rebuilt->is_outside;
        count += has_ticks;
        last = has_ticks ? rebuilt : last;
    }
    if (profile->ticks.count == 0 || last == NULL)
        return;
    uint64_t all_count = tick_list_game_count(&profile->ticks);
    const struct tick_kind *kind = &tick_kinds[profile->rebuild.state];
    if (profile->ticks.is_sampled) {
        put_sampled_ticks(text, report);
    } else {
        text_put_string(text, " in ");
        if (report->choice != NULL) {
            text_printf(text, "%s of ", amount_count(all_count).at);
            all_count = report->choice->count;
        }
        text_put_string(text, amount_things(all_count, kind->one, kind->many).at);
    }
    struct amount first = tick_game_time(recording_seconds(last, last->first_tick));
    if (profile->rebuild.state == LUA_STATE_UI)
        text_put_string(text, " of the user interface");
    else if (count > 1)
        text_printf(text, " of %s", amount_things(count, "recording", "recordings").at);
    else if (last->last_tick > last->first_tick)
        text_printf(text, " (%s to %s)", first.at,
                    tick_game_time(recording_seconds(last, last->last_tick)).at);
    else
        text_printf(text, " (%s)", first.at);
}

/* Appends "10.0% less time: ", "3.6 times the time: ", or of a tick "10.0% less", "3.6 times". */
static void put_change(struct text *text, double now_ns, double old_ns, bool is_of_tick)
{
    enum { FACTOR_MIN = 2 };
    double percent = 100 * (now_ns / old_ns - 1);
    if (now_ns == old_ns)
        text_put_string(text, is_of_tick ? "the same" : "The same");
    else if (old_ns <= 0)
        text_put_string(text, now_ns < old_ns ? "Less" : "More");
    else if (now_ns >= FACTOR_MIN * old_ns)
        text_printf(text, "%s times%s", amount_factor(now_ns / old_ns).at,
                    is_of_tick ? "" : " the");
    else
        text_printf(text, "%.1f%% %s", fabs(percent), percent < 0 ? "less" : "more");
    if (!is_of_tick)
        text_put_string(text, " time: ");
}

/* Of whole ticks: what filters leave of them says nothing about how slow they were. */
static void put_rest(struct text *text, const struct report *report)
{
    const struct tick_statistics *slow = &report->ticks, *others = &report->old->ticks;
    int64_t slow_ns = slow->total_ns / (int64_t)slow->count;
    int64_t other_ns = others->total_ns / (int64_t)others->count;
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    if (other_ns > 0)
        text_printf(text, "Slow %s take %s times as long as the others: ", kind->many,
                    amount_factor((double)slow_ns / (double)other_ns).at);
    else
        text_printf(text, "Only slow %s take time: ", kind->many);
    text_printf(text, "%s on average in %s slow %s of ", tick_time(report, slow_ns).at,
                amount_count(slow->count).at, slow->count == 1 ? kind->one : kind->many);
    put_clean(text, report->title);
    text_printf(text, ", %s in %s", tick_time(report, other_ns).at,
                amount_things(others->count, "other", "others").at);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, bool is_estimate)
{
    if (is_estimate)
        text_printf(text, "about %s %s", amount_time_about(ns, unit).at, amount_unit_name(unit));
    else
        text_put_string(text, amount_with_unit(ns, unit, 3).at);
}

static void put_comparison(struct text *text, const struct report *report)
{
    const struct report *old = report->old;
    if (old->is_rest && report->ticks.count > 0 && old->ticks.count > 0) {
        put_rest(text, report);
        return;
    }
    int64_t old_ns = old->tree->total_ns[TREE_ROOT];
    enum report_unit unit =
        amount_unit_for(report_total_ns(report) < old_ns ? old_ns : report_total_ns(report));
    if (!report_is_of_two_profilers(report))
        put_change(text, (double)report_total_ns(report), (double)old_ns, false);
    put_time(text, report_total_ns(report), unit, report->profile->ticks.is_sampled);
    text_put_string(text, " of Lua in ");
    put_clean(text, report->title);
    text_put_string(text, ", old ");
    put_time(text, old_ns, unit, old->profile->ticks.is_sampled);
    text_put_string(text, " in ");
    put_clean(text, old->title);
    if (old->scaled != NULL)
        text_printf(text, ", %s", old->scaled);
}

/* If recordings have unequal numbers of ticks, the time per tick says more. */
static void put_per_tick(struct text *text, struct text *option, const struct report *report)
{
    double count = (double)report->ticks.count;
    double old_count = (double)tick_list_game_count(&report->old->profile->ticks);
    double old_ns = (double)report->old->tree->total_ns[TREE_ROOT];
    if (report->old->scaled != NULL || count == 0 || old_count == 0 || count == old_count ||
        old_ns <= 0)
        return;
    text_printf(text, "; per %s ", tick_kinds[report->profile->rebuild.state].one);
    put_change(text, (double)report_total_ns(report) / count, old_ns / old_count, true);
    text_put_string(option, "--normalize=tick");
}

static void put_calls(struct text *text, const struct report *report)
{
    uint64_t calls = report->totals.calls;
    struct amount functions = amount_things(report->totals.functions, "function", "functions");
    if (report->profile->ticks.is_sampled)
        text_printf(text, ". In all about %s calls of %s", amount_about(calls).at, functions.at);
    else
        text_printf(text, ", %s of %s", amount_things(calls, "call", "calls").at, functions.at);
}

/* Appends why estimates say little: there are few ticks, or one of them has much of the time. */
static void put_weak_sample(struct text *text, const struct report *report)
{
    enum { LARGE_PARTS = 5 };
    const struct tick_statistics *ticks = &report->ticks;
    if (!report->profile->ticks.is_sampled)
        return;
    if (ticks->sampled_count < TICKS_ENOUGH)
        text_printf(
            text, ". Only %s: that says little about the game",
            amount_things(ticks->sampled_count, "tick was recorded", "ticks were recorded").at);
    if (ticks->largest_share * LARGE_PARTS > 1)
        text_printf(text, ". One of them, %s, has %.0f%% of that time",
                    tick_name(report, ticks->largest).at, 100 * ticks->largest_share);
}

void headline_put_profile(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    if (report->old != NULL) {
        put_comparison(&sentence, report);
        put_per_tick(&sentence, &option, report);
    } else {
        put_clean(&sentence, report->title);
        int64_t ns = report_total_ns(report);
        text_put_string(&sentence, ": ");
        if (!profile_has_coarse_clock(report->profile))
            put_time(&sentence, ns, amount_unit_for(ns), report->profile->ticks.is_sampled);
        text_put_string(&sentence, profile_has_coarse_clock(report->profile) ? "Lua" : " of Lua");
        put_share_of_real_time(&sentence, report);
        put_tick_range(&sentence, report);
        put_weak_sample(&sentence, report);
        if (profile_has_coarse_clock(report->profile))
            text_put_string(&sentence,
                            ". The game's clock had steps of 2 ms or more, too coarse for "
                            "times and slow ticks: only calls are shown");
        size_t length = sentence.length;
        put_calls(&sentence, report);
        /* On a narrow terminal a second line would be too much for this. */
        if (report->width != 0 && text_width(text_span(&sentence)) > report->width)
            text_cut(&sentence, length);
    }
    put(text, report, STYLE_BOLD, &sentence, &option);
}

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

/* Ticks ------------------------------------------------------------------------------------ */

void headline_put_log(struct text *text, const struct report *report, uint32_t recording,
                      const char *before, const char *after)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (report->log_count <= 1 && recordings->count <= 1)
        return;
    text_put_string(text, before);
    if (report->log_count > 1)
        put_clean(text, report->log_names[recordings->all[recording].log]);
    else
        text_printf(text, "run %u", (unsigned)recordings->all[recording].run);
    text_put_string(text, after);
}

/* Appends ": 81% BuildThreatMap, 12% next". */
static void put_functions(struct text *text, const struct report *report, const struct tick *tick)
{
    enum { COUNT_MAX = 2, PERCENT_MIN = 5 };
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
        if (!(percent >= PERCENT_MIN))
            break;
        text_printf(text, "%s%.0f%% ", shown++ > 0 ? ", " : ": ", percent);
        function_name_put(text, report, function->function);
    }
}

/* Appends "14 of 600"; of ticks that were chosen by chance "about 2% (1 of 60 recorded by chance),
   and 5 recorded for being slow". */
static void put_slow_share(struct text *text, const struct tick_statistics *ticks, bool is_sampled,
                           const char *none)
{
    size_t over = is_sampled ? ticks->sampled_over_count : ticks->over_count;
    size_t count = is_sampled ? ticks->sampled_count : ticks->count;
    bool has_share = is_sampled && over > 0 && count >= TICKS_ENOUGH;
    double percent = 100 * (double)ticks->over_count / (double)ticks->count;
    if (has_share)
        text_printf(text, percent < 1 ? "about %.1f%% (" : "about %.0f%% (", percent);
    text_printf(text, is_sampled ? "%s of %s recorded by chance" : "%s of %s",
                over > 0 ? amount_count(over).at : none, amount_count(count).at);
    if (has_share)
        text_put_string(text, ")");
    if (is_sampled && ticks->over_row_count > over)
        text_printf(text, " and %s recorded for being slow",
                    amount_count(ticks->over_row_count - over).at);
}

static void put_compared_ticks(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks, *old = &report->old->ticks;
    const char *name = report->old->is_rest ? "others" : "old";
    const struct tick_list *list = &report->profile->ticks;
    text_printf(text, "Slow %s: ", tick_kinds[list->state].many);
    put_slow_share(text, ticks, list->is_sampled, "0");
    text_printf(text, " over %s", tick_limit(list).at);
    if (old->count == 0)
        return;
    text_printf(text, ", %s ", name);
    put_slow_share(text, old, report->old->profile->ticks.is_sampled, "0");
    text_printf(text, "; median %s, %s %s; longest %s, %s %s",
                tick_time(report, ticks->median_ns).at, name, tick_time(report, old->median_ns).at,
                tick_time(report, ticks->longest_ns).at, name,
                tick_time(report, old->longest_ns).at);
}

/* Of ticks in which nearly all functions were slower than usual, no function is to blame. */
static void put_disturbed(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    size_t first = 0;
    while (!ticks->worst[first]->is_disturbed)
        first++;
    if (ticks->disturbed_count == ticks->over_row_count)
        text_put_string(text, ticks->over_row_count == 1 ? "In it" : "In all of them");
    else
        text_printf(text, "In %s of the %s slow ones, %s%s,",
                    amount_count(ticks->disturbed_count).at, amount_count(ticks->over_row_count).at,
                    tick_name(report, ticks->worst[first]).at,
                    ticks->disturbed_count > 1 ? " and others" : "");
    text_put_string(text, " the computer was probably slow: the same calls usually take less than "
                          "a third of the time. ");
}

/* Of a tick that took more than twice as long as its calls usually do. */
static void put_usual(struct text *text, const struct report *report, const struct tick *tick)
{
    if (tick->usual_ns >= 0 && tick->time_ns / 2 > tick->usual_ns)
        text_printf(text, ", its calls usually take %s", tick_time(report, tick->usual_ns).at);
}

static void put_slow_ticks(struct text *text, const struct report *report)
{
    const struct tick_statistics *ticks = &report->ticks;
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered =
        report->selection->filters.count > 0 || selection_is_one_thread(report->selection);
    const struct tick_list *list = &report->profile->ticks;
    text_printf(text, "Slow %s%s: ", tick_kinds[list->state].many,
                is_filtered ? " (not filtered)" : "");
    put_slow_share(text, ticks, list->is_sampled, "none");
    text_printf(text, " over %s, median %s%s. ", tick_limit(list).at,
                list->is_sampled ? "about " : "", tick_time(report, ticks->median_ns).at);
    if (ticks->disturbed_count > 0)
        put_disturbed(text, report);
    bool is_other = ticks->lead != ticks->worst[0];
    text_printf(text, "The longest%s, %s", is_other ? " of the others" : "",
                tick_name(report, ticks->lead).at);
    headline_put_log(text, report, ticks->lead->recording, " of ", "");
    text_printf(text, ", took %s", tick_time(report, ticks->lead->time_ns).at);
    if (ticks->over_row_count > 0)
        put_usual(text, report, ticks->lead);
    if (ticks->disturbed_count > 0 && ticks->lead->is_disturbed)
        text_put_string(text, ". Record again before you change your code");
    else
        put_functions(text, report, ticks->lead);
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
    text_printf(text, "%s %s", tick_kinds[list->state].title, tick_name(report, tick).at);
    headline_put_log(text, report, tick->recording, " of ", "");
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
                    "; one call of %s took most of it: probably the computer, or a garbage "
                    "collection",
                    function_name(report->labels, long_calls->worst));
        return;
    }
    if (function == TREE_NONE)
        return;
    text_printf(text, ": %.0f%% ", 100 * (double)self_ns / (double)now_ns);
    function_name_put(text, report, function);
    put_option_of_function(option, report, function, "--peek", "");
}

void headline_put_ticks(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    if (report->ticks.count == 0 || profile_has_coarse_clock(report->profile))
        return;
    if (report->old != NULL) {
        put_compared_ticks(&sentence, report);
    } else if (report->ticks.row_count == 1) {
        put_only_tick(&sentence, &option, report);
    } else {
        put_slow_ticks(&sentence, report);
        next_option_put_tick(&option, report, report->ticks.lead);
    }
    put(text, report, NULL, &sentence, &option);
}

void headline_put_same_work(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    if (judged_is_of_computer(report, &sentence))
        put(text, report, NULL, &sentence, &option);
}

/* Findings --------------------------------------------------------------------------------- */

/* Whether a recording that is long enough has neither a slow tick nor a finding about the game. */
static bool is_nothing_slow(const struct report *report, const struct findings *findings)
{
    enum { TICKS_MIN = 120 };
    for (size_t i = 0; i < findings->count; i++)
        if (!finding_rows[findings->all[i].kind].is_about_log)
            return false;
    return report->ticks.count >= TICKS_MIN && report->ticks.over_count == 0 &&
           report->profile->work.recording_count == 1 && findings_are_wanted(report);
}

void headline_put_most(struct text *text, const struct report *report,
                       const struct findings *findings)
{
    struct text sentence = {0}, option = {0};
    int64_t self_ns;
    bool has_function = findings->count > 0 && findings->all[0].kind == FINDING_MANY_CALLS;
    if (is_nothing_slow(report, findings)) {
        text_printf(&sentence, "No %s was slow; nothing here makes the game slow",
                    tick_kinds[report->profile->rebuild.state].one);
        put(text, report, NULL, &sentence, &option);
        return;
    }
    if (report->ticks.count > 0 || has_function || !findings_are_wanted(report))
        return;
    uint32_t function = find_most_expensive(report, &self_ns);
    if (function == TREE_NONE)
        return;
    text_put_string(&sentence, "Most self time: ");
    function_name_put(&sentence, report, function);
    if (amount_is_share(self_ns, tree_share_ns(report->tree)))
        text_printf(&sentence, ", %.0f%%", 100 * (double)self_ns / (double)report_total_ns(report));
    put_option_of_function(&option, report, function, "--peek", "");
    put(text, report, NULL, &sentence, &option);
}

void headline_put_judged(struct text *text, const struct report *report)
{
    enum { USUAL_LINES = 6, PART = 12 };
    /* With --repeated, sums stand above the table, too. */
    size_t lines_max = report->repeated != NULL ? report->height / PART : USUAL_LINES;
    struct judged judged[JUDGED_MAX];
    size_t count = judged_find(judged, report), begin = text->length, shown = 0;
    for (size_t lines = 0, end = begin; shown < count; shown++, end = text->length) {
        struct text option = {0};
        put(text, report, NULL, &judged[shown].text, &option);
        lines = wrap_count_lines(span_from(text_span(text), begin));
        if (report->height == 0 || lines <= lines_max)
            continue;
        text_cut(text, end);
        break;
    }
    if (shown < count)
        text_printf(text, "... and %s (-f json shows all)\n",
                    amount_things(count - shown, "more finding", "more findings").at);
    judged_release(judged, count);
}

void headline_put_findings(struct text *text, const struct report *report,
                           const struct findings *findings)
{
    enum { SHOWN_MAX = 2, QUESTION_LINES_MAX = 2 };
    for (size_t i = 0, shown = 0; i < findings->count; i++) {
        const struct text *found = &findings->all[i].text;
        struct text sentence = {0}, option = {0};
        bool is_question = findings->all[i].kind == FINDING_CANDIDATES;
        /* A long question would take the rows of a small terminal; pages have it. */
        bool has_room = report->height == 0 ||
                        text_width(text_span(found)) <= QUESTION_LINES_MAX * report->width;
        /* The others, and the table, may be of these functions. */
        bool is_of_names = findings->all[i].kind == FINDING_NO_NAMES;
        if (is_question ? !has_room : i >= SHOWN_MAX && !is_of_names)
            continue;
        if (!is_question)
            text_printf(&sentence, "%zu. ", ++shown);
        text_put_span(&sentence, text_span(found));
        put_option_of_finding(&option, report, &findings->all[i]);
        put(text, report, NULL, &sentence, &option);
    }
}
