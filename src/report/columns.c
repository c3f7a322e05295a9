#include "report/columns.h"

#include <math.h>
#include <string.h>

struct column_info {
    const char *word, *title, *name;
    enum column_type type;
    const char *text; /* for --help and the manual */
};

static const struct column_info infos[COLUMN_KIND_COUNT] = {
    [COLUMN_SELF] = {"self", "self", "self_us", TYPE_SUM,
                     "time in the row itself, without callees"},
    [COLUMN_SELF_PERCENT] = {"self%", "self%", "self_percent", TYPE_PERCENT,
                             "the same, as a share of the time shown"},
    [COLUMN_SUM_PERCENT] = {"sum%", "sum%", "sum_percent", TYPE_PERCENT,
                            "self% of this row and those above it"},
    [COLUMN_TOTAL] = {"total", "total", "total_us", TYPE_SUM, "time with callees"},
    [COLUMN_TOTAL_PERCENT] = {"total%", "total%", "total_percent", TYPE_PERCENT,
                              "the same, as a share of the time shown"},
    [COLUMN_CALLS] = {"calls", "calls", "calls", TYPE_COUNT, "number of calls"},
    [COLUMN_AVERAGE] = {"avg", "self/call", "avg_us", TYPE_CALL, "self time per call"},
    [COLUMN_MIN] = {"min", "shortest", "min_us", TYPE_CALL,
                    "shortest call that returned, with callees; recordings only"},
    [COLUMN_MEAN] = {"mean", "mean", "mean_us", TYPE_CALL, "mean of these calls; recordings only"},
    [COLUMN_MAX] = {"max", "longest call", "max_us", TYPE_CALL,
                    "longest of these calls; recordings only"},
    [COLUMN_ERRORS] = {"errors", "errors", "errors", TYPE_COUNT,
                       "calls that an error ended; recordings only"},
    [COLUMN_ALLOC] = {"alloc", "KB", "alloc_kb", TYPE_COUNT,
                      "memory growth in KB; recordings with memory only"},
    [COLUMN_NOISE] = {"noise", "noise", "noise_us", TYPE_CALL,
                      "standard error of the self time; recordings only"},
    [COLUMN_MAIN] = {"main", "main", "main", TYPE_FLAG, "whether it ran on the main thread"},
    [COLUMN_COROUTINE] = {"coroutine", "coroutine", "coroutine", TYPE_FLAG,
                          "whether it ran in coroutines"},
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
    if (kind == COLUMN_NOISE)
        return;
    columns_add(columns, kind, ASPECT_DIFFERENCE);
    /* Of a percentage the difference says it all. */
    if (infos[kind].type != TYPE_PERCENT)
        columns_add(columns, kind, ASPECT_PERCENT);
}

static bool refuse(const char *word, size_t length, struct error *err)
{
    struct text words = {0};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
        text_put_string(&words, kind > 0 ? ", " : "");
        text_put_string(&words, infos[kind].word);
    }
    error_set(err, "invalid column '%.*s' for --columns (a list of: %.*s)", (int)length, word,
              (int)words.length, words.at);
    text_release(&words);
    return false;
}

bool columns_parse(struct columns *columns, const char *words, struct error *err)
{
    *columns = (struct columns){0};
    for (const char *word = words;; word++) {
        size_t length = strcspn(word, ",");
        int kind = 0;
        while (kind < COLUMN_KIND_COUNT &&
               (strlen(infos[kind].word) != length || memcmp(infos[kind].word, word, length) != 0))
            kind++;
        if (kind == COLUMN_KIND_COUNT)
            return refuse(word, length, err);
        size_t count = columns->count;
        columns_add(columns, (enum column_kind)kind, ASPECT_NEW);
        if (columns->count == count)
            return error_set(err, "--columns names '%s' twice", infos[kind].word);
        word += length;
        if (*word == '\0')
            return true;
    }
}

const char *column_word(enum column_kind kind)
{
    return infos[kind].word;
}

const char *column_text(enum column_kind kind)
{
    return infos[kind].text;
}

enum column_type column_type(enum column_kind kind)
{
    return infos[kind].type;
}

const char *column_title(enum column_kind kind)
{
    return infos[kind].title;
}

const char *column_name(enum column_kind kind)
{
    return infos[kind].name;
}

static struct column_value known(int64_t number)
{
    return (struct column_value){true, number};
}

static struct column_value value_of(enum column_kind kind, const struct row *row, int64_t sum_ns)
{
    const struct call_details *details = row_details(row);
    bool has_finished = details->finished > 0;
    switch (kind) {
    case COLUMN_SELF:
    case COLUMN_SELF_PERCENT:
        return known(row->self_ns);
    case COLUMN_SUM_PERCENT:
        return known(sum_ns);
    case COLUMN_TOTAL:
    case COLUMN_TOTAL_PERCENT:
        return known(row->total_ns);
    case COLUMN_CALLS:
        return known((int64_t)row->calls);
    case COLUMN_AVERAGE:
        return known(row_average_ns(row));
    case COLUMN_MIN:
        return (struct column_value){has_finished, details->min_ns};
    case COLUMN_MEAN:
        return (struct column_value){
            has_finished,
            has_finished ? llround((double)details->finished_ns / (double)details->finished) : 0};
    case COLUMN_MAX:
        return (struct column_value){has_finished, details->max_ns};
    case COLUMN_ERRORS:
        /* Delins' profiler does not notice errors. */
        return known((int64_t)details->errors);
    case COLUMN_ALLOC:
        return (struct column_value){row->details != NULL, (int64_t)details->memory_kb};
    case COLUMN_NOISE:
        return (struct column_value){row->details != NULL, llround(row_noise_ns(row))};
    case COLUMN_MAIN:
        return known((row->flags & NODE_MAIN) != 0);
    case COLUMN_COROUTINE:
        return known((row->flags & NODE_COROUTINE) != 0);
    case COLUMN_KIND_COUNT:
        break;
    }
    return (struct column_value){0};
}

struct column_value column_value(struct column column, const struct row *row, const struct row *old,
                                 int64_t sum_ns)
{
    if (column.aspect == ASPECT_NEW || old == NULL)
        return value_of(column.kind, row, sum_ns);
    struct column_value before = value_of(column.kind, old, sum_ns);
    if (column.aspect == ASPECT_OLD)
        return before;
    struct column_value now = value_of(column.kind, row, sum_ns);
    return (struct column_value){now.is_known && before.is_known, now.number - before.number};
}

bool column_percent(enum column_kind kind, const struct row *row, const struct row *old,
                    double *percent)
{
    struct column_value before = value_of(kind, old, 0);
    struct column_value now = value_of(kind, row, 0);
    bool has_old = row_is_used(old) && row_is_used(row);
    if (!before.is_known || !now.is_known || before.number <= 0 || !has_old)
        return false;
    *percent = round(1000 * (double)(now.number - before.number) / (double)before.number) / 10;
    return true;
}
