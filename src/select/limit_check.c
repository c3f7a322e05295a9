#include "select/limit_check.h"

#include "select/statistics.h"

#include <math.h>

/* Sums over the functions that match. */
struct limit_sums {
    double self_ns, calls;
    struct call_details details;
};

bool limit_is_known(const struct limit *limit, const struct limit_side *side, struct error *err)
{
    bool needs_ticks = limit->quantity == LIMIT_TICKS_OVER || limit->per == PER_TICK;
    bool has_ticks = side->tick_count > 0;
    for (size_t i = 0; side->repeated != NULL && i < side->repeated->count; i++)
        has_ticks &= side->repeated->logs[i].ticks.count > 0;
    if (needs_ticks && !has_ticks)
        return error_set(err,
                         "--fail-if '%s': the log has no ticks; record a game with profiler.lua",
                         limit->text);
    if (limit->quantity == LIMIT_ERRORS && side->tree->details == NULL)
        return error_set(err,
                         "--fail-if '%s': delins' profiler does not notice errors; record the game "
                         "with profiler.lua",
                         limit->text);
    if (limit->quantity == LIMIT_ALLOC && !side->has_memory)
        return error_set(err,
                         "--fail-if '%s': memory was not recorded; set 'memory = true' at the "
                         "top of profiler.lua",
                         limit->text);
    return true;
}

/* For the total of a pattern, all nodes at or below a match count; otherwise only matches. */
static uint8_t *choose_nodes(const struct limit *limit, const struct tree *tree,
                             const uint8_t *is_matched)
{
    uint8_t *is_chosen = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        is_chosen[node] = is_matched == NULL || is_matched[call->function] ||
                          (limit->quantity == LIMIT_TOTAL && is_chosen[call->parent]);
    }
    return is_chosen;
}

static struct limit_sums add_up(const struct limit_result *result, const struct tree *tree)
{
    struct limit_sums sums = {.details = call_details_none()};
    uint8_t *is_chosen = choose_nodes(result->limit, tree, result->is_matched);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (!is_chosen[node])
            continue;
        sums.self_ns += (double)tree->self_ns[node];
        if (result->is_matched == NULL || result->is_matched[tree->calls[node].function])
            sums.calls += (double)tree->call_counts[node];
        if (tree->details != NULL)
            call_details_add(&sums.details, &tree->details[node]);
    }
    free(is_chosen);
    return sums;
}

static double count_ticks_over(const struct tick_list *ticks, int64_t limit_ns)
{
    double count = 0;
    for (size_t i = 0; i < ticks->count; i++)
        count += ticks->ticks[i].time_ns > limit_ns;
    return count;
}

/* Returns the value, and its uncertainty from the clock. */
static double measure(const struct limit_result *result, const struct tree *tree,
                      const struct tick_list *ticks, size_t tick_count, double *noise)
{
    const struct limit *limit = result->limit;
    *noise = 0;
    if (limit->quantity == LIMIT_TICKS_OVER)
        return count_ticks_over(ticks, limit->tick_ns);
    struct limit_sums sums = add_up(result, tree);
    double value = limit->quantity == LIMIT_CALLS    ? sums.calls
                   : limit->quantity == LIMIT_ERRORS ? (double)sums.details.errors
                   : limit->quantity == LIMIT_ALLOC  ? (double)sums.details.memory_kb
                                                     : sums.self_ns;
    double per = limit->per == PER_TICK   ? (double)tick_count
                 : limit->per == PER_CALL ? sums.calls
                                          : 1;
    if (limit->quantity == LIMIT_TOTAL || limit->quantity == LIMIT_SELF)
        *noise = call_details_noise_ns(&sums.details);
    *noise = per > 0 ? *noise / per : 0;
    return per > 0 ? value / per : 0;
}

static double change_of(const struct limit *limit, double difference, double old)
{
    if (!limit->is_percent)
        return difference;
    return old != 0 ? 100 * difference / fabs(old) : difference == 0 ? 0 : difference * INFINITY;
}

static void check_one(struct limit_result *result, const struct limit_side *now,
                      const struct limit_side *old)
{
    double noise, old_noise = 0;
    result->now = measure(result, now->tree, now->ticks, now->tick_count, &noise);
    if (old != NULL)
        result->old = measure(result, old->tree, old->ticks, old->tick_count, &old_noise);
    double difference = result->now - result->old;
    result->change = change_of(result->limit, difference, result->old);
    result->is_told_apart = fabs(difference) > 2 * hypot(noise, old_noise);
}

/* Returns a value for each log, [repeated->count]. */
static double *measure_logs(const struct limit_result *result, const struct limit_side *side)
{
    double noise;
    double *values = mem_zeroed(side->repeated->count, sizeof *values);
    struct tree tree;
    repeated_tree_init(&tree, side->tree);
    for (size_t i = 0; i < side->repeated->count; i++) {
        const struct log_values *log = &side->repeated->logs[i];
        repeated_tree_fill(side->repeated, i, &tree);
        double tick_count = (double)log->ticks.count * log->scale;
        values[i] = measure(result, &tree, &log->ticks, (size_t)llround(tick_count), &noise);
    }
    tree_release(&tree);
    return values;
}

static void check_several(struct limit_result *result, const struct limit_side *now,
                          const struct limit_side *old)
{
    double *values = measure_logs(result, now);
    if (old != NULL) {
        double *old_values = measure_logs(result, old);
        struct sample_shift shift =
            sample_compare_once(values, now->repeated->count, old_values, old->repeated->count);
        result->old = sample_sum_up(old_values, old->repeated->count).median;
        result->change = change_of(result->limit, shift.estimate, result->old);
        result->is_told_apart = shift.is_told_apart;
        free(old_values);
    }
    result->now = sample_sum_up(values, now->repeated->count).median;
    free(values);
}

void limit_check(struct limit_result *result, const struct limit_side *now,
                 const struct limit_side *old)
{
    const struct limit *limit = result->limit;
    if (now->repeated != NULL)
        check_several(result, now, old);
    else
        check_one(result, now, old);
    double value = limit->is_change ? result->change : result->now;
    bool is_beyond = limit->is_below ? value < limit->bound : value > limit->bound;
    result->is_broken = is_beyond && (!limit->is_change || result->is_told_apart);
    result->is_unsure = is_beyond && !result->is_broken;
}

static void put_value(struct text *text, const struct limit *limit, double value)
{
    bool is_count = limit->unit_name[0] == '\0' && value == floor(value);
    size_t start = text->length;
    text_put_string(text, limit->is_change && value > 0 ? "+" : "");
    text_printf(text, is_count ? "%.0f" : "%.3f", value / limit->unit);
    text_drop_sign_of_zero(text, start);
    if (limit->unit_name[0] != '\0')
        text_printf(text, " %s", limit->unit_name);
}

void limit_put_result(struct text *text, const struct limit_result *result)
{
    const struct limit *limit = result->limit;
    text_put_string(text, result->is_unsure ? "limit not judged: " : "limit broken: ");
    text_put_clean(text, span_of(limit->text), false);
    text_put_string(text, ": it is ");
    if (limit->is_percent)
        text_printf(text, isfinite(result->change) ? "%+.1f%%" : "new", result->change);
    else if (limit->is_change)
        put_value(text, limit, result->change);
    else
        put_value(text, limit, result->now);
    if (result->is_unsure)
        text_put_string(text, ", which cannot be told from noise");
    if (limit->pattern != NULL)
        text_printf(text, ", of %u function%s", (unsigned)result->match_count,
                    result->match_count == 1 ? "" : "s");
}
