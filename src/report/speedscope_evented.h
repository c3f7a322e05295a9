/*
 * speedscope_evented.h - the time line of a window in speedscope's format: one profile for
 * each thread, with an event when a frame is opened (O) or closed (C).
 *
 * Source: the schema at https://www.speedscope.app/file-format-schema.json. speedscope
 * does not load a file whose events go back in time or are not nested.
 */
#ifndef SUPPROF_SPEEDSCOPE_EVENTED_H
#define SUPPROF_SPEEDSCOPE_EVENTED_H

#include "base/output.h"
#include "report/report.h"

#include <stdint.h>

/*
 * Writes a profile object for each track of the time line, each with ",\n" before it, as
 * further elements of "profiles". `frames` has the index in "shared.frames" of each
 * function of the profile, and after those that of "(truncated)".
 */
void speedscope_put_evented(struct output *out, const struct report *report,
                            const uint32_t *frames);

#endif
