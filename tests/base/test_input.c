#include "base/input.h"
#include "base/temporary_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(input, .init = temporary_file_make, .fini = temporary_file_remove);

static void store(const char *mode, const char *bytes, size_t length)
{
    FILE *file = fopen(temporary_file, mode);
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    cr_assert_eq(fclose(file), 0);
}

static void store_gzip(const char *mode, const char *bytes, size_t length)
{
    gzFile file = gzopen(temporary_file, mode);
    cr_assert_not_null(file);
    cr_assert_eq(gzwrite(file, bytes, (unsigned)length), (int)length);
    cr_assert_eq(gzclose(file), Z_OK);
}

/* Reads all, `step` bytes at a time. Returns whether that went well. */
static bool read_all(size_t step, char *text, size_t *length, struct error *err)
{
    struct input input;
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, err), "%s", err->text);
    size_t got = 1;
    bool is_good = true;
    for (*length = 0; is_good && got > 0; *length += got)
        is_good = input_read(&input, text + *length, step, &got, err);
    cr_expect_eq(input.byte_count, *length);
    input_close(&input);
    return is_good;
}

static void expect_text(const char *expected, size_t expected_length)
{
    static const size_t steps[] = {2, 3, 5, 4096};
    char *text = malloc(expected_length + 4096);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct error err;
        size_t length;
        cr_expect(read_all(steps[i], text, &length, &err), "%s", err.text);
        cr_expect_eq(length, expected_length, "%zu bytes in steps of %zu", length, steps[i]);
        cr_expect_eq(memcmp(text, expected, expected_length), 0);
    }
    free(text);
}

static void expect_failure(const char *expected_text, const char *expected_reason)
{
    struct error err;
    char text[4096];
    size_t length;
    cr_expect_not(read_all(sizeof text / 4, text, &length, &err));
    cr_expect_eq(length, strlen(expected_text), "%.*s", (int)length, text);
    cr_expect_not_null(strstr(err.text, expected_reason), "%s", err.text);
}

Test(input, hands_out_plain_bytes_as_they_are)
{
    enum { LENGTH = 200000 };
    static char bytes[LENGTH];
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (char)(i * i >> 3);
    store("wb", bytes, LENGTH);
    expect_text(bytes, LENGTH);
    store("wb", "x", 1);
    expect_text("x", 1);
    store("wb", "", 0);
    expect_text("", 0);
}

Test(input, says_that_a_file_got_shorter_meanwhile)
{
    enum { BYTES = 1 << 20, STEP = 4096 };
    static char bytes[BYTES];
    struct input input;
    struct error err;
    size_t got, length = 0;
    memset(bytes, 'a', BYTES);
    store("w", bytes, BYTES);
    cr_assert(input_open(&input, temporary_file, FILE_WAITS, &err));
    cr_assert(input_read(&input, bytes, STEP, &got, &err));
    cr_assert_eq(truncate(temporary_file, BYTES / 2), 0);
    bool is_good = true;
    for (length = got; is_good && got > 0; length += got)
        is_good = input_read(&input, bytes, STEP, &got, &err);
    input_close(&input);
    cr_expect_not(is_good);
    cr_expect_eq(length, BYTES / 2);
    cr_expect_not_null(strstr(err.text, "it got shorter meanwhile"), "%s", err.text);
}

Test(input, decompresses_members_one_after_the_other)
{
    store_gzip("wb", "first ", 6);
    store_gzip("ab", "", 0);
    store_gzip("ab", "second", 6);
    expect_text("first second", 12);
    /* As tapes have it. */
    char zeros[1000] = {0};
    store("ab", zeros, sizeof zeros);
    expect_text("first second", 12);
}

Test(input, says_that_text_follows_the_compressed_data)
{
    store_gzip("wb", "first", 5);
    store("ab", "info: prof: lost", 16);
    expect_failure("first", "after the compressed data come bytes that are not compressed");
}

Test(input, says_that_compressed_data_is_cut)
{
    store_gzip("wb", "first", 5);
    cr_assert_eq(truncate(temporary_file, 20), 0);
    expect_failure("first", "the compressed data ends too early");
    cr_assert_eq(truncate(temporary_file, 5), 0);
    expect_failure("", "the compressed data ends too early");
}

Test(input, says_that_what_comes_before_a_cut_member_is_used)
{
    store_gzip("wb", "first", 5);
    store("ab", "\x1f\x8b\x08", 3);
    expect_failure("first", "ends too early; what comes before it is used");
}

/* U+1F600 is a pair of units; a half of one alone is replaced. */
Test(input, reads_utf16_of_either_byte_order)
{
    static const char little[] = "\xff\xfe"
                                 "a\0\xe9\0\xac\x20\x3d\xd8\x00\xde\x00\xdc"
                                 "b\0\x3d\xd8";
    static const char expected[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd"
                                   "b\xef\xbf\xbd";
    char big[sizeof little - 1];
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = little[i ^ 1];
    store("wb", little, sizeof little - 1);
    expect_text(expected, sizeof expected - 1);
    store("wb", big, sizeof big);
    expect_text(expected, sizeof expected - 1);
    store_gzip("wb", big, sizeof big);
    expect_text(expected, sizeof expected - 1);
}

Test(input, reads_utf16_without_a_mark_that_begins_with_eight_letters)
{
    static const char little[] = "i\0n\0f\0o\0:\0 \0a\0b\0\xac\x20";
    char big[sizeof little - 1];
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = little[i ^ 1];
    store("wb", little, sizeof little - 1);
    expect_text("info: ab\xe2\x82\xac", 11);
    store_gzip("wb", big, sizeof big);
    expect_text("info: ab\xe2\x82\xac", 11);
    store("wb", little, 14);
    expect_text(little, 14);
}

Test(input, replaces_half_a_unit_at_the_end_of_utf16)
{
    store("wb",
          "\xff\xfe"
          "a\0b",
          5);
    expect_text("a\xef\xbf\xbd", 4);
}

static void expect_refusal(const char *bytes, size_t length, const char *expected)
{
    char start[64] = {0};
    memcpy(start, bytes, length);
    const struct not_a_log *refusal = not_a_log_find((struct span){start, sizeof start});
    cr_assert_not_null(refusal, "%s", expected);
    cr_expect_not_null(strstr(refusal->reason, expected), "%s", refusal->reason);
    /* What is shorter than its signature is no such file. */
    cr_expect_null(not_a_log_find((struct span){start, length - 1}));
}

Test(not_a_log, is_told_by_the_first_bytes)
{
    expect_refusal("PK\x03\x04", 4, "is a zip archive; unpack it");
    expect_refusal("7z\xbc\xaf\x27\x1c", 6, "is a 7-Zip archive; unpack it");
    expect_refusal("Rar!\x1a\x07", 6, "is a RAR archive");
    expect_refusal("\xfd"
                   "7zXZ\0",
                   6, "xz -dc FILE | supprof");
    expect_refusal("BZh91AY&SY", 10, "bzip2 -dc FILE | supprof");
    expect_refusal("\x28\xb5\x2f\xfd", 4, "zstd -dc FILE | supprof");
    expect_refusal("\x89PNG\r\n\x1a\n", 8, "is a picture (PNG)");
    expect_refusal("\xff\xd8\xff", 3, "is a picture (JPEG)");
    expect_refusal("GIF89a", 6, "is a picture (GIF)");
    expect_refusal("RIFF\x10\0\0\0WEBP", 12, "is a picture (WebP)");
    expect_refusal("BM\x36\x10\0\0\0\0\0\0", 10, "is a picture (BMP)");
    expect_refusal("DDS ", 4, "is a picture (DDS)");
    expect_refusal("\x7f"
                   "ELF",
                   4, "is a program");
}

Test(not_a_log, is_a_replay_or_a_report)
{
    expect_refusal("\x1f\x8b", 2, "is compressed twice; unpack it first");
    expect_refusal("\xff\xfe\0\0", 4, "is text in UTF-32");
    expect_refusal("\0\0\xfe\xff", 4, "is text in UTF-32");
    expect_refusal("Supreme Commander v1", 20, "is a replay");
    expect_refusal("{\"featured_mod", 14, "is a replay");
    expect_refusal("<!DOCTYPE html", 14, "is a report such as supprof writes (HTML)");
    expect_refusal("{\"nodes\":[", 10, "(cpuprofile)");
    expect_refusal("\n\4\b", 3, "(pprof)");
    expect_refusal("mod,calls\n", 10, "(csv)");
    expect_refusal("function,source,line,old_calls,avg_us\r\n", 39, "(csv)");
}

static void expect_log(const char *start)
{
    cr_expect_null(not_a_log_find(span_of(start)), "%s", start);
}

Test(not_a_log, is_no_text_that_only_resembles_one)
{
    expect_log("{\"uid\": 1}\n\"featured_mod");
    expect_log("info: {\"featured_mod\": 1}");
    expect_log("mod,calls: 1\n");
    expect_log("mods,calls\n");
    expect_log("info: mod,calls\n");
    expect_log("0001,t,f\n");
    expect_log("");
}

Test(not_a_log, is_a_tar_archive_only_with_a_nul_behind_its_mark)
{
    static const struct {
        const char *mark;
        bool is_archive;
    } starts[] = {{"ustar\0", true}, {"ustar  \0", true}, {"ustard!!", false}, {"ustar  a", false}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char start[512];
        memset(start, 'a', sizeof start);
        memcpy(start + 257, starts[i].mark, starts[i].is_archive ? strlen(starts[i].mark) + 1 : 8);
        const struct not_a_log *found = not_a_log_find((struct span){start, sizeof start});
        cr_expect_eq(found != NULL, starts[i].is_archive, "%s", starts[i].mark);
    }
}

Test(not_a_log, of_a_text_that_begins_like_a_program_is_unknown)
{
    char start[64] = "MZ\x90";
    struct span span = {start, sizeof start};
    cr_expect_not_null(strstr(not_a_log_find(span)->reason, "is a program"));
    memset(start + 2, 'x', sizeof start - 2);
    cr_expect_null(not_a_log_find(span));
}
