#include "platform/thread.h"

#include <stddef.h>

/* WASI has no threads: without a monitor none is started, and the reading thread does the work. */
struct monitor *monitor_new(void)
{
    return NULL;
}

void monitor_free(struct monitor *monitor)
{
}

void monitor_enter(struct monitor *monitor)
{
}

void monitor_leave(struct monitor *monitor)
{
}

void monitor_wait(struct monitor *monitor)
{
}

void monitor_wake(struct monitor *monitor)
{
}

struct os_thread *thread_start(void (*run)(void *context), void *context)
{
    return NULL;
}

void thread_join(struct os_thread *thread)
{
}
