#include "report/formats.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A reader of protobuf messages, which follows its documentation and not our writer. */
struct field {
    uint64_t number, value;
    struct span bytes; /* of a field that is a string, a message or packed numbers */
};

static uint64_t read_number(struct span *rest)
{
    uint64_t number = 0;
    for (unsigned shift = 0; rest->length > 0; shift += 7) {
        unsigned char byte = (unsigned char)*rest->at++;
        rest->length--;
        cr_assert_lt(shift, 64);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    cr_assert_fail("a number is cut off");
    return 0;
}

static bool read_field(struct span *rest, struct field *field)
{
    if (rest->length == 0)
        return false;
    uint64_t key = read_number(rest);
    *field = (struct field){.number = key >> 3, .value = read_number(rest)};
    if ((key & 7) == 0)
        return true;
    cr_assert_eq(key & 7, 2);
    cr_assert_leq(field->value, rest->length);
    field->bytes = (struct span){rest->at, (size_t)field->value};
    rest->at += field->value;
    rest->length -= (size_t)field->value;
    return true;
}

/* Returns the field of a message with this number; zero when there is none. */
static struct field find(struct span message, uint64_t number)
{
    struct field field;
    while (read_field(&message, &field))
        if (field.number == number)
            return field;
    return (struct field){0};
}

/* Returns the submessage in field `number` whose own field 1 is `id`. */
static struct span find_by_id(struct span profile, uint64_t number, uint64_t id)
{
    struct field field;
    while (read_field(&profile, &field))
        if (field.number == number && find(field.bytes, 1).value == id)
            return field.bytes;
    cr_assert_fail("field %d has no id %d", (int)number, (int)id);
    return (struct span){0};
}

static void put_string(struct text *text, struct span profile, uint64_t index)
{
    struct field field;
    while (read_field(&profile, &field))
        if (field.number == 6 && index-- == 0) {
            text_put(text, field.bytes.at, field.bytes.length);
            return;
        }
    cr_assert_fail("the string is missing");
}

static void put_location(struct text *text, struct span profile, uint64_t id)
{
    struct span line = find(find_by_id(profile, 4, id), 4).bytes;
    struct span function = find_by_id(profile, 5, find(line, 1).value);
    put_string(text, profile, find(function, 2).value);
    text_put_string(text, "@");
    text_put_count(text, find(line, 2).value);
    text_put_string(text, " ");
}

/* A line for each sample: the frames, leaf first, the values and the thread. */
static char *print(struct span profile)
{
    struct text text = {0};
    struct field field;
    for (struct span rest = profile; read_field(&rest, &field);) {
        if (field.number != 2)
            continue;
        struct span locations = find(field.bytes, 1).bytes;
        while (locations.length > 0)
            put_location(&text, profile, read_number(&locations));
        struct span values = find(field.bytes, 2).bytes;
        while (values.length > 0) {
            text_put_count(&text, read_number(&values));
            text_put_string(&text, " ");
        }
        put_string(&text, profile, find(find(field.bytes, 3).bytes, 2).value);
        text_put_string(&text, "\n");
    }
    return text.at;
}

static void expect(const char *tree, const char *expected)
{
    struct tree_text sample;
    size_t length;
    tree_text_init(&sample, tree);
    char *written = tree_text_write(&sample, &report_pprof_raw, METRIC_TIME, &length);
    char *printed = print((struct span){written, length});
    cr_expect_str_eq(printed, expected);
    free(printed);
    free(written);
    tree_text_release(&sample);
}

Test(report_pprof, writes_stacks_leaf_first_with_the_lines_of_calls)
{
    expect("A 1\nA;B@2 2 7\nA;B@-3 4\nA;B@2;A@12 8\n",
           "A A.lua:1@1 1 1 main\n"
           "B B.lua:1@1 A A.lua:1@3 1 4 main\n"
           "B B.lua:1@1 A A.lua:1@2 7 2 main\n"
           "A A.lua:1@1 B B.lua:1@12 A A.lua:1@2 1 8 main\n");
}

Test(report_pprof, writes_numbers_of_every_size)
{
    expect("A 0\nA;B 127 128\nA;C 16383 16384\nA;D 4294967296 4294967295\n"
           "A;E 2305843009213693951 9223372036854775807\n",
           "A A.lua:1@1 1 0 main\n"
           "B B.lua:1@1 A A.lua:1@1 128 127 main\n"
           "C C.lua:1@1 A A.lua:1@1 16384 16383 main\n"
           "D D.lua:1@1 A A.lua:1@1 4294967295 4294967296 main\n"
           "E E.lua:1@1 A A.lua:1@1 9223372036854775807 2305843009213693951 main\n");
}

Test(report_pprof, has_no_negative_times_and_no_samples_of_nothing)
{
    expect("A 5\nA;B -3 0\nA;B;C 2\n", "A A.lua:1@1 1 5 main\n"
                                       "C C.lua:1@1 B B.lua:1@1 A A.lua:1@1 1 2 main\n");
}

Test(report_pprof, describes_values_and_functions)
{
    struct tree_text sample;
    size_t length;
    struct text text = {0};
    tree_text_init(&sample, "A 1\nA;b()@2 2\n");
    char *written = tree_text_write(&sample, &report_pprof_raw, METRIC_CALLS, &length);
    struct span profile = {written, length};
    struct field field;
    for (struct span rest = profile; read_field(&rest, &field);)
        if (field.number == 1 || field.number == 5)
            for (uint64_t i = field.number == 1 ? 1 : 2; i <= 4; i++) {
                put_string(&text, profile, find(field.bytes, i).value);
                text_put_string(&text, i < 4 ? "|" : "\n");
            }
    put_string(&text, profile, find(profile, 14).value);
    put_string(&text, profile, 0);
    /* Functions have no system name. */
    cr_expect_str_eq(text_string(&text), "calls|count||\n"
                                         "time|nanoseconds||\n"
                                         "A A.lua:1||A.lua\n"
                                         "b() [C]||[C]\n"
                                         "calls");
    text_release(&text);
    free(written);
    tree_text_release(&sample);
}

Test(report_pprof, is_the_same_when_gzipped)
{
    struct tree_text sample;
    size_t raw_length, zip_length;
    char bytes[4096];
    tree_text_init(&sample, "A 1\nA;B@2 2 7\nA;B@3 4\nA;B@2;A@12 8\n");
    char *raw = tree_text_write(&sample, &report_pprof_raw, METRIC_TIME, &raw_length);
    char *zip = tree_text_write(&sample, &report_pprof, METRIC_TIME, &zip_length);
    z_stream stream = {.next_in = (unsigned char *)zip,
                       .avail_in = (unsigned)zip_length,
                       .next_out = (unsigned char *)bytes,
                       .avail_out = sizeof bytes};
    cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    cr_expect_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    cr_expect_eq(stream.avail_in, 0);
    cr_assert_eq(stream.total_out, raw_length);
    cr_expect_arr_eq(bytes, raw, raw_length);
    cr_expect_arr_eq(zip + 4, "\0\0\0\0", 4, "the header has a time");
    inflateEnd(&stream);
    free(raw);
    free(zip);
    tree_text_release(&sample);
}
