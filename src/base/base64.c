#include "base/base64.h"

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
