#include "rebuild/ending/entry_sums.h"

#include "base/crew.h"
#include "base/number.h"
#include "tree/fold.h"
#include "tree/line_runs.h"
#include "tree/samples.h"

#include <math.h>

/* Changes ------------------------------------------------------------------------------------- */

static void add_longest_of_ticks(struct tick_changes *changes, const struct tick_reader *reader,
                                 const struct tick_detail *detail)
{
    const struct entry_counts *counts = &detail->counts;
    uint32_t place = reader->entries[detail->entry].place;
    struct longest_call *longest = &changes->longest[reader->recorded->places[place].node];
    int64_t ns =
        counts->returned == 0
            ? 0
            : recorded_duration_ns(reader->recorded, place, counts->longest, counts->longest_calls);
    if (ns > longest->ns)
        *longest = (struct longest_call){ns, (uint32_t)changes->tick_count + 1};
}

static void add_changes(struct tick_changes *changes, const struct tick_reader *reader)
{
    size_t first = changes->count;
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        uint32_t node = reader->recorded->places[entry->place].node;
        struct tick_change change = {
            .node = node, .calls = (int32_t)entry->calls, .self_ns = entry->self_ns};
        MEM_APPEND(changes->all, changes->count, changes->capacity, change);
    }
    for (size_t i = 0; i < reader->detail_count; i++) {
        const struct tick_detail *detail = &reader->details[i];
        struct tick_change *change = &changes->all[first + detail->entry];
        change->errors = (int32_t)((uint32_t)change->errors + (uint32_t)detail->counts.errors);
        change->memory_kb =
            (int64_t)((uint64_t)change->memory_kb + (uint64_t)detail->counts.memory_kb);
        add_longest_of_ticks(changes, reader, detail);
    }
    MEM_APPEND(changes->ends, changes->tick_count, changes->tick_capacity, changes->count);
}

/* Trees -------------------------------------------------------------------------------------- */

static void clear(struct tree *tree, bool is_sampled, bool keeps_times)
{
    if (is_sampled)
        tree->samples = mem_zeroed(tree->node_count, sizeof *tree->samples);
    if (tree->lines != NULL)
        line_runs_free(tree->lines);
    tree->lines = NULL;
    free(tree->details);
    tree->details = mem_zeroed(tree->node_count, sizeof *tree->details);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        tree->call_counts[node] = 0;
        tree->self_ns[node] = keeps_times ? tree->self_ns[node] : 0;
        tree->flags[node] &= (uint8_t) ~(NODE_MAIN | NODE_COROUTINE | NODE_SEEN);
        tree->details[node] = call_details_none();
    }
}

static uint32_t weight_of_tick(const struct chosen_ticks *chosen, size_t tick)
{
    return chosen->weights != NULL ? chosen->weights[tick] : 1;
}

static uint8_t thread_of(bool is_coroutine)
{
    return is_coroutine ? NODE_COROUTINE : NODE_MAIN;
}

/* Nothing is shorter than 0, which most nodes have soon. */
static void add_extremes(struct call_details *details, const struct recorded *recorded,
                         uint32_t place, const struct entry_counts *counts)
{
    int64_t longest_ns =
        recorded_duration_ns(recorded, place, counts->longest, counts->longest_calls);
    details->max_ns = longest_ns > details->max_ns ? longest_ns : details->max_ns;
    if (details->min_ns == 0)
        return;
    int64_t shortest_ns =
        counts->returned == 1
            ? longest_ns
            : recorded_duration_ns(recorded, place, counts->shortest, counts->shortest_calls);
    details->min_ns = shortest_ns < details->min_ns ? shortest_ns : details->min_ns;
}

/* What the chosen ticks add to a place. It is together in the cache, which the arrays of the tree
 * are not. */
struct place_sum {
    uint64_t calls;
    int64_t self_ns;
    double units;
    uint32_t returned; /* of all ticks */
    bool is_there;
};

/* The walk that makes the tree. */
struct tree_walk {
    struct entry_sums *sums;
    struct recorded *recorded;
    const struct chosen_ticks *chosen;
    struct tree *tree;
    const uint8_t *kinds;
    struct place_sum *places; /* [place_count] */
    struct line_run *rows;    /* [line_row_count]; times are units at first */
    size_t dealt;             /* ticks that were dealt to subsamples */
};

/* The tick counts `weight` times. */
static void add_to_places(struct tree_walk *walk, const struct tick_reader *reader, uint32_t weight)
{
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        struct place_sum *sum = &walk->places[entry->place];
        sum->calls += entry->calls * weight;
        sum->self_ns += entry->self_ns * weight;
        sum->units += (double)entry->units * weight;
        sum->is_there = true;
    }
}

/* Deals the tick to a subsample. */
static void add_to_samples(struct tree_walk *walk, const struct tick_reader *reader,
                           uint32_t weight)
{
    size_t subsample = walk->dealt++ % SUBSAMPLES;
    for (size_t i = 0; i < reader->count; i++) {
        const struct tick_entry *entry = &reader->entries[i];
        const struct place *place = &walk->recorded->places[entry->place];
        if (place_is_of_thread(place, walk->chosen->threads))
            walk->tree->samples[place->node].ns[subsample] += (float)(entry->self_ns * weight);
    }
}

/*
 * While entries are added up, the variance is the measured time and the time of finished calls the
 * sum of durations, both in units.
 */
static void add_places(struct tree_walk *walk)
{
    struct tree *tree = walk->tree;
    for (uint32_t i = 0; i < walk->recorded->place_count; i++) {
        const struct place_sum *sum = &walk->places[i];
        struct place *place = &walk->recorded->places[i];
        place->returned = sum->returned;
        if (!sum->is_there || !place_is_of_thread(place, walk->chosen->threads))
            continue;
        tree->call_counts[place->node] += sum->calls;
        tree->self_ns[place->node] += sum->self_ns;
        tree->flags[place->node] |= thread_of(place->is_coroutine) | NODE_SEEN;
        tree->details[place->node].variance_ns2 += sum->units;
    }
}

/* Adds the calls that returned, errors and memory. Which calls returned is counted in ticks that do
 * not count, too: with a `weight` of 0. */
static void add_detail(struct tree_walk *walk, uint32_t at, const struct entry_counts *counts,
                       uint32_t weight)
{
    struct recorded *recorded = walk->recorded;
    const struct place *place = &recorded->places[at];
    struct place_sum *sum = &walk->places[at];
    struct recorded_function *function = &recorded->functions[place->function];
    struct call_details *details = &walk->tree->details[place->node];
    uint64_t room = UINT32_MAX - sum->returned;
    sum->returned += (uint32_t)(counts->returned < room ? counts->returned : room);
    function->returned += counts->returned;
    function->duration_sum += (int64_t)counts->duration_sum;
    if (weight == 0 || !place_is_of_thread(place, walk->chosen->threads))
        return;
    details->errors += counts->errors * weight;
    details->memory_kb += (uint64_t)counts->memory_kb * weight;
    details->finished += counts->returned * weight;
    /* A damaged log may have any durations. */
    details->finished_ns =
        (int64_t)((uint64_t)details->finished_ns + counts->duration_sum * weight);
    if (counts->returned > 0)
        add_extremes(details, recorded, at, counts);
}

static void add_details(struct tree_walk *walk, const struct tick_reader *reader, uint32_t weight)
{
    for (size_t i = 0; i < reader->detail_count; i++)
        add_detail(walk,
                   reader->entries[reader->details[i].entry].place,
                   &reader->details[i].counts,
                   weight);
}

static void end_durations(struct tree *tree, double unit_ns)
{
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        struct call_details *details = &tree->details[node];
        double finished_ns = (double)(uint64_t)details->finished_ns * unit_ns;
        details->finished_ns = finished_ns < (double)CALL_DETAILS_MAX_NS
                                   ? number_nearest(finished_ns)
                                   : CALL_DETAILS_MAX_NS;
        /* A call may have been the longest because of what recording its calls cost. */
        if (details->finished > 0 && details->min_ns > details->max_ns)
            details->min_ns = details->max_ns;
    }
}

static void count_line(struct tree_walk *walk, const struct tick_line *line, uint32_t weight)
{
    struct line_run *row = &walk->rows[line->row];
    bool is_coroutine = walk->recorded->line_rows[line->row].is_coroutine;
    if ((walk->chosen->threads & thread_of(is_coroutine)) == 0)
        return;
    row->runs += (uint64_t)line->runs * weight;
    row->begins += (uint64_t)line->begins * weight;
    row->self_ns += line->units * weight;
}

static void finish_lines(struct tree *tree, struct line_run *rows, const struct recorded *recorded)
{
    for (size_t i = 0; i < recorded->line_row_count; i++) {
        rows[i].node = recorded->line_rows[i].node;
        rows[i].line = recorded->line_rows[i].line;
        rows[i].self_ns = number_nearest((double)rows[i].self_ns * recorded->unit_ns);
        if (rows[i].node != TREE_ROOT && (rows[i].runs > 0 || rows[i].self_ns != 0))
            line_runs_add(&tree->lines, rows[i]);
    }
    line_runs_sort(tree->lines);
}

static double mean_weight(const struct recorded *recorded, const struct chosen_ticks *chosen)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < recorded->tick_count; i++) {
        sum += (double)chosen->weights[i];
        count += chosen->weights[i] > 0;
    }
    return count > 0 ? sum / count : 1;
}

/*
 * Sets the measured times, of which the variances are the units until here, and the variances: the
 * uncertainty that the clock's step leaves, also in calls that were measured as 0. What was
 * measured stands for `weight` times as much. Returns the sum of the times.
 */
static double finish_measured(struct tree *tree, double unit_ns, double weight)
{
    double sum_ns = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct call_details *details = &tree->details[node];
        double units = details->variance_ns2;
        details->measured_ns = units * unit_ns;
        sum_ns += (double)number_nearest(details->measured_ns);
        if (units <= 0 && tree->call_counts[node] > 0)
            units = weight;
        details->variance_ns2 = fmax(units, 0) * (unit_ns * unit_ns * weight);
    }
    return sum_ns;
}

/* Keeps nodes with entries, and what is above them, which was on their threads, too. */
static void drop_empty(struct tree *tree)
{
    SCOPED_ARRAY uint8_t *is_kept = mem_zeroed(tree->node_count, 1);
    size_t empty_count = 0;
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        uint32_t parent = tree->calls[node].parent;
        is_kept[node] |= (tree->flags[node] & NODE_SEEN) != 0;
        is_kept[parent] |= is_kept[node];
        empty_count += !is_kept[node];
        if (parent != TREE_ROOT)
            tree->flags[parent] |= tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
    }
    if (empty_count > 0)
        tree_keep(tree, is_kept);
}

/* Of each node of the recording's tree, [node_count]; the caller frees it. */
static float *scales_of_nodes(const struct recorded *recorded)
{
    float *scales = mem_zeroed(recorded->node_count, sizeof *scales);
    for (uint32_t i = 1; i < recorded->place_count; i++)
        scales[recorded->places[i].node] = recorded->places[i].scale;
    return scales;
}

static void finish_tree(struct tree_walk *walk)
{
    struct tree *tree = walk->tree;
    const struct recorded *recorded = walk->recorded;
    tree_sum_totals(tree);
    double weight = walk->chosen->weights != NULL ? mean_weight(recorded, walk->chosen) : 1;
    double all_ns = finish_measured(tree, recorded->unit_ns, weight);
    SCOPED_ARRAY float *scales = recorded->has_scales ? scales_of_nodes(recorded) : NULL;
    overhead_finish(tree, walk->kinds, &recorded->costs, scales, all_ns, &walk->sums->overhead);
    if (tree->lines != NULL)
        tree_complete_lines(tree);
    drop_empty(tree);
}

/* Reads all ticks. */
static void add_ticks(struct tree_walk *walk)
{
    const struct chosen_ticks *chosen = walk->chosen;
    struct tick_changes *changes = walk->sums->changes;
    struct tick_reader reader;
    tick_reader_begin(&reader, walk->recorded, true);
    while (tick_reader_next(&reader)) {
        bool is_chosen = chosen->is_chosen[reader.tick];
        uint32_t weight = is_chosen ? weight_of_tick(chosen, reader.tick) : 0;
        add_details(walk, &reader, weight);
        if (changes != NULL && is_chosen && chosen->ticks[reader.tick] != NULL)
            add_changes(changes, &reader);
        if (weight == 0)
            continue;
        add_to_places(walk, &reader, weight);
        if (walk->tree->samples != NULL)
            add_to_samples(walk, &reader, weight);
        for (size_t i = 0; i < reader.line_count; i++)
            count_line(walk, &reader.lines[i], weight);
    }
    tick_reader_end(&reader);
}

/* Adds what the nodes did in all parts that have sums. */
static void add_sums(struct tree_walk *walk, uint32_t weight)
{
    const struct recorded *recorded = walk->recorded;
    struct target_reader targets;
    target_reader_begin(&targets, &recorded->targets);
    target_reader_go(&targets, recorded->entries.part_count);
    for (uint32_t node = NODES_FIRST; node < recorded->sum_count; node++) {
        const struct entry_counts *counts = &recorded->sums[node];
        struct node_target target = targets.of[node];
        struct place_sum *sum = &walk->places[target.place];
        struct tick_line line = {target.row - 1, counts->runs, counts->begins, counts->units};
        if (target.row != 0)
            count_line(walk, &line, weight);
        if (target.place == 0)
            continue;
        add_detail(walk, target.place, counts, weight);
        sum->calls += counts->calls * weight;
        sum->units += (double)counts->units * weight;
    }
    target_reader_end(&targets);
}

/* Adds the calls that may be the longest and shortest of their nodes, beside those of the sums. */
static void add_all_extremes(struct tree_walk *walk)
{
    const struct recorded *recorded = walk->recorded;
    struct entry_counts counts = entry_counts_none();
    struct target_reader targets;
    target_reader_begin(&targets, &recorded->targets);
    for (size_t i = 0; i < recorded->entries.part_count; i++) {
        const struct entry_part *part = &recorded->entries.parts[i];
        struct byte_reader reader = byte_blocks_read(&recorded->entries.details, part->detail_at);
        target_reader_go(&targets, i);
        for (uint32_t k = 0; k < part->extreme_count; k++) {
            uint32_t place = targets.of[entry_read_extremes(&reader, &counts)].place;
            uint32_t node = recorded->places[place].node;
            if (place != 0)
                add_extremes(&walk->tree->details[node], recorded, place, &counts);
        }
    }
    target_reader_end(&targets);
}

/* Of a recording all of which counts; its tree keeps the self times, which entries add up to. */
static void add_whole(struct tree_walk *walk)
{
    for (uint32_t i = 0; i < walk->recorded->place_count; i++)
        walk->places[i].is_there = walk->recorded->places[i].has_entries;
    add_sums(walk, 1);
    add_all_extremes(walk);
}

void entry_sums_make_tree(struct entry_sums *sums, struct recorded *recorded,
                          const struct chosen_ticks *chosen, struct tree *tree,
                          const uint8_t *kinds)
{
    SCOPED_ARRAY struct place_sum *places = mem_zeroed(recorded->place_count, sizeof *places);
    SCOPED_ARRAY struct line_run *rows = mem_zeroed(recorded->line_row_count, sizeof *rows);
    struct tree_walk walk = {.sums = sums,
                             .recorded = recorded,
                             .chosen = chosen,
                             .tree = tree,
                             .kinds = kinds,
                             .places = places,
                             .rows = rows};
    clear(tree, chosen->weights != NULL, recorded->entries.has_sums);
    if (sums->changes != NULL) {
        sums->changes->node_count = recorded->node_count;
        sums->changes->longest = mem_zeroed(recorded->node_count, sizeof *sums->changes->longest);
    }
    if (recorded->entries.has_sums) {
        add_whole(&walk);
    } else {
        add_ticks(&walk);
        add_sums(&walk, 0);
    }
    add_places(&walk);
    if (recorded->line_row_count > 0)
        finish_lines(tree, rows, recorded);
    end_durations(tree, recorded->unit_ns);
    finish_tree(&walk);
}

/* Ticks -------------------------------------------------------------------------------------- */

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

/* All ---------------------------------------------------------------------------------------- */

/* The walk that makes all other sums of some ticks. */
struct sums_walk {
    const struct recorded *recorded;
    const struct chosen_ticks *chosen;
    struct slow_sums *slow; /* NULL: not wanted */
    struct tick_function_sums functions;
    struct prices prices;
    struct work_walk work;
    struct wake_walk wakes;
    size_t tick_count; /* of the game, that are chosen, in all walks */
    size_t from_tick, to_tick;
};

struct other_sums {
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
            walk->slow, recorded, &walk->functions, is_over, weight_of_tick(chosen, reader->tick));
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
    if (weight_of_tick(chosen, reader->tick) > 0 && walk->work.work != NULL)
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
static size_t find_later(struct other_sums *others, size_t *at)
{
    const struct sums_walk *walk = &others->walk;
    const struct recorded *recorded = walk->recorded;
    size_t number = 0, later = recorded->tick_count;
    uint8_t last = 0;
    for (size_t i = 0; i < recorded->tick_count; i++) {
        others->stretches[i] = WORK_STRETCHES;
        if (walk->chosen->ticks[i] == NULL || weight_of_tick(walk->chosen, i) == 0)
            continue;
        others->stretches[i] = (uint8_t)work_stretch(walk->tick_count, number);
        if (later == recorded->tick_count && i >= recorded->half_tick &&
            others->stretches[i] != last) {
            later = i;
            *at = number;
        }
        last = others->stretches[i];
        number++;
    }
    return later;
}

static void begin_later(struct other_sums *others, struct wakes *wakes, size_t at)
{
    const struct sums_walk *walk = &others->walk;
    struct sums_walk *later = &others->later;
    *later = (struct sums_walk){.recorded = walk->recorded,
                                .chosen = walk->chosen,
                                .tick_count = walk->tick_count,
                                .from_tick = walk->to_tick,
                                .to_tick = walk->recorded->tick_count};
    later->functions = tick_function_sums_make(walk->recorded->function_count);
    if (walk->slow != NULL) {
        later->slow = &others->later_slow;
        MEM_GROW_ZEROED(later->slow->at, later->slow->count, walk->slow->count);
    }
    wakes_begin(&later->wakes, wakes, walk->recorded, later->from_tick);
    work_begin_later(&later->work, &walk->work, at);
}

static void begin_sums(struct other_sums *others, struct entry_sums *sums, struct wakes *wakes,
                       bool has_thread)
{
    struct sums_walk *walk = &others->walk;
    const struct recorded *recorded = walk->recorded;
    size_t at = 0;
    walk->functions = tick_function_sums_make(recorded->function_count);
    for (size_t i = 0; i < recorded->tick_count; i++)
        walk->tick_count += walk->chosen->ticks[i] != NULL;
    if (walk->slow != NULL && walk->tick_count > 0)
        MEM_GROW_ZEROED(walk->slow->at, walk->slow->count, recorded_count_ids(recorded));
    wakes_begin(&walk->wakes, wakes, recorded, 0);
    work_begin(&walk->work, sums->work, recorded, walk->tick_count);
    others->stretches = mem_zeroed(recorded->tick_count, sizeof *others->stretches);
    size_t later = find_later(others, &at);
    walk->to_tick = has_thread ? later : recorded->tick_count;
    if (walk->to_tick < recorded->tick_count)
        begin_later(others, wakes, at);
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

struct other_sums *entry_sums_read_others(struct entry_sums *sums, const struct recorded *recorded,
                                          const struct chosen_ticks *chosen, struct wakes *wakes,
                                          bool has_thread)
{
    struct other_sums *others = mem_zeroed(1, sizeof *others);
    others->walk = (struct sums_walk){.recorded = recorded, .chosen = chosen, .slow = sums->slow};
    begin_sums(others, sums, wakes, has_thread);
    crew_run_both(
        read_ticks, &others->walk, read_ticks, &others->later, others->later.recorded != NULL);
    return others;
}

void entry_sums_end_others(struct other_sums *others)
{
    struct sums_walk *walk = &others->walk;
    struct wakes *wakes = walk->wakes.wakes;
    if (others->later.recorded != NULL)
        join_later(walk, &others->later);
    compare_ticks(walk->recorded, walk->chosen, &walk->prices);
    work_end(&walk->work, &walk->prices, wakes, others->stretches);
    wakes_end(wakes, walk->recorded, walk->chosen);
    prices_release(&walk->prices);
    MEM_FREE(others->stretches, others);
}
