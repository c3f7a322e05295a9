/*
 * Stackcollapse, for speedscope, flamegraph.pl, inferno and the Firefox Profiler:
 * a line `root;child;leaf <integer>` for each stack with time of its own, LF only,
 * sorted by frames. What the readers need (formats of the tools, tried with them):
 *
 * - The weight is an integer: a decimal is dropped by one and cut by another. A
 *   time in whole units loses up to half of one in each line, which adds up where
 *   most stacks are shorter than that. So the rest of each line is carried into
 *   the next: any run of lines, and so any subtree, is right to one unit.
 * - A negative weight is dropped silently by all, so it is clamped to 0 and the
 *   sum of what was clamped is reported. A line of 0 is left out.
 */
#include "report.h"

#include "mem.h"

#include <stdlib.h>

/* The stack of the node that is looked at, and where its text ends at each depth. */
struct path {
    const struct report *report;
    const struct tree *tree;
    struct text text;
    size_t *ends; /* [depth] */
    size_t depth, capacity;
};

static void enter(struct path *path, uint32_t node)
{
    path->ends = mem_grow(path->ends, &path->capacity, path->depth + 1, sizeof *path->ends);
    path->ends[path->depth++] = path->text.length;
    const struct call *call = &path->tree->calls[node];
    const struct labels *labels = path->report->labels;
    if (path->depth > 1) {
        text_put_string(&path->text, ";");
        if (path->report->call_sites)
            table_put_call_site(&path->text, labels, path->tree->calls[call->parent].function,
                                call->line);
    }
    struct span label = labels_text(labels, labels->labels[call->function].label);
    text_put(&path->text, label.at, label.length);
}

static void leave(void *context, uint32_t node)
{
    (void)node;
    struct path *path = context;
    path->text.length = path->ends[--path->depth];
}

/* Returns the weight in whole units; what is left over goes into *carry_ns. */
static int64_t weigh(int64_t self_ns, int64_t unit_ns, int64_t *carry_ns)
{
    int64_t exact_ns = self_ns + *carry_ns;
    int64_t weight = (exact_ns + unit_ns / 2) / unit_ns;
    *carry_ns = exact_ns - weight * unit_ns;
    return weight;
}

static uint32_t *function_ranks(const struct report *report)
{
    uint32_t count = report->profile->symbols.function_count;
    uint32_t *rank = mem_zeroed(count, sizeof *rank);
    for (uint32_t i = 0; i < count; i++)
        rank[i] = report->labels->labels[i].rank;
    return rank;
}

static void write_folded(struct report *report, FILE *out)
{
    const struct tree *tree = report->call_sites ? report->tree : report_paths_tree(report);
    enum report_unit unit = report->unit == UNIT_AUTO ? UNIT_US : report->unit;
    struct path path = {.report = report, .tree = tree};
    struct text number = {0};
    uint32_t *rank = function_ranks(report);
    struct tree_links links;
    tree_link(&links, tree, rank);
    free(rank);

    bool is_time = report->metric == METRIC_TIME;
    int64_t unit_ns = is_time ? report_unit_ns(unit) : 1;
    int64_t carry_ns = 0, clamped_ns = 0;
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave, &path)) != TREE_NONE) {
        enter(&path, node);
        int64_t value = report_value(tree, node, report->metric);
        if (value < 0) {
            clamped_ns -= value;
            continue;
        }
        int64_t weight = weigh(value, unit_ns, &carry_ns);
        if (weight == 0)
            continue;
        number.length = 0;
        text_put_number(&number, weight);
        fwrite(path.text.at, 1, path.text.length, out);
        fputc(' ', out);
        fwrite(number.at, 1, number.length, out);
        fputc('\n', out);
    }
    report->clamped_ns = clamped_ns;
    tree_links_release(&links);
    text_release(&path.text);
    text_release(&number);
    free(path.ends);
}

const struct report_format report_folded = {
    .name = "folded",
    .summary = "stackcollapse, for flame graph viewers",
    .suffixes = {".folded", ".txt", NULL},
    .uses_paths = true,
    .write = write_folded,
};
