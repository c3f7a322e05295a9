#include "base/mem.h"
#include "profile/queue.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <time.h>

static void add_up(void *context, const struct batch *batch)
{
    uint64_t *sum = context;
    for (size_t i = 0; i < batch->stacks.count; i++)
        *sum = *sum * 31 + batch->stacks.at[i].calls;
}

static void fill(struct queue *queue, uint64_t calls, uint64_t *expected)
{
    struct batch *batch = queue_batch(queue);
    cr_assert_eq(batch->stacks.count, 0);
    batch->stacks.at =
        mem_grow(batch->stacks.at, &batch->stacks.capacity, 1, sizeof *batch->stacks.at);
    batch->stacks.at[batch->stacks.count++] = (struct stack){.calls = calls};
    *expected = *expected * 31 + calls;
}

Test(stacks, arrive_in_order_and_only_once)
{
    uint64_t sum = 0, expected = 0;
    struct queue *queue = queue_start(add_up, &sum);
    for (uint64_t i = 0; i < 1000; i++) {
        fill(queue, i, &expected);
        queue_push(queue);
    }
    queue_finish(queue);
    cr_expect_eq(sum, expected);
}

/* Few batches and many, around their number and half of it. */
Test(stacks, are_all_consumed_after_a_drain, .timeout = 60)
{
    static const uint64_t counts[] = {1, 2, 15, 16, 17, 31, 32, 33, 1, 100};
    uint64_t sum = 0, expected = 0;
    struct queue *queue = queue_start(add_up, &sum);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (uint64_t k = 1; k <= counts[i]; k++) {
            fill(queue, k, &expected);
            if (k < counts[i])
                queue_push(queue);
        }
        queue_drain(queue);
        cr_expect_eq(sum, expected, "%zu", i);
    }
    queue_finish(queue);
    cr_expect_eq(sum, expected);
}

Test(stacks, may_be_none)
{
    uint64_t sum = 0;
    queue_finish(queue_start(add_up, &sum));
    cr_expect_eq(sum, 0);
}

/* Work that the thread does for the writer: `left` pieces of it. */
struct work {
    atomic_size_t left, done;
    atomic_bool is_running;
    long pause_ns;
};

static void pause_for(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static bool do_piece(void *context)
{
    struct work *work = context;
    work->is_running = true;
    pause_for(work->pause_ns);
    bool has_work = work->left > 0;
    if (has_work) {
        work->left--;
        work->done++;
    }
    work->is_running = false;
    return has_work;
}

static void wait_for(struct work *work, size_t done)
{
    while (work->done < done)
        pause_for(100000);
}

/* A thread that sleeps is woken; one that is about to sleep does not miss it. */
Test(help, comes_each_time_that_it_is_asked_for, .timeout = 60)
{
    uint64_t sum = 0;
    struct work work = {.left = 1};
    struct queue *queue = queue_start(add_up, &sum);
    queue_begin_help(queue, do_piece, &work);
    for (size_t i = 1; i <= 2000; i++) {
        wait_for(&work, i);
        work.left++;
        queue_ask_for_help(queue);
    }
    wait_for(&work, 2001);
    queue_end_help(queue);
    queue_finish(queue);
    cr_expect_eq(work.left, 0);
}

Test(help, changes_no_order_of_stacks, .timeout = 60)
{
    uint64_t sum = 0, expected = 0;
    struct work work = {.left = 1000};
    struct queue *queue = queue_start(add_up, &sum);
    for (int turn = 0; turn < 3; turn++) {
        queue_begin_help(queue, do_piece, &work);
        for (uint64_t i = 0; i < 500; i++) {
            fill(queue, i, &expected);
            queue_push(queue);
            queue_ask_for_help(queue);
        }
        queue_end_help(queue);
        work.left = 1000;
    }
    queue_drain(queue);
    cr_expect_eq(sum, expected);
    queue_finish(queue);
}

/* Help that always has more to do does not keep the writer waiting. */
Test(help, leaves_time_for_many_batches, .timeout = 60)
{
    uint64_t sum = 0, expected = 0;
    struct work work = {.left = SIZE_MAX};
    struct queue *queue = queue_start(add_up, &sum);
    queue_begin_help(queue, do_piece, &work);
    for (uint64_t i = 0; i < 1000; i++) {
        fill(queue, i, &expected);
        queue_push(queue);
    }
    queue_end_help(queue);
    queue_finish(queue);
    cr_expect_eq(sum, expected);
}

Test(help, does_not_run_after_its_end, .timeout = 60)
{
    enum { PAUSE_NS = 20000000 };
    uint64_t sum = 0;
    struct work work = {.left = SIZE_MAX, .pause_ns = PAUSE_NS};
    struct queue *queue = queue_start(add_up, &sum);
    for (size_t i = 1; i <= 5; i++) {
        queue_begin_help(queue, do_piece, &work);
        wait_for(&work, i);
        queue_end_help(queue);
        cr_assert(!work.is_running);
        size_t done = work.done;
        queue_ask_for_help(queue);
        pause_for(2 * PAUSE_NS);
        cr_assert(!work.is_running);
        cr_assert_eq(work.done, done);
        work.done = i;
    }
    queue_finish(queue);
}

struct visit {
    atomic_size_t count;
    atomic_bool is_asked;
};

/* Finds nothing to do; is asked for again meanwhile. */
static bool find_nothing(void *context)
{
    struct visit *visit = context;
    if (visit->count++ == 0)
        while (!visit->is_asked)
            pause_for(100000);
    return false;
}

Test(help, comes_once_more_if_it_was_asked_for_while_it_found_nothing, .timeout = 60)
{
    uint64_t sum = 0;
    struct visit visit = {.count = 0};
    struct queue *queue = queue_start(add_up, &sum);
    queue_begin_help(queue, find_nothing, &visit);
    while (visit.count == 0)
        pause_for(100000);
    queue_ask_for_help(queue);
    visit.is_asked = true;
    while (visit.count < 2)
        pause_for(100000);
    pause_for(20000000);
    cr_expect_eq(visit.count, 2);
    queue_end_help(queue);
    queue_finish(queue);
}
