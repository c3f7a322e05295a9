#include "report/sentences/limits.h"

#include "report/sentences/notes.h"
#include "select/statistics.h"

#include <math.h>

/* A side of a comparison. */
struct side {
    const struct profile *profile;
    const struct tree *tree;
    const struct repeated_values *repeated;
    size_t tick_count; /* divides a value per tick */
};

/* A limit that is being checked: its rows are those of MATCHED and BELOW. */
struct checking {
    struct limit_result *result;
    struct sum_map map;
};

enum { MATCHED, BELOW };

static bool has_ticks(const struct side *side)
{
    for (size_t i = 0; side->repeated != NULL && i < side->repeated->count; i++)
        if (side->repeated->logs[i].ticks.count == 0)
            return false;
    return side->tick_count > 0;
}

/* Whether each of the repeated logs is another game: copies say nothing about chance. */
static bool have_no_copies(const struct profile *profile, struct error *err)
{
    SCOPED(text) note = {0};
    notes_put_same_logs(&note, &profile->game_logs);
    return note.length == 0 || error_set(err,
                                         "some of the repeated logs are copies of others, or "
                                         "have a run twice, so nothing says what is chance; "
                                         "give each log once");
}

/* Whether a side has data for the limit's quantity. */
static bool is_known(const struct limit *limit, const struct side *side, struct error *err)
{
    if (profile_has_only_benchmarks(side->profile))
        return error_set(err, "the log has only benchmarks; record a game");
    bool needs_ticks = limit->quantity == LIMIT_TICKS_OVER || limit->per == PER_TICK;
    if (needs_ticks && !has_ticks(side))
        return error_set(err, "the log has no ticks; record a game with profiler.lua");
    bool has_records = side->tree->details == NULL || side->profile->counts.records > 0;
    if (limit->quantity == LIMIT_ERRORS && has_records)
        return error_set(err,
                         "delins' profiler does not notice errors; record the game with "
                         "profiler.lua");
    if (limit->quantity == LIMIT_ALLOC && !side->profile->has_memory)
        return error_set(err,
                         "memory was not recorded; set 'memory = true' in the recorder's "
                         "settings");
    return true;
}

/*
 * Returns the row of each node: of functions that match, and of nodes below them, whose time
 * belongs to the total of the match. `is_matched` is by function; NULL: all match.
 */
static uint32_t *find_rows(const struct limit *limit, const struct tree *tree,
                           const uint8_t *is_matched)
{
    uint32_t *rows = mem_zeroed(tree->node_count, sizeof *rows);
    rows[TREE_ROOT] = TREE_NONE;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        bool is_below = limit->quantity == LIMIT_TOTAL && rows[call->parent] != TREE_NONE;
        rows[node] = is_matched == NULL || is_matched[call->function] ? MATCHED
                     : is_below                                       ? BELOW
                                                                      : TREE_NONE;
    }
    return rows;
}

/* Returns the value, and its errors if it is a time. */
static double measure(const struct checking *checking, const struct tree *tree,
                      const struct tick_list *ticks, double tick_count, struct call_details *errors)
{
    static const enum column_kind columns[] = {[LIMIT_TOTAL] = COLUMN_SELF,
                                               [LIMIT_SELF] = COLUMN_SELF,
                                               [LIMIT_CALLS] = COLUMN_CALLS,
                                               [LIMIT_ERRORS] = COLUMN_ERRORS,
                                               [LIMIT_ALLOC] = COLUMN_ALLOC};
    const struct limit *limit = checking->result->limit;
    bool has_details = tree->details != NULL;
    struct sum sums[] = {[MATCHED] = sum_of_none(has_details), [BELOW] = sum_of_none(has_details)};
    bool is_time = limit->quantity == LIMIT_TOTAL || limit->quantity == LIMIT_SELF;
    *errors = (struct call_details){0};
    if (limit->quantity == LIMIT_TICKS_OVER)
        return (double)tick_list_count_over(ticks, limit->tick_ns);
    sums_add_tree(sums, tree, &checking->map);
    struct row row = {.sum = sums[MATCHED]};
    row.sum.self_ns += sums[BELOW].self_ns;
    if (has_details)
        call_details_add(&row.sum.details, &sums[BELOW].details);
    double per = limit->per == PER_TICK   ? tick_count
                 : limit->per == PER_CALL ? (double)row.sum.calls
                                          : 1;
    if (per <= 0)
        return 0;
    if (is_time) {
        *errors = row.sum.details;
        call_details_scale_times(errors, 1 / per);
    }
    return (double)column_of(columns[limit->quantity], &row).number / per;
}

static double change_of(const struct limit *limit, double difference, double old)
{
    if (!limit->is_percent)
        return difference;
    return old != 0 ? 100 * difference / fabs(old) : difference == 0 ? 0 : difference * INFINITY;
}

static void check_one(struct checking *checking, const struct side *now, const struct side *old)
{
    struct limit_result *result = checking->result;
    struct call_details errors, old_errors = {0};
    result->now =
        measure(checking, now->tree, &now->profile->ticks, (double)now->tick_count, &errors);
    if (old != NULL)
        result->old = measure(
            checking, old->tree, &old->profile->ticks, (double)old->tick_count, &old_errors);
    double difference = result->now - result->old;
    result->change = change_of(result->limit, difference, result->old);
    result->is_told_apart = fabs(difference) > 2 * call_details_difference_ns(&errors, &old_errors);
}

/* Returns a value for each log. */
static struct sample measure_logs(struct checking *checking, const struct side *side)
{
    struct call_details errors;
    struct sample sample =
        sample_of(mem_zeroed(side->repeated->count, sizeof(double)), side->repeated->count);
    SCOPED(log_trees) trees;
    log_trees_init(&trees, side->tree);
    for (size_t i = 0; i < sample.count; i++) {
        const struct log_values *log = &side->repeated->logs[i];
        log_trees_make(&trees, log);
        checking->map.nodes = trees.nodes;
        sample.values[i] = measure(checking,
                                   &trees.tree,
                                   &log->ticks,
                                   round((double)tick_list_game_count(&log->ticks) * log->scale),
                                   &errors);
    }
    return sample;
}

static void check_several(struct checking *checking, const struct side *now, const struct side *old)
{
    struct limit_result *result = checking->result;
    struct sample values = measure_logs(checking, now);
    if (old != NULL) {
        struct sample old_values = measure_logs(checking, old);
        struct sample_shift shift = sample_compare_once(values, old_values);
        result->old = sample_sum_up(old_values).median;
        result->change = change_of(result->limit, shift.estimate, result->old);
        result->is_told_apart = shift.is_told_apart;
        free(old_values.values);
    }
    result->now = sample_sum_up(values).median;
    free(values.values);
}

/* Finds the functions that match the pattern of a limit, which has one. */
static bool match(struct limit_result *result, const struct report *report, uint8_t *is_matched,
                  bool *is_too_hard, struct error *err)
{
    const struct limit *limit = result->limit;
    result->match_count = filter_match(limit->pattern,
                                       report->tree,
                                       report->labels,
                                       report->profile->symbols.function_count,
                                       is_matched,
                                       err);
    *is_too_hard = result->match_count == UINT32_MAX;
    if (*is_too_hard)
        return false;
    return result->match_count > 0 || limit->may_match_nothing ||
           error_set(err, "no function matches; if there may be none, write '(?' instead of '('");
}

static bool check(struct limit_result *result, const struct report *report, const struct side *now,
                  const struct side *old, bool *is_too_hard, struct error *err)
{
    const struct limit *limit = result->limit;
    SCOPED_ARRAY uint8_t *is_matched = NULL;
    bool needs_old = old != NULL && limit->is_change;
    if (!is_known(limit, now, err) || (needs_old && !is_known(limit, old, err)))
        return false;
    if (limit->is_change && report->is_of_two_profilers)
        return error_set(err,
                         "one log is from profiler.lua, the other one from delins' profiler: "
                         "their times cannot be compared");
    if (limit->is_change && now->repeated != NULL &&
        (!have_no_copies(now->profile, err) || !have_no_copies(old->profile, err)))
        return false;
    if (limit->pattern != NULL) {
        is_matched = mem_zeroed(report->profile->symbols.function_count, 1);
        if (!match(result, report, is_matched, is_too_hard, err))
            return false;
    }
    SCOPED_ARRAY uint32_t *rows = find_rows(limit, now->tree, is_matched);
    struct checking checking = {.result = result, .map = {.of_nodes = rows}};
    if (now->repeated != NULL)
        check_several(&checking, now, old);
    else
        check_one(&checking, now, old);
    double value = limit->is_change ? result->change : result->now;
    bool is_beyond = limit->is_below ? value < limit->bound : value > limit->bound;
    result->is_broken = is_beyond && (!limit->is_change || result->is_told_apart);
    result->is_unsure = is_beyond && !result->is_broken;
    return true;
}

static struct side make_side(const struct profile *profile, const struct tree *tree,
                             const struct repeated_values *repeated)
{
    return (struct side){
        .profile = profile,
        .tree = tree,
        .repeated = repeated,
        .tick_count =
            tick_list_game_count(repeated != NULL ? &repeated->logs[0].ticks : &profile->ticks),
    };
}

bool limits_check(struct report *report, const struct limit *limits, size_t count,
                  bool scales_ticks, bool *is_too_hard, struct error *err)
{
    const struct report *before = report->old;
    struct side now = make_side(report->profile, report->tree, report->repeated), old = now;
    struct error why;
    if (before != NULL)
        old = make_side(before->profile, before->tree, before->repeated);
    if (scales_ticks)
        old.tick_count = now.tick_count;
    *is_too_hard = false;
    report->limits = mem_zeroed(count, sizeof *report->limits);
    report->limit_count = count;
    for (size_t i = 0; i < count; i++) {
        report->limits[i].limit = &limits[i];
        if (!check(
                &report->limits[i], report, &now, before != NULL ? &old : NULL, is_too_hard, &why))
            return error_set(err, "--fail-if '%s': %s", limits[i].text, why.text);
    }
    return true;
}

static void put_value(struct text *text, const struct limit *limit, double value)
{
    bool is_count = limit->unit_name[0] == '\0' && value == floor(value);
    size_t start = text->length;
    if (limit->is_change && value > 0)
        text_put_string(text, "+");
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
        text_printf(text,
                    ", of %u function%s",
                    (unsigned)result->match_count,
                    result->match_count == 1 ? "" : "s");
}
