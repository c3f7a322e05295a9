#include "rebuild/ending/work_sums.h"

#include "base/hash_index.h"
#include "base/number.h"
#include "base/sort.h"

void work_begin(struct work_walk *walk, struct work_sums *work, const struct recorded *recorded,
                size_t tick_count)
{
    enum { PLACES_MAX = 1 << 19 };
    *walk = (struct work_walk){.recorded = recorded};
    if (work == NULL)
        return;
    if (work->recording_count++ > 0) {
        MEM_FREE(work->lines, work->functions);
        *work = (struct work_sums){.recording_count = work->recording_count};
        return;
    }
    size_t count = recorded->function_count;
    walk->work = work;
    work->function_count = count;
    work->tick_count = tick_count;
    work->functions = mem_zeroed(count, sizeof *work->functions);
    walk->totals = mem_zeroed(count, sizeof *walk->totals);
    walk->invocations = mem_zeroed(count * WORK_STRETCHES, sizeof *walk->invocations);
    if (recorded->place_count >= PLACES_MAX || tick_count == 0)
        return;
    walk->place_ns = mem_zeroed(recorded->place_count, sizeof *walk->place_ns);
    walk->place_ticks = mem_zeroed(recorded->place_count, sizeof *walk->place_ticks);
    walk->place_calls =
        mem_zeroed((size_t)recorded->place_count * WORK_STRETCHES, sizeof *walk->place_calls);
}

void work_begin_later(struct work_walk *later, const struct work_walk *walk, size_t at)
{
    *later = *walk;
    if (walk->work == NULL)
        return;
    later->at = at;
    later->stretch = work_stretch(walk->work->tick_count, at);
    later->totals = mem_zeroed(walk->work->function_count, sizeof *later->totals);
    if (walk->place_calls == NULL)
        return;
    later->place_ns = mem_zeroed(walk->recorded->place_count, sizeof *later->place_ns);
    later->place_ticks = mem_zeroed(walk->recorded->place_count, sizeof *later->place_ticks);
}

void work_join(struct work_walk *walk, struct work_walk *later)
{
    if (walk->work == NULL)
        return;
    for (size_t i = 0; i < walk->work->function_count; i++) {
        walk->totals[i].calls += later->totals[i].calls;
        walk->totals[i].units += later->totals[i].units;
        walk->totals[i].run_ticks += later->totals[i].run_ticks;
    }
    for (uint32_t i = 0; walk->place_calls != NULL && i < walk->recorded->place_count; i++) {
        walk->place_ns[i] += later->place_ns[i];
        walk->place_ticks[i] += later->place_ticks[i];
    }
    MEM_FREE(later->totals, later->place_ns, later->place_ticks, later->prices);
}

/* Floats that are not negative are in the order of their bits. */
static uint64_t key_of_price(float price_ns)
{
    uint32_t bits;
    memcpy(&bits, &price_ns, sizeof bits);
    return bits;
}

static float price_of_key(uint64_t key)
{
    uint32_t bits = (uint32_t)key;
    float price_ns;
    memcpy(&price_ns, &bits, sizeof price_ns);
    return price_ns;
}

/* Returns the usual times of all invocations of a stretch: those of the median of each function. */
static double sum_medians(const struct work_walk *walk)
{
    size_t function_count = walk->work->function_count, from = 0;
    SCOPED_ARRAY uint32_t *ends = mem_zeroed(function_count + 1, sizeof *ends);
    SCOPED_ARRAY uint32_t *invocations = mem_zeroed(function_count, sizeof *invocations);
    SCOPED_ARRAY uint64_t *keys = mem_zeroed(walk->price_count, sizeof *keys);
    double usual_ns = 0;
    for (size_t i = 0; i < walk->price_count; i++)
        ends[walk->prices[i].function + 1]++;
    for (size_t i = 1; i <= function_count; i++)
        ends[i] += ends[i - 1];
    for (size_t i = 0; i < walk->price_count; i++) {
        const struct invocation_price *price = &walk->prices[i];
        keys[ends[price->function]++] = key_of_price(price->ns);
        invocations[price->function] += price->is_of_none;
    }
    for (size_t i = 0; i < function_count; from = ends[i++]) {
        size_t count = ends[i] - from;
        invocations[i] += walk->invocations[walk->stretch * function_count + i];
        if (count > 0)
            usual_ns +=
                (double)price_of_key(smallest_at(keys + from, count, number_rank(count, 50))) *
                invocations[i];
    }
    return usual_ns;
}

void work_end_stretch(struct work_walk *walk)
{
    if (walk->stretch_ticks == 0)
        return;
    walk->work->usual_ns[walk->stretch] = sum_medians(walk) / (double)walk->stretch_ticks;
    if (walk->stretch_ns > 0)
        walk->work->kept_fraction[walk->stretch] = walk->stretch_kept_ns / walk->stretch_ns;
    walk->price_count = walk->stretch_ticks = 0;
    walk->stretch_ns = walk->stretch_kept_ns = 0;
}

/* Adds what a run took in the tick; where a function was running all the time, as one run. */
static void add_price(struct work_walk *walk, uint32_t function,
                      const struct tick_function_sum *sum)
{
    uint64_t invocations = sum->invocations > 0 ? sum->invocations : 1;
    double units = sum->units > 0 ? (double)sum->units : 0;
    struct invocation_price price = {
        .function = function,
        .ns = (float)(units * walk->recorded->unit_ns / (double)invocations),
        .is_of_none = sum->invocations == 0};
    walk->invocations[walk->stretch * walk->work->function_count + function] +=
        (uint32_t)sum->invocations;
    walk->totals[function].run_ticks += sum->invocations > 0;
    MEM_APPEND(walk->prices, walk->price_count, walk->price_capacity, price);
}

/* Counts the threads that woke in each stretch. */
static void add_wakes(struct work_walk *walk, const struct wakes *wakes, const uint8_t *stretches)
{
    /* 1 + the last stretch in which a life woke; 0: none. */
    SCOPED_ARRAY uint8_t *last_of = mem_zeroed((size_t)wakes->last_life + 1, sizeof *last_of);
    for (size_t i = 0; i < wakes->count; i++) {
        const struct wake *wake = &wakes->all[i];
        struct function_work *root = &walk->work->functions[wake->function];
        uint8_t *last = &last_of[wake->life];
        size_t stretch = stretches[walk->recorded->tick_of_part[wake->part]];
        if (stretch == WORK_STRETCHES || *last == 1 + stretch)
            continue;
        root->woke_in[stretch]++;
        root->first_in[stretch] += *last == 0;
        *last = (uint8_t)(1 + stretch);
    }
}

static void add_tick(struct work_walk *walk, const struct tick_reader *reader,
                     const struct tick_function_sums *functions)
{
    int64_t units = 0, kept_ns = 0;
    uint32_t *calls = walk->place_calls == NULL
                          ? NULL
                          : walk->place_calls + walk->stretch * walk->recorded->place_count;
    for (size_t i = 0; i < functions->count; i++)
        add_price(walk, functions->found[i], &functions->sums[functions->found[i]]);
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        units += entry->units;
        kept_ns += entry->self_ns;
        if (calls == NULL)
            continue;
        calls[entry->place] += (uint32_t)entry->calls;
        walk->place_ns[entry->place] += entry->self_ns;
        walk->place_ticks[entry->place] += entry->calls > 0;
    }
    walk->stretch_ns += (double)units * walk->recorded->unit_ns;
    walk->stretch_kept_ns += (double)kept_ns;
}

/* Begins the stretch that the next tick is in. */
static void find_stretch(struct work_walk *walk)
{
    size_t stretch = work_stretch(walk->work->tick_count, walk->at++);
    if (stretch != walk->stretch)
        work_end_stretch(walk);
    walk->stretch = stretch;
    walk->stretch_ticks++;
}

void work_add(struct work_walk *walk, const struct tick_reader *reader,
              struct tick_function_sums *functions, bool is_tick, const struct wake *wakes,
              size_t wake_count)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct tick_function_sum *sum = &functions->sums[functions->found[i]];
        struct function_total *total = &walk->totals[functions->found[i]];
        total->units += (double)sum->units;
        total->calls += (double)sum->calls;
    }
    if (!is_tick)
        return;
    find_stretch(walk);
    /* A function that only woke took less than a step of the clock. */
    for (size_t i = 0; i < wake_count; i++)
        tick_function_sums_find(functions, wakes[i].function)->invocations++;
    add_tick(walk, reader, functions);
}

/* Lines that call ----------------------------------------------------------------------------- */

/* Returns the line of each place, [place_count]; UINT32_MAX: none. The caller frees it. */
static uint32_t *find_lines(struct work_walk *walk)
{
    const struct recorded *recorded = walk->recorded;
    struct work_sums *work = walk->work;
    SCOPED(intern) keys = {0};
    size_t capacity = 0;
    uint32_t *lines = mem_zeroed(recorded->place_count, sizeof *lines);
    for (uint32_t i = 0; i < recorded->place_count; i++) {
        const struct place *place = &recorded->places[i];
        lines[i] = UINT32_MAX;
        if (i == 0 || place->parent == 0 || place->kind == CALL_OF_ITERATOR)
            continue;
        uint32_t caller = recorded->places[place->parent].function;
        uint32_t key[] = {caller, place->function, (uint32_t)place->line};
        if (!intern_is_new(&keys, (struct span){(const char *)key, sizeof key}, &lines[i]))
            continue;
        struct line_sum sum = {.caller = recorded->function_ids[caller],
                               .callee = recorded->function_ids[place->function],
                               .line = place->line,
                               .run_ticks = walk->totals[caller].run_ticks};
        for (size_t k = 0; k < WORK_STRETCHES; k++) {
            sum.invocations_in[k] = walk->invocations[k * work->function_count + caller];
            sum.invocations += sum.invocations_in[k];
        }
        MEM_APPEND(work->lines, work->line_count, capacity, sum);
    }
    return lines;
}

/* What a line calls may run the same line again: its time counts once. */
static void add_times(struct work_walk *walk, const uint32_t *lines)
{
    const struct recorded *recorded = walk->recorded;
    struct work_sums *work = walk->work;
    uint32_t *open = mem_zeroed(work->line_count, sizeof *open); /* on the path to the place */
    for (uint32_t i = recorded->place_count; i-- > 1;)
        walk->place_ns[recorded->places[i].parent] += walk->place_ns[i];
    for (uint32_t i = 1, last = 0; i < recorded->place_count; last = i++) {
        for (; last != recorded->places[i].parent; last = recorded->places[last].parent)
            if (lines[last] != UINT32_MAX)
                open[lines[last]]--;
        if (lines[i] == UINT32_MAX)
            continue;
        work->lines[lines[i]].time_ns += open[lines[i]]++ == 0 ? walk->place_ns[i] : 0;
    }
    free(open);
}

static void add_lines(struct work_walk *walk)
{
    SCOPED_ARRAY uint32_t *lines = find_lines(walk);
    for (uint32_t i = 1; i < walk->recorded->place_count; i++) {
        if (lines[i] == UINT32_MAX)
            continue;
        struct line_sum *line = &walk->work->lines[lines[i]];
        line->ticks += walk->place_ticks[i];
        for (size_t k = 0; k < WORK_STRETCHES; k++) {
            uint32_t calls = walk->place_calls[k * walk->recorded->place_count + i];
            line->calls_in[k] += calls;
            line->calls += calls;
        }
    }
    add_times(walk, lines);
}

/* Prices -------------------------------------------------------------------------------------- */

static void price_functions(struct work_walk *walk, const struct prices *prices)
{
    for (size_t i = 0; i < walk->work->function_count; i++) {
        struct function_work *function = &walk->work->functions[i];
        const struct function_price *price = prices_find(prices, (uint32_t)i);
        double calls = walk->totals[i].calls;
        function->usual_fraction = 1;
        function->measured_ns = walk->totals[i].units * walk->recorded->unit_ns;
        if (price == NULL || calls == 0)
            continue;
        function->tick_calls = (double)price->calls / (double)prices->tick_count;
        function->price_ns = price->price * prices->scale * walk->recorded->unit_ns;
        if (calls * function->price_ns < function->measured_ns)
            function->usual_fraction = calls * function->price_ns / function->measured_ns;
    }
}

/* Puts what is known of functions where their ids of symbols.h are. */
static void name_functions(struct work_walk *walk)
{
    const struct recorded *recorded = walk->recorded;
    struct work_sums *work = walk->work;
    struct function_work *by_number = work->functions;
    work->function_count = recorded_count_ids(recorded);
    work->functions = mem_zeroed(work->function_count, sizeof *work->functions);
    for (size_t i = 0; i < work->function_count; i++)
        work->functions[i].usual_fraction = 1;
    /* Of several numbers of a function, the first has its sums. */
    for (uint32_t i = recorded->function_count; i-- > 0;)
        work->functions[recorded->function_ids[i]] = by_number[i];
    free(by_number);
}

void work_end(struct work_walk *walk, const struct prices *prices, const struct wakes *wakes,
              const uint8_t *stretches)
{
    if (walk->work == NULL)
        return;
    add_wakes(walk, wakes, stretches);
    price_functions(walk, prices);
    if (walk->place_calls != NULL)
        add_lines(walk);
    name_functions(walk);
    MEM_FREE(walk->totals, walk->invocations);
    MEM_FREE(walk->place_calls, walk->place_ns, walk->place_ticks, walk->prices);
}
