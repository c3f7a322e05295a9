#include "report/screen/function_heading.h"

#include "report/figures/flags.h"
#include "report/figures/label_texts.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/wrap.h"

void function_heading_put_pattern(struct text *text, const struct report *report, const char *what,
                                  const struct pattern *pattern, size_t count)
{
    struct text line = {0};
    text_printf(&line, "%s: '", what);
    text_put_clean(&line, pattern_text(pattern), false);
    text_printf(&line, "' matches %s", amount_things(count, "function", "functions").at);
    wrap_put_line(text, report->width, 6, &line);
    text_put_string(text, "\n");
}

static void put_call_count(struct text *text, const struct report *report,
                           const struct edge_function *function)
{
    const struct label *label = &report->labels->of[function->function];
    if (report->old != NULL && function->function >= report->old->gone_from)
        text_put_string(text, "only in the old log");
    else if (function->calls > 0 || selection_changes_stacks(report->selection))
        text_put_string(text, amount_sum_things(report, function->calls, "call", "calls").at);
    else if (label->name == label->place)
        text_put_string(text, "no calls of its own");
    else
        text_printf(text, "no calls: %s", notes_no_calls_reason(report));
}

static void put_sums(struct text *text, const struct report *report,
                     const struct edge_function *function, enum report_unit unit)
{
    int64_t self_ns = function->self_ns, total_ns = function->total_ns;
    int64_t all_ns = tree_share_ns(report->tree);
    int decimals = amount_units[unit].decimals;
    struct text sums = {0};
    text_printf(&sums,
                "  self %s%s, total %s%s, ",
                amount_sum_time(report, self_ns, unit, decimals).at,
                amount_share(" (", self_ns, all_ns, "%)").at,
                amount_sum_time(report, total_ns, unit, decimals).at,
                amount_share(" (", total_ns, all_ns, "%)").at);
    put_call_count(&sums, report, function);
    uint64_t errors = report_function_sums(report, false)[function->function].details.errors;
    if (errors > 0)
        text_printf(&sums, ", %s ended by an error", amount_sum_count(report, errors).at);
    if (function->is_recursive)
        text_put_string(&sums, ", recursive");
    enum flag flag = flag_of_function(report, function->function);
    text_printf(&sums, "%s%s", flag != FLAG_NONE ? ", " : "", flag_infos[flag].sign);
    wrap_put_line(text, report->width, 4, &sums);
}

void function_heading_put(struct text *text, const struct report *report,
                          const struct edge_function *function, enum report_unit unit)
{
    size_t width = report->width;
    const struct label_room room = {
        .width = width != 0 ? width : SIZE_MAX, .is_colored = report->is_colored, .is_bold = true};
    SCOPED(text) name = {0}, place = {0};
    function_label_put(&name, &place, report->labels, function->function);
    fitted_label_put(text, &room, text_span(&name), text_span(&place));
    text_put_string(text, "\n");
    put_sums(text, report, function, unit);
}
