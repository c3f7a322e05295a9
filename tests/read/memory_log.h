/*
 * memory_log.h - a log in memory, for tests and fuzz targets.
 */
#pragma once

#include "read/log.h"

struct memory_log {
    struct span text; /* what is left to read */
    size_t block_bytes;
    char *blocks[2];   /* the last two */
    size_t read_max;   /* bytes handed out at a time; 0 for as many as asked */
    bool fails_at_end; /* the source fails instead of ending */
    size_t mount_count, hook_count;
    size_t hook_bytes;       /* of both paths of the last hook */
    struct grammar *grammar; /* not owned */
    struct symbols symbols;
    struct frames frames;
    struct log log;
};

/* Opens `text`, which must outlive the log. The log must not be moved. */
void memory_log_open(struct memory_log *memory, struct span text, size_t block_bytes);
void memory_log_close(struct memory_log *memory);

/* What was read of a log from its start to its end. */
struct memory_log_counts {
    size_t records, damaged, benchmarks, frames;
    uint64_t calls;
    int64_t total_ns;
    uint64_t first_damaged_line; /* 0 for none */
    bool has_failed;
};

struct memory_log_counts memory_log_read(struct memory_log *memory);
