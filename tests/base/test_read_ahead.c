#include "base/read_ahead.h"
#include "base/temporary_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(read_ahead, .init = temporary_file_make, .fini = temporary_file_remove);

/* Other bytes at each place. */
static char *make_text(size_t length)
{
    char *text = malloc(length + 1);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('a' + (i ^ i >> 8 ^ i >> 16) % 26);
    return text;
}

/*
 * Reads the file, and compares it with the text. Each block is looked at once more after the next
 * one was taken, and the room around it is used. Returns whether the end was reached.
 */
static bool read_all(const char *text, size_t length, bool has_thread, size_t *got,
                     double *progress)
{
    struct input input;
    struct error err;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, NULL, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, has_thread);
    struct read_block block, before = {.at = NULL};
    bool is_read;
    *got = 0;
    while ((is_read = read_ahead_next(ahead, &block, &err)) && block.length > 0) {
        cr_assert_leq(*got + block.length, length);
        cr_assert_arr_eq(block.at, text + *got, block.length);
        cr_assert_eq(block.at[block.length], '\n');
        cr_assert(before.at == NULL ||
                  memcmp(before.at, text + *got - before.length, before.length) == 0);
        memset(block.at - READ_HEAD_BYTES, ';', READ_HEAD_BYTES);
        *got += block.length;
        *progress = block.progress;
        cr_assert_eq(block.byte_count, *got);
        before = block;
    }
    cr_assert_eq(block.length, 0);
    read_ahead_free(ahead);
    input_close(&input);
    return is_read;
}

static void expect_whole(size_t length, bool has_thread)
{
    char *text = make_text(length);
    FILE *file = fopen(temporary_file, "wb");
    cr_assert(file != NULL && fwrite(text, 1, length, file) == length && fclose(file) == 0);
    size_t got;
    double progress = 1;
    cr_expect(read_all(text, length, has_thread, &got, &progress));
    cr_expect_eq(got, length);
    cr_expect_float_eq(progress, 1, 1e-9);
    free(text);
}

Test(read_ahead, gives_all_bytes_with_and_without_a_thread)
{
    static const size_t lengths[] = {0, 1, READ_BLOCK_BYTES, READ_BLOCK_BYTES + 1,
                                     40 * READ_BLOCK_BYTES + 7};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        expect_whole(lengths[i], false);
        expect_whole(lengths[i], true);
    }
}

Test(read_ahead, fails_after_the_part_before_the_damage)
{
    enum { LENGTH = 3000000 };
    char *text = make_text(LENGTH);
    gzFile file = gzopen(temporary_file, "wb1");
    cr_assert_not_null(file);
    cr_assert_eq(gzwrite(file, text, LENGTH), LENGTH);
    cr_assert_eq(gzclose(file), Z_OK);
    cr_assert_eq(truncate(temporary_file, 100000), 0);
    size_t got[2];
    double progress;
    for (int has_thread = 0; has_thread < 2; has_thread++)
        cr_expect(!read_all(text, LENGTH, has_thread, &got[has_thread], &progress));
    cr_expect_gt(got[0], 100000);
    cr_expect_eq(got[0], got[1]);
    free(text);
}
