#include "base/input.h"

#include "base/not_a_log.h"
#include "base/utf16.h"

#include <errno.h>

/* Text decoded from UTF-16; [from, text.length) is not handed out yet. */
struct input_utf16 {
    struct utf16 decoder;
    struct text text;
    size_t from;
    bool is_at_end;
};

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Formats "cannot DO 'path': WHY". */
static bool fail(const struct input *input, const char *doing, const char *code, const char *why,
                 struct error *err)
{
    const char *name = input_name(input->path);
    const char *quote = name == input->path ? "'" : "";
    return error_set_code(err, code, "cannot %s %s%s%s: %s", doing, quote, name, quote, why);
}

static bool open_file(struct input *input, enum file_waiting waiting, struct error *err)
{
    bool is_standard = strcmp(input->path, "-") == 0;
    input->file = is_standard ? FILE_STANDARD_INPUT : file_open(input->path, waiting);
    if (input->file < 0)
        return fail(input, "open", "unreadable", strerror(errno), err);
    if (!file_status_of_open(&input->status, input->file))
        return fail(input, "read", "unreadable", strerror(errno), err);
    if (input->status.kind == FILE_DIRECTORY)
        return error_set_code(err, "not-a-log", "'%s' is a directory; choose the log file in it",
                              input->path);
    return true;
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
    const struct not_a_log *found = not_a_log_find(stored_start(input->stored));
    if (found == NULL)
        return true;
    const char *name = input_name(path);
    const char *quote = name == path ? "'" : "";
    error_set_code(err, found->code, "%s%s%s %s", quote, name, quote, found->reason);
    input_close(input);
    return false;
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
    struct error why;
    return stored_read(input->stored, buffer, capacity, length, &why) ||
           fail(input, "read all of", why.code, why.text, err);
}

/* Decodes the next bytes. Only at the end is there no text afterwards. */
static bool decode_more(struct input *input, struct error *err)
{
    struct input_utf16 *utf16 = input->utf16;
    char bytes[16 * 1024];
    text_cut(&utf16->text, 0);
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

/* The first bytes may say that the text is UTF-16. */
static bool read_first(struct input *input, char *buffer, size_t capacity, size_t *length,
                       struct error *err)
{
    static const char little[] = {'\xff', '\xfe'}, big[] = {'\xfe', '\xff'};
    input->has_begun = true;
    for (size_t got = 1; *length < sizeof big && got > 0; *length += got)
        if (!read_bytes(input, buffer + *length, capacity - *length, &got, err) && *length == 0)
            return false;
    bool is_big = *length >= sizeof big && memcmp(buffer, big, sizeof big) == 0;
    if (!is_big && (*length < sizeof little || memcmp(buffer, little, sizeof little) != 0))
        return true;
    input->utf16 = mem_zeroed(1, sizeof *input->utf16);
    input->utf16->decoder.is_big_endian = is_big;
    struct span rest = {buffer + sizeof big, *length - sizeof big};
    utf16_add(&input->utf16->decoder, rest, &input->utf16->text);
    *length = 0;
    return read_utf16(input, buffer, capacity, length, err);
}

bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err)
{
    *length = 0;
    bool is_read = !input->has_begun      ? read_first(input, buffer, capacity, length, err)
                   : input->utf16 != NULL ? read_utf16(input, buffer, capacity, length, err)
                                          : read_bytes(input, buffer, capacity, length, err);
    input->byte_count += *length;
    return is_read;
}

double input_progress(const struct input *input)
{
    if (input->status.kind != FILE_REGULAR || input->status.byte_count <= 0)
        return -1;
    return (double)stored_byte_count(input->stored) / (double)input->status.byte_count;
}
