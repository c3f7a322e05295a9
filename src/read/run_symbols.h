/*
 * run_symbols.h - the definitions of one run of the recorder: sources, functions, sites and
 * threads, by their numbers in the log.
 *
 * Functions, sites and threads get new numbers here, which count from 0, and their definitions are
 * put among the events.
 */
#pragma once

#include "base/intern.h"
#include "read/events.h"
#include "read/events_text.h"
#include "read/grammar.h"
#include "read/id_map.h"
#include "tree/symbols.h"

/* With `symbols` set and all else zero it has no definitions yet. */
struct run_symbols {
    struct symbols *symbols; /* not owned */
    struct events *events;   /* not owned; set before each line: definitions are put there */
    struct id_map sources;   /* 1 + string id */
    struct id_map functions; /* 1 + function */
    struct id_map sites;     /* event_make(EVENT_CALL or EVENT_ROOT_CALL, site, 0).what */
    struct id_map threads;   /* 1 + thread */
    uint32_t function_count, site_count, thread_count;
    uint32_t calibrator;    /* 1 + function of the log; 0: unknown */
    uint32_t lost_function; /* 1 + function of sites whose definition is missing */
    struct known_function {
        uint32_t symbol; /* id in symbols.h */
        bool is_named;   /* the run has named it, which it does only once */
    } * known;           /* [function_count] */
    size_t known_capacity;
};

/* A kind of line that defines something. */
struct definition_kind;

/* Returns NULL if lines of that kind define nothing. */
const struct definition_kind *run_symbols_kind(struct span kind);

/* Whether the definitions of such lines are put among the events. */
bool run_symbols_makes_events(const struct definition_kind *kind);

/* Reads a line of that kind and appends its events. Fails on a damaged line. */
bool run_symbols_read(struct run_symbols *run, const struct definition_kind *kind,
                      struct grammar *grammar, struct span text);

/* Returns the thread with a number of the log; one that is not defined becomes a coroutine. */
uint32_t run_symbols_thread(struct run_symbols *run, uint32_t id);

/* Defines an id that events_read() has not found, because its definition is lost. */
void run_symbols_define_missing(struct run_symbols *run, enum events_problem problem, uint32_t id);

/* Reads a number of the log. */
bool run_symbols_id(struct span text, uint32_t *id);

void run_symbols_release(struct run_symbols *run);
