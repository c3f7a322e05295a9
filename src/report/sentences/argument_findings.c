/*
 * Is work done again that gave the same before? The findings about arguments that come again, and
 * the line in --peek.
 */
#include "base/mem.h"
#include "report/sentences/arguments_line.h"
#include "report/sentences/finder.h"
#include "report/sentences/wrap.h"

#include <math.h>

static uint64_t of(const struct argument_counts *counts, enum argument_count kind)
{
    return counts->of[kind];
}

static double repeated_fraction(const struct argument_counts *counts)
{
    double fraction =
        (double)of(counts, ARGUMENTS_TICK_REPEATS) / (double)of(counts, ARGUMENTS_CALLS);
    return fraction < 1 ? fraction : 1;
}

/* The fraction of the function's time that repeats take; where it was not recorded, that of calls.
 */
static double repeated_time(const struct argument_counts *counts)
{
    double all_ns = (double)of(counts, ARGUMENTS_NS);
    return all_ns > 0 ? fmin((double)of(counts, ARGUMENTS_TICK_NS) / all_ns, 1)
                      : repeated_fraction(counts);
}

/* Whether all repeats gave equal results; of one in 100 they may be unknown. */
static bool is_always_equal(const struct argument_counts *counts)
{
    return of(counts, ARGUMENTS_TICK_OTHER) == 0 && of(counts, ARGUMENTS_TICK_EQUAL) > 0 &&
           (double)of(counts, ARGUMENTS_TICK_EQUAL) >=
               0.99 * (double)of(counts, ARGUMENTS_TICK_REPEATS);
}

/* The fraction of the calls that have the arguments of an earlier one, in any tick. */
static double later_fraction(const struct argument_counts *counts)
{
    return fmin((double)of(counts, ARGUMENTS_REPEATS) / (double)of(counts, ARGUMENTS_CALLS), 1);
}

/* How many arguments are different: of several recordings, only how many are in one. */
static const char *least_word(const struct argument_counts *counts)
{
    return counts->recordings > 1 ? "at least " : "";
}

/* Appends ", the last one 3 ticks before (median)", where the recorder has counted that. */
static void put_between(struct text *text, const struct report *report,
                        const struct argument_counts *counts)
{
    const struct tick_kind *kind = &tick_kinds[report->profile->rebuild.state];
    uint64_t ticks = of(counts, ARGUMENTS_BETWEEN);
    if (ticks > 0 && counts->recordings == 1)
        text_printf(text,
                    ", the last one %s before (median)",
                    amount_things(ticks, kind->one, kind->many).at);
}

/* Of a function that is called by a variable, only the arguments are known; so of one that has not
 * returned, as what a thread begins with. */
static bool knows_results(const struct argument_counts *counts)
{
    return of(counts, ARGUMENTS_RESULTS) > 0 || of(counts, ARGUMENTS_EQUAL) > 0 ||
           of(counts, ARGUMENTS_TICK_OTHER) > 0 || of(counts, ARGUMENTS_REPEATS) == 0;
}

/* Appends what is known of calls in the same tick. */
static void put_of_tick(struct text *line, const struct report *report,
                        const struct argument_counts *counts)
{
    text_printf(line,
                "%s (%.0f%%) have those of an earlier call of the %s",
                amount_count(of(counts, ARGUMENTS_TICK_REPEATS)).at,
                100 * repeated_fraction(counts),
                tick_kinds[report->profile->rebuild.state].one);
    if (!knows_results(counts)) {
        text_put_string(line,
                        "; their results are not known: a variable has the function, or no call"
                        " returned");
        return;
    }
    text_printf(line, ": %s equal results", amount_count(of(counts, ARGUMENTS_TICK_EQUAL)).at);
    if (of(counts, ARGUMENTS_TICK_CONTENTS) > 0)
        text_printf(line,
                    ", %s of them in another table",
                    amount_count(of(counts, ARGUMENTS_TICK_CONTENTS)).at);
    text_printf(line, ", %s others", amount_count(of(counts, ARGUMENTS_TICK_OTHER)).at);
}

void arguments_line_put(struct text *text, const struct report *report, uint32_t function)
{
    const struct argument_counts *counts = report_arguments(report, function);
    struct text line = {0};
    if (counts == NULL)
        return;
    text_printf(&line,
                "  arguments: %s%s different in %s; ",
                least_word(counts),
                amount_count(of(counts, ARGUMENTS_DISTINCT)).at,
                amount_things(of(counts, ARGUMENTS_CALLS), "call", "calls").at);
    if (of(counts, ARGUMENTS_REPEATS) > of(counts, ARGUMENTS_TICK_REPEATS)) {
        text_printf(&line,
                    "%s (%.0f%%) have those of an earlier call",
                    amount_count(of(counts, ARGUMENTS_REPEATS)).at,
                    100 * later_fraction(counts));
        if (knows_results(counts))
            text_printf(&line, ": %s equal results", amount_count(of(counts, ARGUMENTS_EQUAL)).at);
        put_between(&line, report, counts);
        text_put_string(&line, "; ");
    }
    put_of_tick(&line, report, counts);
    if (of(counts, ARGUMENTS_LARGE) > 0)
        text_printf(&line,
                    "; %s results of all repeats were too large to compare",
                    amount_count(of(counts, ARGUMENTS_LARGE)).at);
    if (of(counts, ARGUMENTS_OTHER) > 0)
        text_printf(&line,
                    "; %s with further ones that were not kept",
                    amount_count(of(counts, ARGUMENTS_OTHER)).at);
    wrap_put_line(text, report->width, 4, &line);
}

/* Whether the result of a function could be kept: one that changes what it is given is not called
 * for its result. `counts` may be NULL. */
static bool can_keep_results(const struct finder *finder, uint32_t function,
                             const struct argument_counts *counts)
{
    return counts != NULL && of(counts, ARGUMENTS_RESULTS) > 0 &&
           of(counts, ARGUMENTS_CHANGED) == 0 && !function_is_unfit(finder->report, function);
}

/* Whether the finding may be about a function. One that keeps its results itself is quick where
 * arguments come again. */
static bool has_repeats(const struct finder *finder, uint32_t function)
{
    enum { EQUAL_MIN = 100, PERCENT_MIN = 30 };
    const struct argument_counts *counts = report_arguments(finder->report, function);
    return can_keep_results(finder, function, counts) &&
           of(counts, ARGUMENTS_TICK_EQUAL) >= EQUAL_MIN &&
           100 * repeated_fraction(counts) >= PERCENT_MIN && is_always_equal(counts) &&
           2 * repeated_time(counts) >= repeated_fraction(counts);
}

/*
 * Returns, by function, the time of the calls of others that may be meant in its own calls: of two
 * that call each other the inner one is meant.
 */
static int64_t *sum_inner(const struct finder *finder, const uint8_t *is_wanted)
{
    const struct tree *tree = finder->report->tree;
    int64_t *inner_ns = mem_zeroed(finder->function_count, sizeof *inner_ns);
    if (memchr(is_wanted, true, finder->function_count) == NULL)
        return inner_ns;
    SCOPED_ARRAY uint32_t *around = mem_zeroed(tree->node_count, sizeof *around);
    around[TREE_ROOT] = TREE_NONE;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        uint32_t outer = around[tree->calls[node].parent];
        around[node] = is_wanted[function] ? function : outer;
        if (is_wanted[function] && outer != TREE_NONE && outer != function)
            inner_ns[outer] += tree->total_ns[node];
    }
    return inner_ns;
}

/*
 * Takes the function whose repeated calls take the most: `fraction_of` is the fraction of its time
 * in them. Returns what was counted of its arguments; NULL: no function is meant.
 */
static const struct argument_counts *
take_most(struct finder *finder, struct finding *finding,
          bool (*is_meant)(const struct finder *finder, uint32_t function),
          double (*fraction_of)(const struct argument_counts *counts))
{
    SCOPED_ARRAY uint8_t *is_wanted = mem_zeroed(finder->function_count, 1);
    for (uint32_t i = 0; i < finder->profile->argument_functions; i++)
        is_wanted[i] = is_meant(finder, i);
    SCOPED_ARRAY int64_t *inner_ns = sum_inner(finder, is_wanted);
    for (uint32_t i = 0; i < finder->function_count; i++) {
        if (!is_wanted[i] || inner_ns[i] > finder->sums[i].total_ns / 2)
            continue;
        double fraction = fraction_of(report_arguments(finder->report, i));
        finding_take(finding, i, TREE_NONE, (int64_t)(fraction * (double)finder->sums[i].total_ns));
    }
    return finding->function == TREE_NONE ? NULL
                                          : report_arguments(finder->report, finding->function);
}

static double measure_same_arguments(struct finder *finder, struct finding *finding)
{
    const struct argument_counts *counts = take_most(finder, finding, has_repeats, repeated_time);
    if (counts == NULL)
        return -1;
    finding_add(finding, "calls", (double)of(counts, ARGUMENTS_CALLS));
    finding_add(finding, "repeats", (double)of(counts, ARGUMENTS_TICK_REPEATS));
    finding_add(finding, "percent", 100 * repeated_fraction(counts));
    finding_add(finding, "in_another_table", (double)of(counts, ARGUMENTS_TICK_CONTENTS));
    finding_add(finding, "total_ns", (double)finder->sums[finding->function].total_ns);
    return finder_percent(finding->time_ns, finder->all_ns);
}

static void put_same_arguments(const struct finder *finder, const struct finding *finding,
                               struct text *text)
{
    int64_t total_ns = (int64_t)finding_number(finding, "total_ns");
    bool is_new = finding_number(finding, "in_another_table") > 0;
    text_printf(text,
                "%s: %.0f%% of its calls repeat the arguments of an earlier call of the same %s, ",
                finder_name(finder, finding->function),
                finding_number(finding, "percent"),
                tick_kinds[finder->profile->rebuild.state].one);
    text_put_string(
        text, is_new ? "and it builds an equal table again: " : "always with equal results: ");
    text_printf(text,
                "%s of %s",
                amount_sum_said(finder->report, finding->time_ns).at,
                amount_sum_said(finder->report, total_ns).at);
    /* What it does besides giving results is not recorded. */
    text_printf(text,
                "; keep %s the function does nothing else",
                is_new ? "the table, if no code changes it and" : "them, if");
}

const struct finding_row finding_same_arguments = {
    .name = "same-arguments",
    .needs = OF_ARGUMENTS,
    .measure = measure_same_arguments,
    .least = 1, /* percent of all time */
    .put = put_same_arguments,
    .explains = EXPLAINS_TOTAL,
    .repaired = 1,
};

/* Results that could be kept over ticks -------------------------------------------------------- */

/* For how many ticks results would be kept: as few as save three quarters of what many do. */
struct lifetime {
    uint64_t ticks;  /* 0: the recorder did not count that */
    double fraction; /* of the calls that it saves */
};

static struct lifetime find_lifetime(const struct argument_counts *counts)
{
    static const uint64_t ticks[] = {1, 3, 10, 30, 100};
    enum { COUNT = sizeof ticks / sizeof ticks[0] };
    const double ENOUGH = 0.75;
    double calls = (double)of(counts, ARGUMENTS_CALLS);
    double most = (double)counts->of[ARGUMENTS_KEPT_1 + COUNT - 1];
    if (most <= 0)
        return (struct lifetime){0, later_fraction(counts)};
    size_t i = 0;
    while (i + 1 < COUNT && (double)counts->of[ARGUMENTS_KEPT_1 + i] < ENOUGH * most)
        i++;
    return (struct lifetime){ticks[i], fmin((double)counts->of[ARGUMENTS_KEPT_1 + i] / calls, 1)};
}

static double kept_fraction(const struct argument_counts *counts)
{
    return find_lifetime(counts).fraction;
}

/* The fraction of the function's time that calls take whose results are those of an earlier one;
 * where it was not recorded, that of calls. */
static double later_time(const struct argument_counts *counts)
{
    double all_ns = (double)of(counts, ARGUMENTS_NS), ns = (double)of(counts, ARGUMENTS_EQUAL_NS);
    return all_ns > 0 && ns > 0 ? fmin(ns / all_ns, 1) : later_fraction(counts);
}

/* All repeats, which are mostly in other ticks, gave equal results; of one in 100 it may be
 * unknown. See has_repeats(). */
static bool has_later_repeats(const struct finder *finder, uint32_t function)
{
    enum { EQUAL_MIN = 100, PERCENT_MIN = 30 };
    const struct argument_counts *counts = report_arguments(finder->report, function);
    return can_keep_results(finder, function, counts) && of(counts, ARGUMENTS_EQUAL) >= EQUAL_MIN &&
           2 * of(counts, ARGUMENTS_TICK_REPEATS) < of(counts, ARGUMENTS_REPEATS) &&
           (double)of(counts, ARGUMENTS_EQUAL) >= 0.99 * (double)of(counts, ARGUMENTS_REPEATS) &&
           100 * find_lifetime(counts).fraction >= PERCENT_MIN &&
           2 * later_time(counts) >= later_fraction(counts);
}

static double measure_kept_results(struct finder *finder, struct finding *finding)
{
    const struct argument_counts *counts =
        take_most(finder, finding, has_later_repeats, kept_fraction);
    if (counts == NULL)
        return -1;
    struct lifetime lifetime = find_lifetime(counts);
    finding_add(finding, "calls", (double)of(counts, ARGUMENTS_CALLS));
    finding_add(finding, "distinct", (double)of(counts, ARGUMENTS_DISTINCT));
    finding_add(finding, "between_ticks", (double)of(counts, ARGUMENTS_BETWEEN));
    finding_add(finding, "kept_ticks", (double)lifetime.ticks);
    finding_add(finding, "percent", 100 * lifetime.fraction);
    finding_add(finding, "total_ns", (double)finder->sums[finding->function].total_ns);
    return finder_percent(finding->time_ns, finder->all_ns);
}

static void put_kept_results(const struct finder *finder, const struct finding *finding,
                             struct text *text)
{
    const struct argument_counts *counts = report_arguments(finder->report, finding->function);
    const struct tick_kind *kind = &tick_kinds[finder->profile->rebuild.state];
    uint64_t ticks = (uint64_t)finding_number(finding, "kept_ticks");
    text_printf(text,
                "%s: %s%s different arguments in %s, equal ones always give equal results",
                finder_name(finder, finding->function),
                least_word(counts),
                finding_count(finder, finding, "distinct").at,
                amount_things(of(counts, ARGUMENTS_CALLS), "call", "calls").at);
    put_between(text, finder->report, counts);
    text_put_string(text, ": kept");
    if (ticks > 0)
        text_printf(text, " for %s", amount_things(ticks, kind->one, kind->many).at);
    text_printf(text,
                ", they save %.0f%%, %s of %s, if the function does nothing else",
                finding_number(finding, "percent"),
                amount_sum_said(finder->report, finding->time_ns).at,
                amount_sum_said(finder->report, (int64_t)finding_number(finding, "total_ns")).at);
}

const struct finding_row finding_kept_results = {
    .name = "kept-results",
    .needs = OF_ARGUMENTS,
    .measure = measure_kept_results,
    .least = 1, /* percent of all time */
    .put = put_kept_results,
    .explains = EXPLAINS_TOTAL,
    .repaired = 1,
};

/* Candidates ----------------------------------------------------------------------------------- */

/* Not a function of Lua itself: those of the game begin with a capital letter. One without a name
 * ("C function 1") cannot be chosen. */
static bool is_of_game(const struct finder *finder, uint32_t function)
{
    const char *name = finder_name(finder, function), *dot = strrchr(name, '.');
    char first = dot != NULL ? dot[1] : name[0];
    return !symbols_is_c(&finder->profile->symbols, function) ||
           (first >= 'A' && first <= 'Z' && strchr(name, ' ') == NULL);
}

/* What threads begin with gives them no result. */
static bool is_candidate(const struct finder *finder, uint32_t function)
{
    enum { CALLS_MIN = 1000 };
    const struct sum *sum = &finder->sums[function];
    return sum->calls >= CALLS_MIN && !function_is_unfit(finder->report, function) &&
           !finder_wakes(finder, function) &&
           finder_percent(sum->total_ns, finder->all_ns) >= finder->least &&
           is_of_game(finder, function) && !function_forks(&finder->profile->symbols, function);
}

/*
 * Sets the candidates with the most time that is in no other candidate, so that what only calls
 * them comes last; returns how many there are.
 */
static size_t find_candidates(struct finder *finder)
{
    uint32_t *found = finder->candidates;
    size_t count = 0;
    SCOPED_ARRAY uint8_t *is_wanted = mem_zeroed(finder->function_count, 1);
    for (uint32_t i = 0; i < finder->function_count; i++)
        is_wanted[i] = is_candidate(finder, i);
    SCOPED_ARRAY int64_t *own_ns = sum_inner(finder, is_wanted);
    for (uint32_t i = 0; i < finder->function_count; i++) {
        own_ns[i] = finder->sums[i].total_ns - own_ns[i];
        if (!is_wanted[i])
            continue;
        size_t at = count < CANDIDATES_MAX ? count++ : CANDIDATES_MAX;
        for (; at > 0 && own_ns[found[at - 1]] < own_ns[i]; at--)
            if (at < CANDIDATES_MAX)
                found[at] = found[at - 1];
        if (at < CANDIDATES_MAX)
            found[at] = i;
    }
    return count;
}

/* Whether the question is worth an answer: a tick is slow that is not the computer's, or the
 * function takes a tenth of the real time, as far as that is known. */
static bool is_at_stake(const struct finder *finder, uint32_t function)
{
    enum { PARTS = 10 };
    const struct report *report = finder->report;
    double real_ns = report_real_time_ns(report, false);
    return report->computer.count < report->ticks.over_row_count ||
           (real_ns > 0 && (double)finder->sums[function].total_ns > real_ns / PARTS);
}

static double measure_candidates(struct finder *finder, struct finding *finding)
{
    size_t count = finder->profile->recordings.count == 0 || finder->profile->argument_functions > 0
                       ? 0
                       : find_candidates(finder);
    if (count == 0 || !is_at_stake(finder, finder->candidates[0]))
        return -1;
    finding->function = finder->candidates[0];
    finding->time_ns = finder->sums[finding->function].total_ns;
    finding_add(finding, "functions", (double)count);
    return finder_percent(finding->time_ns, finder->all_ns);
}

/* Appends a function as the recorder's setting wants it. */
static void put_chosen(const struct finder *finder, uint32_t function, struct text *text)
{
    const struct labels *labels = finder->report->labels;
    const struct label *label = &labels->of[function];
    struct span name = labels_text(labels, label->name);
    bool is_unique = !finder->report->has_sources && !span_is(name, "?");
    for (uint32_t i = 0; is_unique && i < finder->function_count; i++)
        is_unique = i == function || labels->of[i].name != label->name;
    bool is_named = is_unique || symbols_is_c(&finder->profile->symbols, function);
    text_printf(text, "'%s'", labels_string(labels, is_named ? label->name : label->place));
}

static void put_candidates(const struct finder *finder, const struct finding *finding,
                           struct text *text)
{
    text_put_string(text, "Do the arguments repeat? Record with arguments = {");
    for (size_t i = 0; i < (size_t)finding_number(finding, "functions"); i++) {
        if (i > 0)
            text_put_string(text, ", ");
        put_chosen(finder, finder->candidates[i], text);
    }
    text_put_string(text, "}");
}

const struct finding_row finding_candidates = {
    .name = "candidates",
    .measure = measure_candidates,
    .least = 10, /* percent of all time, with callees */
    .put = put_candidates,
    .option = "",
};
