#include "profile/profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const char fixtures[] = SUPPROF_FIXTURES;

static void read_fixture(struct profile *profile, const char *name, uint32_t run)
{
    struct error err;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", fixtures, name);
    cr_assert(profile_init(profile, &err), "%s", err.text);
    profile->only_run = run;
    cr_assert(profile_read(profile, path, &err), "%s", err.text);
}

static void expect_totals(const char *name, uint64_t records, int64_t total_ns, uint64_t calls)
{
    struct profile profile;
    read_fixture(&profile, name, 0);
    profile_finish(&profile);
    int64_t self_ns = 0;
    uint64_t call_count = 0;
    for (uint32_t node = 0; node < profile.tree.node_count; node++) {
        self_ns += profile.tree.self_ns[node];
        call_count += profile.tree.call_counts[node];
    }
    cr_expect_eq(profile.counts.records, records);
    cr_expect_eq(profile.counts.damaged, 0);
    cr_expect_leq(labs(profile.tree.total_ns[TREE_ROOT] - total_ns), 50, "%ld",
                  (long)profile.tree.total_ns[TREE_ROOT]);
    cr_expect_eq(self_ns, profile.tree.total_ns[TREE_ROOT]);
    cr_expect_eq(call_count, calls);
    profile_release(&profile);
}

Test(profile, of_a_real_log_has_every_record_and_all_the_time)
{
    expect_totals("small-float.log.gz", 3763, 250451800, 9257);
    expect_totals("weirdprefix-float.log.gz", 2315, 125457500, 5882);
}

Test(profile, takes_one_run_when_asked)
{
    struct profile profile;
    read_fixture(&profile, "two-runs.log", 2);
    profile_finish(&profile);
    cr_expect_eq(profile.counts.records, 2);
    cr_expect_eq(profile.counts.other_runs, 4);
    cr_expect_eq(profile.counts.runs, 2);
    cr_expect_eq(profile.tree.total_ns[TREE_ROOT], 10000000);
    profile_release(&profile);
}

Test(profile, counts_runs_over_all_logs)
{
    struct profile profile;
    struct error err;
    read_fixture(&profile, "two-runs.log", 3);
    cr_assert(profile_read(&profile, SUPPROF_FIXTURES "/recursion.log", &err));
    profile_finish(&profile);
    cr_expect_eq(profile.counts.runs, 3);
    cr_expect_eq(profile.counts.records, 4);
    profile_release(&profile);
}

Test(profile, may_be_given_up_before_it_is_finished)
{
    struct profile profile;
    read_fixture(&profile, "recursion.log", 0);
    profile_release(&profile);
}

Test(profile, says_what_cannot_be_read)
{
    struct profile profile;
    struct error err;
    cr_assert(profile_init(&profile, &err));
    cr_expect_not(profile_read(&profile, "/nonexistent", &err));
    cr_expect_str_eq(err.text, "cannot open '/nonexistent': No such file or directory");
    cr_expect_not(profile_read(&profile, "/", &err));
    cr_expect_str_eq(
        err.text,
        "'/' is a directory; choose the log in it (--open alone finds the game's newest)");
    profile_release(&profile);
}
