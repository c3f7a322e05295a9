/*
 * function_name.h - how a sentence names a function.
 */
#ifndef SUPPROF_FUNCTION_NAME_H
#define SUPPROF_FUNCTION_NAME_H

#include "names/labels.h"

/*
 * The name of a function; "? sim/navgenerator.lua:994", with its place, if it has no name: clean
 * text.
 */
const char *function_name(const struct labels *labels, uint32_t function);

#endif
