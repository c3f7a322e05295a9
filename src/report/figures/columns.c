#include "report/figures/columns.h"

#include "base/number.h"
#include "base/text.h"

#include <assert.h>
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
    double noise_ns = row->is_sampled || old->is_sampled
                          ? hypot(row_noise_ns(row), row_noise_ns(old))
                          : call_details_difference_ns(&row->sum.details, &old->sum.details);
    double most_ns = 2 * noise_ns + subtracted_ns(row) + subtracted_ns(old);
    return rows_have_noise(row, old) && noise_ns > 0 &&
           fabs((double)(row->sum.self_ns - old->sum.self_ns)) <= most_ns;
}

/* The values of columns; column_of() asks for one only if the row has the data that it needs. */
static const struct column_value unknown;

static struct column_value known(int64_t number)
{
    return (struct column_value){true, number};
}

static struct column_value self_ns(const struct row *row)
{
    return known(row->sum.self_ns);
}

static struct column_value sum_ns(const struct row *row)
{
    return known(row->sum_ns);
}

static struct column_value total_ns(const struct row *row)
{
    return known(row->sum.total_ns);
}

static struct column_value calls(const struct row *row)
{
    return known((int64_t)row->sum.calls);
}

static struct column_value call_self_ns(const struct row *row)
{
    return known(llround(average_ns(row)));
}

static struct column_value shortest_ns(const struct row *row)
{
    return row->sum.details.finished > 0 ? known(row->sum.details.min_ns) : unknown;
}

static struct column_value mean_ns(const struct row *row)
{
    const struct call_details *details = &row->sum.details;
    return call_details_has_mean(details)
               ? known(llround((double)details->finished_ns / (double)details->finished))
               : unknown;
}

static struct column_value longest_ns(const struct row *row)
{
    return row->sum.details.finished > 0 ? known(row->sum.details.max_ns) : unknown;
}

/* Delins' profiler does not record errors, so without details there are none. */
static struct column_value errors(const struct row *row)
{
    return known((int64_t)row->sum.details.errors);
}

static struct column_value heap_kb(const struct row *row)
{
    return known((int64_t)row->sum.details.memory_kb);
}

static struct column_value noise_ns(const struct row *row)
{
    return row->sum.has_details ? known(number_nearest(row_noise_ns(row))) : unknown;
}

static struct column_value is_main(const struct row *row)
{
    return known((row->sum.flags & NODE_MAIN) != 0);
}

static struct column_value is_coroutine(const struct row *row)
{
    return known((row->sum.flags & NODE_COROUTINE) != 0);
}

static struct column_value self_error_ns(const struct row *row)
{
    return known(llround(row->self_error_ns));
}

static struct column_value total_error_ns(const struct row *row)
{
    return known(llround(row->total_error_ns));
}

static struct column_value line_runs(const struct row *row)
{
    return known((int64_t)row->line->runs);
}

static struct column_value line_self_ns(const struct row *row)
{
    return known(row->line->self_ns);
}

static struct column_value threads(const struct row *row)
{
    return known((int64_t)row->threads->threads);
}

static struct column_value wakes(const struct row *row)
{
    return known((int64_t)row->threads->wakes);
}

static struct column_value wake_ns(const struct row *row)
{
    return known(row->threads->median_ns);
}

static struct column_value wake_99_ns(const struct row *row)
{
    return known(row->threads->percentile_99_ns);
}

static struct column_value polls(const struct row *row)
{
    return row->threads->polls > 0 ? known((int64_t)row->threads->polls) : unknown;
}

static struct column_value poll_ns(const struct row *row)
{
    return row->threads->polls > 0 ? known(row->threads->poll_ns) : unknown;
}

static struct column_value ended(const struct row *row)
{
    return known((int64_t)row->threads->ended);
}

static struct column_value died(const struct row *row)
{
    return known((int64_t)row->threads->failed);
}

static struct column_value ended_at_once(const struct row *row)
{
    return known((int64_t)row->threads->once);
}

static struct column_value life_ticks(const struct row *row)
{
    return row->threads->life_ticks >= 0 ? known(row->threads->life_ticks) : unknown;
}

const struct column_info column_infos[] = {
    [COLUMN_SELF] = {"self",
                     "self",
                     "self_ns",
                     TYPE_SUM,
                     NEEDS_NOTHING,
                     "time in the row itself, without callees",
                     .is_sort_key = true,
                     .order = 2,
                     .of = self_ns},
    [COLUMN_SELF_PERCENT] = {"self%",
                             "self%",
                             "self_percent",
                             TYPE_PERCENT,
                             NEEDS_NOTHING,
                             "the same, as a share of the time shown",
                             .order = 6,
                             .may_be_unknown = true,
                             .of = self_ns},
    [COLUMN_SUM_PERCENT] = {"sum%",
                            "sum%",
                            "sum_percent",
                            TYPE_PERCENT,
                            NEEDS_NOTHING,
                            "self% of this row and those above it",
                            .may_be_unknown = true,
                            .of = sum_ns},
    [COLUMN_TOTAL] = {"total",
                      "total",
                      "total_ns",
                      TYPE_SUM,
                      NEEDS_NOTHING,
                      "time with callees",
                      .is_sort_key = true,
                      .order = 1,
                      .of = total_ns},
    [COLUMN_TOTAL_PERCENT] = {"total%",
                              "total%",
                              "total_percent",
                              TYPE_PERCENT,
                              NEEDS_NOTHING,
                              "the same, as a share of the time shown",
                              .order = 5,
                              .may_be_unknown = true,
                              .of = total_ns},
    [COLUMN_CALLS] = {"calls",
                      "calls",
                      "calls",
                      TYPE_COUNT,
                      NEEDS_NOTHING,
                      "number of calls",
                      .is_sort_key = true,
                      .order = 4,
                      .of = calls},
    [COLUMN_TICK_CALLS] = {"tickcalls",
                           "calls/tick",
                           "calls_per_tick",
                           TYPE_RATE,
                           NEEDS_RECORDING,
                           "calls in a tick, the mean; recordings only",
                           .may_be_unknown = true,
                           .of = calls},
    [COLUMN_AVERAGE] = {"avg",
                        "each",
                        "avg_ns",
                        TYPE_CALL,
                        NEEDS_NOTHING,
                        "self time per call",
                        .is_sort_key = true,
                        .order = 3,
                        .of = call_self_ns},
    [COLUMN_MIN] = {"min",
                    "shortest",
                    "min_ns",
                    TYPE_CALL,
                    NEEDS_RECORDING,
                    "shortest call that returned, with callees; recordings only",
                    .may_be_unknown = true,
                    .of = shortest_ns},
    [COLUMN_MEAN] = {"mean",
                     "mean",
                     "mean_ns",
                     TYPE_CALL,
                     NEEDS_RECORDING,
                     "mean call that returned, with callees; recordings only",
                     .may_be_unknown = true,
                     .of = mean_ns},
    [COLUMN_MAX] = {"max",
                    "longest call",
                    "max_ns",
                    TYPE_CALL,
                    NEEDS_RECORDING,
                    "longest call that returned, with callees; recordings only",
                    .is_sort_key = true,
                    .may_be_unknown = true,
                    .of = longest_ns},
    [COLUMN_ERRORS] = {"errors",
                       "errors",
                       "errors",
                       TYPE_COUNT,
                       NEEDS_RECORDING,
                       "calls that an error ended; recordings only",
                       .is_sort_key = true,
                       .none = "no call was ended by an error (--verbose has the log's errors)",
                       .of = errors},
    [COLUMN_ALLOC] = {"heap",
                      "heap KB",
                      "alloc_kb",
                      TYPE_COUNT,
                      NEEDS_MEMORY,
                      "heap growth in KB, kept or freed later; recordings with memory only",
                      .is_sort_key = true,
                      .alias = "alloc",
                      .none = "the heap did not grow",
                      .may_be_unknown = true,
                      .of = heap_kb},
    [COLUMN_NOISE] = {"noise",
                      "noise",
                      "noise_ns",
                      TYPE_CALL,
                      NEEDS_RECORDING,
                      "standard error of the self time; recordings only",
                      .may_be_unknown = true,
                      .of = noise_ns},
    [COLUMN_SELF_ERROR] = {"self+-",
                           "+-%",
                           "self_error_percent",
                           TYPE_PERCENT,
                           NEEDS_ERRORS,
                           "half of the 95% interval of self%; recordings only",
                           .may_be_unknown = true,
                           .of = self_error_ns},
    [COLUMN_TOTAL_ERROR] = {"total+-",
                            "+-%",
                            "total_error_percent",
                            TYPE_PERCENT,
                            NEEDS_ERRORS,
                            "half of the 95% interval of total%; recordings only",
                            .order = 1,
                            .may_be_unknown = true,
                            .of = total_error_ns},
    [COLUMN_MAIN] = {"main",
                     "main",
                     "main",
                     TYPE_FLAG,
                     NEEDS_NOTHING,
                     "whether it ran on the main thread",
                     .of = is_main},
    [COLUMN_COROUTINE] = {"coroutine",
                          "coroutine",
                          "coroutine",
                          TYPE_FLAG,
                          NEEDS_NOTHING,
                          "whether it ran in coroutines",
                          .of = is_coroutine},
    {"runs",
     "runs",
     "runs",
     TYPE_COUNT,
     NEEDS_LINES,
     "how often the line ran; with --by=line, recorded lines only",
     .is_sort_key = true,
     .may_be_unknown = true,
     .of = line_runs},
    {"lineself",
     "line self",
     "line_self_ns",
     TYPE_SUM,
     NEEDS_LINES,
     "time in the line itself; with --by=line, recorded lines only",
     .is_sort_key = true,
     .may_be_unknown = true,
     .of = line_self_ns},
    {"threads",
     "threads",
     "threads",
     TYPE_COUNT,
     NEEDS_THREADS,
     "threads that began with the function; with --threads",
     .is_sort_key = true,
     .order = 9,
     .of = threads},
    {"wakes",
     "wakes",
     "wakes",
     TYPE_COUNT,
     NEEDS_THREADS,
     "how often they ran, each time until they waited; with --threads",
     .is_sort_key = true,
     .of = wakes},
    {"wake",
     "wake",
     "wake_ns",
     TYPE_CALL,
     NEEDS_THREADS,
     "time of a wake, the median; with --threads",
     .is_sort_key = true,
     .order = 8,
     .of = wake_ns},
    {"wake99",
     "99%",
     "wake_99_ns",
     TYPE_CALL,
     NEEDS_THREADS,
     "time that 99% of the wakes do not exceed; with --threads",
     .is_sort_key = true,
     .order = 5,
     .of = wake_99_ns},
    {"polls",
     "polls",
     "polls",
     TYPE_COUNT,
     NEEDS_THREADS,
     "wakes with the usual number of calls, if half are such; with --threads",
     .is_sort_key = true,
     .none = "no thread makes the same few calls in half of its wakes",
     .may_be_unknown = true,
     .order = 7,
     .of = polls},
    {"polltime",
     "polls",
     "polls_ns",
     TYPE_SUM,
     NEEDS_THREADS,
     "time of the polls; with --threads",
     .may_be_unknown = true,
     .order = 6,
     .of = poll_ns},
    {"ended",
     "ended",
     "ended",
     TYPE_COUNT,
     NEEDS_THREADS,
     "threads whose end was seen; with --threads",
     .order = 3,
     .of = ended},
    {"died",
     "died",
     "died",
     TYPE_COUNT,
     NEEDS_THREADS,
     "threads that an error ended; with --threads",
     .is_sort_key = true,
     .none = "no thread was ended by an error",
     .order = 4,
     .of = died},
    {"once",
     "once",
     "once",
     TYPE_COUNT,
     NEEDS_THREADS,
     "threads that ended in their first wake; with --threads",
     .order = 2,
     .of = ended_at_once},
    {"life",
     "life ticks",
     "life_ticks",
     TYPE_COUNT,
     NEEDS_THREADS,
     "ticks from begin to end of a thread, the median; with --threads",
     .may_be_unknown = true,
     .order = 1,
     .of = life_ticks},
};

const int column_count = sizeof column_infos / sizeof column_infos[0];
static_assert(sizeof column_infos / sizeof column_infos[0] <= COLUMNS_MAX, "see columns.h");

/* The usual columns in their order, by their words. */
static const char *const usual[] = {
    [LIST_PEOPLE] = "self%,self+-,total%,total+-,self,total,calls,lineself,runs",
    [LIST_PEOPLE_THREADS] = "total,threads,wakes,wake,wake99,polls,polltime,ended,died,once,life",
    [LIST_CSV] = "calls,errors,self,total,min,mean,max,heap,noise,lineself,runs,threads,wakes,wake,"
                 "wake99,polls,polltime,ended,died,once,life,self+-,total+-",
    [LIST_CSV_STACKS] = "calls,self,total,main,coroutine,errors,min,mean,max,heap,noise,"
                        "self+-,total+-",
    [LIST_PAGE] = "self+-,total+-,lineself,runs",
};

/* Whether the row has what a column needs. Errors and times of calls are 0 without a recording. */
static bool has_data(const struct row *row, enum column_needs needs)
{
    switch (needs) {
    case NEEDS_MEMORY:
        return row->sum.has_details;
    case NEEDS_THREADS:
        return row->threads != NULL;
    case NEEDS_ERRORS:
        return row->has_errors;
    case NEEDS_LINES:
        return row->line != NULL;
    case NEEDS_RECORDING:
    case NEEDS_SAMPLES:
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

struct column_value column_of(enum column_kind kind, const struct row *row)
{
    const struct column_info *info = &column_infos[kind];
    return has_data(row, info->needs) ? info->of(row) : unknown;
}

const struct aspect_info aspect_infos[ASPECT_COUNT] = {
    [ASPECT_NEW] = {"new_", "", NULL, "new", .key = "median"},
    [ASPECT_OLD] = {"old_", "", NULL, "old", .key = "median"},
    [ASPECT_DIFFERENCE] = {"diff_", "", .is_change = true},
    [ASPECT_PERCENT] = {"diff_", "_percent", "diff%", .has_no_unit = true, .is_percent = true},
    [ASPECT_BOTH] = {"", .suffix = ""},
    [ASPECT_NEW_SPREAD] = {"new_", "_spread", "±", "new", .key = "spread"},
    [ASPECT_NEW_MIN] = {"new_", "_min", "min", "new", .key = "min"},
    [ASPECT_NEW_MAX] = {"new_", "_max", "max", "new", .key = "max"},
    [ASPECT_OLD_SPREAD] = {"old_", "_spread", "±", "old", .key = "spread"},
    [ASPECT_OLD_MIN] = {"old_", "_min", "min", "old", .key = "min"},
    [ASPECT_OLD_MAX] = {"old_", "_max", "max", "old", .key = "max"},
    [ASPECT_SHIFT] = {"diff_", "", "change", "change", "estimate", .is_change = true},
    [ASPECT_SHIFT_LOW] = {"diff_", "_low", "from", "change", "low", .is_change = true},
    [ASPECT_SHIFT_HIGH] = {"diff_", "_high", "to", "change", "high", .is_change = true},
    [ASPECT_SHIFT_PERCENT] = {"diff_",
                              "_percent",
                              "change%",
                              "change",
                              "percent",
                              .has_no_unit = true,
                              .is_percent = true},
    [ASPECT_P] = {"", "_p", "p", "change", "p", .has_no_unit = true},
    [ASPECT_IS_EXACT] = {"", "_exact", "exact", "change", "exact", .has_no_unit = true},
    [ASPECT_TOLD_APART] =
        {"", "_told_apart", "told apart", "change", "told_apart", .has_no_unit = true},
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
    if (kind == COLUMN_NOISE || column_infos[kind].needs == NEEDS_ERRORS)
        return;
    columns_add(columns, kind, ASPECT_DIFFERENCE);
    /* For a percentage the difference is enough. */
    if (column_infos[kind].type != TYPE_PERCENT)
        columns_add(columns, kind, ASPECT_PERCENT);
}

static bool refuse(struct span word, struct error *err)
{
    SCOPED(text) words = {0};
    for (int kind = 0; kind < column_count; kind++)
        text_printf(&words, "%s%s", kind > 0 ? ", " : "", column_infos[kind].word);
    error_set_code(err,
                   "--columns",
                   "invalid column '%.*s' for --columns (a list of: %s)",
                   (int)word.length,
                   word.at,
                   text_string(&words));
    return false;
}

/* Returns the column of a word, or column_count. */
static enum column_kind find_column(struct span word)
{
    int kind = 0;
    while (kind < column_count && !span_is(word, column_infos[kind].word) &&
           (column_infos[kind].alias == NULL || !span_is(word, column_infos[kind].alias)))
        kind++;
    return (enum column_kind)kind;
}

void columns_add_usual(struct columns *columns, enum column_list list, unsigned has,
                       bool is_compared)
{
    const unsigned ASKED = 1u << NEEDS_LINES | 1u << NEEDS_THREADS | 1u << NEEDS_ERRORS;
    for (struct span words = span_of(usual[list]); words.length > 0;) {
        enum column_kind kind = find_column(span_take(&words, ','));
        assert((int)kind < column_count);
        if ((1u << column_infos[kind].needs & ASKED & ~has) != 0)
            continue;
        if (is_compared)
            columns_add_compared(columns, kind);
        else
            columns_add(columns, kind, ASPECT_NEW);
    }
}

bool columns_parse(struct columns *columns, const char *words, struct error *err)
{
    *columns = (struct columns){0};
    for (const char *at = words;; at++) {
        struct span word = {at, strcspn(at, ",")};
        enum column_kind kind = find_column(word);
        if ((int)kind == column_count)
            return refuse(word, err);
        size_t count = columns->count;
        columns_add(columns, kind, ASPECT_NEW);
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
    return (double)column_of(kind, row).number;
}

struct column_value column_value(struct column column, const struct row *row, const struct row *old)
{
    if (column.aspect == ASPECT_NEW || old == NULL)
        return column_of(column.kind, row);
    struct column_value before = column_of(column.kind, old);
    if (column.aspect == ASPECT_OLD)
        return before;
    struct column_value now = column_of(column.kind, row);
    return now.is_known && before.is_known ? known(now.number - before.number) : unknown;
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
