#include "base/input.h"

#include "base/gzip.h"
#include "platform/thread.h"

#include <errno.h>

enum {
    /* What a file is is told by so many bytes of its text, and by the others that are read with
       them. */
    START_BYTES = 64,
    START_BYTES_MAX = 4096,
};

#define UNPACK "; unpack it and choose the log, if one is in it"
#define PIPE(program) "; unpack it first, or give supprof its text: " program " -dc FILE | supprof"
#define CHOOSE "; choose a game log"
#define REPLAY                                                                                     \
    {                                                                                              \
        "not-a-log",                                                                               \
            "is a replay of a game: give the log of that game, or play the replay and give "       \
            "the log of that"                                                                      \
    }
#define REPORT(format)                                                                             \
    {                                                                                              \
        "not-a-log", "is a report such as supprof writes (" format "), not a log" CHOOSE           \
    }

/* A text as the offset, length and bytes of a signature. */
#define TEXT(text) 0, sizeof text - 1, text

/* From the specifications of the formats: signatures at the start of the file, or at an offset. */
static const struct kind {
    size_t offset;
    size_t length;
    const char *signature; /* [length] */
    struct not_a_log is;
} kinds[] = {
    {0, 4, "PK\x03\x04", {"archive", "is a zip archive" UNPACK " (.scd, .nx2 and mods have none)"}},
    {0, 4, "PK\x05\x06", {"not-a-log", "is an empty zip archive" CHOOSE}},
    {0, 6, "7z\xbc\xaf\x27\x1c", {"archive", "is a 7-Zip archive" UNPACK}},
    {0, 6, "Rar!\x1a\x07", {"archive", "is a RAR archive" UNPACK}},
    /* Of POSIX and of GNU. Without the NUL, a line of a log could have it there. */
    {257, 6, "ustar\0", {"archive", "is a tar archive" UNPACK}},
    {257, 8, "ustar  \0", {"archive", "is a tar archive" UNPACK}},
    {0, 6, "\xfd\x37zXZ\0", {"archive", "is compressed with xz" PIPE("xz")}},
    {4, 6, "1AY&SY", {"archive", "is compressed with bzip2" PIPE("bzip2")}},
    {0, 4, "\x28\xb5\x2f\xfd", {"archive", "is compressed with zstd" PIPE("zstd")}},
    {0, 8, "\x89PNG\r\n\x1a\n", {"not-a-log", "is a picture (PNG)" CHOOSE}},
    {0, 3, "\xff\xd8\xff", {"not-a-log", "is a picture (JPEG)" CHOOSE}},
    {0, 6, "GIF87a", {"not-a-log", "is a picture (GIF)" CHOOSE}},
    {0, 6, "GIF89a", {"not-a-log", "is a picture (GIF)" CHOOSE}},
    {8, 4, "WEBP", {"not-a-log", "is a picture (WebP)" CHOOSE}},
    {0, 4, "DDS ", {"not-a-log", "is a picture (DDS)" CHOOSE}},
    {0, 4, "\x7f\x45LF", {"not-a-log", "is a program" CHOOSE}},
    /* The text of a file that gzip has compressed begins so. */
    {0, 2, "\x1f\x8b", {"archive", "is compressed twice" PIPE("gzip")}},
    {0, 4, "\xff\xfe\0\0", {"not-a-log", "is text in UTF-32; save it as UTF-8"}},
    {0, 4, "\0\0\xfe\xff", {"not-a-log", "is text in UTF-32; save it as UTF-8"}},
    {TEXT("Supreme Commander v1"), REPLAY},
    {TEXT("<!DOCTYPE html"), REPORT("HTML")},
    {TEXT("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg"), REPORT("SVG")},
    {TEXT("{\n\"$schema\":\"supprof"), REPORT("JSON")},
    {TEXT("{\"$schema\":\"https://www.speedscope.app"), REPORT("speedscope")},
    {TEXT("{\"displayTimeUnit\""), REPORT("trace")},
    {TEXT("{\"nodes\":["), REPORT("cpuprofile")},
    {TEXT("# callgrind format"), REPORT("callgrind")},
    {TEXT("## supprof: `"), REPORT("markdown")},
    /* The length, and the first field, of the first member of a profile. */
    {TEXT("\n\4\b"), REPORT("pprof")},
};

static const struct not_a_log program = {"not-a-log", "is a program" CHOOSE};
static const struct not_a_log bitmap = {"not-a-log", "is a picture (BMP)" CHOOSE};
static const struct not_a_log replay = REPLAY;
static const struct not_a_log table = REPORT("csv");

/* FAF's replays begin with a line of JSON, with its members in any order. */
static bool is_faf_replay(struct span start)
{
    struct span line = span_take(&start, '\n');
    if (!span_starts_with(line, "{"))
        return false;
    while (line.length > 0 && !span_starts_with(line, "\"featured_mod"))
        line = span_from(line, 1);
    return line.length > 0;
}

/* The first line has the names of columns: see figures/table.c, and csv.c for ticks. */
static bool is_table(struct span start)
{
    static const char *const firsts[] = {
        "caller", "file", "function", "mod", "run", "tick", "stack"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_,\r";
    size_t line = 0;
    while (line < start.length && memchr(letters, start.at[line], sizeof letters - 1) != NULL)
        line++;
    if (line == start.length || start.at[line] != '\n')
        return false;
    start.length = line;
    struct span first = span_take(&start, ',');
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++)
        if (span_is(first, firsts[i]))
            return start.length > 0;
    return false;
}

const struct not_a_log *not_a_log_find(struct span start)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (start.length >= kinds[i].offset + kinds[i].length &&
            memcmp(start.at + kinds[i].offset, kinds[i].signature, kinds[i].length) == 0)
            return &kinds[i].is;
    /* "MZ" alone could begin a text; a program's header continues with numbers. */
    if (start.length >= START_BYTES && memcmp(start.at, "MZ", 2) == 0 &&
        memchr(start.at, '\0', START_BYTES) != NULL)
        return &program;
    /* "BM", the size of the file, and four zeros. */
    if (start.length >= 10 && memcmp(start.at, "BM", 2) == 0 &&
        memcmp(start.at + 6, "\0\0\0\0", 4) == 0)
        return &bitmap;
    return is_faf_replay(start) ? &replay : is_table(start) ? &table : NULL;
}

const char *input_name(const char *path)
{
    return file_is_standard(path) ? "standard input" : path;
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
    bool is_standard = file_is_standard(input->path);
    input->file = is_standard ? FILE_STANDARD_INPUT : file_open(input->path, waiting);
    if (input->file < 0)
        return fail(input, "open", "unreadable", strerror(errno), err);
    if (!file_status_of_open(&input->status, input->file))
        return fail(input, "read", "unreadable", strerror(errno), err);
    if (input->status.kind == FILE_DIRECTORY)
        return error_set_code(
            err,
            "not-a-log",
            "'%s' is a directory; choose the log in it (--open alone finds the game's newest)",
            input->path);
    return true;
}

/* Whether a file got shorter, as the log of a game that starts again, and its end was not read. */
static bool has_shrunk(const struct input *input)
{
    struct file_status now;
    int64_t was = input->status.byte_count;
    return input->status.kind == FILE_REGULAR && (int64_t)gzip_used_count(input->gzip) < was &&
           file_status_of_open(&now, input->file) && now.byte_count < was;
}

static bool read_bytes(struct input *input, char *buffer, size_t capacity, size_t *length,
                       struct error *err)
{
    struct error why;
    if (!gzip_read(input->gzip, buffer, capacity, length, &why))
        return fail(input, "read all of", why.code, why.text, err);
    return *length > 0 || !has_shrunk(input) ||
           fail(input,
                "read all of",
                "damaged-file",
                "it got shorter meanwhile; what was read before is used",
                err);
}

/*
 * Whether a text is UTF-16 by its mark, or without one by its first letters, which are ASCII in
 * each log: one byte of each is 0. `*mark` is the length of the mark.
 */
static bool is_utf16(struct span start, bool is_big, size_t *mark)
{
    enum { LETTERS = 8 };
    size_t high = is_big ? 0 : 1, low = 1 - high;
    *mark = 2;
    if (start.length < 2)
        return false;
    if (start.at[high] == '\xfe' && start.at[low] == '\xff')
        return true;
    *mark = 0;
    for (size_t i = 0; i < LETTERS; i++)
        if (start.length < 2 * (i + 1) || start.at[2 * i + high] != 0 || start.at[2 * i + low] == 0)
            return false;
    return true;
}

/* Reads the start of the text. Returns what the file is if it is not a log, or NULL. */
static const struct not_a_log *read_start(struct input *input)
{
    char bytes[START_BYTES_MAX];
    struct span start = {bytes, 0};
    struct error later; /* a failure is the next read's, too */
    for (size_t got = 1; start.length < START_BYTES && got > 0; start.length += got)
        read_bytes(input, bytes + start.length, sizeof bytes - start.length, &got, &later);
    const struct not_a_log *found = not_a_log_find(start);
    for (int is_big = 0; is_big < 2 && found == NULL && input->utf16 == NULL; is_big++) {
        size_t mark;
        if (!is_utf16(start, is_big, &mark))
            continue;
        input->utf16 = mem_zeroed(1, sizeof *input->utf16);
        input->utf16->is_big_endian = is_big;
        utf16_add(input->utf16, span_from(start, mark), &input->text);
        found = not_a_log_find(text_span(&input->text));
    }
    if (input->utf16 == NULL)
        text_put_span(&input->text, start);
    return found;
}

static const struct text *standard_bytes;

void input_keep_standard(const struct text *bytes)
{
    standard_bytes = bytes;
}

/* Opens a file, or says in `*found` what it is if it is not a log. */
static bool open_text(struct input *input, const char *path, enum file_waiting waiting,
                      const struct not_a_log **found, struct error *err)
{
    *input = (struct input){.path = path};
    *found = NULL;
    bool is_open = open_file(input, waiting, err);
    if (is_open) {
        input->gzip =
            gzip_open(input->file, input->file == FILE_STANDARD_INPUT ? standard_bytes : NULL);
        *found = read_start(input);
    }
    if (!is_open || *found != NULL)
        input_close(input);
    return is_open && *found == NULL;
}

/* Fails, and says what a file is: so many bytes of the reason, and what follows them. */
static bool refuse(const char *path, const struct not_a_log *found, size_t length, const char *rest,
                   struct error *err)
{
    const char *name = input_name(path);
    const char *quote = name == path ? "'" : "";
    return error_set_code(
        err, found->code, "%s%s%s %.*s%s", quote, name, quote, (int)length, found->reason, rest);
}

bool input_open(struct input *input, const char *path, enum file_waiting waiting, struct error *err)
{
    const struct not_a_log *found;
    return open_text(input, path, waiting, &found, err) ||
           (found != NULL && refuse(path, found, strlen(found->reason), "", err));
}

void input_close(struct input *input)
{
    gzip_close(input->gzip);
    text_release(&input->text);
    free(input->utf16);
    if (input->file > FILE_STANDARD_INPUT)
        file_close(input->file);
    input->gzip = NULL;
    input->utf16 = NULL;
    input->file = -1;
}

/* Decodes the next bytes. Only at the end is there no text afterwards. */
static bool decode_more(struct input *input, struct error *err)
{
    char bytes[16 * 1024];
    text_cut(&input->text, 0);
    input->from = 0;
    for (size_t length = 1; input->text.length == 0 && length > 0;) {
        if (!read_bytes(input, bytes, sizeof bytes, &length, err))
            return false;
        utf16_add(input->utf16, (struct span){bytes, length}, &input->text);
        if (length == 0)
            utf16_end(input->utf16, &input->text);
    }
    return true;
}

bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err)
{
    bool has_text = input->from < input->text.length;
    *length = 0;
    if (!has_text && input->utf16 == NULL) {
        bool is_read = read_bytes(input, buffer, capacity, length, err);
        input->byte_count += *length;
        return is_read;
    }
    if (!has_text && !decode_more(input, err))
        return false;
    struct span rest = span_from(text_span(&input->text), input->from);
    *length = rest.length < capacity ? rest.length : capacity;
    memcpy(buffer, rest.at, *length);
    input->from += *length;
    input->byte_count += *length;
    return true;
}

double input_progress(const struct input *input)
{
    if (input->status.kind != FILE_REGULAR || input->status.byte_count <= 0)
        return -1;
    return (double)gzip_used_count(input->gzip) / (double)input->status.byte_count;
}

/* Two blocks are in use: the last one handed out, and the one before it. */
enum { IN_USE = 2, BLOCK_COUNT = 8, READY_MIN = 4 };

struct slot {
    char *memory; /* NULL until it is used for the first time */
    struct read_block block;
    bool is_read;
    struct error err;
};

struct read_ahead {
    struct input *input;
    struct worker *worker; /* NULL: a block is read when it is taken */
    bool is_shared;        /* with the thread of `worker`, which has other work, too */
    /* Guarded by its lock. Blocks [taken, filled) modulo `slot_count` are ready. */
    size_t filled, taken;
    bool is_filling; /* a thread reads the next block */
    bool is_at_end;  /* no block comes after those that are filled */
    bool is_left;    /* nothing more is taken: the reading was cancelled */
    size_t slot_count;
    struct slot slots[BLOCK_COUNT];
};

/* Returns whether there may be more. */
static bool fill_buffer(struct read_ahead *ahead, size_t number)
{
    struct input *input = ahead->input;
    struct slot *slot = &ahead->slots[number % ahead->slot_count];
    if (slot->memory == NULL)
        slot->memory = mem_zeroed(READ_HEAD_BYTES + READ_BLOCK_BYTES + READ_TAIL_BYTES, 1);
    struct read_block *block = &slot->block;
    block->at = slot->memory + READ_HEAD_BYTES;
    slot->is_read = input_read(input, block->at, READ_BLOCK_BYTES, &block->length, &slot->err);
    block->length = slot->is_read ? block->length : 0;
    block->at[block->length] = '\n';
    block->progress = input_progress(input);
    block->byte_count = input->byte_count;
    return block->length > 0;
}

/* Reads the next block, outside of the lock. Returns false if another thread does, or at the end.
 */
static bool fill_next(struct read_ahead *ahead)
{
    if (ahead->is_filling || ahead->is_at_end)
        return false;
    ahead->is_filling = true;
    worker_leave(ahead->worker);
    bool goes_on = fill_buffer(ahead, ahead->filled);
    worker_enter(ahead->worker);
    ahead->is_filling = false;
    ahead->is_at_end = !goes_on;
    ahead->filled++;
    worker_wake(ahead->worker);
    return true;
}

bool read_ahead_help(struct read_ahead *ahead)
{
    bool has_room = ahead->filled - ahead->taken < ahead->slot_count - IN_USE;
    return has_room && !ahead->is_left && fill_next(ahead);
}

static void read_buffers(void *context)
{
    struct read_ahead *ahead = context;
    worker_enter(ahead->worker);
    while (!ahead->is_at_end && !ahead->is_left)
        if (!read_ahead_help(ahead))
            worker_wait(ahead->worker);
    worker_leave(ahead->worker);
}

struct read_ahead *read_ahead_start(struct input *input, bool has_thread)
{
    struct read_ahead *ahead = mem_zeroed(1, sizeof *ahead);
    ahead->input = input;
    ahead->slot_count = BLOCK_COUNT;
    if (!has_thread || !worker_start(&ahead->worker, read_buffers, ahead))
        ahead->slot_count = IN_USE;
    return ahead;
}

struct read_ahead *read_ahead_share(struct input *input, struct worker *worker)
{
    struct read_ahead *ahead = mem_zeroed(1, sizeof *ahead);
    *ahead = (struct read_ahead){
        .input = input, .worker = worker, .is_shared = true, .slot_count = BLOCK_COUNT};
    return ahead;
}

bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err)
{
    worker_enter(ahead->worker);
    /* With few blocks ready, this thread would soon wait while the other one reads. */
    while (ahead->is_shared && ahead->filled - ahead->taken < READY_MIN && fill_next(ahead))
        continue;
    while (ahead->filled == ahead->taken)
        if ((ahead->worker != NULL && !ahead->is_shared) || !fill_next(ahead))
            worker_wait(ahead->worker);
    ahead->taken++;
    /* Not for each block: to wake a thread takes both of them longer than to read from a cache. */
    if (!ahead->is_shared && ahead->filled - ahead->taken <= BLOCK_COUNT / 4)
        worker_wake(ahead->worker);
    worker_leave(ahead->worker);
    /* Only this thread changes `taken`, so it may read it without the lock. */
    const struct slot *slot = &ahead->slots[(ahead->taken - 1) % ahead->slot_count];
    *block = slot->block;
    if (!slot->is_read)
        *err = slot->err;
    return slot->is_read;
}

void read_ahead_free(struct read_ahead *ahead)
{
    worker_enter(ahead->worker);
    ahead->is_left = true;
    worker_wake(ahead->worker);
    while (ahead->is_filling && ahead->is_shared)
        worker_wait(ahead->worker);
    worker_leave(ahead->worker);
    if (!ahead->is_shared)
        worker_join(ahead->worker);
    for (size_t i = 0; i < BLOCK_COUNT; i++)
        free(ahead->slots[i].memory);
    free(ahead);
}

/* Without the blanks around it. */
static struct span trim(struct span line)
{
    while (line.length > 0 && strchr(" \t\r", line.at[line.length - 1]) != NULL)
        line.length--;
    while (line.length > 0 && strchr(" \t", line.at[0]) != NULL)
        line = span_from(line, 1);
    return line;
}

static bool read_text(struct input *input, struct text *text, struct error *err)
{
    enum { READ_BYTES = 4096, FILE_MAX = 1 << 20 };
    char block[READ_BYTES];
    size_t length = 0;
    while (text->length < FILE_MAX && input_read(input, block, sizeof block, &length, err)) {
        if (length == 0 && text->length == 0 && input->status.kind == FILE_OTHER)
            return error_set(
                err, "%s: this pipe is empty, because no program writes into it", input->path);
        if (length == 0)
            return true;
        text_put(text, block, length);
    }
    return text->length >= FILE_MAX
               ? error_set(err, "%s: too large; the limit is 1 MB", input->path)
               : false;
}

/* What follows a NUL byte would be lost where a line becomes a string. */
static bool check_text(struct span text, const char *path, struct error *err)
{
    struct span rest = text, before = span_take(&rest, '\0');
    uint64_t line = 1;
    if (before.length == text.length)
        return true;
    for (size_t i = 0; i < before.length; i++)
        line += before.at[i] == '\n';
    return error_set(
        err, "%s:%llu: a NUL byte: this is not text in UTF-8", path, (unsigned long long)line);
}

bool line_file_read(struct line_file *file, const char *path, struct error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct input input;
    struct file_status status;
    const struct not_a_log *found;
    *file = (struct line_file){0};
    /* It has no lines; or it is of the system and waits when it is read, such as /proc/kmsg. */
    bool is_there = file_status(&status, path);
    if (is_there && status.kind == FILE_REGULAR && status.byte_count == 0)
        return true;
    if (is_there && status.kind == FILE_DIRECTORY)
        return error_set(err, "'%s' is a directory; name a file in it", path);
    /* Advice about logs is none for a list of options or functions. */
    if (!open_text(&input, path, FILE_DOES_NOT_WAIT, &found, err))
        return found != NULL &&
               refuse(path, found, strcspn(found->reason, ";:"), "; name a text in UTF-8", err);
    bool is_read =
        read_text(&input, &file->text, err) && check_text(text_span(&file->text), path, err);
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
