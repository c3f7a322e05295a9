/*
 * kind.h - recognises files that cannot be logs by their first bytes.
 */
#ifndef SUPPROF_KIND_H
#define SUPPROF_KIND_H

#include "base/intern.h"

/*
 * Returns the kind of the file and what to do, as text to follow its name: "is a picture (PNG);
 * name a game log". NULL if it may be a log. 64 bytes are enough.
 */
const char *kind_refusal(struct span start);

#endif
