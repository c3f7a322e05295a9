/*
 * svg_legend.h - the legend of a flame graph's colours: the files with the most of the metric,
 * and C functions; in a comparison, the size of changes.
 */
#ifndef SUPPROF_SVG_LEGEND_H
#define SUPPROF_SVG_LEGEND_H

#include "base/text.h"
#include "report/svg/svg_color.h"
#include "report/svg/svg_picture.h"

#include <stddef.h>

enum { SVG_LEGEND_MAX = 12 };

struct svg_legend {
    struct svg_legend_entry {
        struct svg_color color;
        struct text text; /* clean */
    } entries[SVG_LEGEND_MAX];
    size_t count;
};

void svg_legend_init(struct svg_legend *legend, const struct svg_picture *picture,
                     const struct report *report);
void svg_legend_release(struct svg_legend *legend);

#endif
