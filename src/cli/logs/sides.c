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
struct part {
    struct sides *sides;
    struct side *side;
    struct session *session; /* that of the side for the first part, else allocated; NULL before,
                                and for other parts of a sum */
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
    struct part *parts; /* [count] */
    size_t count, log_count;
    enum lua_state state; /* of the recordings until now */
    struct joined_logs joined[8 * sizeof(size_t)];
    size_t joined_count;

    struct session *unended; /* of a sum, whose logs have failed or were stopped; NULL: none */
    bool is_unended_good;

    /* Guarded by the lock of the console. */
    double done; /* the sum of all parts */
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

/* Sets how much of a part is read, and of all. Returns whether nothing has failed before. */
static bool set_done(struct part *part, double done, double *all)
{
    struct sides *sides = part->sides;
    worker_enter(sides->console->lock);
    sides->done += done - part->done;
    part->done = done;
    *all = sides->done / (double)sides->count;
    bool has_failed = sides->has_failed;
    worker_leave(sides->console->lock);
    return !has_failed;
}

/* For the console of a part: shows how much of all logs is read. */
static bool goes_on(void *context, double done)
{
    struct part *part = context;
    struct console *console = part->sides->console;
    char logs[32];
    double all;
    /* It is negative where it is not known: of an empty file. */
    bool is_good = set_done(part, done > 0 ? done : 0, &all);
    if (!is_good || (!console->shows_progress && console->goes_on == NULL))
        return is_good;
    snprintf(logs, sizeof logs, "%zu logs", part->sides->log_count);
    return console_progress(console, logs, all, 0);
}

/* Makes the session of a part as it is before its logs are read. */
static void make_session(struct part *part, enum lua_state state)
{
    if (part->session == NULL)
        part->session = part->is_first ? part->side->session : mem_zeroed(1, sizeof *part->session);
    *part->session = part->side->before;
    part->session->logs = part->logs;
    part->session->state = state;
}

/* The rest of the reading. */
static bool end_part(struct session *session)
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

static void read_ahead(struct part *part)
{
    part->ahead = take_spare(part->sides);
    if (part->ahead == NULL)
        return;
    part->ahead->log.console = &part->console;
    session_read_ahead(&part->side->before, part->logs.all[0], &part->ahead->log);
    part->is_prepared = true;
}

static void read_session(struct part *part)
{
    make_session(part, part->side->before.state);
    part->session->console = &part->console;
    part->session->passed_sources = &part->passed;
    part->is_good =
        session_begin(part->session) && (ends_in_order(part->session) || end_part(part->session));
    part->is_prepared = true;
}

static void prepare(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct part *part = &sides->parts[number];
    share(sides, lock);
    if (!part->can_be_prepared)
        return;
    part->console = (struct console){.is_quiet = sides->console->is_quiet,
                                     .is_verbose = sides->console->is_verbose,
                                     .goes_on = goes_on,
                                     .goes_on_context = part,
                                     .later = &part->messages};
    if (part->is_of_sum)
        read_ahead(part);
    else
        read_session(part);
}

/* Whether what was read without knowing the state is what is read with it. */
static bool is_of_state(const struct session *session, enum lua_state state)
{
    return session->state == state ||
           (session->profile.rebuild.state == state &&
            tick_kinds[session->state].limit_ns == tick_kinds[state].limit_ns);
}

/* Reads a part, or takes what was read of it. */
static bool read_part(struct part *part)
{
    struct sides *sides = part->sides;
    if (part->is_prepared && is_of_state(part->session, sides->state)) {
        part->session->console = sides->console;
        part->session->passed_sources = part->side->before.passed_sources;
        console_say_later(sides->console, &part->console);
        passed_sources_join(part->side->before.passed_sources, &part->passed);
        return part->is_good && (!ends_in_order(part->session) || end_part(part->session));
    }
    if (part->is_prepared)
        session_release(part->session);
    make_session(part, sides->state);
    return session_begin(part->session) && end_part(part->session);
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
 * Joins a log of --repeated with those before. To join two sessions takes time in proportion to
 * both; so those of as many logs are joined, and the rest at the end of the side. Logs are added
 * up in the same order whatever comes after them.
 */
static bool join_repeated(struct sides *sides, struct part *part)
{
    bool is_good = true;
    sides->joined[sides->joined_count++] = (struct joined_logs){part->session, 1};
    part->session = NULL;
    while (is_good && sides->joined_count > 1) {
        const struct joined_logs *last = &sides->joined[sides->joined_count - 1];
        if (last[-1].log_count != last->log_count && !part->is_last)
            break;
        is_good = join_last(sides);
    }
    if (is_good && part->is_last) {
        sides->joined_count = 0;
        end_repeated(part->side);
    }
    return is_good;
}

/* Adds a log to those before, and ends the session after the last one. */
static bool add_log(struct part *part)
{
    struct sides *sides = part->sides;
    struct session *session = part->side->session;
    size_t log = (size_t)(part->logs.all - part->side->before.logs.all);
    if (part->is_first) {
        *session = part->side->before;
        session->state = sides->state;
        if (!session_start(session))
            return false;
    }
    bool is_good = session_read_log(session, log, part->is_prepared ? &part->ahead->log : NULL);
    if (part->ahead != NULL)
        give_back(sides, part->ahead);
    part->ahead = NULL;
    if (is_good && !session->is_stopped)
        return !part->is_last || (session_end_logs(session, true) && end_part(session));
    /* Other logs are still read. */
    sides->unended = session;
    sides->is_unended_good = is_good;
    return false;
}

static bool join(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct part *part = &sides->parts[number];
    share(sides, lock);
    /* Both sides are of one state, and all logs of --repeated of that of the one before. */
    if (part->is_first && number > 0)
        sides->state = sides->sides[0].session->profile.rebuild.state;
    bool is_good = part->is_of_sum ? add_log(part) : read_part(part);
    if (part->session != NULL && part->session->options->is_repeated) {
        sides->state = part->session->profile.rebuild.state;
        is_good = is_good && join_repeated(sides, part);
    }
    double all;
    set_done(part, 1, &all);
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
        are_files = strcmp(logs->all[i], "-") != 0 && file_status(&status, logs->all[i]) &&
                    status.kind == FILE_REGULAR;
    return are_files;
}

/* Divides a side into its logs, if they can be read side by side. */
static void add_parts(struct sides *sides, struct side *side)
{
    const struct name_list *logs = &side->before.logs;
    bool is_repeated = side->before.options->is_repeated;
    bool is_sum = !is_repeated && logs->count > 1 && session_can_read_ahead(&side->before);
    size_t count = is_repeated || is_sum ? logs->count : 1;
    for (size_t i = 0; i < count; i++) {
        struct part *part = &sides->parts[sides->count++];
        *part = (struct part){.sides = sides,
                              .side = side,
                              .logs = {.all = logs->all + i, .count = logs->count / count},
                              .is_of_sum = is_sum,
                              .is_first = i == 0,
                              .is_last = i + 1 == count};
        part->can_be_prepared = !side->before.options->reading.follows && are_files(&part->logs);
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
        threads += sides->parts[i].can_be_prepared;
    bool is_alone = threads <= 1;
    for (size_t i = 0; i < sizeof sides->sides / sizeof sides->sides[0]; i++)
        sides->sides[i].before.thread_max = !is_alone        ? processors / threads
                                            : processors > 1 ? PROFILE_THREADS
                                                             : 1;
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

static void release_parts(struct sides *sides)
{
    for (size_t i = 0; i < sides->joined_count; i++)
        release_session(sides, sides->joined[i].session);
    for (size_t i = 0; i < sides->count; i++) {
        struct part *part = &sides->parts[i];
        later_messages_release(&part->messages);
        intern_release(&part->passed.paths);
        release_session(sides, part->session);
        if (part->ahead != NULL)
            release_spare(part->ahead);
    }
    for (struct spare *spare = sides->spares, *next; spare != NULL; spare = next) {
        next = spare->next;
        release_spare(spare);
    }
}

bool sides_read(struct session *session)
{
    struct sides sides = {.console = session->console,
                          .state = session->state,
                          .sides[0] = {session, *session},
                          .log_count = session->logs.count};
    if (session->old != NULL) {
        sides.sides[1] = (struct side){session->old, *session->old};
        sides.log_count += session->old->logs.count;
    }
    SCOPED_ARRAY struct part *parts = mem_zeroed(sides.log_count, sizeof *parts);
    sides.parts = parts;
    add_parts(&sides, &sides.sides[0]);
    if (session->old != NULL)
        add_parts(&sides, &sides.sides[1]);
    if (session_can_be_stopped(session))
        interrupt_catch();
    const struct crew_work work = {sides.count, prepare, join, &sides};
    bool is_good = crew_run(&work, divide_threads(&sides));
    sides.console->lock = NULL;
    if (sides.unended != NULL)
        is_good = session_end_logs(sides.unended, sides.is_unended_good) && end_part(sides.unended);
    console_end_progress(sides.console);
    release_parts(&sides);
    return is_good;
}
