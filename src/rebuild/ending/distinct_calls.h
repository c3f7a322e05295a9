/*
 * distinct_calls.h - whether the nodes of a recording become different nodes of its tree.
 *
 * They nearly always do. Two nodes become one if the log defines the same site twice, or if a
 * function is a root of both kinds of threads, and few nodes can be such a pair. So only those are
 * compared: to look up each of 9.5 million nodes in a hash table of calls takes 1.6 s more, and 22
 * bytes of memory for each.
 */
#pragma once

#include "rebuild/stacks/nodes.h"

/* `is_used`, [nodes->count], are the nodes that are compared; the parents of used nodes are used.
 */
bool distinct_calls(const struct nodes *nodes, const uint8_t *is_used);
