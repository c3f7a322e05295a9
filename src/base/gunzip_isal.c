#include "base/gunzip.h"

#include "base/mem.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/*
 * ISA-L is several times as fast as zlib. But it accepts codes that zlib rejects, its output before
 * damage is not exact, and where data is cut it stops before the last bytes that could be had. So
 * zlib reads everything but whole, sound blocks: it reads the header of each block, ISA-L is tried
 * on the block, and if that does not reach the end of the block, zlib decompresses it.
 */

enum {
    GZIP_WINDOW_BITS = 15 + 16,
    RAW_WINDOW_BITS = -15,
    WINDOW_BYTES = 32 * 1024,
    /*
     * The most output of a block of ISA-L: that of gzip's longest blocks, which have 16 K codes of
     * up to 258 bytes. Those of a log give 0.9 MB, and with gzip -9 more than 1 MB.
     */
    BLOCK_BYTES = 16 * 1024 * 258,
    /* After a shorter block zlib takes the next one: to begin with ISA-L takes 10 us. */
    SMALL_BLOCK_BYTES = 2048,
    TRAILER_BYTES = 8,
};

enum part { HEADER, BLOCK_START, BLOCK_OF_ZLIB, TRAILER };

/* What zlib says of where it stopped; see `data_type` in zlib.h. */
enum { UNUSED_BITS = 7, IN_LAST_BLOCK = 64, AT_BLOCK_START = 128, AFTER_BLOCK_HEADER = 256 };

struct gunzip {
    z_stream zip;
    struct inflate_state isal;
    bool uses_isal;
    enum part part;
    bool is_last_block, was_small_block;
    /* zlib is at the start of the block, and has the bytes before it; otherwise `bytes` has them.
     */
    bool is_zlib_ready;
    size_t block_in_length;  /* input of the block that zlib decompresses, so far */
    size_t last_in_length;   /* input of the member's last block that ISA-L decompressed */
    unsigned char last_byte; /* the last one that was used */
    unsigned bit_count;      /* at the start of a block: bits of it that belong to the block */
    unsigned char trailer[TRAILER_BYTES];
    size_t trailer_length;
    uint32_t crc, length; /* of the output, as the trailer has them */
    /*
     * Output of ISA-L from WINDOW_BYTES on; [from, end) is not handed out yet. The
     * `history_length` bytes before `end` are those that the next block may refer to.
     */
    size_t from, end, history_length;
    unsigned char bytes[WINDOW_BYTES + BLOCK_BYTES];
};

/*
 * Lets ISA-L decompress a block whose first bits are those of the last byte. Returns whether that
 * reached the end of the block; `bytes` has its output then.
 */
static bool try_block(struct gunzip *gunzip, struct gunzip_io *io)
{
    memmove(gunzip->bytes + WINDOW_BYTES - gunzip->history_length,
            gunzip->bytes + gunzip->end - gunzip->history_length, gunzip->history_length);
    gunzip->from = gunzip->end = WINDOW_BYTES;
    struct inflate_state *isal = &gunzip->isal;
    isal_inflate_reset(isal);
    isal_inflate_set_dict(isal, gunzip->bytes + WINDOW_BYTES - gunzip->history_length,
                          (uint32_t)gunzip->history_length);
    isal->next_in = (unsigned char *)io->in;
    isal->avail_in = io->in_length > INT_MAX ? INT_MAX : (uint32_t)io->in_length;
    isal->next_out = gunzip->bytes + WINDOW_BYTES;
    isal->avail_out = BLOCK_BYTES;
    isal->read_in = (uint64_t)gunzip->last_byte >> (CHAR_BIT - gunzip->bit_count);
    isal->read_in_length = (int32_t)gunzip->bit_count;
    if (gunzip->bit_count == 0) {
        isal->read_in = *isal->next_in++;
        isal->read_in_length = CHAR_BIT;
        isal->avail_in--;
    }
    /* The first bit says that the block is the last one: ISA-L stops after it. */
    isal->read_in |= 1;
    if (isal_inflate(isal) != ISAL_DECOMP_OK || isal->block_state != ISAL_BLOCK_FINISH)
        return false;
    /* Bytes that it has taken and not used are given back. */
    const unsigned char *in = isal->next_in - isal->read_in_length / CHAR_BIT;
    gunzip->bit_count = (unsigned)isal->read_in_length % CHAR_BIT;
    gunzip->last_byte = in[-1];
    gunzip->last_in_length = (size_t)(in - io->in);
    gunzip->was_small_block = gunzip->last_in_length < SMALL_BLOCK_BYTES;
    io->in_length -= (size_t)(in - io->in);
    io->in = in;
    gunzip->end = WINDOW_BYTES + BLOCK_BYTES - isal->avail_out;
    return true;
}

/* Newer versions forget where in a byte a block ends: whether this one tells that. */
static bool tells_block_ends(struct gunzip *gunzip)
{
    /* One letter; 18 bits. */
    static const unsigned char block[] = {0x4b, 0x04, 0x00, 0x00};
    struct gunzip_io io = {.in = block, .in_length = sizeof block};
    gunzip->end = WINDOW_BYTES;
    return try_block(gunzip, &io) && io.in == block + 3 && gunzip->bit_count == 6;
}

struct gunzip *gunzip_new(void)
{
    struct gunzip *gunzip = mem_zeroed(1, sizeof *gunzip);
    if (inflateInit2(&gunzip->zip, GZIP_WINDOW_BITS) != Z_OK)
        mem_exhausted();
    isal_inflate_init(&gunzip->isal);
    gunzip->uses_isal = tells_block_ends(gunzip);
    return gunzip;
}

void gunzip_free(struct gunzip *gunzip)
{
    if (gunzip == NULL)
        return;
    inflateEnd(&gunzip->zip);
    free(gunzip);
}

void gunzip_start(struct gunzip *gunzip)
{
    inflateReset2(&gunzip->zip, GZIP_WINDOW_BITS);
    gunzip->part = HEADER;
    gunzip->is_last_block = gunzip->is_zlib_ready = gunzip->was_small_block = false;
    gunzip->bit_count = 0;
    gunzip->last_in_length = 0;
    gunzip->trailer_length = 0;
    gunzip->crc = gunzip->length = 0;
    gunzip->from = gunzip->end = WINDOW_BYTES;
    gunzip->history_length = 0;
}

static void count_output(struct gunzip *gunzip, const void *bytes, size_t length)
{
    gunzip->crc = crc32_gzip_refl(gunzip->crc, bytes, length);
    gunzip->length += (uint32_t)length;
}

/* Lets zlib go on. Returns false on damage. */
static bool run_zlib(struct gunzip *gunzip, struct gunzip_io *io, size_t out_length, int flush)
{
    z_stream *zip = &gunzip->zip;
    unsigned in_max = io->in_length > INT_MAX ? INT_MAX : (unsigned)io->in_length;
    unsigned out_max = out_length > INT_MAX ? INT_MAX : (unsigned)out_length;
    zip->next_in = (unsigned char *)io->in;
    zip->avail_in = in_max;
    zip->next_out = (unsigned char *)io->out;
    zip->avail_out = out_max;
    int result = inflate(zip, flush);
    if (result == Z_MEM_ERROR)
        mem_exhausted();
    size_t used = in_max - zip->avail_in, made = out_max - zip->avail_out;
    count_output(gunzip, io->out, made);
    io->in += used;
    io->in_length -= used;
    io->out += made;
    io->out_length -= made;
    return result == Z_OK || result == Z_BUF_ERROR;
}

static void hand_out(struct gunzip *gunzip, struct gunzip_io *io)
{
    size_t ready = gunzip->end - gunzip->from;
    size_t length = ready < io->out_length ? ready : io->out_length;
    memcpy(io->out, gunzip->bytes + gunzip->from, length);
    gunzip->from += length;
    io->out += length;
    io->out_length -= length;
}

static enum gunzip_result read_header(struct gunzip *gunzip, struct gunzip_io *io)
{
    if (!run_zlib(gunzip, io, 0, Z_BLOCK))
        return GUNZIP_DAMAGED;
    if ((gunzip->zip.data_type & AT_BLOCK_START) != 0)
        gunzip->part = BLOCK_START;
    return GUNZIP_GOES_ON;
}

/* Takes the bytes that a block may refer to from zlib. */
static void take_history(struct gunzip *gunzip)
{
    unsigned length = 0;
    inflateGetDictionary(&gunzip->zip, NULL, &length);
    inflateGetDictionary(&gunzip->zip, gunzip->bytes + WINDOW_BYTES - length, &length);
    gunzip->from = gunzip->end = WINDOW_BYTES;
    gunzip->history_length = length;
}

static void end_block_of_isal(struct gunzip *gunzip)
{
    size_t length = gunzip->end - WINDOW_BYTES;
    count_output(gunzip, gunzip->bytes + WINDOW_BYTES, length);
    size_t history_length = gunzip->history_length + length;
    gunzip->history_length = history_length < WINDOW_BYTES ? history_length : WINDOW_BYTES;
    gunzip->is_zlib_ready = false;
    gunzip->part = gunzip->is_last_block ? TRAILER : BLOCK_START;
}

/* The block is zlib's; it has read the block's header, or the part that is there, up to `after`. */
static void leave_to_zlib(struct gunzip *gunzip, struct gunzip_io *io, struct gunzip_io after)
{
    if (!gunzip->is_zlib_ready)
        inflateSetDictionary(&gunzip->zip, gunzip->bytes + gunzip->end - gunzip->history_length,
                             (unsigned)gunzip->history_length);
    gunzip->part = BLOCK_OF_ZLIB;
    gunzip->block_in_length = io->in_length - after.in_length;
    if (gunzip->block_in_length > 0)
        gunzip->last_byte = after.in[-1];
    *io = after;
}

static enum gunzip_result begin_block(struct gunzip *gunzip, struct gunzip_io *io)
{
    /* The kind of a block is in its first three bits, after one that says whether it is the last.
     */
    if (io->in_length == 0 && gunzip->bit_count < 3)
        return GUNZIP_GOES_ON;
    /*
     * If the block is about as long as the last one, it is not all there, and would be begun twice.
     * That takes 6 % more processor time.
     */
    if (io->has_more && io->in_length < gunzip->last_in_length + gunzip->last_in_length / 4)
        return GUNZIP_WANTS_MORE;
    z_stream *zip = &gunzip->zip;
    unsigned bits = (unsigned)gunzip->last_byte >> (CHAR_BIT - gunzip->bit_count);
    if (!gunzip->is_zlib_ready) {
        inflateReset2(zip, RAW_WINDOW_BITS);
        inflatePrime(zip, (int)gunzip->bit_count, (int)bits);
    }
    struct gunzip_io after = *io;
    if (!run_zlib(gunzip, &after, 0, Z_TREES))
        return GUNZIP_DAMAGED;
    gunzip->is_last_block = (zip->data_type & IN_LAST_BLOCK) != 0;
    bits |= io->in_length > 0 ? (unsigned)io->in[0] << gunzip->bit_count : 0;
    bool is_stored = (bits >> 1 & 3) == 0;
    if (is_stored || gunzip->was_small_block || !gunzip->uses_isal) {
        leave_to_zlib(gunzip, io, after);
        return GUNZIP_GOES_ON;
    }
    if (gunzip->is_zlib_ready)
        take_history(gunzip);
    if ((zip->data_type & AFTER_BLOCK_HEADER) != 0 && try_block(gunzip, io)) {
        end_block_of_isal(gunzip);
    } else if (io->has_more) {
        gunzip->is_zlib_ready = false;
        return GUNZIP_WANTS_MORE;
    } else {
        leave_to_zlib(gunzip, io, after);
    }
    return GUNZIP_GOES_ON;
}

static enum gunzip_result go_on_with_zlib(struct gunzip *gunzip, struct gunzip_io *io)
{
    size_t in_length = io->in_length;
    if (!run_zlib(gunzip, io, io->out_length, Z_BLOCK))
        return GUNZIP_DAMAGED;
    if (io->in_length < in_length)
        gunzip->last_byte = io->in[-1];
    gunzip->block_in_length += in_length - io->in_length;
    unsigned stopped = (unsigned)gunzip->zip.data_type;
    if ((stopped & AT_BLOCK_START) == 0)
        return GUNZIP_GOES_ON;
    gunzip->bit_count = stopped & UNUSED_BITS;
    gunzip->is_last_block = (stopped & IN_LAST_BLOCK) != 0;
    gunzip->was_small_block = gunzip->block_in_length < SMALL_BLOCK_BYTES;
    gunzip->is_zlib_ready = true;
    gunzip->part = gunzip->is_last_block ? TRAILER : BLOCK_START;
    return GUNZIP_GOES_ON;
}

static uint32_t read_number(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static enum gunzip_result read_trailer(struct gunzip *gunzip, struct gunzip_io *io)
{
    size_t missing = TRAILER_BYTES - gunzip->trailer_length;
    size_t length = missing < io->in_length ? missing : io->in_length;
    memcpy(gunzip->trailer + gunzip->trailer_length, io->in, length);
    gunzip->trailer_length += length;
    io->in += length;
    io->in_length -= length;
    /* A wrong checksum is damage also where the rest is cut. */
    if (gunzip->trailer_length >= 4 && read_number(gunzip->trailer) != gunzip->crc)
        return GUNZIP_DAMAGED;
    if (gunzip->trailer_length < TRAILER_BYTES)
        return GUNZIP_GOES_ON;
    return read_number(gunzip->trailer + 4) == gunzip->length ? GUNZIP_ENDED : GUNZIP_DAMAGED;
}

static enum gunzip_result read_part(struct gunzip *gunzip, struct gunzip_io *io)
{
    switch (gunzip->part) {
    case HEADER:
        return read_header(gunzip, io);
    case BLOCK_START:
        return begin_block(gunzip, io);
    case BLOCK_OF_ZLIB:
        return go_on_with_zlib(gunzip, io);
    case TRAILER:
        return read_trailer(gunzip, io);
    }
    return GUNZIP_DAMAGED;
}

enum gunzip_result gunzip_step(struct gunzip *gunzip, struct gunzip_io *io)
{
    for (;;) {
        hand_out(gunzip, io);
        if (io->out_length == 0)
            return GUNZIP_GOES_ON;
        size_t in_length = io->in_length, out_length = io->out_length;
        enum part part = gunzip->part;
        enum gunzip_result result = read_part(gunzip, io);
        bool has_moved = io->in_length < in_length || io->out_length < out_length ||
                         gunzip->part != part || gunzip->from < gunzip->end;
        if (result != GUNZIP_GOES_ON || !has_moved)
            return result;
    }
}
