/*
 * arguments.h - what the recorder's setting `arguments` has counted of a function: how often it got
 * the same arguments again, and whether the results were equal then. supprof-log(5) defines each
 * count.
 */
#pragma once

#include <stdint.h>

enum argument_count {
    ARGUMENTS_CALLS,         /* whose arguments are known */
    ARGUMENTS_DISTINCT,      /* different arguments */
    ARGUMENTS_OTHER,         /* calls with further arguments, which were not kept */
    ARGUMENTS_REPEATS,       /* calls with arguments of an earlier one */
    ARGUMENTS_EQUAL,         /* of these: those with equal results */
    ARGUMENTS_TICK_REPEATS,  /* calls with arguments of an earlier one of the same tick */
    ARGUMENTS_TICK_EQUAL,    /* of these: those with equal results */
    ARGUMENTS_TICK_CONTENTS, /* of these: those with another table, of equal contents */
    ARGUMENTS_TICK_OTHER,    /* of tick repeats: those with other results */
    ARGUMENTS_RESULTS,       /* calls with a result that is not nil */
    ARGUMENTS_LARGE,         /* of repeats: those with results that are too large to compare */
    ARGUMENTS_FAILED,        /* calls that were given up */
    ARGUMENTS_COUNT
};

/* As the log and JSON have them. */
extern const char *const argument_count_names[ARGUMENTS_COUNT];

struct argument_counts {
    uint64_t of[ARGUMENTS_COUNT];
};
