#include "base/output.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024 };

/*
 * The one temporary file there can be at a time. exit() may be called where no
 * `struct output` is in reach, when memory runs out.
 */
static char *volatile unfinished;

static void remove_unfinished(void)
{
    if (unfinished != NULL)
        unlink(unfinished);
}

/* SA_RESETHAND has put back the default, which now ends the program as it would have. */
static void remove_and_raise(int signal_number)
{
    remove_unfinished();
    raise(signal_number);
}

static void catch_ends(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = remove_and_raise, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        /* What the caller ignores (nohup, trap '') stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

static bool open_temporary(struct output *output, mode_t mode, struct error *err)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(output->target);
    char *name = mem_zeroed(length + sizeof suffix, 1);
    memcpy(name, output->target, length);
    memcpy(name + length, suffix, sizeof suffix);
    output->temporary = name;

    int descriptor = mkstemp(name);
    if (descriptor < 0)
        return error_set(err, "cannot create a file beside '%s': %s", output->path,
                         strerror(errno));
    static bool is_registered;
    if (!is_registered) {
        is_registered = atexit(remove_unfinished) == 0;
        catch_ends();
    }
    unfinished = name;
    /* mkstemp() lets only the owner read. */
    if (fchmod(descriptor, mode) != 0 || (output->file = fdopen(descriptor, "wb")) == NULL) {
        error_set(err, "cannot write '%s': %s", output->path, strerror(errno));
        close(descriptor);
        return false;
    }
    return true;
}

static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool open_path(struct output *output, struct error *err)
{
    struct stat status;
    bool exists = stat(output->path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return error_set(err, "cannot write '%s': it is a directory", output->path);
    struct stat link;
    bool is_dangling = !exists && lstat(output->path, &link) == 0;
    if (is_dangling || (exists && !S_ISREG(status.st_mode))) {
        output->file = fopen(output->path, "wb");
        return output->file != NULL ||
               error_set(err, "cannot write '%s': %s", output->path, strerror(errno));
    }
    /* rename() would replace a link instead of what it leads to. */
    output->target = exists ? realpath(output->path, NULL) : NULL;
    if (output->target == NULL)
        output->target = mem_copy(output->path, strlen(output->path));
    return open_temporary(output, exists ? status.st_mode & 0777 : default_mode(), err);
}

static void forget(struct output *output)
{
    free(output->target);
    if (unfinished == output->temporary)
        unfinished = NULL;
    free(output->temporary);
    *output = (struct output){0};
}

/* "/dev/stdout" and the like: replacing what it leads to would lose what else is written there. */
static bool is_standard_output(const char *path)
{
    struct stat standard, status;
    return fstat(STDOUT_FILENO, &standard) == 0 && stat(path, &status) == 0 &&
           S_ISREG(status.st_mode) && standard.st_dev == status.st_dev &&
           standard.st_ino == status.st_ino;
}

bool output_open(struct output *output, const char *path, struct error *err)
{
    *output = (struct output){.path = path};
    if (strcmp(path, "-") == 0 || is_standard_output(path)) {
        output->file = stdout;
        return true;
    }
    if (open_path(output, err)) {
        setvbuf(output->file, NULL, _IOFBF, BUFFER_BYTES);
        return true;
    }
    remove_unfinished();
    forget(output);
    return false;
}

bool output_close(struct output *output, struct error *err)
{
    bool is_standard = output->file == stdout;
    errno = 0;
    bool is_written = fflush(output->file) == 0 && !ferror(output->file);
    int code = errno;
    if (!is_standard && fclose(output->file) != 0 && is_written) {
        is_written = false;
        code = errno;
    }
    if (is_written && output->temporary != NULL && rename(output->temporary, output->target) != 0) {
        is_written = false;
        code = errno;
    }
    if (!is_written) {
        const char *quote = is_standard ? "" : "'";
        error_set(err, "cannot write %s%s%s: %s", quote,
                  is_standard ? "standard output" : output->path, quote,
                  code != 0 ? strerror(code) : "an earlier write failed");
        remove_unfinished();
    }
    forget(output);
    return is_written;
}

bool output_is_input(const char *output_path, const struct stat *input)
{
    struct stat status;
    return S_ISREG(input->st_mode) && stat(output_path, &status) == 0 &&
           status.st_dev == input->st_dev && status.st_ino == input->st_ino;
}
