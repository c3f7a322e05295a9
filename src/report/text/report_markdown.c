/*
 * A summary for a pull request or a forum, in GitHub's Markdown: the first lines of the table for
 * people, its rows, and folded details, in at most 60 lines.
 *
 *     ## supprof: `loud.log`
 *
 *     ```text
 *     loud.log: 61.842 s of Lua in 600 ticks (1:00.0 to 1:59.9), ...
 *     Slow ticks: 14 of 600 over 100 ms, median 61.2 ms. ...
 *     ```
 *
 *     | self s | self% | total s | total% | calls | self/call us | function |
 *     |---:|---:|---:|---:|---:|---:|:---|
 *     | 8.4213 | 13.62 | 9.1024 | 14.72 | 1,204,551 | 7.0 | `next` `[C]` |
 *
 *     <details><summary>Ticks and notes</summary>
 *     ...
 */
#include "report/report.h"

#include "report/row_label.h"
#include "report/text/cell_text.h"
#include "report/text/headline.h"
#include "report/text/markdown_text.h"
#include "report/text/report_benchmarks.h"
#include "report/text/report_recording.h"
#include "report/text/report_summary.h"
#include "report/text/ticks_compared.h"

#include <string.h>

enum {
    HEAD_LINES = 14,
    ROWS = 15,
    DETAIL_LINES = 15,
    WIDTH = 100, /* of lines of code */
    LABEL_WIDTH = 80,
    BENCHMARKS = 4,
};

static struct columns choose_columns(const struct report *report)
{
    static const enum column_kind kinds[] = {COLUMN_SELF,  COLUMN_SELF_PERCENT,
                                             COLUMN_TOTAL, COLUMN_TOTAL_PERCENT,
                                             COLUMN_CALLS, COLUMN_AVERAGE};
    struct columns columns = {0};
    if (report->old != NULL) {
        columns_add_compared(&columns, report->sort);
        columns_add(&columns, COLUMN_CALLS, ASPECT_OLD);
        columns_add(&columns, COLUMN_CALLS, ASPECT_NEW);
        return columns;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        columns_add(&columns, kinds[i], ASPECT_NEW);
    columns_add(&columns, report->sort, ASPECT_NEW);
    return columns;
}

static void put_name(struct text *text, const char *name, size_t width)
{
    struct text clean = {0}, cut = {0};
    text_put_clean(&clean, (struct span){name, strlen(name)}, false);
    text_put_cut(&cut, text_span(&clean), width);
    markdown_put_code(text, text_span(&cut));
    text_release(&clean);
    text_release(&cut);
}

/* Limits --------------------------------------------------------------------------------- */

static void put_limits(struct text *text, const struct report *report)
{
    for (size_t i = 0; i < report->limit_count; i++) {
        const struct limit_result *result = &report->limits[i];
        if (result->is_broken || result->is_unsure) {
            limit_put_result(text, result);
        } else {
            text_put_string(text, "limit kept: ");
            text_put_clean(text, (struct span){result->limit->text, strlen(result->limit->text)},
                           false);
        }
        text_put_string(text, "\n");
    }
}

/* The table ------------------------------------------------------------------------------ */

static void put_label(struct text *text, const struct report *report, const struct table *table,
                      const struct row *row)
{
    struct text name = {0}, place = {0}, cut = {0};
    row_label_put(&name, &place, table, row, report->call_sites);
    /* The end of a stack and of a path says more than their middle. */
    if (table->by == BY_STACK || table->by == BY_FILE)
        text_put_cut_path(&cut, text_span(&name), LABEL_WIDTH);
    else
        text_put_cut(&cut, text_span(&name), LABEL_WIDTH);
    markdown_put_code(text, text_span(&cut));
    if (place.length > 0) {
        cut.length = 0;
        text_put_cut_path(&cut, text_span(&place), LABEL_WIDTH);
        text_put_string(text, " ");
        markdown_put_code(text, text_span(&cut));
    }
    text_release(&name);
    text_release(&place);
    text_release(&cut);
}

static void put_titles(struct text *text, const struct cell_texts *cells,
                       const struct columns *columns)
{
    text_put_string(text, "|");
    for (size_t i = 0; i < columns->count; i++) {
        text_put_string(text, " ");
        cell_put_title(text, cells, columns->list[i]);
        text_put_string(text, " |");
    }
    text_printf(text, " %s |\n|", row_label_title(cells->table->by));
    for (size_t i = 0; i < columns->count; i++)
        text_put_string(text, "---:|");
    text_put_string(text, ":---|\n");
}

static void put_table(struct text *text, const struct report *report)
{
    struct table table;
    struct columns columns = choose_columns(report);
    int64_t all_ns = report->tree->total_ns[TREE_ROOT];
    int64_t old_ns = report->old != NULL ? report->old->tree->total_ns[TREE_ROOT] : 0;
    report_make_table(report, &table, true);
    struct cell_texts cells = {.report = report, .table = &table, .unit = report->unit};
    if (report->unit == UNIT_AUTO)
        cells.unit = report_unit_for(all_ns > old_ns ? all_ns : old_ns);
    cells.average_unit = report->unit == UNIT_AUTO ? UNIT_US : report->unit;
    put_titles(text, &cells, &columns);
    size_t shown = table.row_count < ROWS ? table.row_count : ROWS;
    for (size_t i = 0; i < shown; i++) {
        text_put_string(text, "|");
        for (size_t k = 0; k < columns.count; k++) {
            text_put_string(text, " ");
            cell_put_value(text, &cells, columns.list[k], &table.rows[i]);
            text_put_string(text, " |");
        }
        text_put_string(text, " ");
        put_label(text, report, &table, &table.rows[i]);
        text_put_string(text, " |\n");
    }
    if (shown < table.row_count) {
        text_put_string(text, "\n... and ");
        report_put_count(text, table.row_count - shown, "more row\n", "more rows\n");
    }
    table_release(&table);
}

/* Details -------------------------------------------------------------------------------- */

static void put_worst(struct text *text, const struct report *report)
{
    enum { WORST = 5, FUNCTIONS = 3, ROOM = 66 };
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    if (statistics.count > 0)
        text_put_string(text, "Longest ticks:\n");
    for (size_t i = 0; i < statistics.count && i < WORST; i++) {
        text_put_string(text, "  ");
        recording_put_tick(text, report, statistics.worst[i]);
        text_put_string(text, " ");
        recording_put_ms(text, &statistics, statistics.worst[i]->time_ns);
        text_put_string(text, " ms: ");
        recording_put_functions(text, report, &statistics, statistics.worst[i], FUNCTIONS, ROOM);
        text_put_string(text, "\n");
    }
    tick_statistics_release(&statistics);
}

static void put_details(struct text *text, const struct report *report)
{
    struct text details = {0};
    text_put_string(&details, "supprof " SUPPROF_VERSION "\n");
    bool has_old_ticks = report->old != NULL && report->old->profile->ticks.count > 0;
    bool has_ticks = report->profile->ticks.count > 0;
    if (has_ticks && has_old_ticks)
        ticks_put_compared(&details, report, 0);
    else if (has_ticks)
        put_worst(&details, report);
    recording_put_trust(&details, report, true);
    summary_put_notes(&details, report, UNIT_MS, WIDTH);
    text_put_string(text, has_ticks ? "\n<details><summary>Ticks and notes</summary>\n\n"
                                    : "\n<details><summary>Notes</summary>\n\n");
    markdown_put_block(text, text_span(&details), DETAIL_LINES);
    text_put_string(text, "\n</details>\n");
    text_release(&details);
}

static struct report_result write_markdown(const struct report *given, struct output *out)
{
    struct text text = {0}, head = {0};
    /* Not as wide as a terminal. */
    struct report plain = *given;
    const struct report *report = &plain;
    plain.is_colored = false;
    plain.width = WIDTH;
    plain.height = 0;
    text_put_string(&text, "## supprof: ");
    put_name(&text, report->title, LABEL_WIDTH);
    text_put_string(&text, "\n\n");
    if (!summary_is_empty(report)) {
        summary_put_start(&head, report);
        headline_put_ticks(&head, report);
        headline_put_findings(&head, report);
    }
    put_limits(&head, report);
    benchmarks_put(&head, report, BENCHMARKS);
    markdown_put_block(&text, text_span(&head), HEAD_LINES);
    if (!summary_is_empty(report)) {
        text_put_string(&text, "\n");
        put_table(&text, report);
        put_details(&text, report);
    }
    output_put(out, text.at, text.length);
    text_release(&text);
    text_release(&head);
    return report_stacks_result(report);
}

const struct report_format report_markdown = {
    .name = "markdown",
    .summary = "a summary for a pull request or a forum",
    .manual = "A summary in GitHub's Markdown, of at most 60 lines: the first lines of {top}, the "
              "limits of {--fail-if}, benchmarks, 15 rows, and folded the ticks and notes. "
              "All names are code, so that nothing in a log becomes a link or a mention.",
    .uses = USES_ROWS | USES_UNIT | USES_CALL_SITES | USES_PROFILE,
    .suffixes = {".md", NULL},
    .uses_lines = true,
    .compares = true,
    .shows_benchmarks = true,
    .write = write_markdown,
};
