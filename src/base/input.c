#include "base/input.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

enum {
    /* zlib reads uncompressed data straight into a buffer at least twice as large. */
    ZLIB_BUFFER_BYTES = 64 * 1024
};

static bool open_descriptor(struct input *input, int *descriptor, struct error *err)
{
    bool is_standard = strcmp(input->path, "-") == 0;
    /* A copy, since gzclose() closes what it was given. */
    *descriptor = is_standard ? file_copy(FILE_STANDARD_INPUT) : file_open(input->path, FILE_WAITS);
    if (*descriptor < 0)
        return error_set(err, "cannot open '%s': %s", input->path, strerror(errno));
    if (!file_status_of_open(&input->status, *descriptor))
        return error_set(err, "cannot read '%s': %s", input->path, strerror(errno));
    if (input->status.kind == FILE_DIRECTORY)
        return error_set(err, "'%s' is a directory; name the log file in it", input->path);
    return true;
}

bool input_open(struct input *input, const char *path, struct error *err)
{
    *input = (struct input){.path = path};
    int descriptor = -1;
    if (open_descriptor(input, &descriptor, err)) {
        input->gz = gzdopen(descriptor, "rb");
        if (input->gz != NULL) {
            gzbuffer(input->gz, ZLIB_BUFFER_BYTES);
            return true;
        }
        error_set(err, "cannot read '%s': out of memory", path);
    }
    if (descriptor >= 0)
        file_close(descriptor);
    return false;
}

void input_close(struct input *input)
{
    if (input->gz != NULL)
        gzclose(input->gz);
    input->gz = NULL;
}

static bool fail(struct input *input, struct error *err)
{
    int code;
    const char *why = gzerror(input->gz, &code);
    if (code == Z_ERRNO)
        why = strerror(errno);
    else if (code == Z_BUF_ERROR)
        why = "the compressed data ends too early; what came before it is used";
    else if (code == Z_DATA_ERROR)
        why = "the compressed data is damaged; what came before it is used";
    return error_set(err, "cannot read all of '%s': %s", input->path, why);
}

bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err)
{
    unsigned wanted = capacity > INT_MAX ? INT_MAX : (unsigned)capacity;
    int got = gzread(input->gz, buffer, wanted);
    *length = got > 0 ? (size_t)got : 0;
    input->byte_count += *length;
    if (got > 0)
        return true;
    /* A cut file is no error to gzread() itself, which then just has no more. */
    int code;
    gzerror(input->gz, &code);
    return got == 0 && code == Z_OK ? true : fail(input, err);
}

double input_progress(const struct input *input)
{
    if (input->status.kind != FILE_REGULAR || input->status.byte_count <= 0)
        return -1;
    return (double)gzoffset(input->gz) / (double)input->status.byte_count;
}
