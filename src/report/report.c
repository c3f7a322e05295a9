#include "report/report.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct report_format *const report_formats[] = {&report_top,
                                                      &report_ticks,
                                                      &report_peek,
                                                      &report_folded,
                                                      &report_csv,
                                                      &report_ticks_csv,
                                                      &report_speedscope,
                                                      &report_pprof,
                                                      &report_pprof_raw,
                                                      &report_callgrind,
                                                      &report_svg,
                                                      &report_html,
                                                      &report_trace,
                                                      &report_cpuprofile,
                                                      &report_json,
                                                      &report_markdown,
                                                      NULL};

const struct report_format *report_by_name(const char *name)
{
    for (size_t i = 0; report_formats[i] != NULL; i++)
        if (strcmp(report_formats[i]->name, name) == 0)
            return report_formats[i];
    return NULL;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t path_length = strlen(path);
    size_t length = strlen(suffix);
    return path_length > length && strcasecmp(path + path_length - length, suffix) == 0;
}

static bool has_prefix(const char *path, const char *prefix)
{
    return prefix != NULL && strncasecmp(output_name(path), prefix, strlen(prefix)) == 0;
}

const struct report_format *report_by_path(const char *path)
{
    const struct report_format *found = NULL;
    size_t length = 0;
    for (size_t i = 0; report_formats[i] != NULL; i++)
        if (has_prefix(path, report_formats[i]->prefix))
            return report_formats[i];
    for (size_t i = 0; report_formats[i] != NULL; i++)
        for (size_t k = 0; report_formats[i]->suffixes[k] != NULL; k++) {
            const char *suffix = report_formats[i]->suffixes[k];
            /* Such as trace.json and ticks.csv. */
            bool is_named_so =
                strchr(suffix + 1, '.') != NULL && strcasecmp(output_name(path), suffix + 1) == 0;
            if ((is_named_so || has_suffix(path, suffix)) && strlen(suffix) > length) {
                found = report_formats[i];
                length = strlen(suffix);
            }
        }
    return found;
}

const struct report_format *report_by_suffix(const char *suffix)
{
    if (report_by_name(suffix) != NULL)
        return NULL;
    for (size_t i = 0; report_formats[i] != NULL; i++)
        for (size_t k = 0; report_formats[i]->suffixes[k] != NULL; k++)
            if (strcmp(report_formats[i]->suffixes[k] + 1, suffix) == 0)
                return report_formats[i];
    return NULL;
}

void report_put_suffixes(struct text *text, const struct report_format *format, const char *between)
{
    for (size_t i = 0; format->suffixes[i] != NULL; i++) {
        text_printf(text, "%s%s", i > 0 ? between : "", format->suffixes[i]);
    }
    if (format->prefix != NULL)
        text_printf(text, "%s%s*", between, format->prefix);
}

int64_t report_unit_ns(enum report_unit unit)
{
    static const int64_t ns[] = {[UNIT_AUTO] = 1,
                                 [UNIT_NS] = 1,
                                 [UNIT_US] = 1000,
                                 [UNIT_MS] = 1000000,
                                 [UNIT_S] = 1000000000};
    return ns[unit];
}

const char *report_unit_name(enum report_unit unit)
{
    static const char *const names[] = {
        [UNIT_AUTO] = "", [UNIT_NS] = "ns", [UNIT_US] = "us", [UNIT_MS] = "ms", [UNIT_S] = "s"};
    return names[unit];
}

enum report_unit report_unit_for(int64_t ns)
{
    return ns >= 1000000000 ? UNIT_S : ns >= 1000000 ? UNIT_MS : UNIT_US;
}

int report_decimals(enum report_unit unit)
{
    static const int decimals[] = {[UNIT_NS] = 0, [UNIT_US] = 1, [UNIT_MS] = 3, [UNIT_S] = 4};
    return decimals[unit];
}

void report_put_percent(struct text *text, int64_t ns, int64_t all_ns)
{
    char digits[32];
    double percent = all_ns == 0 ? 0 : 100.0 * (double)ns / (double)all_ns;
    /* No "-0.00". */
    if (fabs(percent) < 0.005)
        percent = 0;
    int length = snprintf(digits, sizeof digits, "%.2f", percent);
    text_put(text, digits, (size_t)length);
}

void report_put_count(struct text *text, uint64_t count, const char *one, const char *many)
{
    text_put_grouped(text, count);
    text_printf(text, " %s", count == 1 ? one : many);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals,
                     void (*put_whole)(struct text *text, uint64_t whole))
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    uint64_t quantum = (uint64_t)report_unit_ns(unit);
    uint64_t base = 1;
    for (int i = 0; i < decimals && quantum >= 10; i++) {
        quantum /= 10;
        base *= 10;
    }
    uint64_t count = size / quantum + (quantum > 1 && size % quantum >= quantum / 2);
    if (ns < 0 && count > 0)
        text_put_string(text, "-");
    put_whole(text, count / base);
    if (base == 1)
        return;
    /* A leading 1, which becomes the point, keeps the zeros after it. */
    size_t point = text->length;
    text_put_count(text, base + count % base);
    text->at[point] = '.';
}

void report_put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    put_time(text, ns, unit, decimals, text_put_count);
}

void report_put_grouped_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    put_time(text, ns, unit, decimals, text_put_grouped);
}

/*
 * The largest rounding error of a log line's time: delins' profiler adds up its calls as floats
 * of 24 bits, and each addition rounds.
 */
static double rounding_ns(const struct tree *tree, uint32_t node)
{
    enum { CALLS_MAX = 1 << 14 }; /* the errors of more cancel out */
    uint64_t calls = tree->call_counts[node] + 1;
    double share = (double)(calls < CALLS_MAX ? calls : CALLS_MAX) / (1 << 24);
    return fabs((double)tree->total_ns[node]) * share + 1;
}

/* A self time is the difference between a line's time and the times below it. */
static void sum_up_negative(struct report_totals *totals, const struct tree *tree)
{
    double *unsure_ns = mem_zeroed(tree->node_count, sizeof *unsure_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        unsure_ns[node] += rounding_ns(tree, node);
        unsure_ns[tree->calls[node].parent] += rounding_ns(tree, node);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool is_explained = (double)-tree->self_ns[node] <= unsure_ns[node];
        totals->negative_count += !is_explained;
        totals->negative_ns += is_explained ? 0 : tree->self_ns[node];
    }
    free(unsure_ns);
}

struct report_totals report_sum_up(const struct tree *tree, const struct symbols *symbols)
{
    struct report_totals totals = {0};
    bool has_negative = false;
    int64_t of_threads_ns[(NODE_MAIN | NODE_COROUTINE) + 1] = {0};
    struct sum {
        bool is_used;
        int64_t self_ns;
    } *sums = mem_zeroed(symbols->function_count, sizeof *sums);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct sum *sum = &sums[tree->calls[node].function];
        int64_t self_ns = tree->self_ns[node];
        totals.stacks += (tree->flags[node] & NODE_SEEN) != 0;
        totals.calls += tree->call_counts[node];
        of_threads_ns[tree->flags[node] & (NODE_MAIN | NODE_COROUTINE)] += self_ns;
        sum->is_used = true;
        sum->self_ns += self_ns;
        has_negative |= self_ns < 0;
    }
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        totals.functions += sums[i].is_used;
        totals.c_ns += sums[i].is_used && symbols_is_c(symbols, i) ? sums[i].self_ns : 0;
    }
    totals.main_ns = of_threads_ns[NODE_MAIN];
    totals.coroutine_ns = of_threads_ns[NODE_COROUTINE];
    totals.both_ns = of_threads_ns[0] + of_threads_ns[NODE_MAIN | NODE_COROUTINE];
    free(sums);
    if (has_negative)
        sum_up_negative(&totals, tree);
    return totals;
}

int64_t report_value(const struct tree *tree, uint32_t node, enum report_metric metric)
{
    switch (metric) {
    case METRIC_CALLS:
        return (int64_t)tree->call_counts[node];
    case METRIC_ERRORS:
        return tree->details == NULL ? 0 : (int64_t)tree->details[node].errors;
    case METRIC_ALLOC:
        return tree->details == NULL ? 0 : (int64_t)tree->details[node].memory_kb;
    case METRIC_TIME:
        break;
    }
    return tree->self_ns[node];
}

struct report_result report_stacks_result(const struct report *report)
{
    return (struct report_result){.count = report->totals.stacks, .one = "stack", .many = "stacks"};
}

struct report_result report_viewer_result(const struct report *report, const struct viewer *viewer)
{
    struct report_result result = report_stacks_result(report);
    result.clamped_ns = viewer->clamped_ns;
    result.truncated_count = viewer->truncated_count;
    return result;
}

bool report_is_reduced(const struct report *report)
{
    const struct selection *selection = report->selection;
    return selection->filters.count > 0 || selection->folds_recursion || selection->depth_max > 0 ||
           selection->min_percent > 0;
}

const struct listed_stacks *report_listed(const struct report *report)
{
    return report->call_sites ? report->line_stacks : report->stacks;
}

void report_make_table(const struct report *report, struct table *table, bool joins_recorder)
{
    const struct tree *tree = report->tree;
    const struct tree *old_tree = report->old != NULL ? report->old->tree : NULL;
    if (report->by == BY_STACK) {
        tree = report_listed(report)->tree;
        old_tree = report_listed(report)->old_tree;
    }
    if (old_tree == NULL)
        table_init(table, report->by, report->sort, tree, report->labels, joins_recorder);
    else
        table_compare(table, report->by, report->sort, tree, old_tree, report->old->scales_calls,
                      report->labels, joins_recorder);
}
