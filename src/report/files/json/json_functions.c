#include "report/files/json/json_parts.h"

#include "base/mem.h"
#include "report/figures/listing.h"
#include "report/figures/marks.h"

#include <math.h>

#define NO_NUMBER UINT32_MAX

static void number(struct json_report *file, uint32_t function)
{
    if (file->number_of[function] != NO_NUMBER)
        return;
    file->number_of[function] = file->function_count;
    file->functions[file->function_count++] = function;
}

void json_number_functions(struct json_report *file)
{
    const struct report *report = file->report;
    const struct tick_list *ticks = &report->profile->ticks;
    uint32_t count = report->profile->symbols.function_count;
    file->functions = mem_zeroed(count, sizeof *file->functions);
    file->number_of = mem_zeroed(count, sizeof *file->number_of);
    for (uint32_t i = 0; i < count; i++)
        file->number_of[i] = NO_NUMBER;
    file->table = report_table(report, BY_FUNCTION, false);
    for (size_t i = 0; i < file->table.row_count; i++)
        number(file, file->table.groups.all[file->table.rows[i].group].function);
    for (size_t i = 0; i < ticks->count; i++)
        for (size_t k = 0; k < ticks->ticks[i].function_count; k++)
            number(file, ticks->ticks[i].functions[k].function);
}

void json_put_function(struct json_report *file, const char *key, uint32_t function)
{
    bool is_known = function != TREE_NONE;
    json_number_if(&file->json, key, is_known, is_known ? file->number_of[function] : 0);
}

/* Names ------------------------------------------------------------------------------------ */

static void put_names(struct json_report *file, uint32_t function)
{
    struct json_writer *json = &file->json;
    const struct symbols *symbols = &file->report->profile->symbols;
    const struct labels *labels = file->report->labels;
    const struct label *label = &labels->labels[function];
    struct text source = {0};
    json_text(json, "label", labels_text(labels, label->label));
    json_text(json, "name", labels_text(labels, label->name));
    report_put_source(&source, file->report, function);
    json_text(json, "source", text_span(&source));
    text_release(&source);
    json_number(json, "line", symbols->functions[function].line);
    json_text(json, "file", labels_text(labels, label->file));
    json_text(json, "mod", labels_text(labels, label->mod));
    json_string(json, "kind",
                symbols_is_lua(symbols, function) ? "lua"
                : symbols_is_c(symbols, function) ? "c"
                                                  : "other");
}

/* Callers and callees ---------------------------------------------------------------------- */

static void put_lines(struct json_report *file, const struct edges *edges, const struct edge *edge)
{
    struct json_writer *json = &file->json;
    json_array(json, "lines");
    for (size_t i = 0; i < edge->line_count; i++) {
        const struct edge_line *line = &edges->lines[edge->first_line + i];
        json_object(json, NULL);
        json_number(json, "line", line->line);
        json_count(json, "calls", line->calls);
        json_number(json, "total_ns", line->total_ns);
        json_end(json);
    }
    json_end(json);
}

/* Puts some of the callers or callees, [count]. */
static void put_edges(struct json_report *file, const struct edges *edges, const char *key,
                      const struct edge *some, size_t count)
{
    struct json_writer *json = &file->json;
    json_array(json, key);
    for (const struct edge *edge = some; edge < some + count; edge++) {
        json_object(json, NULL);
        json_put_function(file, "function", edge->function);
        json_count(json, "calls", edge->calls);
        json_number(json, "total_ns", edge->total_ns);
        if (file->report->old != NULL) {
            json_count(json, "old_calls", edge->old_calls);
            json_number(json, "old_total_ns", edge->old_total_ns);
        }
        json_bool(json, "recursive", edge->is_recursive);
        put_lines(file, edges, edge);
        json_end(json);
    }
    json_end(json);
}

/* A function that only ticks have is in no edges. */
static void put_callers(struct json_report *file, const struct edges *edges, uint32_t function)
{
    static const struct edge_function none = {0};
    uint32_t place = edges->place_of[function];
    const struct edge_function *found = place != TREE_NONE ? &edges->functions[place] : &none;
    json_bool(&file->json, "recursive", found->is_recursive);
    put_edges(file, edges, "callers", edges->callers + found->first_caller, found->caller_count);
    put_edges(file, edges, "callees", edges->callees + found->first_callee, found->callee_count);
}

/* Lines of --list ------------------------------------------------------------------------- */

static void put_listed_value(struct json_report *file, const struct listed_function *function,
                             const struct listed_value *value, const struct tree *tree)
{
    struct json_writer *json = &file->json;
    int64_t all_ns = tree->total_ns[TREE_ROOT];
    json_count(json, "calls", value->calls);
    json_count(json, "errors", value->errors);
    json_number(json, "total_ns", value->total_ns);
    if (function->has_runs)
        json_count(json, "runs", value->runs);
    if (function->has_self)
        json_number(json, "self_ns", value->self_ns);
    if (tree->samples != NULL)
        json_number(json, "error_ns", llround(listed_value_error_ns(value, all_ns)));
}

static void put_listed_line(struct json_report *file, const struct listed_function *function,
                            const struct listed_line *line)
{
    struct json_writer *json = &file->json;
    struct text text = {0};
    json_object(json, NULL);
    json_number_if(json, "line", line->line > 0 || line->old_line == 0, line->line);
    if (function->is_matched)
        json_number_if(json, "old_line", line->old_line > 0, line->old_line);
    if (listed_line_put(&text, function, line))
        json_text(json, "text", text_span(&text));
    else
        json_null(json, "text");
    put_listed_value(file, function, &line->now, file->report->tree);
    json_put_function(file, "callee", line->callee);
    if (file->report->old != NULL) {
        json_object(json, "old");
        put_listed_value(file, function, &line->old, file->report->old->tree);
        json_end(json);
    }
    json_end(json);
    text_release(&text);
}

/* Puts the lines of a function that --list matches; nothing for another. */
static void put_listed(struct json_report *file, const struct listing *listing, uint32_t id)
{
    struct listed_function function;
    if (file->report->list == NULL || listing->edges.place_of[id] == TREE_NONE)
        return;
    listing_take(listing, listing->edges.place_of[id], &function);
    json_array(&file->json, "lines");
    for (size_t i = 0; i < function.count; i++)
        put_listed_line(file, &function, &function.lines[i]);
    json_end(&file->json);
    listed_function_release(&function);
}

/* `row` is NULL for a function that only ticks have. */
static void put_mark(struct json_report *file, uint32_t function, const struct row *row)
{
    const struct report *report = file->report;
    enum mark mark =
        row != NULL ? mark_of_row(report, &file->table, row) : mark_of_function(report, function);
    if (mark == MARK_NONE)
        json_null(&file->json, "mark");
    else
        json_string(&file->json, "mark", mark_infos[mark].word);
}

void json_put_functions(struct json_report *file)
{
    static const struct row no_values = {0};
    const struct report *report = file->report;
    struct edges edges;
    struct listing listing = {0};
    if (report->list != NULL)
        listing_init(&listing, report, report->is_listed);
    edges_init(&edges, report, NULL);
    json_array(&file->json, "functions");
    for (uint32_t i = 0; i < file->function_count && !output_has_failed(file->json.out); i++) {
        bool is_in_table = i < file->table.row_count;
        json_object(&file->json, NULL);
        put_names(file, file->functions[i]);
        json_put_values(file, is_in_table ? &file->table : NULL,
                        is_in_table ? &file->table.rows[i] : &no_values);
        put_mark(file, file->functions[i], is_in_table ? &file->table.rows[i] : NULL);
        put_callers(file, &edges, file->functions[i]);
        put_listed(file, &listing, file->functions[i]);
        json_end(&file->json);
    }
    json_end(&file->json);
    edges_release(&edges);
    listing_release(&listing);
}
