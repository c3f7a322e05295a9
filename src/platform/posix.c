#define _GNU_SOURCE

#include "platform/bytes.h"
#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/process.h"
#include "platform/terminal.h"
#include "platform/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

const char *bytes_find_last(const char *bytes, char byte, size_t length)
{
    return memrchr(bytes, byte, length);
}

int file_create_new(const char *path, unsigned permissions)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)permissions);
    /* Whatever the mask of new files is. */
    if (file < 0 || fchmod(file, (mode_t)permissions) == 0)
        return file;
    int reason = errno;
    close(file);
    unlink(path);
    errno = reason;
    return -1;
}

unsigned file_default_permissions(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

char *file_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* Returns `folder`, '/' and `name` as one text. The caller frees it. */
static char *join(const char *folder, size_t folder_length, const char *name)
{
    char *path;
    return asprintf(&path, "%.*s/%s", (int)folder_length, folder, name) < 0 ? NULL : path;
}

/*
 * Returns the target of a link, relative to the link's directory; NULL if it is not a link. The
 * caller frees it.
 */
static char *read_link(const char *path)
{
    enum { LINK_BYTES_MAX = 4096 };
    char link[LINK_BYTES_MAX + 1];
    ssize_t length = readlink(path, link, LINK_BYTES_MAX);
    if (length < 0)
        return NULL;
    link[length] = '\0';
    size_t folder_length = (size_t)(file_name(path) - path);
    if (link[0] == '/' || folder_length == 0)
        return strdup(link);
    return join(path, folder_length - 1, link);
}

char *file_target(const char *path)
{
    enum { LINKS_MAX = 40 };
    char *end = strdup(path);
    for (int i = 0; end != NULL && i < LINKS_MAX; i++) {
        char *next = read_link(end);
        if (next == NULL)
            break;
        free(end);
        end = next;
    }
    if (end == NULL)
        return NULL;
    char *name = end + (file_name(end) - end);
    char *folder = name > end ? strndup(end, (size_t)(name - end)) : strdup(".");
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    char *target = real != NULL ? join(real, strlen(real), name) : NULL;
    free(real);
    free(folder);
    free(end);
    return target;
}

static bool is_in_container(void)
{
    struct stat known;
    /* systemd, Podman and LXC set the variable, Docker makes the first file, Podman the other. */
    const char *kind = getenv("container");
    return (kind != NULL && kind[0] != '\0') || stat("/.dockerenv", &known) == 0 ||
           stat("/run/.containerenv", &known) == 0;
}

bool file_is_trusted(const char *path)
{
    struct stat link, target, folder;
    uid_t user = geteuid();
    char *folder_path = strndup(path, (size_t)(file_name(path) - path));
    bool is_known = folder_path != NULL && lstat(path, &link) == 0 && stat(path, &target) == 0 &&
                    stat(folder_path, &folder) == 0;
    free(folder_path);
    if (!is_known)
        return false;
    uid_t other = user == 0 || is_in_container() ? folder.st_uid : user;
    return (link.st_uid == user || link.st_uid == 0 || link.st_uid == other) &&
           (target.st_uid == user || target.st_uid == 0 || target.st_uid == other);
}

/*
 * The file that wakes a thread when Ctrl-C is pressed.
 */

/* A signal handler takes no context. */
static atomic_bool is_pending;
static bool is_caught;
static struct sigaction before;

/*
 * A byte in the pipe wakes every thread that waits, also one that is about to wait. It stays open:
 * the handler may still run on another thread when Ctrl-C is not caught any more.
 */
static int pipe_ends[2] = {-1, -1};
static int reading_end = -1; /* while Ctrl-C is caught; else poll() ignores it */

static void on_interrupt(int signal_number)
{
    int reason = errno;
    is_pending = true;
    /* If it fails, the pipe is full, and whoever waits wakes all the same. */
    (void)!write(pipe_ends[1], "", 1);
    sigaction(signal_number, &before, NULL);
    errno = reason;
}

/* Opens the pipe, or takes out what is in it. */
static bool prepare_pipe(void)
{
    char byte;
    if (pipe_ends[0] < 0)
        return pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0;
    while (read(pipe_ends[0], &byte, 1) == 1)
        continue;
    return true;
}

void interrupt_catch(void)
{
    is_pending = false;
    if (is_caught || sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_IGN ||
        !prepare_pipe())
        return;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    is_caught = sigaction(SIGINT, &action, NULL) == 0;
    reading_end = is_caught ? pipe_ends[0] : -1;
}

void interrupt_release(void)
{
    if (is_caught)
        sigaction(SIGINT, &before, NULL);
    reading_end = -1;
    is_caught = false;
}

bool interrupt_is_pending(void)
{
    return is_caught && is_pending;
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

#ifdef __linux__
#include <sched.h>
#endif

size_t thread_processor_count(void)
{
#ifdef __linux__
    /* Those that taskset(1) or a container leaves, unless there are more than the set has room for.
     */
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        return (size_t)CPU_COUNT(&processors);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (size_t)count : 1;
}

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { LARGE_BLOCK_BYTES = 1024 * 1024 };

#ifdef __linux__
#include <sys/mman.h>
#endif

void process_take_pages(void *block, size_t byte_count)
{
#ifdef MADV_POPULATE_WRITE
    if (byte_count < LARGE_BLOCK_BYTES)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)block + page - 1) & ~(page - 1);
    /* A system that cannot gives them one by one. */
    (void)madvise(
        (void *)from, ((uintptr_t)block + byte_count - from) & ~(page - 1), MADV_POPULATE_WRITE);
#endif
}

void process_set_up(int *argc, char ***argv)
{
    /* A standard stream that is closed must not become the file that is opened next. Reading from
       this one, or writing to it, fails as it does with a closed one. */
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    /* A file that gets too large is a write that fails, which says so. */
    signal(SIGXFSZ, SIG_IGN);
#ifdef M_MMAP_THRESHOLD
    /* Setting it also stops glibc from raising it whenever a large block is freed. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    /* What one thread has freed, another can use: they allocate seldom, and wait for nothing. */
    mallopt(M_ARENA_MAX, 1);
#endif
}

static void (*registered[PROCESS_CLEAN_UPS_MAX])(void);

/* SA_RESETHAND has restored the default action, so the same signal now ends the program. */
static void clean_up_and_raise(int signal_number)
{
    for (size_t i = 0; i < PROCESS_CLEAN_UPS_MAX && registered[i] != NULL; i++)
        registered[i]();
    raise(signal_number);
}

void process_at_end(void (*clean_up)(void))
{
    /* All signals by which others end a process. */
    static const int signals[] = {SIGHUP,
                                  SIGINT,
                                  SIGQUIT,
                                  SIGTERM,
                                  SIGPIPE,
                                  SIGALRM,
                                  SIGUSR1,
                                  SIGUSR2,
                                  SIGXCPU,
                                  SIGVTALRM,
                                  SIGPROF,
                                  SIGPOLL};
    size_t count = 0;
    while (registered[count] != NULL)
        count++;
    registered[count] = clean_up;
    /* If this fails, only a call of exit() during an output leaves a temporary file. */
    (void)atexit(clean_up);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = clean_up_and_raise, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        /* Signals that the caller ignores (nohup, trap '') stay ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

bool process_is_alone(void)
{
    return false;
}

uint64_t process_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}

char *process_file(void)
{
    return realpath("/proc/self/exe", NULL);
}

char *process_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? strdup(value) : NULL;
}

bool process_show(const char *path)
{
    static char program[] = "xdg-open";
    /* A name such as "-a.html" or "https:a.html" would be an option, or an address. */
    char *argument = path[0] == '/' ? strdup(path) : join(".", 1, path);
    char *const arguments[] = {program, argument, NULL};
    posix_spawn_file_actions_t actions;
    if (argument == NULL || posix_spawn_file_actions_init(&actions) != 0) {
        free(argument);
        return false;
    }
    /* The messages of a browser are of no use here. */
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process;
    bool is_started = posix_spawnp(&process, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    free(argument);
    return is_started;
}

/* The alternate screen, without a cursor, and without a second line for one that is too long. */
static const char begin[] = "\x1b[?1049h\x1b[?25l\x1b[?7l", end[] = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/* The terminal must be restored by signal handlers, which take no context. */
static volatile sig_atomic_t is_on, was_stopped;
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
    was_stopped = is_on;
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
        {.fd = reading_end, .events = POLLIN},
        {.fd = keyboard, .events = POLLIN},
        {.fd = file, .events = POLLIN},
    };
    bool is_over =
        !interrupt_is_pending() && poll(files, sizeof files / sizeof files[0], timeout_ms) <= 0;
    if (interrupt_is_pending())
        return SCREEN_INTERRUPT;
    if (was_stopped) {
        was_stopped = false;
        *key = SCREEN_REDRAW;
        return SCREEN_KEY;
    }
    if (is_over)
        return SCREEN_NOTHING;
    if (files[1].revents != 0 && read_key(key))
        return SCREEN_KEY;
    return files[2].revents != 0 ? SCREEN_BYTES : SCREEN_NOTHING;
}

struct terminal terminal_of(int file)
{
    struct winsize size = {0};
    const char *kind = getenv("TERM");
    if (!isatty(file))
        return (struct terminal){0};
    if (ioctl(file, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    return (struct terminal){.is_there = true,
                             .has_color = kind != NULL && strcmp(kind, "dumb") != 0,
                             .width = size.ws_col,
                             .height = size.ws_row};
}

/* Needed where the window closes with the process (see process_is_alone()); it never does here. */
void terminal_wait_for_key(void)
{
}
