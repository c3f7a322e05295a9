#include "base/line_file.h"

#include "base/input.h"

/* Without the blanks around it. */
static struct span trim(struct span line)
{
    while (line.length > 0 && strchr(" \t\r", line.at[line.length - 1]) != NULL)
        line.length--;
    while (line.length > 0 && strchr(" \t", line.at[0]) != NULL)
        line = span_from(line, 1);
    return line;
}

static bool read_all(struct input *input, struct text *text, struct error *err)
{
    enum { BLOCK_BYTES = 4096, FILE_MAX = 1 << 20 };
    char block[BLOCK_BYTES];
    size_t length = 0;
    while (text->length < FILE_MAX && input_read(input, block, sizeof block, &length, err)) {
        if (length == 0 && text->length == 0 && input->status.kind == FILE_OTHER)
            return error_set(err, "%s: this pipe is empty, because no program writes into it",
                             input->path);
        if (length == 0)
            return true;
        text_put(text, block, length);
    }
    return text->length >= FILE_MAX
               ? error_set(err, "%s: too large; the limit is 1 MB", input->path)
               : false;
}

bool line_file_read(struct line_file *file, const char *path, struct error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct input input;
    *file = (struct line_file){0};
    if (!input_open(&input, path, FILE_DOES_NOT_WAIT, NULL, err))
        return false;
    bool is_read = read_all(&input, &file->text, err);
    input_close(&input);
    if (!is_read)
        text_release(&file->text);
    file->rest = text_span(&file->text);
    if (span_starts_with(file->rest, byte_order_mark))
        file->rest = span_from(file->rest, sizeof byte_order_mark - 1);
    return is_read;
}

bool line_file_next(struct line_file *file, struct span *line)
{
    while (file->rest.length > 0) {
        *line = trim(span_take(&file->rest, '\n'));
        file->number++;
        if (line->length > 0 && line->at[0] != '#')
            return true;
    }
    return false;
}

void line_file_release(struct line_file *file)
{
    text_release(&file->text);
}
