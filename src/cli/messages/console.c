#include "cli/messages/console.h"

#include "base/input.h"
#include "platform/clock.h"
#include "platform/terminal.h"
#include "report/sentences/wrap.h"

#include <stdarg.h>
#include <stdio.h>

enum { DAMAGE_LINES_MAX = 10, MESSAGE_BYTES_MAX = 1024, PROGRESS_INTERVAL_NS = 100 * 1000 * 1000 };

enum later_kind { LATER_MESSAGE, LATER_DAMAGE, LATER_END_OF_READING };

struct later_message {
    enum later_kind kind;
    const char *code; /* or NULL */
    struct text text;
};

static void erase_progress(struct console *console)
{
    if (console->has_progress_line)
        fputs("\r\x1b[K", stderr);
    console->has_progress_line = false;
}

/* Appends the code of a message: without one, the option that it begins with. */
static void put_code(struct text *text, const char *code, struct span message)
{
    struct span option = {message.at, 0};
    while (option.length < message.length &&
           strchr("-abcdefghijklmnopqrstuvwxyz", message.at[option.length]) != NULL)
        option.length++;
    if (code != NULL || !span_starts_with(option, "--"))
        option = span_of(code != NULL ? code : "other");
    text_printf(text, "[%.*s] ", (int)option.length, option.at);
}

static void keep(struct later_messages *later, enum later_kind kind, const char *code,
                 struct span message)
{
    struct later_message kept = {.kind = kind, .code = code};
    text_put_span(&kept.text, message);
    MEM_APPEND(later->all, later->count, later->capacity, kept);
}

static void say(struct console *console, const char *code, struct span message)
{
    SCOPED(text) text = {0}, lines = {0};
    size_t width = console->kept == NULL ? terminal_of(FILE_STANDARD_ERROR).width : 0;
    const struct wrap wrap = {.width = width, .indent = 2};
    if (console->later != NULL) {
        keep(console->later, LATER_MESSAGE, code, message);
        return;
    }
    text_put_string(&text, "supprof: ");
    if (console->shows_codes)
        put_code(&text, code, message);
    text_put_clean(&text, message, false);
    wrap_put(&lines, &wrap, text_span(&text));
    worker_enter(console->lock);
    erase_progress(console);
    if (console->is_held)
        text_put_span(&console->held, text_span(&lines));
    else
        fwrite(lines.at, 1, lines.length, stderr);
    worker_leave(console->lock);
}

void console_say(struct console *console, const char *format, ...)
{
    char message[MESSAGE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    say(console, NULL, span_of(length < 0 ? "" : message));
}

void console_say_text(struct console *console, const char *code, struct text *message)
{
    say(console, code, text_span(message));
    text_release(message);
}

bool console_fail(struct console *console, enum exit_status status, const struct error *err)
{
    say(console, err->code, span_of(err->text));
    console_set_status(console, status);
    return false;
}

void console_set_status(struct console *console, enum exit_status status)
{
    if (console->status == DONE)
        console->status = status;
}

void console_hold(struct console *console)
{
    console->is_held = true;
}

void console_let_go(struct console *console)
{
    fwrite(text_string(&console->held), 1, console->held.length, stderr);
    text_release(&console->held);
    console->is_held = false;
}

/* Whether the damaged record that was counted last is one of those that are listed. */
static bool lists_damage(const struct console *console)
{
    return !console->is_quiet && (console->damage_count <= DAMAGE_LINES_MAX || console->is_verbose);
}

void console_damage(void *context, const char *path, uint64_t line, const char *what)
{
    struct console *console = context;
    char message[MESSAGE_BYTES_MAX];
    console->damage_count++;
    if (!lists_damage(console))
        return;
    snprintf(message,
             sizeof message,
             "%s:%llu: damaged: %s",
             input_name(path),
             (unsigned long long)line,
             what);
    if (console->later != NULL)
        keep(console->later, LATER_DAMAGE, NULL, span_of(message));
    else
        say(console, NULL, span_of(message));
}

static void show_progress(struct console *console, const char *path, double done, uint64_t bytes)
{
    SCOPED(text) text = {0}, line = {0};
    if (done >= 0)
        text_printf(&text, "%.60s: %.0f%%", input_name(path), 100 * done);
    else
        text_printf(
            &text, "%.60s: %llu MB", input_name(path), (unsigned long long)(bytes / 1000000));
    text_put_string(&line, "\r\x1b[K");
    text_put_clean(&line, text_span(&text), false);
    fwrite(line.at, 1, line.length, stderr);
    console->has_progress_line = true;
}

bool console_progress(void *context, const char *path, double done, uint64_t bytes)
{
    struct console *console = context;
    if (console->goes_on != NULL)
        return console->goes_on(console->goes_on_context, done);
    worker_enter(console->lock);
    int64_t now_ns = clock_now_ns();
    if (now_ns - console->last_progress_ns >= PROGRESS_INTERVAL_NS) {
        console->last_progress_ns = now_ns;
        show_progress(console, path, done, bytes);
    }
    worker_leave(console->lock);
    return true;
}

void console_problem(void *context, const char *message)
{
    struct console *console = context;
    if (console->is_verbose && !console->is_quiet)
        console_say(console, "%s", message);
}

void console_end_progress(struct console *console)
{
    worker_enter(console->lock);
    erase_progress(console);
    worker_leave(console->lock);
}

void console_end_reading(struct console *console)
{
    if (console->later != NULL) {
        keep(console->later, LATER_END_OF_READING, NULL, (struct span){"", 0});
        return;
    }
    console_end_progress(console);
    if (!console->is_quiet && !console->is_verbose && console->damage_count > DAMAGE_LINES_MAX)
        console_say(console,
                    "%llu more damaged records were skipped (--verbose lists them)",
                    (unsigned long long)(console->damage_count - DAMAGE_LINES_MAX));
}

void later_messages_release(struct later_messages *later)
{
    for (size_t i = 0; i < later->count; i++)
        text_release(&later->all[i].text);
    free(later->all);
    *later = (struct later_messages){0};
}

void console_say_later(struct console *console, struct console *kept)
{
    /* Only the first of the damaged records were kept, and all of them come before the end. */
    uint64_t unlisted = kept->damage_count;
    for (size_t i = 0; i < kept->later->count; i++)
        unlisted -= kept->later->all[i].kind == LATER_DAMAGE;
    for (size_t i = 0; i < kept->later->count; i++) {
        const struct later_message *message = &kept->later->all[i];
        if (message->kind == LATER_DAMAGE) {
            console->damage_count++;
            if (lists_damage(console))
                say(console, NULL, text_span(&message->text));
        } else if (message->kind == LATER_END_OF_READING) {
            console->damage_count += unlisted;
            unlisted = 0;
            console_end_reading(console);
        } else {
            say(console, message->code, text_span(&message->text));
        }
    }
    console->damage_count += unlisted;
    console_set_status(console, kept->status);
    later_messages_release(kept->later);
}
