#include "base/input.h"

#include "base/kind.h"
#include "base/mem.h"
#include "base/utf16.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Text decoded from UTF-16; [from, text.length) is not handed out yet. */
struct input_utf16 {
    struct utf16 decoder;
    struct text text;
    size_t from;
    bool is_at_end;
};

/* Formats "cannot DO 'path': WHY". */
static bool fail(const struct input *input, const char *doing, const char *why, struct error *err)
{
    bool is_standard = strcmp(input->path, "-") == 0;
    const char *quote = is_standard ? "" : "'";
    return error_set(err, "cannot %s %s%s%s: %s", doing, quote,
                     is_standard ? "standard input" : input->path, quote, why);
}

static bool open_file(struct input *input, enum file_waiting waiting, struct error *err)
{
    bool is_standard = strcmp(input->path, "-") == 0;
    input->file = is_standard ? FILE_STANDARD_INPUT : file_open(input->path, waiting);
    if (input->file < 0)
        return fail(input, "open", strerror(errno), err);
    if (!file_status_of_open(&input->status, input->file))
        return fail(input, "read", strerror(errno), err);
    if (input->status.kind == FILE_DIRECTORY)
        return error_set(err, "'%s' is a directory; name the log file in it", input->path);
    return true;
}

/* Reads the bytes that identify UTF-16. A failure is ignored here: the next read reports it. */
static void read_start(struct input *input)
{
    static const char little[] = {'\xff', '\xfe'}, big[] = {'\xfe', '\xff'};
    struct error ignored;
    size_t length = 1;
    while (input->start_end < sizeof little && length > 0) {
        stored_read(input->stored, input->start + input->start_end,
                    sizeof input->start - input->start_end, &length, &ignored);
        input->start_end += length;
    }
    bool is_big = input->start_end >= sizeof big && memcmp(input->start, big, sizeof big) == 0;
    if (!is_big &&
        (input->start_end < sizeof little || memcmp(input->start, little, sizeof little) != 0))
        return;
    input->utf16 = mem_zeroed(1, sizeof *input->utf16);
    input->utf16->decoder.is_big_endian = is_big;
    input->start_from = sizeof big;
}

bool input_open(struct input *input, const char *path, enum file_waiting waiting,
                const struct follower *follower, struct error *err)
{
    *input = (struct input){.path = path};
    if (!open_file(input, waiting, err)) {
        input_close(input);
        return false;
    }
    input->stored = stored_new(input->file, follower);
    const char *refusal = kind_refusal(stored_start(input->stored));
    if (refusal != NULL) {
        const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
        const char *quote = name == path ? "'" : "";
        error_set(err, "%s%s%s %s", quote, name, quote, refusal);
        input_close(input);
        return false;
    }
    read_start(input);
    return true;
}

void input_close(struct input *input)
{
    stored_free(input->stored);
    if (input->utf16 != NULL)
        text_release(&input->utf16->text);
    free(input->utf16);
    if (input->file > FILE_STANDARD_INPUT)
        file_close(input->file);
    input->stored = NULL;
    input->utf16 = NULL;
    input->file = -1;
}

static bool read_bytes(struct input *input, char *buffer, size_t capacity, size_t *length,
                       struct error *err)
{
    size_t kept = input->start_end - input->start_from;
    if (kept > 0) {
        *length = kept < capacity ? kept : capacity;
        memcpy(buffer, input->start + input->start_from, *length);
        input->start_from += *length;
        return true;
    }
    struct error why;
    return stored_read(input->stored, buffer, capacity, length, &why) ||
           fail(input, "read all of", why.text, err);
}

/* Decodes the next bytes; there is no text after that only at the end. */
static bool decode_more(struct input *input, struct error *err)
{
    struct input_utf16 *utf16 = input->utf16;
    char bytes[16 * 1024];
    utf16->text.length = 0;
    utf16->from = 0;
    while (utf16->text.length == 0 && !utf16->is_at_end) {
        size_t length;
        if (!read_bytes(input, bytes, sizeof bytes, &length, err))
            return false;
        utf16_add(&utf16->decoder, (struct span){bytes, length}, &utf16->text);
        utf16->is_at_end = length == 0;
        if (utf16->is_at_end)
            utf16_end(&utf16->decoder, &utf16->text);
    }
    return true;
}

static bool read_utf16(struct input *input, char *buffer, size_t capacity, size_t *length,
                       struct error *err)
{
    struct input_utf16 *utf16 = input->utf16;
    if (utf16->from == utf16->text.length && !decode_more(input, err))
        return false;
    size_t left = utf16->text.length - utf16->from;
    *length = left < capacity ? left : capacity;
    if (*length > 0)
        memcpy(buffer, utf16->text.at + utf16->from, *length);
    utf16->from += *length;
    return true;
}

bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err)
{
    *length = 0;
    bool is_read = input->utf16 != NULL ? read_utf16(input, buffer, capacity, length, err)
                                        : read_bytes(input, buffer, capacity, length, err);
    input->byte_count += *length;
    return is_read;
}

bool input_is_compressed(const struct input *input)
{
    return stored_is_compressed(input->stored);
}

double input_progress(const struct input *input)
{
    if (input->status.kind != FILE_REGULAR || input->status.byte_count <= 0)
        return -1;
    return (double)stored_byte_count(input->stored) / (double)input->status.byte_count;
}
