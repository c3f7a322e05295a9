#include "base/input.h"
#include "cli/logs/session.h"
#include "cli/options/options.h"
#include "names/labels.h"
#include "platform/clock.h"
#include "platform/interrupt.h"
#include "platform/terminal.h"
#include "profile/profile.h"
#include "report/screen/follow_screen.h"

enum { FOLLOW_MARKS_MAX = 16 };

struct follow_view {
    /* To be set by the caller; the rest is 0 at first. */
    struct profile *profile;
    const struct options *options;
    const char *path;
    uint64_t byte_count; /* that were read so far */
    bool is_caught_up;   /* all that was there when the reading began was read */
    bool is_window;      /* shows the last seconds */
    bool must_draw;      /* at the next refresh */

    /* Private. */
    struct running_sums now;
    struct running_sums marks[FOLLOW_MARKS_MAX]; /* [mark_count] after catching up, oldest first */
    size_t mark_count;
    struct labels labels;
    uint64_t summed_bytes; /* when the sums were made */
    bool has_sums;
    size_t width, height;
    int64_t next_ns; /* the sums are not made again before that */
};

/*
 * What --follow shows while a log is read: sums of what was read, and of the last
 * seconds of it.
 */

enum { COST_FACTOR = 20, USUAL_WIDTH = 80, USUAL_HEIGHT = 24 };
static const int64_t second_ns = 1000000000, refresh_ns = 2000000000;

/* The oldest mark that is needed is the last one that is older than the window. */
static void add_mark(struct follow_view *view)
{
    int64_t from_ns = view->now.clock_ns - FOLLOW_WINDOW_SECONDS * second_ns;
    size_t first = 0;
    while (first + 1 < view->mark_count && view->marks[first + 1].clock_ns <= from_ns)
        first++;
    first += view->mark_count - first == FOLLOW_MARKS_MAX;
    for (size_t i = 0; i < first; i++)
        running_sums_release(&view->marks[i]);
    view->mark_count -= first;
    memmove(view->marks, view->marks + first, view->mark_count * sizeof *view->marks);
    view->marks[view->mark_count] = (struct running_sums){0};
    running_sums_copy(&view->marks[view->mark_count++], &view->now);
}

static void name_functions(struct follow_view *view)
{
    struct symbols symbols;
    struct paths paths;
    snapshot_name(view->profile, &view->now.functions, &symbols);
    paths_init(&paths, &symbols, &view->profile->mounts, view->options->reading.path_style);
    labels_release(&view->labels);
    labels_init(&view->labels, &symbols, &paths);
    paths_release(&paths);
    snapshot_release_symbols(&symbols);
}

static void sum_up(struct follow_view *view)
{
    int64_t begin_ns = clock_now_ns();
    snapshot_sum(view->profile, &view->now);
    if (view->is_caught_up)
        add_mark(view);
    const struct running_sums *before = view->marks;
    for (size_t i = 0; i < view->now.recording_count; i++)
        view->now.recordings[i].known_ticks = view->mark_count > 0 && i < before->recording_count
                                                  ? before->recordings[i].tick_count
                                                  : 0;
    running_sums_find_recent(&view->now);
    name_functions(view);
    view->summed_bytes = view->byte_count;
    view->has_sums = true;
    view->must_draw = true;
    int64_t end_ns = clock_now_ns();
    int64_t pause_ns = COST_FACTOR * (end_ns - begin_ns);
    view->next_ns = end_ns + (pause_ns > refresh_ns ? pause_ns : refresh_ns);
}

static void put_status(struct text *text, const struct follow_view *view)
{
    const struct recordings *recordings = &view->profile->recordings;
    uint64_t damaged = view->profile->counts.damaged;
    bool is_live = recordings->count == 0;
    for (size_t i = 0; i < recordings->count; i++)
        is_live |= !recordings->all[i].has_end;
    text_put_string(text, !view->is_caught_up ? "Reading what is there"
                          : is_live           ? "Waiting for more"
                                              : "The recording has ended; waiting for another");
    text_printf(text, " (%.1f MB read", (double)view->byte_count / 1e6);
    if (damaged > 0)
        text_printf(text, ", %llu damaged", (unsigned long long)damaged);
    text_put_string(text, ")");
}

static bool draw(struct follow_view *view)
{
    struct text text = {0}, status = {0};
    put_status(&status, view);
    struct follow_screen screen = {
        .title = strcmp(view->path, "-") == 0 ? input_name(view->path) : file_name(view->path),
        .status = status.at,
        .now = &view->now,
        .settings = &view->profile->rebuild,
        .has_recording = view->profile->recordings.count > 0,
        .is_window = view->is_window && view->mark_count > 0,
        .before = view->marks,
        .window_ns = view->now.clock_ns - (view->mark_count > 0 ? view->marks[0].clock_ns : 0),
        .labels = &view->labels,
        .row_limit = view->options->has_top ? view->options->show.row_limit : FOLLOW_ROWS,
        .width = view->width,
        .height = view->height,
        .is_colored = options_wants_color(view->options, true),
    };
    follow_screen_put(&text, &screen);
    bool is_drawn = file_write(FILE_STANDARD_OUTPUT, text.at, text.length);
    text_release(&text);
    text_release(&status);
    view->must_draw = false;
    return is_drawn;
}

/* Draws the screen if it has changed, and its time has come. Fails if the terminal is gone. */
static bool follow_view_refresh(struct follow_view *view)
{
    size_t width = terminal_width(FILE_STANDARD_OUTPUT), height = terminal_height();
    width = width > 0 ? width : USUAL_WIDTH;
    height = height > 0 ? height : USUAL_HEIGHT;
    view->must_draw |= width != view->width || height != view->height;
    view->width = width;
    view->height = height;
    bool is_old = !view->has_sums || view->summed_bytes != view->byte_count;
    if ((is_old || view->next_ns == 0) && clock_now_ns() >= view->next_ns)
        sum_up(view);
    return !view->must_draw || draw(view);
}

/* Makes the sums again at the next refresh. */
static void hurry(struct follow_view *view)
{
    view->next_ns = 0;
    view->must_draw = true;
}

static void release_view(struct follow_view *view)
{
    for (size_t i = 0; i < view->mark_count; i++)
        running_sums_release(&view->marks[i]);
    running_sums_release(&view->now);
    labels_release(&view->labels);
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
    const struct recordings *recordings = &follow->view.profile->recordings;
    if (follow->view.is_caught_up)
        return;
    follow->view.is_caught_up = true;
    free(follow->lines_then);
    follow->count_then = recordings->count;
    follow->lines_then = mem_zeroed(follow->count_then, sizeof *follow->lines_then);
    for (size_t i = 0; i < follow->count_then; i++)
        follow->lines_then[i] = recordings->all[i].lines;
    hurry(&follow->view);
}

/* Whether all recordings that went on after catching up have ended. */
static bool has_recording_ended(const struct follow *follow)
{
    const struct recordings *recordings = &follow->view.profile->recordings;
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

bool follow_log(struct profile *profile, const char *path, const struct options *options,
                struct console *console, struct error *err)
{
    struct follow follow = {.view = {.profile = profile, .options = options, .path = path}};
    struct follower follower = {.wait = wait, .context = &follow};
    bool is_read;
    profile->follower = &follower;
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
    release_view(&follow.view);
    free(follow.lines_then);
    return is_read;
}
