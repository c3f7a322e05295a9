#include "base/json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/supprof-json-XXXXXX";
static struct output output;
static struct json_writer json;
static char written[256 * 1024];

static void set_up(void)
{
    struct error err;
    close(mkstemp(path));
    cr_assert(output_open(&output, path, &err));
    json = (struct json_writer){.out = &output};
}

static void tear_down(void)
{
    unlink(path);
}

TestSuite(json_writer, .init = set_up, .fini = tear_down);

static const char *finish(void)
{
    struct error err;
    cr_assert(output_close(&output, &err));
    FILE *file = fopen(path, "r");
    size_t length = fread(written, 1, sizeof written - 1, file);
    written[length] = '\0';
    fclose(file);
    return written;
}

Test(json_writer, puts_commas_between_members_and_elements_only)
{
    json_object(&json, NULL);
    json_number(&json, "a", -1);
    json_array(&json, "b");
    json_count(&json, NULL, UINT64_MAX);
    json_bool(&json, NULL, true);
    json_null(&json, NULL);
    json_end(&json);
    json_array(&json, "c");
    json_end(&json);
    json_end(&json);
    cr_assert_str_eq(finish(),
                     "{\n\"a\":-1,\n\"b\":[18446744073709551615,true,null],\n\"c\":[]\n}\n");
}

Test(json_writer, puts_members_that_the_caller_writes_among_others)
{
    json_object(&json, NULL);
    for (int i = 0; i < 2; i++) {
        JSON_OBJECT(&json, i == 0 ? "a" : "b");
        if (i == 1)
            json_number(&json, "first", 1);
        struct text *text = json_members(&json);
        text_put_string(text, "\"x\":");
        json_put_real(text, 2.5);
        text_put_string(text, ",\"y\":");
        json_put_real(text, NAN);
        json_number(&json, "last", 3);
    }
    json_end(&json);
    cr_assert_str_eq(finish(), "{\n\"a\":{\"x\":2.5,\"y\":null,\"last\":3},\n"
                               "\"b\":{\"first\":1,\"x\":2.5,\"y\":null,\"last\":3}\n}\n");
}

Test(json_writer, begins_a_line_for_each_object_of_a_list)
{
    json_object(&json, NULL);
    json_array(&json, "rows");
    for (int i = 0; i < 2; i++) {
        json_object(&json, NULL);
        json_array(&json, "deep");
        json_object(&json, NULL);
        json_end(&json);
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    cr_assert_str_eq(finish(), "{\n\"rows\":[\n{\"deep\":[{}]},\n{\"deep\":[{}]}]\n}\n");
}

Test(json_writer, writes_numbers_that_json_has_and_null_for_others)
{
    const double numbers[] = {0.5, 1e14, -0.0, 1.0 / 3, INFINITY, -INFINITY, NAN};
    json_array(&json, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_real(&json, NULL, numbers[i]);
    json_end(&json);
    cr_assert_str_eq(finish(),
                     "[\n0.5,\n100000000000000,\n0,\n0.333333333333,\nnull,\nnull,\nnull\n]\n");
}

Test(json_writer, writes_two_digits_after_the_point_as_printf_does)
{
    const double numbers[] = {-0.05, 1.5, 12.34, 100.01, -99.9, 0.005, 9999999.99, 12345678.91};
    SCOPED(text) wanted = {0};
    json_array(&json, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        json_real(&json, NULL, numbers[i]);
        text_printf(&wanted, "%s\n%.12g", i > 0 ? "," : "[", numbers[i]);
    }
    json_end(&json);
    text_put_string(&wanted, "\n]\n");
    cr_assert_str_eq(finish(), text_string(&wanted));
}

Test(json_writer, cleans_strings_that_are_not_clean)
{
    json_array(&json, NULL);
    json_string(&json, NULL, "a\"\x1b\xff");
    json_end(&json);
    cr_assert_str_eq(finish(), "[\n\"a\\\" \xc3\xbf\"\n]\n");
}

Test(json_writer, takes_lines_and_joins_those_that_begin_with_blanks_to_those_before)
{
    SCOPED(text) lines = {0};
    text_put_string(&lines, "one\ntwo\n  goes on\n");
    json_array(&json, NULL);
    json_take_lines(&json, NULL, &lines);
    json_take_lines(&json, NULL, &lines);
    json_end(&json);
    cr_assert_str_eq(finish(), "[\n[\"one\",\"two goes on\"],\n[]\n]\n");
}

Test(json_writer, begins_lines_where_it_is_told_to_in_a_compact_document)
{
    json.is_compact = true;
    json_object(&json, NULL);
    json_array(&json, "a");
    for (int i = 0; i < 2; i++) {
        json_line(&json);
        json_object(&json, NULL);
        text_put_string(json_value(&json, "b"), "1.500");
        json_end(&json);
    }
    json_line(&json);
    json_end(&json);
    json_line(&json);
    json_number(&json, "c", 1);
    json_end(&json);
    cr_assert_str_eq(finish(), "{\"a\":[\n{\"b\":1.500},\n{\"b\":1.500}\n],\n\"c\":1}\n");
}

Test(json_writer, keeps_a_document_without_an_output)
{
    struct json_writer kept = {.is_compact = true};
    json_object(&kept, NULL);
    json_number(&kept, "a", 1);
    json_end(&kept);
    cr_assert_str_eq(text_string(&kept.text), "{\"a\":1}");
    text_release(&kept.text);
    finish();
}

Test(json_writer, writes_a_document_larger_than_its_buffer)
{
    json_array(&json, NULL);
    for (int i = 0; i < 20000; i++) {
        json_array(&json, NULL);
        json_number(&json, NULL, 12345);
        json_end(&json);
    }
    json_end(&json);
    size_t length = strlen(finish());
    cr_assert_eq(length, 20000 * strlen("\n[12345],") + strlen("[\n]\n") - 1);
}
