/*
 * log.h - bytes of a game log in, records out.
 *
 * A log repeats a few thousand frames millions of times, so plain code cuts a record at its ';' and
 * looks the frames up among the known ones; a known frame means the same in each record
 * (is_context_free in grammar.h). The numbers at the end of a record are read by plain code,
 * too. Everything else is the grammar, which is PCRE2, and too slow for every frame.
 *
 * Memory: one block of input and one record at a time, whatever the log's size. A block is not
 * copied: the rest of the block before it is copied to the place in front of it.
 */
#pragma once

#include "base/error.h"
#include "base/input.h"
#include "base/text.h"
#include "read/frames.h"
#include "read/game_log.h"
#include "read/grammar.h"

/* Where the bytes come from. */
struct log_source {
    /*
     * Gives the next bytes, with the room around them and for the time that base/input.h
     * promises; the length is 0 only at the end. On failure `err` is set, and the log is read as if
     * it ended there.
     */
    bool (*next)(void *context, struct read_block *block, struct error *err);

    /* Called for each directory that the engine mounted before the first record. May be NULL. */
    void (*mounted)(void *context, struct span directory, struct span mount_point);

    /* Called for each file that the engine appended to another, wherever it says so. May be NULL.
     */
    void (*hooked)(void *context, struct span base, struct span file);

    void *context;

    /*
     * Reads the lines between those of profilers, whole but for the first, and for lines of some
     * kilobytes, which may be missing. May be NULL.
     */
    struct game_log *game_log;
};

struct record {
    const uint32_t *frames; /* [stack.depth] frame ids, root first; gone after the next read */
    struct stack stack;
    uint64_t line; /* number of its first line, from 1 */
    uint32_t run;  /* 1, 2, ... in this log; see log_next() */

    /* Only after LOG_RECORDER; then only this, `line` and `is_cut` are set. Gone after the next
     * read. */
    struct grammar_recorder_line recorder;
    bool is_cut; /* its end may be missing; also after LOG_DAMAGED */

    struct benchmark benchmark; /* only after LOG_BENCHMARK */
};

enum log_status {
    LOG_RECORD,    /* a record was read */
    LOG_RECORDER,  /* a line of profiler.lua was read: record->recorder is set */
    LOG_BENCHMARK, /* record->benchmark was read */
    LOG_DAMAGED,   /* a marked line that is not a record was skipped; call again */
    LOG_END,
    LOG_FAILED, /* the source failed; everything before the failure was read */
};

struct log {
    /* All private. */
    struct log_source source;
    struct grammar *grammar; /* not owned */
    struct frames *frames;   /* not owned */
    const char *buffer;      /* [end], in a block or in `long_line` */
    size_t begin, end;       /* [begin, end) is not consumed yet */
    char *long_line;         /* [long_capacity], for a line that does not fit before a block */
    size_t long_capacity;
    uint64_t line_count; /* line ends before `begin` */
    bool is_line_start;  /* whether buffer[0] begins a line */
    bool is_at_end, has_failed;
    struct error failure;
    uint32_t run;
    bool has_records;   /* a record was read: from now on, mounts are ignored */
    size_t glued_end;   /* end of the line at `begin` when it holds several keywords */
    struct text joined; /* a record over several lines */
    struct text plain;  /* a line without its quote marks */
    uint32_t *stack;    /* frame ids of the record */
    size_t stack_capacity;
    struct new_frame { /* frames of the record that are new */
        size_t depth, from;
        struct grammar_frame parsed;
    } * new_frames; /* [new_frame_count] */
    size_t new_frame_count, new_frame_capacity;
};

/* The grammar and frames must outlive the log. */
void log_init(struct log *log, struct log_source source, struct grammar *grammar,
              struct frames *frames);
void log_release(struct log *log);

/*
 * Reads the next record or damaged line. `err` is set on LOG_DAMAGED (the problem, without the
 * file's name) and on LOG_FAILED. record->line is set on LOG_DAMAGED too.
 *
 * Runs: a "Starting profiler" line begins the next one. Records before the first such line belong
 * to a run of their own.
 */
enum log_status log_next(struct log *log, struct record *record, struct error *err);
