/*
 * measure - how long a command takes, and how much memory.
 *
 *     measure COMMAND [ARGUMENT]...
 *
 * Runs the command, then prints "seconds peak_kb cpu_seconds" as one line to standard
 * error, the last one there: wall time, the largest resident set in units of 1024
 * bytes (Linux; other systems count in other units), and the time on all CPUs. Exits with the
 * command's status, 128 + N when signal N ended it, 127 when it could not be started.
 *
 * For GNU time is not in every base system, and a shell's own says nothing of
 * memory. The peak includes what this program had when it forked, less than 2 MB.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USAGE = 2, CANNOT_RUN = 127, SIGNALLED = 128 };

static int fail(const char *what)
{
    fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
    return CANNOT_RUN;
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("Usage: measure COMMAND [ARGUMENT]...\n", stderr);
        return USAGE;
    }
    struct timespec start, end;
    if (clock_gettime(CLOCK_MONOTONIC, &start) != 0)
        return fail("clock_gettime");
    pid_t child = fork();
    if (child < 0)
        return fail("fork");
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(fail(argv[1]));
    }
    int status = wait_for(child);
    struct rusage usage;
    /* The only child there was, so its peak is that of all children. */
    if (clock_gettime(CLOCK_MONOTONIC, &end) != 0 || getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return fail("cannot measure");
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    double cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    fprintf(stderr, "%.6f %ld %.6f\n", seconds, usage.ru_maxrss, cpu_seconds);
    return status;
}
