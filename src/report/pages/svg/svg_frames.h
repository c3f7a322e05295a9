/*
 * svg_frames.h - the frames of a flame graph: each one's box, label, tooltip and data, and the list
 * of those that are too narrow to be drawn. svg.c has the attributes.
 */
#pragma once

#include "base/output.h"
#include "report/figures/report.h"
#include "report/pages/svg/svg_colors.h"
#include "report/pages/svg/svg_picture.h"

/* In pixels; the width of a letter is in hundredths of one. */
enum { SVG_MARGIN = 10, SVG_ROW_HEIGHT = 17, SVG_FRAMES_TOP = 68, SVG_COLUMN_WIDTH = 670 };

/* Writes the group of frames. */
void svg_frames_write(const struct svg_picture *picture, const struct svg_colors *colors,
                      struct output *out);

/* Writes the list of the frames that are too narrow to be drawn. */
void svg_frames_write_left_out(const struct svg_picture *picture, struct output *out);
