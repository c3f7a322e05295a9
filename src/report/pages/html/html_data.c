#include "report/pages/html/html_data.h"

#include "base/encodings.h"
#include "base/mem.h"
#include "base/sort.h"
#include "report/figures/duration_rows.h"
#include "report/figures/flags.h"
#include "report/figures/formats.h"
#include "report/files/json/json.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "report/sentences/watched_text.h"
#include "report/tables/list_table.h"
#include "report/tables/repeated_tables.h"
#include "report/tables/watched_repeated.h"
#include "tree/fold.h"
#include "tree/line_runs.h"

#include <math.h>
#include <stdio.h>
#include <zlib.h>

/* The longest call that returned: -1 without any, 0 if nothing is known of calls. */
static int64_t longest_of(const struct tree *tree, uint32_t node)
{
    if (tree->details == NULL)
        return 0;
    return tree->details[node].finished > 0 ? tree->details[node].max_ns : -1;
}

/* The columns of both sides, and the longest calls of one. */
static void put_metrics(struct json_writer *json, const struct tree *tree, bool has_longest)
{
    struct html_columns columns = {.leaves_out_zeros = true};
    for (uint32_t node = 1; node < tree->node_count; node++)
        HTML_ADD_ROW(&columns,
                     {"calls", report_value(tree, node, METRIC_CALLS)},
                     {"self", report_value(tree, node, METRIC_TIME)},
                     {"errors", report_value(tree, node, METRIC_ERRORS)},
                     {"heap", report_value(tree, node, METRIC_ALLOC)},
                     {has_longest ? "longest" : NULL, longest_of(tree, node)});
    html_columns_put(&columns, json);
}

static void put_nodes(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    struct html_columns columns = {.leaves_out_zeros = true};
    SCOPED_ARRAY int64_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        depths[node] = depths[call->parent] + 1;
        HTML_ADD_ROW(&columns,
                     {"depth", depths[node] - depths[node - 1]},
                     {"function", writing->number_of[call->function]},
                     {"line", call->line},
                     {"threads", tree->flags[node] & (NODE_MAIN | NODE_COROUTINE)});
    }
    JSON_OBJECT(&writing->json, "nodes");
    html_columns_put(&columns, &writing->json);
    put_metrics(&writing->json, tree, true);
}

static void put_alike(struct html_writing *writing)
{
    const struct row_sums *sums = &writing->table.functions.sums;
    JSON_ARRAY(&writing->json, "alike");
    for (size_t i = 0; i < sums->row_count; i++)
        if (row_is_alike(&sums->rows[i], row_sums_old(sums, &sums->rows[i])))
            json_count(&writing->json, NULL, writing->number_of[row_sums_group(sums, i)->function]);
}

static void put_old(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.old;
    if (!json_object_if(&writing->json, "old", tree->node_count > 0))
        return;
    put_metrics(&writing->json, tree, false);
    put_alike(writing);
    json_end(&writing->json);
}

/* The self times of a side's logs, of each row: a log without the row has none. */
static void put_logs(struct json_writer *json, const struct repeated_rows *rows, bool is_old)
{
    JSON_ARRAY(json, is_old ? "old_values" : "values");
    for (size_t i = 0; i < rows->table.row_count; i++) {
        struct sample sample = repeated_rows_sample(
            rows, rows->table.rows[i].order, repeated_column_place(COLUMN_SELF), is_old);
        JSON_ARRAY(json, NULL);
        for (size_t k = 0; k < sample.count; k++)
            json_number(json, NULL, (int64_t)sample.values[k]);
    }
}

/* What stands above and below the tables of repeated logs. */
static void put_repeated_lines(struct json_writer *json, const struct repeated_tables *repeated)
{
    SCOPED(text) lines = {0}, minutes = {0};
    if (repeated->report->repeats_watches)
        watched_put_minutes(&minutes, repeated->report);
    if (minutes.length > 0)
        text_printf(&lines, "T%s\n", text_string(&minutes) + strlen("; t"));
    repeated_put_counts(&lines, repeated);
    json_take_lines(json, "counts", &lines);
    repeated_put_notes(&lines, repeated, 0);
    json_take_lines(json, "notes", &lines);
    benchmarks_put(&lines, repeated->report, 0);
    json_take_lines(json, "benchmarks", &lines);
}

static void put_repeated(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    bool is_whole = writing->trees.now.node_count == report->tree->node_count;
    if (!json_object_if(json,
                        "repeated",
                        report->repeated != NULL && report->show.by == BY_FUNCTION && is_whole))
        return;
    SCOPED(repeated_tables) repeated;
    SCOPED(watched_repeated) watched;
    repeated_tables_init(&repeated, report, FOR_PAGE);
    watched_repeated_init(&watched, report, FOR_PAGE);
    json_count(json, "new", repeated.sums.new_count);
    json_count(json, "old", repeated.sums.old_count);
    html_put_table(writing, &repeated.rows);
    put_logs(json, &repeated.sums, false);
    put_logs(json, &repeated.sums, true);
    html_put_object(writing, "watched_totals", &watched.totals.table);
    html_put_object(writing, "watched", &watched.rows);
    if (!report->is_empty)
        html_put_object(writing, "totals", &repeated.totals.table);
    put_repeated_lines(json, &repeated);
    json_end(json);
}

/* Numbers the functions of the tree, and "(folded)", in the order of their labels. */
static void number_functions(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    const struct report *report = writing->report;
    uint32_t count = report->profile->symbols.function_count;
    SCOPED_ARRAY bool *is_used = mem_zeroed(count, sizeof *is_used);
    SCOPED_ARRAY uint32_t *by_rank = mem_zeroed(count, sizeof *by_rank);
    writing->functions = mem_zeroed(count, sizeof *writing->functions);
    writing->number_of = mem_zeroed(count, sizeof *writing->number_of);
    is_used[report->folded] = true;
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_used[tree->calls[node].function] = true;
    for (uint32_t i = 0; i < count; i++)
        by_rank[report->labels->ranks[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_used[by_rank[i]])
            continue;
        writing->number_of[by_rank[i]] = writing->function_count;
        writing->functions[writing->function_count++] = by_rank[i];
    }
}

static const struct label *label_of(const struct html_writing *writing, uint32_t index)
{
    return &writing->report->labels->of[writing->functions[index]];
}

static void put_text(struct html_writing *writing, uint32_t text)
{
    json_text(&writing->json, NULL, labels_text(writing->report->labels, text));
}

/* Puts each file or mod once. Returns their indexes, by text; the caller frees them. */
static uint32_t *put_distinct(struct html_writing *writing, const char *key, bool are_mods)
{
    static const uint32_t UNKNOWN = UINT32_MAX;
    size_t text_count = writing->report->labels->texts.count;
    uint32_t *indexes = mem_zeroed(text_count, sizeof *indexes);
    uint32_t count = 0;
    for (size_t i = 0; i < text_count; i++)
        indexes[i] = UNKNOWN;
    json_array(&writing->json, key);
    for (uint32_t i = 0; i < writing->function_count; i++) {
        const struct label *label = label_of(writing, i);
        uint32_t text = are_mods ? label->mod : label->file;
        if (indexes[text] != UNKNOWN)
            continue;
        indexes[text] = count++;
        put_text(writing, text);
    }
    json_end(&writing->json);
    return indexes;
}

static int64_t kind_of(const struct symbols *symbols, uint32_t function)
{
    return symbols_is_lua(symbols, function) ? 0 : symbols_is_c(symbols, function) ? 1 : 2;
}

/*
 * Returns 1 + the index of the tick in which the longest call of each function ended, or 0, by the
 * ids of symbols.h; the caller frees it.
 */
static uint32_t *find_longest(const struct report *report)
{
    const struct tick_changes *changes = &report->profile->changes;
    uint32_t count = report->profile->symbols.function_count;
    uint32_t *longest_in = mem_zeroed(count, sizeof *longest_in);
    SCOPED_ARRAY int64_t *longest_ns = mem_zeroed(count, sizeof *longest_ns);
    for (uint32_t node = 1; node < changes->node_count && node < report->tree->node_count; node++) {
        uint32_t function = report->tree->calls[node].function;
        if (changes->longest[node].ns <= longest_ns[function])
            continue;
        longest_ns[function] = changes->longest[node].ns;
        longest_in[function] = changes->longest[node].tick;
    }
    return longest_in;
}

/* Returns the flag of each function, by the ids of symbols.h; the caller frees it. */
static uint8_t *find_marks(const struct report *report, const struct row_sums *sums)
{
    uint8_t *marks = mem_zeroed(report->profile->symbols.function_count, sizeof *marks);
    for (size_t i = 0; i < sums->row_count; i++)
        marks[row_sums_group(sums, i)->function] =
            (uint8_t)flag_of_row(report, sums, &sums->rows[i]);
    return marks;
}

static void put_marks(struct html_writing *writing)
{
    const struct report *report = writing->report;
    JSON_ARRAY(&writing->json, "marks");
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        JSON_ARRAY(&writing->json, NULL);
        json_string(&writing->json, NULL, flag_infos[i].sign);
        json_string(&writing->json, NULL, flag_text((enum flag)i, report));
    }
}

static void put_table(struct html_writing *writing, const char *key, enum table_by by)
{
    struct html_table table;
    html_table_init(&table, writing->report, by);
    html_put_object(writing, key, &table.functions.table);
    function_table_release(&table.functions);
}

/* What the page cannot make from its call tree; null if that is nothing. */
static void put_rows(struct html_writing *writing)
{
    static const enum table_by kinds[] = {BY_FUNCTION, BY_FILE, BY_MOD};
    bool has_columns = writing->table.functions.table.column_count > 1;
    if (!json_object_if(&writing->json, "rows", has_columns))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        put_table(writing, table_by_infos[kinds[i]].name, kinds[i]);
    json_end(&writing->json);
}

/* Members of the document, in this order. */
static void put_functions(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    struct html_columns columns = {0}, more = {.leaves_out_zeros = true};
    SCOPED_ARRAY uint32_t *longest_in = find_longest(report);
    SCOPED_ARRAY uint8_t *marks = find_marks(report, &writing->table.functions.sums);
    SCOPED_ARRAY uint32_t *files = put_distinct(writing, "files", false);
    SCOPED_ARRAY uint32_t *mods = put_distinct(writing, "mods", true);
    json_object(json, "functions");
    json_array(json, "name");
    for (uint32_t i = 0; i < writing->function_count; i++)
        put_text(writing, label_of(writing, i)->name);
    json_end(json);
    json_array(json, "label");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        const struct label *label = label_of(writing, i);
        put_text(writing, label->label);
        HTML_ADD_ROW(&columns,
                     {"file", files[label->file]},
                     {"mod", mods[label->mod]},
                     {"kind", kind_of(&report->profile->symbols, writing->functions[i])});
        HTML_ADD_ROW(&more,
                     {"mark", marks[writing->functions[i]]},
                     {"longest_in", longest_in[writing->functions[i]]});
    }
    json_end(json);
    html_columns_put(&columns, json);
    html_columns_put(&more, json);
    json_end(json);
    json_count(json, "folded", writing->number_of[report->folded]);
    put_marks(writing);
    put_rows(writing);
}

/* How long the calls of a function took on a side; `own` is its row there. */
static void put_side(struct json_writer *json, const struct call_histogram *histogram, int side,
                     const struct duration_rows *shown, const struct row *own)
{
    if (histogram == NULL)
        return;
    JSON_OBJECT(json, side == 0 ? "new" : "old");
    json_number(json, "shortest", histogram->shortest_ns);
    json_number(json, "median", call_histogram_median_ns(histogram));
    struct column_value mean = column_of(COLUMN_MEAN, own);
    json_number_if(json, "mean", mean.is_known, mean.number);
    json_number(json, "longest", histogram->longest_ns);
    JSON_ARRAY(json, "calls");
    for (size_t i = 0; i < shown->count; i++)
        json_count(json, NULL, shown->rows[i].calls[side]);
}

static void put_duration(struct html_writing *writing, uint32_t function,
                         const struct call_histogram *const sides[2], const struct row *now,
                         const struct row *old)
{
    struct json_writer *json = &writing->json;
    struct duration_rows shown = duration_rows_make(writing->report, sides, 1);
    struct html_columns rows = {0};
    char key[16];
    if (sides[0] == NULL && sides[1] == NULL)
        return;
    snprintf(key, sizeof key, "%u", (unsigned)writing->number_of[function]);
    for (size_t i = 0; i < shown.count; i++)
        HTML_ADD_ROW(&rows, {"from", shown.rows[i].from_ns}, {"to", shown.rows[i].to_ns});
    JSON_OBJECT(json, key);
    html_columns_put(&rows, json);
    put_side(json, sides[0], 0, &shown, now);
    put_side(json, sides[1], 1, &shown, old);
}

/* How long the calls of each function took, of each side where it is known. */
static void put_durations(struct html_writing *writing)
{
    const struct report *report = writing->report;
    SCOPED_ARRAY uint32_t *old_of = report_old_functions(report);
    const struct row_sums *sums = &writing->table.functions.sums;
    JSON_OBJECT(&writing->json, "durations");
    for (size_t i = 0; i < sums->row_count; i++) {
        const struct row *row = &sums->rows[i];
        uint32_t function = row_sums_group(sums, i)->function;
        bool has_old = old_of != NULL && old_of[function] != TREE_NONE;
        const struct call_histogram *const sides[] = {
            report_durations_of(report, false, function),
            has_old ? report_durations_of(report, true, old_of[function]) : NULL};
        put_duration(writing, function, sides, row, row_sums_old(sums, row));
    }
}

/* Source that is put: of functions with enough of the time, the most expensive first. */
enum { SOURCE_PART_MIN = 200, SOURCE_BYTES_MAX = 1000 * 1000 };

static void put_source(struct html_writing *writing, uint32_t function,
                       const struct source_lines *lines)
{
    char key[16];
    SCOPED(text) text = {0};
    snprintf(key, sizeof key, "%u", (unsigned)writing->number_of[function]);
    JSON_ARRAY(&writing->json, key);
    json_number(&writing->json, NULL, lines->first);
    for (int32_t line = lines->first; line <= lines->last; line++) {
        text_cut(&text, 0);
        source_line_put(&text, lines->file, line);
        json_text(&writing->json, NULL, text_span(&text));
    }
}

static void put_sources(struct html_writing *writing)
{
    const struct report *report = writing->report;
    size_t bytes = 0;
    JSON_OBJECT(&writing->json, "sources");
    if (!report->has_sources || report->show.has_no_source)
        return;
    SCOPED(row_sums) table = {.by = BY_FUNCTION,
                              .sort = COLUMN_TOTAL,
                              .tree = &writing->trees.now,
                              .labels = report->labels};
    row_sums_init(&table);
    for (size_t i = 0; i < table.row_count; i++) {
        uint32_t function = table.groups.all[table.rows[i].group].function;
        struct source_lines lines;
        struct error ignored;
        if (table.rows[i].sum.total_ns < report_total_ns(report) / SOURCE_PART_MIN ||
            !source_lines_find(
                &lines, report->sources, &report->profile->symbols, function, &ignored) ||
            lines.last < lines.first)
            continue;
        bytes += lines.file->starts[lines.last] - lines.file->starts[lines.first - 1];
        if (bytes > SOURCE_BYTES_MAX)
            break;
        put_source(writing, function, &lines);
    }
}

/* What the page says first: the verdict, and what comes before and after it. */
static void put_verdict(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    SCOPED(text) lines = {0};
    double real_ns = report_real_time_ns(report, false);
    summary_put_warned(&lines, report);
    json_take_lines(json, "warned", &lines);
    summary_put_verdict(&lines, writing->verdict);
    json_take_lines(json, "verdict", &lines);
    summary_put_after(&lines, report);
    json_take_lines(json, "after", &lines);
    if (profile_is_unrecorded(report->profile))
        game_log_put_unrecorded(&lines, report->profile);
    else if (report->profile->recordings.count > 0)
        recorder_cost_put_removed(&lines, report->profile);
    json_text(
        json, profile_is_unrecorded(report->profile) ? "unrecorded" : "cost", text_span(&lines));
    json_number(json, "real_ns", real_ns > 0 ? (int64_t)real_ns : 0);
}

enum { DOCUMENT_VERSION = 1 };

static void put_head(struct html_writing *writing, int64_t least_ns)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    SCOPED(text) lines = {0};
    json_number(json, "version", DOCUMENT_VERSION);
    json_string(json, "program", "supprof " SUPPROF_VERSION);
    json_string(json, "title", report->title);
    if (report->old != NULL) {
        json_string(json, "old_title", report->old->title);
        json_bool(json, "is_rest", report->old->is_rest);
        json_string(json, "scaled", report->old->scaled != NULL ? report->old->scaled : "");
    }
    json_string(
        json,
        "metric",
        report_metric_names[report->has_no_times ? METRIC_CALLS : report->show.metric].name);
    json_number(json, "all_ns", report->all_ns);
    json_number(json, "folded_below_ns", least_ns);
    summary_put_selection(&lines, report);
    json_take_lines(json, "shown", &lines);
    notes_put_all(&lines, report);
    json_take_lines(json, "notes", &lines);
    if (report->profile->threads.life_count > 0)
        notes_put_threads(&lines, report);
    json_take_lines(json, "thread_notes", &lines);
    details_put_runs(&lines, report->profile);
    json_take_lines(json, "recorded", &lines);
}

/* Numbers the nodes as they are written, so that they are read from memory in order. */
static void trees_init(struct html_trees *trees, const struct tree *now, const struct tree *old,
                       const struct labels *labels)
{
    *trees = (struct html_trees){0};
    tree_order_init(&trees->order, now, labels->ranks);
    tree_copy_in_order(&trees->now, now, &trees->order);
    if (old != NULL)
        tree_copy_in_order(&trees->old, old, &trees->order);
}

static void trees_release(struct html_trees *trees)
{
    tree_order_release(&trees->order);
    tree_release(&trees->now);
    tree_release(&trees->old);
}

/* Folding adds nodes: so the rest is put in order again. */
static void fold_trees(struct html_trees *trees, const struct report *report, int64_t least_ns)
{
    struct html_trees whole = *trees;
    struct tree *old = report->old != NULL ? &whole.old : NULL;
    double percent = 100 * (double)least_ns / (double)whole.now.total_ns[TREE_ROOT];
    fold_small(&whole.now, old, percent, report->folded);
    trees_init(trees, &whole.now, old, report->labels);
    trees_release(&whole);
}

/*
 * Returns the document, which the caller releases; `given` is what all tries share. Nodes with a
 * total below `least_ns` (in both profiles, if two are compared) are folded into their callers. Up
 * to `bin_ticks` ticks within the budget share their changes; 0 leaves them out, as does folding.
 */
static struct text make_document(const struct html_writing *given, int64_t least_ns,
                                 uint32_t bin_ticks)
{
    struct html_writing writing = *given;
    const struct report *report = writing.report;
    writing.bin_ticks = bin_ticks;
    html_table_init(&writing.table, report, BY_FUNCTION);
    trees_init(&writing.trees,
               report->tree,
               report->old != NULL ? report->old->tree : NULL,
               report->labels);
    if (least_ns > 0 && report_total_ns(report) > 0)
        fold_trees(&writing.trees, report, least_ns);
    json_object(&writing.json, NULL);
    put_head(&writing, least_ns);
    number_functions(&writing);
    put_functions(&writing);
    if (least_ns == 0) {
        put_sources(&writing);
        /* Of lines that were not recorded nothing is known. */
        if (report->tree->lines != NULL)
            put_table(&writing, "lines", BY_LINE);
        put_durations(&writing);
    }
    put_verdict(&writing);
    json_put_findings(&writing.json, report, writing.findings, writing.number_of);
    put_nodes(&writing);
    put_old(&writing);
    html_put_ticks(&writing);
    html_put_threads(&writing);
    if (report->shows_watch)
        html_put_watch(&writing);
    else
        json_null(&writing.json, "watched");
    html_put_keyed(&writing);
    put_repeated(&writing);
    json_put_game_log(&writing.json, report->profile);
    if (report->old != NULL) {
        json_object(&writing.json, "old_game");
        json_put_game_log(&writing.json, report->old->profile);
        json_end(&writing.json);
    }
    json_end(&writing.json);
    function_table_release(&writing.table.functions);
    MEM_FREE(writing.functions, writing.number_of);
    trees_release(&writing.trees);
    return writing.json.text;
}

/* From a size on, this level takes much less time than the default, for a few bytes more. */
enum { FAST_FROM_BYTES = 4 * 1000 * 1000, FAST_LEVEL = 4 };

/* Appends the document, compressed. Returns the number of bytes. */
static size_t put_packed(struct text *text, const struct html_writing *given, int64_t least_ns,
                         uint32_t bin_ticks)
{
    size_t start = text->length;
    struct text json = make_document(given, least_ns, bin_ticks);
    int level = json.length > FAST_FROM_BYTES ? FAST_LEVEL : Z_DEFAULT_COMPRESSION;
    uLongf size = compressBound((uLong)json.length);
    SCOPED_ARRAY char *compressed = mem_zeroed(size, 1);
    if (compress2((Bytef *)compressed, &size, (const Bytef *)json.at, (uLong)json.length, level) !=
        Z_OK)
        mem_exhausted();
    text_release(&json);
    base64_put(text, (struct span){compressed, size});
    return text->length - start;
}

/* Returns the smallest total of a kept node, so that not more than a maximum are kept. */
static int64_t find_least(const struct report *report, uint32_t kept_count)
{
    const struct tree *tree = report->tree;
    if (kept_count >= tree->node_count)
        return 0;
    SCOPED_ARRAY uint64_t *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        int64_t total_ns = tree->total_ns[node];
        if (report->old != NULL && report->old->tree->total_ns[node] > total_ns)
            total_ns = report->old->tree->total_ns[node];
        totals[node] = total_ns > 0 ? (uint64_t)total_ns : 0;
    }
    uint64_t least = largest_at(totals, tree->node_count, kept_count);
    return (int64_t)least + 1;
}

void html_data_put(struct text *text, const struct report *report, const struct findings *findings,
                   const struct verdict *verdict, size_t rest_bytes)
{
    enum { TRIES_MAX = 8 };
    static const uint32_t bins[] = {1, 10, 100, 1000};
    const struct html_writing given = {
        .json = {.is_compact = true}, .report = report, .findings = findings, .verdict = verdict};
    size_t start = text->length;
    uint32_t kept_count = report->tree->node_count;
    int64_t least_ns = 0;
    size_t page_max = report->show.page_bytes_max;
    size_t data_max = page_max == 0 ? SIZE_MAX : page_max > rest_bytes ? page_max - rest_bytes : 1;
    bool has_changes = report->profile->changes.tick_count > 0;
    for (size_t i = 0; has_changes && i < sizeof bins / sizeof bins[0]; i++) {
        if (put_packed(text, &given, 0, bins[i]) <= data_max)
            return;
        text_cut(text, start);
    }
    for (int i = 0; i < TRIES_MAX; i++) {
        size_t size = put_packed(text, &given, least_ns, 0);
        if (size <= data_max || kept_count < 2)
            return;
        double part = 0.9 * (double)data_max / (double)size;
        kept_count = (uint32_t)((double)kept_count * part);
        least_ns = find_least(report, kept_count);
        text_cut(text, start);
    }
    put_packed(text, &given, find_least(report, 1), 0);
}
