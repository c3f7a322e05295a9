#include "report/html/html_writing.h"

#include "base/mem.h"
#include "report/html/html_json.h"

#include <stdlib.h>

static int64_t function_of(const struct html_writing *writing, uint32_t index)
{
    return writing->number_of[writing->trees.now.calls[index + 1].function];
}

static int64_t line_of(const struct html_writing *writing, uint32_t index)
{
    return writing->trees.now.calls[index + 1].line;
}

static int64_t threads_of(const struct html_writing *writing, uint32_t index)
{
    enum { IS_RECORDER = 4 };
    uint8_t flags = writing->trees.now.flags[index + 1];
    if (writing->trees.is_compared)
        flags |= writing->trees.old.flags[index + 1] & NODE_RECORDER;
    return (flags & (NODE_MAIN | NODE_COROUTINE)) |
           ((flags & NODE_RECORDER) != 0 ? IS_RECORDER : 0);
}

static int64_t calls_of(const struct html_writing *writing, uint32_t index)
{
    return (int64_t)writing->trees.now.call_counts[index + 1];
}

static int64_t self_of(const struct html_writing *writing, uint32_t index)
{
    return writing->trees.now.self_ns[index + 1];
}

static int64_t errors_of(const struct html_writing *writing, uint32_t index)
{
    return report_value(&writing->trees.now, index + 1, METRIC_ERRORS);
}

static int64_t heap_of(const struct html_writing *writing, uint32_t index)
{
    return report_value(&writing->trees.now, index + 1, METRIC_ALLOC);
}

static int64_t longest_of(const struct html_writing *writing, uint32_t index)
{
    const struct call_details *details = &writing->trees.now.details[index + 1];
    return details->finished > 0 ? details->max_ns : -1;
}

static int64_t old_calls_of(const struct html_writing *writing, uint32_t index)
{
    return (int64_t)writing->trees.old.call_counts[index + 1];
}

static int64_t old_self_of(const struct html_writing *writing, uint32_t index)
{
    return writing->trees.old.self_ns[index + 1];
}

static int64_t old_errors_of(const struct html_writing *writing, uint32_t index)
{
    return report_value(&writing->trees.old, index + 1, METRIC_ERRORS);
}

static int64_t old_heap_of(const struct html_writing *writing, uint32_t index)
{
    return report_value(&writing->trees.old, index + 1, METRIC_ALLOC);
}

/* The depths of the nodes, each as the difference from the one before. */
static void put_depths(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    int64_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    int64_t before = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        depths[node] = depths[tree->calls[node].parent] + 1;
    html_put_key(writing->json, "depth");
    text_put_string(writing->json, "[");
    for (uint32_t i = 0; i + 1 < tree->node_count; i++) {
        text_put_string(writing->json, i > 0 ? "," : "");
        text_put_number(writing->json, depths[i + 1] - before);
        before = depths[i + 1];
    }
    text_put_string(writing->json, "]");
    free(depths);
}

void html_put_nodes(struct html_writing *writing)
{
    uint32_t count = writing->trees.now.node_count - 1;
    html_put_key(writing->json, "nodes");
    text_put_string(writing->json, "{");
    put_depths(writing);
    html_put_column(writing, "function", count, function_of);
    html_put_column(writing, "line", count, line_of);
    html_put_column(writing, "threads", count, threads_of);
    html_put_column(writing, "calls", count, calls_of);
    html_put_column(writing, "self", count, self_of);
    html_put_column(writing, "errors", count, errors_of);
    html_put_column(writing, "heap", count, heap_of);
    if (writing->trees.now.details != NULL)
        html_put_column(writing, "longest", count, longest_of);
    text_put_string(writing->json, "}");
}

static void put_alike(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct table table;
    table_compare(&table, BY_FUNCTION, COLUMN_SELF, report->tree, report->old->tree,
                  report->old->scales_calls, report->labels, false);
    html_put_key(writing->json, "alike");
    text_put_string(writing->json, "[");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct row *row = &table.rows[i];
        if (!row_is_alike(row, table_old(&table, row)))
            continue;
        html_put_comma(writing->json);
        text_put_count(writing->json, writing->number_of[table.groups.all[row->group].function]);
    }
    text_put_string(writing->json, "]");
    table_release(&table);
}

void html_put_old(struct html_writing *writing)
{
    uint32_t count = writing->trees.now.node_count - 1;
    html_put_key(writing->json, "old");
    if (!writing->trees.is_compared) {
        text_put_string(writing->json, "null");
        return;
    }
    text_put_string(writing->json, "{");
    html_put_column(writing, "calls", count, old_calls_of);
    html_put_column(writing, "self", count, old_self_of);
    html_put_column(writing, "errors", count, old_errors_of);
    html_put_column(writing, "heap", count, old_heap_of);
    put_alike(writing);
    text_put_string(writing->json, "}");
}
