#include "base/input.h"
#include "base/temporary_file.h"
#include "platform/thread.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(read_ahead, .init = temporary_file_make, .fini = temporary_file_remove, .timeout = 60);

enum how { WITHOUT_THREAD, WITH_THREAD, SHARED, HOW_COUNT };

/* A thread that has nothing else to do than to help. */
static struct helper {
    struct worker *worker;
    struct read_ahead *ahead; /* guarded by its lock, as all is */
    bool has_ended;
} helper;

static void help(void *context)
{
    (void)context;
    worker_enter(helper.worker);
    while (!helper.has_ended)
        if (helper.ahead == NULL || !read_ahead_help(helper.ahead))
            worker_wait(helper.worker);
    worker_leave(helper.worker);
}

static struct read_ahead *start(struct input *input, enum how how)
{
    if (how != SHARED)
        return read_ahead_start(input, how == WITH_THREAD);
    helper = (struct helper){0};
    cr_assert(worker_start(&helper.worker, help, NULL));
    worker_enter(helper.worker);
    helper.ahead = read_ahead_share(input, helper.worker);
    worker_wake(helper.worker);
    worker_leave(helper.worker);
    return helper.ahead;
}

static void end(struct read_ahead *ahead, enum how how)
{
    if (how == SHARED) {
        worker_enter(helper.worker);
        helper.ahead = NULL;
        helper.has_ended = true;
        worker_wake(helper.worker);
        worker_leave(helper.worker);
    }
    read_ahead_free(ahead);
    if (how == SHARED)
        worker_join(helper.worker);
}

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
static bool read_all(const char *text, size_t length, enum how how, size_t *got, double *progress)
{
    struct input input;
    struct error err;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, &err), "%s", err.text);
    struct read_ahead *ahead = start(&input, how);
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
    end(ahead, how);
    input_close(&input);
    return is_read;
}

static void write_file(const char *text, size_t length)
{
    FILE *file = fopen(temporary_file, "wb");
    cr_assert(file != NULL && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

static void expect_whole(size_t length, enum how how)
{
    char *text = make_text(length);
    write_file(text, length);
    size_t got;
    double progress = 1;
    cr_expect(read_all(text, length, how, &got, &progress));
    cr_expect_eq(got, length);
    cr_expect_float_eq(progress, 1, 1e-9);
    free(text);
}

Test(read_ahead, gives_all_bytes_with_any_threads)
{
    static const size_t lengths[] = {0, 1, READ_BLOCK_BYTES, READ_BLOCK_BYTES + 1,
                                     40 * READ_BLOCK_BYTES + 7};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (enum how how = 0; how < HOW_COUNT; how++)
            expect_whole(lengths[i], how);
}

/* A thread that waits for room must not wait forever: the reading of a log can be cancelled. */
Test(read_ahead, can_be_left_before_the_end)
{
    enum { LENGTH = 40 * READ_BLOCK_BYTES };
    char *text = make_text(LENGTH);
    write_file(text, LENGTH);
    for (enum how how = 0; how < HOW_COUNT; how++) {
        struct input input;
        struct read_block block;
        struct error err;
        cr_assert(input_open(&input, temporary_file, FILE_WAITS, &err), "%s", err.text);
        struct read_ahead *ahead = start(&input, how);
        cr_expect(read_ahead_next(ahead, &block, &err));
        cr_expect_arr_eq(block.at, text, block.length);
        end(ahead, how);
        input_close(&input);
    }
    free(text);
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
    size_t alone, ahead, shared;
    double progress;
    cr_expect(!read_all(text, LENGTH, WITHOUT_THREAD, &alone, &progress));
    cr_expect(!read_all(text, LENGTH, WITH_THREAD, &ahead, &progress));
    cr_expect(!read_all(text, LENGTH, SHARED, &shared, &progress));
    cr_expect_gt(alone, 100000);
    cr_expect_eq(ahead, alone);
    cr_expect_eq(shared, alone);
    free(text);
}

static void write_later(void *context)
{
    const int *file = context;
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    cr_expect_eq(write(*file, "more", 4), 4);
    close(*file);
}

Test(read_ahead, gives_the_bytes_of_a_pipe_as_they_come)
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
    cr_assert(input_open(&input, path, FILE_WAITS, &err), "%s", err.text);
    struct read_ahead *ahead = read_ahead_start(&input, true);
    cr_expect(read_ahead_next(ahead, &block, &err) && block.length > 0);
    size_t got = block.length;
    struct worker *writer;
    cr_assert(worker_start(&writer, write_later, &ends[1]));
    while (read_ahead_next(ahead, &block, &err) && block.length > 0)
        got += block.length;
    cr_expect_eq(got, sizeof start + 4);
    worker_join(writer);
    read_ahead_free(ahead);
    input_close(&input);
    close(ends[0]);
}
