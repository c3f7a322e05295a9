#include "cli/logs/parts.h"

#include "base/input.h"
#include "cli/logs/follow_view.h"
#include "platform/interrupt.h"
#include "platform/screen.h"

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
    follow_view_hurry(&follow->view);
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
    follow_view_release(&follow.view);
    free(follow.lines_then);
    return is_read;
}
