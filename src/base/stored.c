#include "base/stored.h"

#include "platform/file.h"
#include "platform/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>

enum { BLOCK_BYTES = 256 * 1024, START_BYTES = 64, GZIP_WINDOW_BITS = 15 + 16 };

struct stored {
    int file;
    const struct follower *follower; /* or NULL */
    bool is_gzip, is_in_member, is_at_end, has_failed;
    bool is_stopped; /* by Ctrl-C or the follower: nothing more is read */
    struct error failure;
    z_stream zip;
    uint64_t read_count; /* bytes of the file */
    size_t from, end;    /* the part of the block that is not used yet */
    unsigned char block[BLOCK_BYTES];
};

static bool fail(struct stored *stored, const char *code, const char *why)
{
    stored->has_failed = true;
    return error_set_code(&stored->failure, code, "%s", why);
}

/* Reads bytes of the file. */
static bool read_file(struct stored *stored, void *buffer, size_t capacity, size_t *length)
{
    const struct follower *follower = stored->follower;
    bool is_at_end = false;
    *length = 0;
    do {
        if (follower != NULL &&
            !follower->wait(follower->context, stored->file, stored->read_count, is_at_end))
            break;
        if (!file_read(stored->file, buffer, capacity, length))
            return fail(stored, "unreadable", strerror(errno));
        is_at_end = *length == 0;
    } while (follower != NULL && is_at_end);
    stored->read_count += *length;
    stored->is_stopped = *length == 0 && (follower != NULL || interrupt_is_pending());
    return !stored->is_stopped;
}

/* Reads more bytes after those in the block, if there are more. */
static bool fill(struct stored *stored)
{
    if (stored->is_stopped)
        return false;
    size_t kept = stored->end - stored->from;
    memmove(stored->block, stored->block + stored->from, kept);
    stored->from = 0;
    stored->end = kept;
    size_t length;
    if (!read_file(stored, stored->block + kept, BLOCK_BYTES - kept, &length))
        return false;
    stored->end += length;
    stored->is_at_end = length == 0;
    return true;
}

static bool is_gzip_start(const struct stored *stored)
{
    static const unsigned char magic[] = {0x1f, 0x8b};
    return stored->end - stored->from >= sizeof magic &&
           memcmp(stored->block + stored->from, magic, sizeof magic) == 0;
}

struct stored *stored_new(int file, const struct follower *follower)
{
    struct stored *stored = mem_zeroed(1, sizeof *stored);
    stored->file = file;
    stored->follower = follower;
    while (stored->end < START_BYTES && !stored->is_at_end && fill(stored))
        continue;
    stored->is_gzip = is_gzip_start(stored);
    if (stored->is_gzip && inflateInit2(&stored->zip, GZIP_WINDOW_BITS) != Z_OK)
        mem_exhausted();
    return stored;
}

void stored_free(struct stored *stored)
{
    if (stored == NULL)
        return;
    if (stored->is_gzip)
        inflateEnd(&stored->zip);
    free(stored);
}

struct span stored_start(const struct stored *stored)
{
    return (struct span){(const char *)stored->block, stored->end};
}

bool stored_is_compressed(const struct stored *stored)
{
    return stored->is_gzip;
}

static size_t read_plain(struct stored *stored, char *buffer, size_t capacity)
{
    if (stored->from < stored->end) {
        size_t length = stored->end - stored->from;
        length = length < capacity ? length : capacity;
        memcpy(buffer, stored->block + stored->from, length);
        stored->from += length;
        return length;
    }
    size_t length = 0;
    if (!stored->is_stopped)
        read_file(stored, buffer, capacity, &length);
    return length;
}

/* Goes to the start of the next member and skips padding with zeros. Returns false at the end. */
static bool find_member(struct stored *stored)
{
    while (!stored->is_at_end && stored->end - stored->from < 2)
        if (!fill(stored))
            return false;
    if (is_gzip_start(stored)) {
        inflateReset(&stored->zip);
        stored->is_in_member = true;
        return true;
    }
    do
        while (stored->from < stored->end)
            if (stored->block[stored->from++] != 0)
                return fail(stored, "damaged-file",
                            "after the compressed data come bytes that are not compressed; "
                            "what comes before them is used");
    while (!stored->is_at_end && fill(stored));
    return false;
}

/* Decompresses what is there, and reads more of the file if nothing comes of that. */
static size_t read_member(struct stored *stored, char *buffer, size_t capacity)
{
    z_stream *zip = &stored->zip;
    zip->next_in = stored->block + stored->from;
    zip->avail_in = (unsigned)(stored->end - stored->from);
    zip->next_out = (unsigned char *)buffer;
    zip->avail_out = capacity < UINT_MAX ? (unsigned)capacity : UINT_MAX;
    int result = inflate(zip, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
        mem_exhausted();
    stored->from = stored->end - zip->avail_in;
    stored->is_in_member = result != Z_STREAM_END;
    size_t length = (size_t)(zip->next_out - (unsigned char *)buffer);
    if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
        fail(stored, "damaged-file",
             "the compressed data is damaged; what comes before it is used");
    else if (result != Z_STREAM_END && length == 0 && !stored->is_at_end)
        fill(stored);
    else if (result != Z_STREAM_END && length == 0)
        fail(stored, "damaged-file",
             zip->total_out > 0 ? "the compressed data ends too early; what comes before it is used"
                                : "the compressed data ends too early, before its first byte");
    return length;
}

static size_t read_gzip(struct stored *stored, char *buffer, size_t capacity)
{
    size_t length = 0;
    bool has_input = true;
    while (length == 0 && has_input && !stored->has_failed &&
           (stored->is_in_member || find_member(stored))) {
        length = read_member(stored, buffer, capacity);
        /* What was read before a stop is still decompressed. */
        has_input = !stored->is_stopped || stored->from < stored->end;
    }
    return length;
}

bool stored_read(struct stored *stored, char *buffer, size_t capacity, size_t *length,
                 struct error *err)
{
    *length = 0;
    if (!stored->has_failed)
        *length = stored->is_gzip ? read_gzip(stored, buffer, capacity)
                                  : read_plain(stored, buffer, capacity);
    if (*length > 0 || !stored->has_failed)
        return true;
    *err = stored->failure;
    return false;
}

uint64_t stored_byte_count(const struct stored *stored)
{
    return stored->read_count - (stored->end - stored->from);
}
