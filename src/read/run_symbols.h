/*
 * run_symbols.h - what the lines of one run of the recorder define: sources, functions,
 * sites and threads, by the numbers that the log gave them.
 *
 * Functions, sites and threads get numbers of their own here, which count from 0, and are
 * put among the events as they are defined.
 */
#ifndef SUPPROF_RUN_SYMBOLS_H
#define SUPPROF_RUN_SYMBOLS_H

#include "base/intern.h"
#include "read/events.h"
#include "read/grammar.h"
#include "read/id_map.h"
#include "tree/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero, but for `symbols`, has defined nothing. */
struct run_symbols {
    struct symbols *symbols; /* not owned */
    struct id_map sources;   /* 1 + string id */
    struct id_map functions; /* 1 + function */
    struct id_map sites;     /* event_make(EVENT_CALL or EVENT_ROOT_CALL, site, 0).what */
    struct id_map threads;   /* 1 + thread */
    uint32_t function_count, site_count, thread_count;
    uint32_t calibrator;    /* 1 + function of the log; 0: not known */
    uint32_t lost_function; /* 1 + function that stands for those of sites that are not defined */
    struct known_function {
        uint32_t symbol; /* id in symbols.h */
        bool is_named;   /* the run has told its name, which it does once */
    } * known;           /* [function_count] */
    size_t known_capacity;
};

/* A kind of line that defines something. */
struct definition_kind;

/* Returns NULL when lines of that kind define nothing. */
const struct definition_kind *run_symbols_kind(struct span kind);

/* Whether such lines are put among the events. */
bool run_symbols_makes_events(const struct definition_kind *kind);

/* Reads a line of that kind and appends its events. Fails on a line that is damaged. */
bool run_symbols_read(struct run_symbols *run, const struct definition_kind *kind,
                      struct grammar *grammar, struct span text, struct events *events);

/* Returns the thread with a number of the log; one that is not defined becomes a coroutine. */
uint32_t run_symbols_thread(struct run_symbols *run, uint32_t id, struct events *events);

/* Defines what events_read() has not found, whose definition is lost. */
void run_symbols_define_missing(struct run_symbols *run, enum events_problem problem, uint32_t id,
                                struct events *events);

/* Reads a number of the log. */
bool run_symbols_id(struct span text, uint32_t *id);

void run_symbols_release(struct run_symbols *run);

#endif
