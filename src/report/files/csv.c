/*
 * CSV (RFC 4180, but LF), UTF-8, for spreadsheets and databases. Times are decimal
 * microseconds with three digits, which is exact; measured times are signed.
 *
 * A spreadsheet runs a cell that begins with '=', '+', '-', '@' or a TAB, for some also after
 * blanks or as wide characters, and names and sources come from the authors of the log. So sources
 * are written without the '@' or '=' that Lua puts before them, and any other text that begins like
 * that gets a "'" in front.
 *
 * Cells end at ',', and where a spreadsheet is set so, also or only at ';' or TAB, as Excel is by
 * the language of Windows. If ',' ends a cell, too, quotes keep it whole. If not, quotes that are
 * within what it takes for a cell do nothing; so a "'" is also before a sign behind ';', TAB, or a
 * line's end, with blanks and quotes between them.
 *
 * With report->has_objects, each row is an object of JSON in a line of its own: the titles are its
 * keys, and what is not known is null.
 */
#include "base/json.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "report/sentences/amounts.h"
#include "report/tables/tables.h"

/* Cells ------------------------------------------------------------------------------------ */

/* Whether a sign is the first of a text, behind blanks and `other`: a formula begins with one of
 * these, also as a wide character. */
static bool begins_with_sign(struct span text, char other)
{
    static const char *const wide[] = {
        "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    while (text.length > 0 && (text.at[0] == ' ' || text.at[0] == other))
        text = span_from(text, 1);
    char first = text.length > 0 ? text.at[0] : '\0';
    if ((first & 0x80) == 0)
        return first == '=' || first == '+' || first == '-' || first == '@';
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (span_starts_with(text, wide[i]))
            return true;
    return false;
}

static bool is_formula(struct span text)
{
    bool is_blank = text.length > 0 && (text.at[0] == '\t' || text.at[0] == '\r');
    return is_blank || begins_with_sign(text, ' ');
}

/* Whether a spreadsheet may take what follows for a cell, though it is in quotes. */
static bool may_end_cell(char byte)
{
    return byte == ';' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Returns where the next byte of a cell is that needs quotes, or its length. */
static size_t find_special(const struct text *cell, size_t from)
{
    for (; from < cell->length; from++) {
        from += strcspn(cell->at + from, ",\";\t\n\r");
        if (from >= cell->length || cell->at[from] != '\0')
            break;
    }
    return from;
}

static void put_text(struct text *line, const struct text *cell)
{
    size_t at = find_special(cell, 0), from = 0;
    const char *quote = at < cell->length ? "\"" : "";
    text_put_string(line, quote);
    if (is_formula(text_span(cell)))
        text_put_string(line, "'");
    for (; at < cell->length; at = find_special(cell, at + 1)) {
        bool is_quote = cell->at[at] == '"';
        bool is_sign =
            may_end_cell(cell->at[at]) && begins_with_sign(span_from(text_span(cell), at + 1), '"');
        if (!is_quote && !is_sign)
            continue;
        text_put(line, cell->at + from, at + 1 - from);
        text_put_string(line, is_quote ? "\"" : "'");
        from = at + 1;
    }
    text_put(line, cell->at + from, cell->length - from);
    text_put_string(line, quote);
}

/* Tables ----------------------------------------------------------------------------------- */

/* The name of a column, whose times are microseconds here. */
static void put_title(struct text *line, const struct table *table,
                      const struct table_column *column)
{
    column_put_key(line, table, column);
    if (span_ends_with(text_span(line), "_ns"))
        line->at[line->length - 2] = 'u';
}

static void put_row(struct text *line, const struct table *table, size_t row, struct cell *cell,
                    bool is_object)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        bool is_text = column->info->type == TYPE_TEXT || column->info->type == TYPE_LABEL;
        if (i > 0)
            text_put_string(line, ",");
        else if (is_object)
            text_put_string(line, "{");
        table_get(table, row, column, cell);
        if (is_object) {
            text_put_string(line, "\"");
            put_title(line, table, column);
            text_put_string(line, "\":");
        }
        if (is_text && is_object)
            json_put_string(line, text_span(&cell->text));
        else if (is_text)
            put_text(line, &cell->text);
        else if (cell->is_known)
            cell_put_exactly(line, table, cell);
        else if (is_object)
            text_put_string(line, "null");
    }
    text_put_string(line, is_object ? "}\n" : "\n");
}

/* The file --------------------------------------------------------------------------------- */

struct csv {
    const struct report *report;
    struct output *out;
    bool has_titles; /* they are written: tables that follow the first have none */
    struct report_result result;
};

/* Writes the rows that are wanted, and for which there is room. */
static void write_table(struct table_walk *walk, const struct table *table)
{
    struct csv *csv = walk->context;
    SCOPED(text) line = {0};
    SCOPED(cell) cell = {.room = SIZE_MAX};
    for (size_t i = 0; i < table->column_count && !csv->has_titles; i++) {
        if (i > 0)
            text_put_string(&line, ",");
        put_title(&line, table, &table->columns[i]);
    }
    if (!csv->has_titles)
        text_put_string(&line, "\n");
    csv->has_titles = true;
    output_put_text(csv->out, &line);
    /* Tables of groups have the wanted rows of each; an assistant is told how many it gets. */
    bool has_wanted =
        (table_kinds[csv->report->table]->uses & USES_LENGTH) != 0 || csv->report->has_objects;
    size_t row = 0, count = has_wanted ? SIZE_MAX : report_row_limit(csv->report);
    count = table->row_count < count ? table->row_count : count;
    for (; row < count && report_has_room(csv->report, csv->out, 1); row++) {
        put_row(&line, table, row, &cell, csv->report->has_objects);
        output_put_text(csv->out, &line);
    }
    csv->result.count += row;
    if (table->one != NULL) {
        csv->result.one = table->one;
        csv->result.many = table->many;
    }
    csv->result.left_out_count += count - row;
}

static struct report_result write_csv(const struct report *report, struct output *out)
{
    struct csv csv = {.report = report,
                      .out = out,
                      .has_titles = report->has_objects,
                      .result = {.one = "row", .many = "rows"}};
    struct table_walk walk = {.report = report,
                              .reader = FOR_PROGRAMS,
                              .room = SIZE_MAX,
                              .context = &csv,
                              .take = write_table};
    table_kinds[report->table]->walk(&walk);
    return csv.result;
}

const struct report_format report_csv = {
    .name = "csv",
    .summary = "comma-separated values, for spreadsheets",
    .suffixes = {".csv", NULL},
    .uses = USES_LENGTH | COMPARES_THREADS,
    .tables = ~0u,
    .is_table = true,
    .write = write_csv,
};

const struct report_format report_ticks_csv = {
    .name = "ticks-csv",
    .summary = "a line for each tick, for spreadsheets",
    .suffixes = {".ticks.csv", NULL},
    .is_old = true, /* csv with --ticks is the same */
    .tables = 1 << TABLE_TICKS,
    .is_table = true,
    .write = write_csv,
};
