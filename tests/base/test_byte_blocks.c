#include "base/mem.h"

#include <criterion/criterion.h>

static struct byte_blocks blocks;

static void tear_down(void)
{
    byte_blocks_release(&blocks);
}

TestSuite(byte_blocks, .fini = tear_down);

/* A piece is its length, and as many bytes that follow from its number. */
static size_t length_of(size_t piece)
{
    return 1 + piece * 7919 % (BYTE_PIECE_MAX - 1);
}

static void put_piece(size_t piece)
{
    char *to = byte_blocks_begin(&blocks);
    *to = (char)length_of(piece);
    memset(to + 1, (int)(piece % 251), length_of(piece));
    byte_blocks_end(&blocks, to + 1 + length_of(piece));
}

static void expect_piece(struct byte_reader *reader, size_t piece)
{
    const char *at = byte_reader_piece(reader);
    cr_assert_eq((size_t)*at, length_of(piece), "piece %zu", piece);
    for (size_t i = 1; i <= length_of(piece); i++)
        cr_assert_eq((unsigned char)at[i], piece % 251);
    reader->at = at + 1 + length_of(piece);
}

/* From all places: in the small first block, while it grows, and at the border of two. */
Test(byte_blocks, pieces_are_read_from_the_place_where_one_was_put)
{
    enum { COUNT = 5000, READ = 30 };
    static size_t places[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        places[i] = byte_blocks_place(&blocks);
        put_piece(i);
    }
    cr_assert_gt(blocks.count, 3);
    for (size_t i = 0; i < COUNT; i++) {
        struct byte_reader reader = byte_blocks_read(&blocks, places[i]);
        for (size_t k = i; k < COUNT && k < i + READ; k++)
            expect_piece(&reader, k);
    }
}

Test(byte_blocks, of_few_bytes_take_little_memory)
{
    cr_expect_null(byte_blocks_read(&blocks, byte_blocks_place(&blocks)).at);
    put_piece(1);
    cr_expect_leq(blocks.size, 1024);
    for (size_t i = 2; blocks.count < 2; i++)
        put_piece(i);
    cr_expect_eq(blocks.size, BYTE_BLOCK);
}
