#include "base/crew.h"

#include "base/mem.h"

struct crew {
    const struct crew_work *work;
    size_t thread_count;
    struct worker **others; /* [thread_count - 1]; the lock of the first is that of all threads */

    /* Guarded by the lock. */
    size_t begun, joined; /* things; those from `joined` to `begun` are prepared, or will be */
    bool *is_prepared;    /* [count] */
    bool is_joining, has_failed;
};

/* Joins the next thing. The lock is entered before and afterwards. */
static void join(struct crew *crew)
{
    struct worker *lock = crew->others[0];
    crew->is_joining = true;
    worker_leave(lock);
    bool is_good = crew->work->join(crew->work->context, lock, crew->joined);
    worker_enter(lock);
    crew->is_joining = false;
    crew->has_failed |= !is_good;
    crew->joined++;
    worker_wake(lock);
}

static void prepare(struct crew *crew)
{
    struct worker *lock = crew->others[0];
    size_t thing = crew->begun++;
    worker_leave(lock);
    crew->work->prepare(crew->work->context, lock, thing);
    worker_enter(lock);
    crew->is_prepared[thing] = true;
    worker_wake(lock);
}

/* The things that are prepared, or will be, and that nothing joins yet. */
static size_t count_waiting(const struct crew *crew)
{
    return crew->begun - crew->joined - crew->is_joining;
}

/* What each thread does. Joining comes first: it makes room for the next thing. */
static void take_part(void *context)
{
    struct crew *crew = context;
    size_t count = crew->work->count;
    struct worker *lock = crew->others[0];
    worker_enter(lock);
    while (crew->joined < count && !crew->has_failed) {
        if (!crew->is_joining && crew->is_prepared[crew->joined])
            join(crew);
        else if (crew->begun < count && count_waiting(crew) < crew->thread_count)
            prepare(crew);
        else
            worker_wait(lock);
    }
    worker_leave(lock);
}

static bool join_all(const struct crew_work *work)
{
    bool is_good = true;
    for (size_t i = 0; i < work->count && is_good; i++)
        is_good = work->join(work->context, NULL, i);
    return is_good;
}

bool crew_run(const struct crew_work *work, size_t thread_count)
{
    if (thread_count <= 1)
        return join_all(work);
    size_t other_count = thread_count - 1, started = 0;
    struct crew crew = {.work = work, .thread_count = thread_count};
    SCOPED_ARRAY struct worker **others = mem_zeroed(other_count, sizeof *others);
    SCOPED_ARRAY bool *is_prepared = mem_zeroed(work->count, sizeof *is_prepared);
    crew.others = others;
    crew.is_prepared = is_prepared;
    while (started < other_count && worker_start(&others[started], take_part, &crew))
        started++;
    if (started == 0)
        return join_all(work);
    take_part(&crew);
    while (started-- > 0)
        worker_join(others[started]);
    return !crew.has_failed;
}

void crew_run_both(void (*run)(void *context), void *context, void (*run_other)(void *context),
                   void *other_context, bool has_thread)
{
    struct worker *other = NULL;
    bool is_started = has_thread && thread_processor_count() > 1 &&
                      worker_start(&other, run_other, other_context);
    run(context);
    if (!is_started)
        run_other(other_context);
    worker_join(other);
}
