#include "base/encodings.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *bytes, size_t length, const char *expected)
{
    struct text text = {0};
    base64_put(&text, (struct span){bytes, length});
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

/* The test vectors of RFC 4648, section 10. */
Test(base64, is_that_of_the_rfc)
{
    expect("", 0, "");
    expect("f", 1, "Zg==");
    expect("fo", 2, "Zm8=");
    expect("foo", 3, "Zm9v");
    expect("foob", 4, "Zm9vYg==");
    expect("fooba", 5, "Zm9vYmE=");
    expect("foobar", 6, "Zm9vYmFy");
}

Test(base64, takes_any_bytes)
{
    expect("\xff\xfe\x00\xfb\xff\xbf", 6, "//4A+/+/");
}
