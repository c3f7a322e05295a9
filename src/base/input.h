/*
 * input.h - a file, a pipe or standard input as bytes of text; decompresses and decodes.
 *
 * The first bytes tell how a file is stored: gzip is decompressed (gzip.h). UTF-16 becomes UTF-8
 * (the `>` of PowerShell writes it), also inside gzip. Other archives, pictures, programs, replays
 * and reports of supprof are refused, with advice, inside gzip, too. All other bytes are handed out
 * unchanged.
 */
#pragma once

#include "base/encodings.h"
#include "base/error.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "platform/file.h"

/*
 * Recognises files that cannot be logs by their first bytes.
 */

struct not_a_log {
    const char *code;   /* see error.h: "archive" if a log may be in it, else "not-a-log" */
    const char *reason; /* follows the file's name: "is a picture (PNG); choose a game log" */
};

/*
 * Returns what a file is whose text begins so, or NULL if it may be a log. 64 bytes are enough for
 * most; a replay of FAF and a table need their first line.
 */
const struct not_a_log *not_a_log_find(struct span start);

struct input {
    const char *path;          /* as given, for messages; "-" is standard input */
    struct file_status status; /* of the open file */
    uint64_t byte_count;       /* handed out so far */

    /* Private. */
    int file;
    struct gzip_file *gzip;
    struct utf16 *utf16; /* its decoder; NULL for other text */
    struct text text; /* the start, and what was decoded; what follows `from` is handed out next */
    size_t from;
};

/*
 * Opens a log. `path` must outlive the input. Fails on a directory, on a file that is not text, and
 * on a file that cannot be opened or read. `waiting` is for named pipes.
 */
bool input_open(struct input *input, const char *path, enum file_waiting waiting,
                struct error *err);

/*
 * From now on these bytes, which are not owned, are read in place of standard input, each time from
 * their beginning; NULL: standard input itself.
 */
void input_keep_standard(const struct text *bytes);

void input_close(struct input *input);

/*
 * Reads up to `capacity` bytes; `*length` is 0 only at the end, or after Ctrl-C (see
 * platform/interrupt.h): then the log ends there. Bytes of a pipe are handed out as they come. If
 * compressed data is cut or damaged, the part before the damage is handed out first; then the call
 * fails.
 */
bool input_read(struct input *input, char *buffer, size_t capacity, size_t *length,
                struct error *err);

/* What messages call the file: the path, or "standard input". */
const char *input_name(const char *path);

/* The part of the file itself that is read, from 0 to 1; negative for a pipe. */
double input_progress(const struct input *input);

/*
 * The text of an input in blocks, which another thread can read ahead.
 *
 * A block is not copied; what is left of the block before can be put in front of it.
 *
 * Decompressing a log takes longer than all other work on its text, and to copy it from the system
 * a quarter of the time of the thread that reads records. So both can have a thread of their own.
 */

enum {
    /* The most bytes of a block. */
    READ_BLOCK_BYTES = 256 * 1024,
    /* So many bytes before a block belong to it: they may be written. */
    READ_HEAD_BYTES = 64 * 1024,
    /* So many bytes after a block may be read: a line feed, and any others. */
    READ_TAIL_BYTES = 128,
};

struct read_block {
    char *at; /* [length], and a line feed after that */
    size_t length;
    /* When the block was read: see input_progress(), and `byte_count` of an input. */
    double progress;
    uint64_t byte_count;
};

struct read_ahead;
struct worker;

/*
 * Begins to read an input, which nothing else may use until read_ahead_free(). Without
 * `has_thread`, and if no thread can be started, a block is read when it is asked for.
 */
struct read_ahead *read_ahead_start(struct input *input, bool has_thread);

/*
 * The same without a thread of its own: that of `worker`, which is there for something else, calls
 * read_ahead_help() whenever it has nothing to do. Its lock guards the reading.
 */
struct read_ahead *read_ahead_share(struct input *input, struct worker *worker);

/*
 * Reads the next block if there is room for one, and no other thread reads it. Returns whether it
 * has. Call it inside of the lock, which it leaves meanwhile.
 */
bool read_ahead_help(struct read_ahead *ahead);

/*
 * Takes the next block, which holds what one call of input_read() gave. Its length is 0 only at the
 * end. On failure `err` is set, and the length is 0, too. The block stays until the call after the
 * next one. Not to be called after the end or a failure.
 */
bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err);

/* Call it after the end or a failure, before the input is closed. */
void read_ahead_free(struct read_ahead *ahead);

/*
 * Small files that people write, with one thing a line.
 *
 * Blanks around a line, empty lines and lines that begin with '#' are ignored. The encoding may be
 * any that a log may have. A file of more than 1 MB, or with a NUL byte, is refused.
 */

struct line_file {
    uint64_t number; /* of the line that line_file_next() gave last, from 1 on */

    /* Private. */
    struct text text;
    struct span rest;
};

/* Reads a file whole. Fails, with nothing to release, if it cannot be read. */
bool line_file_read(struct line_file *file, const char *path, struct error *err);

/* Gives the next line, which is valid until the release; false at the end. */
bool line_file_next(struct line_file *file, struct span *line);
void line_file_release(struct line_file *file);
