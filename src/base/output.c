#include "base/output.h"

#include "base/mem.h"
#include "platform/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 256 * 1024 };

/*
 * The one temporary file there can be at a time. exit() may be called where no
 * `struct output` is in reach, when memory runs out.
 */
static char *volatile unfinished;

static void remove_unfinished(void)
{
    if (unfinished != NULL)
        file_remove(unfinished);
}

static bool open_temporary(struct output *output, unsigned permissions, struct error *err)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(output->target);
    char *name = mem_zeroed(length + sizeof suffix, 1);
    memcpy(name, output->target, length);
    memcpy(name + length, suffix, sizeof suffix);
    output->temporary = name;

    static bool is_registered;
    if (!is_registered)
        process_at_end(remove_unfinished);
    is_registered = true;
    output->file = file_create_temporary(name, permissions);
    if (output->file == NULL)
        return error_set(err, "cannot create a file beside '%s': %s", output->path,
                         strerror(errno));
    unfinished = name;
    return true;
}

static bool open_path(struct output *output, struct error *err)
{
    struct file_status status;
    bool exists = file_status(&status, output->path);
    if (exists && status.kind == FILE_DIRECTORY)
        return error_set(err, "cannot write '%s': it is a directory", output->path);
    if ((exists && status.kind != FILE_REGULAR) || file_is_dangling_link(output->path)) {
        output->file = fopen(output->path, "wb");
        return output->file != NULL ||
               error_set(err, "cannot write '%s': %s", output->path, strerror(errno));
    }
    /* Renaming would replace a link instead of what it leads to. */
    output->target = exists ? file_real_path(output->path) : NULL;
    if (output->target == NULL)
        output->target = mem_copy(output->path, strlen(output->path));
    return open_temporary(output, exists ? status.permissions : file_default_permissions(), err);
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
    struct file_status standard, status;
    return file_status_of_open(&standard, FILE_STANDARD_OUTPUT) && file_status(&status, path) &&
           status.kind == FILE_REGULAR && file_is_same(&standard, &status);
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
    if (is_written && output->temporary != NULL &&
        !file_rename(output->temporary, output->target)) {
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

bool output_is_input(const char *output_path, const struct file_status *input)
{
    struct file_status status;
    return input->kind == FILE_REGULAR && file_status(&status, output_path) &&
           file_is_same(&status, input);
}
