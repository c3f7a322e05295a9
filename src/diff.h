/*
 * diff.h - two profiles made comparable: the same functions, the same tree.
 *
 * Between two versions of a mod, functions move: a line is added at the top of a file,
 * and all below it are defined elsewhere. So a Lua function of the old profile is that of
 * the new one, in the same file (the path that reports show, letter case ignored), that
 *
 *     1. is defined at the same line and has the same name, or one of them has none;
 *     2. else has the same name, and of those not taken the nearest line;
 *     3. else is defined at the same line, under another name.
 *
 *         old                     new
 *         OnCreate  u.lua:10      OnCreate  u.lua:12      by 2: two lines were added
 *         OnKilled  u.lua:20      OnKilled  u.lua:22      by 2
 *         DoDamage  u.lua:30      OnDamage  u.lua:30      by 3
 *         Gone      u.lua:40                              only in the old profile
 *                                 Added     u.lua:50      only in the new one
 *
 * Any other function is its name. Lines that calls are made from move with the function
 * that they are in.
 */
#ifndef SUPPROF_DIFF_H
#define SUPPROF_DIFF_H

#include "labels.h"
#include "paths.h"
#include "profile.h"
#include "tree.h"

#include <stdint.h>

/* Of functions that either profile has calls or time of. */
struct diff_counts {
    uint32_t same_place, other_line, other_name, only_old, only_new;
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
 * Gives both settled trees the same nodes: each gets, without calls and time, those that
 * only the other has. The functions of the old tree become those of `functions`. Its
 * times and calls are multiplied by so much.
 */
void diff_align(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                const struct symbols *new_symbols, const struct symbols *old_symbols,
                double time_factor, double call_factor);

#endif
