#include "base/mem.h"
#include "report/figures/flags.h"
#include "report/figures/label_texts.h"
#include "report/files/json/json.h"
#include "report/sentences/recorder_cost.h"
#include "report/tables/list_table.h"
#include "report/tables/peek_table.h"
#include "report/tables/repeated_tables.h"
#include "report/tables/tick_tables.h"
#include "report/tables/watched_repeated.h"

#include <math.h>

void json_put_rows(struct json_report *file)
{
    const struct report *report = file->report;
    json_string(&file->json, "by", table_by_infos[report->show.by].name);
    if (report->show.by == BY_FUNCTION) {
        json_null(&file->json, "rows");
        return;
    }
    SCOPED(function_table) functions;
    function_table_init(&functions, report, report->show.by, FOR_JSON);
    json_put_table(file, &functions.table, report->repeated != NULL ? 2 : 1);
}

/* Several logs of the same game ------------------------------------------------------------ */

static void put_logs(struct json_writer *json, const char *key,
                     const struct repeated_values *repeated)
{
    JSON_ARRAY(json, key);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        JSON_OBJECT(json, NULL);
        json_number(json, "total_ns", log->total_ns);
        json_count(json, "calls", log->calls);
        json_count(json, "errors", log->errors);
        json_count(json, "ticks", tick_list_game_count(&log->ticks));
        json_count(json, "damaged", log->damaged);
        json_count(json, "missing_lines", log->missing_lines);
        json_real(json, "scale", log->scale);
        json_put_ratio(json, "time_ratio_max", recorder_cost_most_times(log->untimed_bias));
    }
}

static void put_totals(struct json_report *file, const struct repeated_totals *totals)
{
    JSON_OBJECT(&file->json, "totals");
    for (size_t row = 0; row < totals->count; row++)
        json_put_object(file, totals->infos[row].key, &totals->table, row);
}

/* What watches have of the games. */
static void put_watch(struct json_report *file)
{
    SCOPED(watched_repeated) watched;
    watched_repeated_init(&watched, file->report, FOR_JSON);
    if (!json_object_if(&file->json, "watch", watched.totals.count > 0))
        return;
    put_totals(file, &watched.totals);
    json_put_all(file, "threads", &watched.rows);
    json_end(&file->json);
}

void json_put_repeated(struct json_report *file)
{
    const struct report *report = file->report;
    struct json_writer *json = &file->json;
    if (!json_object_if(json, "repeated", report->repeated != NULL))
        return;
    SCOPED(repeated_tables) repeated;
    repeated_tables_init(&repeated, report, FOR_JSON);
    put_logs(&file->json, "logs", report->repeated);
    if (report->old != NULL)
        put_logs(&file->json, "old_logs", report->old->repeated);
    put_totals(file, &repeated.totals);
    json_put_table(file, &repeated.rows, 1);
    put_watch(file);
    json_end(json);
}

#define NO_NUMBER UINT32_MAX

void json_number_function(struct json_report *file, uint32_t function)
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
    function_table_init(&file->table, report, BY_FUNCTION, FOR_JSON);
    for (size_t i = 0; i < file->table.sums.row_count; i++)
        json_number_function(file, row_sums_group(&file->table.sums, i)->function);
    for (size_t i = 0; i < ticks->count; i++)
        for (size_t k = 0; k < ticks->ticks[i].function_count; k++)
            json_number_function(file, ticks->ticks[i].functions[k].function);
    json_walk_keyed(file, false);
    json_number_watch(file);
}

void json_put_function(struct json_writer *json, const char *key, uint32_t function,
                       const uint32_t *number_of)
{
    if (number_of == NULL)
        return;
    bool is_known = function != TREE_NONE && number_of[function] != NO_NUMBER;
    json_number_if(json, key, is_known, is_known ? number_of[function] : 0);
}

/* Names ------------------------------------------------------------------------------------ */

static void put_names(struct json_report *file, uint32_t function)
{
    struct json_writer *json = &file->json;
    const struct symbols *symbols = &file->report->profile->symbols;
    const struct labels *labels = file->report->labels;
    const struct label *label = &labels->of[function];
    SCOPED(text) source = {0};
    json_text(json, "label", labels_text(labels, label->label));
    json_text(json, "name", labels_text(labels, label->name));
    report_put_source(&source, file->report, function);
    json_text(json, "source", text_span(&source));
    json_number(json, "line", symbols->functions[function].line);
    json_text(json, "file", labels_text(labels, label->file));
    json_text(json, "mod", labels_text(labels, label->mod));
    json_string(json,
                "kind",
                symbols_is_lua(symbols, function) ? "lua"
                : symbols_is_c(symbols, function) ? "c"
                                                  : "other");
}

/* Callers and callees ---------------------------------------------------------------------- */

/* Puts rows of callers or callees, each with the lines of its calls. */
static void put_edges(struct json_report *file, const char *key, const struct peek_table *edges,
                      size_t row, size_t end)
{
    JSON_ARRAY(&file->json, key);
    while (row < end) {
        JSON_OBJECT(&file->json, NULL);
        json_put_row(file, &edges->table, row++);
        JSON_ARRAY(&file->json, "lines");
        for (; row < end && edges->rows[row].line != NULL; row++)
            json_put_object(file, NULL, &edges->parts, row);
    }
}

/* How long the calls took: [from_ns, calls] of each step that has some. */
static void put_durations(struct json_writer *json, const struct report *report, uint32_t function)
{
    const struct call_histogram *histogram = report_durations(report, function);
    if (!json_object_if(json, "durations", histogram != NULL))
        return;
    json_number(json, "median_ns", call_histogram_median_ns(histogram));
    json_array(json, "steps");
    for (uint32_t step = 0; step < histogram->count; step++) {
        if (histogram->calls[step] == 0)
            continue;
        JSON_ARRAY(json, NULL);
        json_number(json, NULL, step == 0 ? 0 : (int64_t)ceil(duration_step_begin(step)));
        json_count(json, NULL, histogram->calls[step]);
    }
    json_end(json);
    json_end(json);
}

static void put_arguments(struct json_writer *json, const struct report *report, uint32_t function)
{
    const struct argument_counts *counts = report_arguments(report, function);
    if (counts == NULL)
        return;
    JSON_OBJECT(json, "arguments");
    for (size_t i = 0; i < ARGUMENTS_COUNT; i++)
        json_count(json, argument_count_names[i], counts->of[i]);
}

/* A function that only ticks have is in no edges. */
static void put_callers(struct json_report *file, struct peek_table *edges, uint32_t function)
{
    static const struct edge_function none = {0};
    uint32_t place = edges->edges->place_of[function];
    const struct edge_function *found =
        place != TREE_NONE ? &edges->edges->functions[place] : &none;
    peek_table_choose(edges, found);
    size_t callees = edges->groups[EDGE_CALLEES].first_row;
    json_bool(&file->json, "recursive", found->is_recursive);
    put_edges(file, "callers", edges, 0, callees);
    put_edges(file, "callees", edges, callees, edges->table.row_count);
}

/* Lines of --list ------------------------------------------------------------------------- */

/* Puts the lines of a function that --list matches; nothing for another. */
static void put_listed(struct json_report *file, struct listing *listing, uint32_t id)
{
    if (listing->report == NULL || listing->edges.place_of[id] == TREE_NONE)
        return;
    SCOPED(list_table) lines;
    list_table_init(&lines, listing, listing->edges.place_of[id], SIZE_MAX, FOR_JSON);
    json_put_all(file, "lines", &lines.table);
}

static void put_flag(struct json_report *file, uint32_t index)
{
    const struct report *report = file->report;
    const struct row_sums *sums = &file->table.sums;
    enum flag flag = index < sums->row_count ? flag_of_row(report, sums, &sums->rows[index])
                                             : flag_of_function(report, file->functions[index]);
    if (flag == FLAG_NONE)
        json_null(&file->json, "mark");
    else
        json_string(&file->json, "mark", flag_infos[flag].word);
}

void json_put_functions(struct json_report *file)
{
    const struct report *report = file->report;
    SCOPED(listing) listing = {0};
    if (report->chosen[TABLE_LIST].pattern != NULL)
        listing_init(&listing, report, report->chosen[TABLE_LIST].is_chosen);
    SCOPED(edges) edges;
    SCOPED(peek_table) peek_table;
    edges_init(&edges, report, NULL, true);
    peek_table_init(&peek_table, report, &edges, FOR_JSON);
    JSON_ARRAY(&file->json, "functions");
    for (uint32_t i = 0; i < file->function_count && !output_has_failed(file->json.out); i++) {
        JSON_OBJECT(&file->json, NULL);
        put_names(file, file->functions[i]);
        json_put_row(file, &file->table.table, i);
        put_flag(file, i);
        put_durations(&file->json, file->report, file->functions[i]);
        put_arguments(&file->json, file->report, file->functions[i]);
        put_callers(file, &peek_table, file->functions[i]);
        put_listed(file, &listing, file->functions[i]);
    }
}

static void put_tick_functions(struct json_report *file, const struct tick *tick)
{
    struct json_writer *json = &file->json;
    if (tick->functions == NULL) {
        json_null(json, "functions");
        return;
    }
    JSON_ARRAY(json, "functions");
    for (size_t i = 0; i < tick->function_count; i++) {
        JSON_OBJECT(json, NULL);
        json_put_function(json, "function", tick->functions[i].function, file->number_of);
        json_number(json, "self_ns", tick->functions[i].self_ns);
        json_count(json, "calls", tick->functions[i].calls);
    }
}

/* Functions of the old profile have other ids: its ticks are put without them. */
static void put_ticks(struct json_report *file, const char *key, enum tick_table_kind kind)
{
    struct json_writer *json = &file->json;
    SCOPED(tick_table) ticks;
    tick_table_init(&ticks, file->report, kind, FOR_JSON);
    JSON_ARRAY(json, key);
    for (size_t row = 0; row < ticks.table.row_count && !output_has_failed(json->out); row++) {
        JSON_OBJECT(json, NULL);
        json_put_row(file, &ticks.table, row);
        if (kind == TICKS_EACH)
            put_tick_functions(file, ticks.pairs.all[row].now);
    }
}

static void put_same(struct json_writer *json, const struct tick_list *now,
                     const struct tick_list *old)
{
    SCOPED(tick_pairs) pairs;
    tick_pairs_init(&pairs, now, old);
    JSON_OBJECT(json, "in_both");
    json_count(json, "count", pairs.same_count);
    json_count(json, "longer_count", pairs.longer_count);
    json_count(json, "shorter_count", pairs.shorter_count);
    json_number(json, "total_ns", pairs.now_ns);
    json_number(json, "old_total_ns", pairs.old_ns);
}

static void put_what_if(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct what_if_rows *what_if = file->report->what_if;
    if (!json_object_if(json, "what_if", what_if != NULL))
        return;
    SCOPED(tick_table) table;
    tick_table_init(&table, file->report, TICKS_WHAT_IF, FOR_JSON);
    json_count(json, "of_computer", what_if->computer_count);
    json_put_object(file, "now", &table.table, 0);
    json_array(json, "changes");
    for (size_t i = 0; i < what_if->count; i++) {
        JSON_OBJECT(json, NULL);
        json_string(json, "text", what_if->rows[i].text);
        json_put_row(file, &table.table, i + 1);
    }
    json_end(json);
    json_end(json);
}

void json_put_ticks(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct profile *profile = file->report->profile;
    const struct profile *old = file->report->old != NULL ? file->report->old->profile : NULL;
    struct tick_table sides;
    bool has_ticks = profile->ticks.count > 0 || (old != NULL && old->ticks.count > 0);
    if (!json_object_if(json, "ticks", has_ticks))
        return;
    json_string(json, "kind", tick_kinds[profile->ticks.state].one);
    json_number(json, "budget_ns", profile->ticks.limit_ns);
    json_number_if(
        json, "ticks_per_collection", profile->ticks.state != LUA_STATE_UI, TICKS_A_COLLECTION);
    tick_table_init(&sides, file->report, TICKS_SIDES, FOR_JSON);
    json_put_object(file, "statistics", &sides.table, TICK_SIDE_NEW);
    if (old != NULL) {
        json_put_object(file, "old_statistics", &sides.table, TICK_SIDE_OLD);
        put_same(&file->json, &profile->ticks, &old->ticks);
    }
    put_what_if(file);
    put_ticks(file, "list", TICKS_EACH);
    if (old != NULL)
        put_ticks(file, "old_list", TICKS_OLD);
    json_end(json);
}
