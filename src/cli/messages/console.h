/*
 * console.h - what the program tells: messages and progress on standard error.
 *
 * Texts quote paths and pieces of a log, so all of them are cleaned (see text.h)
 * before they reach a terminal.
 */
#pragma once

#include "base/json.h"
#include "cli/messages/exit_status.h"
#include "platform/format.h"
#include "platform/thread.h"
#include "report/figures/report.h"

/* All zero prints messages, and no progress. */
struct console {
    bool is_quiet, is_verbose, shows_progress;
    bool shows_codes;        /* before messages, see error.h */
    enum exit_status status; /* of the first step that failed */
    struct kept_lines *kept; /* takes standard output if it is set, see output.h */
    /* Takes the same as JSON, too, if it is set: an open object, and rows of csv. */
    struct console_answer {
        struct json_writer json;
        struct kept_lines rows;
    } * answer;
    size_t taken_height; /* lines of the terminal that are needed for something else */

    /* Called instead of showing progress, if it is set: whether the reading of logs goes on. */
    bool (*goes_on)(void *context, double done);
    void *goes_on_context;

    struct worker *lock; /* entered for each line on standard error; NULL: one thread prints */
    /* Takes messages, for console_say_later(), if it is set. */
    struct later_messages {
        struct later_message *all; /* [count] */
        size_t count, capacity;
    } * later;

    /* Private. */
    bool has_progress_line;
    int64_t last_progress_ns; /* of clock_now_ns() */
    uint64_t damage_count;
    bool is_held;
    struct text held; /* messages; released by console_let_go(), or by who takes them */
};

/* Prints "supprof: MESSAGE". */
void console_say(struct console *console, const char *format, ...) FORMATS_LIKE_PRINTF(2, 3);

/* Prints a text in the same way, and releases it. `code` is for programs (see error.h), or NULL. */
void console_say_text(struct console *console, const char *code, struct text *message);

/*
 * Prints why a step has failed, and sets the exit status. Returns false, so that a step can
 * `return console_fail(...)`.
 */
bool console_fail(struct console *console, enum exit_status status, const struct error *err);

/* Sets the exit status, unless an earlier step has set one. */
void console_set_status(struct console *console, enum exit_status status);

/*
 * Says what another console has kept for later, sets its status, and releases what it kept: as if
 * all that was said there had been said here.
 */
void console_say_later(struct console *console, struct console *kept);
void later_messages_release(struct later_messages *later);

/* From now on messages are held, until console_let_go() prints them. */
void console_hold(struct console *console);
void console_let_go(struct console *console);

/* For struct profile; the context is the console. Lists the first damaged records only. */
void console_damage(void *context, const char *path, uint64_t line, const char *what);
bool console_progress(void *context, const char *path, double done, uint64_t bytes);

/* For struct source_request; the context is the console. Prints it only with --verbose. */
void console_problem(void *context, const char *message);

/* Erases what shows the progress. Each message does so, too. */
void console_end_progress(struct console *console);

/* Call this after the last log: erases progress and counts the damage that was not listed. */
void console_end_reading(struct console *console);
