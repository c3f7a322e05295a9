/*
 * diff.h - finds the functions of one profile in another.
 *
 * Between two versions of a mod, functions move: if lines are added at the top of a file,
 * all functions below get other lines. So a Lua function of the old profile is looked for
 * in the same file of the new one (the path that reports show, letter case ignored; and
 * for a mod also without the version in the name of its folder), in four steps:
 *
 *  1. If a name occurs once in the file in both profiles, it is the same function, at any
 *     line. These functions show by how many lines the others near them have moved.
 *  2. In files where step 1 found some: a function at its expected line, with the same
 *     name, or if one of the two has no name.
 *  3. Functions with the same name, in their order, as near as possible to their expected
 *     lines; nameless ones at most 50 lines away.
 *  4. A function at its expected line with another name.
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
 * If the source has the same bytes in both logs, it is the same file, even if reports show another
 * file's path in the same way. Functions other than Lua's are found by name.
 */
#pragma once

#include "names/paths.h"
#include "profile/profile.h"
#include "select/repeated_values.h"
#include "tree/symbols.h"
#include "tree/tree_builder.h"

/* Numbers of functions that are in one of the trees, or in a watch. */
struct diff_counts {
    uint32_t same_place; /* at the same line, with the same name if both have one */
    uint32_t other_line;
    uint32_t other_name; /* at the expected line, with another name */
    uint32_t only_old, only_new;
};

/* With --repeated, `logs` are those that were joined: their watches, too, have functions. */
struct diff_side {
    struct profile *profile;
    const struct paths *paths;
    const struct repeated_values *logs;
};

/*
 * Finds for each function of the old profile the same one in the new profile, and adds the
 * missing ones there. Returns their ids, [old->symbols.function_count]; the caller frees them.
 * The paths of both must be made before, in the same style; those of the new profile must be
 * made again afterwards. The old profile stays as it is.
 */
uint32_t *diff_match_functions(const struct diff_side *now, const struct diff_side *old,
                               struct diff_counts *counts);

/*
 * Gives two trees the same nodes, so that they can be compared node by node.
 *
 * The functions of the old tree become those that diff_match_functions() found for them.
 * Calling lines move with the function that they are in: if f moved from line 24 to 27, then
 * its call of g from line 26 becomes one from line 29.
 */

/*
 * Extends a builder by the new tree, and by those nodes of the old tree that the new one does not
 * have, without calls and time. Nodes of the new tree keep their ids; returns those of the old
 * tree's nodes there, [its node_count], which the caller frees. The functions of the old tree
 * become those of `functions`, [old_symbols->function_count], and its calls are of these then.
 */
uint32_t *diff_add_nodes(struct tree_builder *builder, struct tree *new_tree, struct tree *old_tree,
                         const uint32_t *functions, const struct symbols *new_symbols,
                         const struct symbols *old_symbols);

/*
 * The same, and finishes the new tree and gives the old one its nodes. The times and calls of the
 * old one are multiplied by the factors.
 */
uint32_t *align_trees(struct tree_builder *builder, struct tree *new_tree, struct tree *old_tree,
                      const uint32_t *functions, const struct symbols *new_symbols,
                      const struct symbols *old_symbols, double time_factor, double call_factor);

/*
 * Returns how many times as long a call takes in the new tree, in the median of the functions with
 * a hundredth of both; 0: not known, as fewer than five do not tell a quicker computer from a
 * change of the mod. Where most functions take longer or shorter, it was the computer, and of none
 * more is known: so the errors of the old tree grow by that. Both are aligned; not where ticks were
 * chosen by chance, whose errors are of shares.
 */
double diff_add_pace(const struct tree *new_tree, struct tree *old_tree, uint32_t function_count);
