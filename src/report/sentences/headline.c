#include "report/sentences/headline.h"

#include "report/sentences/amounts.h"
#include "report/sentences/judged_findings.h"
#include "report/sentences/next_option.h"
#include "report/sentences/wrap.h"

/* Appends the option that shows more of a finding. */
static void put_option_of_finding(struct text *text, const struct report *report,
                                  const struct finding *finding)
{
    const char *option = finding_rows[finding->kind]->option;
    bool is_trend = finding->kind == FINDING_TREND, is_loop = finding->kind == FINDING_LOOP;
    uint32_t caller = is_loop ? finding->caller : finding->function;
    if (is_trend && finding_number(finding, "last_threads") > 0)
        text_put_string(text, "--threads");
    else if (is_trend || is_loop)
        next_option_put_function(text,
                                 report,
                                 caller,
                                 symbols_is_c(&report->profile->symbols, caller) ? "--peek"
                                                                                 : "--list",
                                 "");
    else if (finding->kind == FINDING_INTERRUPTED && report->ticks.count == 0)
        next_option_put_function(text, report, finding->function, "--peek", "");
    else if (finding->kind == FINDING_WHAT_IF)
        next_option_put_function(text, report, finding->function, option, "/2");
    else if (option != NULL)
        text_put_string(text, option);
    else
        next_option_put_function(text, report, finding->function, "--peek", "");
}

enum { INDENT = 2 };

/* Whether the report is that of --ticks: by the option or by the format. */
static bool is_of_ticks(const struct report *report)
{
    return report_asks(&report->show, TABLE_TICKS) || report->table == TABLE_TICKS ||
           report->table == TABLE_WHAT_IF;
}

/* Whether an option is for another report than this one, which it cannot be added to. */
static bool is_other_report(const struct report *report, struct span option)
{
    bool is_usual = report->show.by == BY_FUNCTION && !is_of_ticks(report) &&
                    report->profile->rebuild.limit_ns == 0;
    return (report->show.has_threads && span_starts_with(option, "--tick ")) ||
           (report->show.by != BY_FUNCTION && span_is(option, "--threads")) ||
           (!is_usual && (span_starts_with(option, "--peek ") ||
                          span_starts_with(option, "--list ") || span_is(option, "--ticks")));
}

/* Whether the report is by this option already. */
static bool is_given(const struct report *report, struct span option)
{
    const struct report_options *show = &report->show;
    const struct columns *columns = &show->columns;
    struct span value = option, name = span_take(&value, ' ');
    if (span_is(name, "--sort"))
        return span_is(value, column_infos[show->sort].word);
    if (span_is(name, "--columns"))
        return columns->count > 0 && columns->list[0].kind == COLUMN_NOISE;
    return (span_is(name, "--threads") && show->has_threads) ||
           (span_is(option, "--ticks") && is_of_ticks(report));
}

/* Appends a paragraph, and releases the sentence and the option. */
static void put(struct text *text, const struct report *report, const char *style,
                struct text *sentence, struct text *option)
{
    struct wrap wrap = {.width = report->width,
                        .indent = INDENT,
                        .style = style,
                        .is_colored = report->is_colored,
                        .is_marked = report->marks_hints,
                        .option = report->has_no_options || is_given(report, text_span(option))
                                      ? span_of("")
                                      : text_span(option),
                        .is_other = is_other_report(report, text_span(option))};
    wrap_put(text, &wrap, text_span(sentence));
    text_release(sentence);
    text_release(option);
}

void headline_put_part(struct text *text, const struct report *report, const char *style,
                       const struct verdict_part *part)
{
    struct text sentences = {0}, option = {0};
    for (struct span rest = text_span(&part->text); rest.length > 0;) {
        if (sentences.length > 0)
            text_put_string(&sentences, ". ");
        text_put_span(&sentences, span_take(&rest, '\n'));
    }
    text_put_span(&option, text_span(&part->option));
    if (sentences.length > 0)
        put(text, report, style, &sentences, &option);
    else
        text_release(&option);
}

void headline_put_same_work(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    if (judged_is_of_computer(report, &sentence))
        put(text, report, NULL, &sentence, &option);
}

void headline_put_judged(struct text *text, const struct report *report)
{
    enum { USUAL_LINES = 6, PART = 12 };
    /* With --repeated, sums stand above the table, too. */
    size_t lines_max = report->repeated != NULL ? report->height / PART : USUAL_LINES;
    struct judged judged[JUDGED_MAX];
    size_t count = judged_find(judged, report), begin = text->length, shown = 0;
    for (size_t lines = 0, end = begin; shown < count; shown++, end = text->length) {
        struct text option = {0};
        put(text, report, NULL, &judged[shown].text, &option);
        lines = wrap_count_lines(span_from(text_span(text), begin));
        if (report->height == 0 || lines <= lines_max)
            continue;
        text_cut(text, end);
        break;
    }
    if (shown < count)
        text_printf(text,
                    "... and %s (-f json shows all)\n",
                    amount_things(count - shown, "more finding", "more findings").at);
    judged_release(judged, count);
}

size_t headline_put_findings(struct text *text, const struct report *report,
                             const struct findings *findings, size_t lines_max,
                             uint32_t functions[HEADLINE_FINDINGS_MAX])
{
    size_t start = text->length, shown = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->all[i];
        struct text sentence = {0}, option = {0};
        size_t end = text->length;
        bool is_question = finding->kind == FINDING_CANDIDATES;
        /* The verdict says it, or the list of what there is besides. */
        bool is_elsewhere = finding->kind == FINDING_COMPUTER || finding->kind == FINDING_NO_NAMES;
        if (is_elsewhere || (!is_question && shown == HEADLINE_FINDINGS_MAX))
            continue;
        if (!is_question)
            text_printf(&sentence, "[%zu] ", shown + 1);
        text_put_span(&sentence, text_span(&finding->text));
        put_option_of_finding(&option, report, finding);
        put(text, report, NULL, &sentence, &option);
        bool has_room = wrap_count_lines(span_from(text_span(text), start)) <= lines_max;
        if (!has_room && (is_question || shown > 0))
            text_cut(text, end);
        else if (!is_question)
            functions[shown++] = finding->repair.function != TREE_NONE ? finding->repair.function
                                                                       : finding->function;
    }
    return shown;
}
