/*
 * spelling.h - how much two words differ, to guess what was meant.
 */
#pragma once

#include "base/intern.h"

/* Longer words are not compared. */
enum { SPELLING_LENGTH_MAX = 63 };

/*
 * Returns the number of bytes that must be added, removed, changed, or swapped with their neighbour
 * to turn one word into the other (optimal string alignment); SIZE_MAX if a word is too long.
 */
size_t spelling_distance(struct span a, struct span b);
