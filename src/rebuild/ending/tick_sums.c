#include "rebuild/ending/tick_sums.h"

#include "base/crew.h"
#include "base/number.h"

#include <math.h>

static void add_to_slow(struct slow_sums *slow, const struct recorded *recorded,
                        const struct tick_function_sums *functions, bool is_slow, uint32_t weight)
{
    int64_t all_ns = 0;
    double unit_ns = recorded->unit_ns;
    for (size_t i = 0; i < functions->count; i++) {
        const struct tick_function_sum *from = &functions->sums[functions->found[i]];
        struct slow_sum *sum = &slow->at[recorded->function_ids[functions->found[i]]];
        *(is_slow ? &sum->slow_ns : &sum->other_ns) += from->self_ns * weight;
        all_ns += from->self_ns;
        sum->removed_ns += (number_nearest((double)from->units * unit_ns) - from->self_ns) * weight;
    }
    *(is_slow ? &slow->all.slow_ns : &slow->all.other_ns) += all_ns * weight;
}

static bool is_more_expensive(const struct tick_function *a, const struct tick_function *b)
{
    if (a->self_ns != b->self_ns)
        return a->self_ns > b->self_ns;
    return a->function < b->function;
}

/* Keeps the most expensive functions of a tick, in order. */
static void keep_functions(struct tick *tick, const struct recorded *recorded,
                           const struct tick_function_sums *functions)
{
    size_t count = 0;
    tick->functions = mem_zeroed(TICK_FUNCTIONS_MAX, sizeof *tick->functions);
    for (size_t i = 0; i < functions->count; i++) {
        const struct tick_function_sum *sum = &functions->sums[functions->found[i]];
        struct tick_function function = {
            recorded->function_ids[functions->found[i]], sum->self_ns, sum->calls};
        if (count == TICK_FUNCTIONS_MAX &&
            !is_more_expensive(&function, &tick->functions[count - 1]))
            continue;
        count += count < TICK_FUNCTIONS_MAX;
        size_t at = count - 1;
        for (; at > 0 && is_more_expensive(&function, &tick->functions[at - 1]); at--)
            tick->functions[at] = tick->functions[at - 1];
        tick->functions[at] = function;
    }
    tick->function_count = count;
}

static void keep_all_functions(struct tick *tick, const struct tick_function_sums *functions)
{
    tick->all = mem_zeroed(functions->count, sizeof *tick->all);
    for (size_t i = 0; i < functions->count; i++) {
        uint32_t function = functions->found[i];
        const struct tick_function_sum *sum = &functions->sums[function];
        tick->all[tick->all_count++] =
            (struct tick_self){function, sum->self_ns, sum->units, sum->calls};
    }
}

static bool is_slow(const struct recorded_tick *tick, const struct chosen_ticks *chosen)
{
    return tick->time_ns > chosen->limit_ns;
}

static void add_prices(struct prices *prices, const struct tick_function_sums *functions)
{
    prices->tick_count++;
    for (size_t i = 0; i < functions->count; i++) {
        const struct tick_function_sum *sum = &functions->sums[functions->found[i]];
        prices_add(prices, functions->found[i], sum->calls, sum->units);
    }
}

/*
 * Compares a tick with the prices. Where what was left of it was made as long as unrecorded runs,
 * so is what is usual. If that is nearly nothing, and recording cost much of the tick, it may be
 * the error of the cost.
 */
static void compare(struct tick *tick, const struct prices *prices, const struct recorded *recorded,
                    double cost_ns)
{
    enum { FACTOR = 3, COST_PARTS = 10 };
    struct priced_tick priced = {0};
    for (size_t i = 0; i < tick->all_count; i++)
        priced_tick_add(
            &priced, prices, tick->all[i].function, tick->all[i].calls, tick->all[i].units);
    double left_ns = priced.units * recorded->unit_ns - cost_ns, time_ns = (double)tick->time_ns;
    double usual_ns = fmax(priced.usual_units * recorded->unit_ns - cost_ns, 0);
    if (!priced_tick_is_known(&priced) ||
        (usual_ns * COST_PARTS < cost_ns && cost_ns * FACTOR > time_ns))
        return;
    if (recorded->has_scales && left_ns > time_ns)
        usual_ns *= time_ns / left_ns;
    tick->usual_ns = number_nearest(fmin(usual_ns, time_ns));
    tick->is_dear = tick->time_ns / FACTOR > tick->usual_ns && priced_tick_is_slower(&priced);
    tick->is_disturbed = tick->is_dear;
}

/* Slow ticks, and those that get functions, are compared when all prices are known. */
static void compare_ticks(const struct recorded *recorded, const struct chosen_ticks *chosen,
                          struct prices *prices)
{
    prices_finish(prices);
    for (size_t i = 0; i < recorded->tick_count; i++) {
        struct tick *tick = chosen->ticks[i];
        if (tick == NULL || tick->all == NULL)
            continue;
        if (prices->count > 0)
            compare(tick, prices, recorded, recorded->ticks[i].cost_ns);
        for (size_t k = 0; k < tick->all_count; k++)
            tick->all[k].function = recorded->function_ids[tick->all[k].function];
        if (chosen->keeps_all || is_slow(&recorded->ticks[i], chosen))
            continue;
        free(tick->all);
        tick->all = NULL;
        tick->all_count = 0;
    }
}

/* Wakes -------------------------------------------------------------------------------------- */

/* Returns 1 + the number of the last wake of each life, by its number; the caller frees it. */
static uint32_t *find_last(const struct wakes *wakes)
{
    uint32_t *last = mem_zeroed((size_t)wakes->last_life + 1, sizeof *last);
    for (size_t i = 0; i < wakes->count; i++) {
        const struct wake *wake = &wakes->all[i];
        last[wake->life] = wake->number >= last[wake->life] ? wake->number + 1 : last[wake->life];
    }
    return last;
}

/* Keeps the lives of which a wake was kept; that one has ended, only with its last wake. */
static void keep_lives(struct wakes *wakes, const uint32_t *last_of_all)
{
    SCOPED_ARRAY uint32_t *last = find_last(wakes);
    size_t kept = 0;
    for (size_t i = 0; i < wakes->life_count; i++) {
        struct ended_life life = wakes->lives[i];
        bool has_end = last[life.number] == last_of_all[life.number];
        life.has_ended &= has_end;
        life.has_failed &= has_end;
        if (last[life.number] > 0)
            wakes->lives[kept++] = life;
    }
    wakes->life_count = kept;
}

/* The stacks of coroutines by the function of their root, in one tick. */
struct root_sum {
    int64_t self_ns, units;
    double net_ns; /* of its wakes, without the cost of recording */
    int64_t wakes;
};

static double net_ns(const struct wake *wake, const struct recorded *recorded)
{
    double ns = (double)wake->units * recorded->unit_ns -
                recorded->root_costs_ns[wake->function] * wake->calls;
    return ns > 0 ? ns : 0;
}

/* Divides the time of the roots of a tick among its wakes, [count]. Each is read to a unit: more
 * than these is of no wake. */
static void share_tick(struct root_sum *roots, struct wake *wakes, size_t count,
                       const struct tick_reader *reader)
{
    const struct recorded *recorded = reader->recorded;
    for (size_t i = 0; i < count; i++)
        roots[wakes[i].function].wakes++;
    for (size_t i = 0; i < reader->count; i++) {
        const struct place *place = &recorded->places[reader->entries[i].place];
        struct root_sum *root = &roots[place->root];
        if (!place->is_coroutine || root->wakes == 0)
            continue;
        root->self_ns += reader->entries[i].self_ns;
        root->units += reader->entries[i].units;
    }
    for (size_t i = 0; i < count; i++) {
        struct root_sum *root = &roots[wakes[i].function];
        root->net_ns += net_ns(&wakes[i], recorded);
        root->units -= wakes[i].units;
    }
    for (size_t i = 0; i < count; i++) {
        struct root_sum *root = &roots[wakes[i].function];
        double rest = root->units > root->wakes ? (double)root->units * recorded->unit_ns : 0;
        double all = root->net_ns + rest;
        double part = all > 0 ? net_ns(&wakes[i], recorded) / all : 1 / (double)root->wakes;
        wakes[i].ns = (int64_t)((double)root->self_ns * part);
    }
    for (size_t i = 0; i < count; i++)
        roots[wakes[i].function] = (struct root_sum){0};
}

/* The wakes of a recording while they get their times. */
struct wake_walk {
    struct wakes *wakes;
    struct root_sum *roots; /* [function_count]: all zero between ticks */
    size_t tick_from, from; /* those of the tick that was added last, and the next one */
};

static void wakes_begin(struct wake_walk *walk, struct wakes *wakes,
                        const struct recorded *recorded, size_t tick)
{
    *walk = (struct wake_walk){.wakes = wakes,
                               .roots = mem_zeroed(recorded->function_count, sizeof *walk->roots)};
    while (walk->from < wakes->count && recorded->tick_of_part[wakes->all[walk->from].part] < tick)
        walk->from++;
}

static void wakes_take_tick(struct wake_walk *walk, const struct tick_reader *reader)
{
    struct wakes *wakes = walk->wakes;
    walk->tick_from = walk->from;
    while (walk->from < wakes->count &&
           reader->recorded->tick_of_part[wakes->all[walk->from].part] <= reader->tick)
        walk->from++;
    if (walk->from > walk->tick_from)
        share_tick(walk->roots, wakes->all + walk->tick_from, walk->from - walk->tick_from, reader);
}

/* Keeps those of chosen ticks. */
static void wakes_end(struct wakes *wakes, const struct recorded *recorded,
                      const struct chosen_ticks *chosen)
{
    SCOPED_ARRAY uint32_t *last = find_last(wakes);
    size_t kept = 0;
    for (size_t i = 0; i < wakes->count; i++)
        if (chosen->is_chosen[recorded->tick_of_part[wakes->all[i].part]])
            wakes->all[kept++] = wakes->all[i];
    wakes->count = kept;
    keep_lives(wakes, last);
    for (size_t i = 0; i < wakes->count; i++)
        wakes->all[i].function = recorded->function_ids[wakes->all[i].function];
    for (size_t i = 0; i < wakes->life_count; i++)
        wakes->lives[i].function = recorded->function_ids[wakes->lives[i].function];
}

/* Walks -------------------------------------------------------------------------------------- */

/* A walk through some of the ticks. */
struct sums_walk {
    const struct recorded *recorded;
    const struct chosen_ticks *chosen;
    struct slow_sums *slow; /* NULL: not wanted */
    struct tick_function_sums functions;
    struct prices prices;
    struct work_walk work;
    struct wake_walk wakes;
    size_t tick_count; /* of the game, that are chosen, in both walks */
    size_t from_tick, to_tick;
};

struct tick_sums {
    struct sums_walk walk, later; /* the later one may have no ticks */
    struct slow_sums later_slow;
    uint8_t *stretches; /* [recorded->tick_count]; WORK_STRETCHES: in none */
};

/* What a tick of the game adds to sums of ticks. */
static void add_tick(struct sums_walk *walk, const struct tick_reader *reader)
{
    const struct chosen_ticks *chosen = walk->chosen;
    const struct recorded *recorded = walk->recorded;
    struct tick *tick = chosen->ticks[reader->tick];
    bool is_over = is_slow(&recorded->ticks[reader->tick], chosen);
    if (walk->slow != NULL)
        add_to_slow(
            walk->slow, recorded, &walk->functions, is_over, chosen_weight(chosen, reader->tick));
    if (chosen->keeps_all || is_over || tick->function_count > 0)
        keep_all_functions(tick, &walk->functions);
    if (tick->function_count > 0)
        keep_functions(tick, recorded, &walk->functions);
    if (!is_over)
        add_prices(&walk->prices, &walk->functions);
}

static void add_chosen(struct sums_walk *walk, const struct tick_reader *reader)
{
    const struct chosen_ticks *chosen = walk->chosen;
    const struct wake_walk *wakes = &walk->wakes;
    bool is_tick = chosen->ticks[reader->tick] != NULL;
    if (!is_tick && walk->work.work == NULL)
        return;
    tick_function_sums_add(&walk->functions, reader, chosen->threads);
    if (is_tick)
        add_tick(walk, reader);
    if (chosen_weight(chosen, reader->tick) > 0 && walk->work.work != NULL)
        work_add(&walk->work,
                 reader,
                 &walk->functions,
                 is_tick,
                 wakes->wakes->all != NULL ? wakes->wakes->all + wakes->tick_from : NULL,
                 wakes->from - wakes->tick_from);
    tick_function_sums_clear(&walk->functions);
}

/* A tick that is not chosen tells what calls usually take, too: that is the same for each part. */
static void add_other(struct sums_walk *walk, const struct tick_reader *reader)
{
    const struct recorded_tick *tick = &walk->recorded->ticks[reader->tick];
    if (walk->tick_count == 0 || tick->number < 0 || is_slow(tick, walk->chosen))
        return;
    tick_function_sums_add(&walk->functions, reader, walk->chosen->threads);
    add_prices(&walk->prices, &walk->functions);
    tick_function_sums_clear(&walk->functions);
}

/* Finds the stretches of ticks, and the first tick of the second walk, `at` being its number among
 * those of the game: one that begins a stretch, about in the middle of the entries. */
static size_t find_later(struct tick_sums *sums, size_t *at)
{
    const struct sums_walk *walk = &sums->walk;
    const struct recorded *recorded = walk->recorded;
    size_t number = 0, later = recorded->tick_count;
    uint8_t last = 0;
    for (size_t i = 0; i < recorded->tick_count; i++) {
        sums->stretches[i] = WORK_STRETCHES;
        if (walk->chosen->ticks[i] == NULL || chosen_weight(walk->chosen, i) == 0)
            continue;
        sums->stretches[i] = (uint8_t)work_stretch(walk->tick_count, number);
        if (later == recorded->tick_count && i >= recorded->half_tick &&
            sums->stretches[i] != last) {
            later = i;
            *at = number;
        }
        last = sums->stretches[i];
        number++;
    }
    return later;
}

static void begin_later(struct tick_sums *sums, struct wakes *wakes, size_t at)
{
    const struct sums_walk *walk = &sums->walk;
    struct sums_walk *later = &sums->later;
    *later = (struct sums_walk){.recorded = walk->recorded,
                                .chosen = walk->chosen,
                                .tick_count = walk->tick_count,
                                .from_tick = walk->to_tick,
                                .to_tick = walk->recorded->tick_count};
    later->functions = tick_function_sums_make(walk->recorded->function_count);
    if (walk->slow != NULL) {
        later->slow = &sums->later_slow;
        MEM_GROW_ZEROED(later->slow->at, later->slow->count, walk->slow->count);
    }
    wakes_begin(&later->wakes, wakes, walk->recorded, later->from_tick);
    work_begin_later(&later->work, &walk->work, at);
}

static void begin_sums(struct tick_sums *sums, struct work_sums *work, struct wakes *wakes,
                       bool has_thread)
{
    struct sums_walk *walk = &sums->walk;
    const struct recorded *recorded = walk->recorded;
    size_t at = 0;
    walk->functions = tick_function_sums_make(recorded->function_count);
    for (size_t i = 0; i < recorded->tick_count; i++)
        walk->tick_count += walk->chosen->ticks[i] != NULL;
    if (walk->slow != NULL && walk->tick_count > 0)
        MEM_GROW_ZEROED(walk->slow->at, walk->slow->count, recorded_count_ids(recorded));
    wakes_begin(&walk->wakes, wakes, recorded, 0);
    work_begin(&walk->work, work, recorded, walk->tick_count);
    sums->stretches = mem_zeroed(recorded->tick_count, sizeof *sums->stretches);
    size_t later = find_later(sums, &at);
    walk->to_tick = has_thread ? later : recorded->tick_count;
    if (walk->to_tick < recorded->tick_count)
        begin_later(sums, wakes, at);
}

static void read_ticks(void *context)
{
    struct sums_walk *walk = context;
    struct tick_reader reader;
    if (walk->recorded == NULL)
        return;
    tick_reader_begin_some(&reader, walk->recorded, walk->from_tick, walk->to_tick);
    while (tick_reader_next(&reader)) {
        wakes_take_tick(&walk->wakes, &reader);
        if (walk->chosen->is_chosen[reader.tick])
            add_chosen(walk, &reader);
        else
            add_other(walk, &reader);
    }
    tick_reader_end(&reader);
    work_end_stretch(&walk->work);
    MEM_FREE(walk->functions.sums, walk->functions.found, walk->wakes.roots);
}

static void join_later(struct sums_walk *walk, struct sums_walk *later)
{
    prices_join(&walk->prices, &later->prices);
    work_join(&walk->work, &later->work);
    if (walk->slow == NULL)
        return;
    for (size_t i = 0; i < later->slow->count && i < walk->slow->count; i++) {
        walk->slow->at[i].slow_ns += later->slow->at[i].slow_ns;
        walk->slow->at[i].other_ns += later->slow->at[i].other_ns;
        walk->slow->at[i].removed_ns += later->slow->at[i].removed_ns;
    }
    walk->slow->all.slow_ns += later->slow->all.slow_ns;
    walk->slow->all.other_ns += later->slow->all.other_ns;
    free(later->slow->at);
}

struct tick_sums *tick_sums_read(struct slow_sums *slow, struct work_sums *work,
                                 const struct recorded *recorded, const struct chosen_ticks *chosen,
                                 struct wakes *wakes, bool has_thread)
{
    struct tick_sums *sums = mem_zeroed(1, sizeof *sums);
    sums->walk = (struct sums_walk){.recorded = recorded, .chosen = chosen, .slow = slow};
    begin_sums(sums, work, wakes, has_thread);
    crew_run_both(read_ticks, &sums->walk, read_ticks, &sums->later, sums->later.recorded != NULL);
    return sums;
}

void tick_sums_end(struct tick_sums *sums)
{
    struct sums_walk *walk = &sums->walk;
    struct wakes *wakes = walk->wakes.wakes;
    if (sums->later.recorded != NULL)
        join_later(walk, &sums->later);
    compare_ticks(walk->recorded, walk->chosen, &walk->prices);
    work_end(&walk->work, &walk->prices, wakes, sums->stretches);
    wakes_end(wakes, walk->recorded, walk->chosen);
    prices_release(&walk->prices);
    MEM_FREE(sums->stretches, sums);
}
