#include "report/sentences/finder.h"
#include "report/sentences/finding_rows.h"

static bool is_slow(const struct tick *tick)
{
    return tick->time_ns > TICK_BUDGET_NS;
}

double measure_slow_ticks(struct finder *finder, struct finding *finding)
{
    enum { DISTURBED_PARTS = 10 };
    const struct slow_sums *slow = finder->source->slow;
    const struct tick_list *list = finder->source->ticks;
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
        disturbed_ns > slow_ns / DISTURBED_PARTS || finder_forbids(finder, best))
        return -1;
    struct slow_sum sum = slow->at[best];
    double percent = finder_percent(sum.slow_ns, slow->all.slow_ns);
    finding->function = best;
    finding->time_ns = sum.slow_ns;
    finding_add(finding, "percent", percent);
    finding_add(finding, "slow_ticks", (double)slow_count);
    if (slow->all.other_ns > 0)
        finding_add(finding, "other_percent", finder_percent(sum.other_ns, slow->all.other_ns));
    return percent;
}

void put_slow_ticks(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double slow_count = finding_number(finding, "slow_ticks");
    finder_put_name(text, finder, finding->function, "in all, ");
    text_printf(text, " is %.0f%% of the time of the ", finding_number(finding, "percent"));
    if (slow_count == 1)
        text_put_string(text, "only slow tick");
    else
        text_printf(text, "%.0f slow ticks", slow_count);
    text_put_string(text, " (over " TICK_BUDGET_TEXT ")");
    if (finder->source->slow->all.other_ns > 0)
        text_printf(text, ", and %.0f%% of all other ticks",
                    finding_number(finding, "other_percent"));
}

double measure_distance(struct finder *finder, struct finding *finding)
{
    const struct tick_list *list = finder->source->ticks;
    struct tick_distance distance = tick_distance_find(list);
    for (size_t i = 0; i < list->count; i++)
        finding->time_ns += is_slow(&list->ticks[i]) ? list->ticks[i].time_ns - TICK_BUDGET_NS : 0;
    finding_add(finding, "ticks", (double)distance.ticks);
    finding_add(finding, "slow_ticks", (double)distance.slow_count);
    finding_add(finding, "is_collection", distance.is_collection);
    return (double)distance.ticks;
}

void finding_put_distance(struct text *text, const struct tick_distance *distance)
{
    if (distance->ticks == 0)
        return;
    long long ticks = distance->ticks;
    text_printf(text, "Slow ticks come every %lld ticks (%.1f s): ", ticks,
                (double)ticks / TICKS_A_SECOND);
    if (distance->is_collection)
        text_put_string(text, "the game collects garbage as often");
    else
        text_printf(text, "look for a thread that wakes every %lld ticks", ticks);
}

void put_distance(const struct finder *finder, const struct finding *finding, struct text *text)
{
    (void)finder;
    struct tick_distance distance = {.ticks = (int64_t)finding_number(finding, "ticks"),
                                     .is_collection =
                                         finding_number(finding, "is_collection") != 0};
    finding_put_distance(text, &distance);
}
