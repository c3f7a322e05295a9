#include "cli/logs/comparison.h"

#include "base/crew.h"
#include "cli/messages/exit_status.h"
#include "report/figures/unit_growth.h"
#include "report/figures/watched_threads.h"
#include "select/statistics.h"

#include <stdio.h>

/* Keeps what is found in a log of one side of a comparison, if a report says it. */
static void find_findings(struct session *session)
{
    const struct options *options = session->options;
    if (options->old_logs.count == 0 || options->compares_rest ||
        options_output_with(options, SHOWS_FINDINGS) == NULL)
        return;
    report_count(&session->report);
    found_add(&session->found, &session->report);
}

/* Adds the counts of one log to those of all logs. */
static void add_counts(struct profile *to, const struct profile *from)
{
    profile_counts_add(&to->counts, &from->counts);
    to->folded.count += from->folded.count;
    if (to->folded.depth_max < from->folded.depth_max)
        to->folded.depth_max = from->folded.depth_max;
    for (size_t i = 0; i < from->recordings.benchmark_count; i++)
        recordings_add_benchmark(&to->recordings, &from->recordings.benchmarks[i]);
}

/* `nodes` has the nodes of the other tree in this one. */
static void add_tree(struct tree *to, const struct tree *from, const uint32_t *nodes)
{
    for (uint32_t node = 0; node < from->node_count; node++) {
        to->flags[nodes[node]] |= from->flags[node];
        if (to->details != NULL && from->details != NULL)
            call_details_add(&to->details[nodes[node]], &from->details[node]);
    }
}

/* Whether both have a recording, or both have none: a game without one did not take 0 ms. */
static bool check_recorded(const struct session *session, const struct session *next,
                           struct error *err)
{
    const struct profile_counts *counts = &session->profile.counts, *others = &next->profile.counts;
    bool is_empty = counts->records + counts->events == 0;
    bool is_alike = is_empty == (others->records + others->events == 0);
    return is_alike ||
           error_set_code(
               err,
               "no-recording",
               "--repeated: '%s' has no recording, and '%s' has one; leave one of them out",
               (is_empty ? session : next)->logs.all[0],
               (is_empty ? next : session)->logs.all[0]);
}

/* Whether both have the same kinds of data. */
static bool check_kinds(const struct session *session, const struct session *next,
                        struct error *err)
{
    const struct tree *tree = &session->profile.tree, *other = &next->profile.tree;
    bool is_alike = (tree->details == NULL) == (other->details == NULL) || tree->node_count <= 1;
    return is_alike || error_set(err,
                                 "--repeated: '%s' and '%s' cannot be compared: one is a recording "
                                 "of profiler.lua, the other has records of delins' profiler",
                                 session->logs.all[0],
                                 next->logs.all[0]);
}

bool repeated_logs_join(struct session *session, struct session *later)
{
    struct error err;
    if (!check_recorded(session, later, &err))
        return console_fail(session->console, NOTHING_FOUND, &err);
    if (!check_kinds(session, later, &err))
        return console_fail(session->console, USAGE, &err);
    SCOPED_ARRAY uint32_t *nodes = session_add_nodes(session, later);
    repeated_values_move(&later->repeated, nodes, later->functions);
    add_tree(&session->profile.tree, &later->profile.tree, nodes);
    repeated_values_append(&session->repeated, &later->repeated);
    found_join(&session->found, &later->found);
    add_counts(&session->profile, &later->profile);
    profile_take_game_logs(&session->profile, &later->profile);
    session->report.all_ns += later->report.all_ns;
    return true;
}

void repeated_log_end(struct session *session)
{
    find_findings(session);
    repeated_values_add(&session->repeated, &session->profile.tree, &session->profile);
    /* Of chosen ticks and stacks, a watch says nothing. */
    if (profile_has_watch(&session->profile) && !session->options->reading.chooses_ticks &&
        !selection_changes_stacks(session->selection))
        watched_values_find(&session->repeated.logs[session->repeated.count - 1].watch,
                            &session->profile);
}

static bool have_ticks(const struct repeated_values *repeated)
{
    for (size_t i = 0; i < repeated->count; i++)
        if (repeated->logs[i].ticks.count == 0)
            return false;
    return true;
}

static void scale_to_ticks(struct repeated_values *repeated, double tick_count)
{
    for (size_t i = 0; i < repeated->count; i++)
        repeated->logs[i].scale =
            tick_count / (double)tick_list_game_count(&repeated->logs[i].ticks);
}

/* The median of the numbers of ticks of all logs. */
static double middle_tick_count(const struct repeated_values *repeated)
{
    SCOPED_ARRAY double *counts = mem_zeroed(repeated->count, sizeof *counts);
    for (size_t i = 0; i < repeated->count; i++)
        counts[i] = (double)tick_list_game_count(&repeated->logs[i].ticks);
    return sample_sum_up(sample_of(counts, repeated->count)).median;
}

/* Scales all logs to the same number of ticks. */
static bool scale_logs(struct repeated_values *repeated, struct repeated_values *old,
                       struct error *err)
{
    if (!have_ticks(repeated) || (old != NULL && !have_ticks(old)))
        return error_set(err, "--normalize=tick needs ticks in every log");
    double tick_count = middle_tick_count(repeated);
    scale_to_ticks(repeated, tick_count);
    if (old != NULL)
        scale_to_ticks(old, tick_count);
    return true;
}

/* The factors for the old profile. */
struct scale {
    double times, calls;
};

/* The factors for as many ticks with as many units. */
static bool scale_to_units(struct scale *scale, const struct profile *now,
                           const struct profile *old, char *phrase, size_t size, struct error *err)
{
    double units = unit_growth_mean(now), old_units = unit_growth_mean(old);
    size_t ticks = tick_list_game_count(&now->ticks);
    size_t old_ticks = tick_list_game_count(&old->ticks);
    if (units <= 0 || old_units <= 0)
        return error_set(err,
                         "--normalize=unit needs recordings on both sides with the number of "
                         "units, which profiler.lua writes each 100 ticks of the sim");
    scale->times = scale->calls = (double)ticks * units / ((double)old_ticks * old_units);
    snprintf(phrase,
             size,
             "%zu ticks with %.0f units scaled to %zu with %.0f",
             old_ticks,
             old_units,
             ticks,
             units);
    return true;
}

/* Sets the factors, and the phrase that describes them. */
static bool choose_scale(struct scale *scale, struct session *session, struct error *err)
{
    enum { PHRASE_SIZE = sizeof session->old->scaled };
    const struct profile *profile = &session->profile, *old = &session->old->profile;
    int64_t now_ns = profile->tree.total_ns[TREE_ROOT], old_ns = old->tree.total_ns[TREE_ROOT];
    size_t now_ticks = tick_list_game_count(&profile->ticks);
    size_t old_ticks = tick_list_game_count(&old->ticks);
    char *phrase = session->old->scaled;
    *scale = (struct scale){1, 1};
    switch (session->options->normalize) {
    case NORMALIZE_NOTHING:
        phrase[0] = '\0';
        break;
    case NORMALIZE_CALLS:
        snprintf(
            phrase, PHRASE_SIZE, "scaled only in the rows of tables, to the new number of calls");
        break;
    case NORMALIZE_TICKS:
        if (now_ticks == 0 || old_ticks == 0)
            return error_set(
                err, "--normalize=tick needs recordings of profiler.lua with ticks on both sides");
        scale->times = scale->calls = (double)now_ticks / (double)old_ticks;
        snprintf(phrase, PHRASE_SIZE, "%zu ticks scaled to %zu", old_ticks, now_ticks);
        break;
    case NORMALIZE_UNITS:
        return scale_to_units(scale, profile, old, phrase, PHRASE_SIZE, err);
    case NORMALIZE_TOTALS:
        if (now_ns <= 0 || old_ns <= 0)
            return error_set(err, "--normalize=total needs logs with times, and one has none");
        scale->times = (double)now_ns / (double)old_ns;
        snprintf(phrase, PHRASE_SIZE, "scaled by %.4f to the same total", scale->times);
        break;
    }
    return true;
}

/* Gives both sides the same functions and nodes. */
static bool finish_diff(struct session *session, struct error *err)
{
    struct session *old = session->old;
    struct scale scale;
    if (!choose_scale(&scale, session, err))
        return false;
    find_findings(session);
    find_findings(old);
    SCOPED_ARRAY uint32_t *nodes = session_align(session, old, scale.times, scale.calls);
    /* What each tick of the old log did goes with its nodes. */
    struct tick_changes *changes = &old->profile.changes;
    for (size_t i = 0; i < changes->count; i++)
        changes->all[i].node = nodes[changes->all[i].node];
    selection_drop_small(
        session->selection, &session->profile.tree, &old->profile.tree, session->report.folded);
    return true;
}

/* Gives a tree the nodes of another one, which `nodes` has for its own. */
static void move_tree(struct tree *tree, const struct tree *to, const uint32_t *nodes)
{
    struct tree_builder moved;
    tree_builder_init_alike(&moved, to, tree->details != NULL);
    add_tree(&moved.tree, tree, nodes);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        moved.tree.call_counts[nodes[node]] += tree->call_counts[node];
        moved.tree.self_ns[nodes[node]] += tree->self_ns[node];
    }
    tree_release(tree);
    tree_builder_lend(&moved, tree);
    tree_sum_totals(tree);
}

static void average(struct session *session)
{
    struct repeated_sums sums = repeated_sums_of(&session->profile.tree);
    repeated_sums_make(&sums, &session->repeated);
    repeated_tree_average(&sums, &session->profile.tree);
    repeated_sums_release(&sums);
}

/*
 * Two sides of --repeated that get the same nodes, and the means of their logs: in two steps, with
 * two jobs side by side in each. One job adds the nodes of the old side to the new one; meanwhile,
 * the other averages the old one and sums up the logs of the new one.
 */
struct sides {
    struct session *now, *old;
    uint32_t *nodes;           /* of the old side, in the new one's tree */
    struct repeated_sums sums; /* of the new side */
};

static void add_nodes(void *context)
{
    struct sides *sides = context;
    sides->nodes = session_add_nodes(sides->now, sides->old);
}

static void sum_up(void *context)
{
    struct sides *sides = context;
    average(sides->old);
    repeated_sums_make(&sides->sums, &sides->now->repeated);
}

static void average_new(void *context)
{
    struct sides *sides = context;
    repeated_tree_average(&sides->sums, &sides->now->profile.tree);
}

static void move_old(void *context)
{
    const struct sides *sides = context;
    struct session *old = sides->old;
    move_tree(&old->profile.tree, &sides->now->profile.tree, sides->nodes);
    repeated_values_move(&old->repeated, sides->nodes, old->functions);
}

static void average_sides(struct session *session, struct session *old)
{
    struct sides sides = {
        .now = session, .old = old, .sums = repeated_sums_of(&session->profile.tree)};
    tree_builder_release(&old->nodes);
    /* Both jobs of a step read it. */
    tree_mark_outermost(&old->profile.tree);
    crew_run_both(add_nodes, &sides, sum_up, &sides, true);
    tree_builder_release(&session->nodes);
    tree_mark_outermost(&session->profile.tree);
    crew_run_both(average_new, &sides, move_old, &sides, true);
    repeated_sums_release(&sides.sums);
    free(sides.nodes);
}

/* The same for --repeated: the trees get the means of their logs. Without an old side, it is NULL.
 */
static bool finish_repeated(struct session *session, struct error *err)
{
    struct session *old = session->old;
    struct profile *profile = &session->profile;
    struct repeated_values *old_values = old != NULL ? &old->repeated : NULL;
    bool scales_ticks = session->options->normalize == NORMALIZE_TICKS;
    if (old != NULL && !check_recorded(session, old, err))
        return false;
    if (scales_ticks && !scale_logs(&session->repeated, old_values, err))
        return false;
    if (old == NULL) {
        average(session);
    } else {
        average_sides(session, old);
        snprintf(
            old->scaled, sizeof old->scaled, "%s", scales_ticks ? "scaled to as many ticks" : "");
        old->report.repeated = old_values;
    }
    session->report.repeated = &session->repeated;
    session->report.totals = totals_sum_up(&profile->tree, &profile->symbols);
    return true;
}

/* Fails if one side has only a watch, and the other calls, of which the watch says nothing. */
static bool check_watches(const struct session *session, struct error *err)
{
    const struct session *old = session->old;
    const struct profile *sides[] = {&old->profile, &session->profile};
    bool has_calls[] = {sides[0]->tree.node_count > 1, sides[1]->tree.node_count > 1};
    int empty = has_calls[0] ? 1 : 0;
    return has_calls[0] == has_calls[1] || !profile_has_watch(sides[empty]) ||
           error_set_code(err,
                          "no-recording",
                          "%s: a watch has no calls, and %s is a recording of calls; compare two "
                          "of a kind (--run)",
                          empty == 0 ? old->title : session->title,
                          empty == 0 ? session->title : old->title);
}

static bool join_sides(struct session *session, struct error *err)
{
    struct error why;
    const struct options *options = session->options;
    struct session *old = session->old, *sides[] = {old, session};
    /* A value that one of them does not know must not count as 0. */
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (!check_details(&sides[i]->profile, options, &why))
            return error_set_code(err, why.code, "%s: %s", sides[i]->title, why.text);
    if (!check_watches(session, err) ||
        !(options->is_repeated ? finish_repeated : finish_diff)(session, err))
        return false;
    session->report.old = &old->report;
    old->report.scales_calls = options->normalize == NORMALIZE_CALLS;
    old->report.is_rest = old->takes_rest;
    old->report.scaled = old->scaled[0] != '\0' ? old->scaled : NULL;
    bool are_alike = (session->profile.recordings.count > 0) == (old->profile.recordings.count > 0);
    if (!are_alike || old->found.log_count == 0)
        old->report.found = NULL;
    report_count(&old->report);
    return true;
}

bool comparison_make(struct session *session, struct error *err)
{
    return session->old != NULL ? join_sides(session, err) : finish_repeated(session, err);
}
