/*
 * finding.h - what is a finding? The list of all: what each measures, and what is shown of it.
 */
#pragma once

#include "base/text.h"
#include "report/figures/what_if.h"

enum { FINDING_NUMBERS_MAX = 11 };

/*
 * The list of all kinds of findings, in the order in which they are measured: `computer` before all
 * others, `candidates` after them. Each has a row in the file that measures it.
 */
#define FINDING_KINDS(KIND)                                                                        \
    KIND(COMPUTER, computer)                                                                       \
    KIND(SLOW_TICKS, slow_ticks)                                                                   \
    KIND(DISTANCE, distance)                                                                       \
    KIND(TREND, trend)                                                                             \
    KIND(FORKS, forks)                                                                             \
    KIND(WAKES, wakes)                                                                             \
    KIND(LOOP, loop)                                                                               \
    KIND(WHAT_IF, what_if)                                                                         \
    KIND(TWO_KINDS, two_kinds)                                                                     \
    KIND(INTERRUPTED, interrupted)                                                                 \
    KIND(SAME_ARGUMENTS, same_arguments)                                                           \
    KIND(KEPT_RESULTS, kept_results)                                                               \
    KIND(MANY_CALLS, many_calls)                                                                   \
    KIND(ENDED_THREADS, ended_threads)                                                             \
    KIND(HEAP, heap)                                                                               \
    KIND(HEAP_TREND, heap_trend)                                                                   \
    KIND(NO_NAMES, no_names)                                                                       \
    KIND(CLOCK, clock)                                                                             \
    KIND(CANDIDATES, candidates)

#define FINDING_OF_KIND(kind, row) FINDING_##kind,
enum finding_kind { FINDING_KINDS(FINDING_OF_KIND) FINDING_KIND_COUNT };

struct finding {
    enum finding_kind kind;
    uint32_t function; /* the function it is about; TREE_NONE: none */
    uint32_t caller;   /* another function that the sentence names: mostly one that calls it;
                          TREE_NONE: none */
    uint32_t through;  /* the C function by which that one does; TREE_NONE: none */
    int64_t time_ns;   /* the time it explains */
    int64_t gain_ns;   /* what a slow tick would lose at usual prices, as far as it is known */
    int64_t rank_ns;   /* the same, by which it is in order: see findings.h */
    bool is_shared;    /* many threads do it, in all ticks: what one place does comes before */
    /* What its repair changes, at most; without a function: not known. */
    struct {
        uint32_t function;
        struct what_if what_if;
    } repair;
    /* What the sentence says, for programs. */
    struct finding_number {
        const char *name; /* with its unit */
        double value;
    } numbers[FINDING_NUMBERS_MAX]; /* [number_count] */
    size_t number_count;
    struct text text; /* a clean sentence without a full stop */
};

/* The value of a number of a finding; 0 if it has none of that name. */
double finding_number(const struct finding *finding, const char *name);

/* What a log may lack. */
enum finding_data {
    OF_SLOW_TICKS = 1,
    OF_WORK = 2, /* of recorded ticks: work_sums.h */
    OF_LONG_CALLS = 4,
    OF_ARGUMENTS = 8,
    OF_COLLECTIONS = 16, /* of garbage */
    OF_MEMORY = 32,
};

/* What the rows are made of. */
struct finder;

/*
 * Finds the best candidate: sets its function, time and numbers. Returns the value that is compared
 * with `least`; below 0 if there is no candidate.
 */
typedef double finding_measure(struct finder *finder, struct finding *finding);

/* Appends the sentence. */
typedef void finding_put(const struct finder *finder, const struct finding *finding,
                         struct text *text);

/* What the time of a finding is of: a function's self or total time, or the self time of the calls
 * that `caller` makes of the function. */
enum explained_time { EXPLAINS_NOTHING, EXPLAINS_SELF, EXPLAINS_TOTAL, EXPLAINS_CALLS };

struct finding_row {
    const char *name; /* for programs */
    unsigned needs;   /* or of enum finding_data: without it there is nothing to measure */
    finding_measure *measure;
    double least;
    finding_put *put;
    const char *option; /* that shows more; NULL: it is --peek with the function */
    bool is_about_log;  /* not about the game */
    enum explained_time explains;
    bool is_of_caller; /* `caller` is what is to be repaired */
    double repaired;   /* the part of what it explains that a repair may save; 0: not known */
    const char *count; /* the number that a comparison shows; NULL: its time */
    bool names_worst;  /* the function is only the worst of several */
    bool is_of_slow;   /* its time is of slow ticks only */
    bool saves_nothing;
    bool is_no_share; /* worth saying however little time it is */
};

#define ROW_OF_KIND(kind, row) extern const struct finding_row finding_##row;
FINDING_KINDS(ROW_OF_KIND)
extern const struct finding_row *const finding_rows[FINDING_KIND_COUNT];

/* Appends what interrupted calls, as far as the log shows it. */
void finding_put_interruption(struct text *text, const struct long_calls *calls);

/* Appends the sentence about ticks that are slow at a regular distance; nothing if none are. */
void finding_put_distance(struct text *text, enum lua_state state,
                          const struct tick_distance *distance);
