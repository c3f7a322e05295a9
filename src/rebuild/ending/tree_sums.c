#include "rebuild/ending/tree_sums.h"

#include "base/number.h"
#include "rebuild/ending/tick_reader.h"
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
    struct tree_sums *sums;
    struct recorded *recorded;
    const struct chosen_ticks *chosen;
    struct tree *tree;
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
    overhead_finish(
        tree, walk->sums->kinds, &recorded->costs, scales, all_ns, &walk->sums->overhead);
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
        uint32_t weight = is_chosen ? chosen_weight(chosen, reader.tick) : 0;
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

void tree_sums_make(struct tree_sums *sums, struct recorded *recorded,
                    const struct chosen_ticks *chosen)
{
    struct tree *tree = sums->tree;
    SCOPED_ARRAY struct place_sum *places = mem_zeroed(recorded->place_count, sizeof *places);
    SCOPED_ARRAY struct line_run *rows = mem_zeroed(recorded->line_row_count, sizeof *rows);
    struct tree_walk walk = {.sums = sums,
                             .recorded = recorded,
                             .chosen = chosen,
                             .tree = tree,
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
