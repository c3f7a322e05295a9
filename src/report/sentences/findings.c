#include "report/sentences/findings.h"

#include "report/sentences/finder.h"
#include "report/sentences/recorder_cost.h"

#include <stdlib.h>

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left;
    const struct finding *b = right;
    int order = finding_rows[a->kind].is_about_log - finding_rows[b->kind].is_about_log;
    if (order != 0)
        return order;
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

/* What all functions take at usual prices, and what recording a call costs. */
static void sum_usual(struct finder *finder)
{
    const struct work_sums *work = finder->source->work;
    double cost_ns = 0, calls = 0;
    for (uint32_t i = 0; i < finder->function_count; i++) {
        const struct function_sum *sum = &finder->sums.at[i];
        finder->usual_ns += finder_usual_ns(finder, i, sum->self_ns);
        calls += (double)sum->calls;
        if (i < work->function_count)
            cost_ns += work->functions[i].measured_ns - (double)sum->self_ns;
    }
    finder->call_cost_ns = calls > 0 ? cost_ns / calls : 0;
}

void findings_init(struct findings *findings, const struct findings_source *source)
{
    *findings = (struct findings){0};
    struct finder finder = {
        .source = source,
        .function_count = source->symbols->function_count,
        .all_ns = source->tree->total_ns[TREE_ROOT],
    };
    function_sums_grow(&finder.sums, finder.function_count);
    function_sums_add_tree(&finder.sums, source->tree);
    sum_usual(&finder);
    finder.found = findings->all;
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const struct finding_row *row = &finding_rows[kind];
        struct finding *finding = &findings->all[findings->count];
        *finding = (struct finding){
            .kind = (enum finding_kind)kind, .function = TREE_NONE, .caller = TREE_NONE};
        finder.least = row->least;
        finder.found_count = findings->count;
        if (row->measure(&finder, finding) >= row->least) {
            row->put(&finder, finding, &finding->text);
            findings->count++;
        }
    }
    function_sums_release(&finder.sums);
    qsort(findings->all, findings->count, sizeof *findings->all, compare_findings);
    while (findings->count > FINDINGS_MAX)
        text_release(&findings->all[--findings->count].text);
}

bool findings_are_wanted(const struct report *report)
{
    return report->old == NULL && !selection_changes_stacks(report->selection);
}

void findings_find(struct findings *findings, const struct report *report)
{
    *findings = (struct findings){0};
    if (!findings_are_wanted(report))
        return;
    struct findings_source source = {
        .tree = report->tree,
        .symbols = &report->profile->symbols,
        .labels = report->labels,
        .ticks = &report->profile->ticks,
        .slow = &report->profile->slow,
        .work = &report->profile->work,
        .clock_step_ns = recorder_cost_sum_up(report->profile).step_ns,
        .wrong_callers = report->wrong_callers,
        .long_calls = report->long_calls,
        .has_sources = report->has_sources,
    };
    findings_init(findings, &source);
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        text_release(&findings->all[i].text);
    findings->count = 0;
}
