#include "base/mem.h"

#include "platform/process.h"
#include "platform/thread.h"

#include <stdint.h>
#include <stdio.h>

enum { ARENA_BLOCK_BYTES = 64 * 1024, SMALLEST_CAPACITY = 4, FIRST_BLOCK_BYTES = 1024 };

struct arena_block {
    struct arena_block *next;
    /*
     * No text is in a line of the cache with what is before the block: if another thread writes
     * that, each look at the text waits. It made reading a recording take 12 % longer.
     */
    char apart[64];
    char bytes[];
};

void mem_exhausted(void)
{
    /* Several threads may be without memory at once, and only one of them may call exit(). */
    thread_begin_end();
    fputs("supprof: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

void *mem_zeroed(size_t count, size_t size)
{
    /* calloc(0) may return NULL, which would look like a failure. */
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        mem_exhausted();
    process_take_pages(memory, count * size);
    return memory;
}

void *mem_make_larger(void *array, size_t *capacity, size_t needed, size_t size)
{
    size_t larger = *capacity < SMALLEST_CAPACITY / 2 ? SMALLEST_CAPACITY : *capacity;
    while (larger < needed) {
        if (larger > SIZE_MAX / 2)
            mem_exhausted();
        larger *= 2;
    }
    if (larger > SIZE_MAX / size)
        mem_exhausted();
    void *memory = realloc(array, larger * size);
    if (memory == NULL)
        mem_exhausted();
    *capacity = larger;
    return memory;
}

void *mem_grow_zeroed(void *array, size_t *capacity, size_t needed, size_t size)
{
    size_t before = *capacity;
    char *grown = mem_grow(array, capacity, needed, size);
    if (*capacity > before)
        memset(grown + before * size, 0, (*capacity - before) * size);
    return grown;
}

void mem_free_all(void *const *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(arrays[i]);
}

char *mem_copy(const char *bytes, size_t length)
{
    size_t capacity = 0;
    if (length == SIZE_MAX)
        mem_exhausted();
    char *copy = mem_grow(NULL, &capacity, length + 1, 1);
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

static void add_block(struct arena *arena, size_t needed)
{
    size_t size = needed > ARENA_BLOCK_BYTES ? needed : ARENA_BLOCK_BYTES;
    if (size > SIZE_MAX - sizeof(struct arena_block) - ARENA_TAIL_BYTES)
        mem_exhausted();
    struct arena_block *block = malloc(sizeof *block + size + ARENA_TAIL_BYTES);
    if (block == NULL)
        mem_exhausted();
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->size = size;
}

char *arena_copy(struct arena *arena, const void *bytes, size_t length)
{
    if (length == SIZE_MAX)
        mem_exhausted();
    if (arena->blocks == NULL || arena->size - arena->used < length + 1)
        add_block(arena, length + 1);
    char *copy = arena->blocks->bytes + arena->used;
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    arena->used += length + 1;
    return copy;
}

void arena_release(struct arena *arena)
{
    for (struct arena_block *block = arena->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}

/* Makes the first block larger, or adds another. */
void byte_blocks_grow(struct byte_blocks *blocks)
{
    size_t size = 0;
    if (blocks->size > 0 && blocks->size < BYTE_BLOCK) {
        blocks->at[0] = mem_make_larger(blocks->at[0], &blocks->size, blocks->size + 1, 1);
        return;
    }
    char *added =
        mem_make_larger(NULL, &size, blocks->count == 0 ? FIRST_BLOCK_BYTES : BYTE_BLOCK, 1);
    MEM_APPEND(blocks->at, blocks->count, blocks->capacity, added);
    blocks->size = size;
    blocks->used = 0;
}

void byte_blocks_release(struct byte_blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++)
        free(blocks->at[i]);
    free(blocks->at);
    *blocks = (struct byte_blocks){0};
}

struct byte_reader byte_blocks_read(const struct byte_blocks *blocks, size_t place)
{
    size_t block = place / BYTE_BLOCK;
    if (block >= blocks->count)
        return (struct byte_reader){0};
    size_t size = block + 1 < blocks->count ? BYTE_BLOCK : blocks->size;
    return (struct byte_reader){.at = blocks->at[block] + place % BYTE_BLOCK,
                                .last = blocks->at[block] + size - BYTE_PIECE_MAX,
                                .next = blocks->at + block + 1};
}
