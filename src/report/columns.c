#include "report/columns.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

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

static struct column_value main_of(const struct row *row)
{
    return known((row->flags & NODE_MAIN) != 0);
}

static struct column_value coroutine_of(const struct row *row)
{
    return known((row->flags & NODE_COROUTINE) != 0);
}

const struct column_info column_infos[COLUMN_KIND_COUNT] = {
    [COLUMN_SELF] = {.word = "self",
                     .title = "self",
                     .name = "self_us",
                     .type = TYPE_SUM,
                     .text = "time in the row itself, without callees",
                     .value = self_of,
                     .is_sort_key = true},
    [COLUMN_SELF_PERCENT] = {.word = "self%",
                             .title = "self%",
                             .name = "self_percent",
                             .type = TYPE_PERCENT,
                             .text = "the same, as a share of the time shown",
                             .value = self_of},
    [COLUMN_SUM_PERCENT] = {.word = "sum%",
                            .title = "sum%",
                            .name = "sum_percent",
                            .type = TYPE_PERCENT,
                            .text = "self% of this row and those above it",
                            .value = sum_of},
    [COLUMN_TOTAL] = {.word = "total",
                      .title = "total",
                      .name = "total_us",
                      .type = TYPE_SUM,
                      .text = "time with callees",
                      .value = total_of,
                      .is_sort_key = true},
    [COLUMN_TOTAL_PERCENT] = {.word = "total%",
                              .title = "total%",
                              .name = "total_percent",
                              .type = TYPE_PERCENT,
                              .text = "the same, as a share of the time shown",
                              .value = total_of},
    [COLUMN_CALLS] = {.word = "calls",
                      .title = "calls",
                      .name = "calls",
                      .type = TYPE_COUNT,
                      .text = "number of calls",
                      .value = calls_of,
                      .is_sort_key = true},
    [COLUMN_AVERAGE] = {.word = "avg",
                        .title = "self/call",
                        .name = "avg_us",
                        .type = TYPE_CALL,
                        .text = "self time per call",
                        .value = average_of,
                        .is_sort_key = true},
    [COLUMN_MIN] = {.word = "min",
                    .title = "shortest",
                    .name = "min_us",
                    .type = TYPE_CALL,
                    .text = "shortest call that returned, with callees; recordings only",
                    .value = min_of,
                    .needs = NEEDS_RECORDING},
    [COLUMN_MEAN] = {.word = "mean",
                     .title = "mean",
                     .name = "mean_us",
                     .type = TYPE_CALL,
                     .text = "mean of these calls; recordings only",
                     .value = mean_of,
                     .needs = NEEDS_RECORDING},
    [COLUMN_MAX] = {.word = "max",
                    .title = "longest call",
                    .name = "max_us",
                    .type = TYPE_CALL,
                    .text = "longest of these calls; recordings only",
                    .value = max_of,
                    .is_sort_key = true,
                    .needs = NEEDS_RECORDING},
    [COLUMN_ERRORS] = {.word = "errors",
                       .title = "errors",
                       .name = "errors",
                       .type = TYPE_COUNT,
                       .text = "calls that an error ended; recordings only",
                       .value = errors_of,
                       .is_sort_key = true,
                       .needs = NEEDS_RECORDING},
    [COLUMN_ALLOC] = {.word = "heap",
                      .alias = "alloc",
                      .title = "heap KB",
                      .name = "alloc_kb",
                      .type = TYPE_COUNT,
                      .text = "heap growth in KB; recordings with memory only",
                      .value = alloc_of,
                      .is_sort_key = true,
                      .needs = NEEDS_MEMORY},
    [COLUMN_NOISE] = {.word = "noise",
                      .title = "noise",
                      .name = "noise_us",
                      .type = TYPE_CALL,
                      .text = "standard error of the self time; recordings only",
                      .value = noise_of,
                      .needs = NEEDS_RECORDING},
    [COLUMN_MAIN] = {.word = "main",
                     .title = "main",
                     .name = "main",
                     .type = TYPE_FLAG,
                     .text = "whether it ran on the main thread",
                     .value = main_of},
    [COLUMN_COROUTINE] = {.word = "coroutine",
                          .title = "coroutine",
                          .name = "coroutine",
                          .type = TYPE_FLAG,
                          .text = "whether it ran in coroutines",
                          .value = coroutine_of},
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
    /* For a percentage the difference is enough. */
    if (column_infos[kind].type != TYPE_PERCENT)
        columns_add(columns, kind, ASPECT_PERCENT);
}

static bool refuse(const char *word, size_t length, struct error *err)
{
    struct text words = {0};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
        text_printf(&words, "%s%s", kind > 0 ? ", " : "", column_infos[kind].word);
    }
    error_set(err, "invalid column '%.*s' for --columns (a list of: %.*s)", (int)length, word,
              (int)words.length, words.at);
    text_release(&words);
    return false;
}

static bool is_word(const char *known, const char *word, size_t length)
{
    return known != NULL && strlen(known) == length && memcmp(known, word, length) == 0;
}

bool column_is_called(enum column_kind kind, const char *word, size_t length)
{
    return is_word(column_infos[kind].word, word, length) ||
           is_word(column_infos[kind].alias, word, length);
}

bool columns_parse(struct columns *columns, const char *words, struct error *err)
{
    *columns = (struct columns){0};
    for (const char *word = words;; word++) {
        size_t length = strcspn(word, ",");
        int kind = 0;
        while (kind < COLUMN_KIND_COUNT && !column_is_called((enum column_kind)kind, word, length))
            kind++;
        if (kind == COLUMN_KIND_COUNT)
            return refuse(word, length, err);
        size_t count = columns->count;
        columns_add(columns, (enum column_kind)kind, ASPECT_NEW);
        if (columns->count == count)
            return error_set(err, "--columns names '%s' twice", column_infos[kind].word);
        word += length;
        if (*word == '\0')
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
