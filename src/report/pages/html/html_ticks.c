#include "report/pages/html/html_data.h"

#include "base/mem.h"
#include "base/sort.h"
#include "report/figures/what_if.h"
#include "report/tables/tick_tables.h"

/* The kept functions of each tick, if the page knows them. */
static void put_tick_functions(struct html_writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct html_columns functions = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        for (size_t k = 0; k < tick->function_count; k++) {
            const struct tick_function *function = &tick->functions[k];
            if (html_knows(writing, function->function) && function->self_ns != 0)
                HTML_ADD_ROW(&functions,
                             {"function", writing->number_of[function->function]},
                             {"self", function->self_ns},
                             {"calls", (int64_t)function->calls});
        }
        html_columns_end_group(&functions);
    }
    JSON_OBJECT(&writing->json, "functions");
    html_columns_put(&functions, &writing->json);
}

/*
 * Returns which functions can make ticks shorter, [functions], for the caller: they have enough of
 * the time of one tick, or of all.
 */
static uint8_t *find_large(const struct tick_list *list, size_t function_count)
{
    enum { TICK_PART_MIN = 20, PART_MIN = 200 };
    int64_t all_ns = 0;
    SCOPED_ARRAY int64_t *sums_ns = mem_zeroed(function_count, sizeof *sums_ns);
    uint8_t *is_large = mem_zeroed(function_count, sizeof *is_large);
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        for (size_t k = 0; k < tick->all_count; k++) {
            const struct tick_self *self = &tick->all[k];
            sums_ns[self->function] += self->self_ns;
            is_large[self->function] |= self->self_ns > list->limit_ns / TICK_PART_MIN;
        }
        all_ns += tick->time_ns;
    }
    for (size_t i = 0; i < function_count; i++)
        is_large[i] |= (uint8_t)(sums_ns[i] > all_ns / PART_MIN);
    return is_large;
}

/* Whether the page can have what changed in each tick of a side. */
static bool can_put(const struct html_writing *writing, const struct profile *profile)
{
    return writing->bin_ticks > 0 && profile->changes.tick_count > 0 &&
           profile->changes.tick_count == profile->ticks.count &&
           writing->trees.now.node_count == writing->report->tree->node_count;
}

/* The large functions that the page knows; their self times are sums of changes. */
static void put_large(struct html_writing *writing, const uint8_t *is_large)
{
    JSON_ARRAY(&writing->json, "function");
    for (uint32_t i = 0; i < writing->function_count; i++)
        if (is_large[writing->functions[i]])
            json_count(&writing->json, NULL, i);
}

/* The self times of large functions in each tick. */
static void put_large_times(struct html_writing *writing, const uint8_t *is_large)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct html_columns times = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        for (size_t k = 0; k < tick->all_count; k++) {
            uint32_t function = tick->all[k].function;
            if (is_large[function] && html_knows(writing, function))
                HTML_ADD_ROW(&times,
                             {"function", writing->number_of[function]},
                             {"self", tick->all[k].self_ns});
        }
        html_columns_end_group(&times);
    }
    html_columns_put(&times, &writing->json);
}

/* What --what-if needs of large functions; null if not known. */
static void put_self_times(struct html_writing *writing, const uint8_t *is_large)
{
    bool is_known = is_large != NULL && writing->bin_ticks == 1;
    if (!json_object_if(&writing->json, "self_times", is_known))
        return;
    if (writing->has_changes)
        put_large(writing, is_large);
    else
        put_large_times(writing, is_large);
    json_end(&writing->json);
}

/* Adds a row to a ledger: of a function or a mod. */
static void add_statistics(struct html_columns *rows, const char *of, int64_t id,
                           const struct tick_statistics *then)
{
    HTML_ADD_ROW(rows,
                 {of, id},
                 {"slow", (int64_t)then->over_count},
                 {"most99", then->percentile_99_ns},
                 {"longest", then->longest_ns});
}

/* How slow the ticks would be without each large function; the first row is as it is. */
static void put_functions_of_ledger(struct html_writing *writing, const uint8_t *is_large)
{
    const struct profile *profile = writing->report->profile;
    const struct tick_list *list = &profile->ticks;
    struct html_columns rows = {0};
    uint32_t count = profile->symbols.function_count, large_count = writing->function_count;
    SCOPED_ARRAY uint32_t *group_of = mem_zeroed(count, sizeof *group_of);
    SCOPED_ARRAY struct tick_statistics *times = mem_zeroed(large_count, sizeof *times);
    for (uint32_t i = 0; i < count; i++)
        group_of[i] = is_large[i] && html_knows(writing, i) ? writing->number_of[i] : large_count;
    what_if_without(list, NULL, group_of, large_count, times);
    struct tick_statistics now = what_if_times(list, NULL, NULL);
    add_statistics(&rows, "function", -1, &now);
    for (uint32_t i = 0; i < large_count; i++)
        if (is_large[writing->functions[i]])
            add_statistics(&rows, "function", i, &times[i]);
    html_columns_put(&rows, &writing->json);
}

/*
 * The same without each mod, by the rule of --by mod: C functions count for their callers. Nothing
 * where it is not known which nodes took the time of ticks.
 */
static void put_mods_of_ledger(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    const struct labels *labels = writing->report->labels;
    const struct tree *tree = writing->report->tree;
    const struct tick_changes *changes = &profile->changes;
    struct html_columns rows = {0};
    uint32_t mod_count = 0;
    SCOPED_ARRAY uint32_t *number_of = mem_zeroed(labels->texts.count, sizeof *number_of);
    SCOPED_ARRAY uint32_t *owners = row_sums_owners(tree, BY_MOD, &profile->symbols);
    for (uint32_t i = 0; i < writing->function_count; i++) {
        uint32_t *number = &number_of[labels->of[writing->functions[i]].mod];
        *number = *number == 0 ? ++mod_count : *number;
    }
    SCOPED_ARRAY uint32_t *mod_of = mem_zeroed(tree->node_count, sizeof *mod_of);
    SCOPED_ARRAY bool *is_owner = mem_zeroed(mod_count, sizeof *is_owner);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t number = node > 0 ? number_of[labels->of[owners[node]].mod] : 0;
        mod_of[node] = number > 0 ? number - 1 : mod_count;
        if (number > 0)
            is_owner[number - 1] = true;
    }
    SCOPED_ARRAY struct tick_statistics *times = mem_zeroed(mod_count, sizeof *times);
    bool is_known = changes->tick_count == profile->ticks.count;
    if (is_known)
        what_if_without(&profile->ticks, changes, mod_of, mod_count, times);
    for (uint32_t mod = 0; is_known && mod < mod_count; mod++)
        if (is_owner[mod])
            add_statistics(&rows, "mod", mod, &times[mod]);
    html_columns_put(&rows, &writing->json);
}

/* The ticks without each function, and without each mod; null if not known. */
static void put_ledger(struct html_writing *writing, const uint8_t *is_large)
{
    if (!json_object_if(&writing->json, "ledger", is_large != NULL))
        return;
    put_functions_of_ledger(writing, is_large);
    json_object(&writing->json, "mods");
    put_mods_of_ledger(writing);
    json_end(&writing->json);
    json_end(&writing->json);
}

/* Which threads woke in each tick, and for how long; null if not known. */
static void put_wakes(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    struct html_columns of = {0};
    size_t count = profile->threads.wake_count;
    bool has_wakes = count > 0 && writing->bin_ticks == 1 && profile->changes.tick_count > 0;
    if (!json_object_if(&writing->json, "wakes", has_wakes))
        return;
    /* As they ran: the changes are of the only run. */
    SCOPED_ARRAY const struct wake **wakes = mem_zeroed(count, sizeof *wakes);
    for (size_t i = 0; i < count; i++)
        wakes[profile->threads.wakes[i].number] = &profile->threads.wakes[i];
    for (size_t i = 0, at = 0; i < profile->ticks.count; i++) {
        const struct tick *tick = &profile->ticks.ticks[i];
        for (; at < count && wakes[at]->tick <= tick->number; at++) {
            if (wakes[at]->tick < tick->number || !html_knows(writing, wakes[at]->function))
                continue;
            HTML_ADD_ROW(&of,
                         {"function", writing->number_of[wakes[at]->function]},
                         {"time", wakes[at]->ns},
                         {"calls", wakes[at]->calls});
        }
        html_columns_end_group(&of);
    }
    html_columns_put(&of, &writing->json);
    json_end(&writing->json);
}

/* The calls of a tick. */
static void add_order(struct html_columns *calls, const struct html_writing *writing,
                      const struct report *side, const struct timeline *timeline)
{
    bool has_lines = writing->report->has_sources && !writing->report->show.has_no_source;
    int64_t before_ns = timeline->ticks[0].begin_ns;
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        uint32_t function =
            side->functions != NULL ? side->functions[slice->function] : slice->function;
        /* What is in no tree is no function of the new profile. */
        if (function == TREE_NONE || !html_knows(writing, function))
            function = writing->report->folded;
        HTML_ADD_ROW(calls,
                     {"depth", slice->depth},
                     {"function", writing->number_of[function]},
                     {"begin", slice->begin_ns - before_ns},
                     {"time", slice->end_ns - slice->begin_ns},
                     {"continued", (slice->flags & SLICE_CONTINUED) != 0},
                     {has_lines ? "line" : NULL, slice->line});
        before_ns = slice->begin_ns;
    }
}

/* The order of the calls in the slowest ticks of a side; null if not known. */
static void put_order(struct html_writing *writing, const struct report *side)
{
    const struct profile *profile = side->profile;
    const struct slow_timelines *slowest = &profile->slowest;
    struct html_columns calls = {0}, ticks = {0};
    if (!json_object_if(&writing->json, "order", slowest->count > 0 && writing->bin_ticks == 1))
        return;
    for (size_t i = 0; i < profile->ticks.count; i++)
        for (size_t k = 0; k < slowest->count; k++) {
            const struct tick *tick = &profile->ticks.ticks[i];
            const struct timeline *timeline = &slowest->at[k].timeline;
            if (timeline->ticks[0].number != tick->number)
                continue;
            add_order(&calls, writing, side, timeline);
            HTML_ADD_ROW(&ticks,
                         {"tick", (int64_t)i},
                         {"counts", (int64_t)timeline->slice_count},
                         {"left_out", (int64_t)slowest->at[k].left_out});
        }
    html_columns_put(&calls, &writing->json);
    html_columns_put(&ticks, &writing->json);
    json_end(&writing->json);
}

static void put_recordings(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    JSON_ARRAY(&writing->json, "runs");
    for (size_t i = 0; i < profile->recordings.count; i++)
        text_printf(json_value(&writing->json, NULL),
                    "[%lu,%.1f]",
                    (unsigned long)profile->recordings.all[i].run,
                    profile->rebuilt[i].zero_seconds);
}

/*
 * Returns how many ticks after the wake before most wakes of a function's threads come; 0 if there
 * is no such number.
 */
static int64_t find_period(const struct wake *wakes, size_t count)
{
    enum { PERIOD_MAX = 1000, WAKES_MIN = 3 };
    size_t counts[PERIOD_MAX + 1] = {0}, all = 0, best = 0;
    SCOPED_ARRAY struct keyed *order = mem_zeroed(count, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct keyed){(uint64_t)wakes[i].life << 32 | wakes[i].number, (uint32_t)i};
    key_sort(order, count);
    for (size_t i = 1; i < count; i++) {
        const struct wake *before = &wakes[order[i - 1].item], *wake = &wakes[order[i].item];
        if (before->life != wake->life || before->tick >= wake->tick)
            continue;
        uint32_t distance = wake->tick - before->tick;
        counts[distance < PERIOD_MAX ? distance : PERIOD_MAX]++;
        all++;
    }
    for (size_t i = 1; i < PERIOD_MAX; i++)
        best = counts[i] > counts[best] ? i : best;
    return all >= WAKES_MIN && 2 * counts[best] > all ? (int64_t)best : 0;
}

/* Returns the periods of all functions, [symbols' function_count], for the caller. */
static int64_t *find_periods(const struct profile *profile)
{
    const struct thread_sums *sums = &profile->threads;
    int64_t *periods = mem_zeroed(profile->symbols.function_count, sizeof *periods);
    for (size_t from = 0, to = 0; from < sums->wake_count; from = to) {
        uint32_t function = sums->wakes[from].function;
        for (; to < sums->wake_count && sums->wakes[to].function == function;)
            to++;
        periods[function] = find_period(sums->wakes + from, to - from);
    }
    return periods;
}

/* The table of --threads, and a column that only a page has. */
struct thread_table {
    struct html_table own;
    int64_t *periods;
};

static const struct column_info period = {.title = "every",
                                          .name = "period_ticks",
                                          .type = TYPE_COUNT,
                                          .text =
                                              "most wakes come so many ticks after the one before"};

static void get_thread(const struct table *table, size_t row, const struct table_column *column,
                       struct cell *cell)
{
    const struct thread_table *threads = table->of;
    const struct function_table *functions = &threads->own.functions;
    if (column->info != &period) {
        functions->table.get(&functions->table, row, column, cell);
        return;
    }
    cell->number = threads->periods[row_sums_group(&functions->sums, row)->function];
    cell->is_known = cell->number > 0;
}

void html_put_threads(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    if (!json_object_if(&writing->json, "threads", profile->threads.life_count > 0))
        return;
    struct thread_table threads;
    html_table_init(&threads.own, writing->report, BY_THREAD);
    threads.periods = find_periods(profile);
    struct table table = threads.own.functions.table;
    table.get = get_thread;
    table.of = &threads;
    table_add(&table, &period);
    html_put_table(writing, &table);
    free(threads.periods);
    function_table_release(&threads.own.functions);
    json_end(&writing->json);
}

/* Adds to a change those of the same node in other ticks. */
static void add_change(struct tick_change *sum, const struct tick_change *change)
{
    sum->calls += change->calls;
    sum->errors += change->errors;
    sum->self_ns += change->self_ns;
    sum->memory_kb += change->memory_kb;
}

/*
 * Returns the ticks of each bin, [*bin_count] and a 0, for the caller: slow ones have bins of their
 * own.
 */
static uint32_t *find_bins(const struct tick_list *ticks, uint32_t bin_ticks, size_t *bin_count)
{
    uint32_t *bins = mem_zeroed(ticks->count + 1, sizeof *bins);
    *bin_count = 0;
    for (size_t tick = 0; tick < ticks->count; tick++) {
        bool is_last = tick + 1 == ticks->count;
        bool is_slow = tick_is_slow(&ticks->ticks[tick]) ||
                       (!is_last && tick_is_slow(&ticks->ticks[tick + 1]));
        uint32_t count = ++bins[*bin_count];
        *bin_count += is_slow || is_last || count >= bin_ticks;
    }
    return bins;
}

/*
 * Returns all changes in the order of the nodes' places in the page, and of bins, for the caller;
 * the keys are place << 32 | bin.
 */
static struct keyed *sort_changes(const struct html_trees *trees,
                                  const struct tick_changes *changes, const uint32_t *bins)
{
    struct keyed *order = mem_zeroed(changes->count, sizeof *order);
    SCOPED_ARRAY uint32_t *places = mem_zeroed(trees->now.node_count, sizeof *places);
    for (uint32_t place = 0; place < trees->now.node_count; place++)
        places[trees->order.nodes[place]] = place;
    for (size_t tick = 0, bin = 0, i = 0, left = bins[0]; tick < changes->tick_count; tick++) {
        for (; i < changes->ends[tick]; i++)
            order[i] =
                (struct keyed){(uint64_t)places[changes->all[i].node] << 32 | bin, (uint32_t)i};
        if (--left == 0)
            left = bins[++bin];
    }
    key_sort(order, changes->count);
    return order;
}

/* By node: neighbours are alike then, so that they take less room. */
static void put_sorted(struct html_writing *writing, const struct tick_changes *changes,
                       const struct keyed *order)
{
    struct html_columns columns = {0};
    for (size_t place = 0, i = 0; place < writing->trees.now.node_count; place++) {
        int64_t before = 0;
        while (i < changes->count && order[i].key >> 32 == place) {
            uint64_t key = order[i].key;
            int64_t bin = (uint32_t)key;
            struct tick_change sum = changes->all[order[i++].item];
            for (; i < changes->count && order[i].key == key; i++)
                add_change(&sum, &changes->all[order[i].item]);
            HTML_ADD_ROW(&columns,
                         {"bin", bin - before},
                         {"self", sum.self_ns},
                         {"calls", sum.calls},
                         {"errors", sum.errors},
                         {"heap", sum.memory_kb});
            before = bin;
        }
        html_columns_end_group(&columns);
    }
    html_columns_put(&columns, &writing->json);
}

/* Puts what changed in each bin of ticks of a side; null if it is not known. */
static void put_changes(struct html_writing *writing, const struct profile *profile)
{
    size_t bin_count = 0;
    if (!json_object_if(&writing->json, "changes", writing->has_changes))
        return;
    SCOPED_ARRAY uint32_t *bins = find_bins(&profile->ticks, writing->bin_ticks, &bin_count);
    SCOPED_ARRAY struct keyed *order = sort_changes(&writing->trees, &profile->changes, bins);
    put_sorted(writing, &profile->changes, order);
    json_array(&writing->json, "ticks");
    for (size_t bin = 0; bin < bin_count; bin++)
        json_count(&writing->json, NULL, bins[bin]);
    json_end(&writing->json);
    json_end(&writing->json);
}

static void put_table(struct html_writing *writing, enum tick_table_kind kind)
{
    SCOPED(tick_table) ticks;
    tick_table_init(&ticks, writing->report, kind, FOR_PAGE);
    html_put_table(writing, &ticks.table);
}

/* The ticks of the old log, so that those with the numbers of chosen ones can be found. */
static void put_old_ticks(struct html_writing *writing)
{
    const struct report *old = writing->report->old;
    if (!json_object_if(&writing->json, "old", old != NULL))
        return;
    put_table(writing, TICKS_OLD);
    put_order(writing, old);
    put_changes(writing, old->profile);
    json_end(&writing->json);
}

void html_put_ticks(struct html_writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct json_writer *json = &writing->json;
    bool is_ui = list->state == LUA_STATE_UI;
    json_string(json, "tick", tick_kinds[list->state].one);
    json_number(json, "budget_ns", list->limit_ns);
    json_number(json, "collection", is_ui ? 0 : TICKS_A_COLLECTION);
    put_recordings(writing);
    if (!json_object_if(json, "ticks", list->count > 0 && !writing->report->has_no_times))
        return;
    json_bool(json, "is_sampled", list->is_sampled);
    json_number(json, "median", writing->report->ticks.median_ns);
    json_number(json, "most95", writing->report->ticks.percentile_95_ns);
    json_number(json, "most99", writing->report->ticks.percentile_99_ns);
    const struct profile *profile = writing->report->profile;
    /* Not known where only some functions of each tick were kept. */
    SCOPED_ARRAY uint8_t *is_large =
        profile->rebuild.keeps_all_ticks ? find_large(list, profile->symbols.function_count) : NULL;
    const struct report *old = writing->report->old;
    writing->has_changes =
        can_put(writing, profile) && (old == NULL || can_put(writing, old->profile));
    put_table(writing, TICKS_EACH);
    put_tick_functions(writing);
    put_self_times(writing, is_large);
    put_ledger(writing, is_large);
    put_wakes(writing);
    put_order(writing, writing->report);
    put_changes(writing, writing->report->profile);
    put_old_ticks(writing);
    json_end(json);
}
