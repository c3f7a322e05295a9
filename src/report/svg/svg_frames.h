/*
 * svg_frames.h - the frames of a flame graph: each one's box, label, tooltip and data, and the list
 * of those that are too narrow to be drawn. report_svg.c has the attributes.
 */
#ifndef SUPPROF_SVG_FRAMES_H
#define SUPPROF_SVG_FRAMES_H

#include "base/output.h"
#include "base/text.h"
#include "report/report.h"
#include "report/svg/svg_picture.h"

#include <stdint.h>

/* In pixels; the width of a letter is in hundredths of one. */
enum { SVG_MARGIN = 10, SVG_ROW_HEIGHT = 17, SVG_FRAMES_TOP = 68, SVG_COLUMN_WIDTH = 670 };

struct svg_frames {
    const struct svg_picture *picture;
    const struct report *report;
    uint32_t row_count;
    uint32_t *order;      /* [node_count] of the picture: numbers of the written frames */
    uint32_t drawn_count; /* known after svg_frames_write() */
    struct text text;     /* buffer */
    struct text fitted;   /* a label that is cut */
    struct output *out;
};

/* Keeps the pointers. */
void svg_frames_init(struct svg_frames *frames, const struct svg_picture *picture,
                     const struct report *report);
void svg_frames_release(struct svg_frames *frames);

/* Writes the group of frames. */
void svg_frames_write(struct svg_frames *frames, struct output *out);

/* Writes the frames that are too narrow to be drawn, after the others were written. */
void svg_frames_write_left_out(struct svg_frames *frames, struct output *out);

#endif
