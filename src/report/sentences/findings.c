#include "report/sentences/findings.h"

#include "report/sentences/finder.h"

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    return ORDER(finding_rows[a->kind].is_about_log, finding_rows[b->kind].is_about_log,
                 ORDER(b->time_ns, a->time_ns, ORDER(a->kind, b->kind, 0)));
}

/* What all functions take at usual prices, and what recording a call costs. */
static void sum_usual(struct finder *finder)
{
    const struct work_sums *work = &finder->profile->work;
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

bool findings_are_wanted(const struct report *report)
{
    return report->old == NULL && !selection_changes_stacks(report->selection);
}

void findings_find(struct findings *findings, const struct report *report)
{
    *findings = (struct findings){0};
    if (!findings_are_wanted(report))
        return;
    struct finder finder = {
        .report = report,
        .profile = report->profile,
        .function_count = report->profile->symbols.function_count,
        .all_ns = report_total_ns(report),
    };
    function_sums_grow(&finder.sums, finder.function_count);
    function_sums_add_tree(&finder.sums, report->tree);
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

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        text_release(&findings->all[i].text);
    findings->count = 0;
}
