#include "report/tables/repeated_tables.h"

#include "base/crew.h"
#include "report/sentences/amounts.h"
#include "tree/fold.h"

#include <math.h>

static const enum column_kind repeated_columns[REPEATED_COLUMNS] = {
    COLUMN_SELF, COLUMN_TOTAL, COLUMN_CALLS, COLUMN_AVERAGE};

static const struct repeated_total_info total_infos[TOTAL_KIND_COUNT] = {
    [TOTAL_TIME] = {{"total time", "total time"}, "time", true},
    [TOTAL_CALLS] = {{"calls", "calls"}, "calls", false},
    [TOTAL_TICKS] = {{"ticks", "frames"}, "ticks", false},
    [TOTAL_TICKS_OVER] = {{"slow ticks", "slow frames"}, "ticks_over_budget", false},
    [TOTAL_OVER] = {{"time over limit", "time over limit"}, "time_over_budget", true},
    [TOTAL_TICK_MEDIAN] = {{"median tick", "median frame"}, "tick_median", true},
    [TOTAL_TICK_95] = {{"95% of ticks", "95% of frames"}, "tick_95", true},
    [TOTAL_TICK_99] = {{"99% of ticks", "99% of frames"}, "tick_99", true},
    [TOTAL_TICK_LONGEST] = {{"longest tick", "longest frame"}, "tick_longest", true},
};

size_t repeated_column_place(enum column_kind kind)
{
    size_t place = 0;
    while (place < REPEATED_COLUMNS && repeated_columns[place] != kind)
        place++;
    return place;
}

/* Counts the logs that have each node, as its calls: so each row of a log is a row of this tree. */
static void count_logs(struct tree *shape, const struct repeated_values *side)
{
    for (size_t i = 0; i < side->count; i++)
        for (size_t k = 0; k < side->logs[i].count; k++)
            shape->call_counts[side->logs[i].nodes[k].node]++;
}

/*
 * Makes the tree that has the rows of all logs, without times.
 * Returns the node of each node of the report's tree, or NULL if they are the same.
 */
static uint32_t *make_shape(struct repeated_rows *repeated, const struct report *report)
{
    const struct tree *tree = report->tree, *old = report->old != NULL ? report->old->tree : NULL;
    int64_t *zeros = mem_zeroed(tree->node_count, sizeof *zeros);
    struct tree *shape = &repeated->shape;
    *shape = (struct tree){
        .node_count = tree->node_count,
        .calls = tree->calls,
        .outermost = tree->outermost,
        .call_counts = mem_zeroed(tree->node_count, sizeof *shape->call_counts),
        .flags = mem_zeroed(tree->node_count, sizeof *shape->flags),
        .self_ns = zeros,
        .total_ns = zeros,
    };
    for (uint32_t node = 0; node < tree->node_count; node++)
        shape->flags[node] = tree->flags[node] | (old != NULL ? old->flags[node] : 0);
    count_logs(shape, report->repeated);
    if (old != NULL)
        count_logs(shape, report->old->repeated);
    if (report->show.by != BY_STACK || report->show.call_sites)
        return NULL;
    return fold_paths(&repeated->folded, shape);
}

/* The values of a row in a log. */
struct sampled {
    size_t part; /* see repeated_rows.starts */
    double values[REPEATED_COLUMNS];
};

/* What is known while some of the logs are sampled, one after the other. */
struct sampling {
    const struct report *report;
    size_t from, to; /* the logs: the new ones, and then the old ones */
    size_t row_count;
    struct sum_map map; /* from nodes of the report's tree to the `order` of rows */
    struct log_trees trees;
    struct sum *sums;    /* [row_count] by order: of this log */
    struct sampled *all; /* [count] */
    size_t count, capacity;
};

/*
 * Returns the `order` of the row of each node of the report's tree. `nodes` is what make_shape()
 * has returned.
 */
static uint32_t *find_orders(const struct repeated_rows *repeated, const struct report *report,
                             const uint32_t *nodes)
{
    const struct row_sums *table = &repeated->table;
    size_t group_count = table->by == BY_STACK ? table->tree->node_count : table->groups.count;
    SCOPED_ARRAY uint32_t *of_groups = mem_zeroed(group_count, sizeof *of_groups);
    uint32_t *of_nodes = mem_zeroed(report->tree->node_count, sizeof *of_nodes);
    memset(of_groups, 0xff, group_count * sizeof *of_groups);
    for (size_t i = 0; i < table->row_count; i++)
        of_groups[table->rows[i].group] = table->rows[i].order;
    for (uint32_t node = 1; node < report->tree->node_count; node++)
        of_nodes[node] = of_groups[table->by != BY_STACK ? table->groups.of_nodes[node]
                                   : nodes != NULL       ? nodes[node]
                                                         : node];
    return of_nodes;
}

/* Appends the values of the rows that a log has; where all are 0, that says nothing. */
static void sample_log(struct sampling *sampling, bool is_old)
{
    static const struct sum none;
    const struct tree *tree = &sampling->trees.tree;
    sampling->map.nodes = sampling->trees.nodes;
    sums_add_tree(sampling->sums, tree, &sampling->map);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t order = sampling->map.of_nodes[sampling->trees.nodes[node]];
        struct sampled sampled = {.part = 2 * (size_t)order + is_old};
        const struct row row = {.sum = order != TREE_NONE ? sampling->sums[order] : none};
        if (!row_is_used(&row))
            continue;
        for (size_t column = 0; column < REPEATED_COLUMNS; column++)
            sampled.values[column] = column_sort_key(repeated_columns[column], &row);
        MEM_APPEND(sampling->all, sampling->count, sampling->capacity, sampled);
        sampling->sums[order] = none;
    }
}

static const struct log_values *log_of(const struct report *report, size_t log, bool *is_old)
{
    size_t new_count = report->repeated->count;
    *is_old = log >= new_count;
    return *is_old ? &report->old->repeated->logs[log - new_count] : &report->repeated->logs[log];
}

static void sample_logs(void *context)
{
    struct sampling *sampling = context;
    log_trees_init(&sampling->trees, sampling->report->tree);
    sampling->sums = mem_zeroed(sampling->row_count, sizeof *sampling->sums);
    for (size_t i = sampling->from; i < sampling->to; i++) {
        bool is_old;
        log_trees_make(&sampling->trees, log_of(sampling->report, i, &is_old));
        sample_log(sampling, is_old);
    }
    log_trees_release(&sampling->trees);
    free(sampling->sums);
}

/* Puts the values of each part side by side, from both halves of the logs. */
static void sort_sampled(struct repeated_rows *repeated, const struct sampling halves[2])
{
    size_t part_count = 2 * repeated->table.row_count;
    size_t count = halves[0].count + halves[1].count;
    size_t *starts = repeated->starts = mem_zeroed(part_count + 1, sizeof *starts);
    SCOPED_ARRAY size_t *used = mem_zeroed(part_count, sizeof *used);
    repeated->values = mem_zeroed(count * REPEATED_COLUMNS, sizeof *repeated->values);
    for (const struct sampling *half = halves; half < halves + 2; half++)
        for (size_t i = 0; i < half->count; i++)
            starts[half->all[i].part + 1]++;
    for (size_t part = 0; part < part_count; part++)
        starts[part + 1] += starts[part];
    for (const struct sampling *half = halves; half < halves + 2; half++)
        for (size_t i = 0; i < half->count; i++) {
            size_t part = half->all[i].part, log_count = starts[part + 1] - starts[part];
            double *values = repeated->values + starts[part] * REPEATED_COLUMNS + used[part]++;
            for (size_t column = 0; column < REPEATED_COLUMNS; column++)
                values[column * log_count] = half->all[i].values[column];
        }
}

struct sample repeated_rows_sample(const struct repeated_rows *repeated, uint32_t order,
                                   size_t column, bool is_old)
{
    size_t part = 2 * (size_t)order + is_old;
    size_t start = repeated->starts[part], count = repeated->starts[part + 1] - start;
    size_t logs = is_old ? repeated->old_count : repeated->new_count;
    double *values = repeated->values + start * REPEATED_COLUMNS + column * count;
    return (struct sample){.values = values, .count = count, .zeros = logs - count};
}

/* Whether all numbers of a sample are the same one. */
static bool are_equal(const struct sample *sample, double number)
{
    for (size_t i = 0; i < sample->count; i++)
        if (sample->values[i] != number)
            return false;
    return sample->zeros == 0 || number == 0;
}

static double first_of(const struct sample *sample)
{
    return sample->zeros > 0 || sample->count == 0 ? 0 : sample->values[0];
}

static void compare_counts(struct repeated_rows *repeated)
{
    size_t column = repeated_column_place(COLUMN_CALLS);
    for (size_t i = 0; i < repeated->table.row_count; i++) {
        const struct row *row = &repeated->table.rows[i];
        struct sample now = repeated_rows_sample(repeated, row->order, column, false);
        struct sample old = repeated_rows_sample(repeated, row->order, column, true);
        double calls = first_of(&now), old_calls = first_of(&old);
        bool is_steady = are_equal(&now, calls) && are_equal(&old, old_calls);
        bool is_same = is_steady && (repeated->old_count == 0 || calls == old_calls);
        if (is_same && calls == 0)
            continue;
        repeated->called_count++;
        repeated->same_count += is_same;
        repeated->steady_count += is_steady;
    }
}

struct repeated_summary repeated_sum_up(const struct sample_comparer *comparer, struct sample now,
                                        struct sample old)
{
    struct repeated_summary value = {.now = sample_sum_up(now)};
    if (sample_size(&old) == 0)
        return value;
    value.shift = sample_compare(comparer, now, old);
    value.old = sample_sum_up(old);
    return value;
}

/* Sums up a column of the row with that `order`; times are in nanoseconds. */
static struct repeated_summary sum_up_row(const struct repeated_rows *repeated, uint32_t order,
                                          size_t column)
{
    return repeated_sum_up(&repeated->comparer,
                           repeated_rows_sample(repeated, order, column, false),
                           repeated_rows_sample(repeated, order, column, true));
}

/* The totals of a log. */
static void measure_log(const struct log_values *log, double of[TOTAL_KIND_COUNT])
{
    SCOPED(tick_statistics) ticks;
    tick_statistics_init(&ticks, &log->ticks);
    of[TOTAL_TIME] = (double)log->total_ns * log->scale;
    of[TOTAL_CALLS] = (double)log->calls * log->scale;
    of[TOTAL_TICKS] = (double)ticks.count;
    of[TOTAL_TICKS_OVER] = (double)ticks.over_count;
    of[TOTAL_OVER] = (double)ticks.over_ns;
    of[TOTAL_TICK_MEDIAN] = (double)ticks.median_ns;
    of[TOTAL_TICK_95] = (double)ticks.percentile_95_ns;
    of[TOTAL_TICK_99] = (double)ticks.percentile_99_ns;
    of[TOTAL_TICK_LONGEST] = (double)ticks.longest_ns;
}

static void sum_up_totals(struct repeated_rows *repeated, const struct report *report)
{
    size_t count = repeated->new_count + repeated->old_count;
    SCOPED_ARRAY double *values = mem_zeroed(count * TOTAL_KIND_COUNT, sizeof *values);
    repeated->has_ticks = true;
    for (size_t i = 0; i < count; i++) {
        bool is_old;
        const struct log_values *log = log_of(report, i, &is_old);
        double of[TOTAL_KIND_COUNT];
        measure_log(log, of);
        repeated->has_ticks &= log->ticks.count > 0;
        for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
            values[(size_t)kind * count + i] = of[kind];
    }
    for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
        repeated->totals[kind] = repeated_sum_up(
            &repeated->comparer,
            sample_of(values + (size_t)kind * count, repeated->new_count),
            sample_of(values + (size_t)kind * count + repeated->new_count, repeated->old_count));
}

/* Orders the rows; of those that are compared, the ones that are told apart come first. */
static void sort_rows(struct repeated_rows *repeated, enum column_kind sort)
{
    static const uint64_t not_told_apart = UINT64_C(1) << 63;
    struct row_sums *table = &repeated->table;
    size_t column = repeated_column_place(sort);
    SCOPED_ARRAY struct keyed *order = mem_zeroed(table->row_count, sizeof *order);
    for (uint32_t i = 0; i < table->row_count; i++) {
        uint32_t place = table->rows[i].order;
        struct repeated_summary value = sum_up_row(repeated, place, column);
        bool is_compared = repeated->old_count > 0;
        double size = is_compared ? fabs(value.shift.estimate) : value.now.median;
        order[place] = (struct keyed){~key_of_double(size), i};
        order[place].key |= is_compared && !value.shift.is_told_apart ? not_told_apart : 0;
    }
    key_sort(order, table->row_count);
    row_sums_sort(table, order);
}

/* Samples both halves of the logs, side by side. */
static void sample_halves(struct repeated_rows *repeated, const struct report *report,
                          const uint32_t *nodes)
{
    const struct row_sums *table = &repeated->table;
    size_t count = repeated->new_count + repeated->old_count;
    SCOPED_ARRAY uint32_t *orders = find_orders(repeated, report, nodes);
    struct sampling first = {.report = report,
                             .to = count / 2,
                             .row_count = table->row_count,
                             .map = {orders, table->groups.outermost, NULL}};
    struct sampling halves[2] = {first, first};
    halves[1].from = first.to;
    halves[1].to = count;
    crew_run_both(sample_logs, &halves[0], sample_logs, &halves[1], true);
    sort_sampled(repeated, halves);
    MEM_FREE(halves[0].all, halves[1].all);
}

static void make_rows(struct repeated_rows *repeated, const struct report *report)
{
    const struct repeated_values *old = report->old != NULL ? report->old->repeated : NULL;
    *repeated = (struct repeated_rows){.new_count = report->repeated->count,
                                       .old_count = old != NULL ? old->count : 0};
    SCOPED_ARRAY uint32_t *nodes = make_shape(repeated, report);
    repeated->table =
        (struct row_sums){.by = report->show.by,
                          .tree = nodes != NULL ? &repeated->folded : &repeated->shape,
                          .labels = report->labels,
                          .charging = report_charging(report)};
    row_sums_init(&repeated->table);
    if (old != NULL)
        sample_comparer_init(&repeated->comparer, repeated->new_count, repeated->old_count);
    sample_halves(repeated, report, nodes);
    compare_counts(repeated);
    sort_rows(repeated, report->show.sort);
    sum_up_totals(repeated, report);
}

static void release_rows(struct repeated_rows *repeated)
{
    row_sums_release(&repeated->table);
    tree_release(&repeated->folded);
    MEM_FREE(repeated->shape.call_counts,
             repeated->shape.flags,
             repeated->shape.self_ns,
             repeated->starts,
             repeated->values);
    sample_comparer_release(&repeated->comparer);
    *repeated = (struct repeated_rows){0};
}

/* The type of the cell is that of the median. */
void repeated_value_get(const struct repeated_summary *value, enum column_aspect aspect,
                        struct cell *cell)
{
    const struct sample_summary *now = &value->now, *old = &value->old;
    const struct sample_shift *shift = &value->shift;
    double estimate = shift->estimate, old_median = fabs(old->median);
    const double numbers[ASPECT_COUNT] = {[ASPECT_NEW] = now->median,
                                          [ASPECT_NEW_SPREAD] = now->spread,
                                          [ASPECT_NEW_MIN] = now->min,
                                          [ASPECT_NEW_MAX] = now->max,
                                          [ASPECT_OLD] = old->median,
                                          [ASPECT_OLD_SPREAD] = old->spread,
                                          [ASPECT_OLD_MIN] = old->min,
                                          [ASPECT_OLD_MAX] = old->max,
                                          [ASPECT_SHIFT] = estimate,
                                          [ASPECT_SHIFT_LOW] = shift->low,
                                          [ASPECT_SHIFT_HIGH] = shift->high,
                                          [ASPECT_SHIFT_PERCENT] =
                                              old_median != 0 ? 100 * estimate / old_median : 0,
                                          [ASPECT_P] = shift->p,
                                          [ASPECT_IS_EXACT] = shift->is_exact,
                                          [ASPECT_TOLD_APART] = shift->is_told_apart};
    bool is_percent = aspect == ASPECT_SHIFT_PERCENT;
    cell->is_known = is_percent ? old_median != 0 : !isnan(numbers[aspect]);
    cell->word = is_percent && old_median == 0 && now->median != 0 ? "new" : NULL;
    cell->real = numbers[aspect];
    cell->number = is_percent || !cell->is_known ? 0 : llround(cell->real);
    if (aspect == ASPECT_P)
        cell->type = TYPE_CHANCE;
    else if (aspect == ASPECT_IS_EXACT || aspect == ASPECT_TOLD_APART)
        cell->type = TYPE_FLAG;
}

void repeated_mark_get(const struct repeated_summary *value, struct cell *cell)
{
    cell->is_known = true;
    if (!value->shift.is_told_apart)
        text_put_string(&cell->text, "~");
}

/* Totals ------------------------------------------------------------------------------------ */

static const struct column_info total_mark = {.title = "", .type = TYPE_MARK};
static const struct column_info total_name = {.title = "", .name = "name", .type = TYPE_TEXT};
static const struct column_info total_is_time = {.name = "is_time", .type = TYPE_FLAG};

static void get_total(const struct table *table, size_t row, const struct table_column *column,
                      struct cell *cell)
{
    const struct repeated_totals *totals = table->of;
    const struct repeated_total_info *info = &totals->infos[row];
    const struct repeated_summary *value = &totals->values[row];
    enum report_unit unit = amount_unit_for((int64_t)fmax(value->now.median, value->old.median));
    if (column->info == &total_mark) {
        repeated_mark_get(value, cell);
    } else if (column->info == &total_is_time) {
        cell->is_known = true;
        cell->number = info->is_time;
    } else if (column->info != &total_name) {
        cell->type = info->is_time ? TYPE_SUM : TYPE_REAL;
        cell->unit = info->is_time ? unit : UNIT_AUTO;
        repeated_value_get(value, column->aspect, cell);
    } else {
        cell->is_known = true;
        text_put_string(&cell->text, info->names[totals->is_ui]);
        if (info->is_time && totals->reader == FOR_PEOPLE)
            text_printf(&cell->text, " %s", amount_units[unit].name);
    }
}

void repeated_totals_init(struct repeated_totals *totals, const struct report *report,
                          enum table_reader reader)
{
    static const struct column_info alone = {.title = "median", .name = "value", .type = TYPE_REAL};
    static const struct column_info compared = {.title = "", .name = "value", .type = TYPE_REAL};
    static const char *const sides[] = {"new", "old", ""};
    bool is_compared = report->old != NULL;
    totals->reader = reader;
    totals->is_ui = report->profile->rebuild.state == LUA_STATE_UI;
    totals->table = (struct table){.row_count = totals->count,
                                   .get = get_total,
                                   .of = totals,
                                   .is_compared = is_compared,
                                   .has_samples = true,
                                   .prefixes = is_compared ? sides : NULL};
    if (is_compared && reader == FOR_PEOPLE)
        table_add(&totals->table, &total_mark);
    if (reader != FOR_JSON)
        table_add(&totals->table, &total_name);
    if (reader == FOR_PAGE)
        table_add(&totals->table, &total_is_time);
    repeated_columns_add(&totals->table, reader, is_compared ? &compared : &alone, 0);
}

/* Rows -------------------------------------------------------------------------------------- */

static bool is_of_calls(const struct column_info *info)
{
    return info == &column_infos[COLUMN_CALLS] || info == &column_infos[COLUMN_AVERAGE];
}

/* Whether the last value is of calls of which no log has any, although the row ran. */
static bool is_dash(const struct repeated_tables *repeated, const struct table_column *column)
{
    const struct repeated_summary *value = &repeated->summary;
    const struct report *report = repeated->report;
    bool is_scaled = report->old != NULL && report->old->scaled != NULL;
    return is_of_calls(column->info) && !aspect_infos[column->aspect].is_change &&
           value->now.max == 0 && value->old.max == 0 && !is_scaled &&
           !selection_changes_stacks(report->selection);
}

static void get_row(const struct table *table, size_t row, const struct table_column *column,
                    struct cell *cell)
{
    struct repeated_tables *repeated = table->of;
    bool is_mark = column->info->type == TYPE_MARK;
    if (!is_mark && row_keys_get(&repeated->keys, column, row, cell))
        return;
    enum column_kind kind =
        is_mark ? repeated->report->show.sort : (enum column_kind)(column->info - column_infos);
    size_t place = repeated_column_place(kind);
    if (repeated->summary_of != row * REPEATED_COLUMNS + place)
        repeated->summary =
            sum_up_row(&repeated->sums, repeated->sums.table.rows[row].order, place);
    repeated->summary_of = row * REPEATED_COLUMNS + place;
    if (is_mark) {
        repeated_mark_get(&repeated->summary, cell);
        return;
    }
    cell->type = cell->type == TYPE_COUNT ? TYPE_REAL : cell->type;
    repeated_value_get(&repeated->summary, column->aspect, cell);
    cell->word = is_dash(repeated, column) ? "-" : cell->word;
}

/* Columns ----------------------------------------------------------------------------------- */

/* People keep the ends of the interval longest: a spread and a percentage say less. */
static unsigned order_of(enum column_aspect aspect)
{
    switch (aspect) {
    case ASPECT_OLD_SPREAD:
    case ASPECT_NEW_SPREAD:
        return 1;
    case ASPECT_SHIFT_PERCENT:
        return 2;
    case ASPECT_OLD:
        return 3;
    case ASPECT_SHIFT_LOW:
    case ASPECT_SHIFT_HIGH:
        return 4;
    default:
        return 0;
    }
}

const char *const repeated_prefixes[] = {"new ", "old ", ""};

void repeated_columns_add(struct table *table, enum table_reader reader,
                          const struct column_info *info, unsigned order)
{
    static const enum column_aspect of_readers[][ASPECT_COUNT] = {
        [FOR_PEOPLE] = {ASPECT_OLD,
                        ASPECT_OLD_SPREAD,
                        ASPECT_NEW,
                        ASPECT_NEW_SPREAD,
                        ASPECT_SHIFT,
                        ASPECT_SHIFT_LOW,
                        ASPECT_SHIFT_HIGH,
                        ASPECT_SHIFT_PERCENT,
                        ASPECT_COUNT},
        [FOR_PROGRAMS] = {ASPECT_OLD,
                          ASPECT_OLD_SPREAD,
                          ASPECT_OLD_MIN,
                          ASPECT_OLD_MAX,
                          ASPECT_NEW,
                          ASPECT_NEW_SPREAD,
                          ASPECT_NEW_MIN,
                          ASPECT_NEW_MAX,
                          ASPECT_SHIFT,
                          ASPECT_SHIFT_LOW,
                          ASPECT_SHIFT_HIGH,
                          ASPECT_P,
                          ASPECT_TOLD_APART,
                          ASPECT_COUNT},
        [FOR_JSON] = {ASPECT_NEW,
                      ASPECT_NEW_SPREAD,
                      ASPECT_NEW_MIN,
                      ASPECT_NEW_MAX,
                      ASPECT_OLD,
                      ASPECT_OLD_SPREAD,
                      ASPECT_OLD_MIN,
                      ASPECT_OLD_MAX,
                      ASPECT_SHIFT,
                      ASPECT_SHIFT_LOW,
                      ASPECT_SHIFT_HIGH,
                      ASPECT_P,
                      ASPECT_IS_EXACT,
                      ASPECT_TOLD_APART,
                      ASPECT_COUNT},
        [FOR_PAGE] = {ASPECT_NEW,
                      ASPECT_NEW_SPREAD,
                      ASPECT_OLD,
                      ASPECT_SHIFT,
                      ASPECT_SHIFT_LOW,
                      ASPECT_SHIFT_HIGH,
                      ASPECT_P,
                      ASPECT_TOLD_APART,
                      ASPECT_COUNT},
    };
    for (const enum column_aspect *at = of_readers[reader]; *at != ASPECT_COUNT; at++) {
        bool is_of_new = *at == ASPECT_NEW || (*at >= ASPECT_NEW_SPREAD && *at <= ASPECT_NEW_MAX);
        if (table->is_compared || is_of_new)
            table_add_column(table,
                             info,
                             *at,
                             !table->is_compared && *at == ASPECT_NEW_SPREAD ? order
                                                                             : order_of(*at));
    }
}

static void add_row_columns(struct repeated_tables *repeated)
{
    struct table *table = &repeated->rows;
    const struct report *report = repeated->report;
    enum column_kind sort = report->show.sort;
    if (repeated->reader != FOR_PEOPLE) {
        bool is_page = repeated->reader == FOR_PAGE;
        row_keys_add(table, report->show.by, is_page ? FOR_JSON : repeated->reader);
        for (size_t i = 0; i < (is_page ? 1 : REPEATED_COLUMNS); i++)
            repeated_columns_add(table, repeated->reader, &column_infos[repeated_columns[i]], 0);
        return;
    }
    if (table->is_compared) {
        repeated_columns_add(table, repeated->reader, &column_infos[sort], 0);
        row_keys_add_one(table, KEY_MARK);
    } else {
        repeated_columns_add(table, repeated->reader, &column_infos[COLUMN_SELF], 2);
        repeated_columns_add(table, repeated->reader, &column_infos[COLUMN_TOTAL], 1);
        repeated_columns_add(table,
                             repeated->reader,
                             &column_infos[sort == COLUMN_AVERAGE ? sort : COLUMN_CALLS],
                             1);
    }
    row_keys_add_one(table, KEY_LABEL);
}

void repeated_tables_init(struct repeated_tables *repeated, const struct report *report,
                          enum table_reader reader)
{
    enum { LABEL_ENOUGH = 20 };
    *repeated =
        (struct repeated_tables){.report = report, .reader = reader, .summary_of = SIZE_MAX};
    make_rows(&repeated->sums, report);
    const struct repeated_summary *time = &repeated->sums.totals[TOTAL_TIME];
    bool is_compared = repeated->sums.old_count > 0;
    repeated->keys = (struct row_keys){.report = report, .sums = &repeated->sums.table};
    repeated->totals = (struct repeated_totals){.infos = total_infos,
                                                .values = repeated->sums.totals,
                                                .count = repeated->sums.has_ticks ? TOTAL_KIND_COUNT
                                                                                  : TOTAL_TICKS};
    repeated_totals_init(&repeated->totals, report, reader);
    repeated->rows = (struct table){
        .row_count = repeated->sums.table.row_count,
        .get = get_row,
        .of = repeated,
        .unit = amount_unit_of(report, (int64_t)fmax(time->now.median, time->old.median)),
        .call_unit = report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit,
        .is_compared = is_compared,
        .has_samples = true,
        .prefixes = is_compared ? repeated_prefixes : NULL,
        .by = report->show.by,
        .label_title = table_by_infos[report->show.by].title,
        .label_enough = is_compared ? LABEL_ENOUGH : 0,
    };
    add_row_columns(repeated);
}

bool repeated_tables_show_dash(const struct repeated_tables *repeated, size_t row_count)
{
    const struct table *table = &repeated->rows;
    SCOPED(cell) cell = {0};
    for (size_t i = 0; i < table->column_count; i++)
        for (size_t row = 0;
             is_of_calls(table->columns[i].info) && row < table->row_count && row < row_count;
             row++) {
            table_get(table, row, &table->columns[i], &cell);
            if (cell.word != NULL && strcmp(cell.word, "-") == 0)
                return true;
        }
    return false;
}

void repeated_tables_release(struct repeated_tables *repeated)
{
    release_rows(&repeated->sums);
}
