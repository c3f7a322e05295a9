/*
 * reference.h - what recording has added, by what threads take while nothing is recorded.
 *
 * The recorder times wakes of threads before and after a recording, by the clock alone. The
 * recording has wakes, too, with the recorder's cost. So
 * what is shown of the threads that began with a function can be compared with what their wakes
 * take in this game, on this computer. It is too much: an event costs more in the code of the game
 * than where it is calibrated (see calibration.h), and code between two events is slower, too.
 *
 * - Where it is less, the costs are too large: a fraction of them is subtracted that makes both
 *   equal, at least half; not where ticks were chosen: a few of them may have short wakes by
 *   chance. Where it is more, up to a twentieth more is subtracted. Not in code of many functions
 *   with few events each, which the processor does not know yet, with or without a hook (see
 *   find_coldness()): there a constant cost an event makes the shares of functions worse, and the
 *   less is subtracted the larger the ratio is, at least half.
 * - What is left of a stack is multiplied by a scale of the function that its thread began with: so
 *   its wakes take no more than unrecorded ones. A function whose wakes differ much, or are few,
 *   gets a scale nearer to that of all; so do stacks of which no wake was timed, such as callbacks,
 *   the nearer the more of the recording's time is that of wakes that were.
 *   A call stack loses no more by it than ten times its cost, in a watch three times, since only
 *   events can have added it.
 * - No self time falls below OVERHEAD_LEAST_FRACTION of what was measured, since no event costs
 *   exactly what all cost on the average.
 *
 * Functions whose wakes differ too much before and after a recording are no reference.
 *
 * What recording has added to the wakes of a function, in times of the calibrated cost of their
 * events, is not the same for all: 0.8 to 1.7 in real Lua, where code waits for memory, and where
 * each tick begins with cold caches, which a recording hides. So what was added beside the
 * calibrated costs is in the errors of all times (see overhead.h).
 *
 * Without a reference, as where callbacks do all, it is taken for what is usual: a quarter of the
 * time that is left, but at most 0.15 times the calibrated costs (what 42 programs with
 * timed threads need in the median; real Lua less). So times are 0.75 to 1.33 times the true ones
 * in 36 of 52 programs, at most 1.8 times, and 3 times in one with plain coroutines. Their errors
 * are larger (call_costs.untimed_bias): two standard errors have a further part of the time, at
 * most 0.3. All of it is less the more of the recording's time is that of wakes that were timed.
 *
 * A watch records some wakes of a suspect, and knows by the clock what all wakes of a function took
 * in each minute. So each recorded wake is compared with the mean one of its minute, if at least
 * half of these were not recorded. The watch has guessed how long the recorded ones are, so the
 * mean is a little too large, and too little is taken away. There are few, and they follow a slow
 * one, so a function whose wakes differ is hardly believed: their deviation counts as large as it
 * can be, and the ratio of all is as uncertain as its parts.
 */
#pragma once

#include "read/events.h"
#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/lives.h"
#include "tree/tree.h"

/* What is left is made so many times shorter or longer at most. */
#define REFERENCE_SCALE_MAX 4.0

/* All zero is empty. */
struct reference {
    struct event_reference *all; /* [count]; their functions: by nodes_find_function() */
    size_t count, capacity;
    bool is_sampled; /* of a recording of chosen ticks: what wakes take there is chance, too */
};

struct reference_fit {
    bool is_known; /* otherwise it has no ratio, and the scales are usual ones, or NULL */
    double
        ratio; /* of what is shown of timed threads to what their unrecorded wakes take, before */
    double coldness;       /* of the code, 0 to 1 */
    double cost_fraction;  /* of the calibrated costs, that the costs are now */
    double covered;        /* fraction of the time that is of timed threads */
    double most_taken;     /* by the scales, from a stack: in times of its cost */
    double rest;           /* of what is shown of timed threads to what their scales want, which
                              reference_apply() finds */
    double change;         /* after it, unrecorded wakes took so many times as long; 0: not known */
    uint32_t unlike_count; /* functions whose wakes differ too much before and after */
    bool has_before, has_after;
    float *scales;  /* [function_count]: of all stacks that begin with a function together */
    bool *is_timed; /* [function_count], or NULL: they have scales of their own */
    uint32_t function_count;
};

/*
 * Compares. `tree` has the measured self times, with the recorder's cost, `kinds` an enum call_kind
 * for each node; each self time keeps a fraction then. If the reference is empty, calibrated
 * costs get what is usual; if costs are not known, nothing. The caller frees
 * `scales` and `is_timed`.
 */
void reference_fit(struct reference_fit *fit, const struct reference *reference,
                   const struct wakes *wakes, const struct tree *tree, const uint8_t *kinds,
                   struct call_costs *costs);

/*
 * Applies the scales, which are known, to a tree from which the costs were subtracted;
 * `measured_ns`, [node_count], are the self times before. Returns what each node was multiplied
 * with, [node_count]; the caller frees it.
 */
float *reference_apply(struct reference_fit *fit, struct tree *tree, const int64_t *measured_ns);
