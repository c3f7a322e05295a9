#include "base/read_ahead.h"
#include "base/temporary_file.h"
#include "platform/thread.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(read_ahead, .init = temporary_file_make, .fini = temporary_file_remove, .timeout = 60);

/* Other bytes at each place. */
static char *make_text(size_t length)
{
    char *text = malloc(length + 1);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('a' + (i ^ i >> 8 ^ i >> 16) % 26);
    return text;
}

enum way { ALONE, SHARED, HELPED, WAY_COUNT };

struct helper {
    struct read_ahead *ahead;
    atomic_bool is_over;
    size_t block_count;
};

static void help(void *context)
{
    struct helper *helper = context;
    while (!helper->is_over)
        helper->block_count += read_ahead_help(helper->ahead);
}

/*
 * Reads the file, and compares it with the text. Each block is looked at once more after the next
 * one was taken, and the room around it is used. Returns whether the end was reached.
 */
static bool read_all(const char *text, size_t length, enum way way, size_t *got, double *progress)
{
    struct input input;
    struct error err;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, NULL, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, way != ALONE);
    struct helper helper = {.ahead = ahead};
    struct thread *thread = way == HELPED ? thread_start(help, &helper) : NULL;
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
    helper.is_over = true;
    if (thread != NULL)
        thread_join(thread);
    read_ahead_free(ahead);
    input_close(&input);
    return is_read;
}

static void write_file(const char *text, size_t length)
{
    FILE *file = fopen(temporary_file, "wb");
    cr_assert(file != NULL && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

static void expect_whole(size_t length, enum way way)
{
    char *text = make_text(length);
    write_file(text, length);
    size_t got;
    double progress = 1;
    cr_expect(read_all(text, length, way, &got, &progress));
    cr_expect_eq(got, length);
    cr_expect_float_eq(progress, 1, 1e-9);
    free(text);
}

Test(read_ahead, gives_all_bytes_alone_and_with_help)
{
    static const size_t lengths[] = {0, 1, READ_BLOCK_BYTES, READ_BLOCK_BYTES + 1,
                                     40 * READ_BLOCK_BYTES + 7};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (enum way way = ALONE; way < WAY_COUNT; way++)
            expect_whole(lengths[i], way);
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
    size_t got[WAY_COUNT];
    double progress;
    for (enum way way = ALONE; way < WAY_COUNT; way++)
        cr_expect(!read_all(text, LENGTH, way, &got[way], &progress));
    cr_expect_gt(got[ALONE], 100000);
    cr_expect_eq(got[SHARED], got[ALONE]);
    cr_expect_eq(got[HELPED], got[ALONE]);
    free(text);
}

/* How many blocks help gives until it has nothing to do. */
static size_t help_all(struct read_ahead *ahead)
{
    size_t count = 0;
    while (read_ahead_help(ahead))
        count++;
    return count;
}

Test(read_ahead, helps_as_long_as_there_is_room)
{
    enum { BLOCKS = 100 };
    cr_assert_eq(truncate(temporary_file, BLOCKS * READ_BLOCK_BYTES), 0);
    struct input input;
    struct error err;
    struct read_block block;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, NULL, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, true);
    size_t room = help_all(ahead);
    cr_expect_gt(room, 1);
    cr_expect_lt(room, BLOCKS / 2);
    /* Each block that is taken leaves room for one. */
    for (size_t taken = 1; taken <= 3; taken++) {
        cr_assert(read_ahead_next(ahead, &block, &err));
        cr_expect_eq(help_all(ahead), 1);
    }
    /* Without help, blocks are read while some are still ready. */
    for (size_t taken = 4; taken <= room; taken++)
        cr_assert(read_ahead_next(ahead, &block, &err));
    size_t again = help_all(ahead);
    cr_expect_gt(again, 1);
    cr_expect_lt(again, room);
    do
        cr_assert(read_ahead_next(ahead, &block, &err));
    while (block.length > 0);
    cr_expect_eq(block.byte_count, BLOCKS * READ_BLOCK_BYTES);
    cr_expect_eq(help_all(ahead), 0);
    read_ahead_free(ahead);
    input_close(&input);
}

Test(read_ahead, leaves_the_last_two_blocks_as_they_are)
{
    enum { BLOCKS = 40 };
    char *text = make_text(BLOCKS * READ_BLOCK_BYTES);
    for (size_t i = 0; i < BLOCKS; i++)
        text[i * READ_BLOCK_BYTES + READ_BLOCK_BYTES / 2] = (char)('A' + i);
    write_file(text, BLOCKS * READ_BLOCK_BYTES);
    struct input input;
    struct error err;
    struct read_block block, before = {.at = NULL};
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, NULL, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, true);
    size_t got = 0;
    while (read_ahead_next(ahead, &block, &err) && block.length > 0) {
        help_all(ahead);
        cr_assert_arr_eq(block.at, text + got, block.length);
        cr_assert(before.at == NULL ||
                  memcmp(before.at, text + got - before.length, before.length) == 0);
        got += block.length;
        before = block;
    }
    cr_expect_eq(got, BLOCKS * READ_BLOCK_BYTES);
    read_ahead_free(ahead);
    input_close(&input);
    free(text);
}

Test(read_ahead, gives_no_help_with_an_input_that_is_not_shared)
{
    write_file("some text", 9);
    struct input input;
    struct error err;
    struct read_block block;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, NULL, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, false);
    cr_expect(!read_ahead_help(ahead));
    cr_expect(read_ahead_next(ahead, &block, &err) && block.length > 0);
    read_ahead_free(ahead);
    input_close(&input);
}

static void pause_for_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void write_later(void *context)
{
    const int *file = context;
    pause_for_ms(100);
    cr_expect_eq(write(*file, "more", 4), 4);
    close(*file);
}

/* The helper waits for the bytes of a pipe, and then who takes blocks waits for the helper. */
Test(read_ahead, is_woken_when_help_has_read_a_block)
{
    static const char start[100] = "text";
    int ends[2];
    char path[32];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], start, sizeof start), (ssize_t)sizeof start);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct input input;
    struct error err;
    struct read_block block;
    cr_assert(input_open(&input, path, FILE_WAITS, NULL, &err), "%s", err.text);
    struct helper helper = {.ahead = read_ahead_start(&input, true)};
    struct thread *thread = thread_start(help, &helper);
    pause_for_ms(50);
    struct thread *writer = thread_start(write_later, &ends[1]);
    size_t got = 0;
    while (read_ahead_next(helper.ahead, &block, &err) && block.length > 0)
        got += block.length;
    cr_expect_eq(got, sizeof start + 4);
    helper.is_over = true;
    thread_join(thread);
    thread_join(writer);
    read_ahead_free(helper.ahead);
    input_close(&input);
    close(ends[0]);
}
