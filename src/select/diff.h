/*
 * diff.h - two profiles made comparable: the same functions, the same tree.
 *
 * Between two versions of a mod, functions move: lines are added at the top of a file,
 * and all below are defined elsewhere. So a Lua function of the old profile is looked for
 * in the same file of the new one (the path that reports show, letter case ignored; and
 * for a mod also without the version in the name of its folder):
 *
 *  1. A name that the file has once in both is the same function, wherever it is. From
 *     these it is known by how many lines what is near them has moved.
 *  2. In files where that is known: what is where it should be, and has the same name, or
 *     one of the two has none.
 *  3. Functions of one name, in their order, so that they lie as near as can be to where
 *     they should be; nameless ones at most 50 lines away.
 *  4. What is where it should be under another name.
 *
 *         old                     new
 *         OnCreate  u.lua:10      OnCreate  u.lua:12      by 1: two lines were added
 *         ?         u.lua:20      ?         u.lua:22      by 2
 *         f         u.lua:24      f         u.lua:27      by 3
 *         f         u.lua:34      f         u.lua:37      by 3
 *         DoDamage  u.lua:50      OnDamage  u.lua:52      by 4
 *         Gone      u.lua:60                              only in the old profile
 *                                 Added     u.lua:70      only in the new one
 *
 * Where a file has the same bytes as its name in both logs, it is that file and no other that is
 * shown alike. Any other function is its name. Lines that calls are made from move with the
 * function that they are in.
 */
#ifndef SUPPROF_DIFF_H
#define SUPPROF_DIFF_H

#include "names/labels.h"
#include "names/paths.h"
#include "profile/profile.h"
#include "tree/tree.h"

#include <stdint.h>

/* Of functions that are in either tree. */
struct diff_counts {
    uint32_t same_place; /* at the same line, with the same name if both have one */
    uint32_t other_line;
    uint32_t other_name; /* where it should be, under another name */
    uint32_t only_old, only_new;
};

/*
 * Finds for each function of the old profile the one of the new, which gets what it has
 * not got yet. Returns their ids, [old->symbols.function_count], which the caller frees.
 * Both paths have been made, by the same style; those of the new profile are then to be
 * made again.
 */
uint32_t *diff_match_functions(struct profile *new_profile, const struct paths *new_paths,
                               const struct profile *old_profile, const struct paths *old_paths,
                               struct diff_counts *counts);

/*
 * Gives both trees the same nodes: each gets, without calls and time, those that
 * only the other has. The functions of the old tree become those of `functions`. Its
 * times and calls are multiplied by so much. Nodes of the new tree stay what they were; returns
 * what those of the old tree became, [node_count] of before, which the caller frees.
 */
uint32_t *diff_align(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                     const struct symbols *new_symbols, const struct symbols *old_symbols,
                     double time_factor, double call_factor);

#endif
