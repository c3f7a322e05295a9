#include "base/gzip.h"

#include "platform/file.h"
#include "platform/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>

enum {
    BLOCK_BYTES = 256 * 1024,
    GZIP_WINDOW_BITS = 15 + 16,
    START_BYTES = 64, /* that are waited for before it is told whether it is gzip */
};

struct gzip_file {
    int file;
    const struct text *bytes; /* read in place of the file, or NULL: see input_keep_standard() */
    bool is_gzip, is_in_member, is_at_end, has_failed;
    bool has_data;   /* decompressed, of any member */
    bool is_stopped; /* by Ctrl-C: nothing more is read */
    struct error failure;
    z_stream zip;
    uint64_t read_count; /* bytes of the file */
    size_t from, end;    /* the part of the block that is not used yet */
    unsigned char block[BLOCK_BYTES];
};

static bool fail(struct gzip_file *gzip, const char *code, const char *why)
{
    gzip->has_failed = true;
    return error_set_code(&gzip->failure, code, "%s", why);
}

/* Reads bytes of the file. */
static bool read_file(struct gzip_file *gzip, void *buffer, size_t capacity, size_t *length)
{
    if (gzip->bytes != NULL) {
        struct span rest = span_from(text_span(gzip->bytes), (size_t)gzip->read_count);
        *length = interrupt_is_pending() ? 0 : rest.length < capacity ? rest.length : capacity;
        if (*length > 0)
            memcpy(buffer, rest.at, *length);
    } else if (!file_read(gzip->file, buffer, capacity, length)) {
        return fail(gzip, "unreadable", strerror(errno));
    }
    gzip->read_count += *length;
    gzip->is_stopped = *length == 0 && interrupt_is_pending();
    return !gzip->is_stopped;
}

/* Reads more bytes after those in the block, if there are more. */
static bool fill(struct gzip_file *gzip)
{
    if (gzip->is_stopped)
        return false;
    size_t kept = gzip->end - gzip->from;
    memmove(gzip->block, gzip->block + gzip->from, kept);
    gzip->from = 0;
    gzip->end = kept;
    size_t length;
    if (!read_file(gzip, gzip->block + kept, BLOCK_BYTES - kept, &length))
        return false;
    gzip->end += length;
    gzip->is_at_end = length == 0;
    return true;
}

static bool is_gzip_start(const struct gzip_file *gzip)
{
    static const unsigned char magic[] = {0x1f, 0x8b};
    return gzip->end - gzip->from >= sizeof magic &&
           memcmp(gzip->block + gzip->from, magic, sizeof magic) == 0;
}

struct gzip_file *gzip_open(int file, const struct text *bytes)
{
    struct gzip_file *gzip = mem_zeroed(1, sizeof *gzip);
    gzip->file = file;
    gzip->bytes = bytes;
    while (gzip->end < START_BYTES && !gzip->is_at_end && fill(gzip))
        continue;
    gzip->is_gzip = is_gzip_start(gzip);
    if (gzip->is_gzip && inflateInit2(&gzip->zip, GZIP_WINDOW_BITS) != Z_OK)
        mem_exhausted();
    return gzip;
}

void gzip_close(struct gzip_file *gzip)
{
    if (gzip == NULL)
        return;
    if (gzip->is_gzip)
        inflateEnd(&gzip->zip);
    free(gzip);
}

bool gzip_is_compressed(const struct gzip_file *gzip)
{
    return gzip->is_gzip;
}

static size_t read_plain(struct gzip_file *gzip, char *buffer, size_t capacity)
{
    if (gzip->from < gzip->end) {
        size_t length = gzip->end - gzip->from;
        length = length < capacity ? length : capacity;
        memcpy(buffer, gzip->block + gzip->from, length);
        gzip->from += length;
        return length;
    }
    size_t length = 0;
    if (!gzip->is_stopped)
        read_file(gzip, buffer, capacity, &length);
    return length;
}

/* Goes to the start of the next member and skips padding with zeros. Returns false at the end. */
static bool find_member(struct gzip_file *gzip)
{
    while (!gzip->is_at_end && gzip->end - gzip->from < 2)
        if (!fill(gzip))
            return false;
    if (is_gzip_start(gzip)) {
        inflateReset(&gzip->zip);
        gzip->is_in_member = true;
        return true;
    }
    do
        while (gzip->from < gzip->end)
            if (gzip->block[gzip->from++] != 0)
                return fail(gzip,
                            "damaged-file",
                            "after the compressed data come bytes that are not compressed; "
                            "what comes before them is used");
    while (!gzip->is_at_end && fill(gzip));
    return false;
}

/* Decompresses what is there, and reads more of the file if nothing comes of that. */
static size_t read_member(struct gzip_file *gzip, char *buffer, size_t capacity)
{
    z_stream *zip = &gzip->zip;
    zip->next_in = gzip->block + gzip->from;
    zip->avail_in = (unsigned)(gzip->end - gzip->from);
    zip->next_out = (unsigned char *)buffer;
    zip->avail_out = capacity < UINT_MAX ? (unsigned)capacity : UINT_MAX;
    int result = inflate(zip, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
        mem_exhausted();
    gzip->from = gzip->end - zip->avail_in;
    gzip->is_in_member = result != Z_STREAM_END;
    size_t length = (size_t)(zip->next_out - (unsigned char *)buffer);
    gzip->has_data |= length > 0;
    if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
        fail(gzip, "damaged-file", "the compressed data is damaged; what comes before it is used");
    else if (result != Z_STREAM_END && length == 0 && !gzip->is_at_end)
        fill(gzip);
    else if (result != Z_STREAM_END && length == 0)
        fail(gzip,
             "damaged-file",
             gzip->has_data ? "the compressed data ends too early; what comes before it is used"
                            : "the compressed data ends too early, before its first byte");
    return length;
}

static size_t read_gzip(struct gzip_file *gzip, char *buffer, size_t capacity)
{
    size_t length = 0;
    bool has_input = true;
    while (length == 0 && has_input && !gzip->has_failed &&
           (gzip->is_in_member || find_member(gzip))) {
        length = read_member(gzip, buffer, capacity);
        /* What was read before a stop is still decompressed. */
        has_input = !gzip->is_stopped || gzip->from < gzip->end;
    }
    return length;
}

bool gzip_read(struct gzip_file *gzip, char *buffer, size_t capacity, size_t *length,
               struct error *err)
{
    *length = 0;
    if (!gzip->has_failed)
        *length =
            gzip->is_gzip ? read_gzip(gzip, buffer, capacity) : read_plain(gzip, buffer, capacity);
    if (*length > 0 || !gzip->has_failed)
        return true;
    *err = gzip->failure;
    return false;
}

uint64_t gzip_used_count(const struct gzip_file *gzip)
{
    return gzip->read_count - (gzip->end - gzip->from);
}
