/*
 * file_formats.h - the formats that programs read.
 */
#pragma once

#include "report/figures/report.h"

extern const struct report_format report_folded, report_csv, report_ticks_csv, report_callgrind,
    report_pprof, report_speedscope, report_trace, report_cpuprofile, report_json;
