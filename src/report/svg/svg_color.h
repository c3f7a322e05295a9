/*
 * svg_color.h - the colours of frames. Dark text can be read on all of them: the contrast
 * is at least 4.5, as WCAG 2.1 requires for text of this size (level AA).
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
#define SVG_COLOR_OTHER ((struct svg_color){0xe8, 0xe8, 0xe8}) /* rows that are not functions */

/*
 * The colour of a file's functions. It depends only on the shown path, so a file has the same
 * colour in every picture: a hash (FNV-1a, 32 bits) of the path's bytes chooses the hue, and
 * changes lightness and saturation a little.
 */
struct svg_color svg_color_of_file(struct span path);

/*
 * The colour of a value that changed: red if it grew, blue if it shrank, and stronger for a
 * larger difference as a part of `all`. Grey if it did not change:
 *
 *     difference    0   0.1%   1%    10%   25% and more
 *     strength      0   6%     20%   63%   100%             2 * sqrt(difference / all)
 */
struct svg_color svg_color_of_change(uint64_t now, uint64_t old, uint64_t all);

/* Appends "#d4d4d8". */
void svg_color_put(struct text *text, struct svg_color color);

#endif
