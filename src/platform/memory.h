/*
 * memory.h - advice to the system about memory.
 */
#pragma once

#include <stddef.h>

/*
 * Asks for large pages in allocated memory that is read in no order. Nothing but speed depends on
 * it: a system without large pages does nothing.
 */
void memory_want_large_pages(void *memory, size_t size);
