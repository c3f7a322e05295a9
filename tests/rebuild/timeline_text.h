/*
 * timeline_text.h - time lines as text, and what must hold for any, for tests.
 */
#pragma once

#include "rebuild/timeline/timeline.h"
#include "tree/tree.h"

/*
 * Returns tracks and their slices, in words of the functions of event_play.h: "main:" or
 * "thread 1:", then "A0-8" for a slice of A, ".B3-5" for one above it. "~" before the
 * times is a tail call. "<" after them says that the slice is continued, ">" that it is
 * unfinished, "!" that an error ended the call. "#7:0-8" is a tick. The caller frees it.
 */
char *timeline_describe(const struct timeline *timeline);

/*
 * Aborts unless slices are nested, those of one run do not overlap on two tracks, and
 * each track has the slices that it says it has.
 */
void timeline_check(const struct timeline *timeline);

/*
 * The number of functions whose calls or self times are others than in a finished tree of
 * the same runs from which no cost was taken out, and whose time unit is a nanosecond. The tree has
 * no calls of the recorder.
 */
uint32_t timeline_count_differences(const struct timeline *timeline, const struct tree *tree,
                                    uint32_t function_count, uint32_t recorder);
