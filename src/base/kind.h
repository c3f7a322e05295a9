/*
 * kind.h - what a file is that cannot be a log, told by its first bytes.
 */
#ifndef SUPPROF_KIND_H
#define SUPPROF_KIND_H

#include "base/intern.h"

/*
 * Returns what such a file is and what to do, to stand behind its name: "is a picture (PNG);
 * name a game log". NULL for what may be a log. 64 bytes are enough.
 */
const char *kind_refusal(struct span start);

#endif
