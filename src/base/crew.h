/*
 * crew.h - several things, such as logs, that are prepared side by side, and joined in their order.
 */
#pragma once

#include "platform/thread.h"

/*
 * What a crew does, on any of its threads. prepare() may be called for several things at once, so
 * it must not touch what two of them share, unless it enters `lock`. join() is called for one thing
 * at a time, in their order; what it changes needs a lock only if prepare() uses it.
 */
struct crew_work {
    size_t count; /* of the things */
    void (*prepare)(void *context, struct worker *lock, size_t thing);
    bool (*join)(void *context, struct worker *lock, size_t thing);
    void *context;
};

/*
 * Joins all things, until one join() returns false: then false is returned, and what was prepared
 * meanwhile is left. At most `thread_count` threads work, of which the caller's is one, and at most
 * so many things are prepared beside the one that is joined. With one thread, or where the system
 * gives no other, nothing is prepared, and the lock is NULL.
 */
bool crew_run(const struct crew_work *work, size_t thread_count);

/*
 * Runs both, side by side if `has_thread`, there is another processor, and the system gives another
 * thread.
 */
void crew_run_both(void (*run)(void *context), void *context, void (*run_other)(void *context),
                   void *other_context, bool has_thread);
