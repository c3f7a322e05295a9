#include "base/input.h"
#include "cli/logs/session.h"
#include "platform/clock.h"
#include "platform/interrupt.h"
#include "platform/terminal.h"
#include "report/figures/formats.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/wrap.h"

/*
 * What --follow shows while a log is written: the table of the functions, as it would be if the log
 * ended there. For each report, the log is read again from its start, so what is shown is what any
 * other run shows.
 *
 *     Waiting for more (12.4 MB read)
 *     (the table)
 *     w: last 10 seconds   q: end and report
 */

enum { COST_FACTOR = 10, USUAL_WIDTH = 80, USUAL_HEIGHT = 24, WAIT_MS = 250 };
static const int64_t second_ns = 1000000000, window_ns = 10000000000;

/* Why a log is no longer followed. */
enum follow_end { NOT_ENDED, END_BY_USER, END_OF_INPUT, END_OF_RECORDING, END_OF_SCREEN };

struct follow {
    struct session *session; /* that will read the log when this has ended */
    const char *path;
    int source;                /* of bytes that are kept; -1: a file, which is read again */
    struct text kept;          /* what it gave */
    struct file_status status; /* of the file */
    uint64_t byte_count, drawn_bytes;
    bool is_caught_up; /* all that was there at the beginning was read */
    bool is_window;    /* shows the last seconds */
    bool wants_window; /* so will the next report */
    bool must_draw;    /* even if nothing was read */
    size_t width, height;
    int64_t next_ns; /* no report is made before that, unless it must */
    enum follow_end end;

    /* Of the last report. */
    bool has_calls, has_window, has_ended;
    uint64_t damaged;

    /* The lines of each recording, [count_then], in the first report: recordings with more lines
       now are followed. */
    uint64_t *lines_then;
    size_t count_then;
};

static void press(struct follow *follow, char key)
{
    if (key == 'q' || key == 'Q')
        follow->end = END_BY_USER;
    follow->must_draw |= key == SCREEN_REDRAW;
    if (key != 'w' && key != 'W')
        return;
    follow->wants_window = !follow->wants_window;
    follow->must_draw = true;
}

/* For struct console: a key can end the making of a report. */
static bool goes_on(void *context, double done)
{
    struct follow *follow = context;
    char key;
    enum screen_event event = screen_wait(-1, 0, &key);
    (void)done;
    if (event == SCREEN_KEY)
        press(follow, key);
    if (event == SCREEN_INTERRUPT)
        follow->end = END_BY_USER;
    return follow->end == NOT_ENDED;
}

/* Learns what a report says of the recordings; they have ended if all that went on have. */
static void look_at(struct follow *follow, const struct profile *profile)
{
    const struct recordings *recordings = &profile->recordings;
    bool has_any = false, has_open = false;
    if (follow->lines_then == NULL) {
        follow->count_then = recordings->count;
        follow->lines_then = mem_zeroed(recordings->count + 1, sizeof *follow->lines_then);
        for (size_t i = 0; i < recordings->count; i++)
            follow->lines_then[i] = recordings->all[i].lines;
    }
    for (size_t i = 0; i < recordings->count; i++) {
        uint64_t then = i < follow->count_then ? follow->lines_then[i] : 0;
        has_any |= recordings->all[i].lines != then;
        has_open |= recordings->all[i].lines != then && !recordings->all[i].has_end;
    }
    follow->has_ended = has_any && !has_open;
    follow->has_calls = profile->counts.records > 0 || recordings->count > 0;
    follow->has_window = profile->rebuild.from.kind != WINDOW_OPEN;
    follow->damaged = profile->counts.damaged - profile->counts.is_end_damaged;
}

/* Whether a recording is not at its end, or there is none. */
static bool is_live(const struct recordings *recordings)
{
    for (size_t i = 0; i < recordings->count; i++)
        if (!recordings->all[i].has_end)
            return true;
    return recordings->count == 0;
}

static void put_status(struct text *text, const struct follow *follow, bool is_live)
{
    text_put_string(text,
                    !follow->is_caught_up ? "Reading what is there"
                    : is_live             ? "Waiting for more"
                                          : "The recording has ended; waiting for another");
    if (follow->is_window)
        text_put_string(text,
                        follow->has_window ? "; the last 10 seconds" : "; all: it has no ticks");
    text_printf(text, " (%.1f MB read", (double)follow->byte_count / 1e6);
    if (follow->damaged > 0)
        text_printf(text, ", %llu damaged", (unsigned long long)follow->damaged);
    text_put_string(text, ")\n");
}

static void put_beginning(struct text *text, const struct follow *follow,
                          const struct profile *profile)
{
    struct text lines = {0};
    text_put_clean(&lines, span_of(follow->session->title), false);
    text_put_string(&lines, ": no call yet");
    if (profile_is_unrecorded(profile)) {
        text_put_string(&lines, ": ");
        game_log_put_unrecorded(&lines, profile);
    }
    text_put_string(&lines,
                    "\nA recording begins by itself at minute 1 of the game, or with\n"
                    "Ctrl-Shift-O (the mod), or SimLua StartProfiler() in the console "
                    "(cheats)\n");
    wrap_put_lines(text, follow->width, 2, &lines);
}

/* Reads the log, and appends its report; if there is none, why. Returns whether it goes on. */
static bool put_report(struct text *text, struct follow *follow)
{
    /* On a narrow terminal, what is above the table can have more lines than the terminal. */
    enum { LINES_MAX = 1000 };
    const struct session *session = follow->session;
    struct options options = *session->options;
    struct option_output output = {.path = "-", .format = &report_top};
    struct kept_lines kept = {.count_max = LINES_MAX};
    struct console console = {.is_quiet = true,
                              .kept = &kept,
                              .taken_height = 1,
                              .goes_on = goes_on,
                              .goes_on_context = follow};
    struct rebuild_settings *rebuild = &options.reading.rebuild;
    options.outputs = &output;
    options.output_count = 1;
    options.reading.follows = options.reading.can_be_stopped = false;
    rebuild->has_timeline = rebuild->keeps_order = rebuild->keeps_changes = false;
    rebuild->keeps_all_ticks = false;
    struct session snapshot = {.logs = session->logs,
                               .options = &options,
                               .selection = &options.selection,
                               .console = &console,
                               .passed_sources = session->passed_sources,
                               .state = session->state,
                               .window_ns = follow->is_window ? window_ns : 0};
    console_hold(&console);
    if (session_read(&snapshot))
        session->show(&snapshot);
    look_at(follow, &snapshot.profile);
    put_status(text, follow, is_live(&snapshot.profile.recordings));
    if (!follow->has_calls)
        put_beginning(text, follow, &snapshot.profile);
    session_release(&snapshot);
    if (follow->has_calls && kept.text.length > 0)
        text_put_span(text, text_span(&kept.text));
    else if (follow->has_calls)
        wrap_put_lines(text, follow->width, 2, &console.held);
    text_release(&kept.text);
    text_release(&console.held);
    return follow->end == NOT_ENDED;
}

/* Appends a line of the screen, cut to its width; escape sequences of colours take none. */
static void put_line(struct text *text, struct span line, size_t width)
{
    size_t column = 0;
    while (line.length > 0) {
        const char *end = line.at[0] == '\x1b' ? memchr(line.at, 'm', line.length) : NULL;
        size_t length = end != NULL ? (size_t)(end - line.at) + 1 : 1;
        while (end == NULL && length < line.length && text_is_inside_character(line.at[length]))
            length++;
        column += end == NULL ? text_columns_at(line, 0) : 0;
        if (column <= width || end != NULL)
            text_put(text, line.at, length);
        line = span_from(line, length);
    }
    /* In the last column, it would erase what is there. */
    if (column < width)
        text_put_string(text, "\x1b[K");
}

/*
 * Appends as many lines as there is room for. Above the table, up to the empty line, the last ones
 * go, until its titles and first rows are seen; then what is below it. Without an empty line, which
 * a terminal of the usual height has no room for, all of it fits.
 */
static void put_report_lines(struct text *text, struct span lines, size_t width, size_t room)
{
    enum { HEAD_MIN = 2, TABLE_MIN = 7 };
    size_t head = 0;
    struct span rest = lines;
    for (; rest.length > 0 && rest.at[0] != '\n'; head++)
        span_take(&rest, '\n');
    if (rest.length == 0)
        head = 0;
    size_t kept = room > HEAD_MIN + TABLE_MIN ? room - TABLE_MIN : HEAD_MIN;
    for (size_t i = 0, shown = 0; lines.length > 0 && shown < room; i++) {
        struct span line = span_take(&lines, '\n');
        if (i >= kept && i < head)
            continue;
        put_line(text, line, width);
        text_put_string(text, "\r\n");
        shown++;
    }
}

/* Draws the whole screen. Fails if the terminal is gone. */
static bool draw(struct follow *follow)
{
    struct text lines = {0};
    SCOPED(text) screen = {0};
    follow->is_window = follow->wants_window;
    const char *keys =
        follow->is_window ? "w: all   q: end and report" : "w: last 10 seconds   q: end and report";
    if (!follow->is_caught_up) {
        put_status(&lines, follow, true);
    } else if (!put_report(&lines, follow)) {
        text_release(&lines);
        return true;
    }
    struct span report = text_span(&lines), status = span_take(&report, '\n');
    text_put_string(&screen, "\x1b[H");
    if (follow->height > 1) {
        put_line(&screen, status, follow->width);
        text_put_string(&screen, "\r\n");
    }
    put_report_lines(&screen, report, follow->width, follow->height > 2 ? follow->height - 2 : 0);
    put_line(&screen, span_of(keys), follow->width);
    text_put_string(&screen, "\x1b[J");
    bool is_drawn = file_write(FILE_STANDARD_OUTPUT, screen.at, screen.length);
    text_release(&lines);
    return is_drawn;
}

/* Draws the screen if it has changed, and its time has come. */
static void refresh(struct follow *follow)
{
    struct terminal terminal = terminal_of(FILE_STANDARD_OUTPUT);
    size_t width = terminal.width > 0 ? terminal.width : USUAL_WIDTH;
    size_t height = terminal.height > 0 ? terminal.height : USUAL_HEIGHT;
    int64_t begin_ns = clock_now_ns();
    bool is_new = follow->drawn_bytes != follow->byte_count && begin_ns >= follow->next_ns;
    if (!is_new && !follow->must_draw && width == follow->width && height == follow->height)
        return;
    follow->width = width;
    follow->height = height;
    follow->drawn_bytes = follow->byte_count;
    follow->must_draw = false;
    if (!draw(follow))
        follow->end = END_OF_SCREEN;
    int64_t end_ns = clock_now_ns(), pause_ns = COST_FACTOR * (end_ns - begin_ns);
    follow->next_ns = end_ns + (pause_ns > second_ns ? pause_ns : second_ns);
    if (follow->has_ended && follow->end == NOT_ENDED && follow->drawn_bytes == follow->byte_count)
        follow->end = END_OF_RECORDING;
}

/* The first report is made at once. */
static void catch_up(struct follow *follow)
{
    follow->must_draw |= !follow->is_caught_up;
    follow->is_caught_up = true;
}

/* Looks how long the file is, and whether it was made shorter, or another one has its name. Returns
 * whether it is there; opening a pipe would wait for its writer. */
static bool look_at_file(struct follow *follow, struct console *console)
{
    struct file_status now;
    if (!file_status(&now, follow->path) || now.kind != FILE_REGULAR)
        return false;
    const char *change = !file_is_same(&now, &follow->status)
                             ? "is another file now; reading that one"
                         : now.byte_count < follow->status.byte_count
                             ? "has become shorter; reading it from its start"
                             : NULL;
    if (change != NULL && !console->is_quiet)
        console_say(console, "%s: %s", follow->path, change);
    if (change != NULL) {
        free(follow->lines_then);
        follow->lines_then = NULL;
        follow->must_draw = true;
    }
    follow->status = now;
    follow->byte_count = (uint64_t)now.byte_count;
    return true;
}

/* Takes bytes that have come from standard input. */
static void take_bytes(struct follow *follow)
{
    enum { BYTES = 1 << 16 };
    size_t length = 0;
    if (follow->kept.capacity - follow->kept.length <= BYTES)
        text_grow(&follow->kept, BYTES);
    bool is_read = file_read(follow->source, follow->kept.at + follow->kept.length, BYTES, &length);
    follow->kept.length += length;
    follow->byte_count = follow->kept.length;
    if (!is_read || (length == 0 && !interrupt_is_pending()))
        follow->end = END_OF_INPUT;
}

static void wait(struct follow *follow)
{
    char key;
    switch (screen_wait(follow->source, follow->is_caught_up ? WAIT_MS : 0, &key)) {
    case SCREEN_INTERRUPT:
        follow->end = END_BY_USER;
        break;
    case SCREEN_KEY:
        press(follow, key);
        break;
    case SCREEN_BYTES:
        take_bytes(follow);
        break;
    case SCREEN_NOTHING:
        catch_up(follow);
        break;
    }
}

/* Whether a file can be followed. */
static bool can_be_followed(struct follow *follow)
{
    struct input input;
    struct error err;
    struct file_status *status = &follow->status;
    if (file_is_standard(follow->path)) {
        follow->source = FILE_STANDARD_INPUT;
        return file_status_of_open(status, FILE_STANDARD_INPUT) && status->kind != FILE_REGULAR;
    }
    if (!file_status(status, follow->path) || status->kind != FILE_REGULAR ||
        !input_open(&input, follow->path, FILE_DOES_NOT_WAIT, &err))
        return false;
    input_close(&input);
    return true;
}

bool follow_log(struct session *session, const char *path, struct error *err)
{
    struct console *console = session->console;
    struct follow follow = {.session = session, .path = path, .source = -1, .must_draw = true};
    /* The bytes are read until the program ends. */
    static struct text kept;
    if (!can_be_followed(&follow))
        return true;
    console_hold(console);
    screen_begin();
    interrupt_catch();
    input_keep_standard(&follow.kept);
    while (follow.end == NOT_ENDED) {
        if (follow.source >= 0 || look_at_file(&follow, console))
            refresh(&follow);
        if (follow.end == NOT_ENDED)
            wait(&follow);
    }
    interrupt_release();
    screen_end();
    if (follow.end == END_OF_RECORDING && !console->is_quiet)
        console_say(console, "%s: the recording has ended", input_name(path));
    console_let_go(console);
    kept = follow.kept;
    input_keep_standard(follow.source < 0 ? NULL : &kept);
    free(follow.lines_then);
    return follow.source >= 0 ||
           (file_status(&follow.status, path) && follow.status.kind == FILE_REGULAR) ||
           error_set_code(err, "unreadable", "'%s' is no longer there", path);
}
