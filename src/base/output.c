#include "base/output.h"

#include "base/mem.h"
#include "platform/process.h"

#include <errno.h>

enum { BUFFER_BYTES = 256 * 1024 };

/*
 * The temporary file; there is at most one at a time. It is global, since exit() may be called
 * where no `struct output` is known, for example when memory runs out.
 */
static char *volatile unfinished;

static void remove_unfinished(void)
{
    if (unfinished != NULL)
        file_remove(unfinished);
}

static bool open_temporary(struct output *output, unsigned permissions, struct error *err)
{
    /* Systems limit a name to 255 bytes. */
    enum { NAME_KEPT_BYTES = 200 };
    const char *name = file_name(output->target);
    struct text path = {0};
    text_put(&path, output->target, (size_t)(name - output->target));
    text_put_span(&path, text_start(span_of(name), NAME_KEPT_BYTES));
    text_put_string(&path, ".supprof-XXXXXX");
    output->temporary = path.at;

    static bool is_registered;
    if (!is_registered)
        process_at_end(remove_unfinished);
    is_registered = true;
    /* A signal may come before it is known that the file is there. */
    unfinished = path.at;
    output->file = file_create_temporary(path.at, permissions);
    if (output->file >= 0)
        return true;
    unfinished = NULL;
    if (errno == ENOENT)
        return error_set(
            err, "cannot write '%s': its folder does not exist; create it first", output->path);
    return error_set(err,
                     "cannot write '%s': %s",
                     output->path,
                     errno == EACCES ? "no permission in this folder" : strerror(errno));
}

static bool open_path(struct output *output, struct error *err)
{
    struct file_status status;
    bool exists = file_status(&status, output->path);
    if (exists && status.kind == FILE_DIRECTORY)
        return error_set(err, "cannot write '%s': it is a directory", output->path);
    if ((exists && status.kind != FILE_REGULAR) || file_is_dangling_link(output->path)) {
        output->file = file_open_to_write(output->path);
        return output->file >= 0 ||
               error_set(err, "cannot write '%s': %s", output->path, strerror(errno));
    }
    /* Renaming would replace a link instead of its target. */
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
    free(output->buffer);
    *output = (struct output){0};
}

/* "/dev/stdout" and the like: replacing the target would lose other output to it. */
static bool is_standard_output(const char *path)
{
    struct file_status status;
    return file_is_standard_output(path, &status) && status.kind == FILE_REGULAR;
}

bool output_open(struct output *output, const char *path, struct error *err)
{
    *output = (struct output){.path = path};
    if (file_is_standard(path) || is_standard_output(path)) {
        output->file = FILE_STANDARD_OUTPUT;
    } else if (!open_path(output, err)) {
        forget(output);
        return false;
    }
    output->buffer = mem_zeroed(BUFFER_BYTES, 1);
    return true;
}

void output_keep(struct output *output, struct kept_lines *kept)
{
    *output = (struct output){.path = "-", .file = FILE_STANDARD_OUTPUT, .kept = kept};
    output->buffer = mem_zeroed(BUFFER_BYTES, 1);
}

static void keep(struct kept_lines *kept, struct span bytes)
{
    while (bytes.length > 0) {
        const char *end = memchr(bytes.at, '\n', bytes.length);
        size_t length = end != NULL ? (size_t)(end - bytes.at) + 1 : bytes.length;
        bool is_wanted = kept->count >= kept->first && !kept->is_full &&
                         kept->count - kept->first < kept->count_max;
        if (is_wanted)
            text_put(&kept->text, bytes.at, length);
        kept->is_full |=
            kept->bytes_max > 0 && kept->kept_count > 0 && kept->text.length > kept->bytes_max;
        if (kept->is_full)
            text_cut(&kept->text, kept->whole_length);
        kept->count += end != NULL;
        kept->kept_count += end != NULL && is_wanted && !kept->is_full;
        kept->whole_length = end != NULL ? kept->text.length : kept->whole_length;
        bytes = span_from(bytes, length);
    }
}

static void write_all(struct output *output, const char *bytes, size_t length)
{
    if (output->kept != NULL)
        keep(output->kept, (struct span){bytes, length});
    else if (output->failure == 0 && !file_write(output->file, bytes, length))
        output->failure = errno;
}

void output_put(struct output *output, const char *bytes, size_t length)
{
    output->byte_count += length;
    if (length > BUFFER_BYTES - output->length) {
        write_all(output, output->buffer, output->length);
        output->length = 0;
    }
    if (length > BUFFER_BYTES) {
        write_all(output, bytes, length);
    } else if (length > 0) {
        memcpy(output->buffer + output->length, bytes, length);
        output->length += length;
    }
}

void output_put_string(struct output *output, const char *string)
{
    output_put(output, string, strlen(string));
}

void output_put_text(struct output *output, struct text *text)
{
    output_put(output, text_string(text), text->length);
    text_cut(text, 0);
}

void output_end_text(struct output *output, struct text *text)
{
    output_put_text(output, text);
    text_release(text);
}

bool output_close(struct output *output, struct error *err)
{
    bool is_standard = output->file == FILE_STANDARD_OUTPUT;
    write_all(output, output->buffer, output->length);
    if (!is_standard && !file_close(output->file) && output->failure == 0)
        output->failure = errno;
    if (output->failure == 0 && output->temporary != NULL &&
        !file_rename(output->temporary, output->target))
        output->failure = errno;
    bool is_written = output->failure == 0;
    if (!is_written) {
        const char *quote = is_standard ? "" : "'";
        error_set(err,
                  "cannot write %s%s%s: %s",
                  quote,
                  is_standard ? "standard output" : output->path,
                  quote,
                  strerror(output->failure));
        remove_unfinished();
    }
    forget(output);
    return is_written;
}

bool output_is_output(const char *path, const char *other)
{
    struct file_status status, other_status;
    bool exists = file_status(&status, path);
    if (exists && file_status(&other_status, other))
        return status.kind == FILE_REGULAR && file_is_same(&status, &other_status);
    SCOPED_ARRAY char *target = file_target(path);
    SCOPED_ARRAY char *other_target = file_target(other);
    bool is_same =
        target != NULL && other_target != NULL && file_is_same_path(target, other_target);
    return is_same;
}

bool output_is_input(const char *output_path, const struct file_status *input)
{
    struct file_status status;
    return input->kind == FILE_REGULAR && file_status(&status, output_path) &&
           file_is_same(&status, input);
}
