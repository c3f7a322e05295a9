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

static void expect_same_tree(const struct profile *a, const struct profile *b, const char *what)
{
    const struct tree *left = &a->tree, *right = &b->tree;
    uint32_t count = left->node_count;
    cr_assert_eq(count, right->node_count, "%s: %u and %u nodes", what, count, right->node_count);
    cr_expect_gt(count, 1, "%s", what);
    cr_expect_eq(memcmp(left->calls, right->calls, count * sizeof *left->calls), 0, "%s", what);
    cr_expect_eq(memcmp(left->call_counts, right->call_counts, count * sizeof *left->call_counts),
                 0, "%s", what);
    cr_expect_eq(memcmp(left->self_ns, right->self_ns, count * sizeof *left->self_ns), 0, "%s",
                 what);
    cr_expect_eq(memcmp(left->total_ns, right->total_ns, count * sizeof *left->total_ns), 0, "%s",
                 what);
    for (uint32_t i = 0; left->details != NULL && i < count; i++) {
        const struct call_details *x = &left->details[i], *y = &right->details[i];
        cr_expect(x->errors == y->errors && x->finished == y->finished && x->max_ns == y->max_ns &&
                      x->memory_kb == y->memory_kb,
                  "%s: node %u", what, i);
    }
}

static struct span name_of(const struct profile *profile, uint32_t function)
{
    return intern_get(&profile->symbols.strings, profile->symbols.functions[function].name);
}

static void expect_same(const struct profile *a, const struct profile *b, const char *what)
{
    expect_same_tree(a, b, what);
    cr_assert_eq(a->ticks.count, b->ticks.count, "%s: ticks", what);
    for (size_t i = 0; i < a->ticks.count; i++)
        cr_expect_eq(a->ticks.ticks[i].time_ns, b->ticks.ticks[i].time_ns, "%s: tick %zu", what, i);
    cr_expect_eq(a->threads.wake_count, b->threads.wake_count, "%s: wakes", what);
    cr_expect_eq(a->threads.life_count, b->threads.life_count, "%s: lives", what);
    cr_expect_eq(a->slow.all.slow_ns, b->slow.all.slow_ns, "%s: slow ticks", what);
    cr_expect_eq(a->counts.events, b->counts.events, "%s: events", what);
    cr_expect_eq(a->counts.runs, b->counts.runs, "%s: runs", what);
    cr_expect_eq(a->counts.bytes, b->counts.bytes, "%s: bytes", what);
    cr_assert_eq(a->game_logs.count, b->game_logs.count, "%s: logs", what);
    for (size_t i = 0; i < a->game_logs.count; i++)
        cr_expect_eq(a->game_logs.all[i].log.lines, b->game_logs.all[i].log.lines, "%s: lines",
                     what);
    for (uint32_t i = 0; i < b->symbols.function_count; i++)
        cr_expect(a->symbols.functions[i].is_used == b->symbols.functions[i].is_used &&
                      span_is_same(name_of(a, i), name_of(b, i)),
                  "%s: function %u", what, i);
}

struct watch {
    struct profile profile, snapshot;
    int64_t window_ns;
    bool has_snapshot;
    int count;
};

/* Makes a snapshot before each read; keeps the last, of all that was read. */
static bool make_snapshot(void *context, int file, uint64_t byte_count, bool is_at_end)
{
    struct watch *watch = context;
    (void)file, (void)byte_count;
    if (watch->profile.reading == NULL)
        return true;
    profile_snapshot(&watch->snapshot, &watch->profile, watch->window_ns);
    profile_finish(&watch->snapshot);
    watch->count++;
    watch->has_snapshot = is_at_end;
    if (!is_at_end)
        profile_release_snapshot(&watch->snapshot, &watch->profile);
    return !is_at_end;
}

static void watch_log(struct watch *watch, const char *path, int64_t window_ns)
{
    struct error err;
    const struct follower follower = {.wait = make_snapshot, .context = watch};
    cr_assert(profile_init(&watch->profile, &err));
    watch->profile.follower = &follower;
    watch->profile.rebuild.can_be_copied = true;
    watch->window_ns = window_ns;
    cr_assert(profile_read(&watch->profile, path, &err), "%s", err.text);
    cr_assert(watch->has_snapshot);
}

static void end_watch(struct watch *watch)
{
    profile_release_snapshot(&watch->snapshot, &watch->profile);
    profile_release(&watch->profile);
}

static void read_log(struct profile *profile, const char *path, const struct window_border *from)
{
    struct error err;
    cr_assert(profile_init(profile, &err));
    if (from != NULL)
        profile->rebuild.from = *from;
    cr_assert(profile_read(profile, path, &err), "%s", err.text);
    profile_finish(profile);
}

/* The snapshot at the end, and the profile after it, must be what a reader of the same bytes gets.
 */
static void expect_profile_of_the_end(const char *name, double part)
{
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    static struct watch watch;
    static struct profile plain;
    memset(&watch, 0, sizeof watch);
    cut_fixture(path, name, part);
    watch_log(&watch, path, 0);
    read_log(&plain, path, NULL);
    expect_same(&watch.snapshot, &plain, name);
    profile_release_snapshot(&watch.snapshot, &watch.profile);
    profile_finish(&watch.profile);
    expect_same(&watch.profile, &plain, name);
    profile_release(&watch.profile);
    profile_release(&plain);
    unlink(path);
}

Test(snapshot, of_a_recording_that_has_not_ended_is_what_its_report_will_be)
{
    expect_profile_of_the_end("recorded-spikes.log.gz", 0.9);
    expect_profile_of_the_end("recorded-callbacks.log.gz", 0.99);
    expect_profile_of_the_end("recorded-coroutines.log.gz", 0.9);
    expect_profile_of_the_end("recorded-errors.log.gz", 0.9);
}

Test(snapshot, of_a_recording_that_has_ended_is_its_report)
{
    expect_profile_of_the_end("recorded-spikes.log.gz", 1);
    expect_profile_of_the_end("recorded-coroutines.log.gz", 1);
}

Test(snapshot, of_records_has_their_sums)
{
    expect_profile_of_the_end("small-float.log.gz", 0.5);
    expect_profile_of_the_end("recursion.log", 1);
}

Test(snapshot, of_the_last_seconds_is_a_window)
{
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    static struct watch watch;
    static struct profile plain;
    cut_fixture(path, "recorded-spikes.log.gz", 0.9);
    watch_log(&watch, path, 10000000000);
    cr_expect_eq(watch.snapshot.ticks.count, 100);
    cr_expect_eq(watch.snapshot.rebuilt[0].last_tick, watch.snapshot.rebuilt[0].all_last_tick);
    read_log(&plain, path, &watch.snapshot.rebuild.from);
    expect_same(&watch.snapshot, &plain, "window");
    profile_release(&plain);
    end_watch(&watch);
    unlink(path);
}

Test(snapshot, of_the_last_seconds_has_no_records)
{
    char path[] = "/tmp/supprof-snapshot-XXXXXX";
    static struct watch watch;
    cut_fixture(path, "recursion.log", 1);
    watch_log(&watch, path, 10000000000);
    cr_expect_gt(watch.snapshot.counts.records, 0);
    cr_expect_eq(watch.snapshot.counts.timeless, 0);
    end_watch(&watch);
    unlink(path);
}
