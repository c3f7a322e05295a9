#include "report/sentences/subject.h"

#include "base/input.h"
#include "report/figures/watched.h"
#include "report/sentences/amounts.h"

#include <math.h>

static void put_clean(struct text *text, const char *string)
{
    text_put_clean(text, span_of(string), false);
}

void subject_put_log(struct text *text, const struct report *report, uint32_t recording,
                     const char *before)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (report->log_count <= 1 && recordings->count <= 1)
        return;
    text_put_string(text, before);
    if (report->log_count > 1)
        put_clean(text, input_name(report->log_names[recordings->all[recording].log]));
    else
        text_printf(text, "run %u", (unsigned)recordings->all[recording].run);
}

/* A comparison ----------------------------------------------------------------------------- */

static struct call_details details_of_all(const struct tree *tree)
{
    struct call_details all = call_details_none();
    for (uint32_t node = 1; tree->details != NULL && node < tree->node_count; node++)
        call_details_add(&all, &tree->details[node]);
    return all;
}

/* Whether a change of all time may be none, as --fail-if judges that. */
static bool may_be_equal(const struct report *report, double now_ns, double old_ns, double scale)
{
    struct call_details now = details_of_all(report->tree);
    struct call_details old = details_of_all(report->old->tree);
    call_details_scale_times(&old, scale);
    return now_ns != old_ns && fabs(now_ns - old_ns) <= 2 * call_details_difference_ns(&now, &old);
}

/* Appends "10.0% less time: ", "3.6 times the time (may be equal): ", or of a tick "10.0% less",
 * "3.6 times"; the old time counts `scale` times. */
static void put_change(struct text *text, const struct report *report, double scale,
                       bool is_of_tick)
{
    enum { FACTOR_MIN = 2 };
    double now_ns = (double)report_total_ns(report);
    double old_ns = (double)report_total_ns(report->old) * scale;
    double percent = 100 * (now_ns / old_ns - 1);
    if (now_ns == old_ns)
        text_put_string(text, is_of_tick ? "the same" : "The same");
    else if (old_ns <= 0)
        text_put_string(text, now_ns < old_ns ? "Less" : "More");
    else if (now_ns >= FACTOR_MIN * old_ns)
        text_printf(
            text, "%s times%s", amount_factor(now_ns / old_ns).at, is_of_tick ? "" : " the");
    else
        text_printf(text, "%.1f%% %s", fabs(percent), percent < 0 ? "less" : "more");
    if (!is_of_tick)
        text_put_string(text, " time");
    if (may_be_equal(report, now_ns, old_ns, scale))
        text_put_string(text, " (may be equal)");
    if (!is_of_tick)
        text_put_string(text, ": ");
}

/* Of whole ticks: what filters leave of them says nothing about how slow they were. */
static void put_rest(struct text *text, const struct report *report)
{
    const struct tick_statistics *slow = &report->ticks, *others = &report->old->ticks;
    int64_t slow_ns = slow->total_ns / (int64_t)slow->count;
    int64_t other_ns = others->total_ns / (int64_t)others->count;
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    if (other_ns > 0)
        text_printf(text,
                    "Slow %s take %s times as long as the others: ",
                    kind->many,
                    amount_factor((double)slow_ns / (double)other_ns).at);
    else
        text_printf(text, "Only slow %s take time: ", kind->many);
    text_printf(text,
                "%s on average in %s slow %s of ",
                tick_time(report, slow_ns).at,
                amount_count(slow->count).at,
                slow->count == 1 ? kind->one : kind->many);
    put_clean(text, report->title);
    text_printf(text,
                ", %s in %s",
                tick_time(report, other_ns).at,
                amount_things(others->count, "other", "others").at);
}

void subject_put_time(struct text *text, int64_t ns, enum report_unit unit, bool is_estimate)
{
    if (is_estimate)
        text_printf(text, "about %s %s", amount_time_about(ns, unit).at, amount_units[unit].name);
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
    if (!report->is_of_two_profilers)
        put_change(text, report, 1, false);
    subject_put_time(text, report_total_ns(report), unit, report->profile->ticks.is_sampled);
    text_put_string(text, " of Lua in ");
    if (report->is_watched && report->ticks.count > 0)
        text_printf(text, "the recorded %s of ", tick_kinds[report->profile->rebuild.state].many);
    put_clean(text, report->title);
    text_put_string(text, ", old ");
    subject_put_time(text, old_ns, unit, old->profile->ticks.is_sampled);
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
    if (report->old->scaled != NULL || count == 0 || old_count == 0 || count == old_count ||
        report_total_ns(report->old) <= 0)
        return;
    text_printf(text, "; per %s ", tick_kinds[report->profile->rebuild.state].one);
    put_change(text, report, count / old_count, true);
    text_put_string(option, "--normalize=tick");
}

/* One profile ------------------------------------------------------------------------------ */

/* Appends "600 ticks", "4 of 600 ticks", or how many there were of which some were recorded. */
static void put_tick_count(struct text *text, const struct report *report)
{
    const struct tick_list *list = &report->profile->ticks;
    const struct tick_kind *kind = &tick_kinds[report->profile->rebuild.state];
    uint64_t count = tick_list_game_count(list);
    if (list->is_sampled) {
        text_printf(text,
                    "about %s %s, %s recorded by chance",
                    amount_about(report->ticks.count).at,
                    kind->many,
                    amount_count(report->ticks.sampled_count).at);
        return;
    }
    if (report->choice != NULL) {
        text_printf(text, "%s of ", amount_count(count).at);
        count = report->choice->count;
    }
    text_put_string(text, amount_things(count, kind->one, kind->many).at);
}

/* Appends "24,310 ticks watched; recorded: ", of several. */
static void put_watch(struct text *text, const struct report *report)
{
    SCOPED(watched) watched;
    watched_init(&watched, report->profile);
    const struct tick_kind *kind = &tick_kinds[report->profile->rebuild.state];
    text_printf(text,
                "%s watched; recorded: ",
                amount_things(watched.tick_count, kind->one, kind->many).at);
}

/* Appends "600 ticks, 1:00.0 to 1:59.9 of the game". */
static void put_ticks(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    const struct rebuilt_recording *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        bool has_ticks = rebuilt->has_ticks && !rebuilt->is_outside;
        count += has_ticks;
        last = has_ticks ? rebuilt : last;
    }
    if (profile->ticks.count == 0 || last == NULL)
        return;
    put_tick_count(text, report);
    struct amount first = tick_game_time(recording_seconds(last, last->first_tick));
    if (profile->rebuild.state == LUA_STATE_UI)
        text_put_string(text, " of the user interface");
    else if (count > 1)
        text_printf(text, " of %s", amount_things(count, "recording", "recordings").at);
    else if (last->last_tick > last->first_tick)
        text_printf(text,
                    ", %s to %s of the game",
                    first.at,
                    tick_game_time(recording_seconds(last, last->last_tick)).at);
    else
        text_printf(text, ", %s of the game", first.at);
}

static void put_calls(struct text *text, const struct report *report)
{
    uint64_t count = report->totals.calls;
    if (report->profile->ticks.is_sampled)
        text_printf(text, "about %s calls", amount_about(count).at);
    else
        text_put_string(text, amount_things(count, "call", "calls").at);
    text_printf(
        text, " of %s", amount_things(report->totals.functions, "function", "functions").at);
}

void subject_put(struct text *text, struct text *option, const struct report *report)
{
    if (report->old != NULL) {
        put_comparison(text, report);
        put_per_tick(text, option, report);
        return;
    }
    put_clean(text, report->title);
    text_put_string(text, ": ");
    if (report->shows_watch && !settings_are_one_tick(&report->profile->rebuild))
        put_watch(text, report);
    size_t start = text->length;
    put_ticks(text, report);
    size_t length = text->length;
    if (length > start)
        text_put_string(text, ", ");
    put_calls(text, report);
    /* On a narrow terminal a second line would be too much for this. */
    if (length > start && report->width != 0 && text_width(text_span(text)) > report->width)
        text_cut(text, length);
}
