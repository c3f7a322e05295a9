#include "report/svg/svg_color.h"

#include <math.h>
#include <stdio.h>

/* One of red, green, blue (offset 0, 240, 120) of a hue in degrees; the rest in 1/1000. */
static uint8_t channel(int offset, int hue, int saturation, int lightness)
{
    int angle = (offset + hue) % 360;
    int slope = angle - 90 < 270 - angle ? angle - 90 : 270 - angle;
    slope = slope > 30 ? 30 : slope < -30 ? -30 : slope;
    int reach = saturation * (lightness < 500 ? lightness : 1000 - lightness) / 1000;
    return (uint8_t)((lightness * 30 - reach * slope) * 255 / 30000);
}

struct svg_color svg_color_of_file(struct span path)
{
    static const int saturations[] = {480, 620, 760};
    static const int lightnesses[] = {720, 760, 800};
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < path.length; i++)
        hash = (hash ^ (unsigned char)path.at[i]) * 16777619u;
    int hue = (int)(hash % 360);
    int saturation = saturations[hash / 360 % 3];
    int lightness = lightnesses[hash / 1080 % 3];
    return (struct svg_color){channel(0, hue, saturation, lightness),
                              channel(240, hue, saturation, lightness),
                              channel(120, hue, saturation, lightness)};
}

static uint8_t between(uint8_t from, uint8_t to, double part)
{
    return (uint8_t)lround(from + part * (to - from));
}

struct svg_color svg_color_of_change(uint64_t now, uint64_t old, uint64_t all)
{
    static const struct svg_color same = {0xec, 0xec, 0xec};
    static const struct svg_color more = {0xf0, 0x50, 0x46};
    static const struct svg_color less = {0x5a, 0x91, 0xf5};
    uint64_t difference = now > old ? now - old : old - now;
    struct svg_color full = now > old ? more : less;
    double strength = difference == 0 ? 0 : fmin(1, 2 * sqrt((double)difference / (double)all));
    return (struct svg_color){between(same.red, full.red, strength),
                              between(same.green, full.green, strength),
                              between(same.blue, full.blue, strength)};
}

void svg_color_put(struct text *text, struct svg_color color)
{
    char digits[8];
    int length =
        snprintf(digits, sizeof digits, "#%02x%02x%02x", color.red, color.green, color.blue);
    text_put(text, digits, (size_t)length);
}
