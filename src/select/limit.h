/*
 * limit.h - a limit of --fail-if as the user writes it: a quantity and a bound.
 *
 *     limit     quantity [ "(" argument ")" ] ( ">" | "<" ) [ "+" | "-" ] number [ unit ]
 *     quantity  total | self | calls | errors | alloc | ticks-over
 *     unit      ns us ms s, KB MB, or none; /tick or /call may follow; or %
 *
 *     total>+5%                 the new total time is over 5 % larger than that of the old log
 *     self(OnDamage)>2ms/tick   the self time of matching functions is more than 2 ms per tick
 *     ticks-over(100)>0         at least one tick took more than 100 ms
 *     errors>0                  at least one call ended with an error
 *     calls(?OnDamage)>100      the same as with OnDamage, but there may be no such function
 *
 * The argument is a pattern (see pattern.h), or of ticks-over a number of ms. It ends at the last
 * parenthesis, so it may contain parentheses. Blanks are allowed between all parts. A number with
 * a sign is a change from the old log to the new one; so is a percentage.
 */
#pragma once

#include "base/error.h"
#include "base/pattern.h"

enum limit_quantity {
    LIMIT_TOTAL, /* total time; with a pattern, of the stacks with a match */
    LIMIT_SELF,  /* self time */
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
    bool may_match_nothing;  /* otherwise a pattern without a match is an error */
    int64_t tick_ns;         /* of ticks-over */
    bool is_below;           /* the limit is broken below the bound, not above it */
    bool is_change;          /* the bound is for the difference from the old log */
    bool is_percent;         /* the bound is a percentage of the old value */
    double bound;            /* nanoseconds, calls, errors, KB, ticks, or percent */
    double unit;             /* factor from the written number to the bound; 1 for percent */
    char unit_name[12];      /* "ms/tick", "%", "" */
    enum limit_per per;
};

/* Reads a limit; `text` must outlive it. The error says what is wrong, but not in which option. */
bool limit_parse(struct limit *limit, const char *text, struct error *err);
void limit_release(struct limit *limit);

/* "total", "ticks-over" and so on. */
const char *limit_quantity_name(enum limit_quantity quantity);

/* What a limit came to. */
struct limit_result {
    const struct limit *limit; /* not owned */
    uint32_t match_count;      /* functions; 0 without a pattern */
    double now, old;           /* in the limit's units, see struct limit; medians of --repeated */
    double change;             /* compared with the bound, if that is a change; may be infinite */
    bool is_told_apart;        /* the change is larger than the clocks' error, or chance */
    bool is_broken;
    bool is_unsure; /* it would be broken, but the change cannot be told apart */
};
