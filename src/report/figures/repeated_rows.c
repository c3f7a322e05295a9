#include "report/figures/repeated_rows.h"

#include "base/sort.h"
#include "tree/fold.h"

#include <math.h>

const enum column_kind repeated_columns[REPEATED_COLUMNS] = {COLUMN_SELF, COLUMN_TOTAL,
                                                             COLUMN_CALLS, COLUMN_AVERAGE};

const struct repeated_total_info repeated_totals[TOTAL_KIND_COUNT] = {
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

static bool merges_lines(const struct report *report)
{
    return report->show.by == BY_STACK && !report->show.call_sites;
}

/* Replaces a tree with the nodes of the report's tree by one whose nodes are rows. */
static void fit_tree(const struct report *report, struct tree *tree)
{
    if (merges_lines(report)) {
        struct tree merged;
        fold_lines(&merged, tree);
        tree_release(tree);
        *tree = merged;
    }
}

/* Makes a tree for the values of a log. Either side knows which nodes are the recorder's. */
static void init_tree(const struct report *report, struct tree *tree)
{
    repeated_tree_init(tree, report->tree);
    for (uint32_t node = 0; report->old != NULL && node < tree->node_count; node++)
        tree->flags[node] |= report->old->tree->flags[node];
}

static size_t count_logs(const struct repeated_rows *repeated)
{
    return repeated->new_count + repeated->old_count;
}

double *repeated_rows_values(const struct repeated_rows *repeated, uint32_t order, size_t column)
{
    return repeated->values + ((size_t)order * REPEATED_COLUMNS + column) * count_logs(repeated);
}

/* Sets the values of a log, which is log number `log` of both sides together. */
static void sample_log(struct repeated_rows *repeated, const struct report *report,
                       const struct repeated_values *side, size_t index, size_t log)
{
    struct tree tree;
    struct table table = repeated->table;
    init_tree(report, &tree);
    repeated_tree_fill(side, index, &tree);
    fit_tree(report, &tree);
    table = (struct table){.by = table.by,
                           .tree = &repeated->shape,
                           .old_tree = &tree,
                           .labels = table.labels,
                           .charging = table.charging,
                           .joins_recorder = table.joins_recorder};
    table_init(&table);
    for (size_t i = 0; i < table.row_count; i++) {
        const struct row *row = &table.rows[i];
        for (size_t k = 0; k < REPEATED_COLUMNS; k++)
            repeated_rows_values(repeated, row->order, k)[log] =
                column_sort_key(repeated_columns[k], table_old(&table, row));
    }
    table_release(&table);
    tree_release(&tree);
}

static bool are_equal(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

static bool is_recorders(const struct table *table, const struct row *row)
{
    return table->by != BY_STACK && table->groups.all[row->group].is_recorder;
}

static void compare_counts(struct repeated_rows *repeated)
{
    size_t column = repeated_column_place(COLUMN_CALLS), logs = count_logs(repeated);
    for (size_t i = 0; i < repeated->table.row_count; i++) {
        const struct row *row = &repeated->table.rows[i];
        const double *calls = repeated_rows_values(repeated, row->order, column);
        bool is_same = are_equal(calls, logs);
        if (is_recorders(&repeated->table, row) || (is_same && calls[0] == 0))
            continue;
        repeated->called_count++;
        repeated->same_count += is_same;
        repeated->steady_count += are_equal(calls, repeated->new_count) &&
                                  are_equal(calls + repeated->new_count, repeated->old_count);
    }
}

/* Sums up the values of all new logs and those of all old logs after them; sorts both. */
static struct repeated_summary sum_up(const struct repeated_rows *repeated, double *values)
{
    struct repeated_summary value = {0};
    size_t new_count = repeated->new_count, old_count = repeated->old_count;
    if (old_count > 0)
        value.shift = sample_compare(&repeated->comparer, values, values + new_count);
    value.now = sample_sum_up(values, new_count);
    if (old_count > 0)
        value.old = sample_sum_up(values + new_count, old_count);
    return value;
}

void repeated_rows_sum_up(const struct repeated_rows *repeated, const struct row *row,
                          struct repeated_summary values[REPEATED_COLUMNS])
{
    for (size_t k = 0; k < REPEATED_COLUMNS; k++)
        values[k] = sum_up(repeated, repeated_rows_values(repeated, row->order, k));
}

/* The totals of a log. */
static void measure_log(const struct log_values *log, double of[TOTAL_KIND_COUNT])
{
    struct tick_statistics ticks;
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
    tick_statistics_release(&ticks);
}

static void sum_up_totals(struct repeated_rows *repeated, const struct report *report)
{
    size_t count = count_logs(repeated);
    double *values = mem_zeroed(count * TOTAL_KIND_COUNT, sizeof *values);
    repeated->has_ticks = true;
    for (size_t i = 0; i < count; i++) {
        bool is_new = i < repeated->new_count;
        const struct log_values *log = is_new
                                           ? &report->repeated->logs[i]
                                           : &report->old->repeated->logs[i - repeated->new_count];
        double of[TOTAL_KIND_COUNT];
        measure_log(log, of);
        repeated->has_ticks &= log->ticks.count > 0;
        for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
            values[(size_t)kind * count + i] = of[kind];
    }
    for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
        repeated->totals[kind] = sum_up(repeated, values + (size_t)kind * count);
    free(values);
}

/* Orders the rows; of those that are compared, the ones that are told apart come first. */
static void make_rows(struct repeated_rows *repeated, enum column_kind sort)
{
    static const uint64_t not_told_apart = UINT64_C(1) << 63;
    const struct table *table = &repeated->table;
    size_t column = repeated_column_place(sort);
    struct keyed *order = mem_zeroed(table->row_count, sizeof *order);
    for (uint32_t i = 0; i < table->row_count; i++) {
        uint32_t place = table->rows[i].order;
        struct repeated_summary value =
            sum_up(repeated, repeated_rows_values(repeated, place, column));
        bool is_compared = repeated->old_count > 0;
        double size = is_compared ? fabs(value.shift.estimate) : value.now.median;
        order[place] = (struct keyed){~key_of_double(size), i};
        order[place].key |= is_compared && !value.shift.is_told_apart ? not_told_apart : 0;
    }
    key_sort(order, table->row_count);
    repeated->rows = mem_zeroed(table->row_count, sizeof *repeated->rows);
    for (size_t i = 0; i < table->row_count; i++)
        repeated->rows[i] = &table->rows[order[i].item];
    free(order);
}

void repeated_rows_init(struct repeated_rows *repeated, const struct report *report,
                        bool joins_recorder)
{
    const struct repeated_values *old = report->old != NULL ? report->old->repeated : NULL;
    *repeated = (struct repeated_rows){.new_count = report->repeated->count,
                                       .old_count = old != NULL ? old->count : 0};
    init_tree(report, &repeated->shape);
    repeated_tree_count_logs(report->repeated, &repeated->shape);
    if (old != NULL)
        repeated_tree_count_logs(old, &repeated->shape);
    fit_tree(report, &repeated->shape);
    repeated->table = (struct table){.by = report->show.by,
                                     .tree = &repeated->shape,
                                     .labels = report->labels,
                                     .charging = report_charging(report),
                                     .joins_recorder = joins_recorder};
    table_init(&repeated->table);
    repeated->values = mem_zeroed(
        repeated->table.row_count * REPEATED_COLUMNS * count_logs(repeated), sizeof(double));
    if (old != NULL)
        sample_comparer_init(&repeated->comparer, repeated->new_count, repeated->old_count);
    for (size_t i = 0; i < repeated->new_count; i++)
        sample_log(repeated, report, report->repeated, i, i);
    for (size_t i = 0; i < repeated->old_count; i++)
        sample_log(repeated, report, old, i, repeated->new_count + i);
    compare_counts(repeated);
    make_rows(repeated, report->show.sort);
    sum_up_totals(repeated, report);
}

void repeated_rows_release(struct repeated_rows *repeated)
{
    table_release(&repeated->table);
    tree_release(&repeated->shape);
    free(repeated->rows);
    free(repeated->values);
    sample_comparer_release(&repeated->comparer);
    *repeated = (struct repeated_rows){0};
}
