/*
 * game_log.h - the game's own lines in its log, which need no recorder: how fast the sim ran, the
 * size of the heap, errors of Lua scripts, and which mods were active. supprof-log(5) describes
 * them, with their sources.
 *
 * A line that does not fit the grammar is left out: nothing is guessed. The log gives game times in
 * whole seconds, every 10 or 30 s, and an error has that of the last such line before it.
 */
#pragma once

#include "base/index.h"
#include "base/text.h"
#include "read/grammar.h"

/* What a line says of a moment. Sizes are in bytes. */
struct game_log_sample {
    int64_t session_s; /* since the program was started; -1: not in the line */
    int64_t game_s;    /* of the game */
    double heap;       /* -1: not in the line */
    bool begins;       /* the first of a game: a time is smaller than before */
};

/* Errors of one line of a file; or with the same message, if the log does not name the line. */
struct game_log_error {
    uint64_t count;
    uint64_t lines;          /* of the log, with call stacks */
    int64_t first_s, last_s; /* game times; -1: not known */
    uint32_t what, message;  /* of the first error, ids of `texts` */
};

/* All zero is empty. */
struct game_log {
    uint64_t lines;                  /* of the logs, set by the caller */
    uint64_t modules;                /* loaded, in all Lua states */
    uint64_t ends;                   /* logs with the line that ends a log */
    bool is_game;                    /* a line has a severity, as the game writes it */
    struct game_log_sample *samples; /* [sample_count] */
    size_t sample_count, sample_capacity;
    struct intern places;          /* "...\urb0103_script.lua(37)", or a message */
    struct game_log_error *errors; /* [places.count] */
    size_t error_capacity;
    struct intern texts;
    struct intern mods; /* "Ranges v11" */

    /* Private. */
    enum game_log_block { BLOCK_NONE, BLOCK_ERROR, BLOCK_MODS } block; /* whose lines may follow */
    uint32_t block_error;
    int64_t game_s; /* of the last line that has it */
    bool is_in_log;
};

/* Reads the lines of text. `is_line_start` says whether text.at[0] begins a line. */
void game_log_read(struct game_log *game_log, struct grammar *grammar, struct span text,
                   bool is_line_start);

/* Ends a log, which has so many lines. */
void game_log_end(struct game_log *game_log, uint64_t lines);

/* Whether there is something to report, but for a game's lines that nothing is known of. */
static inline bool game_log_is_known(const struct game_log *game_log)
{
    return game_log->sample_count > 0 || game_log->places.count > 0;
}

void game_log_release(struct game_log *game_log);
