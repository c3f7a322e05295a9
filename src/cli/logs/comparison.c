#include "cli/logs/comparison.h"

#include "cli/logs/parts.h"
#include "cli/logs/repeated_logs.h"

#include <stdio.h>

/* The factors for the old profile. */
struct scale {
    double times, calls;
};

/* Sets the factors, and the phrase that describes them. */
static bool choose_scale(struct scale *scale, struct comparison *comparison,
                         enum normalize normalize, const struct profile *profile,
                         const struct profile *old, struct error *err)
{
    enum { PHRASE_SIZE = sizeof comparison->scaled };
    int64_t now_ns = profile->tree.total_ns[TREE_ROOT], old_ns = old->tree.total_ns[TREE_ROOT];
    size_t now_ticks = profile->ticks.count, old_ticks = old->ticks.count;
    char *phrase = comparison->scaled;
    *scale = (struct scale){1, 1};
    switch (normalize) {
    case NORMALIZE_NOTHING:
        phrase[0] = '\0';
        break;
    case NORMALIZE_CALLS:
        snprintf(phrase, PHRASE_SIZE,
                 "scaled only in the rows of tables, to the new number of calls");
        break;
    case NORMALIZE_TICKS:
        if (now_ticks == 0 || old_ticks == 0)
            return error_set(
                err, "--normalize=tick needs recordings of profiler.lua with ticks on both sides");
        scale->times = scale->calls = (double)now_ticks / (double)old_ticks;
        snprintf(phrase, PHRASE_SIZE, "%zu ticks scaled to %zu", old_ticks, now_ticks);
        break;
    case NORMALIZE_TOTALS:
        if (now_ns <= 0 || old_ns <= 0)
            return error_set(err, "--normalize=total needs time in both logs");
        scale->times = (double)now_ns / (double)old_ns;
        snprintf(phrase, PHRASE_SIZE, "scaled by %.4f to the same total", scale->times);
        break;
    }
    return true;
}

/* What each tick of the old log did goes with its nodes. */
static void move_changes(struct tick_changes *changes, const uint32_t *nodes)
{
    for (size_t i = 0; i < changes->part_count; i++)
        changes->parts[i].node = nodes[changes->parts[i].node];
}

static bool join(struct comparison *comparison, struct subject *subject, struct subject *old,
                 enum normalize normalize, struct error *err)
{
    struct scale scale;
    if (!choose_scale(&scale, comparison, normalize, &subject->profile, &old->profile, err))
        return false;
    uint32_t *nodes =
        subject_align(subject, old, scale.times, scale.calls, &comparison->old.counts);
    move_changes(&old->profile.changes, nodes);
    free(nodes);
    selection_drop_small(subject->selection, &subject->profile.tree, &old->profile.tree,
                         subject->folded);
    return true;
}

static bool join_repeated(struct comparison *comparison, struct subject *subject,
                          struct subject *old, enum normalize normalize, struct error *err)
{
    bool scales_ticks = normalize == NORMALIZE_TICKS;
    snprintf(comparison->scaled, sizeof comparison->scaled, "%s",
             scales_ticks ? "scaled to as many ticks" : "");
    comparison->old.repeated = &old->repeated;
    return repeated_logs_join(subject, old, scales_ticks, &comparison->old.counts, err);
}

static bool join_sides(struct comparison *comparison, struct subject *subject, struct subject *old,
                       const struct options *options, struct error *err)
{
    struct error why;
    const struct subject *sides[] = {old, subject};
    *comparison = (struct comparison){.old_tree = &old->profile.tree};
    /* A value that one of them does not know must not count as 0. */
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (!check_details(&sides[i]->profile, &options->show, &why))
            return error_set_code(err, why.code, "%s: %s", sides[i]->title, why.text);
    if (!(options->is_repeated ? join_repeated : join)(comparison, subject, old, options->normalize,
                                                       err))
        return false;
    comparison->old.profile = &old->profile;
    comparison->old.tree = &old->profile.tree;
    comparison->old.title = old->title;
    comparison->old.scales_calls = options->normalize == NORMALIZE_CALLS;
    comparison->old.is_rest = old->takes_rest;
    comparison->old.sources = &old->sources;
    comparison->old.functions = old->functions;
    comparison->old.gone_from = old->gone_from;
    comparison->old.scaled = comparison->scaled[0] != '\0' ? comparison->scaled : NULL;
    return true;
}

bool comparison_make(struct comparison *comparison, struct subject *subject, struct subject *old,
                     const struct options *options, struct error *err)
{
    struct diff_counts ignored;
    bool scales_ticks = options->normalize == NORMALIZE_TICKS;
    bool is_joined = old != NULL
                         ? join_sides(comparison, subject, old, options, err)
                         : !options->is_repeated ||
                               repeated_logs_join(subject, NULL, scales_ticks, &ignored, err);
    return is_joined && selection_check(subject->selection, &subject->profile.tree, err) &&
           (old != NULL || check_details(&subject->profile, &options->show, err));
}
