#include "base/crew.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(crew, .timeout = 60);

enum { THINGS = 200 };

struct seen {
    size_t prepared[THINGS], joined[THINGS];
    size_t order, at_once, most_at_once, waiting, most_waiting;
    size_t fails_at;
};

static void prepare(void *context, struct worker *lock, size_t thing)
{
    struct seen *seen = context;
    worker_enter(lock);
    seen->prepared[thing]++;
    seen->at_once++;
    seen->waiting++;
    if (seen->at_once > seen->most_at_once)
        seen->most_at_once = seen->at_once;
    if (seen->waiting > seen->most_waiting)
        seen->most_waiting = seen->waiting;
    /* Thing 0 waits for another one: so two were prepared at once. */
    worker_wake(lock);
    while (thing == 0 && seen->prepared[1] == 0)
        worker_wait(lock);
    seen->at_once--;
    worker_leave(lock);
}

static bool join(void *context, struct worker *lock, size_t thing)
{
    struct seen *seen = context;
    cr_assert_eq(thing, seen->order, "%zu is joined after %zu things", thing, seen->order);
    seen->order++;
    seen->joined[thing]++;
    worker_enter(lock);
    seen->waiting -= seen->prepared[thing];
    worker_leave(lock);
    return thing != seen->fails_at;
}

static bool run(struct seen *seen, size_t thread_count)
{
    *seen = (struct seen){.fails_at = seen->fails_at};
    const struct crew_work work = {THINGS, prepare, join, seen};
    return crew_run(&work, thread_count);
}

Test(crew, joins_all_in_order)
{
    for (size_t threads = 2; threads < 5; threads++) {
        struct seen seen = {.fails_at = THINGS};
        cr_assert(run(&seen, threads));
        cr_assert_eq(seen.order, THINGS);
        for (size_t i = 0; i < THINGS; i++)
            cr_assert(seen.prepared[i] == 1 && seen.joined[i] == 1);
        cr_assert_geq(seen.most_at_once, 2);
        cr_assert_leq(seen.most_at_once, threads);
        cr_assert_leq(seen.most_waiting, threads + 1);
    }
}

Test(crew, one_thread_prepares_nothing)
{
    struct seen seen = {.fails_at = THINGS};
    cr_assert(run(&seen, 1));
    cr_assert_eq(seen.order, THINGS);
    for (size_t i = 0; i < THINGS; i++)
        cr_assert_eq(seen.prepared[i], 0);
}

Test(crew, ends_after_a_failure)
{
    for (size_t threads = 1; threads < 4; threads++) {
        struct seen seen = {.fails_at = 7};
        cr_assert_not(run(&seen, threads));
        cr_assert_eq(seen.order, 8);
    }
}

/* Two things that note the order in which they are run. */
struct both {
    int count, first, second;
};

static void run_first(void *context)
{
    struct both *both = context;
    both->first = ++both->count;
}

static void run_second(void *context)
{
    struct both *both = context;
    both->second = ++both->count;
}

static void run_alone(void *context)
{
    ++*(int *)context;
}

Test(crew, runs_both_in_order_on_one_thread_and_each_once_on_two)
{
    struct both both = {0};
    int first = 0, second = 0;
    crew_run_both(run_first, &both, run_second, &both, false);
    cr_expect_eq(both.first, 1);
    cr_expect_eq(both.second, 2);
    crew_run_both(run_alone, &first, run_alone, &second, true);
    cr_expect_eq(first, 1);
    cr_expect_eq(second, 1);
}
