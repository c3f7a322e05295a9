/*
 * coverage LOG [GAMES]: how often the interval that is printed has the truth, if ticks are chosen
 * by chance. LOG is one exact recording with ticks; all its ticks are the game. Ticks are chosen
 * GAMES times (1,000), 12, 60 and 300 of them: one of each block, or any if there are too few ticks
 * for blocks. Counted are functions with 2% of the time or more, where about 95 of 100 intervals
 * must have the share that the function has in the whole recording.
 */
#include "base/mem.h"
#include "profile/profile.h"
#include "tree/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What each function has in each tick. */
struct game {
    size_t tick_count, function_count;
    double *self_ns, *total_ns; /* [function_count * tick_count] */
    double *all_ns;             /* [tick_count] */
};

static uint64_t random_state = 88172645463325252u;

static size_t choose(size_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % below);
}

/* Adds a self time to the totals of the functions of a stack, to each once. */
static void add_total(struct game *game, const struct tree *tree, uint32_t node, size_t tick,
                      double ns, uint32_t *seen, uint32_t stamp)
{
    for (; node != TREE_ROOT; node = tree->calls[node].parent) {
        uint32_t function = tree->calls[node].function;
        if (seen[function] != stamp)
            game->total_ns[function * game->tick_count + tick] += ns;
        seen[function] = stamp;
    }
}

static struct game make_game(const struct profile *profile)
{
    const struct tick_changes *changes = &profile->changes;
    const struct tree *tree = &profile->tree;
    struct game game = {.tick_count = changes->tick_count,
                        .function_count = tree_count_functions(tree)};
    size_t count = game.tick_count * game.function_count;
    uint32_t *seen = mem_zeroed(game.function_count, sizeof *seen);
    game.self_ns = mem_zeroed(count, sizeof *game.self_ns);
    game.total_ns = mem_zeroed(count, sizeof *game.total_ns);
    game.all_ns = mem_zeroed(game.tick_count, sizeof *game.all_ns);
    for (size_t tick = 0, i = 0; tick < game.tick_count; tick++)
        for (; i < changes->ends[tick]; i++) {
            const struct tick_change *change = &changes->all[i];
            double ns = (double)change->self_ns;
            uint32_t function = tree->calls[change->node].function;
            game.self_ns[function * game.tick_count + tick] += ns;
            game.all_ns[tick] += ns;
            add_total(&game, tree, change->node, tick, ns, seen, (uint32_t)i + 1);
        }
    free(seen);
    return game;
}

static void choose_ticks(const struct game *game, size_t *chosen, size_t count)
{
    enum { BLOCK_MIN = 4 };
    bool has_blocks = count * BLOCK_MIN <= game->tick_count;
    for (size_t i = 0; i < count; i++) {
        size_t from = i * game->tick_count / count, to = (i + 1) * game->tick_count / count;
        chosen[i] = has_blocks ? from + choose(to - from) : choose(game->tick_count);
    }
}

static struct sample_sums sum_up(const double *ns, const size_t *chosen, size_t count)
{
    struct sample_sums sums = {0};
    for (size_t i = 0; i < count; i++)
        sums.ns[i % SUBSAMPLES] += ns[chosen[i]];
    return sums;
}

static double add_up(const double *ns, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ns[i];
    return sum;
}

static void measure(const struct game *game, const double *ns, const char *name, size_t count,
                    unsigned long games)
{
    size_t *chosen = mem_zeroed(count, sizeof *chosen);
    double all_ns = add_up(game->all_ns, game->tick_count), width = 0, missed = 0;
    size_t interval_count = 0, right_count = 0;
    for (unsigned long i = 0; i < games; i++) {
        choose_ticks(game, chosen, count);
        struct sample_sums all = sum_up(game->all_ns, chosen, count);
        double found_ns = add_up(all.ns, SUBSAMPLES);
        for (size_t k = 0; k < game->function_count; k++) {
            const double *of = ns + k * game->tick_count;
            double share = add_up(of, game->tick_count) / all_ns;
            if (share < 0.02)
                continue;
            struct sample_sums sum = sum_up(of, chosen, count);
            double error = sample_error_ns(&sum, &all) / found_ns;
            double missed_by = fabs(add_up(sum.ns, SUBSAMPLES) / found_ns - share);
            right_count += missed_by <= error;
            width += error;
            missed += missed_by;
            interval_count++;
        }
    }
    printf("%-5s %3zu ticks: %5.1f of 100 intervals are right; +- %5.2f, wrong by %4.2f points\n",
           name, count, 100.0 * (double)right_count / (double)interval_count,
           100 * width / (double)interval_count, 100 * missed / (double)interval_count);
    free(chosen);
}

/* `is_measured`: with the recorder's cost, which hides how much more some ticks take than others.
 */
static bool run(const char *path, bool is_measured, unsigned long games)
{
    static const size_t counts[] = {12, 60, 300};
    struct profile profile;
    struct error err;
    if (!profile_init(&profile, &err))
        return false;
    profile.rebuild.keeps_changes = true;
    profile.rebuild.keeps_costs = is_measured;
    if (!profile_read(&profile, path, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    profile_finish(&profile);
    struct game game = make_game(&profile);
    printf("%s, %s: %zu ticks\n", path, is_measured ? "--overhead=off" : "as it is shown",
           game.tick_count);
    for (size_t i = 0; game.tick_count > 0 && i < sizeof counts / sizeof counts[0]; i++) {
        measure(&game, game.self_ns, "self", counts[i], games);
        measure(&game, game.total_ns, "total", counts[i], games);
    }
    MEM_FREE(game.self_ns, game.total_ns, game.all_ns);
    profile_release(&profile);
    return game.tick_count > 0;
}

int main(int argc, char **argv)
{
    unsigned long games = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    bool is_good = argc > 1 && run(argv[1], true, games) && run(argv[1], false, games);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
