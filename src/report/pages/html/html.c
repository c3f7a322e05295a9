/*
 * HTML: one page with all results, for any web browser. It loads no other files. Its data is
 * a JSON document (html_data.h), compressed by zlib and in base64; its script (report_*.js)
 * makes all tables and pictures from it. Without the script a reader still sees
 * the first sentences, the functions with the most self time, and the notes.
 *
 * Names from a log are never part of code or markup: here they are escaped, and the script
 * writes them as text. The page's policy allows only our own script and style, by their
 * hashes.
 */
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "report/pages/embedded.h"
#include "report/pages/html/html_data.h"
#include "report/pages/page_text.h"
#include "report/screen/grid.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/watched_comparison.h"
#include "report/sentences/watched_text.h"
#include "report/tables/function_table.h"
#include "report/tables/watched_repeated.h"

static void put_cleaned(struct text *page, const char *string)
{
    SCOPED(text) clean = {0};
    text_put_clean(&clean, span_of(string), false);
    page_put_escaped(page, text_span(&clean));
}

/* Puts a text between two tags, escaped. */
static void put_element(struct text *page, const char *start, struct span text, const char *end)
{
    text_put_string(page, start);
    page_put_escaped(page, text);
    text_put_string(page, end);
}

/* The page without a script --------------------------------------------------------------- */

static const char *kind_of_log(const struct profile *profile)
{
    if (profile->recordings.count > 0)
        return "a recording of profiler.lua";
    if (profile->costs.is_known)
        return "one of delins' profiler, which does not say when something ran";
    return "one of delins' profiler, which does not say when something ran; its cost is "
           "in the times, and most in those of small functions";
}

/* Takes a sentence, whose further lines begin with blanks. */
static struct span take_sentence(struct span *rest)
{
    struct span sentence = span_take(rest, '\n');
    while (rest->length > 0 && rest->at[0] == ' ') {
        struct span more = span_take(rest, '\n');
        sentence.length = (size_t)(more.at + more.length - sentence.at);
    }
    return sentence;
}

/* Returns the sentences of the verdict that answer most: how long Lua took, and the slow ticks; of
 * a watch, its own; of a comparison, what it compares. */
static struct span find_answer(struct span verdict, const struct report *report)
{
    struct span rest = verdict, first = take_sentence(&rest);
    if (report->old != NULL || rest.length == 0)
        return first;
    if (report->shows_watch)
        return take_sentence(&rest);
    struct span answer = rest;
    take_sentence(&rest);
    take_sentence(&rest);
    answer.length -= rest.length + 1;
    return answer;
}

/* Appends which repeated logs are compared, and what is said of them above their tables. */
static void put_repeated_head(struct text *lines, const struct report *report)
{
    SCOPED(repeated_tables) repeated;
    repeated_tables_init(&repeated, report, FOR_PEOPLE);
    repeated_put_head(lines, &repeated);
}

static void put_sentences(struct text *page, const struct report *report,
                          const struct verdict *verdict, bool has_notes)
{
    SCOPED(text) lines = {0}, said = {0};
    if (report->repeated != NULL)
        put_repeated_head(&lines, report);
    else
        summary_put_sentences(&lines, report, verdict);
    summary_put_verdict(&said, verdict);
    struct span rest = text_span(&lines), answer = find_answer(text_span(&said), report);
    text_put_string(page, "<p id=\"sentences\">");
    while (rest.length > 0) {
        bool is_bold = answer.length > 0 && rest.length >= answer.length &&
                       memcmp(rest.at, answer.at, answer.length) == 0;
        if (is_bold)
            text_put_string(page, "<b>");
        for (size_t end = is_bold ? rest.length - answer.length - 1 : rest.length - 1;
             rest.length > end;)
            put_element(page, "", take_sentence(&rest), ". ");
        if (is_bold)
            text_put_string(page, "</b>");
    }
    text_printf(page,
                "The %s is %s%s</p>\n",
                report->compares_logs ? "new log" : "log",
                kind_of_log(report->profile),
                has_notes ? ": <a href=\"#/about\">read the notes</a>."
                          : "; nothing of it is missing.");
}

static void put_findings(struct text *page, const struct findings *findings)
{
    if (findings->count > 0)
        text_put_string(page, "<h2>What stands out</h2>\n<ol>\n");
    for (size_t i = 0; i < findings->count; i++)
        put_element(page, "<li>", text_span(&findings->all[i].text), "</li>\n");
    if (findings->count > 0)
        text_put_string(page, "</ol>\n");
}

static void put_titles(struct text *page, const struct table *table)
{
    text_put_string(page, "<table class=\"rows\">\n<thead><tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        if (column->info->type == TYPE_MARK)
            continue;
        text_put_string(page, "<th scope=\"col\">");
        if (column->info->type == TYPE_LABEL)
            text_put_string(page, table->label_title);
        else
            cell_put_title(page, table, column);
        text_put_string(page, "</th>");
    }
    text_put_string(page, "</tr></thead>\n<tbody>\n");
}

/* A mark has no column: it stands before the label. */
static void put_row(struct text *page, const struct table *table, size_t row, struct cell *cell)
{
    SCOPED(text) mark = {0}, text = {0};
    text_put_string(page, "<tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        table_get(table, row, &table->columns[i], cell);
        if (cell->type == TYPE_MARK && cell->text.length > 0) {
            text_put_span(&mark, text_span(&cell->text));
            text_put_string(&mark, " ");
        } else if (cell->type == TYPE_LABEL) {
            put_element(page, "<th scope=\"row\">", text_span(&mark), "");
            put_element(page, "", text_span(&cell->text), "");
            if (cell->place.length > 0)
                put_element(page, " <small>", text_span(&cell->place), "</small>");
            text_put_string(page, "</th>");
        } else if (cell->type != TYPE_MARK) {
            text_cut(&text, 0);
            cell_put(&text, table, cell);
            put_element(page, "<td>", text_span(&text), "</td>");
        }
    }
    text_put_string(page, "</tr>\n");
}

static void put_table(struct text *page, const struct table *table)
{
    enum { ROW_COUNT = 20 };
    SCOPED(cell) cell = {.room = SIZE_MAX};
    put_titles(page, table);
    for (size_t i = 0; i < table->row_count && i < ROW_COUNT; i++)
        put_row(page, table, i, &cell);
    text_put_string(page, "</tbody>\n</table>\n");
}

/* The functions with the most self time, whatever the options of other formats say; of repeated
 * logs what is said above them: medians, and changes with their intervals. */
static void put_functions(struct text *page, const struct report *report)
{
    struct report shown = *report;
    shown.show = (struct report_options){.by = BY_FUNCTION};
    text_printf(
        page, "<h2>Functions by %sself time</h2>\n", report->old != NULL ? "change of " : "");
    if (report->repeated != NULL) {
        SCOPED(repeated_tables) repeated;
        repeated_tables_init(&repeated, &shown, FOR_PEOPLE);
        put_table(page, &repeated.rows);
        return;
    }
    struct function_table functions;
    function_table_init(&functions, &shown, BY_FUNCTION, FOR_PEOPLE);
    put_table(page, &functions.table);
    function_table_release(&functions);
}

/* Of several watched games without calls: their tables. */
static void put_watches(struct text *page, const struct report *report)
{
    SCOPED(text) lines = {0};
    SCOPED(watched_repeated) watched;
    watched_repeated_init(&watched, report, FOR_PEOPLE);
    put_repeated_head(&lines, report);
    table_put_on_screen(&watched.totals.table, report, SIZE_MAX, &lines, NULL);
    text_put_string(&lines, "\n");
    table_put_on_screen(&watched.rows, report, SIZE_MAX, &lines, NULL);
    put_element(page, "<pre class=\"notes\" id=\"sentences\">", text_span(&lines), "</pre>\n");
}

/* Of a watch alone: what there is not, and what it says. */
static void put_watch(struct text *page, const struct report *report)
{
    SCOPED(text) lines = {0}, verdict = {0};
    summary_put_empty(&lines, report);
    watched_put_sentence(&verdict, report);
    watched_put_growth(&verdict, report);
    text_put_string(page, "<p id=\"sentences\">");
    for (struct span rest = text_span(&lines); rest.length > 0;)
        put_element(page, "", take_sentence(&rest), ". ");
    struct span rest = text_span(&verdict);
    put_element(page, "<b>", take_sentence(&rest), ".</b> ");
    while (rest.length > 0)
        put_element(page, "", take_sentence(&rest), ". ");
    text_put_string(page, "</p>\n");
}

/*
 * The sentences link to the page About. Without the script there is no such page: so the notes
 * have its address as their id.
 */
static void put_static_page(struct text *page, const struct report *report,
                            const struct findings *findings, const struct verdict *verdict)
{
    SCOPED(text) notes = {0};
    if (report->is_empty && report->shows_watch) {
        put_watch(page, report);
        return;
    }
    if (report->is_empty && report->repeats_watches) {
        put_watches(page, report);
        return;
    }
    if (report->is_empty) {
        summary_put_empty(&notes, report);
        if (report->compares_watches)
            watched_comparison_put(&notes, report);
        put_element(page, "<pre class=\"notes\" id=\"sentences\">", text_span(&notes), "</pre>\n");
        return;
    }
    bool has_notes = notes_put_all(&notes, report);
    put_sentences(page, report, verdict, has_notes);
    put_functions(page, report);
    put_findings(page, findings);
    if (notes.length > 0)
        put_element(page, "<pre class=\"notes\" id=\"/about\">", text_span(&notes), "</pre>\n");
}

/* All of it -------------------------------------------------------------------------------- */

static void put_head(struct text *page, const struct report *report)
{
    text_printf(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "script-src %s; style-src %s; worker-src blob:; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"supprof " SUPPROF_VERSION,
        web_report_js.source,
        web_report_css.source);
    if (report->show.commit != NULL)
        text_printf(page, " (%s)", report->show.commit);
    text_put_string(page, "\">\n<title>");
    put_cleaned(page, report->title);
    text_put_string(page, " - supprof</title>\n<style>");
    text_put(page, web_report_css.at, web_report_css.length);
    text_put_string(page, "</style>\n</head>\n");
}

static struct report_result write_html(const struct report *given, struct output *out)
{
    struct report plain = report_plain(given);
    const struct report *report = &plain;
    struct text page = {0};
    SCOPED(findings) findings;
    SCOPED(verdict) verdict;
    findings_find(&findings, report);
    verdict_make(&verdict, report, &findings);
    put_head(&page, report);
    text_put_string(&page, "<body>\n<header id=\"header\"><h1>");
    put_cleaned(&page, report->title);
    text_put_string(&page, "</h1></header>\n<main id=\"page\">\n");
    put_static_page(&page, report, &findings, &verdict);
    text_put_string(&page,
                    "<noscript><p>All other pages of this report need JavaScript.</p></noscript>\n"
                    "</main>\n<script type=\"text/plain\" id=\"data\">");
    static const char script[] = "</script>\n<script type=\"module\">";
    static const char end[] = "</script>\n</body>\n</html>\n";
    size_t rest_bytes = page.length + sizeof script + web_report_js.length + sizeof end;
    output_put_text(out, &page);
    html_data_put(&page, report, &findings, &verdict, rest_bytes);
    text_put_string(&page, script);
    text_put(&page, web_report_js.at, web_report_js.length);
    text_put_string(&page, end);
    output_end_text(out, &page);
    return report_stacks_result(report);
}

const struct report_format report_html = {
    .name = "html",
    .summary = "one page with everything, for web browsers",
    .uses = USES_SOURCES | USES_TEXTS | USES_METRIC | USES_PROFILE | USES_SIZE | USES_LINES |
            USES_CHANGES | SHOWS_COMPARISON | SHOWS_REPEATED | NEEDS_NO_PROFILE | SHOWS_WATCH |
            SHOWS_FINDINGS,
    .suffixes = {".html", ".htm", NULL},
    .write = write_html,
};
