#define _GNU_SOURCE
#include "platform/memory.h"

#include <stdint.h>
#include <sys/mman.h>

void memory_want_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { PAGE_BYTES = 2 * 1024 * 1024 };
    uintptr_t begin = ((uintptr_t)memory + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)memory + size) / PAGE_BYTES * PAGE_BYTES;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
#endif
}
