#include "output.h"

#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024 };

/*
 * The one temporary file there can be at a time. exit() may be called where no
 * `struct output` is in reach, when memory runs out.
 */
static char *unfinished;

static void remove_unfinished(void)
{
    if (unfinished != NULL)
        unlink(unfinished);
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
    if (!is_registered)
        is_registered = atexit(remove_unfinished) == 0;
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
    if (exists && !S_ISREG(status.st_mode)) {
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

bool output_open(struct output *output, const char *path, struct error *err)
{
    *output = (struct output){.path = path};
    if (strcmp(path, "-") == 0) {
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
