#include "report/repeated.h"

#include "base/mem.h"
#include "select/repeats.h"
#include "tree/fold.h"

#include <math.h>
#include <stdlib.h>

static const enum column_kind columns[REPEATED_KIND_COUNT] = {
    [REPEATED_SELF] = COLUMN_SELF,
    [REPEATED_TOTAL] = COLUMN_TOTAL,
    [REPEATED_CALLS] = COLUMN_CALLS,
    [REPEATED_AVERAGE] = COLUMN_AVERAGE,
};

static const struct {
    const char *name;
    bool is_time;
} totals[TOTAL_KIND_COUNT] = {
    [TOTAL_TIME] = {"total time", true},
    [TOTAL_CALLS] = {"calls", false},
    [TOTAL_TICKS] = {"ticks", false},
    [TOTAL_TICKS_OVER] = {"ticks over 100 ms", false},
    [TOTAL_OVER] = {"time over 100 ms", true},
    [TOTAL_TICK_MEDIAN] = {"median tick", true},
    [TOTAL_TICK_95] = {"95% of ticks", true},
    [TOTAL_TICK_99] = {"99% of ticks", true},
    [TOTAL_TICK_LONGEST] = {"longest tick", true},
};

const char *repeated_total_name(enum repeated_total_kind kind)
{
    return totals[kind].name;
}

bool repeated_total_is_time(enum repeated_total_kind kind)
{
    return totals[kind].is_time;
}

enum repeated_kind repeated_kind_of(enum column_kind kind)
{
    int found = 0;
    while (found < REPEATED_KIND_COUNT && columns[found] != kind)
        found++;
    return (enum repeated_kind)found;
}

/* The state of the computation. */
struct sampling {
    struct repeated *repeated;
    const struct report *report;
    struct sample_comparer comparer; /* where there are old logs */
    double *values; /* for each row (by order) and kind: values of the new logs, then of the old */
    size_t log_count;
};

static bool merges_lines(const struct report *report)
{
    return report->by == BY_STACK && !report->call_sites;
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
    if (report->by == BY_STACK)
        listed_stacks_fold(report_listed(report), tree);
}

static double *values_of(const struct sampling *sampling, uint32_t order, int kind)
{
    return sampling->values +
           ((size_t)order * REPEATED_KIND_COUNT + (size_t)kind) * sampling->log_count;
}

static void sample_log(struct sampling *sampling, const struct repeats *repeats, size_t index,
                       size_t column)
{
    const struct report *report = sampling->report;
    struct tree tree;
    struct table table;
    repeats_tree_init(&tree, report->tree);
    repeats_fill(repeats, index, &tree);
    fit_tree(report, &tree);
    table_compare(&table, report->by, COLUMN_SELF, &sampling->repeated->shape, &tree, false,
                  report->labels, false);
    for (size_t i = 0; i < table.row_count; i++) {
        const struct row *row = &table.rows[i];
        for (int kind = 0; kind < REPEATED_KIND_COUNT; kind++)
            values_of(sampling, row->order, kind)[column] =
                column_sort_key(columns[kind], table_old(&table, row));
    }
    table_release(&table);
    tree_release(&tree);
}

/* Sums up the values of all new logs and those of all old logs after them. */
static struct repeated_value sum_up(const struct sampling *sampling, double *values)
{
    struct repeated_value value = {0};
    size_t new_count = sampling->repeated->new_count, old_count = sampling->repeated->old_count;
    if (old_count > 0)
        value.shift = sample_compare(&sampling->comparer, values, values + new_count);
    value.now = sample_sum_up(values, new_count);
    if (old_count > 0)
        value.old = sample_sum_up(values + new_count, old_count);
    return value;
}

/* The totals of a log. */
static void measure_log(const struct repeat *repeat, double of[TOTAL_KIND_COUNT])
{
    struct tick_statistics ticks;
    tick_statistics_init(&ticks, &repeat->ticks);
    of[TOTAL_TIME] = (double)repeat->total_ns * repeat->scale;
    of[TOTAL_CALLS] = (double)repeat->calls * repeat->scale;
    of[TOTAL_TICKS] = (double)ticks.count;
    of[TOTAL_TICKS_OVER] = (double)ticks.over_count;
    of[TOTAL_OVER] = (double)ticks.over_ns;
    of[TOTAL_TICK_MEDIAN] = (double)ticks.median_ns;
    of[TOTAL_TICK_95] = (double)ticks.percentile_95_ns;
    of[TOTAL_TICK_99] = (double)ticks.percentile_99_ns;
    of[TOTAL_TICK_LONGEST] = (double)ticks.longest_ns;
    tick_statistics_release(&ticks);
}

static void sum_up_totals(struct sampling *sampling)
{
    struct repeated *repeated = sampling->repeated;
    const struct report *report = sampling->report;
    size_t count = sampling->log_count;
    double *values = mem_zeroed(count * TOTAL_KIND_COUNT, sizeof *values);
    repeated->has_ticks = true;
    for (size_t i = 0; i < count; i++) {
        bool is_new = i < repeated->new_count;
        const struct repeat *repeat =
            is_new ? &report->repeats->all[i] : &report->old->repeats->all[i - repeated->new_count];
        double of[TOTAL_KIND_COUNT];
        measure_log(repeat, of);
        repeated->has_ticks &= repeat->ticks.count > 0;
        for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
            values[(size_t)kind * count + i] = of[kind];
    }
    for (int kind = 0; kind < TOTAL_KIND_COUNT; kind++)
        repeated->totals[kind] = sum_up(sampling, values + (size_t)kind * count);
    free(values);
}

/* A row and its sort keys. */
struct sorted {
    double key;
    bool is_told_apart;
    uint32_t order;
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left;
    const struct sorted *b = right;
    if (a->is_told_apart != b->is_told_apart)
        return a->is_told_apart ? -1 : 1;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void make_rows(struct sampling *sampling)
{
    struct repeated *repeated = sampling->repeated;
    const struct table *table = &repeated->table;
    enum repeated_kind sort = repeated_kind_of(sampling->report->sort);
    struct repeated_row *rows = mem_zeroed(table->row_count, sizeof *rows);
    struct sorted *sorted = mem_zeroed(table->row_count, sizeof *sorted);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        struct repeated_row *to = &rows[row->order];
        to->row = row;
        for (int kind = 0; kind < REPEATED_KIND_COUNT; kind++)
            to->values[kind] = sum_up(sampling, values_of(sampling, row->order, kind));
        const struct repeated_value *value = &to->values[sort];
        bool is_compared = repeated->old_count > 0;
        sorted[i] = (struct sorted){
            .key = is_compared ? fabs(value->shift.estimate) : value->now.median,
            .is_told_apart = is_compared && value->shift.is_told_apart,
            .order = row->order,
        };
    }
    if (table->row_count > 0)
        qsort(sorted, table->row_count, sizeof *sorted, compare_sorted);
    repeated->rows = mem_zeroed(table->row_count, sizeof *repeated->rows);
    for (size_t i = 0; i < table->row_count; i++)
        repeated->rows[i] = rows[sorted[i].order];
    free(rows);
    free(sorted);
}

void repeated_init(struct repeated *repeated, const struct report *report)
{
    const struct repeats *old = report->old != NULL ? report->old->repeats : NULL;
    *repeated = (struct repeated){.new_count = report->repeats->count,
                                  .old_count = old != NULL ? old->count : 0};
    repeats_tree_init(&repeated->shape, report->tree);
    repeats_count(report->repeats, &repeated->shape);
    if (old != NULL)
        repeats_count(old, &repeated->shape);
    fit_tree(report, &repeated->shape);
    table_init(&repeated->table, report->by, COLUMN_SELF, &repeated->shape, report->labels, false);

    struct sampling sampling = {.repeated = repeated, .report = report};
    sampling.log_count = repeated->new_count + repeated->old_count;
    sampling.values = mem_zeroed(
        repeated->table.row_count * REPEATED_KIND_COUNT * sampling.log_count, sizeof(double));
    if (old != NULL)
        sample_comparer_init(&sampling.comparer, repeated->new_count, repeated->old_count);
    for (size_t i = 0; i < repeated->new_count; i++)
        sample_log(&sampling, report->repeats, i, i);
    for (size_t i = 0; i < repeated->old_count; i++)
        sample_log(&sampling, old, i, repeated->new_count + i);
    make_rows(&sampling);
    sum_up_totals(&sampling);
    if (old != NULL)
        sample_comparer_release(&sampling.comparer);
    free(sampling.values);
}

void repeated_release(struct repeated *repeated)
{
    table_release(&repeated->table);
    tree_release(&repeated->shape);
    free(repeated->rows);
    *repeated = (struct repeated){0};
}
