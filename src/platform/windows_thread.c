#include "platform/thread.h"

#include <process.h>
#include <stdlib.h>
#include <windows.h>

/* Without objects of the kernel: those of mingw's pthreads are slow, most of all in Wine. */
struct monitor {
    SRWLOCK lock;
    CONDITION_VARIABLE changed;
};

struct monitor *monitor_new(void)
{
    struct monitor *monitor = malloc(sizeof *monitor);
    if (monitor == NULL)
        return NULL;
    InitializeSRWLock(&monitor->lock);
    InitializeConditionVariable(&monitor->changed);
    return monitor;
}

void monitor_free(struct monitor *monitor)
{
    free(monitor);
}

void monitor_enter(struct monitor *monitor)
{
    AcquireSRWLockExclusive(&monitor->lock);
}

void monitor_leave(struct monitor *monitor)
{
    ReleaseSRWLockExclusive(&monitor->lock);
}

void monitor_wait(struct monitor *monitor)
{
    SleepConditionVariableSRW(&monitor->changed, &monitor->lock, INFINITE, 0);
}

void monitor_wake(struct monitor *monitor)
{
    WakeConditionVariable(&monitor->changed);
}

struct thread {
    HANDLE handle;
    void (*run)(void *context);
    void *context;
};

static unsigned __stdcall run(void *argument)
{
    struct thread *thread = argument;
    thread->run(thread->context);
    return 0;
}

struct thread *thread_start(void (*run_it)(void *context), void *context)
{
    struct thread *thread = malloc(sizeof *thread);
    if (thread == NULL)
        return NULL;
    thread->run = run_it;
    thread->context = context;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, run, thread, 0, NULL);
    if (thread->handle != NULL)
        return thread;
    free(thread);
    return NULL;
}

void thread_join(struct thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}
