#include "base/encodings.h"

void base64_put(struct text *text, struct span bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.length; i += 3) {
        size_t count = bytes.length - i < 3 ? bytes.length - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < count ? (unsigned char)bytes.at[i + k] : 0);
        char four[4];
        for (size_t k = 0; k < sizeof four; k++)
            four[k] = k <= count ? digits[bits >> (18 - 6 * k) & 63] : '=';
        text_put(text, four, sizeof four);
    }
}

static const uint32_t REPLACEMENT = 0xfffd;

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

static void put_unit(struct utf16 *utf16, uint32_t unit, struct text *text)
{
    if (utf16->high != 0 && is_low(unit)) {
        text_put_character(text, 0x10000 + ((utf16->high - 0xd800) << 10) + (unit - 0xdc00));
        utf16->high = 0;
        return;
    }
    if (utf16->high != 0)
        text_put_character(text, REPLACEMENT);
    utf16->high = is_high(unit) ? unit : 0;
    if (!is_high(unit))
        text_put_character(text, is_low(unit) ? REPLACEMENT : unit);
}

void utf16_add(struct utf16 *utf16, struct span bytes, struct text *text)
{
    for (size_t i = 0; i < bytes.length; i++) {
        unsigned char byte = (unsigned char)bytes.at[i];
        if (utf16->has_byte)
            put_unit(utf16,
                     utf16->is_big_endian ? (uint32_t)utf16->byte << 8 | byte
                                          : (uint32_t)byte << 8 | utf16->byte,
                     text);
        utf16->has_byte = !utf16->has_byte;
        utf16->byte = byte;
    }
}

void utf16_end(struct utf16 *utf16, struct text *text)
{
    if (utf16->has_byte || utf16->high != 0)
        text_put_character(text, REPLACEMENT);
    utf16->has_byte = false;
    utf16->high = 0;
}
