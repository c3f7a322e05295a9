/*
 * Linked into a supprof whose calls of the system for files go through here (ld --wrap): the
 * one that FAIL_IO names, counted from 1, fails with the error that a failing disk gives.
 * With RAISE that signal comes at the first call that RAISE_AT names. See failing-io.sh.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The descriptor of which a write has failed. */
static int failed_file = -1;

static bool fails(const char *call)
{
    static unsigned long count;
    const char *wanted = getenv("FAIL_IO"), *raises_at = getenv("RAISE_AT");
    if (raises_at != NULL && strcmp(raises_at, call) == 0)
        raise(atoi(getenv("RAISE")));
    count++;
    if (wanted == NULL || count != strtoul(wanted, NULL, 10))
        return false;
    fprintf(stderr, "failing: %s\n", call);
    errno = EIO;
    return true;
}

#define WRAP(type, name, parameters, arguments, failure)                                           \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(#name) ? (failure) : __real_##name arguments;                                 \
    }

WRAP(ssize_t, read, (int file, void *buffer, size_t size), (file, buffer, size), -1)
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), -1)
WRAP(int, fstat, (int file, struct stat *status), (file, status), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(DIR *, opendir, (const char *path), (path), NULL)
WRAP(struct dirent *, readdir, (DIR * directory), (directory), NULL)
WRAP(char *, realpath, (const char *path, char *resolved), (path, resolved), NULL)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails("open") ? -1 : __real_open(path, flags, mode);
}

/* As on Linux, the descriptor is gone all the same. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    if (file == failed_file)
        failed_file = -1;
    if (!fails("close"))
        return __real_close(file);
    __real_close(file);
    errno = EIO;
    return -1;
}

ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    if (file == failed_file) {
        fputs("a write after one that failed\n", stderr);
        _exit(99);
    }
    if (!fails("write"))
        return __real_write(file, bytes, size);
    failed_file = file;
    return -1;
}
