/*
 * The source of the functions that --list matches, most expensive function first, with what was
 * called from each line.
 *
 *     spikes.log: 768.6 ms of Lua in 201 ticks (0:00.1 to 0:20.1), 8,512 calls of 9 functions
 *     List: 'BuildThreatMap' matches 1 function
 *
 *     BuildThreatMap  lua/ai/aiutilities.lua:812
 *       self 550.052 ms (71.56%), total 700.100 ms (91.08%), 5 calls
 *       line  calls  total ms  total%    source
 *        812                             function BuildThreatMap(brain)
 *                                        ... 14 lines
 *        827  8,400   140.551   18.29  *     local threat = brain:GetThreat(x, z)  -> GetThreat
 *        828                             end
 *
 * Lines from which nothing was called are dim, and folded where they are not beside an expensive
 * one. `*`: the three lines with the most time. Without the source of a function, only the lines
 * with calls are there, and the reason.
 */

#include "report/figures/formats.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/line_table.h"

enum { HEADING_LINES = 5, ROWS_MIN = 4 };

static void put_why(struct text *text, const struct line_table *list)
{
    SCOPED(text) line = {0};
    bool has_source = list->function.has_source;
    text_printf(&line, "  %s: %s",
                has_source ? "old lines are counted from the definition, without the old source (a "
                             "second --lua-root)"
                           : "no source",
                list->function.why.text);
    if (list->function.why.text[0] != '\0' && list->report->has_sources)
        wrap_put_line(text, list->report->width, 4, &line);
    text_cut(&line, 0);
    const struct labels *labels = list->report->labels;
    const struct label *label = &labels->labels[list->function.sums->function];
    const char *place = labels_string(labels, label->place);
    /* A place is sure: a name may be that of the source alone, or of several functions. What a mod
     * has hooked into a file of the game is at another line there. */
    if (list->function.hides_self && strstr(place, "/hook/") == NULL &&
        strchr(place, '\'') == NULL) {
        text_printf(&line,
                    "  the log does not say which lines take its own time: record with lines = "
                    "{'%s'}",
                    place);
        wrap_put_line(text, list->report->width, 4, &line);
    }
}

static void put_function(struct text *text, const struct line_table *list, struct output *out)
{
    const struct report *report = list->report;
    function_heading_put(text, report, list->function.sums, list->table.unit);
    put_why(text, list);
    if (list->table.row_count > 0)
        table_put_on_screen(&list->table, report, SIZE_MAX, text, out);
    text_put_string(text, "\n");
}

size_t list_put(struct text *text, struct listing *listing, size_t room, struct output *out)
{
    size_t count = listing->edges.function_count, i = 0;
    /* Lines that are counted stay in the text until then. */
    if (room != SIZE_MAX)
        out = NULL;
    for (; i < count && (i == 0 || room >= HEADING_LINES + ROWS_MIN); i++) {
        size_t before = text->length, limit = room;
        /* The most expensive one leaves room for others. */
        if (room != SIZE_MAX && i + 1 < count)
            limit =
                room / 2 > HEADING_LINES + 2 * ROWS_MIN ? room / 2 : HEADING_LINES + 2 * ROWS_MIN;
        if (room != SIZE_MAX)
            limit = limit > HEADING_LINES + ROWS_MIN ? limit - HEADING_LINES : ROWS_MIN;
        SCOPED(line_table) list;
        line_table_init(&list, listing, i, limit, FOR_PEOPLE);
        put_function(text, &list, out);
        if (room == SIZE_MAX)
            continue;
        size_t used = wrap_count_lines(span_from(text_span(text), before));
        room = room > used ? room - used : 0;
    }
    if (i < count)
        rows_put_hidden(text, listing->report, 0,
                        amount_things(count - i, "more function", "more functions").at, "",
                        "--rows 0");
    return i;
}

static struct report_result write_list(const struct report *report, struct output *out)
{
    struct text head = {0}, foot = {0}, note = {0};
    SCOPED(listing) listing;
    listing_init(&listing, report, report->is_listed);
    summary_put_start(&head, report);
    function_heading_put_pattern(&head, report, "List", report->list, listing.edges.function_count);
    if (!report->has_sources)
        text_put_string(&note, "Note: --lua-root=DIR shows the text of these lines\n");
    notes_put_lines(&foot, report->width, &note);
    warnings_put(&foot, report);
    notes_put(&foot, report, UNIT_MS, report->width);
    size_t others = wrap_count_lines(text_span(&head)) + wrap_count_lines(text_span(&foot)) + 2;
    size_t room = report_room(report, others);
    struct report_result result = {
        .count = list_put(&head, &listing, room, out), .one = "function", .many = "functions"};
    output_end_text(out, &head);
    output_end_text(out, &foot);
    return result;
}

const struct report_format report_list = {
    .name = "list",
    .summary = "source of the functions that --list matches, with what each line called",
    .uses = USES_UNIT,
    .suffixes = {".list", NULL},
    .tables = 1 << TABLE_LIST,
    .is_table = true,
    .write = write_list,
};
