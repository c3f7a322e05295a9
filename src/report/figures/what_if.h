/*
 * what_if.h - how slow the ticks would be if some functions were faster: arithmetic over what was
 * recorded. The self time of each function in a tick is multiplied by a factor, and what that saves
 * is taken from the time of the tick. If a change is of total times, the same is done with the self
 * time of each node of the call tree.
 *
 * A slow tick in which the computer was slow (prices.h) counts with the time that its calls usually
 * take, and its functions with the same share of theirs: no change of a function helps there.
 */
#pragma once

#include "base/error.h"
#include "base/pattern.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "rebuild/ending/tree_sums.h"

/* A change of some functions, such as "BuildThreatMap/2" or "total(BuildThreatMap)/2". */
struct what_if {
    struct pattern *pattern;
    double factor;    /* of the time of all functions that match */
    bool is_total;    /* of their total time, not only of their self time */
    const char *text; /* as it was given; not owned */
};

/* Reads a pattern with "/N" or "*N" after it. Fails with a reason that does not name the option. */
bool what_if_parse(struct what_if *what_if, const char *text, struct error *err);

/*
 * Multiplies by the factor what `factors` has for the functions that match: [function_count] if
 * `tree` is NULL, otherwise those of nodes, [tree->node_count]. A call that is below several
 * functions that match is made faster once.
 */
void what_if_apply(const struct what_if *what_if, const uint8_t *matches, size_t function_count,
                   const struct tree *tree, double *factors);

/*
 * How many ticks are slow, and the median, 99th percentile and longest of their times, with these
 * factors; NULL: as they are, but for the computer. They are those of nodes of the tree of
 * `changes`, which has the ticks of the list; or if that is NULL, those of functions, [function
 * count]; then all functions of all ticks must be kept.
 */
struct tick_statistics what_if_times(const struct tick_list *list,
                                     const struct tick_changes *changes, const double *factors);

/*
 * How many ticks are slow, and the 99th percentile and longest of their times, without the self
 * times of each of several groups: `times` is [group_count]. `group_of` is [function count], or
 * with `changes` of the same ticks [node count], and group_count of those without a group. Without
 * `changes`, all functions of all ticks must be kept.
 */
void what_if_without(const struct tick_list *list, const struct tick_changes *changes,
                     const uint32_t *group_of, uint32_t group_count, struct tick_statistics *times);

/* The same with a change of one function alone, in ticks whose nodes are known. */
struct tick_statistics what_if_of_one(const struct what_if *what_if, uint32_t function,
                                      const struct profile *profile);

/* A function, and the slow ticks that are left if it is faster. */
struct what_if_best {
    uint32_t function;
    double saved_ns; /* by half its time, of what the slow ticks took over the limit */
    size_t slow_count, left_by_half, left_by_none; /* none: without its self time */
    double least_share; /* of its time at which no slow tick is left; 0 if some always are */
};

/*
 * Finds the function of which half the time makes the fewest slow ticks, among the WHAT_IF_MAX
 * functions with the most self time in them. `is_left_out`, [function count], are not considered.
 * Fails if there are no slow ticks, or if the functions of some were not kept.
 */
enum { WHAT_IF_MAX = 64 };
bool what_if_find_best(struct what_if_best *best, const struct tick_list *list,
                       const uint8_t *is_left_out, size_t function_count);

/* What --what-if shows: the times as they are, and with each change; of several, with all, too. */
struct what_if_rows {
    struct tick_statistics now;
    struct what_if_row {
        const char *text;
        struct tick_statistics then;
    } * rows; /* [count] */
    size_t count;
    size_t computer_count; /* slow ticks in which the computer was slow */
};

/* Makes the first members; `count` rows will be added. The caller frees the rows. */
void what_if_rows_init(struct what_if_rows *rows, const struct tick_list *list, size_t count);
