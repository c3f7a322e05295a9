#include "base/job.h"

#include <criterion/criterion.h>

static void add_one(void *context)
{
    int *number = context;
    ++*number;
}

Test(job, the_call_has_returned_when_it_has_been_waited_for)
{
    struct job job = {0};
    int number = 0;
    for (int i = 1; i <= 100; i++) {
        job_start(&job, add_one, &number);
        job_wait(&job);
        cr_assert_eq(number, i);
    }
}

Test(job, there_need_be_no_job_to_wait_for)
{
    struct job job = {0};
    int number = 0;
    job_wait(&job);
    job_start(&job, add_one, &number);
    job_wait(&job);
    job_wait(&job);
    cr_expect_eq(number, 1);
}
