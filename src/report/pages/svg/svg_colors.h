/*
 * svg_colors.h - the colours of the frames of a flame graph, and their legend.
 *
 * A frame has the colour of its function's file. The file with the most of the metric has the first
 * colour of the palette (palette.css); all files after the last colour share one. In a comparison a
 * frame has the colour of its change. Dark text can be read on all of them: the contrast is at
 * least 4.5, as WCAG 2.1 requires for text of this size (level AA).
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/pages/svg/svg_picture.h"

enum { SVG_LEGEND_MAX = 12 };

struct svg_colors {
    const struct svg_picture *picture;
    uint8_t *of_files; /* by text id of the labels: index of web_palette */
    struct svg_legend_entry {
        struct text color;
        struct text text; /* clean */
    } legend[SVG_LEGEND_MAX];
    size_t legend_count;
};

/* Keeps the pointer. */
void svg_colors_init(struct svg_colors *colors, const struct svg_picture *picture);
void svg_colors_release(struct svg_colors *colors);

/* Appends the colour of a frame: "#5186bf". */
void svg_colors_put(const struct svg_colors *colors, struct text *text, uint32_t node);

/*
 * Appends the colour of a value that changed: red if it grew, blue if it shrank, and stronger for a
 * larger difference as a part of `all`. Grey if it did not change:
 *
 *     difference    0   0.1%   1%    10%   25% and more
 *     strength      0   6%     20%   63%   100%             2 * sqrt(difference / all)
 */
void svg_put_change_color(struct text *text, uint64_t now, uint64_t old, uint64_t all);
