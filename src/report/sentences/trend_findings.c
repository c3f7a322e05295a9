/*
 * What becomes more as the game goes on? Threads and calls, so that ticks get longer, and what
 * collections of garbage leave of the heap. And which threads are too many: those that are forked
 * for one look, and those that wake in each tick?
 */
#include "base/mem.h"
#include "report/sentences/finder.h"
#include "report/sentences/findings.h"
#include "select/statistics.h"

#include <math.h>

static const double CAUSE_Z = 3, CAUSE_FACTOR = 1.5, CAUSE_LEAST = 10;

/* Whether something became so much more that it may be why ticks got longer. */
static bool is_cause(struct trend trend, double more)
{
    return trend.z >= CAUSE_Z && trend.last >= CAUSE_FACTOR * trend.first && more >= CAUSE_LEAST;
}

/* Threads ------------------------------------------------------------------------------------- */

static bool is_forking(const struct finder *finder, const struct line_sum *line)
{
    const struct symbols *symbols = &finder->profile->symbols;
    return function_forks(symbols, line->callee) && !function_forks(symbols, line->caller) &&
           !function_is_unfit(finder->report, line->caller);
}

/* Whether a line forks as many threads in each stretch as those of a root that wake for the first
 * time. Of the first stretch, that is not known: older threads wake, too. */
static bool is_forking_of(const struct finder *finder, const struct line_sum *line, uint32_t root)
{
    enum { PARTS = 20, LEAST = 2 };
    const uint32_t *first_in = finder->profile->work.functions[root].first_in;
    int64_t count = 0, difference = 0;
    if (!is_forking(finder, line))
        return false;
    for (size_t k = 1; k < WORK_STRETCHES; k++) {
        int64_t more = (int64_t)first_in[k] - line->calls_in[k];
        count += first_in[k];
        difference += more < 0 ? -more : more;
    }
    return (double)count >= CAUSE_LEAST &&
           (double)difference <= LEAST * WORK_STRETCHES + (double)count / PARTS;
}

/* The line that forks the threads of a root: which one is not recorded, but only one line forks as
 * many; NULL: none, or several. */
static const struct line_sum *find_forking_line(const struct finder *finder, uint32_t root)
{
    const struct work_sums *work = &finder->profile->work;
    const struct line_sum *found = NULL;
    for (size_t i = 0; i < work->line_count; i++) {
        if (!is_forking_of(finder, &work->lines[i], root))
            continue;
        if (found != NULL)
            return NULL;
        found = &work->lines[i];
    }
    return found;
}

static void add_forking_line(const struct finder *finder, struct finding *finding)
{
    const struct line_sum *line = find_forking_line(finder, finding->function);
    if (line == NULL)
        return;
    finding->caller = line->caller;
    finding_add(finding, "line", line->line);
}

/* Threads that become more; where ticks do not get longer, only such as hardly ever end. */
static void measure_threads(const struct finder *finder, struct finding *finding, bool is_longer)
{
    enum { PARTS = 10, ENDED_PARTS = 10 };
    const struct work_sums *work = &finder->profile->work;
    for (uint32_t i = 0; i < work->function_count; i++) {
        const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, i);
        double woke[WORK_STRETCHES];
        for (size_t k = 0; k < WORK_STRETCHES; k++)
            woke[k] = work->functions[i].woke_in[k];
        if (sum == NULL || finder_wakes_ns(finder, i) < finder->all_ns / PARTS ||
            function_is_unfit(finder->report, i))
            continue;
        struct trend trend = trend_find(woke, WORK_STRETCHES);
        if (is_cause(trend, trend.last - trend.first) &&
            (is_longer || sum->ended <= sum->threads / ENDED_PARTS))
            finding_take(finding, i, TREE_NONE, finder_wakes_ns(finder, i));
    }
}

static void add_threads(const struct finder *finder, struct finding *finding)
{
    const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, finding->function);
    const uint32_t *woke_in = finder->profile->work.functions[finding->function].woke_in;
    finding_add(finding, "first_threads", woke_in[0]);
    finding_add(finding, "last_threads", woke_in[WORK_STRETCHES - 1]);
    finding_add(finding, "threads", (double)sum->threads);
    finding_add(finding, "ended_threads", (double)sum->ended);
    add_forking_line(finder, finding);
}

/* Calling lines ------------------------------------------------------------------------------- */

/* The calls for each invocation of the caller, in the stretches that have enough. */
struct invocation_calls {
    double at[WORK_STRETCHES];
    size_t count;
};

static struct invocation_calls calls_an_invocation(const struct line_sum *line)
{
    enum { INVOCATIONS_MIN = 3 };
    struct invocation_calls calls = {.count = 0};
    for (size_t k = 0; k < WORK_STRETCHES; k++)
        if (line->invocations_in[k] >= INVOCATIONS_MIN)
            calls.at[calls.count++] = (double)line->calls_in[k] / line->invocations_in[k];
    return calls;
}

/* Of a line that makes at least half of the calls of its function: the time of that, which grows
 * with them; else of what it calls. */
static int64_t growing_ns(const struct finder *finder, const struct line_sum *line,
                          uint64_t calls_of_caller)
{
    return 2 * line->calls >= calls_of_caller && !finder_wakes(finder, line->caller)
               ? finder->sums[line->caller].total_ns
               : line->time_ns;
}

/* Lines that call more and more, with a part of the time. */
static const struct line_sum *measure_lines(const struct finder *finder, struct finding *finding,
                                            int64_t least_ns)
{
    enum { STRETCHES_MIN = 8 };
    const struct work_sums *work = &finder->profile->work;
    const struct line_sum *best = NULL;
    SCOPED_ARRAY uint64_t *calls_of = mem_zeroed(finder->function_count, sizeof *calls_of);
    for (size_t i = 0; i < work->line_count; i++)
        calls_of[work->lines[i].caller] += work->lines[i].calls;
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        if (line->calls < (uint64_t)CAUSE_LEAST ||
            function_is_unfit(finder->report, line->caller) ||
            function_is_unfit(finder->report, line->callee))
            continue;
        int64_t ns = growing_ns(finder, line, calls_of[line->caller]);
        struct invocation_calls calls = calls_an_invocation(line);
        if (ns < least_ns || calls.count < STRETCHES_MIN)
            continue;
        struct trend trend = trend_find(calls.at, calls.count);
        if (is_cause(trend, trend.last) && finding_take(finding, line->caller, line->callee, ns))
            best = line;
    }
    return best;
}

static const double TREND_Z = 2.4;

/* Where other work hides in the length of ticks what one place does more and more, that place is
 * meant only if it is much of the time. */
static double measure_trend(struct finder *finder, struct finding *finding)
{
    enum { TICKS_MIN = 120, PARTS = 20, HIDDEN_PARTS = 10 };
    const struct work_sums *work = &finder->profile->work;
    struct trend trend = trend_find(work->usual_ns, WORK_STRETCHES);
    if (work->tick_count < TICKS_MIN)
        return -1;
    double first_ns = fmax(trend.first, 0), longer = trend.last / fmax(first_ns, 1);
    double first_kept_ns = first_ns * work->kept_fraction[0],
           last_kept_ns = trend.last * work->kept_fraction[WORK_STRETCHES - 1];
    bool is_longer = trend.z >= TREND_Z && longer >= finder->least && last_kept_ns > first_kept_ns;
    if (is_longer) {
        finding_add(finding, "first_tick_ns", first_kept_ns);
        finding_add(finding, "last_tick_ns", last_kept_ns);
    }
    measure_threads(finder, finding, is_longer);
    const struct line_sum *line =
        measure_lines(finder, finding, finder->all_ns / (is_longer ? PARTS : HIDDEN_PARTS));
    if (finding->function == TREE_NONE)
        return -1;
    if (line == NULL) {
        add_threads(finder, finding);
    } else {
        struct invocation_calls calls = calls_an_invocation(line);
        finding_add(finding, "first_calls", calls.at[0]);
        finding_add(finding, "last_calls", calls.at[calls.count - 1]);
        finding_add(finding, "is_by_wakes", finder_wakes(finder, line->caller));
        finding_add(finding, "line", line->line);
    }
    return is_longer ? longer : CAUSE_FACTOR;
}

static void put_threads(const struct finder *finder, const struct finding *finding,
                        struct text *text)
{
    text_printf(text,
                "%s threads of %s at first, %s at the end",
                finding_count(finder, finding, "first_threads").at,
                finder_name(finder, finding->function),
                finding_count(finder, finding, "last_threads").at);
    if (finding->caller != TREE_NONE) {
        text_put_string(text, ", forked by ");
        finder_put_place(text, finder, finding->caller, finding_number(finding, "line"));
    }
    if (finding_number(finding, "ended_threads") == 0)
        text_put_string(text, "; none has ended");
    else
        text_printf(text,
                    "; %s of %s have ended",
                    finding_count(finder, finding, "ended_threads").at,
                    finding_count(finder, finding, "threads").at);
}

static void put_trend(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double first_ns = finding_number(finding, "first_tick_ns"),
           last_ns = finding_number(finding, "last_tick_ns");
    if (last_ns > 0)
        text_printf(text,
                    "%ss get longer: %s ms at first, %s ms at the end. ",
                    tick_kinds[finder->profile->rebuild.state].title,
                    amount_ms(first_ns).at,
                    amount_ms(last_ns).at);
    if (finding_number(finding, "last_threads") > 0) {
        put_threads(finder, finding, text);
        return;
    }
    finder_put_place(text, finder, finding->function, finding_number(finding, "line"));
    text_printf(text,
                "%s makes %s, then %s calls of %s each time it %s",
                finding_number(finding, "line") > 0 ? "," : "",
                amount_count((uint64_t)(finding_number(finding, "first_calls") + 0.5)).at,
                amount_count((uint64_t)(finding_number(finding, "last_calls") + 0.5)).at,
                finder_name(finder, finding->caller),
                finding_number(finding, "is_by_wakes") > 0 ? "wakes" : "runs");
}

const struct finding_row finding_trend = {
    .name = "trend",
    .needs = OF_WORK,
    .measure = measure_trend,
    .least = 1.2, /* how much longer ticks get, as a factor */
    .put = put_trend,
    .explains = EXPLAINS_TOTAL,
    .is_no_share = true,
};

/* The heap ------------------------------------------------------------------------------------ */

/* Of one recording only, and the whole of it. */
static bool has_heaps(const struct finder *finder)
{
    const struct recordings *recordings = &finder->profile->recordings;
    for (size_t i = 0; i < recordings->heap_count; i++)
        if (recordings->heaps[i].recording != recordings->heaps[0].recording)
            return false;
    return recordings->heap_count > 0 && settings_are_whole(&finder->profile->rebuild) &&
           finder->profile->rebuilt[recordings->heaps[0].recording].is_there;
}

enum { COLLECTIONS_MIN = 8 };

static double measure_heap_trend(struct finder *finder, struct finding *finding)
{
    enum { KB_MIN = 4096 };
    const struct recordings *recordings = &finder->profile->recordings;
    double least_kb[WORK_STRETCHES];
    size_t all = recordings->heap_count, count = all < WORK_STRETCHES ? all : WORK_STRETCHES;
    if (all < COLLECTIONS_MIN || !has_heaps(finder))
        return -1;
    for (size_t i = 0; i < count; i++)
        least_kb[i] = INFINITY;
    for (size_t i = 0; i < all; i++) {
        double *kb = &least_kb[i * count / all];
        *kb = fmin(*kb, recordings->heaps[i].kb);
    }
    struct trend trend = trend_find(least_kb, count);
    /* The ends of the line, which no single collection moves. */
    if (trend.z < TREND_Z || trend.last - trend.first < KB_MIN)
        return -1;
    finding_add(finding, "first_heap_kb", round(trend.first));
    finding_add(finding, "last_heap_kb", round(trend.last));
    finding_add(finding, "collections", (double)all);
    return trend.last / fmax(trend.first, 1);
}

static void put_heap_trend(const struct finder *finder, const struct finding *finding,
                           struct text *text)
{
    (void)finder;
    text_printf(text,
                "The heap grows: after collections of garbage (%s), it was %.0f MB at first, "
                "%.0f MB at the end",
                amount_count((uint64_t)finding_number(finding, "collections")).at,
                finding_number(finding, "first_heap_kb") / 1024,
                finding_number(finding, "last_heap_kb") / 1024);
}

const struct finding_row finding_heap_trend = {
    .name = "heap-trend",
    .needs = OF_COLLECTIONS,
    .measure = measure_heap_trend,
    .least = 1.2, /* how much larger the heap gets, as a factor */
    .put = put_heap_trend,
    .option = "",
    .count = "last_heap_kb",
    .is_no_share = true,
};

void findings_put_steady_heap(struct text *lines, const struct report *report)
{
    struct finder finder = {.report = report, .profile = report->profile};
    struct finding finding = {0};
    size_t count = report->profile->recordings.heap_count;
    bool is_whole = settings_are_whole(&report->profile->rebuild) &&
                    report->profile->only_run == 0 && (count == 0 || has_heaps(&finder));
    if (report->old == NULL && is_whole && measure_heap_trend(&finder, &finding) < 0)
        text_printf(lines,
                    "Note: garbage was collected %s: %s\n",
                    amount_things(count, "time", "times").at,
                    count < COLLECTIONS_MIN ? "record longer to see if the heap grows"
                                            : "the heap does not grow steadily");
}

/* Threads for one look ------------------------------------------------------------------------ */

/* Whether the threads of a root are many, and end when they have waited once at most. */
static bool is_short(const struct thread_sum *sum, size_t tick_count)
{
    enum { A_TICK_MIN = 10, WAKES_MAX = 2, PERCENT_ENDED = 90, WAKE_NS_MAX = 20000 };
    return sum != NULL && sum->threads >= A_TICK_MIN * tick_count &&
           sum->wakes <= sum->threads * WAKES_MAX &&
           sum->ended * 100 >= sum->threads * PERCENT_ENDED &&
           sum->wakes_ns <= (int64_t)sum->wakes * WAKE_NS_MAX;
}

enum { RING_MAX = 5 };

/* Lines that fork each other's threads: each in threads of another root. */
struct ring {
    const struct line_sum *lines[RING_MAX]; /* [count]; 0: it is none, or has more */
    size_t count;
};

/* The ring of a root: the lines that fork as many threads as those of the root, if one of them is
 * in these. */
static struct ring find_ring(const struct finder *finder, uint32_t root)
{
    const struct work_sums *work = &finder->profile->work;
    struct ring ring = {.count = 0}, none = {.count = 0};
    bool has_root = false;
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        if (!is_forking_of(finder, line, root))
            continue;
        for (size_t k = 0; k < ring.count; k++)
            if (ring.lines[k]->caller == line->caller)
                return none;
        if (ring.count == RING_MAX ||
            !is_short(thread_sums_of(&finder->profile->threads, line->caller), work->tick_count))
            return none;
        ring.lines[ring.count++] = line;
        has_root |= line->caller == root;
    }
    return has_root && ring.count > 1 ? ring : none;
}

/* What a line and the threads that it forks take: a line of these threads is part of their time. */
static int64_t forks_ns(const struct finder *finder, const struct line_sum *line, uint32_t root)
{
    int64_t wakes_ns = finder_wakes_ns(finder, root);
    return line->caller == root ? wakes_ns
                                : wakes_ns + (int64_t)finder_scaled(finder, (double)line->time_ns);
}

/* What all threads of a ring take. */
static int64_t ring_ns(const struct finder *finder, const struct ring *ring)
{
    int64_t ns = 0;
    for (size_t i = 0; i < ring->count; i++)
        ns += finder_wakes_ns(finder, ring->lines[i]->caller);
    return ns;
}

/* Takes the first line of a ring that is not the root's. */
static const struct line_sum *take_ring(const struct finder *finder, struct finding *finding,
                                        uint32_t root)
{
    struct ring ring = find_ring(finder, root);
    if (ring.count == 0)
        return NULL;
    const struct line_sum *line = ring.lines[ring.lines[0]->caller == root];
    return finding_take(finding, line->caller, root, ring_ns(finder, &ring)) ? line : NULL;
}

static double measure_forks(struct finder *finder, struct finding *finding)
{
    const struct work_sums *work = &finder->profile->work;
    const struct line_sum *best = NULL;
    for (uint32_t i = 0; i < work->function_count; i++) {
        const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, i);
        if (!is_short(sum, work->tick_count) || function_is_unfit(finder->report, i))
            continue;
        const struct line_sum *line = find_forking_line(finder, i);
        if (line == NULL)
            line = take_ring(finder, finding, i);
        else if (!finding_take(finding, line->caller, i, forks_ns(finder, line, i)))
            line = NULL;
        best = line != NULL ? line : best;
    }
    if (best == NULL)
        return -1;
    bool is_ring = find_forking_line(finder, finding->caller) == NULL;
    finding_add(finding, "line", best->line);
    finding_add(finding, "threads", finder_scaled(finder, (double)best->calls));
    finding_add(
        finding,
        "wakes",
        finder_scaled(finder,
                      (double)thread_sums_of(&finder->profile->threads, finding->caller)->wakes));
    finding_add(finding, "is_ring", is_ring);
    finding_add(finding,
                "tick_ns",
                (double)finding->time_ns / finder_scaled(finder, (double)work->tick_count));
    return finder_percent(finding->time_ns, finder->all_ns);
}

/* Appends who forks as many threads in turn. */
static void put_ring(const struct finder *finder, const struct finding *finding, struct text *text)
{
    struct ring ring = find_ring(finder, finding->caller);
    const char *before = ", and as many begin with ";
    for (size_t i = 0; i < ring.count; i++)
        if (ring.lines[i]->caller != finding->function) {
            text_printf(text, "%s%s", before, finder_name(finder, ring.lines[i]->caller));
            before = " and with ";
        }
    text_printf(text, ", which fork%s as many in turn", ring.count == 2 ? "s" : "");
}

static void put_forks(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double threads = finding_number(finding, "threads");
    finder_put_place(text, finder, finding->function, finding_number(finding, "line"));
    text_printf(text, ", forks %s threads", finding_count(finder, finding, "threads").at);
    if (finding_number(finding, "is_ring") > 0)
        put_ring(finder, finding, text);
    else
        text_printf(text,
                    " of %s that %s",
                    finder_name(finder, finding->caller),
                    finding_number(finding, "wakes") > 1.5 * threads ? "wait once and end"
                                                                     : "run once");
    text_printf(text,
                ": %s ms a %s",
                amount_ms(finding_number(finding, "tick_ns")).at,
                tick_kinds[finder->profile->rebuild.state].one);
}

const struct finding_row finding_forks = {
    .name = "forks",
    .needs = OF_WORK,
    .measure = measure_forks,
    .least = 10, /* percent of all time */
    .put = put_forks,
    .explains = EXPLAINS_TOTAL,
    .is_of_caller = true,
    .repaired = 1,
};

/* Threads that always wake --------------------------------------------------------------------- */

/* How many threads of a root there are, of which each wakes in each tick; 0: not so. */
static double wake_in_each_tick(const struct finder *finder, uint32_t root)
{
    enum { THREADS_MIN = 50 };
    const double PART_MIN = 0.9;
    const struct work_sums *work = &finder->profile->work;
    const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, root);
    double threads = 0;
    for (size_t k = 0; k < WORK_STRETCHES; k++)
        threads += (double)work->functions[root].woke_in[k] / WORK_STRETCHES;
    bool is_so = sum != NULL && threads >= THREADS_MIN &&
                 (double)sum->wakes >= PART_MIN * threads * (double)work->tick_count;
    return is_so ? round(threads) : 0;
}

/* Of wakes that mostly only look whether there is work, those are too many. The others are what the
 * threads are for, if they take a tenth of the time. */
static bool has_polls(const struct thread_sum *sum)
{
    enum { OTHER_PARTS = 10 };
    return sum->polls > 0 && sum->wakes_ns - sum->poll_ns >= sum->wakes_ns / OTHER_PARTS;
}

static double measure_wakes(struct finder *finder, struct finding *finding)
{
    enum { TICKS_MIN = 12 };
    const struct work_sums *work = &finder->profile->work;
    const struct thread_sum *best = NULL;
    for (uint32_t i = 0; work->tick_count >= TICKS_MIN && i < work->function_count; i++) {
        const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, i);
        if (wake_in_each_tick(finder, i) == 0 || function_is_unfit(finder->report, i) ||
            finder_is_in_trend(finder, i, TREE_NONE))
            continue;
        int64_t ns = has_polls(sum) ? sum->poll_ns : sum->wakes_ns;
        if (finding_take(finding, i, TREE_NONE, (int64_t)finder_scaled(finder, (double)ns)))
            best = sum;
    }
    if (best == NULL)
        return -1;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    finding->is_shared = true;
    finding_add(finding, "threads", wake_in_each_tick(finder, finding->function));
    finding_add(finding, "wakes", finder_scaled(finder, (double)best->wakes));
    finding_add(finding, "percent", percent);
    if (has_polls(best)) {
        finding_add(finding, "polls", finder_scaled(finder, (double)best->polls));
        finding_add(finding, "poll_calls", best->poll_calls);
    }
    return percent;
}

static void put_wakes(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text,
                "%s threads of %s wake in each %s: ",
                finding_count(finder, finding, "threads").at,
                finder_name(finder, finding->function),
                tick_kinds[finder->profile->rebuild.state].one);
    text_printf(text, "%s wakes, ", finding_count(finder, finding, "wakes").at);
    uint64_t calls = (uint64_t)finding_number(finding, "poll_calls");
    if (finding_number(finding, "polls") == 0)
        text_put_string(text, "with what they call");
    else
        text_printf(text,
                    "the %s with exactly %s are",
                    finding_count(finder, finding, "polls").at,
                    amount_things(calls, "call", "calls").at);
    text_printf(text, " %.0f%% of the time", finding_number(finding, "percent"));
}

const struct finding_row finding_wakes = {
    .name = "wakes",
    .needs = OF_WORK,
    .measure = measure_wakes,
    .least = 10, /* percent of all time */
    .put = put_wakes,
    .option = "--threads",
    .explains = EXPLAINS_TOTAL,
    .repaired = 1,
};
