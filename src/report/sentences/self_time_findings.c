/*
 * Which function takes the most time itself? It needs no reason but that: the sentence says by how
 * many calls, and from where they come.
 */
#include "base/mem.h"
#include "report/sentences/finder.h"

#include <math.h>

/* Callers ------------------------------------------------------------------------------------- */

/* Where a call comes from. */
struct call_place {
    uint32_t function; /* TREE_NONE: the engine */
    int32_t line;      /* see tree/stacks.h */
    uint32_t through;  /* a C function that calls it back, such as pcall(), for the other one;
                          TREE_NONE: none */
};

static bool is_recursive(const struct tree *tree, uint32_t function)
{
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        if (tree->calls[node].function == function && !tree->outermost[node])
            return true;
    return false;
}

/*
 * Returns for each function, [function_count], whether it is in the recursion of one: below it in a
 * stack, and above it in one. The caller frees it.
 */
static bool *find_recursion(const struct tree *tree, uint32_t function, uint32_t function_count)
{
    SCOPED_ARRAY bool *is_under = mem_zeroed(tree->node_count, sizeof *is_under);
    SCOPED_ARRAY bool *is_over = mem_zeroed(tree->node_count, sizeof *is_over);
    SCOPED_ARRAY bool *is_below = mem_zeroed(function_count, sizeof *is_below);
    bool *is_inside = mem_zeroed(function_count, sizeof *is_inside);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        is_under[node] = call->parent != TREE_ROOT &&
                         (is_under[call->parent] || tree->calls[call->parent].function == function);
        is_below[call->function] |= is_under[node];
    }
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        const struct call *call = &tree->calls[node];
        is_over[call->parent] |= is_over[node] || call->function == function;
        is_inside[call->function] |= is_over[node] && is_below[call->function];
    }
    is_inside[function] = true;
    return is_inside;
}

/*
 * Returns for each node, [node_count], where it was called from: in a recursion, where that was
 * entered, since a call that only the function itself makes has no other place; of what a C
 * function calls back, where that was called. The caller frees it.
 */
static struct call_place *find_places(const struct finder *finder, uint32_t function)
{
    const struct tree *tree = finder->report->tree;
    SCOPED_ARRAY bool *is_inside = is_recursive(tree, function)
                                       ? find_recursion(tree, function, finder->function_count)
                                       : mem_zeroed(finder->function_count, sizeof *is_inside);
    struct call_place *places = mem_zeroed(tree->node_count, sizeof *places);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t caller =
            call->parent == TREE_ROOT ? TREE_NONE : tree->calls[call->parent].function;
        bool is_of_c = caller != TREE_NONE && symbols_is_c(&finder->profile->symbols, caller);
        places[node] = (struct call_place){caller, call->line, TREE_NONE};
        if (caller != TREE_NONE && (is_inside[caller] || is_of_c))
            places[node] = places[call->parent];
        if (is_of_c && places[node].through == TREE_NONE)
            places[node].through = caller;
    }
    return places;
}

/* What the calls of a function from one place are. */
struct place_sum {
    struct call_place place;
    uint64_t calls;
    int64_t self_ns, longest_ns; /* the longest call */
};

/* Finds the place that makes the most of a function's calls, and the one that has the most of its
 * time. */
static void find_best_places(const struct finder *finder, uint32_t function,
                             struct place_sum *most_calls, struct place_sum *most_time)
{
    const struct tree *tree = finder->report->tree;
    SCOPED_ARRAY struct call_place *places = find_places(finder, function);
    SCOPED_ARRAY struct place_sum *sums = mem_zeroed(tree->node_count, sizeof *sums);
    SCOPED(intern) keys = {0};
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        if (tree->calls[node].function != function)
            continue;
        uint32_t place = intern_add(&keys, (const char *)&places[node], sizeof places[node]);
        struct place_sum *sum = &sums[place];
        sum->place = places[node];
        sum->calls += tree->call_counts[node];
        sum->self_ns += tree->self_ns[node];
        if (tree->details != NULL && tree->details[node].max_ns > sum->longest_ns)
            sum->longest_ns = tree->details[node].max_ns;
        if (sum->calls > most_calls->calls)
            *most_calls = *sum;
    }
    for (uint32_t i = 0; i < keys.count; i++)
        if (sums[i].self_ns > most_time->self_ns)
            *most_time = sums[i];
}

/*
 * Finds who makes most of a function's calls, if that is much; or who makes the few that have most
 * of its time, since there it can be saved. One long call may be an interruption: it does not count
 * for that.
 */
static void find_caller(const struct finder *finder, struct finding *finding, uint64_t calls)
{
    enum { PERCENT_MIN = 40, TIMES = 2 };
    struct place_sum best = {.place = {TREE_NONE, 0, TREE_NONE}}, slow = best;
    find_best_places(finder, finding->function, &best, &slow);
    bool is_by_time =
        slow.longest_ns > 0 &&
        finder_percent(slow.self_ns - slow.longest_ns, finding->time_ns) >=
            fmax(PERCENT_MIN, TIMES * finder_percent((int64_t)slow.calls, (int64_t)calls));
    if (is_by_time)
        best = slow;
    double of_calls = finder_percent((int64_t)best.calls, (int64_t)calls),
           percent = is_by_time ? finder_percent(best.self_ns, finding->time_ns) : of_calls;
    uint32_t caller = best.place.function;
    if (percent < PERCENT_MIN || caller == TREE_NONE || function_is_unfit(finder->report, caller))
        return;
    finding->caller = caller;
    finding->through = best.place.through;
    finding_add(finding, "caller_percent", of_calls);
    finding_add(finding, "caller_line", best.place.line);
    finding_add(finding, "is_recursive", is_recursive(finder->report->tree, finding->function));
    if (is_by_time) {
        finding_add(finding, "caller_time_percent", percent);
        finding_add(finding, "caller_calls", (double)best.calls);
    }
}

/* The function ------------------------------------------------------------------------------- */

/* Whether a finding says who makes half of the calls of a function that forks threads. */
static bool says_forks(const struct finder *finder, const struct finding *finding,
                       uint32_t function)
{
    double threads = finding_number(finding, "threads");
    if (finding_number(finding, "is_ring") > 0)
        threads *= 2; /* at least two lines fork as many */
    return finding->kind == FINDING_FORKS && function_forks(&finder->profile->symbols, function) &&
           2 * threads >= (double)finder->sums[function].calls;
}

/* Whether a finding says who forks the threads that have half of a function's time: else others
 * call it, too. */
static bool says_threads(const struct finder *finder, const struct finding *finding,
                         uint32_t function)
{
    return finding->kind == FINDING_FORKS && finding->caller == function &&
           finder_wakes_ns(finder, function) >= finder->sums[function].total_ns / 2;
}

/* Whether a loop has less than half of a function's time: others call it, too. */
static bool is_of_part(const struct finder *finder, const struct finding *finding)
{
    return finding->kind == FINDING_LOOP &&
           finding->time_ns < finder->sums[finding->function].self_ns / 2;
}

/* Whether a row before has more to say about a function: about its calls, or its loop. */
static bool is_found(const struct finder *finder, uint32_t function)
{
    for (size_t i = 0; i < finder->found_count; i++) {
        const struct finding *found = &finder->found[i];
        if ((found->function == function && !is_of_part(finder, found)) ||
            says_forks(finder, found, function) || says_threads(finder, found, function) ||
            (found->kind == FINDING_LOOP && found->caller == function))
            return true;
    }
    return false;
}

/* What a loop calls at each turn is repaired in the loop. */
static bool is_iterator(const struct finder *finder, uint32_t function)
{
    const struct symbols *symbols = &finder->profile->symbols;
    return symbols_is_c(symbols, function) &&
           symbols_iterates(symbols, symbols->functions[function].name);
}

/* How often a function was invoked: a thread's first one is at each wake. */
static uint64_t invocations_of(const struct finder *finder, uint32_t function)
{
    return finder_wakes(finder, function)
               ? (uint64_t)finder_scaled(
                     finder, (double)thread_sums_of(&finder->profile->threads, function)->wakes)
               : finder->sums[function].calls;
}

/*
 * Many short calls are worth a sentence; of others, those that are much of the time. Calls of more
 * than a slow tick are found there. Without ticks the headline has what is most expensive.
 */
static bool is_candidate(const struct finder *finder, uint32_t function, int64_t time_ns)
{
    enum {
        INVOCATIONS_MIN = 1000,
        INVOCATION_NS_MAX = 20000,
        MOST_PARTS = 5,
        MOST_NS_MIN = 5000000
    };
    uint64_t invocations = invocations_of(finder, function);
    double invocation_ns = invocations > 0 ? (double)time_ns / (double)invocations : INFINITY;
    bool is_often = invocations >= INVOCATIONS_MIN;
    bool is_most = time_ns > finder->usual_ns / MOST_PARTS && time_ns >= MOST_NS_MIN &&
                   invocation_ns <= (double)tick_kinds[finder->profile->rebuild.state].limit_ns;
    return ((is_often && invocation_ns <= INVOCATION_NS_MAX) ||
            (is_most && (is_often || finder->report->ticks.count > 0))) &&
           !function_is_unfit(finder->report, function) && !is_iterator(finder, function) &&
           !is_found(finder, function);
}

/* Returns the self time of each function with that of the C functions that it calls, since these
 * can only be called less: [function_count], which the caller frees. */
static int64_t *find_own(const struct finder *finder)
{
    const struct tree *tree = finder->report->tree;
    int64_t *own_ns = mem_zeroed(finder->function_count, sizeof *own_ns);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        own_ns[call->function] += tree->self_ns[node];
        if (call->parent != TREE_ROOT && symbols_is_c(&finder->profile->symbols, call->function))
            own_ns[tree->calls[call->parent].function] += tree->self_ns[node];
    }
    return own_ns;
}

/* Finds what takes most. What one place does comes before what many threads share, unless that
 * takes several times as long. */
static uint32_t find_most(const struct finder *finder)
{
    enum { TIMES = 4 };
    SCOPED_ARRAY int64_t *own_ns = find_own(finder);
    struct {
        uint32_t function;
        int64_t time_ns;
    } best[2] = {{TREE_NONE, 0}, {TREE_NONE, 0}}; /* of one place, and of many threads */
    for (uint32_t i = 0; i < finder->function_count; i++) {
        int64_t self_ns = finder_usual_ns(finder, i, finder->sums[i].self_ns);
        if (finder_percent(self_ns, finder->usual_ns) < finder->least ||
            finder_percent(finder->sums[i].self_ns, finder->all_ns) < finder->least ||
            !is_candidate(finder, i, self_ns))
            continue;
        bool is_shared = finder_is_of_many_threads(finder, i);
        int64_t time_ns = finder_usual_ns(finder, i, own_ns[i]);
        if (time_ns > best[is_shared].time_ns) {
            best[is_shared].function = i;
            best[is_shared].time_ns = time_ns;
        }
    }
    return best[best[1].time_ns > TIMES * best[0].time_ns].function;
}

static double measure_many_calls(struct finder *finder, struct finding *finding)
{
    finding->function = find_most(finder);
    if (finding->function == TREE_NONE)
        return -1;
    finding->time_ns = finder->sums[finding->function].self_ns;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    uint64_t invocations = invocations_of(finder, finding->function);
    bool is_by_wakes = finder_wakes(finder, finding->function);
    finding_add(finding, "percent", percent);
    finding_add(finding,
                "total_percent",
                finder_percent(finder->sums[finding->function].total_ns, finder->all_ns));
    finding_add(finding, is_by_wakes ? "wakes" : "calls", (double)invocations);
    finding_add(finding, "call_ns", (double)finding->time_ns / (double)invocations);
    if (!is_by_wakes) {
        finding_add(finding, "errors", (double)finder->sums[finding->function].details.errors);
        find_caller(finder, finding, invocations);
    }
    if (invocations > 1 &&
        (finding_number(finding, "caller_calls") > 0 ||
         finder_usual_ns(finder, finding->function, finding->time_ns) < finding->time_ns / 2))
        finding_add(finding, "is_average", 1);
    return percent;
}

/* Appends who makes the calls. */
static void put_caller(const struct finder *finder, const struct finding *finding, uint64_t calls,
                       struct text *text)
{
    bool is_recursive = finding_number(finding, "is_recursive") > 0;
    double percent = finding_number(finding, "caller_percent"),
           time_percent = finding_number(finding, "caller_time_percent");
    text_put_string(text, is_recursive ? "; it calls itself, and " : "; ");
    if (time_percent > 0)
        text_printf(
            text,
            "%.0f%% of its time is in %s made %s ",
            time_percent,
            amount_sum_things(
                finder->report, (uint64_t)finding_number(finding, "caller_calls"), "call", "calls")
                .at,
            is_recursive ? "below" : "by");
    else if (calls == 1)
        text_put_string(text, "made by ");
    else if (percent == 100)
        text_printf(text, "all are made %s ", is_recursive ? "below" : "by");
    else
        text_printf(
            text, "%.0f%% of them are made %s ", fmin(percent, 99), is_recursive ? "below" : "by");
    if (finding->through != TREE_NONE)
        text_printf(text, "%s, called by ", finder_name(finder, finding->through));
    finder_put_place(text, finder, finding->caller, finding_number(finding, "caller_line"));
}

/* Appends how many calls ended by an error. The log of the game lacks errors that pcall caught. */
static void put_errors(const struct finder *finder, const struct finding *finding, uint64_t calls,
                       struct text *text)
{
    enum { PARTS = 10 };
    uint64_t errors = (uint64_t)finding_number(finding, "errors");
    if (errors == calls && calls > 1)
        text_put_string(text, ", all ended by an error");
    else if (errors > 0 && errors >= calls / PARTS)
        text_printf(text, ", %s ended by an error", finding_count(finder, finding, "errors").at);
}

static void put_many_calls(const struct finder *finder, const struct finding *finding,
                           struct text *text)
{
    uint64_t wakes = (uint64_t)finding_number(finding, "wakes"),
             calls = (uint64_t)finding_number(finding, "calls");
    if (finding->caller != TREE_NONE)
        text_put_string(text, finder_name(finder, finding->function));
    else
        function_name_put(text, finder->report, finding->function);
    double total = finding_number(finding, "total_percent"),
           percent = finding_number(finding, "percent");
    bool has_callees = round(total) > round(percent);
    text_printf(text, " is %.0f%% of the time", percent);
    if (has_callees)
        text_printf(text, " itself, %.0f%% with what it calls", total);
    text_printf(text,
                ": %s",
                (wakes > 0 ? amount_sum_things(finder->report, wakes, "wake", "wakes")
                           : amount_sum_things(finder->report, calls, "call", "calls"))
                    .at);
    bool of_many = wakes != 1 && calls != 1, is_average = finding_number(finding, "is_average") > 0;
    const char *on_average = is_average ? " on average" : "";
    struct amount each =
        amount_sum_said(finder->report, (int64_t)finding_number(finding, "call_ns"));
    if (wakes == 0 && long_calls_are_most(&finder->report->long_calls, finding->function))
        text_put_string(text, ", most of it in a few");
    else if (has_callees)
        text_printf(text, ", %s%s itself%s", of_many ? "each " : "", each.at, on_average);
    else
        text_printf(text,
                    "%s %s%s%s",
                    is_average ? "," : " of",
                    each.at,
                    of_many ? " each" : "",
                    on_average);
    put_errors(finder, finding, calls, text);
    if (finding->caller != TREE_NONE)
        put_caller(finder, finding, calls, text);
}

const struct finding_row finding_many_calls = {
    .name = "many-calls",
    .measure = measure_many_calls,
    .least = 10, /* percent of all time */
    .put = put_many_calls,
    .explains = EXPLAINS_SELF,
    .repaired = 1,
};
