/*
 * A summary for a pull request or a forum, in GitHub's Markdown: the first lines of the table for
 * people, its rows, and folded details, in at most 60 lines.
 *
 *     ## supprof: `loud.log`
 *
 *     ```text
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game, ...
 *     Lua took 61.842 s, 41% of the real time. 14 of 600 ticks were slow (over 100 ms), ...
 *     ```
 *
 *     | self% | total% | self s | total s | calls | each us | function |
 *     |---:|---:|---:|---:|---:|---:|:---|
 *     | 13.62 | 14.72 | 8.4213 | 9.1024 | 1,204,551 | 7.0 | `next` `[C]` `[1]` |
 *
 *     ```text
 *     [1] next is 14% of ...
 *     ```
 *
 *     <details><summary>Ticks and notes</summary>
 *     ...
 */
#include "report/figures/formats.h"

#include "report/figures/flags.h"
#include "report/figures/label_texts.h"
#include "report/figures/watched.h"
#include "report/screen/function_heading.h"
#include "report/sentences/amounts.h"
#include "report/sentences/headline.h"
#include "report/sentences/limits.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "report/sentences/watched_comparison.h"
#include "report/sentences/watched_text.h"
#include "report/tables/tables.h"
#include "report/tables/watched_repeated.h"

/* The longest run of backticks. */
static size_t longest_run(struct span span)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < span.length; i++) {
        run = span.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_backticks(struct text *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_put_string(text, "`");
}

void markdown_put_code(struct text *text, struct span clean)
{
    static const char bar[] = "\xe2\x94\x82";
    size_t fence = longest_run(clean) + 1;
    bool is_blank = true;
    for (size_t i = 0; i < clean.length; i++)
        is_blank &= clean.at[i] == ' ';
    /* A blank at both ends is taken off, so that a backtick can stand there. */
    bool is_padded = !is_blank && (fence > 1 || clean.at[0] == ' ');
    put_backticks(text, fence);
    if (is_padded)
        text_put_string(text, " ");
    for (size_t i = 0; i < clean.length; i++) {
        bool is_after_escape = i > 0 && clean.at[i - 1] == '\\';
        if (clean.at[i] == '|')
            text_put_string(text, is_after_escape ? bar : "\\|");
        else
            text_put(text, &clean.at[i], 1);
    }
    if (clean.length == 0 || is_padded)
        text_put_string(text, " ");
    put_backticks(text, fence);
}

void markdown_put_block(struct text *text, struct span lines, size_t line_max)
{
    enum { FENCE_MIN = 3 };
    size_t fence = longest_run(lines) + 1, count = 0;
    fence = fence < FENCE_MIN ? FENCE_MIN : fence;
    for (size_t i = 0; i < lines.length; i++)
        count += lines.at[i] == '\n';
    size_t shown = count > line_max ? line_max - 1 : count;
    put_backticks(text, fence);
    text_put_string(text, "text\n");
    for (size_t i = 0; i < shown; i++) {
        text_put_span(text, span_take(&lines, '\n'));
        text_put_string(text, "\n");
    }
    if (shown < count)
        text_printf(text, "... and %zu more lines\n", count - shown);
    put_backticks(text, fence);
    text_put_string(text, "\n");
}

enum {
    HEAD_LINES = 14,
    FINDING_LINES = 8,
    ROWS = 15,
    DETAIL_LINES = 15,
    WIDTH = 100, /* of lines of code */
    LABEL_WIDTH = 80,
    BENCHMARKS = 4,
    LIST_LINES = 40,
    TREE_ROWS = 20,
};

static void put_name(struct text *text, const char *name, size_t width)
{
    SCOPED(text) clean = {0}, cut = {0};
    text_put_clean(&clean, span_of(name), false);
    text_put_cut(&cut, text_span(&clean), width);
    markdown_put_code(text, text_span(&cut));
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
            text_put_clean(text, span_of(result->limit->text), false);
        }
        text_put_string(text, "\n");
    }
}

static void put_what_ifs(struct text *text, const struct report *report)
{
    for (size_t i = 0; report->what_if != NULL && i < report->what_if->count; i++) {
        const struct what_if_row *row = &report->what_if->rows[i];
        text_put_string(text, "What if ");
        text_put_clean(text, span_of(row->text), false);
        text_printf(text,
                    ": %s slow %s instead of %s, median %s, longest %s\n",
                    amount_count(row->then.over_count).at,
                    tick_kinds[report->profile->ticks.state].many,
                    amount_count(report->what_if->now.over_count).at,
                    tick_time(report, row->then.median_ns).at,
                    tick_time(report, row->then.longest_ns).at);
    }
}

/* The table ------------------------------------------------------------------------------ */

/* The end of a stack and of a path says more than their middle. */
static void put_label(struct text *text, enum table_by by, const struct cell *cell)
{
    SCOPED(text) cut = {0};
    if (by == BY_STACK || by == BY_FILE)
        text_put_cut_path(&cut, text_span(&cell->text), LABEL_WIDTH);
    else
        text_put_cut(&cut, text_span(&cell->text), LABEL_WIDTH);
    markdown_put_code(text, text_span(&cut));
    if (cell->place.length > 0) {
        text_cut(&cut, 0);
        text_put_cut_path(&cut, text_span(&cell->place), LABEL_WIDTH);
        text_put_string(text, " ");
        markdown_put_code(text, text_span(&cut));
    }
    if (cell->suffix.length > 0) {
        struct span suffix = text_span(&cell->suffix);
        while (suffix.length > 0 && suffix.at[0] == ' ')
            suffix = span_from(suffix, 1);
        text_put_string(text, " ");
        markdown_put_code(text, suffix);
    }
}

/* A mark has no column: it stands before the label. */
static void put_titles(struct text *text, const struct table *table, const char *label_title)
{
    text_put_string(text, "|");
    for (size_t i = 0; i < table->column_count; i++) {
        enum column_type type = table->columns[i].info->type;
        if (type == TYPE_MARK)
            continue;
        text_put_string(text, " ");
        if (type == TYPE_LABEL)
            text_put_string(text, label_title);
        else
            cell_put_title(text, table, &table->columns[i]);
        text_put_string(text, " |");
    }
    text_put_string(text, "\n|");
    for (size_t i = 0; i < table->column_count; i++) {
        enum column_type type = table->columns[i].info->type;
        if (type != TYPE_MARK)
            text_put_string(text, type == TYPE_TEXT || type == TYPE_LABEL ? ":---|" : "---:|");
    }
    text_put_string(text, "\n");
}

/* Only labels have text of the log: other texts of tables for people are ours. */
static void put_row(struct text *text, const struct table *table, size_t row, struct cell *cell)
{
    text_put_string(text, "|");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        table_get(table, row, column, cell);
        bool is_mark = column->info->type == TYPE_MARK;
        bool is_first = i == 0 || table->columns[i - 1].info->type != TYPE_MARK;
        if (is_first)
            text_put_string(text, " ");
        if (column->info->type == TYPE_LABEL)
            put_label(text, table->by, cell);
        else
            cell_put(text, table, cell);
        if (!is_mark)
            text_put_string(text, " |");
        else if (cell->text.length > 0)
            text_put_string(text, " ");
    }
    text_put_string(text, "\n");
}

/* How many rows of a table are shown, if it has more. */
static size_t rows_most(const struct report *report)
{
    return report->show.has_rows ? report_row_limit(report) : ROWS;
}

/* Appends the rows of a group, or of all, but `most` at most. */
static void put_rows(struct text *text, const struct table *table, size_t group, size_t most)
{
    const struct table_group *groups = table->groups;
    SCOPED(cell) cell = {.room = LABEL_WIDTH};
    size_t row = groups != NULL ? groups[group].first_row : 0, end = table->row_count;
    if (group + 1 < table->group_count)
        end = groups[group + 1].first_row;
    size_t count = end - row, shown = count < most ? count : most;
    for (size_t i = 0; i < shown; i++)
        put_row(text, table, row + i, &cell);
    count += groups != NULL ? groups[group].hidden_count : 0;
    if (count > shown)
        text_printf(
            text, "\n... and %s\n", amount_things(count - shown, "more row", "more rows").at);
}

static void put_table(struct text *text, const struct table *table, size_t most)
{
    size_t group = 0;
    do {
        if (group > 0)
            text_put_string(text, "\n");
        const char *title = table->groups != NULL ? table->groups[group].label_title : NULL;
        put_titles(text, table, title != NULL ? title : table->label_title);
        put_rows(text, table, group, most);
    } while (++group < table->group_count);
}

static void put_shown(struct table_walk *walk, const struct table *table)
{
    struct text *text = walk->context;
    SCOPED(text) heading = {0};
    if (table->row_count == 0)
        return;
    text_put_string(text, "\n");
    if (table->function != NULL) {
        function_heading_put(&heading, walk->report, table->function, table->unit);
        markdown_put_block(text, text_span(&heading), SIZE_MAX);
        text_put_string(text, "\n");
    }
    put_table(text, table, rows_most(walk->report));
}

/* Details -------------------------------------------------------------------------------- */

static void put_worst(struct text *text, const struct report *report)
{
    enum { WORST = 5, FUNCTIONS = 3, ROOM = 66 };
    const struct tick_statistics *ticks = &report->ticks;
    if (ticks->count > 0)
        text_printf(text, "Longest %s:\n", tick_kinds[report->profile->ticks.state].many);
    for (size_t i = 0; i < ticks->row_count && i < WORST; i++) {
        text_printf(text,
                    "  %s %s: ",
                    tick_name(report, ticks->worst[i]).at,
                    tick_time(report, ticks->worst[i]->time_ns).at);
        tick_put_functions(text, report, ticks->worst[i], FUNCTIONS, ROOM);
        text_put_string(text, "\n");
    }
}

static void put_details(struct text *text, const struct report *report)
{
    SCOPED(text) details = {0};
    text_put_string(&details, "supprof " SUPPROF_VERSION "\n");
    bool has_old_ticks = report->old != NULL && report->old->ticks.count > 0;
    bool has_ticks = report->ticks.count > 0;
    if (has_ticks && has_old_ticks)
        ticks_put_compared(&details, report, 0);
    else if (has_ticks)
        put_worst(&details, report);
    recorder_cost_put_details(&details, report, true);
    notes_put(&details, report, UNIT_MS);
    const char *ticks = tick_kinds[report->profile->ticks.state].title;
    text_printf(text,
                "\n<details><summary>%s%s</summary>\n\n",
                has_ticks ? ticks : "Notes",
                has_ticks ? "s and notes" : "");
    markdown_put_block(text, text_span(&details), DETAIL_LINES);
    text_put_string(text, "\n</details>\n");
}

/* The source of --list, and the call tree, which a click unfolds. */
static void put_lists(struct text *text, const struct report *report)
{
    SCOPED(text) lines = {0};
    if (report_asks(&report->show, TABLE_LIST)) {
        tables_put(
            &lines, report, TABLE_LIST, report_shows_all(report) ? SIZE_MAX : LIST_LINES, NULL);
        text_put_string(text, "\n");
        markdown_put_block(text, text_span(&lines), SIZE_MAX);
        text_cut(&lines, 0);
    }
    if (report_asks(&report->show, TABLE_TREE)) {
        tables_put(&lines, report, TABLE_TREE, TREE_ROWS, NULL);
        text_put_string(text, "\n<details><summary>Call tree</summary>\n\n");
        markdown_put_block(text, text_span(&lines), SIZE_MAX);
        text_put_string(text, "\n</details>\n");
    }
}

/* The functions, and below them what stands out, whose numbers are in the rows. */
static void put_functions(struct table_walk *walk, const struct findings *findings)
{
    uint32_t numbered[HEADLINE_FINDINGS_MAX];
    SCOPED(text) found = {0};
    walk->numbered_count =
        headline_put_findings(&found, walk->report, findings, SIZE_MAX, numbered);
    walk->numbered = numbered;
    summary_put_also(&found, walk->report, findings);
    table_kinds[TABLE_FUNCTIONS]->walk(walk);
    walk->numbered_count = 0;
    text_put_string(walk->context, "\n");
    markdown_put_block(walk->context, text_span(&found), FINDING_LINES);
}

static void put_repeated(struct text *text, const struct report *report)
{
    SCOPED(text) head = {0}, notes = {0};
    SCOPED(repeated_tables) tables;
    SCOPED(watched_repeated) watched;
    watched_repeated_init(&watched, report, FOR_PEOPLE);
    repeated_tables_init(&tables, report, FOR_PEOPLE);
    repeated_put_head(&head, &tables);
    put_limits(&head, report);
    benchmarks_put(&head, report, BENCHMARKS);
    markdown_put_block(text, text_span(&head), HEAD_LINES);
    if (watched.totals.count > 0) {
        text_put_string(text, "\n");
        put_table(text, &watched.totals.table, rows_most(report));
        text_put_string(text, "\n");
        put_table(text, &watched.rows, rows_most(report));
    }
    if (!report->is_empty) {
        text_put_string(text, "\n");
        put_table(text, &tables.totals.table, rows_most(report));
        text_put_string(text, "\n");
        put_table(text, &tables.rows, rows_most(report));
    }
    repeated_put_notes(&notes, &tables, rows_most(report));
    if (notes.length > 0) {
        text_put_string(text, "\n");
        markdown_put_block(text, text_span(&notes), DETAIL_LINES);
    }
}

static struct report_result write_markdown(const struct report *given, struct output *out)
{
    SCOPED(text) head = {0};
    SCOPED(findings) findings = {0};
    /* Not as wide as a terminal. */
    struct report plain = *given;
    const struct report *report = &plain;
    plain.is_colored = false;
    plain.width = WIDTH;
    plain.height = 0;
    struct text made = {0}, *text = &made;
    struct table_walk walk = {.report = report,
                              .reader = FOR_PEOPLE,
                              .room = SIZE_MAX,
                              .context = text,
                              .take = put_shown};
    text_put_string(text, "## supprof: ");
    put_name(text, report->title, LABEL_WIDTH);
    text_put_string(text, "\n\n");
    if (report->repeats_watches || (report->repeated != NULL && !report->is_empty)) {
        put_repeated(text, report);
        output_end_text(out, text);
        return report_stacks_result(report);
    }
    bool is_watch = report->is_empty && report->is_watched;
    findings_find(&findings, report);
    if (!report->is_empty)
        summary_put_answers(&head, report, &findings);
    else if (report->is_unrecorded || is_watch)
        summary_put_empty(&head, report);
    if (is_watch && report->compares_watches)
        watched_comparison_put(&head, report);
    else if (is_watch && report_asks(&report->show, TABLE_TICKS))
        watched_put_list(&head, report, report->show.tick_limit);
    else if (is_watch)
        watched_put_sentence(&head, report);
    if (is_watch) {
        watched_put_growth(&head, report);
        summary_put_also(&head, report, &findings);
    }
    put_what_ifs(&head, report);
    put_limits(&head, report);
    /* Those beside a watch alone are above. */
    if (!is_watch)
        benchmarks_put(&head, report, BENCHMARKS);
    markdown_put_block(text, text_span(&head), HEAD_LINES);
    if (!report->is_empty) {
        put_functions(&walk, &findings);
        for (size_t i = 0; i < TABLE_COUNT; i++)
            if (((report->show.tables & report_markdown.tables) >> i & 1) != 0)
                table_kinds[i]->walk(&walk);
        put_lists(text, report);
        put_details(text, report);
    }
    output_end_text(out, text);
    return report_stacks_result(report);
}

const struct report_format report_markdown = {
    .name = "markdown",
    .summary = "a summary for a pull request or a forum",
    .uses = USES_LIST | USES_TREE | USES_SOURCES | USES_LENGTH | USES_ROWS | USES_UNIT |
            USES_CALL_SITES | USES_PROFILE | USES_LINES | SHOWS_COMPARISON | SHOWS_REPEATED |
            NEEDS_NO_PROFILE | SHOWS_WATCH | SHOWS_FINDINGS | SHOWS_WHAT_IF,
    .suffixes = {".md", NULL},
    /* Others are in a way of their own. */
    .tables = ~(1u << TABLE_WHAT_IF | 1u << TABLE_LIST | 1u << TABLE_TREE),
    .write = write_markdown,
};
