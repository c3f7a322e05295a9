#include "base/pcre2_memory.h"

#include "base/mem.h"

static void *allocate(size_t size, void *unused)
{
    (void)unused;
    return mem_zeroed(1, size);
}

static void release(void *memory, void *unused)
{
    (void)unused;
    free(memory);
}

pcre2_general_context *pcre2_memory_new(void)
{
    return pcre2_general_context_create(allocate, release, NULL);
}
