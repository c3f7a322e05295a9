#include "report/sentences/finder.h"

const struct finding_row finding_rows[FINDING_KIND_COUNT] = {
    /* `least` is a percentage of the time of all slow ticks. */
    [FINDING_SLOW_TICKS] = {"slow-ticks", measure_slow_ticks, 30, put_slow_ticks, NULL,
                            "slow-ticks", false},
    /* Ticks between two slow ones. */
    [FINDING_DISTANCE] = {"distance", measure_distance, 1, put_distance, "--ticks", "ticks", false},
    /* A percentage of the slow ticks. */
    [FINDING_WHAT_IF] = {"what-if", measure_what_if, 20, put_what_if, "--what-if", "slow-ticks",
                         false},
    /* Percentages of all time. */
    [FINDING_INTERRUPTED] = {"interrupted", measure_interrupted, 1, put_interrupted, "--ticks",
                             "ticks", false},
    [FINDING_LONG_CALLS] = {"long-calls", measure_long_calls, 1, put_long_calls, NULL, "function",
                            false},
    [FINDING_SAME_WORK] = {"same-work", measure_same_work, 1, put_same_work, NULL, "function",
                           false},
    [FINDING_OTHER_SAME_WORK] = {"same-work", measure_same_work, 3, put_same_work, NULL, "function",
                                 false},
    [FINDING_GROWTH] = {"growth", measure_growth, 0.3, put_growth, NULL, "function", false},
    [FINDING_LOOP] = {"loop", measure_loop, 0.5, put_loop, NULL, "function", false},
    [FINDING_MANY_CALLS] = {"many-calls", measure_many_calls, 10, put_many_calls, NULL, "function",
                            false},
    /* Threads. */
    [FINDING_ENDED_THREADS] = {"ended-threads", measure_ended_threads, 10, put_ended_threads,
                               "--sort errors", "threads", false},
    /* A percentage of all heap growth. */
    [FINDING_HEAP] = {"heap", measure_heap, 40, put_heap, "--sort heap", "function", false},
    /* Percentages of all time. */
    [FINDING_NO_NAMES] = {"no-names", measure_no_names, 25, put_no_names, "--lua-root DIR", NULL,
                          true},
    [FINDING_CLOCK] = {"clock", measure_clock, 40, put_clock, "--columns noise,self,calls", NULL,
                       true},
};

double finding_number(const struct finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->number_count; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return finding->numbers[i].value;
    return 0;
}
