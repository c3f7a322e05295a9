#define _GNU_SOURCE
#include "platform/posix_interrupt.h"
#include "platform/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/* A signal handler takes no context. */
static atomic_bool is_pending;
static bool is_caught;
static struct sigaction before;
/* A byte in the pipe wakes every thread that waits, also one that is about to wait. */
static int reading_end = -1, writing_end = -1;

static void on_interrupt(int signal_number)
{
    int reason = errno;
    is_pending = true;
    /* If it fails, the pipe is full, and whoever waits wakes all the same. */
    (void)!write(writing_end, "", 1);
    sigaction(signal_number, &before, NULL);
    errno = reason;
}

static bool open_pipe(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    reading_end = ends[0];
    writing_end = ends[1];
    return true;
}

void interrupt_catch(void)
{
    is_pending = false;
    if (is_caught || sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_IGN ||
        !open_pipe())
        return;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    is_caught = sigaction(SIGINT, &action, NULL) == 0;
}

void interrupt_release(void)
{
    if (reading_end >= 0) {
        sigaction(SIGINT, &before, NULL);
        close(reading_end);
        close(writing_end);
    }
    reading_end = writing_end = -1;
    is_caught = false;
    is_pending = false;
}

bool interrupt_is_pending(void)
{
    return is_pending;
}

int posix_interrupt_file(void)
{
    return reading_end;
}

bool interrupt_wait_for_bytes(int file)
{
    if (!is_caught)
        return true;
    struct pollfd files[] = {{.fd = file, .events = POLLIN}, {.fd = reading_end, .events = POLLIN}};
    while (!is_pending && poll(files, 2, -1) < 0 && errno == EINTR)
        continue;
    return !is_pending;
}
