#include "cli/mcp/json_reader.h"

#include "base/encodings.h"
#include "base/pattern.h"

static const char escapes[] = "\"\\/bfnrt", escaped[] = "\"\\/\b\f\n\r\t";

/* The grammar of RFC 8259. */
static const char grammar[] =
    "(?(DEFINE)(?<blank>[ \\t\\r\\n]*+)"
    "(?<string>\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\")"
    "(?<number>-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)"
    "(?<member>(?&blank)(?&string)(?&blank):(?&value))"
    "(?<object>\\{(?:(?&member)(?:,(?&member))*+|(?&blank))\\})"
    "(?<array>\\[(?:(?&value)(?:,(?&value))*+|(?&blank))\\])"
    "(?<value>(?&blank)(?:true|false|null|(?&number)|(?&string)|(?&object)|(?&array))(?&blank)))"
    "\\A(?&value)\\z";

bool json_is_value(struct span text)
{
    struct error err;
    struct pattern *pattern = pattern_new(span_of(grammar), &err);
    bool is_value = false;
    is_value = text_is_utf8(text) && pattern_find(pattern, text, &is_value, &err) && is_value;
    pattern_free(pattern);
    return is_value;
}

static void skip_blanks(struct span *rest)
{
    while (rest->length > 0 && memchr(" \t\r\n", rest->at[0], 4) != NULL)
        *rest = span_from(*rest, 1);
}

/* Takes a value without the blanks before it. */
static struct span take_value(struct span *rest)
{
    int depth = 0;
    skip_blanks(rest);
    const char *at = rest->at, *end = at + rest->length;
    do {
        char first = *at++;
        depth += (first == '{' || first == '[') - (first == '}' || first == ']');
        if (first != '"')
            continue;
        while (*at != '"')
            at += *at == '\\' ? 2 : 1;
        at++;
    } while (at < end && (depth > 0 || strchr(",:]} \t\r\n", *at) == NULL));
    struct span value = {rest->at, (size_t)(at - rest->at)};
    *rest = span_from(*rest, value.length);
    return value;
}

/* Takes one of these bytes. */
static bool take(struct span *rest, const char *wanted)
{
    skip_blanks(rest);
    if (rest->length == 0 || strchr(wanted, rest->at[0]) == NULL)
        return false;
    *rest = span_from(*rest, 1);
    return true;
}

bool json_next(struct span *rest, struct text *key, struct span *value)
{
    if (!take(rest, "{,") || !json_read_string(take_value(rest), key) || !take(rest, ":"))
        return false;
    *value = take_value(rest);
    return true;
}

bool json_is_array(struct span value)
{
    return take(&value, "[");
}

bool json_next_item(struct span *rest, struct span *value)
{
    if (!take(rest, "[,") || take(rest, "]"))
        return false;
    *value = take_value(rest);
    return true;
}

bool json_find(struct span object, const char *key, struct span *value)
{
    SCOPED(text) name = {0};
    bool is_found = false;
    while (!is_found && json_next(&object, &name, value))
        is_found = span_is(text_span(&name), key);
    return is_found;
}

bool json_read_string(struct span value, struct text *text)
{
    struct utf16 utf16 = {.is_big_endian = true};
    text_cut(text, 0);
    if (value.length == 0 || value.at[0] != '"')
        return false;
    for (const char *at = value.at + 1; *at != '"'; at++) {
        if (at[0] == '\\' && at[1] == 'u') {
            char digits[] = {at[2], at[3], at[4], at[5], '\0'};
            unsigned long code = strtoul(digits, NULL, 16);
            char unit[] = {(char)(code >> 8), (char)code};
            utf16_add(&utf16, (struct span){unit, sizeof unit}, text);
            at += 5;
            continue;
        }
        utf16_end(&utf16, text);
        bool is_escape = *at == '\\';
        at += is_escape;
        text_put(text, is_escape ? &escaped[strchr(escapes, *at) - escapes] : at, 1);
    }
    utf16_end(&utf16, text);
    return true;
}
