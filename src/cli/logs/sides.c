#include "cli/logs/sides.h"

#include "base/crew.h"
#include "cli/logs/comparison.h"
#include "platform/interrupt.h"

#include <stdio.h>

/* One side of a comparison, or all there is. */
struct side {
    struct session *session;
    struct session before; /* as the caller made it */
};

/*
 * What one thread reads: a log of several that add up; or the logs of a session, which are those of
 * a side, or one log of --repeated.
 */
struct job {
    struct sides *sides;
    struct side *side;
    struct session *session; /* that of the side for the first job, else allocated; NULL before,
                                and for other jobs of a sum */
    struct name_list logs;
    bool is_of_sum;
    bool is_first, is_last; /* of the side */
    double done;            /* from 0 to 1; guarded by the lock */

    /* What was read and said beside others. */
    bool can_be_prepared, is_prepared, is_good;
    struct console console;
    struct later_messages messages;
    struct passed_sources passed;
    struct spare *ahead; /* of a sum */
};

/* Memory to read a log ahead; a grammar takes longer to make than a small log to read. */
struct spare {
    struct log_ahead log;
    struct spare *next;
};

/* The sessions of --repeated that are to be joined: each has fewer logs than the one before. */
struct joined_logs {
    struct session *session;
    size_t log_count;
};

struct sides {
    struct side sides[2];
    struct console *console;
    struct job *jobs; /* [count] */
    size_t count, log_count;
    enum lua_state state; /* of the recordings until now */
    struct joined_logs joined[8 * sizeof(size_t)];
    size_t joined_count;

    struct session *unended; /* of a sum, whose logs have failed or were stopped; NULL: none */
    bool is_unended_good;

    /* Guarded by the lock of the console. */
    double done; /* the sum of all jobs */
    bool has_failed;
    struct spare *spares;
};

/* From now on several threads may use the console. */
static void share(struct sides *sides, struct worker *lock)
{
    worker_enter(lock);
    if (sides->console->lock == NULL)
        sides->console->lock = lock;
    worker_leave(lock);
}

/* Sets how much of a job is read, and of all. Returns whether nothing has failed before. */
static bool set_done(struct job *job, double done, double *all)
{
    struct sides *sides = job->sides;
    worker_enter(sides->console->lock);
    sides->done += done - job->done;
    job->done = done;
    *all = sides->done / (double)sides->count;
    bool has_failed = sides->has_failed;
    worker_leave(sides->console->lock);
    return !has_failed;
}

/* For the console of a job: shows how much of all logs is read. */
static bool goes_on(void *context, double done)
{
    struct job *job = context;
    struct console *console = job->sides->console;
    char logs[32];
    double all;
    /* It is negative where it is not known: of an empty file. */
    bool is_good = set_done(job, done > 0 ? done : 0, &all);
    if (!is_good || (!console->shows_progress && console->goes_on == NULL))
        return is_good;
    snprintf(logs, sizeof logs, "%zu logs", job->sides->log_count);
    return console_progress(console, logs, all, 0);
}

/* Makes the session of a job as it is before its logs are read. */
static void make_session(struct job *job, enum lua_state state)
{
    if (job->session == NULL)
        job->session = job->is_first ? job->side->session : mem_zeroed(1, sizeof *job->session);
    *job->session = job->side->before;
    job->session->logs = job->logs;
    job->session->state = state;
}

/* The rest of the reading. */
static bool end_session(struct session *session)
{
    if (!session_select(session))
        return false;
    if (session->options->is_repeated)
        repeated_log_end(session);
    return true;
}

/* Patterns are searched for in the order of the logs: what one may take is for all of them. */
static bool ends_in_order(const struct session *session)
{
    return session->selection->filters.count > 0;
}

/* Returns NULL if it cannot be made: why is said where the log is read. */
static struct spare *take_spare(struct sides *sides)
{
    struct error err;
    worker_enter(sides->console->lock);
    struct spare *spare = sides->spares;
    if (spare != NULL)
        sides->spares = spare->next;
    worker_leave(sides->console->lock);
    if (spare != NULL) {
        profile_clear(&spare->log.profile);
        return spare;
    }
    spare = mem_zeroed(1, sizeof *spare);
    if (profile_init(&spare->log.profile, &err))
        return spare;
    free(spare);
    return NULL;
}

static void give_back(struct sides *sides, struct spare *spare)
{
    worker_enter(sides->console->lock);
    spare->next = sides->spares;
    sides->spares = spare;
    worker_leave(sides->console->lock);
}

static void read_ahead(struct job *job)
{
    job->ahead = take_spare(job->sides);
    if (job->ahead == NULL)
        return;
    job->ahead->log.console = &job->console;
    session_read_ahead(&job->side->before, job->logs.all[0], &job->ahead->log);
    job->is_prepared = true;
}

static void read_session(struct job *job)
{
    make_session(job, job->side->before.state);
    job->session->console = &job->console;
    job->session->passed_sources = &job->passed;
    job->is_good =
        session_begin(job->session) && (ends_in_order(job->session) || end_session(job->session));
    job->is_prepared = true;
}

static void prepare(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct job *job = &sides->jobs[number];
    share(sides, lock);
    if (!job->can_be_prepared)
        return;
    job->console = (struct console){.is_quiet = sides->console->is_quiet,
                                    .is_verbose = sides->console->is_verbose,
                                    .goes_on = goes_on,
                                    .goes_on_context = job,
                                    .later = &job->messages};
    if (job->is_of_sum)
        read_ahead(job);
    else
        read_session(job);
}

/* Whether what was read without knowing the state is what is read with it. */
static bool is_of_state(const struct session *session, enum lua_state state)
{
    return session->state == state ||
           (session->profile.rebuild.state == state &&
            tick_kinds[session->state].limit_ns == tick_kinds[state].limit_ns);
}

/* Reads a job, or takes what was read of it. */
static bool read_job(struct job *job)
{
    struct sides *sides = job->sides;
    if (job->is_prepared && is_of_state(job->session, sides->state)) {
        job->session->console = sides->console;
        job->session->passed_sources = job->side->before.passed_sources;
        console_say_later(sides->console, &job->console);
        passed_sources_join(job->side->before.passed_sources, &job->passed);
        return job->is_good && (!ends_in_order(job->session) || end_session(job->session));
    }
    if (job->is_prepared)
        session_release(job->session);
    make_session(job, sides->state);
    return session_begin(job->session) && end_session(job->session);
}

/* Joins the last two of the sessions that are to be joined. */
static bool join_last(struct sides *sides)
{
    struct joined_logs *last = &sides->joined[--sides->joined_count];
    bool is_good = repeated_logs_join(last[-1].session, last->session);
    last[-1].log_count += last->log_count;
    session_release(last->session);
    free(last->session);
    return is_good;
}

/* Makes a session that has read the first log of --repeated the one of all logs. */
static void end_repeated(struct side *side)
{
    side->session->logs = side->before.logs;
    side->session->report.all_ns /= (int64_t)side->before.logs.count;
    session_set_title(side->session);
}

/*
 * Joins a log of --repeated with those before. To join two sessions takes time in proportion to the
 * later one, but a look at all of the other one, too; so one of many logs waits for some more, or
 * for the end of the side. Logs are added up in the same order whatever comes after them.
 */
static bool join_repeated(struct sides *sides, struct job *job)
{
    enum { TIMES_MORE_MAX = 8 };
    bool is_good = true;
    sides->joined[sides->joined_count++] = (struct joined_logs){job->session, 1};
    job->session = NULL;
    while (is_good && sides->joined_count > 1) {
        const struct joined_logs *last = &sides->joined[sides->joined_count - 1];
        if (last[-1].log_count >= TIMES_MORE_MAX * last->log_count && !job->is_last)
            break;
        is_good = join_last(sides);
    }
    if (is_good && job->is_last) {
        sides->joined_count = 0;
        end_repeated(job->side);
    }
    return is_good;
}

/* Adds a log to those before, and ends the session after the last one. */
static bool add_log(struct job *job)
{
    struct sides *sides = job->sides;
    struct session *session = job->side->session;
    size_t log = (size_t)(job->logs.all - job->side->before.logs.all);
    if (job->is_first) {
        *session = job->side->before;
        session->state = sides->state;
        if (!session_start(session))
            return false;
    }
    bool is_good = session_read_log(session, log, job->is_prepared ? &job->ahead->log : NULL);
    if (job->ahead != NULL)
        give_back(sides, job->ahead);
    job->ahead = NULL;
    if (is_good && !session->is_stopped)
        return !job->is_last || (session_end_logs(session, true) && end_session(session));
    /* Other logs are still read. */
    sides->unended = session;
    sides->is_unended_good = is_good;
    return false;
}

static bool join(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct job *job = &sides->jobs[number];
    share(sides, lock);
    /* Both sides are of one state, and all logs of --repeated of that of the one before. */
    if (job->is_first && number > 0)
        sides->state = sides->sides[0].session->profile.rebuild.state;
    bool is_good = job->is_of_sum ? add_log(job) : read_job(job);
    if (job->session != NULL && job->session->options->is_repeated) {
        sides->state = job->session->profile.rebuild.state;
        is_good = is_good && join_repeated(sides, job);
    }
    double all;
    set_done(job, 1, &all);
    worker_enter(lock);
    sides->has_failed |= !is_good;
    worker_leave(lock);
    return is_good;
}

/* Logs that are not read from a file may not have come yet, and may be read only once. */
static bool are_files(const struct name_list *logs)
{
    struct file_status status;
    bool are_files = true;
    for (size_t i = 0; i < logs->count && are_files; i++)
        are_files = !file_is_standard(logs->all[i]) && file_status(&status, logs->all[i]) &&
                    status.kind == FILE_REGULAR;
    return are_files;
}

/* Divides a side into its logs, if they can be read side by side. */
static void add_jobs(struct sides *sides, struct side *side)
{
    const struct name_list *logs = &side->before.logs;
    bool is_repeated = side->before.options->is_repeated;
    bool is_sum = !is_repeated && logs->count > 1 && session_can_read_ahead(&side->before);
    size_t count = is_repeated || is_sum ? logs->count : 1;
    for (size_t i = 0; i < count; i++) {
        struct job *job = &sides->jobs[sides->count++];
        *job = (struct job){.sides = sides,
                            .side = side,
                            .logs = {.all = logs->all + i, .count = logs->count / count},
                            .is_of_sum = is_sum,
                            .is_first = i == 0,
                            .is_last = i + 1 == count};
        job->can_be_prepared = !side->before.options->reading.follows && are_files(&job->logs);
    }
}

/*
 * Returns how many threads read logs side by side. A log that is read alone, before or after the
 * others, gets all the threads that it has work for.
 */
static size_t divide_threads(struct sides *sides)
{
    size_t processors = thread_processor_count(), threads = 0;
    for (size_t i = 0; i < sides->count && threads < processors; i++)
        threads += sides->jobs[i].can_be_prepared;
    bool is_alone = threads <= 1;
    for (size_t i = 0; i < sizeof sides->sides / sizeof sides->sides[0]; i++)
        sides->sides[i].before.thread_max = is_alone ? processors : processors / threads;
    return is_alone ? 1 : threads;
}

static void release_session(struct sides *sides, struct session *session)
{
    if (session == NULL || session == sides->sides[0].session || session == sides->sides[1].session)
        return;
    session_release(session);
    free(session);
}

static void release_spare(struct spare *spare)
{
    profile_release(&spare->log.profile);
    free(spare);
}

static void release_jobs(struct sides *sides)
{
    for (size_t i = 0; i < sides->joined_count; i++)
        release_session(sides, sides->joined[i].session);
    for (size_t i = 0; i < sides->count; i++) {
        struct job *job = &sides->jobs[i];
        later_messages_release(&job->messages);
        intern_release(&job->passed.paths);
        release_session(sides, job->session);
        if (job->ahead != NULL)
            release_spare(job->ahead);
    }
    for (struct spare *spare = sides->spares, *next; spare != NULL; spare = next) {
        next = spare->next;
        release_spare(spare);
    }
}

static bool read_several(struct session *session)
{
    struct sides sides = {.console = session->console,
                          .state = session->state,
                          .sides[0] = {session, *session},
                          .log_count = session->logs.count};
    if (session->old != NULL) {
        sides.sides[1] = (struct side){session->old, *session->old};
        sides.log_count += session->old->logs.count;
    }
    SCOPED_ARRAY struct job *jobs = mem_zeroed(sides.log_count, sizeof *jobs);
    sides.jobs = jobs;
    add_jobs(&sides, &sides.sides[0]);
    if (session->old != NULL)
        add_jobs(&sides, &sides.sides[1]);
    const struct crew_work work = {sides.count, prepare, join, &sides};
    bool is_good = crew_run(&work, divide_threads(&sides));
    sides.console->lock = NULL;
    if (sides.unended != NULL)
        is_good =
            session_end_logs(sides.unended, sides.is_unended_good) && end_session(sides.unended);
    console_end_progress(sides.console);
    release_jobs(&sides);
    return is_good;
}

bool sides_read(struct session *session)
{
    if (session_can_be_stopped(session))
        interrupt_catch();
    if (session->logs.count != 1 || session->old != NULL)
        return read_several(session);
    /* A log alone gets all threads. */
    session->thread_max = thread_processor_count();
    bool is_good = session_begin(session) && end_session(session);
    console_end_progress(session->console);
    return is_good;
}
