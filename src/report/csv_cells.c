#include "report/csv_cells.h"

#include "report/stack_text.h"

#include <string.h>

static bool has_byte(struct span text, char byte)
{
    return text.length > 0 && memchr(text.at, byte, text.length) != NULL;
}

static bool is_formula(struct span text)
{
    return text.length > 0 && memchr("=+-@\t\r", text.at[0], 6) != NULL;
}

static bool is_quoted(struct span text)
{
    return has_byte(text, ',') || has_byte(text, '"') || has_byte(text, '\n') ||
           has_byte(text, '\r');
}

void csv_put_cell(struct text *line, struct span text)
{
    if (!is_quoted(text)) {
        text_put_string(line, is_formula(text) ? "'" : "");
        text_put(line, text.at, text.length);
        return;
    }
    text_put_string(line, is_formula(text) ? "\"'" : "\"");
    for (size_t from = 0; from < text.length;) {
        const char *quote = memchr(text.at + from, '"', text.length - from);
        size_t to = quote == NULL ? text.length : (size_t)(quote - text.at) + 1;
        text_put(line, text.at + from, to - from);
        if (quote != NULL)
            text_put_string(line, "\"");
        from = to;
    }
    text_put_string(line, "\"");
}

/* The source of a function: as reports show a path, or the whole text of a chunk. */
static void put_source(struct text *line, const struct report *report, uint32_t function)
{
    const struct symbols *symbols = &report->profile->symbols;
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    bool is_chunk = source.length > 0 && source.at[0] != '@' && source.at[0] != '=';
    if (!is_chunk) {
        csv_put_cell(line, labels_text(report->labels, report->labels->labels[function].file));
        return;
    }
    struct text text = {0};
    text_put_clean(&text, source, true);
    csv_put_cell(line, text_span(&text));
    text_release(&text);
}

/* Columns function,source,line; `number` is the line of the function or of a call in it. */
static void put_function(struct text *line, const struct report *report, uint32_t function,
                         int32_t number)
{
    if (function == TREE_NONE) {
        text_put_string(line, "(engine),,0");
        return;
    }
    csv_put_cell(line, labels_text(report->labels, report->labels->labels[function].name));
    text_put_string(line, ",");
    put_source(line, report, function);
    text_put_string(line, ",");
    text_put_number(line, number);
}

static void put_group(struct text *line, const struct report *report, const struct table *table,
                      const struct row_group *group)
{
    const struct function *functions = report->profile->symbols.functions;
    switch (table->by) {
    case BY_FUNCTION:
        put_function(line, report, group->function, functions[group->function].line);
        break;
    case BY_LINE:
        put_function(line, report, group->function, group->line);
        text_put_string(line, ",");
        text_put_number(line, group->function == TREE_NONE ? 0 : functions[group->function].line);
        break;
    case BY_THREAD:
        put_function(line, report, group->function, functions[group->function].line);
        text_put_string(line, ",");
        text_put_string(line, row_group_thread(group));
        break;
    case BY_FILE:
    case BY_MOD:
        csv_put_cell(line, labels_text(report->labels, group->text));
        break;
    case BY_STACK:
        break;
    }
}

const char *csv_key_header(enum table_by by)
{
    static const char *const headers[] = {
        [BY_FUNCTION] = "function,source,line",
        [BY_FILE] = "file",
        [BY_MOD] = "mod",
        [BY_LINE] = "caller,source,line,caller_line",
        [BY_STACK] = "stack",
        [BY_THREAD] = "function,source,line,thread",
    };
    return headers[by];
}

bool csv_labels_are_cells(const struct report *report)
{
    for (uint32_t i = 0; i < report->profile->symbols.function_count; i++) {
        struct span label = labels_text(report->labels, report->labels->labels[i].label);
        if (is_formula(label) || is_quoted(label))
            return false;
    }
    return true;
}

void csv_make_cell(struct text *line, size_t start)
{
    struct span cell = {line->at + start, line->length - start};
    if (!is_formula(cell) && !is_quoted(cell))
        return;
    struct text copy = {0};
    text_put(&copy, cell.at, cell.length);
    line->length = start;
    csv_put_cell(line, text_span(&copy));
    text_release(&copy);
}

void csv_put_row_key(struct text *line, const struct report *report, const struct table *table,
                     const struct row *row)
{
    if (table->by != BY_STACK) {
        put_group(line, report, table, &table->groups.all[row->group]);
        return;
    }
    size_t start = line->length;
    stack_put(line, table->tree, report->labels, row->group, report->call_sites);
    csv_make_cell(line, start);
}
