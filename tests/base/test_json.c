#include "base/json.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *clean, const char *json)
{
    struct text text = {0};
    json_put_string(&text, span_of(clean));
    cr_expect_eq(text.length, strlen(json));
    cr_expect_arr_eq(text.at, json, text.length, "%.*s", (int)text.length, text.at);
    text_release(&text);
}

Test(json, quotes_what_it_must)
{
    expect("", "\"\"");
    expect("plain \xc3\xa4", "\"plain \xc3\xa4\"");
    expect("a\"b\\c", "\"a\\\"b\\\\c\"");
    expect("a\nb\tc\x7f", "\"a\\u000ab\\u0009c\\u007f\"");
}

Test(json, ends_no_script)
{
    expect("</script><b>", "\"\\u003c/script>\\u003cb>\"");
    expect("a\xe2\x80\xa8\xe2\x80\xa9z", "\"a\\u2028\\u2029z\"");
    expect("\xe2\x80\xa6", "\"\xe2\x80\xa6\"");
    expect("\xe2\x80", "\"\xe2\x80\"");
}
