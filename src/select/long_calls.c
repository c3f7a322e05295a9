#include "select/long_calls.h"

#include "tree/sums.h"

#include <math.h>

enum { FACTOR = 100, MORE_CALLS = 10, MORE_OF_TWO_KINDS = 2 };

/*
 * Returns what each long call took beyond the usual, without long calls inside it; 0 if it does not
 * count. [long_count]; the caller frees it.
 */
static int64_t *find_over(const struct long_calls *calls, const struct call_durations *durations)
{
    int64_t *over_ns = mem_zeroed(durations->long_count, sizeof *over_ns);
    /* What long calls inside a call took beyond the usual. */
    SCOPED_ARRAY int64_t *inside_ns = mem_zeroed(durations->long_count, sizeof *inside_ns);
    for (size_t i = 0; i < durations->long_count; i++) {
        const struct long_call *call = &durations->long_calls[i];
        int64_t all_ns = inside_ns[i];
        if (!call->is_usual_here && call->function < calls->function_count &&
            call->ns > DURATION_LONG_NS &&
            call->ns / FACTOR >= calls->of[call->function].usual_ns) {
            all_ns = call->ns - calls->of[call->function].usual_ns;
            if (call->is_chosen && inside_ns[i] < all_ns / 2)
                over_ns[i] = all_ns - inside_ns[i];
        }
        if (call->outer != 0)
            inside_ns[call->outer - 1] += all_ns;
    }
    return over_ns;
}

/* All calls of a function, and the distances of the ticks of its long ones. */
struct long_sum {
    struct sum all;
    int64_t last_tick;
    uint32_t last_recording;
    uint64_t ticks;            /* with long calls */
    uint64_t distances, equal; /* equal: to the one that may be most of them */
    uint64_t votes;
    uint64_t long_inside;
    int64_t over_ns;
};

/*
 * Adds a distance. The one that most of them have in the end is found as votes are counted: each
 * other one takes a vote. `pass` 2 counts those that are equal to it.
 */
static void add_distance(struct long_sum *sum, struct long_function *function,
                         const struct long_call *call, int pass)
{
    int64_t distance = call->tick - sum->last_tick;
    bool is_first = sum->last_tick < 0 || sum->last_recording != call->recording;
    if (call->tick < 0 || (!is_first && distance == 0))
        return;
    sum->last_tick = call->tick;
    sum->last_recording = call->recording;
    sum->ticks += pass == 2;
    if (is_first)
        return;
    if (pass == 2) {
        sum->distances++;
        sum->equal += distance == function->distance;
        return;
    }
    if (sum->votes == 0)
        function->distance = distance;
    if (distance == function->distance)
        sum->votes++;
    else
        sum->votes--;
}

static void judge(struct long_function *function, const struct long_sum *sum,
                  const struct call_histogram *histogram)
{
    enum {
        LONG_CALLS_MIN = 5,
        PERCENT_MIN = 3,
        DISTANCES_MIN = 4,
        EQUAL_PERCENT = 80,
        INTERRUPTED_PART = 100
    };
    bool is_regular =
        sum->distances >= DISTANCES_MIN && sum->equal * 100 >= sum->distances * EQUAL_PERCENT;
    bool has_enough = function->count >= LONG_CALLS_MIN &&
                      (is_regular || function->count * 100 >= sum->all.calls * PERCENT_MIN);
    if (!is_regular)
        function->distance = 0;
    /* The histogram has calls of all ticks, and a few more calls inside than were counted. */
    double others = (double)histogram->returned - (double)function->count;
    double inside = (double)histogram->inside - (double)sum->long_inside;
    double usual = others > 0 && inside > 0 ? inside / others : 0;
    bool is_unknown = function->usual_ns == 0 && usual >= MORE_CALLS;
    double more = (double)sum->long_inside / (double)function->count / (usual + 1);
    function->has_two_kinds = has_enough && !is_unknown;
    function->makes_more = more > (function->has_two_kinds ? MORE_OF_TWO_KINDS : MORE_CALLS);
    /* What took longer than all self time was done by callees: more work. The recorder's cost is
     * taken out of both in other ways. */
    function->has_interruptions = !has_enough && !is_unknown && !function->makes_more &&
                                  sum->over_ns / 2 <= sum->all.self_ns &&
                                  function->count <= sum->all.calls / INTERRUPTED_PART;
}

/* What interruptions of a function may hit: its time with the recorder's cost. */
static double usual_time(const struct long_sum *sum)
{
    double ns = sum->all.has_details ? sum->all.details.measured_ns : (double)sum->all.self_ns;
    return fmax(ns - (double)sum->over_ns, 0);
}

/* The most that chance gives `count` of `all` events a part that each has by itself: the bound of
 * Chernoff. */
static double chance_of(double count, double all, double part)
{
    double of_others = count < all ? (all - count) * log((1 - count / all) / (1 - part)) : 0;
    return part <= 0 ? 0 : exp(-count * log(count / all / part) - of_others);
}

/* Interruptions hit functions as their time goes, more or less. One that has most of them, and so
 * many more, has two kinds of calls. */
static void judge_parts(struct long_calls *calls, const struct long_sum *sums)
{
    enum { TICKS_MIN = 2, TIMES_MIN = 4 };
    const double CHANCE_MAX = 0.01; /* of all functions together */
    double all_ns = 0, ticks = 0, functions = 0;
    for (uint32_t i = 0; i < calls->function_count; i++) {
        all_ns += usual_time(&sums[i]);
        functions += sums[i].all.calls > 0;
        ticks += calls->of[i].has_interruptions ? (double)sums[i].ticks : 0;
    }
    for (uint32_t i = 0; i < calls->function_count; i++) {
        struct long_function *function = &calls->of[i];
        double count = (double)sums[i].ticks, part = usual_time(&sums[i]) / fmax(all_ns, 1);
        if (!function->has_interruptions || count < TICKS_MIN || 2 * count < ticks ||
            count < TIMES_MIN * part * ticks ||
            functions * chance_of(count, ticks, part) > CHANCE_MAX)
            continue;
        function->has_interruptions = false;
        function->has_two_kinds = true;
    }
}

/* Returns a function's sum as it was recorded, like its long calls: where ticks were chosen by
 * chance, the tree estimates that of all ticks. */
static struct sum recorded_sum(const struct sum *all, const struct call_histogram *histogram)
{
    struct sum sum = *all;
    double part = histogram != NULL && all->calls > 0
                      ? fmin((double)histogram->returned / (double)all->calls, 1)
                      : 1;
    sum.calls = (uint64_t)((double)all->calls * part);
    sum.self_ns = (int64_t)((double)all->self_ns * part);
    sum.total_ns = (int64_t)((double)all->total_ns * part);
    sum.details.measured_ns = all->details.measured_ns * part;
    return sum;
}

/* Sums up the long calls of functions, and judges them. */
static void judge_all(struct long_calls *calls, const struct call_durations *durations,
                      const int64_t *over_ns, struct long_sum *sums)
{
    for (int pass = 1; pass <= 2; pass++) {
        for (uint32_t i = 0; i < calls->function_count; i++)
            sums[i].last_tick = -1;
        for (size_t i = 0; i < durations->long_count; i++) {
            const struct long_call *call = &durations->long_calls[i];
            if (over_ns[i] == 0)
                continue;
            struct long_function *function = &calls->of[call->function];
            add_distance(&sums[call->function], function, call, pass);
            if (pass == 2)
                continue;
            function->count++;
            function->ns += call->ns;
            sums[call->function].long_inside += call->inside;
            sums[call->function].over_ns += over_ns[i];
        }
    }
    for (uint32_t i = 0; i < calls->function_count; i++)
        if (calls->of[i].count > 0)
            judge(&calls->of[i], &sums[i], call_durations_of(durations, i));
    judge_parts(calls, sums);
}

/* Callees may have taken all of their time in the long calls. */
static bool is_most(const struct long_function *function, const struct long_sum *sum)
{
    enum { FEW_PARTS = 20 };
    int64_t callees_ns = sum->all.total_ns - sum->all.self_ns;
    return function->count > 0 && function->count <= sum->all.calls / FEW_PARTS &&
           sum->over_ns - callees_ns >= sum->all.self_ns / 2;
}

/*
 * Adds up the interruptions. A call of a function that does little else weighs twice as much for
 * the worst: where calls now and then have much to do, one of these may be among them.
 */
static void find_interruptions(struct long_calls *calls, const struct call_durations *durations,
                               const int64_t *over_ns, const struct long_sum *sums,
                               const struct symbols *symbols)
{
    enum { FUNCTIONS_MIN = 3 };
    int64_t worst = 0, most_ns = 0;
    calls->interrupted = mem_zeroed(durations->long_count, sizeof *calls->interrupted);
    for (size_t i = 0; i < durations->long_count; i++) {
        const struct long_call *call = &durations->long_calls[i];
        const struct long_sum *sum = &sums[call->function];
        int64_t weight = call->ns * (sum->over_ns >= sum->all.self_ns / 2 ? 2 : 1);
        if (over_ns[i] == 0 || !calls->of[call->function].has_interruptions)
            continue;
        calls->interrupted[calls->count++] = (struct keyed){~(uint64_t)over_ns[i], (uint32_t)i};
        calls->over_ns += over_ns[i];
        if (weight <= worst)
            continue;
        worst = weight;
        calls->worst = call->function;
        calls->worst_ns = call->ns;
        calls->worst_tick = call->tick;
        calls->worst_recording = call->recording;
    }
    key_sort(calls->interrupted, (size_t)calls->count);
    for (uint32_t i = 0; i < calls->function_count; i++) {
        struct long_function *function = &calls->of[i];
        calls->interrupted_count += function->has_interruptions;
        if (function->has_interruptions && sums[i].over_ns > most_ns)
            most_ns = sums[i].over_ns;
        function->is_most = is_most(function, &sums[i]);
        function->is_marked = function->has_interruptions && symbols_is_c(symbols, i) &&
                              sums[i].long_inside == 0 && function->ns >= sums[i].all.self_ns / 2;
    }
    calls->is_spread = calls->interrupted_count >= FUNCTIONS_MIN && most_ns <= calls->over_ns / 2;
}

void long_calls_find(struct long_calls *calls, const struct profile *profile)
{
    const struct call_durations *durations = &profile->durations;
    uint32_t count = profile->symbols.function_count;
    *calls = (struct long_calls){0};
    if (durations->long_count == 0)
        return;
    *calls =
        (struct long_calls){.of = mem_zeroed(count, sizeof *calls->of), .function_count = count};
    SCOPED_ARRAY struct long_sum *sums = mem_zeroed(count, sizeof *sums);
    for (uint32_t i = 0; i < count && i < durations->count; i++)
        calls->of[i].usual_ns = call_histogram_median_ns(&durations->of[i]);
    SCOPED_ARRAY struct sum *all = sums_of_functions(&profile->tree, count);
    for (uint32_t i = 0; i < count; i++)
        sums[i].all = profile->ticks.is_sampled
                          ? recorded_sum(&all[i], call_durations_of(durations, i))
                          : all[i];
    SCOPED_ARRAY int64_t *over_ns = find_over(calls, durations);
    judge_all(calls, durations, over_ns, sums);
    find_interruptions(calls, durations, over_ns, sums, &profile->symbols);
}

bool long_calls_have(const struct long_calls *calls, uint32_t function)
{
    return function < calls->function_count && calls->of[function].is_marked;
}

bool long_calls_are_most(const struct long_calls *calls, uint32_t function)
{
    return function < calls->function_count && calls->of[function].is_most;
}
