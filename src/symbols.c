#include "symbols.h"

#include <stdlib.h>
#include <string.h>

static uint32_t append(struct symbols *symbols, struct function function)
{
    symbols->functions = mem_grow(symbols->functions, &symbols->function_capacity,
                                  (size_t)symbols->function_count + 1, sizeof *symbols->functions);
    symbols->functions[symbols->function_count] = function;
    return symbols->function_count++;
}

uint32_t symbols_add_function(struct symbols *symbols, uint32_t source, int32_t line, uint32_t name)
{
    uint32_t name_in_key = line < 0 ? name : INTERN_NONE;
    uint64_t mixed = ((uint64_t)source << 32 | (uint32_t)line) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ name_in_key) * 0xd6e8feb86659fd93u;
    uint32_t hash = (uint32_t)(mixed >> 32);

    struct index *index = &symbols->function_index;
    index_reserve(index);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        const struct function *known = &symbols->functions[index->slots[slot].id];
        if (known->source == source && known->line == line && (line >= 0 || known->name == name))
            return index->slots[slot].id;
    }
    index_put(index, slot, hash, symbols->function_count);
    return append(symbols, (struct function){.source = source, .name = name_in_key, .line = line});
}

uint32_t symbols_append_function(struct symbols *symbols, uint32_t source, int32_t line,
                                 uint32_t name)
{
    return append(symbols, (struct function){source, name, line, true});
}

bool symbols_is_lua(const struct symbols *symbols, uint32_t function)
{
    return symbols->functions[function].line >= 0;
}

bool symbols_is_c(const struct symbols *symbols, uint32_t function)
{
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    return source.length == 4 && memcmp(source.at, "=[C]", 4) == 0;
}

void symbols_release(struct symbols *symbols)
{
    intern_release(&symbols->strings);
    free(symbols->functions);
    index_release(&symbols->function_index);
    *symbols = (struct symbols){0};
}
