/*
 * event_play.h - events from a line of text given to rebuild.h, for tests.
 *
 * Functions have these names and numbers, here and in symbols.h; capitals are Lua. Sites
 * have these letters in the texts of events (see supprof-log(5), Events): a root has no
 * caller, and T and V are calls from an unknown line.
 *
 *     A, R, S, K         roots: A, B, C, CALIBRATE
 *     B, C, N, W, L, E   calls: B, C, NEXT, WAIT, A, EMPTY; U is B from another line
 *     T, V               calls of B and C
 *
 * Functions, and threads 0 to 4 of which 1 to 3 are coroutines, have their numbers: "@1"
 * is a change of thread, "^0." a return of A.
 */
#pragma once

#include "rebuild/rebuild.h"

enum { A, B, C, NEXT, WAIT, CALIBRATE, EMPTY, FUNCTION_COUNT };

struct event_play {
    struct rebuild_settings settings; /* for event_play_begin(), which makes `rebuild` */
    struct event_begin begin;         /* of the runs that begin: 1 ns is a unit */
    struct rebuild *rebuild;
    struct events events; /* that have not been given to it */
};

void event_play_init(struct event_play *play);

/* Ends what was played; what comes next is played to another rebuild. */
void event_play_reset(struct event_play *play);
void event_play_release(struct event_play *play);

/* The letter of a function. */
char event_play_name(uint32_t function);

/* Adds all definitions to the events that have not been given. */
void event_play_define(struct event_play *play);

/* Begins a run with all definitions. */
void event_play_begin(struct event_play *play, uint32_t run);
void event_play_define_function(struct event_play *play, uint32_t function);

/* Its function must be defined. */
void event_play_define_site(struct event_play *play, uint32_t site, struct event_site definition);

/* Adds the events of one line to those that have not been given. */
void event_play_put_text(struct event_play *play, const char *text, size_t length);

/* Plays lines of events: "|" ends one, and "?|" means that others are missing after it. */
void event_play_text(struct event_play *play, const char *text);
