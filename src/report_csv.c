/*
 * CSV (RFC 4180, but LF), UTF-8, for spreadsheets and databases. Times are decimal
 * microseconds with three digits, which is all there is: measured ones, signed.
 *
 * A spreadsheet runs a cell that begins with '=', '+', '-', '@' or a TAB, and
 * names and sources come from whoever wrote the log. So sources are written
 * without the '@' or '=' that Lua puts before them, and any other text that
 * begins like that gets a "'" in front.
 */
#include "report.h"

#include "frames.h"

#include <string.h>

static void put_cell(FILE *out, struct span text)
{
    bool is_formula = text.length > 0 && memchr("=+-@\t\r", text.at[0], 6) != NULL;
    bool is_quoted = false;
    for (size_t i = 0; i < text.length; i++)
        is_quoted |= memchr(",\"\n\r", text.at[i], 4) != NULL;
    if (is_quoted)
        fputc('"', out);
    if (is_formula)
        fputc('\'', out);
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] == '"')
            fputc('"', out);
        fputc(text.at[i], out);
    }
    if (is_quoted)
        fputc('"', out);
}

static void put_text(FILE *out, struct text *text)
{
    put_cell(out, (struct span){text->length > 0 ? text->at : "", text->length});
    text->length = 0;
}

/* The source of a function: as reports show a path, or the whole text of a chunk. */
static void put_source(const struct report *report, FILE *out, uint32_t function)
{
    const struct symbols *symbols = &report->profile->symbols;
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    bool is_chunk = source.length > 0 && source.at[0] != '@' && source.at[0] != '=';
    if (!is_chunk) {
        put_cell(out, labels_text(report->labels, report->labels->labels[function].file));
        return;
    }
    struct text text = {0};
    text_put_clean(&text, source, true);
    put_text(out, &text);
    text_release(&text);
}

/* Columns function,source,line; `line` is that of the function or of a call in it. */
static void put_function(const struct report *report, FILE *out, uint32_t function, int32_t line)
{
    if (function == TREE_NONE) {
        fputs("(engine),,0", out);
        return;
    }
    put_cell(out, labels_text(report->labels, report->labels->labels[function].name));
    fputc(',', out);
    put_source(report, out, function);
    fprintf(out, ",%d", (int)line);
}

static const char *thread_name(uint8_t flags)
{
    static const char *const names[] = {
        [0] = "?",
        [NODE_MAIN] = "main",
        [NODE_COROUTINE] = "coroutine",
        [NODE_MAIN | NODE_COROUTINE] = "main+coroutine",
    };
    return names[flags & (NODE_MAIN | NODE_COROUTINE)];
}

static void put_group(const struct report *report, FILE *out, const struct table *table,
                      const struct row_group *group)
{
    switch (table->by) {
    case BY_FUNCTION:
        put_function(report, out, group->function,
                     report->profile->symbols.functions[group->function].line);
        break;
    case BY_LINE:
        put_function(report, out, group->function,
                     group->line == LINE_TAIL_CALL ? LINE_UNKNOWN : group->line);
        break;
    case BY_THREAD:
        put_function(report, out, group->function,
                     report->profile->symbols.functions[group->function].line);
        fprintf(out, ",%s", thread_name(group->flags));
        break;
    case BY_FILE:
    case BY_MOD:
        put_cell(out, labels_text(report->labels, group->text));
        break;
    case BY_STACK:
        break;
    }
}

static void put_times(FILE *out, const struct row *row, struct text *text)
{
    fputc(',', out);
    report_put_time(text, row->self_ns, UNIT_US, 3);
    text_put_string(text, ",");
    report_put_time(text, row->total_ns, UNIT_US, 3);
    fwrite(text->at, 1, text->length, out);
    text->length = 0;
}

static void write_stacks(const struct report *report, FILE *out, const struct table *table)
{
    struct text text = {0};
    fputs("stack,calls,self_us,total_us,main,coroutine\n", out);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        table_put_stack(&text, table->tree, report->labels, row->group, report->call_sites);
        put_text(out, &text);
        text_put_string(&text, ",");
        text_put_count(&text, row->calls);
        fwrite(text.at, 1, text.length, out);
        text.length = 0;
        put_times(out, row, &text);
        uint8_t flags = table->tree->flags[row->group];
        fprintf(out, ",%d,%d\n", (flags & NODE_MAIN) != 0, (flags & NODE_COROUTINE) != 0);
    }
    text_release(&text);
}

static void write_rows(const struct report *report, FILE *out, const struct table *table)
{
    static const char *const headers[] = {
        [BY_FUNCTION] = "function,source,line",
        [BY_FILE] = "file",
        [BY_MOD] = "mod",
        [BY_LINE] = "caller,source,line",
        [BY_STACK] = "stack",
        [BY_THREAD] = "function,source,line,thread",
    };
    struct text text = {0};
    fprintf(out, "%s,calls,errors,self_us,total_us\n", headers[table->by]);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        put_group(report, out, table, &table->groups[row->group]);
        text_put_string(&text, ",");
        text_put_count(&text, row->calls);
        /* The existing profiler does not notice errors. */
        text_put_string(&text, ",0");
        fwrite(text.at, 1, text.length, out);
        text.length = 0;
        put_times(out, row, &text);
        fputc('\n', out);
    }
    text_release(&text);
}

static void write_csv(struct report *report, FILE *out)
{
    bool has_lines = report->by != BY_STACK || report->call_sites;
    struct table table;
    table_init(&table, report->by, report->sort,
               has_lines ? report->tree : report_paths_tree(report), report->labels);
    if (report->by == BY_STACK)
        write_stacks(report, out, &table);
    else
        write_rows(report, out, &table);
    table_release(&table);
}

const struct report_format report_csv = {
    .name = "csv",
    .summary = "comma-separated values, times in microseconds, for spreadsheets",
    .suffixes = {".csv", NULL},
    .write = write_csv,
};
