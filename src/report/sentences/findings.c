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

void findings_init(struct findings *findings, const struct findings_source *source)
{
    *findings = (struct findings){0};
    struct finder finder = {
        .source = source,
        .function_count = source->symbols->function_count,
        .all_ns = source->tree->total_ns[TREE_ROOT],
    };
    function_sums_grow(&finder.sums, finder.function_count);
    function_sums_add_own(&finder.sums, source->tree);
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const struct finding_row *row = &finding_rows[kind];
        struct finding *finding = &findings->all[findings->count];
        *finding = (struct finding){
            .kind = (enum finding_kind)kind, .function = TREE_NONE, .caller = TREE_NONE};
        finder.least = row->least;
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
