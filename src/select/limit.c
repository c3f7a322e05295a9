#include "select/limit.h"

#include "select/statistics.h"

#include <math.h>
#include <stdio.h>

enum limit_type { OF_TIME, OF_COUNT, OF_MEMORY };

static const struct quantity {
    const char *name;
    enum limit_type type;
} quantities[] = {
    [LIMIT_TOTAL] = {"total", OF_TIME},   [LIMIT_SELF] = {"self", OF_TIME},
    [LIMIT_CALLS] = {"calls", OF_COUNT},  [LIMIT_ERRORS] = {"errors", OF_COUNT},
    [LIMIT_ALLOC] = {"alloc", OF_MEMORY}, [LIMIT_TICKS_OVER] = {"ticks-over", OF_COUNT},
};

static const struct unit {
    const char *name;
    enum limit_type type;
    double value;
} units[] = {
    {"ns", OF_TIME, 1}, {"us", OF_TIME, 1e3}, {"ms", OF_TIME, 1e6},    {"s", OF_TIME, 1e9},
    {"", OF_COUNT, 1},  {"KB", OF_MEMORY, 1}, {"MB", OF_MEMORY, 1024},
};

enum {
    QUANTITY_COUNT = sizeof quantities / sizeof quantities[0],
    UNIT_COUNT = sizeof units / sizeof units[0]
};

const char *limit_quantity_name(enum limit_quantity quantity)
{
    return quantities[quantity].name;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Reads digits with a point, or none. */
static bool read_number(const char **at, double *number)
{
    char digits[32] = "", *end;
    size_t length = strspn(*at, "0123456789.");
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, *at, length);
    *number = strtod(digits, &end);
    *at += length;
    return *end == '\0' && end != digits;
}

/* The functions below fail with a text that goes on after the limit in quotes. */

static bool read_quantity(struct limit *limit, const char **at, struct error *err)
{
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz-");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (span_is((struct span){*at, length}, quantities[i].name)) {
            limit->quantity = (enum limit_quantity)i;
            *at = skip_blanks(*at + length);
            return true;
        }
    return error_set(err, " does not begin with a quantity; choose one of total, self, calls, "
                          "errors, alloc, ticks-over");
}

static bool read_tick(struct limit *limit, struct span argument, struct error *err)
{
    char text[32] = "";
    double ms = 0;
    const char *at = text;
    if (argument.length < sizeof text)
        memcpy(text, argument.at, argument.length);
    if (!read_number(&at, &ms) || *at != '\0' || ms > 1e6)
        return error_set(err, ": ticks-over needs milliseconds, as in ticks-over(100)");
    limit->tick_ns = (int64_t)(ms * 1e6);
    return true;
}

/* The text in parentheses; a number and a unit have none, so the last one ends it. */
static bool read_argument(struct limit *limit, const char **at, struct error *err)
{
    struct error why;
    struct span argument = span_of("");
    bool is_given = **at == '(', is_tick = limit->quantity == LIMIT_TICKS_OVER;
    if (is_given) {
        const char *end = strrchr(*at, ')');
        if (end == NULL)
            return error_set(err, ": the parenthesis is not closed");
        argument = (struct span){*at + 1, (size_t)(end - *at - 1)};
        *at = skip_blanks(end + 1);
    }
    if (is_tick || !is_given)
        return !is_tick || read_tick(limit, argument, err);
    /* No valid pattern begins with '?': there would be nothing to make optional. */
    limit->may_match_nothing = span_starts_with(argument, "?");
    limit->pattern = pattern_new(span_from(argument, limit->may_match_nothing), &why);
    return limit->pattern != NULL || error_set(err, ": %s", why.text);
}

static bool read_operator(struct limit *limit, const char **at, struct error *err)
{
    if (**at != '>' && **at != '<')
        return error_set(err, " has no '>' or '<' after the quantity; write for example "
                              "\"total>+5%%\", in quotes");
    limit->is_below = **at == '<';
    *at = skip_blanks(*at + 1);
    return true;
}

static bool read_per(struct limit *limit, const char *at, struct error *err)
{
    limit->per = strcmp(at, "/tick") == 0   ? PER_TICK
                 : strcmp(at, "/call") == 0 ? PER_CALL
                                            : PER_NOTHING;
    return limit->per != PER_NOTHING || *at == '\0' || error_set(err, ": unknown unit '%s'", at);
}

static bool read_unit(struct limit *limit, const char *at, struct error *err)
{
    static const char *const examples[] = {
        [OF_TIME] = "a time needs a unit: ns, us, ms or s",
        [OF_COUNT] = "a number of calls, errors or ticks has no unit",
        [OF_MEMORY] = "memory needs a unit: KB or MB",
    };
    enum limit_type type = quantities[limit->quantity].type;
    struct span unit = {at, strcspn(at, "/ \t")};
    snprintf(limit->unit_name, sizeof limit->unit_name, "%s", at);
    if (strcmp(at, "%") == 0) {
        limit->is_percent = limit->is_change = true;
        limit->unit = 1;
        return true;
    }
    if (*at == '%')
        return error_set(err, ": nothing can follow a percentage");
    for (int i = 0; i < UNIT_COUNT; i++)
        if (units[i].type == type && span_is(unit, units[i].name)) {
            limit->unit = units[i].value;
            limit->bound *= units[i].value;
            return read_per(limit, at + unit.length, err);
        }
    return error_set(err, ": %s", examples[type]);
}

static bool read_bound(struct limit *limit, const char *at, struct error *err)
{
    bool is_negative = *at == '-';
    limit->is_change = *at == '+' || *at == '-';
    at = skip_blanks(at + limit->is_change);
    if (!read_number(&at, &limit->bound))
        return error_set(err, " has no number after '%c'", limit->is_below ? '<' : '>');
    limit->bound = is_negative ? -limit->bound : limit->bound;
    at = skip_blanks(at);
    char rest[12] = "";
    size_t length = strlen(at);
    while (length > 0 && strchr(" \t", at[length - 1]) != NULL)
        length--;
    if (length >= sizeof rest)
        return error_set(err, ": unknown unit '%s'", at);
    memcpy(rest, at, length);
    return read_unit(limit, rest, err);
}

static bool read_all(struct limit *limit, struct error *err)
{
    const char *at = skip_blanks(limit->text);
    if (!read_quantity(limit, &at, err) || !read_argument(limit, &at, err) ||
        !read_operator(limit, &at, err) || !read_bound(limit, at, err))
        return false;
    if (limit->per == PER_TICK && limit->quantity == LIMIT_TICKS_OVER)
        return error_set(err, ": a number of ticks cannot be one per tick");
    if (limit->per == PER_CALL && limit->quantity == LIMIT_CALLS)
        return error_set(err, ": a number of calls cannot be one per call");
    return true;
}

bool limit_parse(struct limit *limit, const char *text, struct error *err)
{
    struct error why;
    *limit = (struct limit){.text = text};
    if (read_all(limit, &why))
        return true;
    limit_release(limit);
    return error_set(err, "'%s'%s", text, why.text);
}

void limit_release(struct limit *limit)
{
    pattern_free(limit->pattern);
    limit->pattern = NULL;
}

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
        count += tick_mean_ns(&ticks->ticks[i]) > limit_ns ? 1 + ticks->ticks[i].joined : 0;
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
    struct log_trees trees;
    log_trees_init(&trees, side->tree);
    for (size_t i = 0; i < side->repeated->count; i++) {
        const struct log_values *log = &side->repeated->logs[i];
        log_trees_make(&trees, log);
        double tick_count = (double)tick_list_game_count(&log->ticks) * log->scale;
        values[i] = measure(result, &trees.tree, &log->ticks, (size_t)llround(tick_count), &noise);
    }
    log_trees_release(&trees);
    return values;
}

static void check_several(struct limit_result *result, const struct limit_side *now,
                          const struct limit_side *old)
{
    struct sample values = sample_of(measure_logs(result, now), now->repeated->count);
    if (old != NULL) {
        struct sample old_values = sample_of(measure_logs(result, old), old->repeated->count);
        struct sample_shift shift = sample_compare_once(values, old_values);
        result->old = sample_sum_up(old_values).median;
        result->change = change_of(result->limit, shift.estimate, result->old);
        result->is_told_apart = shift.is_told_apart;
        free(old_values.values);
    }
    result->now = sample_sum_up(values).median;
    free(values.values);
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
