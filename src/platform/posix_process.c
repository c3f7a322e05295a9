#define _GNU_SOURCE
#include "platform/process.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void process_set_up(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
#ifdef M_MMAP_THRESHOLD
    enum { LARGE_BLOCK_BYTES = 1024 * 1024 };
    /* Setting it also stops glibc from raising it at each large block that is freed. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
#endif
}

static void (*registered)(void);

/* SA_RESETHAND has put back the default, which now ends the program as it would have. */
static void clean_up_and_raise(int signal_number)
{
    registered();
    raise(signal_number);
}

void process_at_end(void (*clean_up)(void))
{
    /* All that end a process from outside. */
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGPIPE, SIGALRM, SIGUSR1,
                                  SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGPOLL};
    registered = clean_up;
    /* Without it nothing but exit() in the middle of an output leaves something behind. */
    (void)atexit(clean_up);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = clean_up_and_raise, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        /* What the caller ignores (nohup, trap '') stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}
