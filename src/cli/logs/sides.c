#include "cli/logs/sides.h"

#include "base/crew.h"
#include "cli/logs/comparison.h"

#include <stdio.h>

/* One side of a comparison, or all there is. */
struct side {
    struct session *session;
    struct session before; /* as the caller made it */
};

/* Logs that one session reads: those of a side, or one log of --repeated. */
struct part {
    struct sides *sides;
    struct side *side;
    struct session *session; /* that of the side for the first part, else allocated; NULL before */
    struct name_list logs;
    bool is_first, is_last; /* of the side */
    double done;            /* from 0 to 1; guarded by the lock */

    /* What was read and said beside others. */
    bool can_be_prepared, is_prepared, is_good;
    struct console console;
    struct later_messages messages;
    struct passed_sources passed;
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
    size_t count;
    size_t thread_max;    /* of each part */
    enum lua_state state; /* of the recordings until now */
    struct joined_logs joined[8 * sizeof(size_t)];
    size_t joined_count;

    /* Guarded by the lock of the console. */
    double done; /* the sum of all parts */
    bool has_failed;
};

/* From now on several threads may use the console. */
static void share(struct sides *sides, struct worker *lock)
{
    worker_enter(lock);
    if (sides->console->lock == NULL)
        sides->console->lock = lock;
    worker_leave(lock);
}

/* Returns whether there was no failure before. */
static bool set_done(struct part *part, double done)
{
    struct sides *sides = part->sides;
    worker_enter(sides->console->lock);
    sides->done += done - part->done;
    part->done = done;
    bool has_failed = sides->has_failed;
    worker_leave(sides->console->lock);
    return !has_failed;
}

/* For the console of a part: shows how much of all logs is read. */
static bool goes_on(void *context, double done)
{
    struct part *part = context;
    const struct sides *sides = part->sides;
    struct console *console = sides->console;
    char all[32];
    if (!set_done(part, done))
        return false;
    snprintf(all, sizeof all, "%zu logs", sides->count);
    return (!console->shows_progress && console->goes_on == NULL) ||
           console_progress(console, all, sides->done / (double)sides->count, 0);
}

/* Makes the session of a part as it is before its logs are read. */
static void make_session(struct part *part, enum lua_state state)
{
    if (part->session == NULL)
        part->session = part->is_first ? part->side->session : mem_zeroed(1, sizeof *part->session);
    *part->session = part->side->before;
    part->session->logs = part->logs;
    part->session->state = state;
    part->session->thread_max = part->sides->thread_max;
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

static void prepare(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct part *part = &sides->parts[number];
    share(sides, lock);
    if (!part->can_be_prepared)
        return;
    make_session(part, part->side->before.state);
    part->console = (struct console){.is_quiet = sides->console->is_quiet,
                                     .is_verbose = sides->console->is_verbose,
                                     .goes_on = goes_on,
                                     .goes_on_context = part,
                                     .later = &part->messages};
    part->session->console = &part->console;
    part->session->passed_sources = &part->passed;
    part->is_good =
        session_begin(part->session) && (ends_in_order(part->session) || end_part(part->session));
    part->is_prepared = true;
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
    side->session->all_ns /= (int64_t)side->before.logs.count;
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

static bool join(void *context, struct worker *lock, size_t number)
{
    struct sides *sides = context;
    struct part *part = &sides->parts[number];
    share(sides, lock);
    /* Both sides are of one state, and all logs of --repeated of that of the one before. */
    if (part->is_first && number > 0)
        sides->state = sides->sides[0].session->profile.rebuild.state;
    bool is_good = read_part(part);
    sides->state = part->session->profile.rebuild.state;
    if (is_good && part->session->options->is_repeated)
        is_good = join_repeated(sides, part);
    set_done(part, 1);
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

static void add_parts(struct sides *sides, struct side *side)
{
    const struct name_list *logs = &side->before.logs;
    size_t count = side->before.options->is_repeated ? logs->count : 1;
    for (size_t i = 0; i < count; i++)
        sides->parts[sides->count++] =
            (struct part){.sides = sides,
                          .side = side,
                          .logs = {.all = logs->all + i, .count = logs->count / count},
                          .is_first = i == 0,
                          .is_last = i + 1 == count};
}

static void release_parts(struct sides *sides)
{
    for (size_t i = 0; i < sides->joined_count; i++) {
        struct session *session = sides->joined[i].session;
        if (session == sides->sides[0].session || session == sides->sides[1].session)
            continue;
        session_release(session);
        free(session);
    }
    for (size_t i = 0; i < sides->count; i++) {
        struct part *part = &sides->parts[i];
        later_messages_release(&part->messages);
        intern_release(&part->passed.paths);
        if (part->session == NULL || part->is_first)
            continue;
        session_release(part->session);
        free(part->session);
    }
}

bool sides_read(struct session *session)
{
    struct sides sides = {
        .sides = {{session, *session}}, .console = session->console, .state = session->state};
    size_t processors = thread_processor_count();
    size_t log_count = session->logs.count;
    if (session->old != NULL) {
        sides.sides[1] = (struct side){session->old, *session->old};
        log_count += session->old->logs.count;
    }
    SCOPED_ARRAY struct part *parts = mem_zeroed(log_count, sizeof *parts);
    sides.parts = parts;
    add_parts(&sides, &sides.sides[0]);
    if (session->old != NULL)
        add_parts(&sides, &sides.sides[1]);
    size_t threads = sides.count < processors ? sides.count : processors;
    /* A log that is read alone gets all the threads that it has work for. */
    sides.thread_max = threads > 1 || processors == 1 ? processors / threads : PROFILE_THREADS;
    for (size_t i = 0; i < sides.count && threads > 1; i++)
        parts[i].can_be_prepared = !session->options->reading.follows && are_files(&parts[i].logs);
    const struct crew_work work = {sides.count, prepare, join, &sides};
    bool is_good = crew_run(&work, threads);
    sides.console->lock = NULL;
    console_end_progress(sides.console);
    release_parts(&sides);
    return is_good;
}
