#include "report/tables/watched_repeated.h"

#include "report/sentences/amounts.h"
#include "report/tables/watched_table.h"

#include <math.h>

static const struct repeated_total_info total_infos[WATCH_TOTAL_COUNT] = {
    [WATCH_TICKS] = {{"watched ticks", "watched frames"}, "ticks", false},
    [WATCH_SLOW_TICKS] = {{"watched slow ticks", "watched slow frames"}, "slow_ticks", false},
    [WATCH_THREADS_TICK] = {{"threads in a tick", "threads in a frame"}, "threads_tick", true},
    [WATCH_TICK_MEDIAN] = {{"watched median", "watched median"}, "tick_median", true},
    [WATCH_TICK_95] = {{"watched 95%", "watched 95%"}, "tick_95", true},
    [WATCH_TICK_99] = {{"watched 99%", "watched 99%"}, "tick_99", true},
    [WATCH_TICK_LONGEST] = {{"watched longest", "watched longest"}, "tick_longest", true},
};

/* Values ------------------------------------------------------------------------------------ */

/* The logs of both sides, the new ones first. */
struct sides {
    const struct repeated_values *now, *old; /* NULL: nothing is compared */
    size_t now_count, old_count;
    struct sample_comparer comparer; /* where there are old logs */
};

static const struct log_watch *watch_of(const struct sides *sides, size_t log)
{
    return log < sides->now_count ? &sides->now->logs[log].watch
                                  : &sides->old->logs[log - sides->now_count].watch;
}

/* Sorts the values of all logs. */
static struct repeated_summary sum_up(const struct sides *sides, double *values)
{
    struct sample now = sample_of(values, sides->now_count),
                  old = sample_of(values + sides->now_count, sides->old_count);
    return repeated_sum_up(&sides->comparer, now, old);
}

static void sum_up_totals(struct watched_repeated *watched, const struct sides *sides)
{
    size_t count = sides->now_count + sides->old_count;
    SCOPED_ARRAY double *values = mem_zeroed(count, sizeof *values);
    for (size_t kind = 0; kind < WATCH_TOTAL_COUNT; kind++) {
        for (size_t log = 0; log < count; log++)
            values[log] = watch_of(sides, log)->totals[kind];
        watched->values[kind] = sum_up(sides, values);
    }
}

/* What threads took in a log. */
struct taken {
    uint32_t function;
    size_t log;
    double ns;
};

COMPARES(compare_taken, struct taken,
         ORDER(a->function, b->function, ORDER(a->log, b->log, ORDER(a->ns, b->ns, 0))))

static int compare_rows(const void *left, const void *right)
{
    const struct watched_repeated_row *a = left, *b = right;
    double a_size = fabs(a->value.shift.estimate), b_size = fabs(b->value.shift.estimate);
    return ORDER(
        b->value.shift.is_told_apart,
        a->value.shift.is_told_apart,
        ORDER(b_size,
              a_size,
              ORDER(b->value.now.median, a->value.now.median, ORDER(a->function, b->function, 0))));
}

/* Returns what all threads took, by functions; sets the count. */
static struct taken *sort_taken(const struct sides *sides, size_t *count)
{
    struct taken *all = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t log = 0; log < sides->now_count + sides->old_count; log++) {
        const struct log_watch *watch = watch_of(sides, log);
        for (size_t i = 0; i < watch->thread_count; i++) {
            struct taken taken = {watch->threads[i].function, log, watch->threads[i].tick_ns};
            MEM_APPEND(all, *count, capacity, taken);
        }
    }
    if (*count > 1)
        qsort(all, *count, sizeof *all, compare_taken);
    return all;
}

static void sum_up_rows(struct watched_repeated *watched, const struct sides *sides)
{
    size_t count, logs = sides->now_count + sides->old_count, capacity = 0, row_count = 0;
    SCOPED_ARRAY struct taken *taken = sort_taken(sides, &count);
    SCOPED_ARRAY double *values = mem_zeroed(logs, sizeof *values);
    for (size_t from = 0, to = 0; from < count; from = to) {
        for (size_t log = 0; log < logs; log++)
            values[log] = 0;
        for (; to < count && taken[to].function == taken[from].function; to++)
            values[taken[to].log] += taken[to].ns;
        struct watched_repeated_row row = {taken[from].function, sum_up(sides, values)};
        MEM_APPEND(watched->all, row_count, capacity, row);
    }
    if (row_count > 1)
        qsort(watched->all, row_count, sizeof *watched->all, compare_rows);
    watched->rows.row_count = row_count;
}

/* Tables ------------------------------------------------------------------------------------ */

static const struct column_info mark = {.title = "", .type = TYPE_MARK};
static const struct column_info tick = {
    .title = "tick", .name = "tick_ns", .word = "tick", .type = TYPE_SUM};
static const struct column_info label = {.name = "label", .type = TYPE_LABEL};

static void get_row(const struct table *table, size_t row, const struct table_column *column,
                    struct cell *cell)
{
    const struct watched_repeated *watched = table->of;
    const struct watched_repeated_row *of = &watched->all[row];
    if (watched_table_get_function(watched->report, of->function, column->info, cell))
        return;
    if (column->info == &mark)
        repeated_mark_get(&of->value, cell);
    else if (column->info == &label)
        watched_table_get_label(watched->report, of->function, cell);
    else
        repeated_value_get(&of->value, column->aspect, cell);
}

static void make_rows(struct watched_repeated *watched, bool is_compared, enum table_reader reader)
{
    enum { LABEL_ENOUGH = 20, NAME_WIDTH_MAX = 32 };
    watched->rows = (struct table){.one = "function",
                                   .many = "functions",
                                   .get = get_row,
                                   .of = watched,
                                   .unit = UNIT_MS,
                                   .decimals = 3,
                                   .is_compared = is_compared,
                                   .has_samples = true,
                                   .prefixes = is_compared ? repeated_prefixes : NULL,
                                   .label_title = "watched thread began in",
                                   .label_enough = is_compared ? LABEL_ENOUGH : 0,
                                   .name_width_max = NAME_WIDTH_MAX};
    table_add_function(&watched->rows, reader);
    repeated_columns_add(&watched->rows, reader, &tick, 0);
    if (is_compared && reader == FOR_PEOPLE)
        table_add(&watched->rows, &mark);
    if (reader != FOR_JSON)
        table_add(&watched->rows, &label);
}

void watched_repeated_init(struct watched_repeated *watched, const struct report *report,
                           enum table_reader reader)
{
    const struct report *old = report->old;
    *watched = (struct watched_repeated){.report = report};
    if (!report->repeats_watches)
        return;
    struct sides sides = {.now = report->repeated,
                          .old = old != NULL ? old->repeated : NULL,
                          .now_count = report->repeated->count,
                          .old_count = old != NULL ? old->repeated->count : 0};
    if (old != NULL)
        sample_comparer_init(&sides.comparer, sides.now_count, sides.old_count);
    watched->totals = (struct repeated_totals){
        .infos = total_infos, .values = watched->values, .count = WATCH_TOTAL_COUNT};
    repeated_totals_init(&watched->totals, report, reader);
    make_rows(watched, old != NULL, reader);
    sum_up_totals(watched, &sides);
    sum_up_rows(watched, &sides);
    sample_comparer_release(&sides.comparer);
}

void watched_repeated_release(struct watched_repeated *watched)
{
    free(watched->all);
}
