#include "rebuild/ending/tick_functions.h"

struct tick_functions tick_functions_make(size_t capacity)
{
    struct tick_functions functions = {.capacity = capacity};
    functions.sums = mem_zeroed(capacity, sizeof *functions.sums);
    /* One more: tick_functions_find() writes before it knows whether a function is new. */
    functions.found = mem_zeroed(capacity + 1, sizeof *functions.found);
    return functions;
}

void tick_functions_release(struct tick_functions *functions)
{
    MEM_FREE(functions->sums, functions->found);
    *functions = (struct tick_functions){0};
}

void tick_functions_add(struct tick_functions *functions, const struct tick_reader *reader,
                        uint8_t threads)
{
    const struct place *places = reader->recorded->places;
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        const struct place *place = &places[entry->place];
        if (!place_is_of_thread(place, threads))
            continue;
        if (place->is_recorder) {
            functions->recorder_ns += entry->self_ns;
            continue;
        }
        struct tick_function_sum *sum = tick_functions_find(functions, entry->function);
        sum->units += entry->units;
        sum->self_ns += entry->self_ns;
        sum->calls += entry->calls;
        sum->runs += place_begins_thread(place) ? 0 : entry->calls;
    }
}

void tick_functions_clear(struct tick_functions *functions)
{
    for (size_t i = 0; i < functions->count; i++)
        functions->sums[functions->found[i]] = (struct tick_function_sum){0};
    functions->count = 0;
    functions->recorder_ns = 0;
}
