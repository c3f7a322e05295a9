/*
 * list.h - the source of functions with what was called from each line, see list.c.
 */
#pragma once

#include "base/text.h"
#include "report/figures/listing.h"

/*
 * Appends the functions of a listing; `room` is the number of lines that they may take, except that
 * the first always has some. SIZE_MAX: no limit. Returns the number of functions it has put.
 */
size_t list_put(struct text *text, const struct listing *listing, size_t room);
