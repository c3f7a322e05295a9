/*
 * snapshot.h - what a profile has so far, while its logs are being read.
 */
#pragma once

#include "profile/profile.h"
#include "rebuild/running_sums.h"
#include "tree/symbols.h"

/*
 * Makes the sums of all that was read; the records of delins' profiler are included, with nothing
 * subtracted. Call it on the thread that reads, between two reads of the log. It waits for the
 * other thread, and then needs a time in proportion to the nodes, the functions and the ticks.
 */
void snapshot_sum(struct profile *profile, struct running_sums *sums);

/* Makes the sums of recent ticks; call it after snapshot_sum(), with known_ticks set. */
void snapshot_sum_recent_ticks(const struct profile *profile, struct running_sums *sums);

/*
 * Makes a copy of the functions with the names that they have so far; those in the sums are used.
 * The strings are the profile's: release the copy with snapshot_release_symbols() before reading
 * goes on.
 */
void snapshot_name(struct profile *profile, const struct function_sums *sums,
                   struct symbols *symbols);
void snapshot_release_symbols(struct symbols *symbols);
