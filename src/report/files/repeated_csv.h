/*
 * repeated_csv.h - several logs of the same game as CSV: for each row the median, spread, least
 * and greatest of each column, and in a comparison the shift between both sides.
 */
#pragma once

#include "report/figures/report_format.h"

/*
 * Writes the format csv of a report with repeated logs. Returns the number of rows, and sets how
 * many more there are.
 */
size_t repeated_csv_write(const struct report *report, struct output *out, size_t *left_out_count);
