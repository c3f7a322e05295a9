#include "base/stored.h"

#include "base/mem.h"
#include "platform/file.h"
#include "platform/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK_BYTES = 64 * 1024, START_BYTES = 64, GZIP_WINDOW_BITS = 15 + 16 };

struct stored {
    int file;
    const struct follower *follower; /* or NULL */
    bool is_gzip, is_in_member, is_at_end, has_failed;
    bool is_stopped; /* by Ctrl-C or the follower */
    struct error failure;
    z_stream zip;
    uint64_t read_count; /* bytes of the file */
    size_t from, end;    /* the part of the block that is not used yet */
    unsigned char block[BLOCK_BYTES];
};

static bool fail(struct stored *stored, const char *why)
{
    stored->has_failed = true;
    return error_set(&stored->failure, "%s", why);
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
            return fail(stored, strerror(errno));
        is_at_end = *length == 0;
    } while (follower != NULL && is_at_end);
    stored->read_count += *length;
    stored->is_stopped = *length == 0 && (follower != NULL || interrupt_is_pending());
    return !stored->is_stopped;
}

/* Reads more bytes after those in the block, if there are more. */
static bool fill(struct stored *stored)
{
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
    stored->is_in_member = stored->is_gzip;
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

static size_t read_plain(struct stored *stored, char *buffer, size_t capacity)
{
    if (stored->from < stored->end) {
        size_t length = stored->end - stored->from;
        length = length < capacity ? length : capacity;
        memcpy(buffer, stored->block + stored->from, length);
        stored->from += length;
        return length;
    }
    size_t length;
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
                return fail(stored, "after the compressed data come bytes that are not compressed; "
                                    "what comes before them is used");
    while (!stored->is_at_end && fill(stored));
    return false;
}

static size_t inflate_some(struct stored *stored, char *buffer, size_t capacity)
{
    unsigned wanted = capacity > INT_MAX ? INT_MAX : (unsigned)capacity;
    z_stream *zip = &stored->zip;
    zip->next_out = (unsigned char *)buffer;
    zip->avail_out = wanted;
    zip->next_in = stored->block + stored->from;
    zip->avail_in = (unsigned)(stored->end - stored->from);
    int result = inflate(zip, Z_NO_FLUSH);
    stored->from = stored->end - zip->avail_in;
    if (result == Z_MEM_ERROR)
        mem_exhausted();
    stored->is_in_member = result != Z_STREAM_END;
    if (result == Z_BUF_ERROR && stored->is_at_end)
        fail(stored, "the compressed data ends too early; what comes before it is used");
    else if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
        fail(stored, "the compressed data is damaged; what comes before it is used");
    return wanted - zip->avail_out;
}

static size_t read_gzip(struct stored *stored, char *buffer, size_t capacity)
{
    size_t length = 0;
    while (length == 0 && !stored->has_failed && !stored->is_stopped) {
        if (stored->is_in_member && stored->from == stored->end && !stored->is_at_end)
            fill(stored);
        else if (stored->is_in_member || find_member(stored))
            length = inflate_some(stored, buffer, capacity);
        else
            break;
    }
    return length;
}

bool stored_read(struct stored *stored, char *buffer, size_t capacity, size_t *length,
                 struct error *err)
{
    *length = 0;
    if (!stored->has_failed && !stored->is_stopped)
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
