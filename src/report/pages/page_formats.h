/*
 * page_formats.h - the formats that browsers show.
 */
#pragma once

#include "report/figures/report.h"

extern const struct report_format report_svg, report_html;
