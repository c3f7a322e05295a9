/*
 * tick_reader.h - reads a recording that has ended: what each tick did, tick by tick, and by
 * functions.
 */
#pragma once

#include "rebuild/ending/recorded.h"

/* What a place did in the tick that is read. */
struct tick_entry {
    uint32_t place, function;
    int64_t self_ns; /* kept */
    int64_t units;
    uint64_t calls;
};

/* What else is known of an entry: of calls that returned, of errors and of memory. */
struct tick_detail {
    uint32_t entry; /* its index; it may be there twice */
    struct entry_counts counts;
};

/* What a line did: runs, begins and measured units. */
struct tick_line {
    uint32_t row;
    uint64_t runs, begins;
    int64_t units;
};

/* Reads ticks in their order. What it has of a tick is there until the next one is read. */
struct tick_reader {
    const struct recorded *recorded;
    bool has_details;            /* otherwise there are no details and no lines */
    size_t tick;                 /* that is read: an index of recorded->ticks */
    struct tick_entry *entries;  /* [count] */
    struct tick_detail *details; /* [detail_count], in the order of the log */
    struct tick_line *lines;     /* [line_count]; a line may be there twice */
    size_t count, detail_count, line_count, capacity, detail_capacity, line_capacity;
    /* Private: */
    struct target_reader targets;
    uint32_t *entry_of; /* [place_count]: 1 + its index, 0: none; all zero between ticks */
    struct byte_reader kept;
    size_t next_part, end_part;
};

void tick_reader_begin(struct tick_reader *reader, const struct recorded *recorded,
                       bool has_details);

/* Reads only these ticks, without details; `from` is 0, or half_tick or more. */
void tick_reader_begin_some(struct tick_reader *reader, const struct recorded *recorded,
                            size_t from, size_t to);
bool tick_reader_next(struct tick_reader *reader);
void tick_reader_end(struct tick_reader *reader);

/* What the functions of the game did in the tick that is read. The recorder is not one of them: no
 * tick is slow because of it. Between ticks all is zero but for `sums`, `found` and `capacity`. */
struct tick_function_sums {
    struct tick_function_sum {
        int64_t units, self_ns;
        uint64_t calls;
        uint64_t invocations; /* calls, but for those that began a thread; wakes are added by
                                 work_add() */
        bool is_found;
    } * sums;        /* [capacity] by function of the recording */
    uint32_t *found; /* [count]; in no order that has a meaning */
    size_t capacity, count;
};

/* The caller frees the arrays. */
struct tick_function_sums tick_function_sums_make(size_t capacity);

/* Adds the entries of the tick that is read, those of such threads (enum node_flags). */
void tick_function_sums_add(struct tick_function_sums *functions, const struct tick_reader *reader,
                            uint8_t threads);

/* Forgets the tick. */
void tick_function_sums_clear(struct tick_function_sums *functions);

/* Returns the sum of a function, which may have no entry. */
static inline struct tick_function_sum *
tick_function_sums_find(struct tick_function_sums *functions, uint32_t function)
{
    struct tick_function_sum *sum = &functions->sums[function];
    functions->found[functions->count] = function;
    functions->count += !sum->is_found;
    sum->is_found = true;
    return sum;
}
