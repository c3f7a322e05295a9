#include "report/files/csv_cells.h"

#include "report/figures/stack_text.h"

static bool is_formula(struct span text)
{
    return text.length > 0 && memchr("=+-@\t\r", text.at[0], 6) != NULL;
}

static bool needs_quotes(struct span text)
{
    static const char bytes[] = {',', '"', '\n', '\r'};
    bool has_any = false;
    for (size_t i = 0; i < sizeof bytes && text.length > 0; i++)
        has_any |= memchr(text.at, bytes[i], text.length) != NULL;
    return has_any;
}

void csv_end_cell(struct text *line, size_t start)
{
    struct span cell = span_from(text_span(line), start);
    bool is_quoted = needs_quotes(cell);
    struct text made = {0};
    if (!is_quoted && !is_formula(cell))
        return;
    text_put_string(&made, is_quoted ? "\"" : "");
    text_put_string(&made, is_formula(cell) ? "'" : "");
    for (size_t i = 0; i < cell.length; i++) {
        text_put_string(&made, cell.at[i] == '"' ? "\"" : "");
        text_put(&made, &cell.at[i], 1);
    }
    text_put_string(&made, is_quoted ? "\"" : "");
    text_cut(line, start);
    text_put_span(line, text_span(&made));
    text_release(&made);
}

static void put_cell(struct text *line, struct span text)
{
    size_t start = line->length;
    text_put_span(line, text);
    csv_end_cell(line, start);
}

/* Columns function,source,line; `number` is the line of the function or of a call in it. */
static void put_function(struct text *line, const struct report *report, uint32_t function,
                         int32_t number)
{
    if (function == TREE_NONE) {
        text_put_string(line, "(engine),,0");
        return;
    }
    put_cell(line, labels_text(report->labels, report->labels->labels[function].name));
    text_put_string(line, ",");
    size_t start = line->length;
    report_put_source(line, report, function);
    csv_end_cell(line, start);
    text_put_string(line, ",");
    text_put_number(line, number);
}

static void put_group(struct text *line, const struct report *report, const struct table *table,
                      const struct row_group *group)
{
    if (table->by == BY_FILE || table->by == BY_MOD) {
        put_cell(line, labels_text(report->labels, group->text));
        return;
    }
    bool is_engine = group->function == TREE_NONE;
    int32_t defined = is_engine ? 0 : report->profile->symbols.functions[group->function].line;
    put_function(line, report, group->function, table->by == BY_LINE ? group->line : defined);
    text_put_string(line, table->by == BY_LINE || table->by == BY_THREAD ? "," : "");
    if (table->by == BY_LINE)
        text_put_number(line, defined);
    if (table->by == BY_THREAD)
        text_put_string(line, threads_name(group->flags));
}

bool csv_labels_are_cells(const struct report *report)
{
    for (uint32_t i = 0; i < report->profile->symbols.function_count; i++) {
        struct span label = labels_text(report->labels, report->labels->labels[i].label);
        if (is_formula(label) || needs_quotes(label))
            return false;
    }
    return true;
}

void csv_put_row_key(struct text *line, const struct report *report, const struct table *table,
                     const struct row *row)
{
    if (table->by != BY_STACK) {
        put_group(line, report, table, &table->groups.all[row->group]);
        return;
    }
    size_t start = line->length;
    stack_put(line, table->tree, report->labels, row->group, report->show.call_sites);
    csv_end_cell(line, start);
}
