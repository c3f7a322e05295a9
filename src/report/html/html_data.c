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

static void trees_init(struct html_trees *trees, const struct report *report, int64_t least_ns)
{
    const struct labels *labels = report->labels;
    const struct symbols *symbols = &report->profile->symbols;
    *trees = (struct html_trees){.is_compared = report->old != NULL};
    copy_tree(&trees->now, report->tree);
    if (trees->is_compared)
        copy_tree(&trees->old, report->old->tree);
    int64_t all_ns = trees->now.total_ns[TREE_ROOT];
    if (least_ns > 0 && all_ns > 0)
        fold_small(&trees->now, trees->is_compared ? &trees->old : NULL,
                   100 * (double)least_ns / (double)all_ns, html_find_folded(symbols));
    uint32_t *rank = mem_zeroed(symbols->function_count, sizeof *rank);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_link(&trees->links, &trees->now, rank);
    free(rank);
}

static void trees_release(struct html_trees *trees)
{
    tree_links_release(&trees->links);
    tree_release(&trees->now);
    if (trees->is_compared)
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
    html_order_nodes(&writing);
    html_put_functions(&writing);
    html_put_findings(&writing);
    html_put_nodes(&writing);
    html_put_old(&writing);
    html_put_ticks(&writing);
    text_put_string(json, "}");
    free(writing.order);
    free(writing.functions);
    free(writing.number_of);
    trees_release(&writing.trees);
}
