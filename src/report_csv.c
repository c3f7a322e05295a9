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

#include <math.h>
#include <string.h>

static void put_cell(struct text *line, struct span text)
{
    bool is_formula = text.length > 0 && memchr("=+-@\t\r", text.at[0], 6) != NULL;
    bool is_quoted = false;
    for (size_t i = 0; i < text.length; i++)
        is_quoted |=
            text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r';
    if (is_quoted)
        text_put_string(line, "\"");
    if (is_formula)
        text_put_string(line, "'");
    for (size_t from = 0; from < text.length;) {
        const char *quote = is_quoted ? memchr(text.at + from, '"', text.length - from) : NULL;
        size_t to = quote == NULL ? text.length : (size_t)(quote - text.at) + 1;
        text_put(line, text.at + from, to - from);
        if (quote != NULL)
            text_put_string(line, "\"");
        from = to;
    }
    if (is_quoted)
        text_put_string(line, "\"");
}

/* The source of a function: as reports show a path, or the whole text of a chunk. */
static void put_source(struct text *line, const struct report *report, uint32_t function)
{
    const struct symbols *symbols = &report->profile->symbols;
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    bool is_chunk = source.length > 0 && source.at[0] != '@' && source.at[0] != '=';
    if (!is_chunk) {
        put_cell(line, labels_text(report->labels, report->labels->labels[function].file));
        return;
    }
    struct text text = {0};
    text_put_clean(&text, source, true);
    put_cell(line, text_span(&text));
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
    put_cell(line, labels_text(report->labels, report->labels->labels[function].name));
    text_put_string(line, ",");
    put_source(line, report, function);
    text_put_string(line, ",");
    text_put_number(line, number);
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
        break;
    case BY_THREAD:
        put_function(line, report, group->function, functions[group->function].line);
        text_put_string(line, ",");
        text_put_string(line, thread_name(group->flags));
        break;
    case BY_FILE:
    case BY_MOD:
        put_cell(line, labels_text(report->labels, group->text));
        break;
    case BY_STACK:
        break;
    }
}

static void put_times(struct text *line, const struct row *row)
{
    text_put_string(line, ",");
    report_put_time(line, row->self_ns, UNIT_US, 3);
    text_put_string(line, ",");
    report_put_time(line, row->total_ns, UNIT_US, 3);
}

/* Columns min_us,mean_us,max_us,alloc_kb,noise_us: empty where nothing is known. */
static void put_details(struct text *line, const struct report *report, const struct row *row)
{
    const struct call_details *details = &row->details;
    if (report->tree->details == NULL) {
        text_put_string(line, ",,,,,");
        return;
    }
    text_put_string(line, ",");
    if (details->finished > 0) {
        double mean_ns = (double)details->finished_ns / (double)details->finished;
        report_put_time(line, details->min_ns, UNIT_US, 3);
        text_put_string(line, ",");
        report_put_time(line, (int64_t)llround(mean_ns), UNIT_US, 3);
        text_put_string(line, ",");
        report_put_time(line, details->max_ns, UNIT_US, 3);
    } else {
        text_put_string(line, ",,");
    }
    text_put_string(line, ",");
    text_put_count(line, details->memory_kb);
    text_put_string(line, ",");
    report_put_time(line, (int64_t)llround(row_noise_ns(row)), UNIT_US, 3);
}

static void write_line(FILE *out, struct text *line)
{
    text_put_string(line, "\n");
    fwrite(line->at, 1, line->length, out);
    line->length = 0;
}

static void write_stacks(const struct report *report, FILE *out, const struct table *table)
{
    struct text line = {0}, stack = {0};
    fputs("stack,calls,self_us,total_us,main,coroutine,errors,min_us,mean_us,max_us,alloc_kb,noise_"
          "us\n",
          out);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        uint8_t flags = table->tree->flags[row->group];
        stack.length = 0;
        table_put_stack(&stack, table->tree, report->labels, row->group, report->call_sites);
        put_cell(&line, text_span(&stack));
        text_put_string(&line, ",");
        text_put_count(&line, row->calls);
        put_times(&line, row);
        text_put_string(&line, flags & NODE_MAIN ? ",1" : ",0");
        text_put_string(&line, flags & NODE_COROUTINE ? ",1" : ",0");
        text_put_string(&line, ",");
        text_put_count(&line, row->details.errors);
        put_details(&line, report, row);
        write_line(out, &line);
    }
    text_release(&line);
    text_release(&stack);
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
    struct text line = {0};
    fprintf(out, "%s,calls,errors,self_us,total_us,min_us,mean_us,max_us,alloc_kb,noise_us\n",
            headers[table->by]);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        put_group(&line, report, table, &table->groups[row->group]);
        text_put_string(&line, ",");
        text_put_count(&line, row->calls);
        /* The existing profiler does not notice errors. */
        text_put_string(&line, ",");
        text_put_count(&line, row->details.errors);
        put_times(&line, row);
        put_details(&line, report, row);
        write_line(out, &line);
    }
    text_release(&line);
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
    .summary = "comma-separated values, for spreadsheets",
    .suffixes = {".csv", NULL},
    .write = write_csv,
};
