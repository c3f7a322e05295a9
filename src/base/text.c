#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void text_release(struct text *text)
{
    free(text->at);
    *text = (struct text){0};
}

void text_grow(struct text *text, size_t length)
{
    if (length >= SIZE_MAX - text->length)
        mem_exhausted();
    MEM_GROW(text->at, text->capacity, text->length + length + 1);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    /* Few are longer, and formatted twice. */
    enum { SHORT_MAX = 63 };
    text_grow(text, SHORT_MAX);
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->at + text->length, room, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if ((size_t)length >= room) {
        text_grow(text, (size_t)length);
        vsnprintf(text->at + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += (size_t)length;
}

void text_put_small(struct text *text, struct span bytes)
{
    size_t start = text->length;
    text_put_span(text, bytes);
    for (size_t i = start; i < text->length; i++)
        if (text->at[i] >= 'A' && text->at[i] <= 'Z')
            text->at[i] = (char)(text->at[i] - 'A' + 'a');
}

/* Writes the digits to the end of `digits`, [DIGITS_MAX]; returns their number. */
enum { DIGITS_MAX = 20 };

static size_t write_digits(char *digits, uint64_t count)
{
    size_t length = 0;
    do
        digits[DIGITS_MAX - ++length] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    return length;
}

void text_put_number(struct text *text, int64_t number)
{
    if (number < 0)
        text_put(text, "-", 1);
    text_put_count(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void text_put_count(struct text *text, uint64_t count)
{
    char digits[DIGITS_MAX];
    size_t length = write_digits(digits, count);
    text_put(text, digits + DIGITS_MAX - length, length);
}

void text_put_grouped(struct text *text, uint64_t number)
{
    char digits[DIGITS_MAX];
    size_t length = write_digits(digits, number);
    for (size_t left = length; left > 0; left--) {
        if (left < length && left % 3 == 0)
            text_put(text, ",", 1);
        text_put(text, &digits[DIGITS_MAX - left], 1);
    }
}

/* CP-1252 differs from Latin-1 in 0x80 to 0x9f; 0 where it has no character. */
static const uint16_t cp1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

/* Returns the length of the UTF-8 sequence at the front, and its character; 0 if it is invalid. */
static size_t decode(const unsigned char *bytes, size_t length, uint32_t *character)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = bytes[0];
    size_t needed = first < 0x80             ? 1
                    : (first & 0xe0) == 0xc0 ? 2
                    : (first & 0xf0) == 0xe0 ? 3
                    : (first & 0xf8) == 0xf0 ? 4
                                             : 0;
    if (needed == 0 || needed > length)
        return 0;
    uint32_t value = needed == 1 ? first : first & (0xffu >> (needed + 1));
    for (size_t i = 1; i < needed; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3fu);
    }
    bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < smallest[needed] || value > 0x10ffff || is_surrogate)
        return 0;
    *character = value;
    return needed;
}

void text_put_character(struct text *text, uint32_t character)
{
    char bytes[4];
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; character >>= 6)
        bytes[i] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(lead[length] | character);
    text_put(text, bytes, length);
}

static bool is_unsafe(uint32_t character, bool keeps_lines)
{
    if (character == '\n' || character == '\t')
        return !keeps_lines;
    bool is_control = character < 0x20 || (character >= 0x7f && character <= 0x9f);
    bool is_line_break = character == 0x2028 || character == 0x2029;
    bool turns_direction = character == 0x061c || character == 0x200e || character == 0x200f ||
                           (character >= 0x202a && character <= 0x202e) ||
                           (character >= 0x2066 && character <= 0x2069);
    /* Without width or ink: a name could look like another, and columns of a table would shift. */
    bool is_invisible = character == 0x00ad || character == 0x034f || character == 0x115f ||
                        character == 0x1160 || character == 0x180e || character == 0x2800 ||
                        character == 0x3164 || character == 0xfeff || character == 0xffa0 ||
                        (character >= 0x200b && character <= 0x200d) ||
                        (character >= 0x2060 && character <= 0x2064) ||
                        (character >= 0xfff9 && character <= 0xfffb) ||
                        (character >= 0xe0000 && character <= 0xe01ef);
    return is_control || is_line_break || turns_direction || is_invisible;
}

void text_put_clean(struct text *text, struct span bytes, bool keeps_lines)
{
    for (size_t i = 0; i < bytes.length;) {
        const unsigned char *at = (const unsigned char *)bytes.at + i;
        uint32_t character;
        size_t length = decode(at, bytes.length - i, &character);
        if (length == 0) {
            length = 1;
            character = *at >= 0xa0 ? *at : cp1252[*at - 0x80];
            if (character == 0)
                character = 0xfffd;
        }
        text_put_character(text, is_unsafe(character, keeps_lines) ? ' ' : character);
        i += length;
    }
}

bool text_is_utf8(struct span bytes)
{
    uint32_t character;
    for (size_t i = 0, length; i < bytes.length; i += length) {
        length = decode((const unsigned char *)bytes.at + i, bytes.length - i, &character);
        if (length == 0)
            return false;
    }
    return true;
}

struct span text_start(struct span text, size_t bytes_max)
{
    if (text.length <= bytes_max)
        return text;
    while (bytes_max > 0 && text_is_inside_character(text.at[bytes_max]))
        bytes_max--;
    return (struct span){text.at, bytes_max};
}

size_t text_columns_at(struct span clean, size_t at)
{
    static const struct range {
        uint32_t first, last;
        size_t columns;
    } ranges[] = {
        {0x300, 0x36f, 0},     {0x64b, 0x652, 0},     {0xe31, 0xe31, 0},     {0xe34, 0xe3a, 0},
        {0x1100, 0x115f, 2},   {0x20d0, 0x20ff, 0},   {0x231a, 0x231b, 2},   {0x23e9, 0x23ec, 2},
        {0x2614, 0x2615, 2},   {0x26a1, 0x26a1, 2},   {0x2705, 0x2705, 2},   {0x274c, 0x274c, 2},
        {0x2e80, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},
        {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
        {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f7e0, 0x1f7eb, 2}, {0x1f900, 0x1f9ff, 2},
        {0x1fa70, 0x1faff, 2}, {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0}};
    const unsigned char *bytes = (const unsigned char *)clean.at + at;
    uint32_t character;
    if (bytes[0] < 0x80)
        return 1;
    if (text_is_inside_character(clean.at[at]) || decode(bytes, clean.length - at, &character) == 0)
        return 0;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

size_t text_width(struct span clean)
{
    size_t width = 0;
    for (size_t i = 0; i < clean.length; i++)
        width += text_columns_at(clean, i);
    return width;
}

void text_put_blanks(struct text *text, size_t count)
{
    if (count == 0)
        return;
    text_grow(text, count);
    memset(text->at + text->length, ' ', count);
    text->length += count;
    text->at[text->length] = '\0';
}

static const char ellipsis[] = "\xe2\x80\xa6";

/* Appends as many characters as fit in so many columns, and an ellipsis. */
static void put_start(struct text *text, struct span clean, size_t columns)
{
    size_t at = 0;
    for (size_t used = 0; at < clean.length; at++) {
        used += text_columns_at(clean, at);
        if (used > columns)
            break;
    }
    text_put(text, clean.at, at);
    text_put_string(text, ellipsis);
}

void text_put_cut(struct text *text, struct span clean, size_t width)
{
    if (text_width(clean) > width)
        put_start(text, clean, width - 1);
    else
        text_put_span(text, clean);
}

void text_put_cut_path(struct text *text, struct span clean, size_t width)
{
    size_t all = text_width(clean);
    if (all <= width) {
        text_put_span(text, clean);
        return;
    }
    size_t file = text_width(span_after_last(clean, '/')), end = (width - 1) * 2 / 3;
    if (file < width && file > end)
        end = file;
    put_start(text, clean, width - 1 - end);
    size_t from = 0;
    while (all > end || (from < clean.length && text_columns_at(clean, from) == 0))
        all -= text_columns_at(clean, from++);
    text_put_span(text, span_from(clean, from));
}

void text_drop_sign_of_zero(struct text *text, size_t start)
{
    for (size_t i = start; i < text->length; i++)
        if (text->at[i] >= '1' && text->at[i] <= '9')
            return;
    if (start == text->length || (text->at[start] != '+' && text->at[start] != '-'))
        return;
    memmove(text->at + start, text->at + start + 1, text->length - start - 1);
    text_cut(text, text->length - 1);
}
