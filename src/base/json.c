#include "base/json.h"

#include <stdio.h>

static void put_escaped(struct text *text, unsigned code)
{
    char escape[8];
    int length = snprintf(escape, sizeof escape, "\\u%04x", code);
    text_put(text, escape, (size_t)length);
}

/* U+2028 and U+2029 as UTF-8: they differ in the last byte. */
static bool is_line_separator(struct span rest)
{
    return rest.length >= 3 && memcmp(rest.at, "\xe2\x80", 2) == 0 &&
           (rest.at[2] == '\xa8' || rest.at[2] == '\xa9');
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '<';
}

void json_put_string(struct text *text, struct span clean)
{
    text_put(text, "\"", 1);
    for (size_t i = 0; i < clean.length; i++) {
        size_t plain = i;
        while (plain < clean.length && is_plain((unsigned char)clean.at[plain]))
            plain++;
        text_put(text, clean.at + i, plain - i);
        i = plain;
        if (i == clean.length)
            break;
        unsigned char byte = (unsigned char)clean.at[i];
        if (byte == '"' || byte == '\\') {
            text_put(text, "\\", 1);
            text_put(text, &clean.at[i], 1);
        } else if (byte < 0x20 || byte == 0x7f || byte == '<') {
            put_escaped(text, byte);
        } else if (is_line_separator((struct span){clean.at + i, clean.length - i})) {
            put_escaped(text, clean.at[i + 2] == '\xa8' ? 0x2028 : 0x2029);
            i += 2;
        } else {
            text_put(text, &clean.at[i], 1);
        }
    }
    text_put(text, "\"", 1);
}
