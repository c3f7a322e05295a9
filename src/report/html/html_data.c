#include "report/html/html_data.h"

#include "base/mem.h"
#include "report/html/html_json.h"
#include "report/html/html_writing.h"
#include "report/text/report_recording.h"
#include "report/text/report_summary.h"
#include "tree/fold.h"
#include "tree/tree_builder.h"

#include <stdlib.h>

enum { DOCUMENT_VERSION = 1 };

void html_data_put_notes(struct text *text, const struct report *report)
{
    recording_put_trust(text, report, false);
    summary_put_chance(text, report, false);
    summary_put_notes(text, report, UNIT_MS, 0);
}

static void put_head(struct html_writing *writing, int64_t least_ns)
{
    static const char *const metrics[] = {[METRIC_TIME] = "time",
                                          [METRIC_CALLS] = "calls",
                                          [METRIC_ERRORS] = "errors",
                                          [METRIC_ALLOC] = "alloc"};
    const struct report *report = writing->report;
    struct text *json = writing->json;
    struct text lines = {0};
    html_put_number(json, "version", DOCUMENT_VERSION);
    html_put_string(json, "program", "supprof " SUPPROF_VERSION);
    html_put_string(json, "title", report->title);
    if (report->old != NULL) {
        html_put_string(json, "old_title", report->old->title);
        html_put_string(json, "scaled", report->old->scaled != NULL ? report->old->scaled : "");
    }
    html_put_string(json, "metric", metrics[report->metric]);
    html_put_number(json, "all_ns", report->all_ns);
    html_put_number(json, "folded_below_ns", least_ns);
    summary_put_selection(&lines, report, 0);
    html_put_lines(json, "shown", text_span(&lines));
    lines.length = 0;
    html_data_put_notes(&lines, report);
    html_put_lines(json, "notes", text_span(&lines));
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

/* Numbers the nodes as they are written, so that each column is read from memory in order. */
static void put_in_order(struct html_trees *trees, const struct tree *now, const struct tree *old,
                         const struct labels *labels, uint32_t function_count)
{
    uint32_t *rank = mem_zeroed(function_count, sizeof *rank);
    for (uint32_t i = 0; i < function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_order_init(&trees->order, now, rank);
    free(rank);
    tree_copy_in_order(&trees->now, now, &trees->order);
    trees->is_compared = old != NULL;
    if (old != NULL)
        tree_copy_in_order(&trees->old, old, &trees->order);
}

static void trees_init(struct html_trees *trees, const struct report *report, int64_t least_ns)
{
    const struct symbols *symbols = &report->profile->symbols;
    const struct tree *now = report->tree;
    const struct tree *old = report->old != NULL ? report->old->tree : NULL;
    struct tree folded = {0}, old_folded = {0};
    *trees = (struct html_trees){0};
    int64_t all_ns = now->total_ns[TREE_ROOT];
    if (least_ns > 0 && all_ns > 0) {
        copy_tree(&folded, now);
        if (old != NULL)
            copy_tree(&old_folded, old);
        fold_small(&folded, old != NULL ? &old_folded : NULL,
                   100 * (double)least_ns / (double)all_ns, html_find_folded(symbols));
        now = &folded;
        old = old != NULL ? &old_folded : NULL;
    }
    put_in_order(trees, now, old, report->labels, symbols->function_count);
    tree_release(&folded);
    tree_release(&old_folded);
}

static void trees_release(struct html_trees *trees)
{
    tree_order_release(&trees->order);
    tree_release(&trees->now);
    tree_release(&trees->old);
}

void html_data_put(struct text *json, const struct report *report, int64_t least_ns,
                   uint32_t bin_ticks)
{
    struct html_writing writing = {.json = json, .report = report, .bin_ticks = bin_ticks};
    trees_init(&writing.trees, report, least_ns);
    text_put_string(json, "{");
    put_head(&writing, least_ns);
    html_number_functions(&writing);
    html_put_functions(&writing);
    html_put_findings(&writing);
    html_put_nodes(&writing);
    html_put_old(&writing);
    html_put_ticks(&writing);
    text_put_string(json, "}");
    free(writing.functions);
    free(writing.number_of);
    trees_release(&writing.trees);
}
