/*
 * deep_stacks.h - call stacks of a log that has more of them than its size allows.
 *
 * A call can take one byte of a recording, and then a stack of its own takes some hundred bytes of
 * memory in each of the trees and lists that a report is made from. No game has such a log: it
 * takes functions that call themselves without end, or stacks of which no two are equal. In such a
 * log, stacks that are deeper than a limit get a frame "(folded)" in their middle, as in
 * listed_stacks.h; functions keep their calls and self times, and the report says how many stacks
 * these are.
 */
#pragma once

#include "profile/profile.h"

/*
 * Folds stacks if the profile has more than `spare_count` and what the bytes of its logs allow, and
 * sets profile->folded. `folded` is the function of the frame in the middle.
 */
void deep_stacks_fold(struct profile *profile, uint32_t folded, uint64_t spare_count);
