/*
 * The reports for people that are one kind of table, such as peek, list and tree: which functions
 * were chosen, the tables, and notes.
 *
 *     recursion.log: 4.000 ms of Lua, 4 calls of 3 functions
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 *       total ms  total%  calls  callers                                see peek_table.c
 *          3.000   75.00      1  A  lua/a.lua:1  from line 2
 */
#include "report/figures/formats.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/tables.h"

/* Tables, as a text of which all but the last lines may be written. */
struct shown {
    struct text *text;
    struct output *out;          /* NULL: nothing is written */
    struct report_result result; /* counts functions, or the rows of a table of the whole */
    uint64_t hidden_count;       /* functions whose tables are not shown */
};

static void put_table(struct table_walk *walk, const struct table *table)
{
    struct shown *shown = walk->context;
    struct text *text = shown->text, below = {0};
    size_t before = text->length;
    if (table->function != NULL) {
        function_heading_put(text, walk->report, table->function, table->unit);
        shown->result.count++;
        shown->result.one = "function";
        shown->result.many = "functions";
        shown->hidden_count = table->function_count - shown->result.count;
    } else {
        shown->result.count = table->row_count;
    }
    text_put_span(text, text_span(&table->above));
    if (table->row_count > 0 || table->function == NULL)
        table_put_on_screen(table, walk->report, SIZE_MAX, text, shown->out);
    if (table->function != NULL || table->below.length > 0)
        text_put_string(text, "\n");
    text_put_span(&below, text_span(&table->below));
    notes_put_lines(text, walk->report->width, &below);
    if (walk->room == SIZE_MAX)
        return;
    size_t used = wrap_count_lines(span_from(text_span(text), before));
    walk->room = walk->room > used ? walk->room - used : 0;
}

struct report_result tables_put(struct text *text, const struct report *report,
                                enum report_table kind, size_t room, struct output *out)
{
    /* Lines that are counted stay in the text until then. */
    struct shown shown = {text, room == SIZE_MAX ? out : NULL, {.one = "row", .many = "rows"}, 0};
    struct table_walk walk = {
        .report = report, .reader = FOR_PEOPLE, .room = room, .context = &shown, .take = put_table};
    table_kinds[kind]->walk(&walk);
    if (shown.hidden_count > 0)
        rows_put_hidden(text,
                        report,
                        0,
                        amount_things(shown.hidden_count, "more function", "more functions").at,
                        "",
                        "--rows 0");
    return shown.result;
}

/* Appends which functions the report is about; false if it has a table of the whole. */
static bool put_pattern(struct text *text, const struct report *report)
{
    const struct chosen_functions *chosen = &report->chosen[report->table];
    const char *title = table_kinds[report->table]->title;
    size_t count = 0;
    for (uint32_t i = 0; i < report->profile->symbols.function_count && title != NULL; i++)
        count += chosen->is_chosen[i];
    if (title != NULL)
        function_heading_put_pattern(text, report, title, chosen->pattern, count);
    return title != NULL;
}

struct report_result tables_write(const struct report *report, struct output *out)
{
    enum { OTHER_LINES = 2, NOTES = 2 };
    struct text head = {0}, foot = {0}, note = {0};
    summary_put_start(&head, report);
    bool has_functions = put_pattern(&head, report);
    if (!has_functions)
        text_put_string(&head, "\n");
    if (report->table == TABLE_LIST && !report->has_sources)
        text_put_string(&note, "Note: --lua-root=DIR shows the text of these lines\n");
    notes_put_lines(&foot, report->width, &note);
    warnings_put(&foot, report);
    notes_put(&foot, report, amount_unit_of(report, report_total_ns(report)));
    size_t others = wrap_count_lines(text_span(&head)) + wrap_count_lines(text_span(&foot)) +
                    OTHER_LINES + (has_functions ? 0 : NOTES);
    struct report_result result =
        tables_put(&head, report, report->table, report_room(report, others), out);
    output_end_text(out, &head);
    output_end_text(out, &foot);
    return result;
}
