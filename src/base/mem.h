/*
 * mem.h - allocation that succeeds or ends the program.
 *
 * Without memory the program cannot do anything useful, so these functions do not return on
 * failure: they print "supprof: out of memory" and exit with status 1. Handlers registered with
 * atexit() run, which remove half-written output files. Sizes that overflow size_t count as out of
 * memory.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* Returns count * size bytes, zeroed; never NULL. The caller frees them. */
void *mem_zeroed(size_t count, size_t size);

/*
 * Returns `array` with room for at least `needed` items of `size` bytes; it may
 * have moved. `*capacity` counts items and at least doubles when it changes, so
 * that appending one at a time is linear. The new part is not initialised.
 */
void *mem_make_larger(void *array, size_t *capacity, size_t needed, size_t size);
static inline void *mem_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    return needed <= *capacity ? array : mem_make_larger(array, capacity, needed, size);
}

/* The same; the new part is zero. */
void *mem_grow_zeroed(void *array, size_t *capacity, size_t needed, size_t size);

/*
 * Returns `array` with a copy of an item of `size` bytes appended; it may have moved, and
 * `*count` is one more.
 */
static inline void *mem_append(void *array, size_t *count, size_t *capacity, const void *item,
                               size_t size)
{
    char *grown = mem_grow(array, capacity, *count + 1, size);
    memcpy(grown + *count * size, item, size);
    ++*count;
    return grown;
}

/*
 * The same for an array of any type: both change `array` and `capacity`, and the second `count`.
 * The conditional is for the compiler, which compares the types of the item and the array.
 */
#define MEM_GROW(array, capacity, needed)                                                          \
    ((array) = mem_grow((array), &(capacity), (needed), sizeof *(array)))
#define MEM_GROW_ZEROED(array, capacity, needed)                                                   \
    ((array) = mem_grow_zeroed((array), &(capacity), (needed), sizeof *(array)))
#define MEM_APPEND(array, count, capacity, item)                                                   \
    ((array) = mem_append((array), &(count), &(capacity), 1 ? &(item) : (array), sizeof *(array)))

/* Returns a NUL-terminated copy of the bytes. The caller frees it. */
char *mem_copy(const char *bytes, size_t length);

/* Frees several arrays, each of which may be NULL: MEM_FREE(rows, old_rows, details). */
void mem_free_all(void *const *arrays, size_t count);
#define MEM_FREE(...)                                                                              \
    mem_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/*
 * Local variables that are released where their block ends, however it is left. They must be valid
 * from there on where they are declared: zero, or made at once. A type that is SCOPED has a
 * function TYPE_release(), which zeros leave alone.
 *
 *     SCOPED(text) line = {0};
 *     SCOPED_ARRAY double *sums = mem_zeroed(count, sizeof *sums);
 */
#define SCOPED(type) __attribute__((cleanup(type##_release))) struct type
#define SCOPED_ARRAY __attribute__((cleanup(mem_free_scoped)))

/* Frees the memory that a pointer of any type points to, from the address of the pointer. */
static inline void mem_free_scoped(const void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

_Noreturn void mem_exhausted(void);

/* Bytes that never move and are all freed together. All zero is an empty arena. */
struct arena {
    struct arena_block *blocks; /* newest first */
    size_t used, size;          /* of the newest block */
};

/*
 * Returns a NUL-terminated copy of the bytes that lives as long as the arena. So many bytes after
 * it may be read, whatever they are: texts are compared in whole blocks.
 */
enum { ARENA_TAIL_BYTES = 32 };
char *arena_copy(struct arena *arena, const void *bytes, size_t length);
void arena_release(struct arena *arena);

/*
 * Bytes that are written in order, piece by piece, and read in the same order.
 *
 * They are in blocks of 64 KB, which are never copied: an array that doubles needs three times the
 * memory while it does. Only the first block begins small and grows, since there may be many short
 * lists. No piece is in two blocks, so that each is read and written without a check for its bytes.
 */

/* A piece has at most so many bytes. */
enum { BYTE_BLOCK = 64 * 1024, BYTE_PIECE_MAX = 128 };

/* All zero is empty. */
struct byte_blocks {
    char **at; /* [count] */
    size_t count, capacity;
    size_t used, size; /* bytes of the last block */
};

void byte_blocks_grow(struct byte_blocks *blocks);
void byte_blocks_release(struct byte_blocks *blocks);

/* Returns where the next piece goes; byte_blocks_end() says where it ends. */
static inline char *byte_blocks_begin(struct byte_blocks *blocks)
{
    if (blocks->size - blocks->used < BYTE_PIECE_MAX)
        byte_blocks_grow(blocks);
    return blocks->at[blocks->count - 1] + blocks->used;
}

static inline void byte_blocks_end(struct byte_blocks *blocks, const char *end)
{
    blocks->used = (size_t)(end - blocks->at[blocks->count - 1]);
}

/* The number of a place: that where the next piece goes. */
static inline size_t byte_blocks_place(const struct byte_blocks *blocks)
{
    return blocks->count == 0 ? 0 : (blocks->count - 1) * BYTE_BLOCK + blocks->used;
}

/* Reads pieces; nothing is written meanwhile. */
struct byte_reader {
    const char *at;   /* of the next piece, after byte_reader_piece() */
    const char *last; /* where a piece of this block can begin */
    char *const *next;
};

/* Begins at a place. */
struct byte_reader byte_blocks_read(const struct byte_blocks *blocks, size_t place);

/* Returns where the next piece begins; `at` is to be moved behind it. There must be one. */
static inline const char *byte_reader_piece(struct byte_reader *reader)
{
    if (reader->at > reader->last) {
        reader->at = *reader->next++;
        reader->last = reader->at + BYTE_BLOCK - BYTE_PIECE_MAX;
    }
    return reader->at;
}
