#include "report/html/html_data.h"

#include "base/json.h"
#include "base/mem.h"
#include "report/findings.h"
#include "report/text/report_recording.h"
#include "report/text/report_summary.h"
#include "tree/fold.h"
#include "tree/tree_builder.h"
#include "tree/tree_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_VERSION = 1 };

/* The trees as they are written: without nodes that are too small. */
struct trees {
    struct tree now, old;
    bool is_compared;
    struct tree_links links; /* of both: they have the same nodes */
};

struct writing {
    struct text *json;
    const struct report *report;
    struct trees trees;
    uint32_t *order;     /* [node_count - 1]: nodes, as they are written */
    uint32_t *functions; /* [function_count]: ids of symbols.h, as they are written */
    uint32_t *number_of; /* [symbols' function_count]: index of `functions` */
    uint32_t function_count;
    uint32_t folded;    /* id in symbols.h */
    uint32_t bin_ticks; /* see html_data_put() */
};

/* The pieces of JSON ----------------------------------------------------------------------- */

static void put_key(struct text *json, const char *key)
{
    char last = json->length > 0 ? json->at[json->length - 1] : '\0';
    if (last != '{')
        text_put_string(json, ",");
    text_printf(json, "\"%s\":", key);
}

static void put_comma(struct text *json)
{
    if (json->at[json->length - 1] != '[')
        text_put_string(json, ",");
}

static void put_string(struct text *json, const char *key, const char *string)
{
    struct text clean = {0};
    put_key(json, key);
    text_put_clean(&clean, (struct span){string, strlen(string)}, false);
    json_put_string(json, text_span(&clean));
    text_release(&clean);
}

static void put_number(struct text *json, const char *key, int64_t number)
{
    put_key(json, key);
    text_put_number(json, number);
}

/* Puts lines of text into an array. A line that begins with blanks continues the last one. */
static void put_lines(struct text *json, const char *key, struct span lines)
{
    struct text line = {0};
    put_key(json, key);
    text_put_string(json, "[");
    for (size_t i = 0; i < lines.length; i++) {
        bool is_end = lines.at[i] == '\n';
        bool goes_on = is_end && i + 1 < lines.length && lines.at[i + 1] == ' ';
        bool is_blank = lines.at[i] == ' ' && line.length > 0 && line.at[line.length - 1] == ' ';
        if (goes_on)
            text_put_string(&line, " ");
        else if (!is_end && !is_blank)
            text_put(&line, lines.at + i, 1);
        if (!is_end || goes_on)
            continue;
        put_comma(json);
        json_put_string(json, text_span(&line));
        line.length = 0;
    }
    text_put_string(json, "]");
    text_release(&line);
}

/* A column of numbers from `number_at`; nothing if all are 0. */
static void put_column(struct writing *writing, const char *key, uint32_t count,
                       int64_t (*number_at)(const struct writing *writing, uint32_t index))
{
    uint32_t index = 0;
    while (index < count && number_at(writing, index) == 0)
        index++;
    if (index == count)
        return;
    put_key(writing->json, key);
    text_put_string(writing->json, "[");
    for (index = 0; index < count; index++) {
        text_put_string(writing->json, index > 0 ? "," : "");
        text_put_number(writing->json, number_at(writing, index));
    }
    text_put_string(writing->json, "]");
}

/* Functions -------------------------------------------------------------------------------- */

struct ranked {
    uint32_t rank, function;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left;
    const struct ranked *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The function for time without a caller: see selection_add_folded(). */
static uint32_t find_folded(const struct symbols *symbols)
{
    static const char source[] = "=(folded)";
    uint32_t text = intern_find(&symbols->strings, source, sizeof source - 1);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        if (symbols->functions[i].source == text && symbols->functions[i].line < 0)
            return i;
    return TREE_NONE;
}

/* Numbers the functions of the tree, and "(folded)", in the order of their labels. */
static void number_functions(struct writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    const struct labels *labels = writing->report->labels;
    uint32_t count = writing->report->profile->symbols.function_count;
    bool *is_used = mem_zeroed(count, sizeof *is_used);
    struct ranked *ranked = mem_zeroed(count, sizeof *ranked);
    writing->functions = mem_zeroed(count, sizeof *writing->functions);
    writing->number_of = mem_zeroed(count, sizeof *writing->number_of);
    writing->folded = find_folded(&writing->report->profile->symbols);
    if (writing->folded != TREE_NONE)
        is_used[writing->folded] = true;
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_used[tree->calls[node].function] = true;
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){labels->labels[i].rank, i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_used[ranked[i].function])
            continue;
        writing->number_of[ranked[i].function] = writing->function_count;
        writing->functions[writing->function_count++] = ranked[i].function;
    }
    free(is_used);
    free(ranked);
}

static const struct label *label_at(const struct writing *writing, uint32_t index)
{
    return &writing->report->labels->labels[writing->functions[index]];
}

static uint32_t name_at(const struct writing *writing, uint32_t index)
{
    return label_at(writing, index)->name;
}

static uint32_t full_label_at(const struct writing *writing, uint32_t index)
{
    return label_at(writing, index)->label;
}

static uint32_t file_at(const struct writing *writing, uint32_t index)
{
    return label_at(writing, index)->file;
}

static uint32_t mod_at(const struct writing *writing, uint32_t index)
{
    return label_at(writing, index)->mod;
}

static int64_t kind_at(const struct writing *writing, uint32_t index)
{
    const struct symbols *symbols = &writing->report->profile->symbols;
    uint32_t function = writing->functions[index];
    return symbols_is_lua(symbols, function) ? 0 : symbols_is_c(symbols, function) ? 1 : 2;
}

static void put_texts(struct writing *writing, const char *key,
                      uint32_t (*text_at)(const struct writing *writing, uint32_t index))
{
    put_key(writing->json, key);
    text_put_string(writing->json, "[");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        text_put_string(writing->json, i > 0 ? "," : "");
        json_put_string(writing->json, labels_text(writing->report->labels, text_at(writing, i)));
    }
    text_put_string(writing->json, "]");
}

/* Puts each text once, and adds for each function the index of its own to `indexes`. */
static void put_distinct(struct writing *writing, const char *key, const char *index_key,
                         uint32_t (*text_at)(const struct writing *writing, uint32_t index),
                         struct text *indexes)
{
    size_t text_count = writing->report->labels->texts.count;
    uint32_t *number_of = mem_zeroed(text_count, sizeof *number_of);
    uint32_t count = 0;
    put_key(writing->json, key);
    text_put_string(writing->json, "[");
    put_key(indexes, index_key);
    text_put_string(indexes, "[");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        uint32_t text = text_at(writing, i);
        if (number_of[text] == 0) {
            number_of[text] = ++count;
            put_comma(writing->json);
            json_put_string(writing->json, labels_text(writing->report->labels, text));
        }
        put_comma(indexes);
        text_put_count(indexes, number_of[text] - 1);
    }
    text_put_string(writing->json, "]");
    text_put_string(indexes, "]");
    free(number_of);
}

static void put_functions(struct writing *writing)
{
    struct text *json = writing->json;
    struct text indexes = {0};
    put_distinct(writing, "files", "file", file_at, &indexes);
    put_distinct(writing, "mods", "mod", mod_at, &indexes);
    put_key(json, "functions");
    text_put_string(json, "{");
    put_texts(writing, "name", name_at);
    put_texts(writing, "label", full_label_at);
    text_put(json, indexes.at, indexes.length);
    put_column(writing, "kind", writing->function_count, kind_at);
    text_put_string(json, "}");
    text_release(&indexes);
    if (writing->folded != TREE_NONE)
        put_number(json, "folded", writing->number_of[writing->folded]);
}

static void put_findings(struct writing *writing)
{
    struct text *json = writing->json;
    struct findings findings;
    html_data_find(&findings, writing->report);
    put_key(json, "findings");
    text_put_string(json, "[");
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.all[i];
        put_comma(json);
        text_put_string(json, "[");
        json_put_string(json, text_span(&finding->text));
        if (finding->function == TREE_NONE)
            text_put_string(json, ",null");
        else
            text_printf(json, ",%lu", (unsigned long)writing->number_of[finding->function]);
        text_printf(json, ",\"%s\"]", finding_kind_name(finding->kind));
    }
    text_put_string(json, "]");
    findings_release(&findings);
}

/* Nodes ------------------------------------------------------------------------------------ */

static void leave(void *context, uint32_t node)
{
    (void)context;
    (void)node;
}

static void order_nodes(struct writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    uint32_t count = 0, node = TREE_ROOT;
    writing->order = mem_zeroed(tree->node_count, sizeof *writing->order);
    while ((node = tree_next(tree, &writing->trees.links, node, leave, NULL)) != TREE_NONE)
        writing->order[count++] = node;
}

static int64_t function_of(const struct writing *writing, uint32_t index)
{
    return writing->number_of[writing->trees.now.calls[writing->order[index]].function];
}

static int64_t line_of(const struct writing *writing, uint32_t index)
{
    return writing->trees.now.calls[writing->order[index]].line;
}

static int64_t threads_of(const struct writing *writing, uint32_t index)
{
    return writing->trees.now.flags[writing->order[index]] & (NODE_MAIN | NODE_COROUTINE);
}

static int64_t calls_of(const struct writing *writing, uint32_t index)
{
    return (int64_t)writing->trees.now.call_counts[writing->order[index]];
}

static int64_t self_of(const struct writing *writing, uint32_t index)
{
    return writing->trees.now.self_ns[writing->order[index]];
}

static int64_t errors_of(const struct writing *writing, uint32_t index)
{
    return report_value(&writing->trees.now, writing->order[index], METRIC_ERRORS);
}

static int64_t heap_of(const struct writing *writing, uint32_t index)
{
    return report_value(&writing->trees.now, writing->order[index], METRIC_ALLOC);
}

static int64_t longest_of(const struct writing *writing, uint32_t index)
{
    const struct call_details *details = &writing->trees.now.details[writing->order[index]];
    return details->finished > 0 ? details->max_ns : -1;
}

static int64_t old_calls_of(const struct writing *writing, uint32_t index)
{
    return (int64_t)writing->trees.old.call_counts[writing->order[index]];
}

static int64_t old_self_of(const struct writing *writing, uint32_t index)
{
    return writing->trees.old.self_ns[writing->order[index]];
}

static int64_t old_errors_of(const struct writing *writing, uint32_t index)
{
    return report_value(&writing->trees.old, writing->order[index], METRIC_ERRORS);
}

static int64_t old_heap_of(const struct writing *writing, uint32_t index)
{
    return report_value(&writing->trees.old, writing->order[index], METRIC_ALLOC);
}

/* The depths of the nodes, each as the difference from the one before. */
static void put_depths(struct writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    int64_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    int64_t before = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        depths[node] = depths[tree->calls[node].parent] + 1;
    put_key(writing->json, "depth");
    text_put_string(writing->json, "[");
    for (uint32_t i = 0; i + 1 < tree->node_count; i++) {
        text_put_string(writing->json, i > 0 ? "," : "");
        text_put_number(writing->json, depths[writing->order[i]] - before);
        before = depths[writing->order[i]];
    }
    text_put_string(writing->json, "]");
    free(depths);
}

static void put_nodes(struct writing *writing)
{
    uint32_t count = writing->trees.now.node_count - 1;
    put_key(writing->json, "nodes");
    text_put_string(writing->json, "{");
    put_depths(writing);
    put_column(writing, "function", count, function_of);
    put_column(writing, "line", count, line_of);
    put_column(writing, "threads", count, threads_of);
    put_column(writing, "calls", count, calls_of);
    put_column(writing, "self", count, self_of);
    put_column(writing, "errors", count, errors_of);
    put_column(writing, "heap", count, heap_of);
    if (writing->trees.now.details != NULL)
        put_column(writing, "longest", count, longest_of);
    text_put_string(writing->json, "}");
}

static void put_alike(struct writing *writing)
{
    const struct report *report = writing->report;
    struct table table;
    table_compare(&table, BY_FUNCTION, COLUMN_SELF, report->tree, report->old->tree,
                  report->old->scales_calls, report->labels, false);
    put_key(writing->json, "alike");
    text_put_string(writing->json, "[");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct row *row = &table.rows[i];
        if (!row_is_alike(row, table_old(&table, row)))
            continue;
        put_comma(writing->json);
        text_put_count(writing->json, writing->number_of[table.groups.all[row->group].function]);
    }
    text_put_string(writing->json, "]");
    table_release(&table);
}

static void put_old(struct writing *writing)
{
    uint32_t count = writing->trees.now.node_count - 1;
    put_key(writing->json, "old");
    if (!writing->trees.is_compared) {
        text_put_string(writing->json, "null");
        return;
    }
    text_put_string(writing->json, "{");
    put_column(writing, "calls", count, old_calls_of);
    put_column(writing, "self", count, old_self_of);
    put_column(writing, "errors", count, old_errors_of);
    put_column(writing, "heap", count, old_heap_of);
    put_alike(writing);
    text_put_string(writing->json, "}");
}

/* Ticks ------------------------------------------------------------------------------------ */

static int64_t tick_number_of(const struct writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].number;
}

static int64_t tick_run_of(const struct writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].run;
}

static int64_t tick_time_of(const struct writing *writing, uint32_t index)
{
    return writing->report->profile->ticks.ticks[index].time_ns;
}

static int64_t tick_calls_of(const struct writing *writing, uint32_t index)
{
    return (int64_t)writing->report->profile->ticks.ticks[index].calls;
}

/* The kept functions of each tick, if the page knows them. */
static void put_tick_functions(struct writing *writing)
{
    const struct tick_list *list = &writing->report->profile->ticks;
    struct text *json = writing->json;
    put_key(json, "functions");
    text_put_string(json, "[");
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        put_comma(json);
        text_put_string(json, tick->functions == NULL ? "null" : "[");
        for (size_t k = 0; tick->functions != NULL && k < tick->function_count; k++) {
            const struct tick_function *function = &tick->functions[k];
            uint32_t number = writing->number_of[function->function];
            bool is_known = number < writing->function_count &&
                            writing->functions[number] == function->function;
            if (!is_known || function->self_ns == 0)
                continue;
            put_comma(json);
            text_put_count(json, number);
            text_put_string(json, ",");
            text_put_number(json, function->self_ns);
            text_put_string(json, ",");
            text_put_count(json, function->calls);
        }
        text_put_string(json, tick->functions == NULL ? "" : "]");
    }
    text_put_string(json, "]");
}

/* Changes ---------------------------------------------------------------------------------- */

/* What a row of ticks changed, sorted by part. */
struct bin {
    struct tick_change *all; /* [count] */
    size_t count, capacity;
};

static int compare_parts(const void *left, const void *right)
{
    const struct tick_change *a = left;
    const struct tick_change *b = right;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Sorts the changes of a bin, and adds up those of the same part. */
static void settle_bin(struct bin *bin)
{
    size_t count = 0;
    if (bin->count > 0)
        qsort(bin->all, bin->count, sizeof *bin->all, compare_parts);
    for (size_t i = 0; i < bin->count; i++) {
        const struct tick_change *change = &bin->all[i];
        if (count == 0 || bin->all[count - 1].part != change->part) {
            bin->all[count++] = *change;
            continue;
        }
        struct tick_change *sum = &bin->all[count - 1];
        sum->calls += change->calls;
        sum->errors += change->errors;
        sum->units += change->units;
        sum->memory_kb += change->memory_kb;
    }
    bin->count = count;
}

/* The columns of changes, each its own text. */
struct change_columns {
    struct text parts, units, calls, errors, memory, counts, ticks;
};

static void put_bin(struct change_columns *columns, struct bin *bin, size_t tick_count)
{
    uint32_t before = 0;
    settle_bin(bin);
    for (size_t i = 0; i < bin->count; i++) {
        const struct tick_change *change = &bin->all[i];
        text_printf(&columns->parts, "%lu,", (unsigned long)(change->part - before));
        text_printf(&columns->units, "%lld,", (long long)change->units);
        text_printf(&columns->calls, "%ld,", (long)change->calls);
        text_printf(&columns->errors, "%ld,", (long)change->errors);
        text_printf(&columns->memory, "%lld,", (long long)change->memory_kb);
        before = change->part;
    }
    text_printf(&columns->counts, "%zu,", bin->count);
    text_printf(&columns->ticks, "%zu,", tick_count);
    bin->count = 0;
}

static void put_column_text(struct text *json, const char *key, struct text *column)
{
    put_key(json, key);
    text_put_string(json, "[");
    if (column->length > 0)
        text_put(json, column->at, column->length - 1);
    text_put_string(json, "]");
    text_release(column);
}

static void put_bins(struct writing *writing, uint32_t bin_ticks)
{
    const struct profile *profile = writing->report->profile;
    const struct tick_changes *changes = &profile->changes;
    struct change_columns columns = {0};
    struct bin bin = {0};
    size_t ticks = 0;
    for (size_t tick = 0, i = 0; tick < changes->tick_count; tick++) {
        for (; i < changes->ends[tick]; i++)
            bin.all = mem_append(bin.all, &bin.count, &bin.capacity, &changes->all[i],
                                 sizeof changes->all[i]);
        ticks++;
        bool is_slow = profile->ticks.ticks[tick].time_ns > TICK_BUDGET_NS;
        bool is_slow_next = tick + 1 < changes->tick_count &&
                            profile->ticks.ticks[tick + 1].time_ns > TICK_BUDGET_NS;
        if (!is_slow && !is_slow_next && ticks < bin_ticks && tick + 1 < changes->tick_count)
            continue;
        put_bin(&columns, &bin, ticks);
        ticks = 0;
    }
    put_column_text(writing->json, "part", &columns.parts);
    put_column_text(writing->json, "units", &columns.units);
    put_column_text(writing->json, "calls", &columns.calls);
    put_column_text(writing->json, "errors", &columns.errors);
    put_column_text(writing->json, "heap", &columns.memory);
    put_column_text(writing->json, "counts", &columns.counts);
    put_column_text(writing->json, "ticks", &columns.ticks);
    free(bin.all);
}

/* The parts of the nodes; `place_of` are the indexes of the nodes as they are written. */
static void put_parts(struct writing *writing, const uint32_t *place_of)
{
    const struct tick_changes *changes = &writing->report->profile->changes;
    struct text nodes = {0}, units = {0};
    for (size_t i = 0; i < changes->part_count; i++) {
        uint32_t node = changes->parts[i].node;
        text_printf(&nodes, "%ld,", node == TREE_ROOT ? -1L : (long)place_of[node]);
        text_printf(&units, "%lld,", (long long)changes->parts[i].units);
    }
    put_column_text(writing->json, "node_of_part", &nodes);
    put_column_text(writing->json, "units_of_part", &units);
}

/* Puts the changes of each tick, or of bins of ticks; see put_data() of report_html.c. */
static void put_changes(struct writing *writing, uint32_t bin_ticks)
{
    const struct tree *tree = &writing->trees.now;
    const struct tick_changes *changes = &writing->report->profile->changes;
    put_key(writing->json, "changes");
    bool can_put = bin_ticks > 0 && changes->tick_count > 0 &&
                   changes->tick_count == writing->report->profile->ticks.count &&
                   tree->node_count == writing->report->tree->node_count;
    if (!can_put) {
        text_put_string(writing->json, "null");
        return;
    }
    uint32_t *place_of = mem_zeroed(tree->node_count, sizeof *place_of);
    for (uint32_t i = 0; i + 1 < tree->node_count; i++)
        place_of[writing->order[i]] = i;
    text_put_string(writing->json, "{");
    put_parts(writing, place_of);
    put_bins(writing, bin_ticks);
    put_key(writing->json, "unit_ns");
    text_printf(writing->json, "%.17g", changes->unit_ns);
    text_put_string(writing->json, "}");
    free(place_of);
}

static void put_ticks(struct writing *writing)
{
    const struct profile *profile = writing->report->profile;
    struct text *json = writing->json;
    uint32_t count = (uint32_t)profile->ticks.count;
    put_number(json, "budget_ns", TICK_BUDGET_NS);
    put_number(json, "collection", TICKS_A_COLLECTION);
    put_key(json, "runs");
    text_put_string(json, "[");
    for (size_t i = 0; i < profile->recordings.count; i++) {
        char seconds[64];
        put_comma(json);
        int length =
            snprintf(seconds, sizeof seconds, "[%lu,%.1f]",
                     (unsigned long)profile->recordings.all[i].run, profile->runs[i].zero_seconds);
        text_put(json, seconds, (size_t)length);
    }
    text_put_string(json, "]");
    put_key(json, "ticks");
    if (count == 0) {
        text_put_string(json, "null");
        return;
    }
    text_put_string(json, "{");
    put_column(writing, "number", count, tick_number_of);
    put_column(writing, "run", count, tick_run_of);
    put_column(writing, "time", count, tick_time_of);
    put_column(writing, "calls", count, tick_calls_of);
    put_tick_functions(writing);
    put_changes(writing, writing->bin_ticks);
    text_put_string(json, "}");
}

/* All of it -------------------------------------------------------------------------------- */

void html_data_find(struct findings *findings, const struct report *report)
{
    struct findings_source source = {
        .tree = report->tree,
        .symbols = &report->profile->symbols,
        .labels = report->labels,
        .ticks = &report->profile->ticks,
        .clock_step_ns = recording_clock_step_ns(report->profile),
    };
    findings_init(findings, &source);
}

void html_data_put_notes(struct text *text, const struct report *report)
{
    recording_put_trust(text, report);
    summary_put_notes(text, report, UNIT_MS, 0);
}

static void put_head(struct writing *writing, int64_t least_ns)
{
    static const char *const metrics[] = {[METRIC_TIME] = "time",
                                          [METRIC_CALLS] = "calls",
                                          [METRIC_ERRORS] = "errors",
                                          [METRIC_ALLOC] = "alloc"};
    const struct report *report = writing->report;
    struct text *json = writing->json;
    struct text lines = {0};
    put_number(json, "version", DOCUMENT_VERSION);
    put_string(json, "program", "supprof " SUPPROF_VERSION);
    put_string(json, "title", report->title);
    if (report->old != NULL) {
        put_string(json, "old_title", report->old->title);
        put_string(json, "scaled", report->old->scaled != NULL ? report->old->scaled : "");
    }
    put_string(json, "metric", metrics[report->metric]);
    put_number(json, "all_ns", report->all_ns);
    put_number(json, "folded_below_ns", least_ns);
    summary_put_selection(&lines, report, 0);
    put_lines(json, "shown", text_span(&lines));
    lines.length = 0;
    html_data_put_notes(&lines, report);
    put_lines(json, "notes", text_span(&lines));
    text_release(&lines);
}

/* Copies a tree, so that the nodes have the same ids. */
static void copy_tree(struct tree *copy, const struct tree *tree)
{
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        tree_builder_append(&builder, tree->calls[node]);
        tree_builder_add(&builder, node, tree_values(tree, node));
    }
    tree_builder_finish(&builder, copy);
}

static void trees_init(struct trees *trees, const struct report *report, int64_t least_ns)
{
    const struct labels *labels = report->labels;
    const struct symbols *symbols = &report->profile->symbols;
    *trees = (struct trees){.is_compared = report->old != NULL};
    copy_tree(&trees->now, report->tree);
    if (trees->is_compared)
        copy_tree(&trees->old, report->old->tree);
    int64_t all_ns = trees->now.total_ns[TREE_ROOT];
    if (least_ns > 0 && all_ns > 0)
        fold_small(&trees->now, trees->is_compared ? &trees->old : NULL,
                   100 * (double)least_ns / (double)all_ns, find_folded(symbols));
    uint32_t *rank = mem_zeroed(symbols->function_count, sizeof *rank);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_link(&trees->links, &trees->now, rank);
    free(rank);
}

static void trees_release(struct trees *trees)
{
    tree_links_release(&trees->links);
    tree_release(&trees->now);
    if (trees->is_compared)
        tree_release(&trees->old);
}

void html_data_put(struct text *json, const struct report *report, int64_t least_ns,
                   uint32_t bin_ticks)
{
    struct writing writing = {.json = json, .report = report, .bin_ticks = bin_ticks};
    trees_init(&writing.trees, report, least_ns);
    text_put_string(json, "{");
    put_head(&writing, least_ns);
    number_functions(&writing);
    order_nodes(&writing);
    put_functions(&writing);
    put_findings(&writing);
    put_nodes(&writing);
    put_old(&writing);
    put_ticks(&writing);
    text_put_string(json, "}");
    free(writing.order);
    free(writing.functions);
    free(writing.number_of);
    trees_release(&writing.trees);
}
