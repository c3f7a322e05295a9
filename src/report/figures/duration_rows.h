/*
 * duration_rows.h - how long the calls of a function took, in a few rows of one octave each; where
 * there are too many, octaves with few calls share a row. For --peek, and for the page of the
 * function.
 */
#pragma once

#include "report/figures/report.h"

enum { DURATION_ROWS_MAX = 8 };

struct duration_rows {
    struct duration_row {
        int64_t from_ns, to_ns; /* from 0 if the clock cannot tell a call of `to_ns` from none */
        uint64_t calls[2];      /* by is_old */
    } rows[DURATION_ROWS_MAX];
    size_t count;     /* 0 if the clock can tell nothing */
    uint64_t largest; /* of all calls of a row */
};

/*
 * The calls of a function, or of both sides of a comparison in the same rows. `sides` are by
 * is_old, as report_durations_of() has them; NULL: not known. What took less than `least_shown_ns`
 * has one row.
 */
struct duration_rows duration_rows_make(const struct report *report,
                                        const struct call_histogram *const sides[2],
                                        int64_t least_shown_ns);
