#include "report/pages/html/html_data.h"

#include "base/base64.h"
#include "base/key_sort.h"
#include "report/files/json/json_parts.h"
#include "report/pages/html/html_writing.h"
#include "report/sentences/notes.h"
#include "report/sentences/parts.h"
#include "report/sentences/summary.h"
#include "tree/fold.h"

#include <zlib.h>

enum { DOCUMENT_VERSION = 1 };

static void put_head(struct html_writing *writing, int64_t least_ns)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    struct text lines = {0};
    json_number(json, "version", DOCUMENT_VERSION);
    json_string(json, "program", "supprof " SUPPROF_VERSION);
    json_string(json, "title", report->title);
    if (report->old != NULL) {
        json_string(json, "old_title", report->old->title);
        json_bool(json, "is_rest", report->old->is_rest);
        json_string(json, "scaled", report->old->scaled != NULL ? report->old->scaled : "");
    }
    json_string(json, "metric", report_metric_names[report->show.metric].name);
    json_number(json, "all_ns", report->all_ns);
    json_number(json, "folded_below_ns", least_ns);
    summary_put_selection(&lines, report, 0);
    json_lines(json, "shown", text_span(&lines));
    text_cut(&lines, 0);
    notes_put_all(&lines, report);
    json_lines(json, "notes", text_span(&lines));
    text_cut(&lines, 0);
    if (report->profile->threads.life_count > 0)
        notes_put_threads(&lines, report, UNIT_MS);
    json_lines(json, "thread_notes", text_span(&lines));
    text_cut(&lines, 0);
    details_put_runs(&lines, report->profile);
    json_lines(json, "recorded", text_span(&lines));
    text_release(&lines);
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
 * Returns the document, which the caller releases. Nodes with a total below `least_ns` (in both
 * profiles, if two are compared) are folded into their callers. Up to `bin_ticks` ticks within the
 * budget share their changes; 0 leaves them out, as does folding.
 */
static struct text make_document(const struct report *report, int64_t least_ns, uint32_t bin_ticks)
{
    struct html_writing writing = {
        .json = {.is_compact = true}, .report = report, .bin_ticks = bin_ticks};
    trees_init(&writing.trees, report->tree, report->old != NULL ? report->old->tree : NULL,
               report->labels);
    if (least_ns > 0 && report_total_ns(report) > 0)
        fold_trees(&writing.trees, report, least_ns);
    json_object(&writing.json, NULL);
    put_head(&writing, least_ns);
    html_number_functions(&writing);
    html_put_functions(&writing);
    if (least_ns == 0)
        html_put_sources(&writing);
    html_put_findings(&writing);
    html_put_nodes(&writing);
    html_put_old(&writing);
    html_put_ticks(&writing);
    html_put_threads(&writing);
    html_put_repeated(&writing);
    json_put_game_log(&writing.json, report);
    json_end(&writing.json);
    free(writing.functions);
    free(writing.number_of);
    trees_release(&writing.trees);
    return writing.json.text;
}

/* For a document of 20 MB, this level takes a fifth of the time and makes 9 % more bytes. */
enum { LARGE_BYTES = 4 * 1000 * 1000, FAST_LEVEL = 4 };

/* Appends the document, compressed. Returns the number of bytes. */
static size_t put_packed(struct text *text, const struct report *report, int64_t least_ns,
                         uint32_t bin_ticks)
{
    size_t start = text->length;
    struct text json = make_document(report, least_ns, bin_ticks);
    int level = json.length > LARGE_BYTES ? FAST_LEVEL : Z_DEFAULT_COMPRESSION;
    uLongf size = compressBound((uLong)json.length);
    char *compressed = mem_zeroed(size, 1);
    if (compress2((Bytef *)compressed, &size, (const Bytef *)json.at, (uLong)json.length, level) !=
        Z_OK)
        mem_exhausted();
    text_release(&json);
    base64_put(text, (struct span){compressed, size});
    free(compressed);
    return text->length - start;
}

/* Returns the smallest total of a kept node, so that not more than a maximum are kept. */
static int64_t find_least(const struct report *report, uint32_t kept_count)
{
    const struct tree *tree = report->tree;
    if (kept_count >= tree->node_count)
        return 0;
    uint64_t *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        int64_t total_ns = tree->total_ns[node];
        if (report->old != NULL && report->old->tree->total_ns[node] > total_ns)
            total_ns = report->old->tree->total_ns[node];
        totals[node] = total_ns > 0 ? (uint64_t)total_ns : 0;
    }
    uint64_t least = largest_at(totals, tree->node_count, kept_count);
    free(totals);
    return (int64_t)least + 1;
}

void html_data_put(struct text *text, const struct report *report, size_t rest_bytes)
{
    enum { TRIES_MAX = 8 };
    static const uint32_t bins[] = {1, 10, 100, 1000};
    size_t start = text->length;
    uint32_t kept_count = report->tree->node_count;
    int64_t least_ns = 0;
    size_t limit = report->show.max_bytes;
    size_t max_bytes = limit == 0 ? SIZE_MAX : limit > rest_bytes ? limit - rest_bytes : 1;
    bool has_changes = report->profile->changes.tick_count > 0;
    for (size_t i = 0; has_changes && i < sizeof bins / sizeof bins[0]; i++) {
        if (put_packed(text, report, 0, bins[i]) <= max_bytes)
            return;
        text_cut(text, start);
    }
    for (int i = 0; i < TRIES_MAX; i++) {
        size_t size = put_packed(text, report, least_ns, 0);
        if (size <= max_bytes || kept_count < 2)
            return;
        double part = 0.9 * (double)max_bytes / (double)size;
        kept_count = (uint32_t)((double)kept_count * part);
        least_ns = find_least(report, kept_count);
        text_cut(text, start);
    }
    put_packed(text, report, find_least(report, 1), 0);
}
