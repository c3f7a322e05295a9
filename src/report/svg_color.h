/*
 * svg_color.h - what colour a frame has. Dark text can be read on all of them: the contrast
 * is at least 4.5, as WCAG 2.1 wants it for text of this size (level AA).
 */
#ifndef SUPPROF_SVG_COLOR_H
#define SUPPROF_SVG_COLOR_H

#include "base/intern.h"
#include "base/text.h"

#include <stdint.h>

struct svg_color {
    uint8_t red, green, blue;
};

#define SVG_COLOR_TEXT ((struct svg_color){0x11, 0x11, 0x11})
#define SVG_COLOR_C ((struct svg_color){0xd4, 0xd4, 0xd8})     /* C functions */
#define SVG_COLOR_OTHER ((struct svg_color){0xe8, 0xe8, 0xe8}) /* what is no function */

/*
 * The colour of a file's functions. It depends on the path as shown alone, so a file has the
 * same in every picture: a hash (FNV-1a, 32 bits) of its bytes chooses the hue, and a little
 * of how light and how strong.
 */
struct svg_color svg_color_of_file(struct span path);

/*
 * The colour of a value that changed: red when it is more than it was, blue when it is less,
 * and stronger the larger the difference is as a part of `all`. A grey when it is the same:
 *
 *     difference    0   0.1%   1%    10%   25% and more
 *     strength      0   6%     20%   63%   100%             2 * sqrt(difference / all)
 */
struct svg_color svg_color_of_change(uint64_t now, uint64_t old, uint64_t all);

/* Appends "#d4d4d8". */
void svg_color_put(struct text *text, struct svg_color color);

#endif
