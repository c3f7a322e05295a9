/*
 * svg_value.h - the numbers of a flame graph as text: for people, and as attributes.
 */
#ifndef SUPPROF_SVG_VALUE_H
#define SUPPROF_SVG_VALUE_H

#include "base/text.h"
#include "report/report.h"

#include <stdint.h>

/* The values of the attributes data-metric and data-unit: see report_svg.c. */
const char *svg_metric_name(enum report_metric metric);
const char *svg_unit_name(enum report_metric metric);

/* Appends ` name="12"`. */
void svg_put_attribute(struct text *text, const char *name, uint64_t value);

/* The same of a position in hundredths of a pixel: ` x="12.3"`. */
void svg_put_position(struct text *text, const char *name, uint32_t position);

/* Appends "12.345 ms", "1 call" or "1,234 KB". */
void svg_put_value(struct text *text, const struct report *report, uint64_t value);

/* The same with the sign of a change: "+1 call". */
void svg_put_difference(struct text *text, const struct report *report, uint64_t now, uint64_t old);

/* Appends " (12.34%)". */
void svg_put_share(struct text *text, uint64_t value, uint64_t all);

#endif
