#define _GNU_SOURCE
#include "platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/*
 * A standard stream that is closed must not become the file that is opened next. Reading from this
 * one, or writing to it, fails as it does with a closed one.
 */
static void open_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void process_set_up(int *argc, char ***argv)
{
    open_standard_streams();
    /* A file that gets too large is a write that fails, which says so. */
    signal(SIGXFSZ, SIG_IGN);
#ifdef M_MMAP_THRESHOLD
    enum { LARGE_BLOCK_BYTES = 1024 * 1024 };
    /* Setting it also stops glibc from raising it whenever a large block is freed. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
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
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGPIPE, SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGPOLL};
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
    char *argument = strdup(path);
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
