/*
 * finding.h - one finding, and the input from which all are made.
 */
#pragma once

#include "base/text.h"
#include "names/labels.h"
#include "rebuild/ending/slow_sums.h"
#include "rebuild/ending/work_sums.h"
#include "rebuild/ticks/ticks.h"
#include "select/long_calls.h"
#include "select/wrong_callers.h"
#include "tree/symbols.h"
#include "tree/tree.h"

enum { FINDING_NUMBERS_MAX = 6 };

enum finding_kind {
    FINDING_SLOW_TICKS,
    FINDING_DISTANCE,
    FINDING_INTERRUPTED,
    FINDING_LONG_CALLS,
    FINDING_SAME_WORK,
    FINDING_GROWTH,
    FINDING_LOOP,
    FINDING_WHAT_IF,
    FINDING_MANY_CALLS,
    FINDING_ERRORS,
    FINDING_ENDED_THREADS,
    FINDING_HEAP,
    FINDING_NO_NAMES,
    FINDING_CLOCK,
    FINDING_KIND_COUNT
};

struct finding {
    enum finding_kind kind;
    uint32_t function; /* the function it is about; TREE_NONE: none */
    uint32_t caller;   /* the function that calls it, if the sentence names one; or TREE_NONE */
    int64_t time_ns;   /* the time it explains */
    /* What the sentence says, for programs. */
    struct finding_number {
        const char *name; /* with its unit */
        double value;
    } numbers[FINDING_NUMBERS_MAX]; /* [number_count] */
    size_t number_count;
    struct text text; /* a clean sentence without a full stop */
};

/* The input of findings; nothing is owned. */
struct findings_source {
    const struct tree *tree; /* with calling lines, of the whole profile */
    const struct symbols *symbols;
    const struct labels *labels;
    const struct tick_list *ticks;
    const struct slow_sums *slow;              /* empty: not known */
    const struct work_sums *work;              /* empty: not known */
    double clock_step_ns;                      /* the largest of all recordings; 0: not known */
    const struct wrong_callers *wrong_callers; /* functions that lead no finding; NULL: none */
    const struct long_calls *long_calls;       /* as well */
    bool has_sources;                          /* for names */
};

/* The value of a number of a finding; 0 if it has none of that name. */
double finding_number(const struct finding *finding, const char *name);
