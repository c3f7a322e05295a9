/*
 * Linked into a supprof whose calls of malloc, calloc and realloc go through here
 * (ld --wrap): the one that FAIL_ALLOCATION names, counted from 1, fails, and so
 * do all after it. See failing-allocations.sh.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool fails(void)
{
    static atomic_ulong count;
    const char *wanted = getenv("FAIL_ALLOCATION");
    unsigned long number = atomic_fetch_add(&count, 1) + 1;
    return wanted != NULL && number >= strtoul(wanted, NULL, 10);
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}
