#include "cli/messages/console.h"

#include "base/input.h"
#include "platform/clock.h"
#include "platform/terminal.h"
#include "report/sentences/wrap.h"

#include <stdarg.h>
#include <stdio.h>

enum { DAMAGE_LINES_MAX = 10, MESSAGE_BYTES_MAX = 1024, PROGRESS_INTERVAL_NS = 100 * 1000 * 1000 };

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

static void say(struct console *console, const char *code, struct span message)
{
    SCOPED(text) text = {0}, lines = {0};
    size_t width = console->kept == NULL ? terminal_of(FILE_STANDARD_ERROR).width : 0;
    const struct wrap wrap = {.width = width, .indent = 2};
    erase_progress(console);
    text_put_string(&text, "supprof: ");
    if (console->shows_codes)
        put_code(&text, code, message);
    text_put_clean(&text, message, false);
    wrap_put(&lines, &wrap, text_span(&text));
    if (console->is_held)
        text_put_span(&console->held, text_span(&lines));
    else
        fwrite(lines.at, 1, lines.length, stderr);
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

void console_damage(void *context, const char *path, uint64_t line, const char *what)
{
    struct console *console = context;
    console->damage_count++;
    if (!console->is_quiet && (console->damage_count <= DAMAGE_LINES_MAX || console->is_verbose))
        console_say(console, "%s:%llu: damaged: %s", input_name(path), (unsigned long long)line,
                    what);
}

bool console_progress(void *context, const char *path, double done, uint64_t bytes)
{
    struct console *console = context;
    int64_t now_ns = clock_now_ns();
    SCOPED(text) text = {0}, line = {0};
    if (console->goes_on != NULL)
        return console->goes_on(console->goes_on_context, done);
    if (now_ns - console->last_progress_ns < PROGRESS_INTERVAL_NS)
        return true;
    console->last_progress_ns = now_ns;
    if (done >= 0)
        text_printf(&text, "%.60s: %.0f%%", input_name(path), 100 * done);
    else
        text_printf(&text, "%.60s: %llu MB", input_name(path),
                    (unsigned long long)(bytes / 1000000));
    text_put_string(&line, "\r\x1b[K");
    text_put_clean(&line, text_span(&text), false);
    fwrite(line.at, 1, line.length, stderr);
    console->has_progress_line = true;
    return true;
}

void console_problem(void *context, const char *message)
{
    struct console *console = context;
    if (console->is_verbose && !console->is_quiet)
        console_say(console, "%s", message);
}

void console_end_reading(struct console *console)
{
    erase_progress(console);
    if (!console->is_quiet && !console->is_verbose && console->damage_count > DAMAGE_LINES_MAX)
        console_say(console, "%llu more damaged records were skipped (--verbose lists them)",
                    (unsigned long long)(console->damage_count - DAMAGE_LINES_MAX));
}
