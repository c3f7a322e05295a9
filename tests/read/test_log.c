#include "base/text.h"
#include "read/memory_log.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char small_log[] = "info: DISK: AddSearchPath: 'c:\\a', mounted as '/lua/'\n"
                                "info: Starting profiler\r\n"
                                "warning: something\n"
                                "info: benchmark started at: 60s, duration: 5s, measured "
                                "wallclock time: 2.5s\r\n"
                                "info: prof: @c:\\a.lua,1,f,2;1,0.001,t,f\r\n"
                                "info: prof: @c:\\a.lua,1,f,2;local a = 1;\n"
                                "      return a,0,?,2;2,0.002,t,f\n"
                                "info: prof is not a profiler line; 1,2,t,f\n"
                                "info: prof: @c:\\a.lua,1,f,2;=[C],-1,next,-1;4,0.004,f,t\n";

static struct memory_log_counts read_text(struct span text, size_t block_bytes, size_t read_max)
{
    struct memory_log memory;
    memory_log_open(&memory, text, block_bytes);
    memory.read_max = read_max;
    struct memory_log_counts counts = memory_log_read(&memory);
    memory_log_close(&memory);
    return counts;
}

static struct memory_log_counts read_string(const char *text)
{
    return read_text(span_of(text), READ_BLOCK_BYTES, 0);
}

Test(log, reads_the_same_through_blocks_of_any_size)
{
    struct span text = {small_log, sizeof small_log - 1};
    for (size_t block_bytes = 40; block_bytes < 500; block_bytes++)
        for (size_t read_max = 0; read_max < 8; read_max++) {
            struct memory_log_counts counts = read_text(text, block_bytes, read_max);
            cr_assert_eq(counts.records, 3, "blocks of %zu", block_bytes);
            cr_assert_eq(counts.damaged, 0);
            cr_assert_eq(counts.benchmarks, 1);
            cr_assert_eq(counts.frames, 5);
            cr_assert_eq(counts.calls, 7);
            cr_assert_eq(counts.total_ns, 7000000);
        }
}

Test(log, reads_quoted_lines_with_a_date_through_blocks_of_any_size)
{
    static const char text[] =
        "\"[2026-02-24 20:31:02.433] info: prof: @c:\\a.lua,1,f,2;1,0.001,t,f\"\n"
        "\"2026-02-24 20:31:02 info: prof: @c:\\a.lua,1,f,2;2,0.002,t,f\"\n";
    for (size_t block_bytes = 40; block_bytes < 200; block_bytes++) {
        struct memory_log_counts counts =
            read_text((struct span){text, sizeof text - 1}, block_bytes, 0);
        cr_assert_eq(counts.records, 2, "blocks of %zu", block_bytes);
        cr_assert_eq(counts.damaged, 0);
    }
}

/* How many of the small log's records end within its first `length` bytes. */
static size_t whole_records(size_t length)
{
    size_t count = 0;
    static const char *const ends[] = {",0.001,t,f", ",0.002,t,f", ",0.004,f,t"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        count += strstr(small_log, ends[i]) + strlen(ends[i]) <= small_log + length;
    return count;
}

Test(log, gives_every_whole_record_of_a_log_cut_at_any_byte)
{
    for (size_t length = 0; length < sizeof small_log; length++) {
        struct memory_log_counts counts =
            read_text((struct span){small_log, length}, READ_BLOCK_BYTES, 0);
        cr_expect_eq(counts.records, whole_records(length), "cut at %zu", length);
        cr_expect_leq(counts.damaged, 1, "cut at %zu", length);
    }
}

Test(log, loses_only_the_record_that_a_byte_is_missing_from)
{
    char text[sizeof small_log];
    for (size_t missing = 0; missing < sizeof small_log - 1; missing++) {
        memcpy(text, small_log, missing);
        memcpy(text + missing, small_log + missing + 1, sizeof small_log - missing - 1);
        struct memory_log_counts counts = read_string(text);
        cr_expect_geq(counts.records, 2, "without byte %zu", missing);
    }
}

Test(log, names_the_line_of_damage)
{
    struct memory_log_counts counts = read_string("info: a\n\ninfo: prof: x\ninfo: b\n");
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.first_damaged_line, 3);
}

/* Records whose frames are known are read in another way than the first one. */
Test(log, names_the_line_of_damage_after_usual_records)
{
    struct memory_log_counts counts = read_string("info: prof: @c:/lua/a.lua,1,f,2;1,0.001,t,f\n"
                                                  "info: prof: @c:/lua/a.lua,1,f,2;1,0.001,t,f\n"
                                                  "info: prof: @c:/lua/a.lua,1,f,2;1,0.001,t,f\n"
                                                  "info: prof: x\n");
    cr_expect_eq(counts.records, 3);
    cr_expect_eq(counts.first_damaged_line, 4);
}

Test(log, names_the_first_line_of_a_damaged_record_of_several)
{
    struct memory_log_counts counts =
        read_string("info: prof: @a.lua,1,f,2;local\n      x\n      y\nwarning: z\n"
                    "info: prof: @a.lua,1,f,2;1,1,t,f\n");
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.first_damaged_line, 1);
    cr_expect_eq(counts.records, 1);
}

Test(log, reads_records_that_were_run_together)
{
    struct memory_log_counts counts =
        read_string("info: prof: @a.lua,1,f,2;1,1,t,finfo: prof: @b.lua,1,f,2;2,1,t,f"
                    "warning: prof: @c.lu\n");
    cr_expect_eq(counts.records, 2);
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.calls, 3);
}

Test(log, reads_a_record_that_another_line_was_run_into)
{
    struct memory_log_counts counts = read_string(
        "info: prof: @a.lua,1,f,2;1,1,t,finfo: Starting profiler\n"
        "INFO: prof: LOG(1),0,?,2;=[C],-1,LOG,-1;2,1,t,fINFO: prof: @b.lua,1,f,2;4,1,t,f\n"
        "debug: prof: @b.lua,1,f,2;local xdebug: prof: @b.lua,1,f,2;8,1,t,f\n");
    cr_expect_eq(counts.records, 4);
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.calls, 15);
}

Test(log, forgets_the_frames_of_a_damaged_record)
{
    static const char text[] = "info: prof: @a.lua,1,f,2;@b.lua,1,g;1,1,t,f\n";
    struct memory_log memory;
    memory_log_open(&memory, (struct span){text, sizeof text - 1}, READ_BLOCK_BYTES);
    cr_expect_eq(memory_log_read(&memory).damaged, 1);
    cr_expect_eq(memory.frames.texts.count, 0);
    memory_log_close(&memory);
}

Test(log, reads_many_marks_in_one_line_in_linear_time, .timeout = 300)
{
    enum { COUNT = 400000 };
    static const char keyword[] = "info: prof: ";
    size_t length = strlen(keyword);
    char *text = malloc(COUNT * length);
    for (size_t i = 0; i < COUNT; i++)
        memcpy(text + i * length, keyword, length);
    struct memory_log_counts counts =
        read_text((struct span){text, COUNT * length}, READ_BLOCK_BYTES, 0);
    cr_expect_eq(counts.damaged, COUNT);
    free(text);
}

Test(log, gives_up_on_a_record_of_many_lines_in_linear_time, .timeout = 300)
{
    enum { COUNT = 2000000 };
    static const char line[] = ",t\n";
    size_t length = strlen(line);
    char *text = malloc(COUNT * length + 128);
    size_t end = (size_t)sprintf(text, "info: prof: @a.lua,1,f,2;chunk\n");
    for (size_t i = 0; i < COUNT; i++, end += length)
        memcpy(text + end, line, length);
    end += (size_t)sprintf(text + end, "info: prof: @a.lua,1,f,2;1,1,t,f\n");
    struct memory_log_counts counts = read_text((struct span){text, end}, READ_BLOCK_BYTES, 0);
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.records, 1);
    free(text);
}

Test(log, reads_a_stack_of_a_million_frames)
{
    static const char frame[] = "@a.lua,1,f,2;";
    size_t length = strlen(frame), count = 1000000;
    char *text = malloc(count * length + 64);
    size_t end = (size_t)sprintf(text, "info: prof: ");
    for (size_t i = 0; i < count; i++, end += length)
        memcpy(text + end, frame, length);
    end += (size_t)sprintf(text + end, "1,1,t,f\n");
    struct memory_log_counts counts = read_text((struct span){text, end}, READ_BLOCK_BYTES, 0);
    cr_expect_eq(counts.records, 1);
    cr_expect_eq(counts.frames, count);
    free(text);
}

Test(log, does_not_keep_long_lines_that_are_not_marked)
{
    size_t length = 20000000;
    char *text = malloc(length);
    memset(text, 'p', length);
    struct memory_log memory;
    memory_log_open(&memory, (struct span){text, length}, READ_BLOCK_BYTES);
    cr_expect_eq(memory_log_read(&memory).records, 0);
    cr_expect_leq(memory.log.long_capacity, (size_t)READ_BLOCK_BYTES);
    memory_log_close(&memory);
    free(text);
}

/* A record of that many bytes, with a chunk as its source, which is never known. */
static size_t put_long_record(char *text, size_t length)
{
    static const char head[] = "info: prof: LOG(1)", tail[] = ",0,?,2;=[C],-1,LOG,-1;2,1,t,f\n";
    memset(text, 'x', length);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + length - (sizeof tail - 1), tail, sizeof tail - 1);
    return length;
}

Test(log, reads_lines_that_are_longer_than_blocks)
{
    static const size_t lengths[] = {
        READ_HEAD_BYTES - 40, READ_HEAD_BYTES, READ_HEAD_BYTES + 40, 300000, 100, 1500000};
    enum { COUNT = sizeof lengths / sizeof lengths[0] };
    char *text = malloc(3000000);
    size_t length = 0;
    for (size_t i = 0; i < COUNT; i++) {
        length += put_long_record(text + length, lengths[i]);
        length += (size_t)sprintf(text + length, "info: prof: @a.lua,1,f,2;1,1,t,f\n");
    }
    for (size_t block_bytes = 997; block_bytes < 1000000; block_bytes = block_bytes * 3 + 1) {
        struct memory_log_counts counts = read_text((struct span){text, length}, block_bytes, 0);
        cr_expect_eq(counts.records, 2 * COUNT, "blocks of %zu: %zu", block_bytes, counts.records);
        cr_expect_eq(counts.calls, 3 * COUNT);
        cr_expect_eq(counts.damaged, 0);
    }
    free(text);
}

/* Makes a few changes that leave whole keywords, in text[0, length). */
static void damage(char *text, size_t length, uint32_t *random)
{
    static const char bytes[] = ";,\n\r\t tf0123456789.e-+@=$[]:xI";
    for (int changes = 0; changes < 3; changes++) {
        *random = *random * 1664525 + 1013904223;
        size_t at = (*random >> 8) % length;
        bool is_in_keyword = false;
        for (size_t from = at < 12 ? 0 : at - 12; from <= at; from++)
            is_in_keyword |= strncmp(text + from, "info: prof: ", 12) == 0;
        *random = *random * 1664525 + 1013904223;
        if (!is_in_keyword)
            text[at] = bytes[(*random >> 8) % (sizeof bytes - 1)];
    }
}

/* "INFO: prof: " is never the usual keyword, and means the same. Returns what was read. */
static struct memory_log_counts expect_same_as_grammar(const char *usual)
{
    char other[1024];
    size_t length = strlen(usual);
    cr_assert_lt(length, sizeof other);
    memcpy(other, usual, length + 1);
    for (char *at = other; (at = strstr(at, "info: ")) != NULL;)
        memcpy(at, "INFO: ", 6);
    struct memory_log_counts a = read_string(usual), b = read_string(other);
    cr_assert(a.records == b.records && a.damaged == b.damaged && a.frames == b.frames &&
                  a.calls == b.calls && a.total_ns == b.total_ns &&
                  a.first_damaged_line == b.first_damaged_line,
              "%s", usual);
    return a;
}

Test(log, reads_usual_records_as_the_grammar_does)
{
    static const char records[] = "info: prof: @c:\\a.lua,1,f,2;1,0.001,t,f\n"
                                  "info: prof: @c:\\a.lua,1,f,2;=[C],-1,next,-1;12,4.7e-07,f,t\r\n"
                                  "info: prof: =[C],-1,next,-1;@c:\\a.lua,1,f,2;3,1.5,f,f\n"
                                  "warning: a\n"
                                  "info: prof: @c:\\a.lua,1,f,2;=[C],-1,next,-1;7,0,f,t \n"
                                  "info: prof: @c:\\a.lua,1,f,2;4,0.25,t,t\n";
    enum { TRIALS = 20000, COPIES = 2, LENGTH = sizeof records - 1 };
    uint32_t random = 7;
    size_t whole = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        char usual[COPIES * LENGTH + 1];
        for (int copy = 0; copy < COPIES; copy++)
            memcpy(usual + copy * LENGTH, records, LENGTH);
        usual[COPIES * LENGTH] = '\0';
        damage(usual, COPIES * LENGTH, &random);
        whole += expect_same_as_grammar(usual).damaged == 0;
    }
    cr_expect_gt(whole, TRIALS / 20);
    cr_expect_lt(whole, TRIALS / 2);
}

Test(log, reads_totals_without_a_frame_as_the_grammar_does)
{
    struct memory_log_counts counts =
        expect_same_as_grammar("info: prof: @c:\\a.lua,1,f,2;1,0.001,t,f\n"
                               "info: prof: 1,0.001,t,f\n");
    cr_expect_eq(counts.records, 1);
    cr_expect_eq(counts.damaged, 1);
}

Test(log, counts_runs_by_their_first_line)
{
    static const char text[] = "info: prof: @a.lua,1,f,2;1,1,t,f\n"
                               "info: Starting profiler\n"
                               "info: Starting profiler\n"
                               "info: prof: @a.lua,1,f,2;1,1,t,f\n";
    struct memory_log memory;
    memory_log_open(&memory, (struct span){text, sizeof text - 1}, READ_BLOCK_BYTES);
    struct record record;
    struct error err;
    cr_assert_eq(log_next(&memory.log, &record, &err), LOG_RECORD);
    cr_expect_eq(record.run, 1);
    cr_assert_eq(log_next(&memory.log, &record, &err), LOG_RECORD);
    cr_expect_eq(record.run, 3);
    cr_expect_eq(record.line, 4);
    memory_log_close(&memory);
}

/* The frames of a damaged record are known if they are many; see NEW_FRAMES_MAX. */
static void expect_first_record_after_damage(const char *before)
{
    enum { FRAMES = 5000 };
    static const char start[] = "info: prof: ",
                      end[] = "nothing;1,1,t,f\n"
                              "info: prof: @c:\\a.lua,1,f7,2;1,1,t,f\n"
                              "info: DISK: AddSearchPath: 'c:\\c', mounted as '/lua/'\n";
    struct text text = {0};
    text_put_string(&text, before);
    text_put(&text, start, sizeof start - 1);
    for (int i = 0; i < FRAMES; i++)
        text_printf(&text, "@c:\\a.lua,1,f%d,2;", i);
    text_put(&text, end, sizeof end - 1);
    struct memory_log memory;
    memory_log_open(&memory, (struct span){text.at, text.length}, READ_BLOCK_BYTES);
    struct record record;
    struct error err;
    enum log_status status = log_next(&memory.log, &record, &err);
    if (status == LOG_RECORDER)
        status = log_next(&memory.log, &record, &err);
    cr_assert_eq(status, LOG_DAMAGED);
    cr_assert_eq(log_next(&memory.log, &record, &err), LOG_RECORD);
    cr_expect_eq(record.run, 1);
    cr_expect_eq(log_next(&memory.log, &record, &err), LOG_END);
    cr_expect_eq(memory.mount_count, 0);
    memory_log_close(&memory);
    text_release(&text);
}

Test(log, begins_with_a_usual_record_after_a_long_damaged_one)
{
    expect_first_record_after_damage("");
    expect_first_record_after_damage("info: prof: $2 s1 3 function 1 1 572 calibrate\n");
}

Test(log, does_not_count_damage_before_the_first_run_as_a_run)
{
    static const char text[] = "info: prof: hello\n"
                               "info: Starting profiler\n"
                               "info: prof: @a.lua,1,f,2;1,1,t,f\n";
    struct memory_log memory;
    memory_log_open(&memory, (struct span){text, sizeof text - 1}, READ_BLOCK_BYTES);
    struct record record;
    struct error err;
    cr_assert_eq(log_next(&memory.log, &record, &err), LOG_DAMAGED);
    cr_assert_eq(log_next(&memory.log, &record, &err), LOG_RECORD);
    cr_expect_eq(record.run, 1);
    memory_log_close(&memory);
}

Test(log, gives_what_came_before_a_failure)
{
    struct memory_log memory;
    memory_log_open(&memory, (struct span){small_log, sizeof small_log - 1}, READ_BLOCK_BYTES);
    memory.fails_at_end = true;
    struct memory_log_counts counts = memory_log_read(&memory);
    cr_expect(counts.has_failed);
    cr_expect_eq(counts.records, 3);
    memory_log_close(&memory);
}

Test(log, reports_mounts_before_the_first_record_only)
{
    static const char text[] = "info: DISK: AddSearchPath: 'c:\\a', mounted as '/'\n"
                               "info: DISK: AddSearchPath: 'c:\\b', mounted as '/lua/'\n"
                               "info: prof: @a.lua,1,f,2;1,1,t,f\n"
                               "info: DISK: AddSearchPath: 'c:\\c', mounted as '/lua/'\n";
    for (size_t block_bytes = 40; block_bytes < 300; block_bytes += 7) {
        struct memory_log memory;
        memory_log_open(&memory, (struct span){text, sizeof text - 1}, block_bytes);
        memory_log_read(&memory);
        cr_expect_eq(memory.mount_count, 2, "blocks of %zu", block_bytes);
        memory_log_close(&memory);
    }
}

Test(log, reports_hooks_before_and_between_the_records)
{
    static const char text[] = "info: Hooked /lua/a.lua with /mods/y/hook/lua/a.lua\n"
                               "info: prof: @a.lua,1,f,2;1,1,t,f\n"
                               "info: Hooked /lua/a.lua with /mods/z/hook/lua/a.lua\r\n"
                               "info: prof: @a.lua,1,f,2;1,1,t,f\n"
                               "info: Hooked /lua/a.lua with /mods/cut";
    for (size_t block_bytes = 40; block_bytes < 300; block_bytes += 7) {
        struct memory_log memory;
        memory_log_open(&memory, (struct span){text, sizeof text - 1}, block_bytes);
        cr_expect_eq(memory_log_read(&memory).records, 2);
        cr_expect_eq(memory.hook_count, 2, "blocks of %zu", block_bytes);
        cr_expect_eq(memory.hook_bytes, 10 + 22);
        memory_log_close(&memory);
    }
}

Test(log, reads_what_follows_a_benchmark_that_is_none)
{
    struct memory_log_counts counts =
        read_string("info: measured wallclock time: 3 info: prof: @c:\\a.lua,1,f,2;1,0.001,t,f\n"
                    "info: benchmark started at: 1s, duration: 2s, measured wallclock time: 3s");
    cr_expect_eq(counts.damaged, 1);
    cr_expect_eq(counts.first_damaged_line, 1);
    cr_expect_eq(counts.records, 1);
    cr_expect_eq(counts.benchmarks, 1);
}

Test(log, keeps_a_chunk_whose_text_says_what_benchmarks_say)
{
    struct memory_log_counts counts =
        read_string("info: prof: @c:\\a.lua,1,f,2;LOG('measured wallclock time: '..a)\n"
                    "      return a,0,?,2;2,0.002,t,f\n");
    cr_expect_eq(counts.records, 1);
    cr_expect_eq(counts.damaged, 0);
}
