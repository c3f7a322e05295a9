#include "base/byte_blocks.h"

enum { FIRST_BYTES = 1024 };

/* Makes the first block larger, or adds another. */
void byte_blocks_grow(struct byte_blocks *blocks)
{
    size_t size = 0;
    if (blocks->size > 0 && blocks->size < BYTE_BLOCK) {
        blocks->at[0] = mem_make_larger(blocks->at[0], &blocks->size, blocks->size + 1, 1);
        return;
    }
    char *added = mem_make_larger(NULL, &size, blocks->count == 0 ? FIRST_BYTES : BYTE_BLOCK, 1);
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
