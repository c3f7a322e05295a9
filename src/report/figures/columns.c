#include "report/figures/columns.h"

#include "base/text.h"

#include <math.h>

static struct column_value known(int64_t number)
{
    return (struct column_value){true, number};
}

static struct column_value self_of(const struct row *row)
{
    return known(row->self_ns);
}

static struct column_value sum_of(const struct row *row)
{
    return known(row->sum_ns);
}

static struct column_value total_of(const struct row *row)
{
    return known(row->total_ns);
}

static struct column_value calls_of(const struct row *row)
{
    return known((int64_t)row->calls);
}

static struct column_value average_of(const struct row *row)
{
    return known(row_average_ns(row));
}

static struct column_value min_of(const struct row *row)
{
    const struct call_details *details = row_details(row);
    return (struct column_value){details->finished > 0, details->min_ns};
}

static struct column_value mean_of(const struct row *row)
{
    const struct call_details *details = row_details(row);
    if (details->finished == 0)
        return (struct column_value){0};
    return known(llround((double)details->finished_ns / (double)details->finished));
}

static struct column_value max_of(const struct row *row)
{
    const struct call_details *details = row_details(row);
    return (struct column_value){details->finished > 0, details->max_ns};
}

/* Delins' profiler does not record errors, so without details there are none. */
static struct column_value errors_of(const struct row *row)
{
    return known((int64_t)row_details(row)->errors);
}

static struct column_value alloc_of(const struct row *row)
{
    return (struct column_value){row->details != NULL, (int64_t)row_details(row)->memory_kb};
}

static struct column_value noise_of(const struct row *row)
{
    return (struct column_value){row->details != NULL, llround(row_noise_ns(row))};
}

static struct column_value self_error_of(const struct row *row)
{
    return (struct column_value){row->is_sampled, llround(row_noise_ns(row))};
}

static struct column_value total_error_of(const struct row *row)
{
    return (struct column_value){row->is_sampled, llround(row->total_error_ns)};
}

static struct column_value main_of(const struct row *row)
{
    return known((row->flags & NODE_MAIN) != 0);
}

static struct column_value coroutine_of(const struct row *row)
{
    return known((row->flags & NODE_COROUTINE) != 0);
}

/* Of rows that are no threads, nothing is known. */
static struct column_value count_of(const struct row *row, uint64_t thread_sum_count)
{
    return (struct column_value){row->threads != NULL, (int64_t)thread_sum_count};
}

static const struct thread_sum *threads_of(const struct row *row)
{
    static const struct thread_sum none = {.life_ticks = -1};
    return row->threads != NULL ? row->threads : &none;
}

static struct column_value thread_count_of(const struct row *row)
{
    return count_of(row, threads_of(row)->threads);
}

static struct column_value wakes_of(const struct row *row)
{
    return count_of(row, threads_of(row)->wakes);
}

static struct column_value wake_of(const struct row *row)
{
    return count_of(row, (uint64_t)threads_of(row)->median_ns);
}

static struct column_value wake_99_of(const struct row *row)
{
    return count_of(row, (uint64_t)threads_of(row)->percentile_99_ns);
}

static struct column_value polls_of(const struct row *row)
{
    return (struct column_value){threads_of(row)->polls > 0, (int64_t)threads_of(row)->polls};
}

static struct column_value poll_time_of(const struct row *row)
{
    return (struct column_value){threads_of(row)->polls > 0, threads_of(row)->poll_ns};
}

static struct column_value ended_of(const struct row *row)
{
    return count_of(row, threads_of(row)->ended);
}

static struct column_value died_of(const struct row *row)
{
    return count_of(row, threads_of(row)->failed);
}

static struct column_value once_of(const struct row *row)
{
    return count_of(row, threads_of(row)->once);
}

static struct column_value life_of(const struct row *row)
{
    int64_t ticks = threads_of(row)->life_ticks;
    return (struct column_value){ticks >= 0, ticks};
}

const struct column_info column_infos[COLUMN_KIND_COUNT] = {
    [COLUMN_SELF] = {"self", "self", "self_us", TYPE_SUM, NEEDS_NOTHING, true, self_of,
                     "time in the row itself, without callees", NULL},
    [COLUMN_SELF_PERCENT] = {"self%", "self%", "self_percent", TYPE_PERCENT, NEEDS_NOTHING, false,
                             self_of, "the same, as a share of the time shown", NULL},
    [COLUMN_SUM_PERCENT] = {"sum%", "sum%", "sum_percent", TYPE_PERCENT, NEEDS_NOTHING, false,
                            sum_of, "self% of this row and those above it", NULL},
    [COLUMN_TOTAL] = {"total", "total", "total_us", TYPE_SUM, NEEDS_NOTHING, true, total_of,
                      "time with callees", NULL},
    [COLUMN_TOTAL_PERCENT] = {"total%", "total%", "total_percent", TYPE_PERCENT, NEEDS_NOTHING,
                              false, total_of, "the same, as a share of the time shown", NULL},
    [COLUMN_CALLS] = {"calls", "calls", "calls", TYPE_COUNT, NEEDS_NOTHING, true, calls_of,
                      "number of calls", NULL},
    [COLUMN_AVERAGE] = {"avg", "self/call", "avg_us", TYPE_CALL, NEEDS_NOTHING, true, average_of,
                        "self time per call", NULL},
    [COLUMN_MIN] = {"min", "shortest", "min_us", TYPE_CALL, NEEDS_RECORDING, false, min_of,
                    "shortest call that returned, with callees; recordings only", NULL},
    [COLUMN_MEAN] = {"mean", "mean", "mean_us", TYPE_CALL, NEEDS_RECORDING, false, mean_of,
                     "mean of these calls; recordings only", NULL},
    [COLUMN_MAX] = {"max", "longest call", "max_us", TYPE_CALL, NEEDS_RECORDING, true, max_of,
                    "longest of these calls; recordings only", NULL},
    [COLUMN_ERRORS] = {"errors", "errors", "errors", TYPE_COUNT, NEEDS_RECORDING, true, errors_of,
                       "calls that an error ended; recordings only", NULL},
    [COLUMN_ALLOC] = {"heap", "heap KB", "alloc_kb", TYPE_COUNT, NEEDS_MEMORY, true, alloc_of,
                      "heap growth in KB; recordings with memory only", "alloc"},
    [COLUMN_NOISE] = {"noise", "noise", "noise_us", TYPE_CALL, NEEDS_RECORDING, false, noise_of,
                      "standard error of the self time; recordings only", NULL},
    [COLUMN_SELF_ERROR] = {"self+-", "+-%", "self_error_percent", TYPE_PERCENT, NEEDS_SAMPLES,
                           false, self_error_of, "standard error of self%; sampled recordings only",
                           NULL},
    [COLUMN_TOTAL_ERROR] = {"total+-", "+-%", "total_error_percent", TYPE_PERCENT, NEEDS_SAMPLES,
                            false, total_error_of,
                            "standard error of total%; sampled recordings only", NULL},
    [COLUMN_MAIN] = {"main", "main", "main", TYPE_FLAG, NEEDS_NOTHING, false, main_of,
                     "whether it ran on the main thread", NULL},
    [COLUMN_COROUTINE] = {"coroutine", "coroutine", "coroutine", TYPE_FLAG, NEEDS_NOTHING, false,
                          coroutine_of, "whether it ran in coroutines", NULL},
    [COLUMN_THREADS] = {"threads", "threads", "threads", TYPE_COUNT, NEEDS_THREADS, true,
                        thread_count_of, "threads that began with the function; with --threads",
                        NULL},
    [COLUMN_WAKES] = {"wakes", "wakes", "wakes", TYPE_COUNT, NEEDS_THREADS, true, wakes_of,
                      "how often they ran, from a resumption to the next; with --threads", NULL},
    [COLUMN_WAKE] = {"wake", "wake", "wake_us", TYPE_CALL, NEEDS_THREADS, true, wake_of,
                     "time of a wake that half of the wakes do not exceed; with --threads", NULL},
    [COLUMN_WAKE_99] = {"wake99", "99%", "wake_99_us", TYPE_CALL, NEEDS_THREADS, true, wake_99_of,
                        "time that 99% of the wakes do not exceed; with --threads", NULL},
    [COLUMN_POLLS] = {"polls", "polls", "polls", TYPE_COUNT, NEEDS_THREADS, true, polls_of,
                      "wakes that found nothing to do, as far as their calls tell; with --threads",
                      NULL},
    [COLUMN_POLL_TIME] = {"polltime", "polls", "polls_us", TYPE_SUM, NEEDS_THREADS, false,
                          poll_time_of, "time of these wakes; with --threads", NULL},
    [COLUMN_ENDED] = {"ended", "ended", "ended", TYPE_COUNT, NEEDS_THREADS, false, ended_of,
                      "threads whose end was seen; with --threads", NULL},
    [COLUMN_DIED] = {"died", "died", "died", TYPE_COUNT, NEEDS_THREADS, true, died_of,
                     "of these, the ones that an error ended; with --threads", NULL},
    [COLUMN_ONCE] = {"once", "once", "once", TYPE_COUNT, NEEDS_THREADS, false, once_of,
                     "threads that ended in their first wake; with --threads", NULL},
    [COLUMN_LIFE] = {"life", "life ticks", "life_ticks", TYPE_COUNT, NEEDS_THREADS, false, life_of,
                     "ticks from begin to end of a thread, the median; with --threads", NULL},
};

void columns_add(struct columns *columns, enum column_kind kind, enum column_aspect aspect)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->list[i].kind == kind && columns->list[i].aspect == aspect)
            return;
    columns->list[columns->count++] = (struct column){kind, aspect};
}

void columns_add_threads(struct columns *columns)
{
    for (int kind = COLUMN_THREADS; kind < COLUMN_KIND_COUNT; kind++)
        columns_add(columns, (enum column_kind)kind, ASPECT_NEW);
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

static bool refuse(struct span word, struct error *err)
{
    struct text words = {0};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        text_printf(&words, "%s%s", kind > 0 ? ", " : "", column_infos[kind].word);
    error_set(err, "invalid column '%.*s' for --columns (a list of: %s)", (int)word.length, word.at,
              text_string(&words));
    text_release(&words);
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
        return row->calls == 0 ? 0 : (double)row->self_ns / (double)row->calls;
    struct column_value value = column_infos[kind].value(row);
    return value.is_known ? (double)value.number : 0;
}

struct column_value column_value(struct column column, const struct row *row, const struct row *old)
{
    if (column.aspect == ASPECT_NEW || old == NULL)
        return column_infos[column.kind].value(row);
    struct column_value before = column_infos[column.kind].value(old);
    if (column.aspect == ASPECT_OLD)
        return before;
    struct column_value now = column_infos[column.kind].value(row);
    return (struct column_value){now.is_known && before.is_known, now.number - before.number};
}

bool columns_are_alike(enum column_kind kind, const struct row *row, const struct row *old)
{
    bool is_of_self = kind == COLUMN_SELF || kind == COLUMN_AVERAGE;
    return is_of_self && row->self_ns != old->self_ns && row_is_alike(row, old);
}

bool column_percent(enum column_kind kind, const struct row *row, const struct row *old,
                    double *percent)
{
    struct column_value before = column_infos[kind].value(old);
    struct column_value now = column_infos[kind].value(row);
    bool has_old = row_is_used(old) && row_is_used(row);
    if (columns_are_alike(kind, row, old))
        return false;
    if (!before.is_known || !now.is_known || before.number <= 0 || !has_old)
        return false;
    *percent = round(1000 * (double)(now.number - before.number) / (double)before.number) / 10;
    return true;
}
