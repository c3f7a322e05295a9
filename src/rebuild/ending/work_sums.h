/*
 * work_sums.h - what is left of struct work (work.h) when the only recording has ended: what may be
 * worth a sentence. With several recordings nothing is: the sums of one would look like those of
 * all.
 */
#pragma once

#include "rebuild/stacks/nodes.h"
#include "rebuild/stacks/work.h"
#include "rebuild/ticks/prices.h"

struct line_sum {
    uint32_t caller, callee;
    int32_t line; /* as in stacks.h */
    uint32_t invocations, largest;
    uint64_t calls;
    /* Calls of each so many invocations; the last bucket may be of fewer, and is not counted. */
    uint32_t buckets[CALL_LINE_BUCKETS], bucket_count, width;
};

struct same_sum {
    uint32_t function;
    uint32_t calls; /* that do the same */
    uint32_t below; /* calls in each of them */
    uint32_t every; /* so many ticks there are calls, in 3 of 4; 0: they come at no such distance */
    double part;    /* of the time in all calls of the function that returned */
};

struct work_sums {
    struct line_sum *lines; /* [line_count]: with LINE_CALLS_MIN calls an invocation or more; not
                               of what a loop calls at each turn */
    size_t line_count;
    struct same_sum *same; /* [same_count]: of each function the most frequent */
    size_t same_count;
    struct long_call *long_calls; /* [long_count] */
    size_t long_count;
    struct function_work {
        double measured_ns; /* self time, before the recording overhead is subtracted */
        double usual_part;  /* of that: at the usual price of its calls (prices.h); 1: not known */
        double price_ns;    /* of one call; 0: not known */
        double tick_calls;  /* in the mean of the ticks that are not slow */
    } * functions;          /* [function_count] by id of symbols.h */
    size_t function_count;
    double unit_ns;
    size_t recording_count; /* recordings that were added; all is empty if there are several */
};

enum { LINE_CALLS_MIN = 4 };

/* Adds a recording whose nodes can still be read. `prices` are finished. Takes the lists of `work`.
 */
void work_sums_add(struct work_sums *sums, struct work *work, const struct nodes *nodes,
                   const struct prices *prices, double unit_ns);

void work_sums_release(struct work_sums *sums);
