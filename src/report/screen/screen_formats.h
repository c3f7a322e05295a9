/*
 * screen_formats.h - the formats for people at a terminal or in a forum.
 */
#ifndef SUPPROF_SCREEN_FORMATS_H
#define SUPPROF_SCREEN_FORMATS_H

#include "report/figures/report_format.h"

extern const struct report_format report_top, report_ticks, report_peek, report_markdown;

#endif
