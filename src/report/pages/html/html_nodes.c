#include "report/pages/html/html_writing.h"

#include "base/mem.h"
#include "report/pages/html/html_columns.h"

static int64_t threads_of(const struct html_trees *trees, uint32_t node)
{
    enum { IS_RECORDER = 4 };
    uint8_t flags = trees->now.flags[node];
    if (trees->old.node_count > 0)
        flags |= trees->old.flags[node] & NODE_RECORDER;
    return (flags & (NODE_MAIN | NODE_COROUTINE)) |
           ((flags & NODE_RECORDER) != 0 ? IS_RECORDER : 0);
}

/* The longest call that returned: -1 without any, 0 if nothing is known of calls. */
static int64_t longest_of(const struct tree *tree, uint32_t node)
{
    if (tree->details == NULL)
        return 0;
    return tree->details[node].finished > 0 ? tree->details[node].max_ns : -1;
}

void html_put_nodes(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    struct html_columns columns = {.keys = {"depth", "function", "line", "threads", "calls", "self",
                                            "errors", "heap", "longest"},
                                   .kept_count = 1};
    int64_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        depths[node] = depths[call->parent] + 1;
        html_columns_add(
            &columns,
            (int64_t[]){
                depths[node] - depths[node - 1], writing->number_of[call->function], call->line,
                threads_of(&writing->trees, node), report_value(tree, node, METRIC_CALLS),
                report_value(tree, node, METRIC_TIME), report_value(tree, node, METRIC_ERRORS),
                report_value(tree, node, METRIC_ALLOC), longest_of(tree, node)});
    }
    free(depths);
    json_object(&writing->json, "nodes");
    html_columns_put(&columns, &writing->json);
    json_end(&writing->json);
}

static void put_alike(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct table table = {.by = BY_FUNCTION,
                          .tree = report->tree,
                          .old_tree = report->old->tree,
                          .labels = report->labels,
                          .scales_calls = report->old->scales_calls};
    table_init(&table);
    json_array(&writing->json, "alike");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct row *row = &table.rows[i];
        if (row_is_alike(row, table_old(&table, row)))
            json_count(&writing->json, NULL,
                       writing->number_of[table.groups.all[row->group].function]);
    }
    json_end(&writing->json);
    table_release(&table);
}

void html_put_old(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.old;
    struct html_columns columns = {.keys = {"calls", "self", "errors", "heap"}};
    if (!json_object_if(&writing->json, "old", tree->node_count > 0))
        return;
    for (uint32_t node = 1; node < tree->node_count; node++)
        html_columns_add(&columns, (int64_t[]){report_value(tree, node, METRIC_CALLS),
                                               report_value(tree, node, METRIC_TIME),
                                               report_value(tree, node, METRIC_ERRORS),
                                               report_value(tree, node, METRIC_ALLOC)});
    html_columns_put(&columns, &writing->json);
    put_alike(writing);
    json_end(&writing->json);
}
