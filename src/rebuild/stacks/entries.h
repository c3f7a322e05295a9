/*
 * entries.h - the one count of a recording: what each tick added to each call stack. Every time,
 * call and sum that is shown is a sum of entries.
 *
 * While a recording is read, its nodes hold the counts of the present part only. A part is a tick
 * or a piece of one; before the first tick, and in recordings without ticks, it is some 100 ms
 * of the clock. When it ends, entries_end_part() packs the counts, and sets the nodes back to 0.
 * When the recording has ended, recorded.h takes the recorder's cost out of them.
 *
 * Packed, an entry takes 3 bytes, with durations 5: numbers are small, and take a byte for each 7
 * bits. There are never more entries than events. What nearly every sum needs is apart from the
 * rest, so that most readers need not look at it:
 *
 *     packed    node: difference to the one before, and two bits: whether there are details, and
 *               runs; calls, units, runs of a line
 *     details   flags, which say what follows; returned calls, their sum, longest and shortest;
 *               first runs of a line in a call; errors; memory
 *
 * Where all parts count alike, nodes.sums has the details of all of them, and what each node did.
 * Then `details` has only the longest and shortest calls that may be those of their node: which
 * ones are depends on what the calls inside them cost, which is known at the end.
 */
#pragma once

#include "rebuild/stacks/nodes.h"

struct entry_part {
    size_t at, detail_at;   /* places where it begins in `packed` and `details` */
    int64_t number;         /* of the game's tick; -1: before the first tick */
    uint32_t count;         /* of entries */
    uint32_t weight;        /* game ticks that a tick stands for; 0: it is no sample of the game */
    uint32_t serial;        /* another one after each sample, and each 100 ms outside of ticks */
    uint32_t extreme_count; /* see entry_read_extremes() */
};

/* All zero is empty. */
struct entries {
    struct byte_blocks packed, details;
    struct entry_part *parts; /* [part_count], in the order of time */
    size_t part_count, part_capacity;
    uint64_t count;
    bool has_sums; /* of details: set it before the first part */
};

/*
 * Ends a part, in which the touched nodes have counted; no node is touched after that. Parts that
 * follow one another with the same number and serial are one tick. `weight`: of its ticks.
 */
void entries_end_part(struct entries *entries, struct nodes *nodes, int64_t number, uint32_t serial,
                      uint32_t weight);

/*
 * Ends a part that need not be told from others: only where nothing else could say what a node's
 * longest and shortest calls are, it gets entries. The rest is added up, until entries_end_kept()
 * makes a part of it. Each call needs another serial.
 */
void entries_keep_part(struct entries *entries, struct nodes *nodes, uint32_t serial);
void entries_end_kept(struct entries *entries, struct nodes *nodes, uint32_t serial);

void entries_release(struct entries *entries);

/* What nearly every reader needs of an entry. */
struct entry_head {
    uint32_t node;
    bool has_details;
    uint64_t calls, runs;
    int64_t units;
};

/* Reads the entries of a part, parts[part].count: begin with entries_read_part(). */
struct entry_reader {
    struct byte_reader packed, details;
    uint32_t node; /* of the last entry */
};

struct entry_reader entries_read_part(const struct entries *entries, size_t part);

/* A number of 7 bits a byte, and one whose first byte was read. */
uint64_t entry_long_number(const char **at, uint64_t number);

static inline uint64_t entry_number(const char **at)
{
    uint64_t number = (unsigned char)*(*at)++;
    return number < 0x80 ? number : entry_long_number(at, number);
}

/* The sign becomes the last bit of a number, so that small numbers stay small. */
static inline uint64_t entry_without_sign(int64_t number)
{
    return (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0);
}

static inline int64_t entry_with_sign(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (number % 2 != 0 ? UINT64_MAX : 0));
}

/* Puts such a number, of at most ENTRY_NUMBER_MAX bytes. Returns where it ends. */
enum { ENTRY_NUMBER_MAX = 10 };

static inline char *entry_put_number(char *to, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *to++ = (char)(number | 0x80);
    *to++ = (char)number;
    return to;
}

/* Of the number that begins an entry. */
enum entry_flags { ENTRY_HAS_DETAILS = 1, ENTRY_HAS_RUNS = 2, ENTRY_FLAG_BITS = 2 };

/* Reads the head of the next entry, inline: each sum does that. Its reader can read details only if
 * it reads those of each entry. */
static inline struct entry_head entry_next_head(struct entry_reader *reader)
{
    const char *at = byte_reader_piece(&reader->packed);
    uint64_t first = entry_number(&at);
    reader->node += (uint32_t)entry_with_sign(first >> ENTRY_FLAG_BITS);
    struct entry_head head = {.node = reader->node,
                              .has_details = (first & ENTRY_HAS_DETAILS) != 0};
    head.calls = entry_number(&at);
    head.units = entry_with_sign(entry_number(&at));
    head.runs = first & ENTRY_HAS_RUNS ? entry_number(&at) : 0;
    reader->packed.at = at;
    return head;
}

/* Sets all counts of the entry whose head was just read. */
void entry_read_counts(struct entry_reader *reader, const struct entry_head *head,
                       struct entry_counts *counts);

/* Reads the next of the calls that may be a node's longest and shortest: parts[part].extreme_count,
 * from the details of the part. Sets nothing else of `counts`. Returns the node. */
uint32_t entry_read_extremes(struct byte_reader *details, struct entry_counts *counts);

/* Appends an entry, `step` being the difference of its node to the one before. */
void entry_pack(struct entries *entries, int64_t step, const struct entry_counts *counts);
