#include "cli/follow.h"

#include "base/mem.h"
#include "base/stored.h"
#include "platform/clock.h"
#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/screen.h"
#include "platform/terminal.h"
#include "profile/snapshot.h"
#include "report/text/follow_screen.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 250, MARKS_MAX = 16, COST_FACTOR = 20 };

static const int64_t second_ns = 1000000000, refresh_ns = 2000000000;

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
    struct profile *profile;
    const struct options *options;
    const char *path;
    bool is_regular, has_screen;
    uint64_t byte_count; /* of this file */
    uint64_t all_bytes;  /* of the files before it */
    enum follow_end end;

    /* Once all that was there has been read, recordings that go on after that are followed. */
    bool is_caught_up;
    uint64_t *lines_then; /* [count_then] of each recording at that time */
    size_t count_then;

    /* What is shown. */
    struct running_sums now;
    struct running_sums marks[MARKS_MAX]; /* [mark_count] sums after catching up, oldest first */
    size_t mark_count;
    struct labels labels;
    uint64_t summed_bytes; /* when the sums were made */
    bool has_sums, is_window, must_draw;
    size_t width, height;
    int64_t next_ns; /* the sums are not made again before that */
};

/* The end of a log ----------------------------------------------------------------------------- */

static void catch_up(struct follow *follow)
{
    const struct recordings *recordings = &follow->profile->recordings;
    if (follow->is_caught_up)
        return;
    follow->is_caught_up = true;
    free(follow->lines_then);
    follow->count_then = recordings->count;
    follow->lines_then = mem_zeroed(follow->count_then, sizeof *follow->lines_then);
    for (size_t i = 0; i < follow->count_then; i++)
        follow->lines_then[i] = recordings->all[i].lines;
    follow->next_ns = 0;
    follow->must_draw = true;
}

/* Whether all recordings that went on after catching up have ended. */
static bool has_recording_ended(const struct follow *follow)
{
    const struct recordings *recordings = &follow->profile->recordings;
    bool has_any = false;
    for (size_t i = 0; i < recordings->count; i++) {
        const struct recording *recording = &recordings->all[i];
        uint64_t then = i < follow->count_then ? follow->lines_then[i] : 0;
        if (recording->lines == then)
            continue;
        has_any = true;
        if (!recording->has_end)
            return false;
    }
    return has_any;
}

/* Whether the file was made shorter, or another one has its name. */
static enum follow_end find_change(const struct follow *follow, int file)
{
    struct file_status open, named;
    if (!file_status_of_open(&open, file))
        return NOT_ENDED;
    if (open.byte_count < (int64_t)follow->byte_count)
        return LOG_IS_SHORTER;
    bool is_named = strcmp(follow->path, "-") != 0 && file_status(&named, follow->path);
    return is_named && !file_is_same(&open, &named) ? LOG_IS_REPLACED : NOT_ENDED;
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

/* The screen ----------------------------------------------------------------------------------- */

/* The oldest mark that is needed is the last one that is older than the window. */
static void add_mark(struct follow *follow)
{
    int64_t from_ns = follow->now.clock_ns - FOLLOW_WINDOW_SECONDS * second_ns;
    size_t first = 0;
    while (first + 1 < follow->mark_count && follow->marks[first + 1].clock_ns <= from_ns)
        first++;
    first += follow->mark_count - first == MARKS_MAX;
    for (size_t i = 0; i < first; i++)
        running_sums_release(&follow->marks[i]);
    follow->mark_count -= first;
    memmove(follow->marks, follow->marks + first, follow->mark_count * sizeof *follow->marks);
    follow->marks[follow->mark_count] = (struct running_sums){0};
    running_sums_copy(&follow->marks[follow->mark_count++], &follow->now);
}

static void name_functions(struct follow *follow)
{
    struct symbols symbols;
    struct paths paths;
    snapshot_name(follow->profile, &follow->now.functions, &symbols);
    paths_init(&paths, &symbols, &follow->profile->mounts, follow->options->path_style);
    labels_release(&follow->labels);
    labels_init(&follow->labels, &symbols, &paths);
    paths_release(&paths);
    snapshot_release_symbols(&symbols);
}

static void sum_up(struct follow *follow)
{
    int64_t begin_ns = clock_now_ns();
    snapshot_sum(follow->profile, &follow->now);
    if (follow->is_caught_up)
        add_mark(follow);
    const struct running_sums *before = follow->marks;
    for (size_t i = 0; i < follow->now.run_count; i++)
        follow->now.runs[i].known_ticks =
            follow->mark_count > 0 && i < before->run_count ? before->runs[i].tick_count : 0;
    snapshot_sum_recent_ticks(follow->profile, &follow->now);
    name_functions(follow);
    follow->summed_bytes = follow->byte_count;
    follow->has_sums = true;
    follow->must_draw = true;
    int64_t end_ns = clock_now_ns();
    int64_t pause_ns = COST_FACTOR * (end_ns - begin_ns);
    follow->next_ns = end_ns + (pause_ns > refresh_ns ? pause_ns : refresh_ns);
}

static void put_status(struct text *text, const struct follow *follow)
{
    const struct recordings *recordings = &follow->profile->recordings;
    bool is_live = recordings->count == 0;
    for (size_t i = 0; i < recordings->count; i++)
        is_live |= !recordings->all[i].has_end;
    text_put_string(text, !follow->is_caught_up ? "Reading what is there"
                          : is_live             ? "Waiting for more"
                                                : "The recording has ended; waiting for another");
    text_printf(text, " (%.1f MB read", (double)(follow->all_bytes + follow->byte_count) / 1e6);
    if (follow->profile->counts.damaged > 0)
        text_printf(text, ", %llu damaged", (unsigned long long)follow->profile->counts.damaged);
    text_put(text, ")", 2);
}

static bool draw(struct follow *follow)
{
    struct text text = {0}, status = {0};
    put_status(&status, follow);
    int64_t before_ns = follow->mark_count > 0 ? follow->marks[0].clock_ns : 0;
    struct follow_screen screen = {
        .title = strcmp(follow->path, "-") == 0 ? "standard input" : file_name(follow->path),
        .status = status.at,
        .now = &follow->now,
        .has_recording = follow->profile->recordings.count > 0,
        .is_window = follow->is_window && follow->mark_count > 0,
        .before = follow->marks,
        .window_ns = follow->now.clock_ns - before_ns,
        .labels = &follow->labels,
        .row_limit = follow->options->has_top ? follow->options->row_limit : FOLLOW_ROWS,
        .width = follow->width,
        .height = follow->height,
        .is_colored = options_wants_color(follow->options, true),
    };
    follow_screen_put(&text, &screen);
    bool is_drawn = file_write(FILE_STANDARD_OUTPUT, text.at, text.length);
    text_release(&text);
    text_release(&status);
    follow->must_draw = false;
    return is_drawn;
}

/* Draws the screen if it has changed, and its time has come. Fails if the terminal is gone. */
static bool refresh(struct follow *follow)
{
    enum { USUAL_WIDTH = 80, USUAL_HEIGHT = 24 };
    size_t width = terminal_width(FILE_STANDARD_OUTPUT), height = terminal_height();
    width = width > 0 ? width : USUAL_WIDTH;
    height = height > 0 ? height : USUAL_HEIGHT;
    follow->must_draw |= width != follow->width || height != follow->height;
    follow->width = width;
    follow->height = height;
    bool is_old = !follow->has_sums || follow->summed_bytes != follow->byte_count;
    if ((is_old || follow->next_ns == 0) && clock_now_ns() >= follow->next_ns)
        sum_up(follow);
    return !follow->must_draw || draw(follow);
}

/* Waiting -------------------------------------------------------------------------------------- */

static void press(struct follow *follow, char key)
{
    if (key == 'q' || key == 'Q')
        follow->end = END_BY_USER;
    if (key != 'w' && key != 'W')
        return;
    follow->is_window = !follow->is_window;
    follow->must_draw = true;
}

/* Refreshes the screen and looks at the keys until the file can be read again. */
static void wait_for_more(struct follow *follow, int file, bool is_at_end)
{
    bool is_ready = follow->is_regular && !is_at_end;
    while (follow->end == NOT_ENDED) {
        char key;
        bool is_waiting = follow->is_regular ? is_at_end : follow->is_caught_up;
        if (!refresh(follow)) {
            follow->end = END_OF_SCREEN;
            break;
        }
        enum screen_event event =
            screen_wait(follow->is_regular ? -1 : file, is_waiting ? WAIT_MS : 0, &key);
        if (event == SCREEN_INTERRUPT)
            follow->end = END_BY_USER;
        else if (event == SCREEN_KEY)
            press(follow, key);
        else if (event == SCREEN_BYTES || is_ready || follow->is_regular)
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

/* All together --------------------------------------------------------------------------------- */

static void say_end(const struct follow *follow, struct console *console)
{
    const char *name = strcmp(follow->path, "-") == 0 ? "standard input" : follow->path;
    const char *what = follow->end == LOG_IS_SHORTER
                           ? "has become shorter; reading it from its start"
                       : follow->end == LOG_IS_REPLACED  ? "is another file now; reading that one"
                       : follow->end == END_OF_RECORDING ? "the recording has ended"
                                                         : NULL;
    struct error message;
    if (what == NULL || follow->options->is_quiet)
        return;
    error_set(&message, "%s: %s", name, what);
    console_say(console, message.text);
}

static void release(struct follow *follow)
{
    for (size_t i = 0; i < follow->mark_count; i++)
        running_sums_release(&follow->marks[i]);
    running_sums_release(&follow->now);
    labels_release(&follow->labels);
    free(follow->lines_then);
}

bool follow_log(struct profile *profile, const char *path, const struct options *options,
                struct console *console, struct error *err)
{
    struct follow follow = {.profile = profile, .options = options, .path = path};
    struct follower follower = {.wait = wait, .context = &follow};
    bool is_read, goes_on;
    profile->follower = &follower;
    console_hold(console);
    do {
        follow.end = NOT_ENDED;
        follow.is_caught_up = false;
        is_read = profile_read(profile, path, err);
        say_end(&follow, console);
        goes_on = is_read && (follow.end == LOG_IS_SHORTER || follow.end == LOG_IS_REPLACED);
        follow.all_bytes += follow.byte_count;
        follow.byte_count = 0;
    } while (goes_on);
    profile->follower = NULL;
    interrupt_release();
    screen_end();
    console_let_go(console);
    release(&follow);
    return is_read;
}
