#include "base/job.h"

#include "platform/thread.h"

#include <stddef.h>

void job_start(struct job *job, void (*run)(void *context), void *context)
{
    job->thread = thread_start(run, context);
    if (job->thread == NULL)
        run(context);
}

void job_wait(struct job *job)
{
    if (job->thread != NULL)
        thread_join(job->thread);
    job->thread = NULL;
}
