#include "profile/profile.h"

#include "base/input.h"
#include "base/mem.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char fixtures[] = SUPPROF_FIXTURES;

/* Writes the first `part` of a fixture's lines, decompressed, into a new file; sets its path. */
static void cut_fixture(char *path, const char *name, double part)
{
    struct input input;
    struct error err;
    char from[512];
    char *text = NULL;
    size_t length = 0, capacity = 0, got;
    snprintf(from, sizeof from, "%s/%s", fixtures, name);
    cr_assert(input_open(&input, from, FILE_WAITS, NULL, &err), "%s", err.text);
    do {
        MEM_GROW(text, capacity, length + 65536);
        cr_assert(input_read(&input, text + length, capacity - length, &got, &err));
        length += got;
    } while (got > 0);
    input_close(&input);
    length = (size_t)((double)length * part);
    while (length > 0 && text[length - 1] != '\n')
        length--;
    int file = mkstemp(path);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, text, length), (ssize_t)length);
    close(file);
    free(text);
}

/* Writes a text into a new file; sets its path. */
static void write_log(char *path, const char *text)
{
    int file = mkstemp(path);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

/* The sums so far must be those of a report of the same bytes. */
static void expect_sums_of_the_end(const char *name, double part)
{
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    struct profile profile;
    struct running_sums sums = {0};
    struct function_sums end = {0};
    struct error err;
    cut_fixture(path, name, part);
    cr_assert(profile_init(&profile, &err));
    cr_assert(profile_read(&profile, path, &err) || profile.counts.bytes > 0, "%s", err.text);
    snapshot_sum(&profile, &sums);
    profile_finish(&profile);
    function_sums_add_tree(&end, &profile.tree);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < profile.symbols.function_count; i++) {
        struct function_sum now = function_sums_get(&sums.functions, i);
        struct function_sum then = function_sums_get(&end, i);
        calls += then.calls;
        cr_expect_eq(now.calls, then.calls, "%s %.2f: function %u", name, part, i);
        /* Each node is rounded there. */
        cr_expect_leq(llabs(now.self_ns - then.self_ns), 100, "%s %.2f: function %u: %ld, %ld",
                      name, part, i, (long)now.self_ns, (long)then.self_ns);
        cr_expect_leq(llabs(now.total_ns - then.total_ns), 1000, "%s %.2f: function %u: %ld, %ld",
                      name, part, i, (long)now.total_ns, (long)then.total_ns);
    }
    cr_expect_gt(calls, 0, "%s %.2f", name, part);
    struct tick_sums ticks = {0};
    for (size_t i = 0; i < profile.ticks.count; i++)
        tick_sums_add(&ticks, profile.ticks.ticks[i].number, profile.ticks.ticks[i].time_ns, 0,
                      profile.ticks.limit_ns);
    /* The last tick of a run ends with it. */
    cr_expect(ticks.count == sums.ticks.count || ticks.count == sums.ticks.count + 1);
    cr_expect_eq(ticks.longest_number, sums.ticks.longest_number);
    function_sums_release(&end);
    running_sums_release(&sums);
    profile_release(&profile);
    unlink(path);
}

Test(snapshot, of_a_recording_that_has_not_ended_is_what_its_report_will_be)
{
    expect_sums_of_the_end("recorded-spikes.log.gz", 0.9);
    expect_sums_of_the_end("recorded-callbacks.log.gz", 0.99);
    expect_sums_of_the_end("recorded-coroutines.log.gz", 0.9);
    expect_sums_of_the_end("recorded-errors.log.gz", 0.9);
}

Test(snapshot, of_a_recording_that_has_ended_is_its_report)
{
    expect_sums_of_the_end("recorded-spikes.log.gz", 1);
    expect_sums_of_the_end("recorded-coroutines.log.gz", 1);
}

Test(snapshot, of_records_has_their_sums)
{
    expect_sums_of_the_end("small-float.log.gz", 0.5);
    expect_sums_of_the_end("recursion.log", 1);
}

Test(snapshot, leaves_the_profile_as_it_was)
{
    struct profile with, without;
    struct running_sums sums = {0};
    struct symbols symbols;
    struct error err;
    const char *path = SUPPROF_FIXTURES "/recorded-spikes.log.gz";
    cr_assert(profile_init(&with, &err) && profile_init(&without, &err));
    for (int i = 0; i < 2; i++) {
        cr_assert(profile_read(&with, path, &err) && profile_read(&without, path, &err));
        snapshot_sum(&with, &sums);
        snapshot_name(&with, &sums.functions, &symbols);
        cr_expect(symbols.functions[0].name != INTERN_NONE);
        snapshot_release_symbols(&symbols);
    }
    profile_finish(&with);
    profile_finish(&without);
    cr_expect_eq(with.tree.node_count, without.tree.node_count);
    cr_expect_eq(with.tree.total_ns[TREE_ROOT], without.tree.total_ns[TREE_ROOT]);
    cr_expect_eq(with.symbols.name_count, without.symbols.name_count);
    running_sums_release(&sums);
    profile_release(&with);
    profile_release(&without);
}

Test(snapshot, counts_ticks_after_those_that_are_known)
{
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    struct profile profile;
    struct running_sums sums = {0};
    struct error err;
    cut_fixture(path, "recorded-spikes.log.gz", 0.9);
    cr_assert(profile_init(&profile, &err));
    cr_assert(profile_read(&profile, path, &err), "%s", err.text);
    snapshot_sum(&profile, &sums);
    running_sums_find_recent(&sums);
    cr_expect_eq(sums.recent_ticks.count, sums.ticks.count);
    cr_assert_eq(sums.recording_count, 1);
    cr_expect_gt(sums.clock_ns, 10000000000);
    cr_expect_lt(sums.clock_ns, 30000000000);
    sums.recordings[0].known_ticks = sums.ticks.count - 10;
    running_sums_find_recent(&sums);
    cr_expect_eq(sums.recent_ticks.count, 10);
    running_sums_release(&sums);
    profile_release(&profile);
    unlink(path);
}

Test(snapshot, of_a_run_that_is_longer_than_any_game_has_no_time_in_recent_ticks)
{
    /* Two ticks of 2^32 units, each of 8 s. */
    static const char log[] =
        "info: prof: $3 s1 1 begin version=1 state=sim clock=x at=0 step=1e-6 unit=8 tick=0 "
        "time=0 marks=yes memory=no calibration=0 calibrator=? lua_call=? c_call=? next_call=?\n"
        "info: prof: $3 s1 2 source 0 @/lua/a.lua\n"
        "info: prof: $3 s1 3 function 0 0 1 f\n"
        "info: prof: $3 s1 4 site 0 0,-2\n"
        "info: prof: $3 s1 5 thread 1 main\n"
        "info: prof: $3 s1 6 events 1 0 0 #1A.4294967295#2A.4294967295#3\n";
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    struct profile profile;
    struct running_sums sums = {0};
    struct error err;
    write_log(path, log);
    cr_assert(profile_init(&profile, &err));
    cr_assert(profile_read(&profile, path, &err), "%s", err.text);
    snapshot_sum(&profile, &sums);
    running_sums_find_recent(&sums);
    cr_expect_eq(sums.ticks.count, 2);
    cr_expect_eq(sums.recent_ticks.count, 2);
    cr_expect_eq(sums.ticks.total_ns, 0);
    cr_expect_eq(sums.recent_ticks.total_ns, 0);
    cr_expect_eq(sums.recent_ticks.longest_ns, 0);
    running_sums_release(&sums);
    profile_release(&profile);
    unlink(path);
}
