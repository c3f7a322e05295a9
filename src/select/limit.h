/*
 * limit.h - a limit of --fail-if as the user writes it: a quantity, and what is too much of it.
 *
 *     limit     quantity [ "(" argument ")" ] ( ">" | "<" ) [ "+" | "-" ] number [ unit ]
 *     quantity  total | self | calls | errors | alloc | ticks-over
 *     unit      ns us ms s, KB MB, or none, each with /tick or /call after it or not; or %
 *
 *     total>+5%                 the new time is more than that of the old log and 5 % of that
 *     self(OnDamage)>2ms/tick   functions that match took more than 2 ms of their own in a tick
 *     ticks-over(100)>0         some tick took more than 100 ms
 *     errors>0                  some call was ended by an error
 *
 * The argument is a pattern (see pattern.h), of ticks-over a number of ms; it goes up to the last
 * parenthesis, so it can have parentheses of its own. Blanks may stand between all parts. A
 * number with a sign is a change from the old log to the new one, and so is a percentage.
 */
#ifndef SUPPROF_LIMIT_H
#define SUPPROF_LIMIT_H

#include "base/error.h"
#include "base/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum limit_quantity {
    LIMIT_TOTAL, /* time, with what was called; of a pattern that of the stacks with a match */
    LIMIT_SELF,  /* time without what was called */
    LIMIT_CALLS,
    LIMIT_ERRORS,
    LIMIT_ALLOC,
    LIMIT_TICKS_OVER, /* a number of ticks */
};

enum limit_per { PER_NOTHING, PER_TICK, PER_CALL };

struct limit {
    const char *text; /* as given; not owned */
    enum limit_quantity quantity;
    struct pattern *pattern; /* of functions; NULL: of all */
    int64_t tick_ns;         /* of ticks-over */
    bool is_below;           /* less than the bound is too little */
    bool is_change;          /* the bound is for the difference to the old log */
    bool is_percent;         /* and is a percentage of the old value */
    double bound;            /* nanoseconds, calls, errors, KB, ticks, or percent */
    double unit;             /* the bound is so many times what was written; 1 for percent */
    char unit_name[12];      /* "ms/tick", "%", "" */
    enum limit_per per;
};

/* Reads a limit; `text` must outlive it. The error says what is wrong, but not in which option. */
bool limit_parse(struct limit *limit, const char *text, struct error *err);
void limit_release(struct limit *limit);

/* "total", "ticks-over" and so on. */
const char *limit_quantity_name(enum limit_quantity quantity);

#endif
