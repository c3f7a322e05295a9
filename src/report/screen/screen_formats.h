/*
 * screen_formats.h - the formats for people at a terminal or in a forum.
 */
#pragma once

#include "report/figures/report.h"

extern const struct report_format report_top, report_ticks, report_peek, report_list, report_tree,
    report_markdown;
