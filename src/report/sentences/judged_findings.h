/*
 * judged_findings.h - what became of the findings of an old log, one by one, in a comparison?
 *
 *     Gone (old 0.75 ms a tick): GetQueue: 70% of its calls repeat the arguments of ...
 *     Still there (0.31, old 0.30 ms a tick): LocationExists is 12% of the time, by ...
 *     Found only in the old log, but Update itself takes about as much time (1.20, old 1.25 ms):
 *       ...
 *     New (2.10 ms a tick): ...
 *     In 3 of 5 logs, old 2 of 5 (0.31, old 0.30 ms a tick): ...
 *
 * A finding is the same if its kind and its function are, by the functions that a comparison finds
 * again. One that a side lacks is not gone if what it explains takes as much time there: the self
 * time of a function or of the calls that another one makes of it, or all of its time. Of threads
 * that errors ended, a log has a finding about one function, and the numbers of all others. What it
 * is about is in parentheses: its time or its count, the mean of the logs that have it. Of
 * --repeated, a side has what four of five of its logs have or more, and not what one of five has
 * or fewer; of findings between, the logs are counted if half of a side have them.
 */
#pragma once

#include "base/hash_index.h"
#include "report/figures/report.h"
#include "report/sentences/finding.h"

/* The findings of a side about the game, without the question about arguments. All zero: of no log.
 */
struct found {
    struct found_finding {
        enum finding_kind kind;
        uint32_t function; /* of its profile; TREE_NONE: none */
        /* What its time is of, which the other side may have, too. Functions as above. */
        struct explained {
            enum explained_time what;
            uint32_t function;
            uint32_t caller; /* of EXPLAINS_CALLS */
        } explained;
        struct text text; /* none: only its number is known */
        double value;     /* the sum of the logs that have it */
        size_t count;     /* of these logs */
        /* What --what-if promises of its repair; no text: not known. */
        struct text repair;
        struct tick_statistics promised;
    } * all; /* [count] */
    size_t count, capacity;
    struct index index; /* of `all`, by kind and function: of those that are the same, the first */
    size_t log_count;
    double ticks; /* of all of them; 0: times are of the whole, otherwise of a tick */
    struct tick_statistics times; /* of one log, but for the computer; no count: not known */
};

/* Adds the findings of a log. The report compares nothing. */
void found_add(struct found *found, const struct report *report);

/* Its functions get the ids that they have in another profile: `functions`, by their ids. */
void found_move(struct found *found, const uint32_t *functions);

/* Takes those of other logs of the same side, with the same ids. */
void found_join(struct found *found, struct found *from);
void found_release(struct found *found);

struct judged {
    const char *fate;                      /* for programs */
    const struct found_finding *now, *old; /* NULL: that side does not have it */
    bool is_promised;                      /* what is there was promised of the old one */
    size_t now_logs, old_logs;             /* how many have it */
    uint32_t function;                     /* of the report; TREE_NONE: none */
    struct text text;                      /* a clean sentence without a full stop */
};

enum { JUDGED_MAX = 2 * FINDING_KIND_COUNT };

/* Whether both sides of a comparison made the same calls in other times: then the computer made the
 * difference, which the sentence says. */
bool judged_is_of_computer(const struct report *report, struct text *sentence);

/* Judges the findings of both sides; returns how many there are: first those of the old one. None
 * where the computer made the difference. */
size_t judged_find(struct judged judged[JUDGED_MAX], const struct report *report);
void judged_release(struct judged *judged, size_t count);

/* The mean value on a side; -1: the side does not have it. */
double judged_value(const struct found_finding *finding);
