/*
 * CSV (RFC 4180, but LF), UTF-8, for spreadsheets and databases. Times are decimal
 * microseconds with three digits, which is all there is: measured ones, signed.
 *
 * A spreadsheet runs a cell that begins with '=', '+', '-', '@' or a TAB, and
 * names and sources come from the authors of the log. So sources are written
 * without the '@' or '=' that Lua puts before them, and any other text that
 * begins like that gets a "'" in front.
 */
#include "report/report.h"

#include "report/stack_text.h"

#include <stdio.h>
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
        text_put_string(line, ",");
        text_put_number(line, group->function == TREE_NONE ? 0 : functions[group->function].line);
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

/* The columns in the order that they have where nothing else is asked for. */
static struct columns choose_columns(const struct report *report)
{
    static const enum column_kind of_rows[] = {COLUMN_CALLS, COLUMN_ERRORS, COLUMN_SELF,
                                               COLUMN_TOTAL, COLUMN_MIN,    COLUMN_MEAN,
                                               COLUMN_MAX,   COLUMN_ALLOC,  COLUMN_NOISE};
    static const enum column_kind of_stacks[] = {
        COLUMN_CALLS, COLUMN_SELF, COLUMN_TOTAL, COLUMN_MAIN,  COLUMN_COROUTINE, COLUMN_ERRORS,
        COLUMN_MIN,   COLUMN_MEAN, COLUMN_MAX,   COLUMN_ALLOC, COLUMN_NOISE};
    if (report->columns.count > 0)
        return report->columns;
    bool is_stack = report->by == BY_STACK;
    const enum column_kind *kinds = is_stack ? of_stacks : of_rows;
    size_t count =
        is_stack ? sizeof of_stacks / sizeof of_stacks[0] : sizeof of_rows / sizeof of_rows[0];
    struct columns columns = {0};
    for (size_t i = 0; i < count; i++)
        if (report->old == NULL)
            columns_add(&columns, kinds[i], ASPECT_NEW);
        else
            columns_add_compared(&columns, kinds[i]);
    return columns;
}

static void put_headers(struct text *line, const struct columns *columns)
{
    static const char *const aspects[] = {[ASPECT_OLD] = "old_", [ASPECT_DIFFERENCE] = "diff_"};
    bool is_compared = false;
    for (size_t i = 0; i < columns->count; i++)
        is_compared |= columns->list[i].aspect != ASPECT_NEW;
    for (size_t i = 0; i < columns->count; i++) {
        struct column column = columns->list[i];
        const char *prefix = aspects[column.aspect % ASPECT_PERCENT];
        const char *name = column_infos[column.kind].name;
        text_put_string(line, ",");
        if (column.aspect == ASPECT_PERCENT) {
            size_t length = strcspn(name, "_");
            text_put_string(line, "diff_");
            text_put(line, name, length);
            text_put_string(line, "_percent");
            continue;
        }
        text_put_string(line, column.aspect != ASPECT_NEW ? prefix : is_compared ? "new_" : "");
        text_put_string(line, name);
    }
    text_put_string(line, is_compared ? ",within_noise\n" : "\n");
}

/* Whether the difference can be told from 0; empty where neither profile says. */
static void put_noise_mark(struct text *line, const struct row *row, const struct row *old)
{
    bool is_known =
        (row->details != NULL || !row_is_used(row)) && (old->details != NULL || !row_is_used(old));
    text_put_string(line, !is_known ? "," : row_is_alike(row, old) ? ",1" : ",0");
}

/* The rows above are what sum% adds up, and the time of all is what a percentage is of. */
static void put_column(struct text *line, const struct report *report, const struct table *table,
                       struct column column, const struct row *row)
{
    const struct row *old = table_old(table, row);
    text_put_string(line, ",");
    if (column.aspect == ASPECT_PERCENT) {
        double percent;
        char digits[64];
        if (column_percent(column.kind, row, old, &percent))
            text_put(line, digits, (size_t)snprintf(digits, sizeof digits, "%.1f", percent));
        return;
    }
    struct column_value value = column_value(column, row, old);
    if (!value.is_known)
        return;
    switch (column_infos[column.kind].type) {
    case TYPE_SUM:
    case TYPE_CALL:
        report_put_time(line, value.number, UNIT_US, 3);
        break;
    case TYPE_PERCENT:
        report_put_percent(line, value.number, report->tree->total_ns[TREE_ROOT]);
        break;
    case TYPE_COUNT:
    case TYPE_FLAG:
        text_put_number(line, value.number);
        break;
    }
}

static void write_line(struct output *out, struct text *line)
{
    text_put_string(line, "\n");
    output_put(out, line->at, line->length);
    line->length = 0;
}

static const char *const key_headers[] = {
    [BY_FUNCTION] = "function,source,line",
    [BY_FILE] = "file",
    [BY_MOD] = "mod",
    [BY_LINE] = "caller,source,line,caller_line",
    [BY_STACK] = "stack",
    [BY_THREAD] = "function,source,line,thread",
};

static void write_csv(struct report *report, struct output *out)
{
    struct table table;
    struct text line = {0}, stack = {0};
    struct columns columns = choose_columns(report);
    report_make_table(report, &table);
    output_put_string(out, key_headers[table.by]);
    put_headers(&line, &columns);
    output_put(out, line.at, line.length);
    line.length = 0;
    for (size_t i = 0; i < table.row_count && !output_has_failed(out); i++) {
        const struct row *row = &table.rows[i];
        if (table.by == BY_STACK) {
            stack.length = 0;
            stack_put(&stack, table.tree, report->labels, row->group, report->call_sites);
            put_cell(&line, text_span(&stack));
        } else {
            put_group(&line, report, &table, &table.groups.all[row->group]);
        }
        for (size_t k = 0; k < columns.count; k++)
            put_column(&line, report, &table, columns.list[k], row);
        if (report->old != NULL)
            put_noise_mark(&line, row, table_old(&table, row));
        write_line(out, &line);
    }
    text_release(&line);
    text_release(&stack);
    table_release(&table);
}

const struct report_format report_csv = {
    .name = "csv",
    .summary = "comma-separated values, for spreadsheets",
    .manual =
        "Comma-separated values as in RFC 4180, with a header. The columns depend on {--by}:\n"
        ".Bl -tag -width function\n"
        ".It Cm function\n"
        ".Li function,source,line,calls,errors,self_us,total_us\n"
        ".It Cm file\n"
        ".Li file,calls,errors,self_us,total_us\n"
        ".It Cm mod\n"
        ".Li mod,calls,errors,self_us,total_us\n"
        ".It Cm line\n"
        ".Li caller,source,line,caller_line,calls,errors,self_us,total_us\n"
        ".It Cm stack\n"
        ".Li stack,calls,self_us,total_us,main,coroutine,errors\n"
        ".It Cm thread\n"
        ".Li function,source,line,thread,calls,errors,self_us,total_us\n"
        ".El\n"
        "\n"
        "After these stand {Li min_us,mean_us,max_us,alloc_kb,noise_us}, which only recordings "
        "fill: the shortest, mean and longest duration of a call with what it called, of the calls "
        "that began in the profile and returned; the kilobytes by which memory grew; and the "
        "standard error of {Li self_us}. Later versions may add columns after these.\n"
        "\n"
        "Times are microseconds with three decimals and a decimal point in any locale. They are "
        "the measured ones, signed. Numbers have no thousands separators.\n"
        "\n"
        "{Li line} is the line a function is defined at: 0 for the chunk itself that a file or a "
        "string is, and -1 for a C function. With {--by=line} it is the calling line, and {Li "
        "caller_line} the one where the caller is defined: negative for a tail call near that "
        "line, -1 for a tail call from an unknown line, and 0 where a line is not known otherwise. "
        "{Li source} is the path as the table shows it, '[C]' for C functions, and the whole text "
        "for code loaded from a string. {Li thread} is 'main', 'coroutine', 'main+coroutine' or "
        "'?'. {Li main} and {Li coroutine} are 1 or 0. {Li errors} is the number of calls that an "
        "error ended. It is 0 in records of delins' profiler, which does not notice errors. A "
        "stack "
        "gets a row where it has calls, self time, errors or memory of its own.\n"
        "\n"
        "A spreadsheet runs a cell that begins with '=', '+', '-', '@', a TAB or a carriage return "
        "as a formula, and names come from the authors of the code. Sources are written without "
        "the "
        "'@' or '=' that Lua puts in front of them, and any other text that begins so gets a ' in "
        "front. Numbers are left alone.",
    .uses = USES_ROWS | USES_CALL_SITES | USES_PROFILE,
    .suffixes = {".csv", NULL},
    .compares = true,
    .write = write_csv,
};
