/*
 * speedscope_evented.h - the time line of a window in speedscope's format: one profile for
 * each thread, with an event when a frame is opened (O) or closed (C).
 *
 * Source: the schema at https://www.speedscope.app/file-format-schema.json. speedscope
 * does not load a file whose events go back in time or are not nested.
 */
#pragma once

#include "base/json_writer.h"
#include "report/figures/report.h"

/*
 * Puts a profile for each track of the time line, as further elements of "profiles". `frames` has
 * the number in "shared.frames", from 1 on, of each function of the profile, and after those that
 * of "(truncated)".
 */
void speedscope_put_evented(struct json_writer *json, const struct report *report,
                            const uint32_t *frames);
