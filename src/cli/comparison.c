#include "cli/comparison.h"

#include "select/align.h"
#include "select/diff.h"

#include <stdio.h>
#include <stdlib.h>

/* The factors for the old profile. */
struct scale {
    double times, calls;
};

/* Sets `phrase`, [size], to a description of the scaling of old values; "" for none. */
static bool choose_scale(struct scale *scale, char *phrase, size_t size,
                         const struct options *options, const struct profile *new_profile,
                         const struct profile *old_profile, struct error *err)
{
    int64_t new_ns = new_profile->tree.total_ns[TREE_ROOT];
    int64_t old_ns = old_profile->tree.total_ns[TREE_ROOT];
    *scale = (struct scale){1, 1};
    phrase[0] = '\0';
    switch (options->normalize) {
    case NORMALIZE_NOTHING:
        break;
    case NORMALIZE_CALLS:
        snprintf(phrase, size, "rows below scaled to as many calls as now, this line not");
        break;
    case NORMALIZE_TICKS:
        if (new_profile->ticks.count == 0 || old_profile->ticks.count == 0)
            return error_set(err, "--normalize=tick needs recordings of profiler.lua with ticks, "
                                  "as old and as new log");
        scale->times = (double)new_profile->ticks.count / (double)old_profile->ticks.count;
        scale->calls = scale->times;
        snprintf(phrase, size, "%zu ticks scaled to %zu", old_profile->ticks.count,
                 new_profile->ticks.count);
        break;
    case NORMALIZE_TOTALS:
        if (new_ns <= 0 || old_ns <= 0)
            return error_set(err, "--normalize=total needs time in both logs");
        scale->times = (double)new_ns / (double)old_ns;
        snprintf(phrase, size, "scaled by %.4f to the same total", scale->times);
        break;
    }
    return true;
}

bool comparison_make(struct comparison *comparison, struct subject *subject,
                     struct subject *old_subject, const struct options *options, struct error *err)
{
    struct scale scale;
    struct profile *profile = &subject->profile;
    struct profile *old_profile = &old_subject->profile;
    if (!choose_scale(&scale, comparison->scaled, sizeof comparison->scaled, options, profile,
                      old_profile, err))
        return false;
    comparison->old = (struct report_old){
        .profile = old_profile,
        .tree = &old_profile->tree,
        .title = old_subject->title,
        .scales_calls = options->normalize == NORMALIZE_CALLS,
        .scaled = comparison->scaled[0] != '\0' ? comparison->scaled : NULL,
    };
    uint32_t *functions = diff_match_functions(profile, &subject->paths, old_profile,
                                               &old_subject->paths, &comparison->old.counts);
    free(align_trees(&profile->tree, &old_profile->tree, functions, &profile->symbols,
                     &old_profile->symbols, scale.times, scale.calls));
    free(functions);
    selection_drop_small(&options->selection, &profile->tree, &old_profile->tree, subject->folded);
    subject_rename(subject, options);
    return true;
}
