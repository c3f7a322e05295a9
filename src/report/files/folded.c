/*
 * Stackcollapse, for speedscope, flamegraph.pl, inferno and the Firefox Profiler:
 * a line `root;child;leaf <integer>` for each stack with time of its own, LF only,
 * sorted by frames. Requirements of the readers (from their formats, tested with them):
 *
 * - The weight is an integer: some readers drop or cut decimals. Rounding to whole
 *   units changes each line by up to half a unit, which adds up if most stacks are
 *   shorter than that. So the remainder of each line is carried into the next: the
 *   sum of any range of lines, and so of any subtree, is exact to one unit.
 * - Two profiles compared have two weights, the old and the new one: the differential
 *   format that difffolded.pl writes and flamegraph.pl colours.
 * - All readers drop a negative weight silently, so it is clamped to 0 and the
 *   clamped sum is reported. A line with weight 0 is left out.
 */
#include "base/number.h"
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/figures/report.h"
#include "report/sentences/amounts.h"
#include "tree/tree.h"

static void enter(struct stack_path *path, const struct report *report, const struct tree *tree,
                  const struct span *lasting, uint32_t node)
{
    const struct call *call = &tree->calls[node];
    stack_path_enter(path, tree, node, ";");
    if (call->parent != TREE_ROOT && report->show.call_sites)
        stack_put_call_site(
            &path->text, report->labels, tree->calls[call->parent].function, call->line);
    text_put_span(&path->text, lasting[call->function]);
}

/* Returns the weight in whole units; the remainder goes into *carry_ns. */
static int64_t weigh(int64_t self_ns, int64_t unit_ns, int64_t *carry_ns)
{
    int64_t exact_ns = self_ns + *carry_ns;
    int64_t weight = (exact_ns + unit_ns / 2) / unit_ns;
    *carry_ns = exact_ns - weight * unit_ns;
    return weight;
}

/* A column of weights. */
struct weights {
    const struct tree *tree;
    enum report_metric metric;
    int64_t unit_ns; /* 1 if the metric is not time */
    int64_t carry_ns, clamped_ns;
};

static int64_t next_weight(struct weights *weights, uint32_t node, double factor)
{
    int64_t value = report_value(weights->tree, node, weights->metric);
    if (value < 0) {
        weights->clamped_ns -= value;
        return 0;
    }
    return weigh(number_scaled(value, factor), weights->unit_ns, &weights->carry_ns);
}

/* The factor that scales the old times of a stack to the new number of calls. */
static double scale_of(const struct report *report, const struct tree *old_tree,
                       const struct tree *tree, uint32_t node)
{
    uint64_t old_calls = old_tree->call_counts[node];
    uint64_t calls = tree->call_counts[node];
    bool is_scaled = report->old->scales_calls && report->show.metric == METRIC_TIME && calls > 0 &&
                     old_calls > 0;
    return is_scaled ? (double)calls / (double)old_calls : 1;
}

/* Returns whether there was anything to write. */
static bool write_line(struct output *out, struct stack_path *path, bool is_compared,
                       int64_t old_weight, int64_t weight)
{
    struct text *line = &path->text;
    size_t length = line->length;
    if (weight == 0 && old_weight == 0)
        return false;
    text_put_string(line, " ");
    if (is_compared) {
        text_put_number(line, old_weight);
        text_put_string(line, " ");
    }
    text_put_number(line, weight);
    text_put_string(line, "\n");
    output_put(out, line->at, line->length);
    text_cut(line, length);
    return true;
}

static struct report_result write_folded(const struct report *report, struct output *out)
{
    const struct tree *tree = report_listed(report), *old_tree = report_old_listed(report);
    enum report_unit unit = report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit;
    int64_t unit_ns = report->show.metric == METRIC_TIME ? amount_units[unit].ns : 1;
    struct weights now = {tree, report->show.metric, unit_ns, 0, 0};
    struct weights old = {old_tree, report->show.metric, unit_ns, 0, 0};
    SCOPED_ARRAY struct span *lasting =
        labels_find_lasting(report->labels, &report->profile->symbols);
    SCOPED(stack_path) path = {0};
    SCOPED(tree_order) order;
    tree_order_init(&order, tree, report->labels->ranks);

    uint64_t line_count = 0;
    for (uint32_t place = 1; place < tree->node_count && !output_has_failed(out); place++) {
        uint32_t node = order.nodes[place];
        enter(&path, report, tree, lasting, node);
        int64_t weight = next_weight(&now, node, 1);
        int64_t old_weight =
            old_tree == NULL ? 0 : next_weight(&old, node, scale_of(report, old_tree, tree, node));
        line_count += write_line(out, &path, old_tree != NULL, old_weight, weight);
    }
    return (struct report_result){.count = line_count,
                                  .one = "stack",
                                  .many = "stacks",
                                  .clamped_ns = now.clamped_ns + old.clamped_ns};
}

const struct report_format report_folded = {
    .name = "folded",
    .summary = "stackcollapse, for flame graph viewers",
    .uses = USES_UNIT | USES_METRIC | USES_CALL_SITES | USES_PROFILE | USES_PATHS |
            SHOWS_COMPARISON | SHOWS_REPEATED | SHOWS_SUMS,
    .suffixes = {".folded", ".txt", NULL},
    .write = write_folded,
};
