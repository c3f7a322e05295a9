#include "base/mem.h"
#include "report/figures/what_if.h"
#include "report/sentences/finder.h"
#include "report/sentences/tick_text.h"

#include <math.h>

static bool is_slow(const struct tick *tick)
{
    return tick->over_ns > 0;
}

/* Returns the calls of a function in a slow tick, in the mean of those whose lists have it. */
static double calls_a_slow_tick(const struct tick_list *list, uint32_t function)
{
    double calls = 0, count = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; is_slow(&list->ticks[i]) && k < list->ticks[i].function_count; k++)
            if (list->ticks[i].functions[k].function == function) {
                calls += (double)list->ticks[i].functions[k].calls;
                count++;
            }
    return count > 0 ? calls / count : 0;
}

/* If a function is called more often in slow ticks, that is why they are slow. */
static void add_calls(const struct finder *finder, struct finding *finding)
{
    const struct work_sums *work = &finder->profile->work;
    double slow_calls = calls_a_slow_tick(&finder->profile->ticks, finding->function);
    if (finding->function >= work->function_count)
        return;
    double other_calls = work->functions[finding->function].tick_calls;
    if (other_calls < 0.1 || slow_calls < 2 || slow_calls < 1.5 * other_calls)
        return;
    finding_add(finding, "slow_calls", slow_calls);
    finding_add(finding, "other_calls", other_calls);
}

double measure_slow_ticks(struct finder *finder, struct finding *finding)
{
    enum { DISTURBED_PARTS = 10 };
    const struct slow_sums *slow = &finder->profile->slow;
    const struct tick_list *list = &finder->profile->ticks;
    size_t slow_count = 0;
    int64_t slow_ns = 0, disturbed_ns = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        slow_count += is_slow(tick);
        slow_ns += is_slow(tick) ? tick->time_ns : 0;
        disturbed_ns += is_slow(tick) && tick->is_disturbed ? tick->time_ns : 0;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < slow->count && i < finder->function_count; i++)
        best = slow->at[i].slow_ns > slow->at[best].slow_ns ? i : best;
    /* If there is only one tick, the headline says this. No function makes a computer slow. */
    if (slow->count == 0 || slow->is_wrong || slow_count == 0 || list->count == 1 ||
        disturbed_ns > slow_ns / DISTURBED_PARTS || function_is_unfit(finder->report, best))
        return -1;
    struct slow_sum sum = slow->at[best];
    double percent = finder_percent(sum.slow_ns, slow->all.slow_ns);
    finding->function = best;
    finding->time_ns = sum.slow_ns;
    finding_add(finding, "percent", percent);
    finding_add(finding, "slow_ticks", (double)slow_count);
    if (slow->all.other_ns > 0)
        finding_add(finding, "other_percent", finder_percent(sum.other_ns, slow->all.other_ns));
    add_calls(finder, finding);
    return percent;
}

static void put_calls(struct text *text, const char *tick, double slow_calls, double other_calls)
{
    text_printf(text, ": %.*f calls in a slow %s, ", slow_calls < 10, slow_calls, tick);
    text_printf(text, "%.*f in another", other_calls < 10, other_calls);
}

void put_slow_ticks(const struct finder *finder, const struct finding *finding, struct text *text)
{
    const struct tick_kind *kind = &tick_kinds[finder->profile->rebuild.state];
    double slow_count = finding_number(finding, "slow_ticks");
    function_name_put(text, finder->report, finding->function, "in all, ");
    text_printf(text, " is %.0f%% of the time of the ", finding_number(finding, "percent"));
    if (slow_count == 1)
        text_printf(text, "only slow %s", kind->one);
    else
        text_printf(text, "%.0f slow %s", slow_count, kind->many);
    text_printf(text, " (over %s)", tick_limit(&finder->profile->ticks).at);
    if (finder->profile->slow.all.other_ns > 0)
        text_printf(text, ", and %.0f%% of all other %s", finding_number(finding, "other_percent"),
                    kind->many);
    if (finding_number(finding, "slow_calls") > 0)
        put_calls(text, kind->one, finding_number(finding, "slow_calls"),
                  finding_number(finding, "other_calls"));
}

/* Whether more was subtracted for the recorder than was left: then nobody knows what is saved. */
static bool is_too_short(const struct finder *finder, uint32_t function)
{
    const struct slow_sums *slow = &finder->profile->slow;
    return function >= slow->count ||
           slow->at[function].removed_ns > finder->sums.at[function].self_ns;
}

/* Slow ticks that took more than twice what their calls usually take. Perhaps no function did that.
 */
static size_t count_unusual(const struct tick_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        count += is_slow(tick) && !tick->is_disturbed && tick->usual_ns >= 0 &&
                 tick->time_ns / 2 > tick->usual_ns;
    }
    return count;
}

double measure_what_if(struct finder *finder, struct finding *finding)
{
    const struct tick_list *list = &finder->profile->ticks;
    struct what_if_best best;
    uint8_t *is_left_out = mem_zeroed(finder->function_count, 1);
    size_t computer_count = 0;
    for (uint32_t i = 0; i < finder->function_count; i++)
        is_left_out[i] = function_is_unfit(finder->report, i) || is_too_short(finder, i);
    bool is_found =
        list->count > 1 && what_if_find_best(&best, list, is_left_out, finder->function_count);
    free(is_left_out);
    if (!is_found || 2 * count_unusual(list) > best.slow_count)
        return -1;
    for (size_t i = 0; i < list->count; i++)
        computer_count += is_slow(&list->ticks[i]) && list->ticks[i].is_disturbed;
    finding->function = best.function;
    finding->time_ns = (int64_t)best.saved_ns;
    finding_add(finding, "slow_ticks", (double)best.slow_count);
    finding_add(finding, "left_by_half", (double)best.left_by_half);
    finding_add(finding, "left_without", (double)best.left_by_none);
    if (best.left_by_half > 0 && best.left_by_none == 0)
        finding_add(finding, "percent_for_none", floor(100 * best.least_share));
    finding_add(finding, "computer_ticks", (double)computer_count);
    return finder_percent((int64_t)(best.slow_count - best.left_by_half), (int64_t)best.slow_count);
}

void put_what_if(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double slow = finding_number(finding, "slow_ticks");
    const char *ticks = tick_kinds[finder->profile->rebuild.state].many;
    double half = finding_number(finding, "left_by_half");
    double none = finding_number(finding, "left_without");
    text_printf(text, "Half the self time of %s would leave ",
                finder_name(finder, finding->function));
    if (slow == 1)
        text_printf(text, "no slow %s", tick_kinds[finder->profile->rebuild.state].one);
    else if (half == 0)
        text_printf(text, "none of %.0f slow %s", slow, ticks);
    else
        text_printf(text, "%.0f of %.0f slow %s", half, slow, ticks);
    if (finding_number(finding, "computer_ticks") > 0)
        text_put_string(text, " that are not the computer's");
    if (half > 0 && none == 0)
        text_printf(text, "; %.0f%% of it, none", finding_number(finding, "percent_for_none"));
    else if (none < half)
        text_printf(text, "; without it %.0f", none);
}

double measure_distance(struct finder *finder, struct finding *finding)
{
    const struct tick_list *list = &finder->profile->ticks;
    struct tick_distance distance = tick_distance_find(list);
    for (size_t i = 0; i < list->count; i++)
        finding->time_ns += is_slow(&list->ticks[i]) ? list->ticks[i].over_ns : 0;
    finding_add(finding, "ticks", (double)distance.ticks);
    finding_add(finding, "slow_ticks", (double)distance.slow_count);
    finding_add(finding, "is_collection", distance.is_collection);
    return (double)distance.ticks;
}

void finding_put_distance(struct text *text, enum lua_state state,
                          const struct tick_distance *distance)
{
    if (distance->ticks == 0)
        return;
    long long ticks = distance->ticks;
    const char *many = tick_kinds[state].many;
    text_printf(text, "Slow %s come every %lld %s", many, ticks, many);
    if (state != LUA_STATE_UI)
        text_printf(text, " (%.1f s)", (double)ticks / TICKS_A_SECOND);
    if (distance->is_collection)
        text_put_string(text, ": the game collects garbage as often");
    else
        text_printf(text, ": look for a thread that wakes every %lld %s", ticks, many);
}

void put_distance(const struct finder *finder, const struct finding *finding, struct text *text)
{
    struct tick_distance distance = {.ticks = (int64_t)finding_number(finding, "ticks"),
                                     .is_collection =
                                         finding_number(finding, "is_collection") != 0};
    finding_put_distance(text, finder->profile->rebuild.state, &distance);
}
