#define _GNU_SOURCE
#include "platform/interrupt.h"
#include "platform/posix_interrupt.h"
#include "platform/process.h"
#include "platform/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

/* The alternate screen, without a cursor, and without a second line for one that is too long. */
static const char begin[] = "\x1b[?1049h\x1b[?25l\x1b[?7l", end[] = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/* The terminal must be restored by signal handlers, which take no context. */
static volatile sig_atomic_t is_on;
static int keyboard = -1;
static bool has_mode, catches_stop;
static struct termios old_mode, key_mode;

/* Also called in a signal handler. Failures are ignored: there is no other way to the terminal. */
static void enter(void)
{
    if (has_mode)
        tcsetattr(keyboard, TCSANOW, &key_mode);
    (void)!write(STDOUT_FILENO, begin, sizeof begin - 1);
}

static void leave(void)
{
    if (!is_on)
        return;
    (void)!write(STDOUT_FILENO, end, sizeof end - 1);
    if (has_mode)
        tcsetattr(keyboard, TCSANOW, &old_mode);
}

/* Ctrl-Z: the shell gets its terminal back as it was. */
static void stop(int signal_number)
{
    int reason = errno;
    leave();
    raise(SIGSTOP);
    if (is_on)
        enter();
    errno = reason;
}

void screen_begin(void)
{
    keyboard = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    has_mode = keyboard >= 0 && tcgetattr(keyboard, &old_mode) == 0;
    key_mode = old_mode;
    key_mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    process_at_end(leave);
    struct sigaction action = {.sa_handler = stop}, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTSTP, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        catches_stop = sigaction(SIGTSTP, &action, NULL) == 0;
    is_on = true;
    enter();
}

void screen_end(void)
{
    leave();
    is_on = false;
    if (catches_stop)
        signal(SIGTSTP, SIG_DFL);
    if (keyboard >= 0)
        close(keyboard);
    keyboard = -1;
    has_mode = false;
}

/* Reads a key. A terminal that is gone has none from now on. */
static bool read_key(char *key)
{
    ssize_t got = read(keyboard, key, 1);
    if (got == 1)
        return true;
    if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        close(keyboard);
        keyboard = -1;
        has_mode = false;
    }
    return false;
}

enum screen_event screen_wait(int file, int timeout_ms, char *key)
{
    struct pollfd files[] = {
        {.fd = posix_interrupt_file(), .events = POLLIN},
        {.fd = keyboard, .events = POLLIN},
        {.fd = file, .events = POLLIN},
    };
    if (!interrupt_is_pending() && poll(files, sizeof files / sizeof files[0], timeout_ms) <= 0)
        return interrupt_is_pending() ? SCREEN_INTERRUPT : SCREEN_NOTHING;
    if (interrupt_is_pending())
        return SCREEN_INTERRUPT;
    if (files[1].revents != 0 && read_key(key))
        return SCREEN_KEY;
    return files[2].revents != 0 ? SCREEN_BYTES : SCREEN_NOTHING;
}
