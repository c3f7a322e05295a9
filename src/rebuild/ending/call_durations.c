#include "rebuild/ending/call_durations.h"

#include "base/number.h"

static uint32_t step_of(int64_t ns)
{
    return ns < 2 ? 0 : duration_step(ns);
}

static void count(struct call_histogram *histogram, double ns, uint64_t calls)
{
    uint32_t step = step_of(number_nearest(ns));
    if (calls == 0)
        return;
    MEM_GROW_ZEROED(histogram->calls, histogram->count, (size_t)step + 1);
    histogram->calls[step] += calls;
    histogram->returned += calls;
}

/* The calls of a function with their mean cost; what the steps do not have took 0 or 1 units. */
static void add_function(struct call_histogram *histogram, const struct recorded *recorded,
                         uint32_t number)
{
    static const struct function_durations none = {0};
    const struct recorded_function *function = &recorded->functions[number];
    const struct function_durations *of =
        number < recorded->durations.count ? &recorded->durations.of[number] : &none;
    uint64_t rest = function->returned;
    int64_t units = function->duration_sum;
    for (size_t i = 0; i < of->count; i++) {
        const struct duration_sum *sum = &of->steps[i];
        if (sum->calls == 0)
            continue;
        double calls = (double)sum->calls, inside = (double)sum->inside;
        count(histogram,
              (double)sum->units / calls * recorded->unit_ns - function->own_ns -
                  inside / calls * function->inside_ns,
              sum->calls);
        histogram->inside += sum->inside;
        units -= sum->units;
        rest -= sum->calls < rest ? sum->calls : rest;
    }
    uint64_t ones = units <= 0 ? 0 : (uint64_t)units < rest ? (uint64_t)units : rest;
    count(histogram, 0, rest - ones);
    count(histogram, recorded->unit_ns - function->own_ns, ones);
}

/* Returns how many calls of each place are long, [place_count]; the caller frees it. */
static uint32_t *count_long(const struct recorded *recorded)
{
    uint32_t *counts = mem_zeroed(recorded->place_count, sizeof *counts);
    for (size_t i = 0; i < recorded->durations.long_count; i++) {
        const struct long_call *call = &recorded->durations.long_calls[i];
        counts[call->place] +=
            recorded_duration_ns(recorded, call->place, call->units, call->inside) >=
            DURATION_LONG_NS;
    }
    return counts;
}

/* What is known of a long call at last; `first`: of its recording. */
static struct long_call end_call(const struct long_call *call, const struct recorded *recorded,
                                 size_t first)
{
    const struct place *place = &recorded->places[call->place];
    return (struct long_call){
        .function = recorded->function_ids[place->function],
        .inside = call->inside,
        .outer = call->outer == 0 ? 0 : (uint32_t)first + call->outer,
        .tick = recorded->ticks[call->tick_at].number,
        .ns = recorded_duration_ns(recorded, call->place, call->units, call->inside),
    };
}

static void add_long_calls(struct call_durations *durations, struct recorded *recorded,
                           uint32_t recording, const uint8_t *is_chosen, uint8_t threads)
{
    enum { USUAL_MIN = 3 };
    const double USUAL_PART = 0.9;
    struct durations *from = &recorded->durations;
    SCOPED_ARRAY uint32_t *long_counts = count_long(recorded);
    size_t first = durations->long_count;
    for (size_t i = 0; i < from->long_count; i++) {
        struct long_call *call = &from->long_calls[i], ended = end_call(call, recorded, first);
        const struct place *place = &recorded->places[call->place];
        uint32_t count = long_counts[call->place];
        /* All others stay, too: they may be around a long one. A call without a place was counted
         * for another stack later in its tick: its function is not known. */
        ended.is_chosen = is_chosen[call->tick_at] != 0 && place_is_of_thread(place, threads) &&
                          call->place != 0 && ended.ns >= DURATION_LONG_NS;
        ended.is_usual_here = count >= USUAL_MIN && count >= place->returned * USUAL_PART;
        ended.recording = recording;
        *call = ended;
    }
    if (first == 0) {
        free(durations->long_calls);
        durations->long_calls = from->long_calls;
        durations->long_count = from->long_count;
        durations->long_capacity = from->long_capacity;
        from->long_calls = NULL;
        from->long_count = from->long_capacity = 0;
    }
    for (size_t i = 0; i < from->long_count; i++)
        MEM_APPEND(durations->long_calls,
                   durations->long_count,
                   durations->long_capacity,
                   from->long_calls[i]);
}

void call_durations_add(struct call_durations *durations, struct recorded *recorded,
                        uint32_t recording, const uint8_t *is_chosen, uint8_t threads)
{
    if (recorded->unit_ns > durations->unit_ns)
        durations->unit_ns = recorded->unit_ns;
    for (uint32_t i = 0; i < recorded->function_count; i++) {
        uint32_t function = recorded->function_ids[i];
        if (recorded->functions[i].returned == 0)
            continue;
        MEM_GROW_ZEROED(durations->of, durations->count, (size_t)function + 1);
        add_function(&durations->of[function], recorded, i);
    }
    add_long_calls(durations, recorded, recording, is_chosen, threads);
    durations_release(&recorded->durations);
}

/* Moves a call into an empty step from the nearest in the direction of the others. */
static void fill_step(struct call_histogram *histogram, uint32_t step, int direction)
{
    uint32_t from = step;
    while (histogram->calls[from] == 0)
        from += (uint32_t)direction;
    histogram->calls[from]--;
    histogram->calls[step]++;
}

static void move_outer_steps(struct call_histogram *histogram)
{
    uint32_t first = step_of(histogram->shortest_ns), last = step_of(histogram->longest_ns);
    MEM_GROW_ZEROED(histogram->calls, histogram->count, (size_t)last + 1);
    for (uint32_t i = 0; i < histogram->count; i++) {
        uint64_t calls = histogram->calls[i];
        histogram->calls[i] = 0;
        histogram->calls[i < first ? first : i > last ? last : i] += calls;
    }
    if (histogram->returned < 2)
        return;
    fill_step(histogram, first, 1);
    fill_step(histogram, last, -1);
}

void call_durations_fit(struct call_durations *durations, const struct tree *tree)
{
    for (size_t i = 0; i < durations->count; i++)
        durations->of[i].shortest_ns = INT64_MAX;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call_details *details = &tree->details[node];
        uint32_t function = tree->calls[node].function;
        if (function >= durations->count || details->finished == 0)
            continue;
        struct call_histogram *of = &durations->of[function];
        of->shortest_ns = details->min_ns < of->shortest_ns ? details->min_ns : of->shortest_ns;
        of->longest_ns = details->max_ns > of->longest_ns ? details->max_ns : of->longest_ns;
    }
    for (size_t i = 0; i < durations->count; i++)
        if (durations->of[i].shortest_ns <= durations->of[i].longest_ns)
            move_outer_steps(&durations->of[i]);
}

const struct call_histogram *call_durations_of(const struct call_durations *durations,
                                               uint32_t function)
{
    return function < durations->count && durations->of[function].returned > 0
               ? &durations->of[function]
               : NULL;
}

int64_t call_histogram_median_ns(const struct call_histogram *histogram)
{
    uint64_t until = 0;
    uint32_t step = 0;
    while (step < histogram->count && (until += histogram->calls[step]) * 2 < histogram->returned)
        step++;
    double middle = (duration_step_begin(step) + duration_step_begin(step + 1)) / 2;
    int64_t ns = step == 0 || step == histogram->count ? 0 : (int64_t)middle;
    if (histogram->longest_ns <= 0)
        return ns;
    return ns < histogram->shortest_ns  ? histogram->shortest_ns
           : ns > histogram->longest_ns ? histogram->longest_ns
                                        : ns;
}
