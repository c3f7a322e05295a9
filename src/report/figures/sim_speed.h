/*
 * sim_speed.h - how fast the sim of a game ran, over game time: 1 is real time, half of it 0.5.
 *
 * The times in the log are whole seconds, so a speed is of SPEED_REAL_LEAST_S or more. Between two
 * lines that have the same game time the game stood still, since somebody had paused it or all
 * players waited for one: that is no speed. Nor is the time between two lines in which a connection
 * was lost, or in which the game stood still for a part: what is several times slower than before
 * and after it.
 */
#pragma once

#include "profile/profile.h"

enum { SPEED_COLUMNS_MAX = 60, SPEED_REAL_LEAST_S = 20 };

/* A column is slow if its speed is less. */
#define SPEED_SLOW 0.9

/* What part of the fastest speed, in a game faster than real time, is much less. */
#define SPEED_FALLEN 0.7

/* All zero is before the first game. */
struct sim_speed {
    size_t first, end; /* samples of the game */
    int64_t session_s; /* in which the game ran; 0: the log does not say it */
    int64_t moved_s;   /* game time that passed in it */
    int64_t still_s;   /* in which it stood still, all or in part */
    int64_t waited_s;  /* in which a connection was lost: part of still_s */
    int64_t column_s;  /* game time of a column; the first begins at that of `first` */
    size_t column_count;
    double columns[SPEED_COLUMNS_MAX];      /* [column_count]; -1: not known */
    size_t slow_count, slow_first, slowest; /* columns */
    bool stays_slow;                        /* from slow_first on */
    double fastest;                         /* of the columns; 0: none is known */
    size_t falls_at; /* from this column on all are below SPEED_FALLEN of the fastest; 0: not so */
    size_t heap_first, heap_last, heap_most; /* samples; SIZE_MAX: the log does not say it */
};

/* The game of a log that has the most game time in a known real time; `session_s` is 0 without. */
struct sim_speed sim_speed_longest(const struct game_log *game_log);

/* The part of such a game between two game times. */
struct sim_pace {
    double moved_s, real_s; /* without the time in which it stood still */
};
struct sim_pace sim_speed_between(const struct sim_speed *speed, const struct game_log *game_log,
                                  int64_t from_s, int64_t to_s);

/* Goes on to the next game. Returns false if there is none; the report of a crash has only the last
   lines of one. */
bool sim_speed_next(struct sim_speed *speed, const struct game_log *game_log, size_t columns_max);
