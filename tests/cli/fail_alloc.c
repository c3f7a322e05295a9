/*
 * Linked into a supprof whose calls of malloc, calloc and realloc go through here
 * (ld --wrap): the one that FAIL_ALLOCATION names, counted from 1, fails, and so
 * do all after it. With 0 none fails, and the number of each that is the first from its
 * call stack is written to descriptor 3. See failing-allocations.sh.
 */
#include <execinfo.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK_MAX = 64, SEEN_MAX = 1 << 14 };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

/* Whether no allocation before had this call stack. */
static bool is_first_from_here(void)
{
    static atomic_ullong seen[SEEN_MAX];
    void *stack[STACK_MAX];
    int depth = backtrace(stack, STACK_MAX);
    unsigned long long hash = 1;
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uintptr_t)stack[i]) * 0x100000001b3;
    for (size_t i = hash >> 50;; i = (i + 1) % SEEN_MAX) {
        unsigned long long found = 0;
        if (atomic_compare_exchange_strong(&seen[i], &found, hash))
            return true;
        if (found == hash)
            return false;
    }
}

static bool fails(void)
{
    static atomic_ulong count;
    const char *wanted = getenv("FAIL_ALLOCATION");
    unsigned long number = atomic_fetch_add(&count, 1) + 1;
    if (wanted == NULL)
        return false;
    unsigned long failing = strtoul(wanted, NULL, 10);
    if (failing == 0 && is_first_from_here())
        dprintf(3, "%lu\n", number);
    return failing != 0 && number >= failing;
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
