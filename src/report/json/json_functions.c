#include "report/json/json_parts.h"

#include "base/mem.h"
#include "report/edges.h"

#include <stdlib.h>
#include <string.h>

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
    if (report->old != NULL)
        table_compare(&file->table, BY_FUNCTION, report->sort, report->tree, report->old->tree,
                      report->old->scales_calls, report->labels, false);
    else
        table_init(&file->table, BY_FUNCTION, report->sort, report->tree, report->labels, false);
    for (size_t i = 0; i < file->table.row_count; i++)
        number(file, file->table.groups.all[file->table.rows[i].group].function);
    for (size_t i = 0; i < ticks->count; i++)
        for (size_t k = 0; k < ticks->ticks[i].function_count; k++)
            number(file, ticks->ticks[i].functions[k].function);
}

void json_put_function(struct json_report *file, const char *key, uint32_t function)
{
    if (function == TREE_NONE)
        json_null(&file->json, key);
    else
        json_count(&file->json, key, file->number_of[function]);
}

/* Names ------------------------------------------------------------------------------------ */

/* The source as csv has it: a path as reports show it, or the whole text of a chunk. */
static void put_source(struct json_report *file, uint32_t function)
{
    const struct symbols *symbols = &file->report->profile->symbols;
    const struct labels *labels = file->report->labels;
    struct span source = intern_get(&symbols->strings, symbols->functions[function].source);
    bool is_chunk = source.length > 0 && source.at[0] != '@' && source.at[0] != '=';
    struct text text = {0};
    if (is_chunk)
        text_put_clean(&text, source, true);
    json_text(&file->json, "source",
              is_chunk ? text_span(&text) : labels_text(labels, labels->labels[function].file));
    text_release(&text);
}

static void put_names(struct json_report *file, uint32_t function)
{
    struct json_writer *json = &file->json;
    const struct symbols *symbols = &file->report->profile->symbols;
    const struct labels *labels = file->report->labels;
    const struct label *label = &labels->labels[function];
    json_text(json, "label", labels_text(labels, label->label));
    json_text(json, "name", labels_text(labels, label->name));
    put_source(file, function);
    json_number(json, "line", symbols->functions[function].line);
    json_text(json, "file", labels_text(labels, label->file));
    json_text(json, "mod", labels_text(labels, label->mod));
    json_string(json, "kind",
                symbols_is_lua(symbols, function) ? "lua"
                : symbols_is_c(symbols, function) ? "c"
                                                  : "other");
}

/* Callers and callees ---------------------------------------------------------------------- */

/* Edges of both profiles: those of the old tree, which has the same nodes, are the same ones. */
struct both_edges {
    struct edges now, old;
    bool is_compared;
    uint32_t *now_at;  /* [symbols' function_count]: index in now.functions, or NO_NUMBER */
    uint32_t *old_at;  /* the same in old.functions */
    uint32_t *edge_at; /* [symbols' function_count + 1]: index of old edges of a function */
};

static void index_functions(uint32_t *at, const struct edges *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        at[i] = NO_NUMBER;
    for (size_t i = 0; i < edges->function_count; i++)
        at[edges->functions[i].function] = (uint32_t)i;
}

static void edges_of_both_init(struct both_edges *both, const struct report *report)
{
    uint32_t count = report->profile->symbols.function_count;
    uint8_t *is_chosen = mem_zeroed(count, 1);
    memset(is_chosen, 1, count);
    *both = (struct both_edges){.is_compared = report->old != NULL};
    both->now_at = mem_zeroed(count, sizeof *both->now_at);
    edges_init(&both->now, report->tree, report->labels, is_chosen, count);
    index_functions(both->now_at, &both->now, count);
    if (both->is_compared) {
        both->old_at = mem_zeroed(count, sizeof *both->old_at);
        both->edge_at = mem_zeroed((size_t)count + 1, sizeof *both->edge_at);
        edges_init(&both->old, report->old->tree, report->labels, is_chosen, count);
        index_functions(both->old_at, &both->old, count);
    }
    free(is_chosen);
}

static void edges_of_both_release(struct both_edges *both)
{
    edges_release(&both->now);
    if (both->is_compared)
        edges_release(&both->old);
    free(both->now_at);
    free(both->old_at);
    free(both->edge_at);
}

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

static void put_edge(struct json_report *file, const struct both_edges *both,
                     const struct edge *edge, const struct edge *old)
{
    struct json_writer *json = &file->json;
    json_object(json, NULL);
    json_put_function(file, "function", edge->function);
    json_count(json, "calls", edge->calls);
    json_number(json, "total_ns", edge->total_ns);
    if (old != NULL) {
        json_count(json, "old_calls", old->calls);
        json_number(json, "old_total_ns", old->total_ns);
    }
    json_bool(json, "recursive", edge->is_recursive);
    put_lines(file, &both->now, edge);
    json_end(json);
}

/* The engine, TREE_NONE, is the last one. */
static size_t edge_index(const struct json_report *file, const struct edge *edge)
{
    uint32_t count = file->report->profile->symbols.function_count;
    return edge->function == TREE_NONE ? count : edge->function;
}

/* Puts edges of a function; `old`, [old_count], are those of the old profile. */
static void put_edges(struct json_report *file, struct both_edges *both, const char *key,
                      const struct edge *edges, size_t count, const struct edge *old,
                      size_t old_count)
{
    for (size_t i = 0; i < old_count; i++)
        both->edge_at[edge_index(file, &old[i])] = (uint32_t)i + 1;
    json_array(&file->json, key);
    for (size_t i = 0; i < count; i++) {
        uint32_t at = both->is_compared ? both->edge_at[edge_index(file, &edges[i])] : 0;
        put_edge(file, both, &edges[i], at > 0 ? &old[at - 1] : NULL);
    }
    json_end(&file->json);
    for (size_t i = 0; i < old_count; i++)
        both->edge_at[edge_index(file, &old[i])] = 0;
}

static void put_callers(struct json_report *file, struct both_edges *both, uint32_t function)
{
    static const struct edge_function none = {0};
    uint32_t at = both->now_at[function];
    uint32_t old_at = both->is_compared ? both->old_at[function] : NO_NUMBER;
    const struct edge_function *now = at != NO_NUMBER ? &both->now.functions[at] : &none;
    const struct edge_function *old = old_at != NO_NUMBER ? &both->old.functions[old_at] : &none;
    json_bool(&file->json, "recursive", now->is_recursive);
    put_edges(file, both, "callers", both->now.callers + now->first_caller, now->caller_count,
              both->old.callers + old->first_caller, old->caller_count);
    put_edges(file, both, "callees", both->now.callees + now->first_callee, now->callee_count,
              both->old.callees + old->first_callee, old->callee_count);
}

void json_put_functions(struct json_report *file)
{
    static const struct row no_values = {0};
    struct both_edges both;
    edges_of_both_init(&both, file->report);
    json_array(&file->json, "functions");
    for (uint32_t i = 0; i < file->function_count && !output_has_failed(file->json.out); i++) {
        bool is_in_table = i < file->table.row_count;
        json_object(&file->json, NULL);
        put_names(file, file->functions[i]);
        json_put_values(file, is_in_table ? &file->table : NULL,
                        is_in_table ? &file->table.rows[i] : &no_values);
        put_callers(file, &both, file->functions[i]);
        json_end(&file->json);
    }
    json_end(&file->json);
    edges_of_both_release(&both);
}
