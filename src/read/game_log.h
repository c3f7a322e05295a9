/*
 * game_log.h - the game's own lines in a log, which need no recorder: how fast the sim ran, the
 * size of the heap, how it ended, errors of Lua scripts, which mods were active, what M28AI
 * measured, and what fills the log. supprof-log(5) describes them. They are known from FAForever/fa
 * (lua/system/logger.lua, lua/SessionInit.lua, lua/simInit.lua, issues 315, 1131, 1178, 2332, 2831,
 * 3162, 3466, 3900, pull requests 5980, 6310), LOUD-Project/Git-LOUD (bin/Loud-Dev.log, issue 22)
 * and M3RT1N99/faf-re (CScriptObject.cpp, CLuaTask.cpp, WinMain.cpp, CScApp.cpp).
 *
 * A line that does not fit the grammar is left out: nothing is guessed. The log gives game times in
 * whole seconds, every 10 or 30 s, and anything else has that of the last such line before it.
 */
#pragma once

#include "base/hash_index.h"
#include "base/text.h"
#include "read/grammar.h"

/* What a line says of a moment. Sizes are in bytes. */
struct game_log_sample {
    int64_t session_s; /* since the program was started; -1: not in the line */
    int64_t game_s;    /* of the game */
    double heap;       /* -1: not in the line */
    bool has_wait;     /* since the sample before, the game waited for a player */
    bool begins;       /* the first of a game: a time is smaller than before */
    bool is_after_end; /* the sim had crashed: its clock stands */
};

/*
 * Errors with the same place and message; numbers, addresses and names in the message may differ.
 */
struct game_log_error {
    uint64_t count;
    uint64_t lines;                 /* of the log, with call stacks */
    int64_t first_s, last_s;        /* game times; -1: not known */
    uint32_t what, place, message;  /* ids of `texts`; place is empty if the log does not name it */
    uint32_t stack;                 /* the lines after the first error, an id of `texts` */
    uint32_t first_link, last_link; /* LINK_NONE: no link */
    bool is_of_mod;                 /* its place is in a mod */
};

/* What an error has to do with: a mod in its call stack, or a file that it kept from loading. */
struct game_log_link {
    uint32_t text; /* an id of `texts` */
    uint32_t next; /* of the same error, or LINK_NONE */
    uint64_t count;
    bool is_broken_file;
};
#define LINK_NONE UINT32_MAX

/* How a game ended, or went out of step; in each game the first of its kind. */
struct game_log_end {
    enum game_line kind;  /* LINE_SIM_CRASH, LINE_EXCEPTION or LINE_DESYNC */
    uint32_t what, where; /* ids of `texts`: the reason, or the kind and address of an exception;
                             without an address, LINE_EXCEPTION is a crash with another reason */
    uint64_t beat;        /* of LINE_DESYNC */
    int64_t game_s;       /* -1: not known */
    double heap;          /* -1: not known */
};

/* A player whose connection was lost, for whom the game waited. */
struct game_log_wait {
    uint32_t player;     /* an id of `texts` */
    size_t sample_count; /* of the log so far: the last of these is of the same game */
    int64_t game_s;      /* -1: not known */
    bool is_ejected;     /* in the end */
};

/*
 * What M28AI writes by itself: each 10 s how long they took and how many units there were, and sums
 * of its own timers; of the latter, the last list counts.
 */
enum { UNIT_CLASSES = 7, M28_SECONDS = 10 };
extern const uint32_t game_log_unit_classes[UNIT_CLASSES]; /* the fewest units of each */
struct game_log_units {
    uint64_t count; /* of such lines */
    double time_s;
};
struct game_log_timer {
    uint32_t function; /* an id of `texts` */
    uint64_t calls;
    int64_t time_ns;
};

/* What lines with the same folded text have. */
enum { OTHER_MODS = 4 };
struct game_log_other {
    uint64_t count, lines; /* with the call stacks below them */
    uint32_t path;         /* of the first path in the first of them, an id of `other_paths` */
    uint32_t path_length;  /* so much of it all of them have, whole folders; 0: no path */
    uint32_t path_at;      /* where it stands in the folded text, as "..." */
    struct game_log_owner {
        uint32_t mod; /* of the path, an id of `texts` */
        uint64_t count;
    } mods[OTHER_MODS];
};

/* Of one log. All zero is empty. */
struct game_log {
    uint64_t lines;                  /* by game_log_end(), as all else of its last lines */
    uint64_t modules;                /* loaded, in all Lua states */
    uint64_t ends;                   /* lines that say that the game has ended */
    uint64_t report_lines;           /* it is the report of a crash, with so many last lines */
    bool has_mods;                   /* a list of mods has begun, which may be empty */
    bool is_changed;                 /* it has lines of a recorder in upper case */
    struct text mark;                /* without such lines: what is before a severity, a copy's */
    bool is_game;                    /* a line has a severity, as the game writes it */
    struct game_log_sample *samples; /* [sample_count] */
    size_t sample_count, sample_capacity;
    struct game_log_error *errors; /* [row_count] */
    size_t row_count, error_capacity;
    struct intern link_keys;
    struct game_log_link *links; /* [link_keys.count] */
    size_t link_capacity;
    struct game_log_end *game_ends; /* [end_count] */
    size_t end_count, end_capacity;
    struct game_log_wait *waits; /* [wait_count], as in the log */
    size_t wait_count, wait_capacity;
    bool has_wait; /* since the last sample */
    struct game_log_units units[UNIT_CLASSES];
    struct game_log_timer *timers; /* [timer_count] */
    size_t timer_count, timer_capacity;
    struct intern texts;
    struct intern mods;   /* "Ranges v11" */
    struct intern maps;   /* the folders of those that were loaded */
    struct intern others; /* folded texts of lines that are nothing of the above, frequent ones */
    struct game_log_other *other_rows; /* [others.count] */
    size_t other_capacity;
    struct intern other_paths;
    uint64_t orphan_lines; /* of those counted: without a severity, and not indented */
    uint64_t other_bytes, counted_bytes, counted_lines; /* of all such lines, of those counted */

    /* Private. */
    double heap;           /* of the last game: the last that is known, or -1 */
    size_t past_end_count; /* ends of the games before it */
    enum game_log_block {
        BLOCK_NONE,
        BLOCK_ERROR,
        BLOCK_OTHER,
        BLOCK_MODS
    } block;              /* whose lines may follow */
    uint32_t block_error; /* or the id of a text of `others` */
    struct text held;     /* the last line that was nothing: a call stack may follow */
    bool is_held_counted;
    bool has_cause;     /* block_error is what files after it could not be imported for */
    bool wants_stack;   /* of that error */
    uint8_t wants_mods; /* so many lines in mods: the last of them called */
    struct intern rows; /* places with folded messages; [row_count] */
    struct text stack, mod, key;
};

/* Reads the lines of text. `is_line_start` says whether text.at[0] begins a line. */
void game_log_read(struct game_log *game_log, struct grammar *grammar, struct span text,
                   bool is_line_start);

/* Reads a last line that has no end: it may say how the game ended. */
void game_log_read_rest(struct game_log *game_log, struct grammar *grammar, struct span text);

/* Ends a log of so many lines. */
void game_log_end(struct game_log *game_log, struct grammar *grammar, uint64_t lines);

/* Whether a log has errors with the place and message of a row of another log. */
bool game_log_has_row(const struct game_log *game_log, const struct game_log *other, uint32_t row);

/* Whether there is something to report, but for a game's lines that nothing is known of. */
static inline bool game_log_is_known(const struct game_log *game_log)
{
    return game_log->sample_count + game_log->row_count + game_log->end_count +
               game_log->timer_count >
           0;
}

void game_log_release(struct game_log *game_log);
