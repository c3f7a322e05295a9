#include "rebuild/ending/tick_reader.h"

void tick_reader_begin(struct tick_reader *reader, const struct recorded *recorded,
                       bool has_details)
{
    *reader = (struct tick_reader){
        .recorded = recorded,
        .has_details = has_details,
        .entry_of = mem_zeroed(recorded->place_count, sizeof *reader->entry_of),
    };
    reader->end_part = recorded->entries.part_count;
    reader->kept = byte_blocks_read(&recorded->kept[0], 0);
    target_reader_begin(&reader->targets, &recorded->targets);
}

static void skip_kept(struct tick_reader *reader, size_t tick)
{
    for (uint32_t i = 0; i < reader->recorded->ticks[tick].kept_count; i++) {
        const char *at = byte_reader_piece(&reader->kept);
        entry_number(&at);
        entry_number(&at);
        reader->kept.at = at;
    }
}

/* Returns the first part of a tick, or of none. */
static size_t find_part(const struct recorded *recorded, size_t tick)
{
    size_t from = 0, to = recorded->entries.part_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        *(recorded->tick_of_part[middle] < tick ? &from : &to) =
            recorded->tick_of_part[middle] < tick ? middle + 1 : middle;
    }
    return from;
}

void tick_reader_begin_some(struct tick_reader *reader, const struct recorded *recorded,
                            size_t from, size_t to)
{
    tick_reader_begin(reader, recorded, false);
    reader->next_part = find_part(recorded, from);
    reader->end_part = find_part(recorded, to);
    if (from > 0)
        reader->kept = byte_blocks_read(&recorded->kept[1], 0);
    for (size_t tick = recorded->half_tick; tick < from; tick++)
        skip_kept(reader, tick);
}

/* Adds what the line of a node did; `counts` is NULL if the entry has no details. */
static void add_line(struct tick_reader *reader, uint32_t row, const struct entry_head *head,
                     const struct entry_counts *counts)
{
    struct tick_line line = {row, head->runs, counts == NULL ? 0 : counts->begins, head->units};
    MEM_APPEND(reader->lines, reader->line_count, reader->line_capacity, line);
}

/* Adds times and calls to those of the place in the tick. Returns the index of its entry. */
static inline uint32_t add_entry(struct tick_reader *reader, uint32_t place,
                                 const struct entry_head *head)
{
    uint32_t *number = &reader->entry_of[place];
    if (*number == 0) {
        reader->entries[reader->count] =
            (struct tick_entry){.place = place,
                                .function = reader->recorded->places[place].function,
                                .units = head->units,
                                .calls = head->calls};
        *number = (uint32_t)++reader->count;
        return *number - 1;
    }
    struct tick_entry *entry = &reader->entries[*number - 1];
    /* A damaged log may have any numbers. */
    entry->units = (int64_t)((uint64_t)entry->units + (uint64_t)head->units);
    entry->calls += head->calls;
    return *number - 1;
}

static void read_part(struct tick_reader *reader, size_t part)
{
    const struct entries *entries = &reader->recorded->entries;
    struct entry_reader at = entries_read_part(entries, part);
    target_reader_go(&reader->targets, part);
    MEM_GROW(reader->entries, reader->capacity, reader->count + entries->parts[part].count);
    for (uint32_t i = 0; i < entries->parts[part].count; i++) {
        struct entry_head head = entry_next_head(&at);
        struct node_target target = reader->targets.of[head.node];
        struct tick_detail *detail = NULL;
        if (head.has_details && reader->has_details) {
            MEM_GROW(reader->details, reader->detail_capacity, reader->detail_count + 1);
            detail = &reader->details[reader->detail_count];
            entry_read_counts(&at, &head, &detail->counts);
        }
        if (target.row != 0 && reader->has_details)
            add_line(reader, target.row - 1, &head, detail == NULL ? NULL : &detail->counts);
        if (target.place == 0)
            continue;
        uint32_t entry = add_entry(reader, target.place, &head);
        if (detail != NULL)
            detail->entry = entry;
        reader->detail_count += detail != NULL;
    }
}

static void read_kept(struct tick_reader *reader)
{
    size_t next = 0;
    for (uint32_t i = 0; i < reader->recorded->ticks[reader->tick].kept_count; i++) {
        const char *at = byte_reader_piece(&reader->kept);
        next += entry_number(&at);
        reader->entries[next - 1].self_ns = entry_with_sign(entry_number(&at));
        reader->kept.at = at;
    }
}

bool tick_reader_next(struct tick_reader *reader)
{
    const struct recorded *recorded = reader->recorded;
    size_t parts = reader->end_part;
    if (reader->next_part == parts)
        return false;
    reader->tick = recorded->tick_of_part[reader->next_part];
    if (reader->tick == recorded->half_tick)
        reader->kept = byte_blocks_read(&recorded->kept[1], 0);
    reader->count = reader->detail_count = reader->line_count = 0;
    while (reader->next_part < parts && recorded->tick_of_part[reader->next_part] == reader->tick)
        read_part(reader, reader->next_part++);
    for (size_t i = 0; i < reader->count; i++)
        reader->entry_of[reader->entries[i].place] = 0;
    read_kept(reader);
    return true;
}

void tick_reader_end(struct tick_reader *reader)
{
    target_reader_end(&reader->targets);
    MEM_FREE(reader->entries, reader->details, reader->lines, reader->entry_of);
    *reader = (struct tick_reader){0};
}

/* Functions ---------------------------------------------------------------------------------- */

struct tick_function_sums tick_function_sums_make(size_t capacity)
{
    struct tick_function_sums functions = {.capacity = capacity};
    functions.sums = mem_zeroed(capacity, sizeof *functions.sums);
    /* One more: tick_function_sums_find() writes before it knows whether a function is new. */
    functions.found = mem_zeroed(capacity + 1, sizeof *functions.found);
    return functions;
}

void tick_function_sums_add(struct tick_function_sums *functions, const struct tick_reader *reader,
                            uint8_t threads)
{
    const struct place *places = reader->recorded->places;
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        const struct place *place = &places[entry->place];
        if (!place_is_of_thread(place, threads))
            continue;
        struct tick_function_sum *sum = tick_function_sums_find(functions, entry->function);
        sum->units += entry->units;
        sum->self_ns += entry->self_ns;
        sum->calls += entry->calls;
        sum->invocations += place_begins_thread(place) ? 0 : entry->calls;
    }
}

void tick_function_sums_clear(struct tick_function_sums *functions)
{
    for (size_t i = 0; i < functions->count; i++)
        functions->sums[functions->found[i]] = (struct tick_function_sum){0};
    functions->count = 0;
}
