/*
 * findings.h - what are the most important facts about a profile? Sentences with numbers:
 *
 *     computer       With usual call times, all 22 slow ticks would take 49 ms or less: record
 *                    again
 *     slow-ticks     BuildThreatMap is 92% of the time of the 4 slow ticks (over 100 ms), and
 *                    35% of all other ticks
 *     what-if        Half the self time of BuildThreatMap would leave 2 of 14 slow ticks; 41% of
 *                    it, none
 *     distance       Slow ticks come every 37 ticks (3.7 s): 85% of their time is in threads of
 *                    ThreatMapThread
 *     trend          Ticks get longer: 0.12 ms at first, 2.6 ms at the end. 51 threads of Assist
 *                    at first, 600 at the end, forked by EngineerManager, line 3; none has ended
 *     forks          OnCreate, line 10, forks 23,948 threads of ShellThread that wait once and
 *                    end: 0.05 ms a tick
 *     wakes          400 threads of FuelThread wake in each tick: 240,000 wakes, with what they
 *                    call 61% of the time
 *     many-calls     DeepCopy is 14% of the time, by 1,204,551 calls of 7.0 us each; it calls
 *                    itself, and 78% of them are made below GetPreference, line 12
 *     same-arguments GetQueue: 70% of its calls repeat the arguments of an earlier call of the same
 *                    tick, always with equal results: 212.0 ms of 308.0 ms; keep them, if the
 *                    function does nothing else
 *     kept-results   FindPath: 12 different arguments in 804 calls, equal ones always give equal
 *                    results, the last one 3 ticks before (median): kept for 10 ticks, they save
 *                    75%, 95.4 ms of 127.2 ms, if the function does nothing else
 *     ended-threads  69 threads that began in Regenerate ended with an error that nothing
 *                    caught: /lua/shield.lua:608: attempt to perform arithmetic on ...
 *     heap           Spawn makes 63% of the growth of the memory in use (12,345 KB)
 *     no-names       41% of the time is in Lua functions without a name; --lua-root finds names:
 *                    left out if sources were given
 *     clock          62% of the time is in functions too short for the clock, which has steps of
 *                    244 us; record for longer, or soon after the game has started
 *
 *     candidates     Do the arguments repeat? Record with arguments =
 *                    {'GetMarkersByType', 'lua/ai/aiutilities.lua:345'}
 *
 * Each is a row of finding.h: what it measures, from which value on it is found, its sentence,
 * and where to see more. There are at most FINDINGS_MAX, one of each kind; the first ones would
 * save the most in a slow tick, at the usual prices of its calls; if none is slow, in the slowest
 * 1 %. Where no tick is slow, nothing is said that would save less than 5 ms there and is less than
 * 10 % of the time, but of ticks that get longer, errors and memory. Those about the log come last,
 * and only if there is room; candidates, of which there is one line at most, come after all.
 */
#pragma once

#include "report/figures/report.h"
#include "report/sentences/finding.h"

enum { FINDINGS_MAX = 5 };

struct findings {
    struct finding all[FINDING_KIND_COUNT]; /* [count], in the order in which they are shown */
    size_t count;
};

/*
 * Whether the report compares nothing, and no option has filtered or folded its call stacks:
 * findings are made only then.
 */
bool findings_are_wanted(const struct report *report);

/* How many threads that began with each function an error has ended; the caller frees it. */
uint64_t *ended_threads_count(const struct tree *tree, uint32_t function_count);

/* Appends a line about recordings with memory whose heap has no trend, or that cannot tell. */
void findings_put_steady_heap(struct text *lines, const struct report *report);

/* The findings of a report; none if they are not wanted. */
void findings_find(struct findings *findings, const struct report *report);
void findings_release(struct findings *findings);
