/*
 * zlib's own reader of gzip is the oracle. This program is built with each source of gunzip.h.
 */
#include "base/gunzip.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TEXT_BYTES = 400 * 1000, PACKED_MAX = 600 * 1000, BUFFER_BYTES = 64 * 1024 };

enum ending { ENDED, CUT, DAMAGED };

struct output {
    enum ending ending;
    size_t used; /* of the input, if the member has ended */
    size_t length, capacity;
    unsigned char *bytes; /* [length] */
};

static uint64_t random_state;

static size_t random_below(size_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % limit;
}

static void output_add(struct output *output, const unsigned char *bytes, size_t length)
{
    if (length >= output->capacity - output->length) {
        output->capacity = 2 * (output->length + length) + 1;
        output->bytes = realloc(output->bytes, output->capacity);
    }
    memcpy(output->bytes + output->length, bytes, length);
    output->length += length;
}

/* What zlib makes of the bytes of one member. */
static struct output unpack_with_zlib(const unsigned char *packed, size_t length)
{
    static unsigned char room[BUFFER_BYTES];
    struct output output = {.ending = CUT};
    z_stream zip = {.next_in = (unsigned char *)packed, .avail_in = (unsigned)length};
    cr_assert_eq(inflateInit2(&zip, 15 + 16), Z_OK);
    int result;
    do {
        zip.next_out = room;
        zip.avail_out = sizeof room;
        result = inflate(&zip, Z_NO_FLUSH);
        output_add(&output, room, sizeof room - zip.avail_out);
    } while (result == Z_OK);
    if (result != Z_BUF_ERROR)
        output.ending = result == Z_STREAM_END ? ENDED : DAMAGED;
    output.used = length - zip.avail_in;
    inflateEnd(&zip);
    return output;
}

/*
 * The same with gunzip.h: the input comes `in_step` bytes at a time into a buffer of
 * `buffer_length`, and the output goes `out_step` bytes at a time.
 */
static struct output unpack(struct gunzip *gunzip, const unsigned char *packed, size_t length,
                            size_t buffer_length, size_t in_step, size_t out_step)
{
    char *room = malloc(out_step);
    struct output output = {.ending = CUT};
    size_t from = 0, end = 0;
    gunzip_start(gunzip);
    for (;;) {
        struct gunzip_io io = {
            .in = packed + from,
            .in_length = end - from,
            .has_more = end < length && end - from < buffer_length && in_step >= 1000,
            .out = room,
            .out_length = out_step,
        };
        bool had_more = io.has_more;
        enum gunzip_result result = gunzip_step(gunzip, &io);
        from = end - io.in_length;
        output_add(&output, (unsigned char *)room, out_step - io.out_length);
        cr_assert(result != GUNZIP_WANTS_MORE || had_more);
        if (result == GUNZIP_ENDED || result == GUNZIP_DAMAGED) {
            output.ending = result == GUNZIP_ENDED ? ENDED : DAMAGED;
            break;
        }
        if (result == GUNZIP_GOES_ON && io.out_length < out_step)
            continue;
        cr_assert(result == GUNZIP_WANTS_MORE || from == end);
        if (end == length)
            break;
        end += in_step < length - end ? in_step : length - end;
        end = end < from + buffer_length ? end : from + buffer_length;
    }
    output.used = from;
    free(room);
    return output;
}

static void expect_same(struct gunzip *gunzip, const unsigned char *packed, size_t length,
                        size_t in_step, size_t out_step, const char *what)
{
    struct output expected = unpack_with_zlib(packed, length);
    struct output got = unpack(gunzip, packed, length, BUFFER_BYTES, in_step, out_step);
    cr_expect_eq(got.ending, expected.ending, "%s, %zu bytes: %d, not %d", what, length, got.ending,
                 expected.ending);
    if (expected.ending == ENDED)
        cr_expect_eq(got.used, expected.used, "%s: %zu used", what, got.used);
    cr_expect_eq(got.length, expected.length, "%s, %zu bytes: %zu made, not %zu", what, length,
                 got.length, expected.length);
    if (got.length == expected.length && got.length > 0)
        cr_expect(memcmp(got.bytes, expected.bytes, got.length) == 0, "%s", what);
    free(expected.bytes);
    free(got.bytes);
}

/* Lines as in a log, and numbers. */
static unsigned char *make_text(size_t length)
{
    unsigned char *text = malloc(length + 100);
    for (size_t at = 0; at < length;)
        at += (size_t)sprintf((char *)text + at, "info: prof: %zu function%zu, %zu%s\n",
                              random_below(40), random_below(random_below(3) == 0 ? 9 : 90000),
                              at / 50, random_below(50) == 0 ? "; ----------------------" : "");
    return text;
}

struct kind {
    const char *name;
    int level, strategy;
    size_t step; /* bytes between flushes; 0 for none */
    int flush;
    bool has_long_header;
};

static const struct kind kinds[] = {
    {"default", 6, Z_DEFAULT_STRATEGY, 0, 0, false},
    {"fast", 1, Z_DEFAULT_STRATEGY, 0, 0, true},
    {"best", 9, Z_DEFAULT_STRATEGY, 0, 0, false},
    {"stored", 0, Z_DEFAULT_STRATEGY, 0, 0, false},
    {"fixed", 6, Z_FIXED, 0, 0, false},
    {"literals", 6, Z_HUFFMAN_ONLY, 0, 0, true},
    {"runs", 6, Z_RLE, 0, 0, false},
    {"flushed", 6, Z_DEFAULT_STRATEGY, 70, Z_SYNC_FLUSH, false},
    {"flushed seldom", 6, Z_DEFAULT_STRATEGY, 9000, Z_SYNC_FLUSH, false},
    {"blocks that begin at any bit", 6, Z_DEFAULT_STRATEGY, 20000, Z_BLOCK, true},
    {"unconnected blocks", 6, Z_DEFAULT_STRATEGY, 30000, Z_FULL_FLUSH, false},
    {"partly flushed", 6, Z_FIXED, 500, Z_PARTIAL_FLUSH, false},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* Returns the length of the member. */
static size_t pack(const struct kind *kind, const unsigned char *text, size_t length,
                   unsigned char *packed)
{
    z_stream zip = {.next_in = (unsigned char *)text};
    cr_assert_eq(deflateInit2(&zip, kind->level, Z_DEFLATED, 15 + 16, 8, kind->strategy), Z_OK);
    gz_header header = {
        .extra = (unsigned char *)"extra",
        .extra_len = 5,
        .name = (unsigned char *)"game.log",
        .comment = (unsigned char *)"comment",
        .hcrc = 1,
    };
    if (kind->has_long_header)
        deflateSetHeader(&zip, &header);
    zip.next_out = packed;
    zip.avail_out = PACKED_MAX;
    while (kind->step > 0 && zip.total_in + kind->step < length) {
        zip.avail_in = (unsigned)kind->step;
        deflate(&zip, kind->flush);
    }
    zip.avail_in = (unsigned)(length - zip.total_in);
    cr_assert_eq(deflate(&zip, Z_FINISH), Z_STREAM_END);
    deflateEnd(&zip);
    return zip.total_out;
}

static unsigned char packed[PACKED_MAX];

Test(gunzip, gives_what_zlib_gives_in_pieces_of_any_size)
{
    static const size_t steps[] = {1, 7, 4096, BUFFER_BYTES};
    unsigned char *text = make_text(TEXT_BYTES);
    struct gunzip *gunzip = gunzip_new();
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t length = pack(&kinds[k], text, TEXT_BYTES, packed);
        packed[length++] = 0x1f;
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 1; j < 4; j++)
                expect_same(gunzip, packed, length, steps[i], steps[j], kinds[k].name);
    }
    gunzip_free(gunzip);
    free(text);
}

Test(gunzip, gives_one_byte_at_a_time)
{
    unsigned char *text = make_text(5000);
    struct gunzip *gunzip = gunzip_new();
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t length = pack(&kinds[k], text, 5000, packed);
        expect_same(gunzip, packed, length, 1, 1, kinds[k].name);
        expect_same(gunzip, packed, length, BUFFER_BYTES, 1, kinds[k].name);
    }
    gunzip_free(gunzip);
    free(text);
}

Test(gunzip, gives_what_zlib_gives_of_a_member_that_is_cut_anywhere)
{
    unsigned char *text = make_text(3000);
    struct gunzip *gunzip = gunzip_new();
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t length = pack(&kinds[k], text, 3000, packed);
        for (size_t cut = 0; cut < length; cut++)
            expect_same(gunzip, packed, cut, BUFFER_BYTES, BUFFER_BYTES, kinds[k].name);
    }
    gunzip_free(gunzip);
    free(text);
}

/* After damage most bytes are garbage, which both must read alike. */
Test(gunzip, gives_what_zlib_gives_of_damaged_members)
{
    unsigned char *text = make_text(TEXT_BYTES);
    struct gunzip *gunzip = gunzip_new();
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t text_length = 40000 + random_below(TEXT_BYTES - 40000);
        size_t length = pack(&kinds[k], text, text_length, packed);
        for (size_t i = 0; i < 60; i++) {
            /* Many in the header, the codes of the first block, and the trailer. */
            size_t range = i % 3 == 0 ? 150 : length;
            size_t at = i % 7 == 0 ? length - 1 - random_below(9) : random_below(range);
            unsigned char bit = (unsigned char)(1u << random_below(8));
            packed[at] ^= bit;
            expect_same(gunzip, packed, length, i % 2 == 0 ? BUFFER_BYTES : 5000, BUFFER_BYTES,
                        kinds[k].name);
            packed[at] ^= bit;
        }
    }
    gunzip_free(gunzip);
    free(text);
}

/* Codes that leave bits without a meaning are damage, also where these bits do not occur. */
Test(gunzip, gives_what_zlib_gives_of_any_codes)
{
    struct gunzip *gunzip = gunzip_new();
    unsigned char member[400] = {0x1f, 0x8b, 8};
    for (size_t i = 0; i < 6000; i++) {
        for (size_t j = 10; j < sizeof member; j++)
            member[j] = (unsigned char)(random_below(3) == 0 ? 0 : random_below(256));
        member[10] = (unsigned char)((member[10] & ~7u) | 4 | random_below(2));
        expect_same(gunzip, member, sizeof member, BUFFER_BYTES, BUFFER_BYTES, "random codes");
    }
    gunzip_free(gunzip);
}

Test(gunzip, tells_damage_from_a_cut_at_the_last_byte)
{
    /* An empty block, and three bits of a block of a kind that there is not. */
    static const unsigned char member[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x02, 0x18};
    struct gunzip *gunzip = gunzip_new();
    expect_same(gunzip, member, sizeof member, BUFFER_BYTES, BUFFER_BYTES, "an unknown block");
    /* A wrong checksum, and what comes after it is missing in part. */
    size_t length = pack(&kinds[0], (const unsigned char *)"text", 4, packed);
    packed[length - 5] ^= 1;
    for (size_t cut = 0; cut < 8; cut++)
        expect_same(gunzip, packed, length - cut, BUFFER_BYTES, BUFFER_BYTES, "a wrong checksum");
    gunzip_free(gunzip);
}

/* Blocks are as long as zlib can make them. Returns the length of the member in `packed`. */
static size_t pack_long_blocks(unsigned char *text, size_t length, int strategy)
{
    z_stream zip = {.next_in = text, .avail_in = (unsigned)length, .next_out = packed};
    zip.avail_out = PACKED_MAX;
    cr_assert_eq(deflateInit2(&zip, 6, Z_DEFLATED, 15 + 16, 9, strategy), Z_OK);
    cr_assert_eq(deflate(&zip, Z_FINISH), Z_STREAM_END);
    deflateEnd(&zip);
    return zip.total_out;
}

enum { ZEROS = 12000000, NOISE = 500000 };

static void make_noise(unsigned char *text)
{
    for (size_t i = 0; i < NOISE; i++)
        text[i] = (unsigned char)random_below(250);
}

/* Blocks with more output, and with more input, than there is room for. */
Test(gunzip, reads_blocks_of_any_size)
{
    unsigned char *text = calloc(ZEROS, 1);
    struct gunzip *gunzip = gunzip_new();
    size_t length = pack_long_blocks(text, ZEROS, Z_DEFAULT_STRATEGY);
    expect_same(gunzip, packed, length, BUFFER_BYTES, BUFFER_BYTES, "zeros");
    make_noise(text);
    length = pack_long_blocks(text, NOISE, Z_HUFFMAN_ONLY);
    struct output got = unpack(gunzip, packed, length, 3000, 3000, BUFFER_BYTES);
    cr_expect_eq(got.length, NOISE);
    cr_expect(memcmp(got.bytes, text, NOISE) == 0);
    free(got.bytes);
    gunzip_free(gunzip);
    free(text);
}

Test(gunzip, wants_no_more_for_a_short_member_after_one_with_long_blocks)
{
    unsigned char *text = malloc(NOISE);
    make_noise(text);
    struct gunzip *gunzip = gunzip_new();
    size_t length = pack_long_blocks(text, NOISE, Z_HUFFMAN_ONLY);
    expect_same(gunzip, packed, length, BUFFER_BYTES, BUFFER_BYTES, "long blocks");
    static char room[BUFFER_BYTES];
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        struct gunzip_io io = {
            .in = packed,
            .in_length = pack(&kinds[kind], text, 10, packed),
            .has_more = true,
            .out = room,
            .out_length = sizeof room,
        };
        gunzip_start(gunzip);
        cr_expect_eq(gunzip_step(gunzip, &io), GUNZIP_ENDED, "%s", kinds[kind].name);
        cr_expect_eq(io.in_length, 0);
        cr_expect(memcmp(room, text, 10) == 0);
    }
    gunzip_free(gunzip);
    free(text);
}
