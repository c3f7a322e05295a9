/*
 * job.h - one function call on another thread, while the caller goes on.
 */
#pragma once

/* All zero: nothing runs. */
struct job {
    struct os_thread *thread; /* NULL if it is not running */
};

/*
 * Calls run(context) on another thread, or at once if none can be started. The job before must have
 * been waited for.
 */
void job_start(struct job *job, void (*run)(void *context), void *context);

/* Waits until the call has returned. Does nothing without a job. */
void job_wait(struct job *job);
