#include "base/input.h"
#include "cli/logs/session.h"
#include "platform/clock.h"
#include "platform/interrupt.h"
#include "platform/terminal.h"
#include "report/figures/formats.h"
#include "report/sentences/wrap.h"

/*
 * What --follow shows while a log is read: the table of the functions, as it would be if the log
 * ended there.
 *
 *     Waiting for more (12.4 MB read)
 *     (the table)
 *     w: last 10 seconds   q: end and report
 */

enum { COST_FACTOR = 10, USUAL_WIDTH = 80, USUAL_HEIGHT = 24 };
static const int64_t second_ns = 1000000000, window_ns = 10000000000;

struct follow_view {
    /* To be set by the caller; the rest is 0 at first. */
    struct session *session;
    const char *path;
    uint64_t byte_count; /* that were read so far */
    bool is_caught_up;   /* all that was there when the reading began was read */
    bool is_window;      /* shows the last seconds */
    bool must_draw;      /* at the next refresh */

    /* Private. */
    bool has_window; /* what is shown has ticks, so that the last seconds are known */
    uint64_t drawn_bytes;
    size_t width, height;
    int64_t next_ns; /* what was read is not drawn before that */
};

static void put_status(struct text *text, const struct follow_view *view)
{
    const struct profile *profile = &view->session->profile;
    const struct recordings *recordings = &profile->recordings;
    bool is_live = recordings->count == 0;
    for (size_t i = 0; i < recordings->count; i++)
        is_live |= !recordings->all[i].has_end;
    text_put_string(text, !view->is_caught_up ? "Reading what is there"
                          : is_live           ? "Waiting for more"
                                              : "The recording has ended; waiting for another");
    if (view->is_window)
        text_put_string(text,
                        view->has_window ? "; the last 10 seconds" : "; all: it has no ticks");
    text_printf(text, " (%.1f MB read", (double)view->byte_count / 1e6);
    if (profile->counts.damaged > 0)
        text_printf(text, ", %llu damaged", (unsigned long long)profile->counts.damaged);
    text_put_string(text, ")");
}

/* Appends the report of what was read; if there is none, why. */
static void put_report(struct text *text, struct follow_view *view)
{
    /* On a narrow terminal, what is above the table can have more lines than the terminal. */
    enum { LINES_MAX = 1000 };
    struct session snapshot, *session = view->session;
    struct options options = *session->options;
    struct option_output output = {.path = "-", .format = &report_top};
    struct kept_lines kept = {.count_max = LINES_MAX};
    struct console console = {.is_quiet = true, .kept = &kept, .taken_height = 1};
    options.outputs = &output;
    options.output_count = 1;
    console_hold(&console);
    if (session_snapshot(&snapshot, session, &options, &console, view->is_window ? window_ns : 0))
        session->report(&snapshot);
    view->has_window = snapshot.profile.rebuild.from.kind != WINDOW_OPEN;
    session_release_snapshot(&snapshot, session);
    if (console.status == DONE)
        text_put_span(text, text_span(&kept.text));
    else
        wrap_put_lines(text, view->width, 2, &console.held);
    text_release(&kept.text);
    text_release(&console.held);
}

static void put_beginning(struct text *text, const struct follow_view *view)
{
    text_put_clean(text, span_of(view->session->title), false);
    text_put_string(text, ": no call yet\n"
                          "The recording begins by itself at minute 1 of the game, or with\n"
                          "Ctrl-Shift-O (the mod), or SimLua StartProfiler() in the console "
                          "(cheats)\n");
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
        column += end == NULL;
        if (column <= width || end != NULL)
            text_put(text, line.at, length);
        line = span_from(line, length);
    }
    /* In the last column, it would erase what is there. */
    text_put_string(text, column < width ? "\x1b[K" : "");
}

/*
 * Appends as many lines as there is room for. Above the table, up to the empty line, the last ones
 * go, until its titles and first rows are seen; then what is below it.
 */
static void put_report_lines(struct text *text, struct span lines, size_t width, size_t room)
{
    enum { HEAD_MIN = 2, TABLE_MIN = 7 };
    size_t head = 0;
    for (struct span rest = lines; rest.length > 0 && rest.at[0] != '\n'; head++)
        span_take(&rest, '\n');
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
static bool draw(struct follow_view *view)
{
    const struct profile *profile = &view->session->profile;
    struct text report = {0}, status = {0}, screen = {0};
    const char *keys =
        view->is_window ? "w: all   q: end and report" : "w: last 10 seconds   q: end and report";
    if (profile->reading != NULL && (profile->counts.records > 0 || profile->recordings.count > 0))
        put_report(&report, view);
    else
        put_beginning(&report, view);
    put_status(&status, view);
    text_put_string(&status, "\n");
    text_put_string(&screen, "\x1b[H");
    put_report_lines(&screen, text_span(&status), view->width, view->height - 1);
    put_report_lines(&screen, text_span(&report), view->width,
                     view->height > 2 ? view->height - 2 : 0);
    put_line(&screen, span_of(keys), view->width);
    text_put_string(&screen, "\x1b[J");
    bool is_drawn = file_write(FILE_STANDARD_OUTPUT, screen.at, screen.length);
    text_release(&report);
    text_release(&status);
    text_release(&screen);
    return is_drawn;
}

/* Draws the screen if it has changed, and its time has come. Fails if the terminal is gone. */
static bool follow_view_refresh(struct follow_view *view)
{
    size_t width = terminal_width(FILE_STANDARD_OUTPUT), height = terminal_height();
    width = width > 0 ? width : USUAL_WIDTH;
    height = height > 0 ? height : USUAL_HEIGHT;
    int64_t begin_ns = clock_now_ns();
    bool is_new = view->drawn_bytes != view->byte_count && begin_ns >= view->next_ns;
    if (!is_new && !view->must_draw && width == view->width && height == view->height)
        return true;
    view->width = width;
    view->height = height;
    view->drawn_bytes = view->byte_count;
    view->must_draw = false;
    bool is_drawn = draw(view);
    int64_t end_ns = clock_now_ns(), pause_ns = COST_FACTOR * (end_ns - begin_ns);
    view->next_ns = end_ns + (pause_ns > second_ns ? pause_ns : second_ns);
    return is_drawn;
}

enum { WAIT_MS = 250 };

/* Why the reading of a log has ended. */
enum follow_end {
    NOT_ENDED,
    END_BY_USER,
    END_OF_INPUT,
    END_OF_RECORDING,
    END_OF_SCREEN, /* the terminal is gone */
    LOG_IS_SHORTER,
    LOG_IS_REPLACED,
};

struct follow {
    struct follow_view view;
    bool is_regular, has_screen;
    uint64_t byte_count; /* of this file */
    uint64_t all_bytes;  /* of the files before it */
    enum follow_end end;

    /* The lines of each recording, [count_then], when all that was there had been read: recordings
       with more lines now are followed. */
    uint64_t *lines_then;
    size_t count_then;
};

static void catch_up(struct follow *follow)
{
    const struct recordings *recordings = &follow->view.session->profile.recordings;
    if (follow->view.is_caught_up)
        return;
    follow->view.is_caught_up = true;
    free(follow->lines_then);
    follow->count_then = recordings->count;
    follow->lines_then = mem_zeroed(follow->count_then, sizeof *follow->lines_then);
    for (size_t i = 0; i < follow->count_then; i++)
        follow->lines_then[i] = recordings->all[i].lines;
    follow->view.must_draw = true;
}

/* Whether all recordings that went on after catching up have ended. */
static bool has_recording_ended(const struct follow *follow)
{
    const struct recordings *recordings = &follow->view.session->profile.recordings;
    bool has_any = false;
    for (size_t i = 0; i < recordings->count; i++) {
        const struct recording *recording = &recordings->all[i];
        uint64_t then = i < follow->count_then ? follow->lines_then[i] : 0;
        if (recording->lines != then && !recording->has_end)
            return false;
        has_any |= recording->lines != then;
    }
    return has_any;
}

/* Whether the file was made shorter, or another one has its name. */
static enum follow_end find_change(const struct follow *follow, int file)
{
    struct file_status open, named;
    const char *path = follow->view.path;
    if (!file_status_of_open(&open, file))
        return NOT_ENDED;
    if (open.byte_count < (int64_t)follow->byte_count)
        return LOG_IS_SHORTER;
    bool is_named = strcmp(path, "-") != 0 && file_status(&named, path);
    /* Opening a pipe would wait for its writer, without keys. */
    bool is_other = is_named && named.kind == FILE_REGULAR && !file_is_same(&open, &named);
    return is_other ? LOG_IS_REPLACED : NOT_ENDED;
}

static enum follow_end find_end(struct follow *follow, int file)
{
    if (!follow->is_regular)
        return END_OF_INPUT;
    catch_up(follow);
    if (has_recording_ended(follow))
        return END_OF_RECORDING;
    return find_change(follow, file);
}

static void press(struct follow *follow, char key)
{
    if (key == 'q' || key == 'Q')
        follow->end = END_BY_USER;
    if (key != 'w' && key != 'W')
        return;
    follow->view.is_window = !follow->view.is_window;
    follow->view.must_draw = true;
}

/* Refreshes the screen and looks at the keys until the file can be read again. */
static void wait_for_more(struct follow *follow, int file, bool is_at_end)
{
    while (follow->end == NOT_ENDED) {
        char key;
        bool is_waiting = follow->is_regular ? is_at_end : follow->view.is_caught_up;
        if (!follow_view_refresh(&follow->view)) {
            follow->end = END_OF_SCREEN;
            break;
        }
        enum screen_event event =
            screen_wait(follow->is_regular ? -1 : file, is_waiting ? WAIT_MS : 0, &key);
        if (event == SCREEN_INTERRUPT)
            follow->end = END_BY_USER;
        else if (event == SCREEN_KEY)
            press(follow, key);
        else if (event == SCREEN_BYTES || follow->is_regular)
            break;
        else
            catch_up(follow);
        /* A pipe has nothing more now. */
        if (!follow->is_regular && event == SCREEN_NOTHING && has_recording_ended(follow))
            follow->end = END_OF_RECORDING;
    }
}

static bool wait(void *context, int file, uint64_t byte_count, bool is_at_end)
{
    struct follow *follow = context;
    follow->byte_count = byte_count;
    follow->view.byte_count = follow->all_bytes + byte_count;
    if (!follow->has_screen) {
        struct file_status status;
        follow->is_regular = file_status_of_open(&status, file) && status.kind == FILE_REGULAR;
        screen_begin();
        interrupt_catch();
        follow->has_screen = true;
    }
    if (is_at_end)
        follow->end = find_end(follow, file);
    wait_for_more(follow, file, is_at_end);
    return follow->end == NOT_ENDED;
}

static void say_end(const struct follow *follow, struct console *console)
{
    static const char *const sentences[] = {
        [LOG_IS_SHORTER] = "has become shorter; reading it from its start",
        [LOG_IS_REPLACED] = "is another file now; reading that one",
        [END_OF_RECORDING] = "the recording has ended",
    };
    const char *sentence = sentences[follow->end];
    if (sentence != NULL && !console->is_quiet)
        console_say(console, "%s: %s", input_name(follow->view.path), sentence);
}

bool follow_log(struct session *session, const char *path, struct error *err)
{
    struct profile *profile = &session->profile;
    struct console *console = session->console;
    struct follow follow = {.view = {.session = session, .path = path}};
    struct follower follower = {.wait = wait, .context = &follow};
    bool is_read;
    profile->follower = &follower;
    profile->rebuild.can_be_copied = true;
    console_hold(console);
    do {
        follow.end = NOT_ENDED;
        follow.view.is_caught_up = false;
        is_read = profile_read(profile, path, err);
        say_end(&follow, console);
        follow.all_bytes += follow.byte_count;
        follow.byte_count = 0;
    } while (is_read && (follow.end == LOG_IS_SHORTER || follow.end == LOG_IS_REPLACED));
    profile->follower = NULL;
    interrupt_release();
    screen_end();
    console_let_go(console);
    free(follow.lines_then);
    return is_read;
}
