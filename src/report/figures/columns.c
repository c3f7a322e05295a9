#include "report/figures/columns.h"

#include "base/text.h"

#include <math.h>

const struct row row_none;

bool row_is_used(const struct row *row)
{
    return row->sum.calls > 0 || row->sum.self_ns != 0 || row->sum.total_ns != 0;
}

bool row_began_before(const struct row *row)
{
    return row->sum.calls == 0 && row_is_used(row) && !row_is_below_one_call(row);
}

bool row_is_below_one_call(const struct row *row)
{
    return row->sum.calls == 0 && (row->sum.flags & NODE_CALLED) != 0;
}

/* The self time of a call, or 0. */
static double average_ns(const struct row *row)
{
    return row->sum.calls == 0 ? 0 : (double)row->sum.self_ns / (double)row->sum.calls;
}

/* The time of a call that returned, with callees, or 0. */
static double mean_ns(const struct row *row)
{
    const struct call_details *details = &row->sum.details;
    return call_details_has_mean(details) ? (double)details->finished_ns / (double)details->finished
                                          : 0;
}

double row_noise_ns(const struct row *row)
{
    return row->is_sampled ? row->self_error_ns / 2 : call_details_noise_ns(&row->sum.details);
}

bool rows_have_noise(const struct row *row, const struct row *old)
{
    return (row->sum.has_details || !row_is_used(row)) &&
           (old->sum.has_details || !row_is_used(old));
}

/* How much more it may have taken: where all was subtracted, any part of what was measured. */
static double subtracted_ns(const struct row *row)
{
    return row->sum.has_details && row->sum.self_ns == 0 ? row->sum.details.measured_ns : 0;
}

bool row_is_alike(const struct row *row, const struct row *old)
{
    double noise_ns = hypot(row_noise_ns(row), row_noise_ns(old));
    double most_ns = 2 * noise_ns + subtracted_ns(row) + subtracted_ns(old);
    return rows_have_noise(row, old) && noise_ns > 0 &&
           fabs((double)(row->sum.self_ns - old->sum.self_ns)) <= most_ns;
}

/* The values of columns, which their rows name below. */
#define VALUE(of, is_known, number)                                                                \
    static struct column_value of(const struct row *row)                                           \
    {                                                                                              \
        return (struct column_value){is_known, number};                                            \
    }

/* The same of a row's threads; of rows that are no threads, nothing is known. */
#define VALUE_OF_THREADS(of, is_known, number)                                                     \
    static struct column_value of(const struct row *row)                                           \
    {                                                                                              \
        const struct thread_sum *sum = row->threads;                                               \
        return sum != NULL ? (struct column_value){is_known, number} : (struct column_value){0};   \
    }

VALUE(self, true, row->sum.self_ns)
VALUE(sum, true, row->sum_ns)
VALUE(total, true, row->sum.total_ns)
VALUE(calls, true, (int64_t)row->sum.calls)
VALUE(average, true, llround(average_ns(row)))
VALUE(shortest, row->sum.details.finished > 0, row->sum.details.min_ns)
VALUE(mean, call_details_has_mean(&row->sum.details), llround(mean_ns(row)))
VALUE(longest, row->sum.details.finished > 0, row->sum.details.max_ns)
/* Delins' profiler does not record errors, so without details there are none. */
VALUE(errors, true, (int64_t)row->sum.details.errors)
VALUE(heap, row->sum.has_details, (int64_t)row->sum.details.memory_kb)
VALUE(noise, row->sum.has_details, llround(row_noise_ns(row)))
VALUE(self_error, row->is_sampled, llround(row->self_error_ns))
VALUE(total_error, row->is_sampled, llround(row->total_error_ns))
VALUE(runs, row->line != NULL, row->line != NULL ? (int64_t)row->line->runs : 0)
VALUE(line_self, row->line != NULL, row->line != NULL ? row->line->self_ns : 0)
VALUE(is_main, true, (row->sum.flags & NODE_MAIN) != 0)
VALUE(is_coroutine, true, (row->sum.flags & NODE_COROUTINE) != 0)
VALUE_OF_THREADS(threads, true, (int64_t)sum->threads)
VALUE_OF_THREADS(wakes, true, (int64_t)sum->wakes)
VALUE_OF_THREADS(wake, true, sum->median_ns)
VALUE_OF_THREADS(wake_99, true, sum->percentile_99_ns)
VALUE_OF_THREADS(polls, sum->polls > 0, (int64_t)sum->polls)
VALUE_OF_THREADS(poll_time, sum->polls > 0, sum->poll_ns)
VALUE_OF_THREADS(ended, true, (int64_t)sum->ended)
VALUE_OF_THREADS(died, true, (int64_t)sum->failed)
VALUE_OF_THREADS(once, true, (int64_t)sum->once)
VALUE_OF_THREADS(life, sum->life_ticks >= 0, sum->life_ticks)

const struct column_info column_infos[COLUMN_KIND_COUNT] = {
    [COLUMN_SELF] = {"self", "self", "self_us", TYPE_SUM, NEEDS_NOTHING, true,
                     "time in the row itself, without callees", NULL, .usual = {1, 0, 3, 2},
                     .of = self},
    [COLUMN_SELF_PERCENT] = {"self%", "self%", "self_percent", TYPE_PERCENT, NEEDS_NOTHING, false,
                             "the same, as a share of the time shown", NULL, .usual = {2, 0, 0, 0},
                             .order = 3, .may_be_unknown = true, .of = self},
    [COLUMN_SUM_PERCENT] = {"sum%", "sum%", "sum_percent", TYPE_PERCENT, NEEDS_NOTHING, false,
                            "self% of this row and those above it", NULL, .usual = {0},
                            .may_be_unknown = true, .of = sum},
    [COLUMN_TOTAL] = {"total", "total", "total_us", TYPE_SUM, NEEDS_NOTHING, true,
                      "time with callees", NULL, .usual = {4, 1, 4, 3}, .order = 5, .of = total},
    [COLUMN_TOTAL_PERCENT] = {"total%", "total%", "total_percent", TYPE_PERCENT, NEEDS_NOTHING,
                              false, "the same, as a share of the time shown", NULL,
                              .usual = {5, 0, 0, 0}, .order = 1, .may_be_unknown = true,
                              .of = total},
    [COLUMN_CALLS] = {"calls", "calls", "calls", TYPE_COUNT, NEEDS_NOTHING, true, "number of calls",
                      NULL, .usual = {7, 0, 1, 1}, .order = 4, .of = calls},
    [COLUMN_AVERAGE] = {"avg", "self/call", "avg_us", TYPE_CALL, NEEDS_NOTHING, true,
                        "self time per call", NULL, .order = 2, .of = average},
    [COLUMN_MIN] = {"min", "shortest", "min_us", TYPE_CALL, NEEDS_RECORDING, false,
                    "shortest call that returned, with callees; recordings only", NULL,
                    .usual = {0, 0, 5, 7}, .may_be_unknown = true, .of = shortest},
    [COLUMN_MEAN] = {"mean", "mean", "mean_us", TYPE_CALL, NEEDS_RECORDING, false,
                     "mean call that returned, with callees; recordings only", NULL,
                     .usual = {0, 0, 6, 8}, .may_be_unknown = true, .of = mean},
    [COLUMN_MAX] = {"max", "longest call", "max_us", TYPE_CALL, NEEDS_RECORDING, true,
                    "longest call that returned, with callees; recordings only", NULL,
                    .usual = {0, 0, 7, 9}, .may_be_unknown = true, .of = longest},
    [COLUMN_ERRORS] = {"errors", "errors", "errors", TYPE_COUNT, NEEDS_RECORDING, true,
                       "calls that an error ended; recordings only", NULL,
                       "no call was ended by an error (--verbose has the log's errors)",
                       .usual = {0, 0, 2, 6}, .of = errors},
    [COLUMN_ALLOC] = {"heap", "heap KB", "alloc_kb", TYPE_COUNT, NEEDS_MEMORY, true,
                      "heap growth in KB, kept or freed later; recordings with memory only",
                      "alloc", "the heap did not grow", .usual = {0, 0, 8, 10},
                      .may_be_unknown = true, .of = heap},
    [COLUMN_NOISE] = {"noise", "noise", "noise_us", TYPE_CALL, NEEDS_RECORDING, false,
                      "standard error of the self time; recordings only", NULL,
                      .usual = {0, 0, 9, 11}, .may_be_unknown = true, .of = noise},
    [COLUMN_MAIN] = {"main", "main", "main", TYPE_FLAG, NEEDS_NOTHING, false,
                     "whether it ran on the main thread", NULL, .usual = {0, 0, 0, 4},
                     .of = is_main},
    [COLUMN_COROUTINE] = {"coroutine", "coroutine", "coroutine", TYPE_FLAG, NEEDS_NOTHING, false,
                          "whether it ran in coroutines", NULL, .usual = {0, 0, 0, 5},
                          .of = is_coroutine},
    [COLUMN_SELF_ERROR] = {"self+-", "+-%", "self_error_percent", TYPE_PERCENT, NEEDS_SAMPLES,
                           false, "half of the 95% interval of self%; chosen ticks only", NULL,
                           .usual = {3, 0, 22, 12}, .may_be_unknown = true, .of = self_error},
    [COLUMN_TOTAL_ERROR] = {"total+-", "+-%", "total_error_percent", TYPE_PERCENT, NEEDS_SAMPLES,
                            false, "half of the 95% interval of total%; chosen ticks only", NULL,
                            .usual = {6, 0, 23, 13}, .order = 1, .may_be_unknown = true,
                            .of = total_error},
    [COLUMN_RUNS] = {"runs", "runs", "runs", TYPE_COUNT, NEEDS_LINES, true,
                     "how often the line ran; with --by=line, recorded lines only", NULL,
                     .usual = {9, 0, 11, 0}, .may_be_unknown = true, .of = runs},
    [COLUMN_LINE_SELF] = {"lineself", "line self", "line_self_us", TYPE_SUM, NEEDS_LINES, true,
                          "time in the line itself; with --by=line, recorded lines only", NULL,
                          .usual = {8, 0, 10, 0}, .may_be_unknown = true, .of = line_self},
    [COLUMN_THREADS] = {"threads", "threads", "threads", TYPE_COUNT, NEEDS_THREADS, true,
                        "threads that began with the function; with --threads", NULL,
                        .usual = {0, 2, 12, 0}, .order = 9, .of = threads},
    [COLUMN_WAKES] = {"wakes", "wakes", "wakes", TYPE_COUNT, NEEDS_THREADS, true,
                      "how often they ran, each time until they waited; with --threads", NULL,
                      .usual = {0, 3, 13, 0}, .of = wakes},
    [COLUMN_WAKE] = {"wake", "wake", "wake_us", TYPE_CALL, NEEDS_THREADS, true,
                     "time of a wake, the median; with --threads", NULL, .usual = {0, 4, 14, 0},
                     .order = 8, .of = wake},
    [COLUMN_WAKE_99] = {"wake99", "99%", "wake_99_us", TYPE_CALL, NEEDS_THREADS, true,
                        "time that 99% of the wakes do not exceed; with --threads", NULL,
                        .usual = {0, 5, 15, 0}, .order = 5, .of = wake_99},
    [COLUMN_POLLS] = {"polls", "polls", "polls", TYPE_COUNT, NEEDS_THREADS, true,
                      "wakes with the usual number of calls, if most are such; with --threads",
                      NULL, "no thread makes the same few calls in most wakes",
                      .usual = {0, 6, 16, 0}, .may_be_unknown = true, .order = 7, .of = polls},
    [COLUMN_POLL_TIME] = {"polltime", "polls", "polls_us", TYPE_SUM, NEEDS_THREADS, false,
                          "time of the polls; with --threads", NULL, .usual = {0, 7, 17, 0},
                          .may_be_unknown = true, .order = 6, .of = poll_time},
    [COLUMN_ENDED] = {"ended", "ended", "ended", TYPE_COUNT, NEEDS_THREADS, false,
                      "threads whose end was seen; with --threads", NULL, .usual = {0, 8, 18, 0},
                      .order = 3, .of = ended},
    [COLUMN_DIED] = {"died", "died", "died", TYPE_COUNT, NEEDS_THREADS, true,
                     "threads that an error ended; with --threads", NULL,
                     "no thread was ended by an error", .usual = {0, 9, 19, 0}, .order = 4,
                     .of = died},
    [COLUMN_ONCE] = {"once", "once", "once", TYPE_COUNT, NEEDS_THREADS, false,
                     "threads that ended in their first wake; with --threads", NULL,
                     .usual = {0, 10, 20, 0}, .order = 2, .of = once},
    [COLUMN_LIFE] = {"life", "life ticks", "life_ticks", TYPE_COUNT, NEEDS_THREADS, false,
                     "ticks from begin to end of a thread, the median; with --threads", NULL,
                     .usual = {0, 11, 21, 0}, .may_be_unknown = true, .order = 1, .of = life},
};

struct column_value column_of(enum column_kind kind, const struct row *row)
{
    return column_infos[kind].of(row);
}

const struct aspect_info aspect_infos[ASPECT_COUNT] = {
    [ASPECT_NEW] = {"new_", "", NULL, "new", "median", .is_change = false},
    [ASPECT_OLD] = {"old_", "", NULL, "old", "median", .is_change = false},
    [ASPECT_DIFFERENCE] = {"diff_", "", NULL, .is_change = true},
    [ASPECT_PERCENT] = {"diff_", "_percent", "diff%", .has_no_unit = true, .is_percent = true},
    [ASPECT_BOTH] = {"", "", NULL, .is_change = false},
    [ASPECT_NEW_SPREAD] = {"new_", "_spread", "±", "new", "spread", .is_change = false},
    [ASPECT_NEW_MIN] = {"new_", "_min", "min", "new", "min", .is_change = false},
    [ASPECT_NEW_MAX] = {"new_", "_max", "max", "new", "max", .is_change = false},
    [ASPECT_OLD_SPREAD] = {"old_", "_spread", "±", "old", "spread", .is_change = false},
    [ASPECT_OLD_MIN] = {"old_", "_min", "min", "old", "min", .is_change = false},
    [ASPECT_OLD_MAX] = {"old_", "_max", "max", "old", "max", .is_change = false},
    [ASPECT_SHIFT] = {"diff_", "", "change", "change", "estimate", .is_change = true},
    [ASPECT_SHIFT_LOW] = {"diff_", "_low", "from", "change", "low", .is_change = true},
    [ASPECT_SHIFT_HIGH] = {"diff_", "_high", "to", "change", "high", .is_change = true},
    [ASPECT_SHIFT_PERCENT] = {"diff_", "_percent", "change%", "change", "percent",
                              .has_no_unit = true, .is_percent = true},
    [ASPECT_P] = {"", "_p", "p", "change", "p", .has_no_unit = true},
    [ASPECT_IS_EXACT] = {"", "_exact", "exact", "change", "exact", .has_no_unit = true},
    [ASPECT_TOLD_APART] = {"", "_told_apart", "told apart", "change", "told_apart",
                           .has_no_unit = true},
};

void columns_add(struct columns *columns, enum column_kind kind, enum column_aspect aspect)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->list[i].kind == kind && columns->list[i].aspect == aspect)
            return;
    columns->list[columns->count++] = (struct column){kind, aspect};
}

void columns_add_compared(struct columns *columns, enum column_kind kind)
{
    columns_add(columns, kind, ASPECT_OLD);
    columns_add(columns, kind, ASPECT_NEW);
    if (kind == COLUMN_NOISE || column_infos[kind].needs == NEEDS_SAMPLES)
        return;
    columns_add(columns, kind, ASPECT_DIFFERENCE);
    /* For a percentage the difference is enough. */
    if (column_infos[kind].type != TYPE_PERCENT)
        columns_add(columns, kind, ASPECT_PERCENT);
}

void columns_add_usual(struct columns *columns, enum column_list list, unsigned has,
                       bool is_compared)
{
    const unsigned ASKED = 1u << NEEDS_LINES | 1u << NEEDS_THREADS | 1u << NEEDS_SAMPLES;
    for (int place = 1; place <= COLUMN_KIND_COUNT; place++)
        for (enum column_kind kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
            const struct column_info *info = &column_infos[kind];
            bool is_known = (1u << info->needs & ASKED & ~has) == 0;
            if (info->usual[list] != place || !is_known)
                continue;
            if (is_compared)
                columns_add_compared(columns, kind);
            else
                columns_add(columns, kind, ASPECT_NEW);
        }
}

static bool refuse(struct span word, struct error *err)
{
    SCOPED(text) words = {0};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        text_printf(&words, "%s%s", kind > 0 ? ", " : "", column_infos[kind].word);
    error_set_code(err, "--columns", "invalid column '%.*s' for --columns (a list of: %s)",
                   (int)word.length, word.at, text_string(&words));
    return false;
}

static int find(struct span word)
{
    int kind = 0;
    while (kind < COLUMN_KIND_COUNT && !span_is(word, column_infos[kind].word) &&
           (column_infos[kind].alias == NULL || !span_is(word, column_infos[kind].alias)))
        kind++;
    return kind;
}

bool columns_parse(struct columns *columns, const char *words, struct error *err)
{
    *columns = (struct columns){0};
    for (const char *at = words;; at++) {
        struct span word = {at, strcspn(at, ",")};
        int kind = find(word);
        if (kind == COLUMN_KIND_COUNT)
            return refuse(word, err);
        size_t count = columns->count;
        columns_add(columns, (enum column_kind)kind, ASPECT_NEW);
        if (columns->count == count)
            return error_set(err, "--columns names '%s' twice", column_infos[kind].word);
        at += word.length;
        if (*at == '\0')
            return true;
    }
}

/* Rounded averages would be equal for many rows. */
double column_sort_key(enum column_kind kind, const struct row *row)
{
    if (kind == COLUMN_AVERAGE)
        return average_ns(row);
    struct column_value value = column_of(kind, row);
    return value.is_known ? (double)value.number : 0;
}

struct column_value column_value(struct column column, const struct row *row, const struct row *old)
{
    if (column.aspect == ASPECT_NEW || old == NULL)
        return column_of(column.kind, row);
    struct column_value before = column_of(column.kind, old);
    if (column.aspect == ASPECT_OLD)
        return before;
    struct column_value now = column_of(column.kind, row);
    return (struct column_value){now.is_known && before.is_known, now.number - before.number};
}

bool columns_are_alike(enum column_kind kind, const struct row *row, const struct row *old)
{
    bool is_of_self = kind == COLUMN_SELF || kind == COLUMN_AVERAGE;
    return is_of_self && row->sum.self_ns != old->sum.self_ns && row_is_alike(row, old);
}

bool column_percent(enum column_kind kind, const struct row *row, const struct row *old,
                    double *percent)
{
    struct column_value before = column_of(kind, old);
    struct column_value now = column_of(kind, row);
    bool has_old = row_is_used(old) && row_is_used(row);
    if (columns_are_alike(kind, row, old))
        return false;
    if (!before.is_known || !now.is_known || before.number <= 0 || !has_old)
        return false;
    *percent = round(1000 * (double)(now.number - before.number) / (double)before.number) / 10;
    return true;
}
