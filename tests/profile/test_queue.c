#include "base/mem.h"
#include "profile/queue.h"

#include <criterion/criterion.h>

static void add_up(void *context, const struct batch *batch)
{
    uint64_t *sum = context;
    for (size_t i = 0; i < batch->stacks.count; i++)
        *sum = *sum * 31 + batch->stacks.at[i].calls;
}

static bool nothing_to_help(void *context)
{
    (void)context;
    return false;
}

static struct queue *start(uint64_t *sum)
{
    return queue_start((struct queue_work){add_up, nothing_to_help, sum}, true);
}

static void fill(struct queue *queue, uint64_t calls, uint64_t *expected)
{
    struct batch *batch = queue_batch(queue);
    cr_assert_eq(batch->stacks.count, 0);
    MEM_GROW(batch->stacks.at, batch->stacks.capacity, 1);
    batch->stacks.at[batch->stacks.count++] = (struct stack){.calls = calls};
    *expected = *expected * 31 + calls;
}

Test(stacks, arrive_in_order_and_only_once)
{
    uint64_t sum = 0, expected = 0;
    struct queue *queue = start(&sum);
    for (uint64_t i = 0; i < 1000; i++) {
        fill(queue, i, &expected);
        queue_push(queue);
    }
    queue_finish(queue);
    cr_expect_eq(sum, expected);
}

/* What is kept of a log waits for nothing, and the batches can be filled again. */
Test(stacks, are_all_consumed_where_a_log_ends)
{
    uint64_t sum = 0, expected = 0;
    struct queue *queue = start(&sum);
    for (uint64_t log = 0; log < 50; log++) {
        for (uint64_t i = 0; i < log; i++) {
            fill(queue, i, &expected);
            queue_push(queue);
        }
        fill(queue, log, &expected);
        queue_drain(queue);
        cr_expect_eq(sum, expected);
    }
    queue_finish(queue);
}

Test(stacks, may_be_none)
{
    uint64_t sum = 0;
    queue_finish(start(&sum));
    cr_expect_eq(sum, 0);
}
