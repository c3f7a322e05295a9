/*
 * findings.h - the most important facts about a profile, as sentences with numbers:
 *
 *     slow ticks     BuildThreatMap is 92% of the time of the 4 slow ticks (over 100 ms), and
 *                    35% of all other ticks
 *     distance       Slow ticks come every 37 ticks (3.7 s): look for a thread that wakes as often
 *     many calls     next is 14% of the time, by 1,204,551 calls of 7.0 us each; 78% of them are
 *                    made by ReclaimablesInArea lua/ai/aiutilities.lua:812
 *     errors         4,200 calls of FindBase ended with an error
 *     heap growth    Spawn makes 63% of the growth of the memory in use (12,345 KB)
 *     no names       41% of the time is in Lua functions without a name; --lua-root finds names:
 *                    left out if sources were given
 *     clock          62% of the time is in functions too short for the clock, which has steps of
 *                    244 us; record for longer, or soon after the game has started
 *
 * Each has a threshold, below which it is left out. There are at most FINDINGS_MAX; the
 * first ones explain the most time.
 */
#pragma once

#include "base/text.h"
#include "names/labels.h"
#include "rebuild/ending/slow_sums.h"
#include "rebuild/ticks/ticks.h"
#include "report/figures/report.h"
#include "tree/symbols.h"
#include "tree/tree.h"

enum { FINDINGS_MAX = 5 };

enum finding_kind {
    FINDING_SLOW_TICKS,
    FINDING_DISTANCE,
    FINDING_MANY_CALLS,
    FINDING_ERRORS,
    FINDING_HEAP,
    FINDING_NO_NAMES,
    FINDING_CLOCK,
    FINDING_KIND_COUNT
};

struct finding {
    enum finding_kind kind;
    uint32_t function; /* the function it is about; TREE_NONE: none */
    int64_t time_ns;   /* the time it explains */
    struct text text;  /* a clean sentence without a full stop */
};

/* The input of findings; nothing is owned. */
struct findings_source {
    const struct tree *tree; /* with calling lines, of the whole profile */
    const struct symbols *symbols;
    const struct labels *labels;
    const struct tick_list *ticks;
    const struct slow_sums *slow;              /* empty: not known */
    double clock_step_ns;                      /* the largest of all recordings; 0: not known */
    const struct wrong_callers *wrong_callers; /* functions that lead no finding; NULL: none */
    const struct long_calls *long_calls;       /* as well */
    bool has_sources;                          /* for names */
};

struct findings {
    struct finding
        all[FINDING_KIND_COUNT]; /* [count], sorted by explained time, the largest first */
    size_t count;
};

void findings_init(struct findings *findings, const struct findings_source *source);
/*
 * Whether the report compares nothing, and no option has filtered or folded its call stacks:
 * findings are made only then.
 */
bool findings_are_wanted(const struct report *report);

/* The findings of a report; none if they are not wanted. */
void findings_find(struct findings *findings, const struct report *report);

void findings_release(struct findings *findings);

/* Appends the sentence about ticks that are slow at a regular distance; nothing if none are. */
void finding_put_distance(struct text *text, const struct tick_distance *distance);

extern const struct finding_kind_info {
    const char *name;   /* for programs */
    const char *option; /* that shows more; NULL: it is --peek with the function */
} finding_kinds[FINDING_KIND_COUNT];
