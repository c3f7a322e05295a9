/*
 * page_formats.h - the formats that browsers show.
 */
#ifndef SUPPROF_PAGE_FORMATS_H
#define SUPPROF_PAGE_FORMATS_H

#include "report/figures/report_format.h"

extern const struct report_format report_svg, report_html;

#endif
