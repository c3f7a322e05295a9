/* Values ----------------------------------------------------------------------------------- */
#include "base/mem.h"
#include "report/figures/flags.h"
#include "report/figures/labels.h"
#include "report/figures/listing.h"
#include "report/figures/tick_pairs.h"
#include "report/files/json/json.h"
#include "report/tables/repeated_tables.h"

#include <math.h>
#include <stdio.h>

/* Not sum%: its value depends on the order of the rows. */
bool json_has_column(enum column_kind kind)
{
    return kind != COLUMN_SUM_PERCENT && column_infos[kind].needs != NEEDS_THREADS;
}

bool json_column_is_optional(enum column_kind kind)
{
    return column_infos[kind].needs == NEEDS_LINES;
}

const char *json_column_key(char key[JSON_COLUMN_KEY_BYTES], enum column_kind kind)
{
    const char *name = column_infos[kind].name;
    size_t length = strlen(name);
    snprintf(key, JSON_COLUMN_KEY_BYTES, "%s", name);
    if (length > 3 && strcmp(name + length - 3, "_us") == 0)
        key[length - 2] = 'n';
    return key;
}

/* `is_line`: the row is of a table of lines that ran, where each row has the same keys. */
static void put_value(struct json_report *file, enum column_kind kind, const struct row *row,
                      int64_t all_ns, bool is_line)
{
    char key[JSON_COLUMN_KEY_BYTES];
    json_column_key(key, kind);
    struct column_value value = column_of(kind, row);
    if (!value.is_known) {
        if (!json_column_is_optional(kind) || (is_line && column_infos[kind].needs == NEEDS_LINES))
            json_null(&file->json, key);
        return;
    }
    switch (column_infos[kind].type) {
    case TYPE_PERCENT:
        json_real(&file->json, key,
                  all_ns == 0 ? 0 : round(1e4 * (double)value.number / (double)all_ns) / 100);
        break;
    case TYPE_FLAG:
        json_bool(&file->json, key, value.number != 0);
        break;
    default:
        json_number(&file->json, key, value.number);
    }
}

static void put_all(struct json_report *file, const struct row_sums *table, const struct row *row,
                    int64_t all_ns)
{
    bool is_line = table != NULL && table->lines != NULL;
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        if (json_has_column((enum column_kind)kind))
            put_value(file, (enum column_kind)kind, row, all_ns, is_line);
}

void json_put_values(struct json_report *file, const struct row_sums *table, const struct row *row)
{
    const struct report *report = file->report;
    put_all(file, table, row, report_total_ns(report));
    if (report->old == NULL)
        return;
    static const struct row no_values = {0};
    const struct row *old = table != NULL ? row_sums_old(table, row) : &no_values;
    json_object(&file->json, "old");
    put_all(file, table, old, report->old->tree->total_ns[TREE_ROOT]);
    json_end(&file->json);
    if (rows_have_noise(row, old))
        json_bool(&file->json, "within_noise", row_is_alike(row, old));
    else
        json_null(&file->json, "within_noise");
}

/* Rows ------------------------------------------------------------------------------------- */

/* What a row stands for. */
static void put_key(struct json_report *file, const struct row_sums *table, const struct row *row)
{
    const struct report *report = file->report;
    if (table->by == BY_STACK) {
        struct text stack = {0};
        stack_put(&stack, table->tree, report->labels, row->group, report->show.call_sites);
        json_text(&file->json, "stack", text_span(&stack));
        text_release(&stack);
        return;
    }
    const struct row_group *group = &table->groups.all[row->group];
    if (table->by == BY_FILE || table->by == BY_MOD) {
        json_text(&file->json, table_by_infos[table->by].name,
                  labels_text(report->labels, group->text));
        return;
    }
    json_put_function(file, "function", group->function);
    if (table->by == BY_LINE)
        json_number(&file->json, "line", group->line);
    if (table->by == BY_THREAD)
        json_string(&file->json, "thread", threads_name(group->flags));
}

static void put_threads(struct json_report *file, const struct row *row)
{
    json_object(&file->json, "threads");
    for (enum column_kind kind = COLUMN_THREADS; kind < COLUMN_KIND_COUNT; kind++)
        put_value(file, kind, row, 0, false);
    json_end(&file->json);
}

/* Puts how many rows had no room. */
static void put_left_out(struct json_report *file, size_t count)
{
    if (count > 0)
        json_count(&file->json, "rows_left_out", count);
    file->left_out_count += count;
}

void json_put_rows(struct json_report *file)
{
    json_string(&file->json, "by", table_by_infos[file->report->show.by].name);
    if (file->report->show.by == BY_FUNCTION) {
        json_null(&file->json, "rows");
        return;
    }
    unsigned lists = file->report->repeated != NULL ? 2 : 1;
    size_t count = 0;
    struct row_sums table = report_rows(file->report, file->report->show.by);
    json_array(&file->json, "rows");
    for (; count < table.row_count && report_has_room(file->report, file->json.out, lists);
         count++) {
        json_object(&file->json, NULL);
        put_key(file, &table, &table.rows[count]);
        json_put_values(file, &table, &table.rows[count]);
        if (file->report->show.has_threads)
            put_threads(file, &table.rows[count]);
        json_end(&file->json);
    }
    json_end(&file->json);
    put_left_out(file, table.row_count - count);
    row_sums_release(&table);
}

/* Several logs of the same game ------------------------------------------------------------ */

static void put_cell(struct json_writer *json, const char *key, const struct cell *cell)
{
    if (cell->type == TYPE_FLAG)
        json_bool(json, key, cell->number != 0);
    else if (cell->type == TYPE_REAL || cell->type == TYPE_CHANCE)
        json_real(json, key, cell->real);
    else
        json_number(json, key, cell->number);
}

/* Puts the values of a row: an object for each column of some aspects, with one for each group. */
static void put_aspects(struct json_writer *json, const struct table *table, size_t row,
                        struct cell *cell)
{
    const char *word = NULL, *group = NULL;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        const struct aspect_info *aspect = &aspect_infos[column->aspect];
        if (aspect->group == NULL)
            continue;
        bool is_same = group != NULL && word == column->info->word;
        if (group != NULL && (!is_same || strcmp(group, aspect->group) != 0))
            json_end(json);
        if (!is_same && word != NULL)
            json_end(json);
        if (!is_same && column->info->word != NULL)
            json_object(json, column->info->word);
        if (!is_same || strcmp(group, aspect->group) != 0)
            json_object(json, aspect->group);
        word = column->info->word;
        group = aspect->group;
        table_get(table, row, column, cell);
        put_cell(json, aspect->key, cell);
    }
    json_end(json);
    if (word != NULL)
        json_end(json);
}

static void put_logs(struct json_report *file, const char *key,
                     const struct repeated_values *repeated)
{
    struct json_writer *json = &file->json;
    json_array(json, key);
    for (size_t i = 0; i < repeated->count; i++) {
        const struct log_values *log = &repeated->logs[i];
        json_object(json, NULL);
        json_number(json, "total_ns", log->total_ns);
        json_count(json, "calls", log->calls);
        json_count(json, "errors", log->errors);
        json_count(json, "ticks", tick_list_game_count(&log->ticks));
        json_count(json, "damaged", log->damaged);
        json_count(json, "missing_lines", log->missing_lines);
        json_real(json, "scale", log->scale);
        json_end(json);
    }
    json_end(json);
}

static void put_totals(struct json_writer *json, const struct table *totals, struct cell *cell)
{
    json_object(json, "totals");
    for (size_t row = 0; row < totals->row_count; row++) {
        json_object(json, repeated_totals[row].key);
        put_aspects(json, totals, row, cell);
        json_end(json);
    }
    json_end(json);
}

void json_put_repeated(struct json_report *file)
{
    const struct report *report = file->report;
    struct json_writer *json = &file->json;
    struct repeated_tables repeated;
    struct cell cell = {0};
    if (!json_object_if(json, "repeated", report->repeated != NULL))
        return;
    repeated_tables_init(&repeated, report, FOR_JSON);
    put_logs(file, "logs", report->repeated);
    if (report->old != NULL)
        put_logs(file, "old_logs", report->old->repeated);
    put_totals(json, &repeated.totals, &cell);
    json_array(json, "rows");
    size_t row = 0;
    for (; row < repeated.rows.row_count && report_has_room(report, json->out, 1); row++) {
        json_object(json, NULL);
        put_key(file, &repeated.sums.table, &repeated.sums.table.rows[row]);
        put_aspects(json, &repeated.rows, row, &cell);
        json_end(json);
    }
    json_end(json);
    put_left_out(file, repeated.rows.row_count - row);
    json_end(json);
    cell_release(&cell);
    repeated_tables_release(&repeated);
}

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
    file->table = report_rows(report, BY_FUNCTION);
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

/* How long the calls took: [from_ns, calls] of each step that has some. */
static void put_durations(struct json_report *file, uint32_t function)
{
    struct json_writer *json = &file->json;
    const struct call_histogram *histogram = report_durations(file->report, function);
    if (!json_object_if(json, "durations", histogram != NULL))
        return;
    json_number(json, "median_ns", call_histogram_median_ns(histogram));
    json_array(json, "steps");
    for (uint32_t step = 0; step < histogram->count; step++) {
        if (histogram->calls[step] == 0)
            continue;
        json_array(json, NULL);
        json_number(json, NULL, step == 0 ? 0 : (int64_t)ceil(duration_step_begin(step)));
        json_count(json, NULL, histogram->calls[step]);
        json_end(json);
    }
    json_end(json);
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
                             const struct listed_value *value)
{
    struct json_writer *json = &file->json;
    json_count(json, "calls", value->calls);
    json_count(json, "errors", value->errors);
    json_number(json, "total_ns", value->total_ns);
    if (function->has_runs)
        json_count(json, "runs", value->runs);
    if (function->has_self)
        json_number(json, "self_ns", value->self_ns);
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
    put_listed_value(file, function, &line->now);
    json_put_function(file, "callee", line->callee);
    if (file->report->old != NULL) {
        json_object(json, "old");
        put_listed_value(file, function, &line->old);
        json_end(json);
    }
    json_end(json);
    text_release(&text);
}

/* Puts the lines of a function that --list matches; nothing for another. */
static void put_listed(struct json_report *file, struct listing *listing, uint32_t id)
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
static void put_flag(struct json_report *file, uint32_t function, const struct row *row)
{
    const struct report *report = file->report;
    enum flag flag =
        row != NULL ? flag_of_row(report, &file->table, row) : flag_of_function(report, function);
    if (flag == FLAG_NONE)
        json_null(&file->json, "mark");
    else
        json_string(&file->json, "mark", flag_infos[flag].word);
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
        put_flag(file, file->functions[i], is_in_table ? &file->table.rows[i] : NULL);
        put_durations(file, file->functions[i]);
        put_callers(file, &edges, file->functions[i]);
        put_listed(file, &listing, file->functions[i]);
        json_end(&file->json);
    }
    json_end(&file->json);
    edges_release(&edges);
    listing_release(&listing);
}

static void put_statistics(struct json_report *file, const char *key,
                           const struct tick_statistics *ticks)
{
    struct json_writer *json = &file->json;
    json_object(json, key);
    json_count(json, "count", ticks->count);
    json_number(json, "total_ns", ticks->total_ns);
    json_count(json, "over_count", ticks->over_count);
    json_number(json, "over_ns", ticks->over_ns);
    json_count(json, "disturbed_count", ticks->disturbed_count);
    json_number(json, "median_ns", ticks->median_ns);
    json_number(json, "percentile_95_ns", ticks->percentile_95_ns);
    json_number(json, "percentile_99_ns", ticks->percentile_99_ns);
    json_number(json, "longest_ns", ticks->longest_ns);
    json_number_if(json, "slow_every", ticks->distance.ticks > 0, ticks->distance.ticks);
    json_bool(json, "slow_at_collections", ticks->distance.is_collection);
    json_end(json);
}

static void put_functions(struct json_report *file, const struct tick *tick)
{
    struct json_writer *json = &file->json;
    json_number_if(json, "usual_ns", tick->usual_ns >= 0, tick->usual_ns);
    json_bool(json, "disturbed", tick->is_disturbed);
    if (tick->functions == NULL) {
        json_null(json, "functions");
        return;
    }
    json_array(json, "functions");
    for (size_t i = 0; i < tick->function_count; i++) {
        json_object(json, NULL);
        json_put_function(file, "function", tick->functions[i].function);
        json_number(json, "self_ns", tick->functions[i].self_ns);
        json_count(json, "calls", tick->functions[i].calls);
        json_end(json);
    }
    json_end(json);
}

/* `has_functions` is false for the old profile: its functions have other ids. */
static void put_list(struct json_report *file, const char *key, const struct profile *profile,
                     bool has_functions)
{
    struct json_writer *json = &file->json;
    json_array(json, key);
    for (size_t i = 0; i < profile->ticks.count && !output_has_failed(json->out); i++) {
        const struct tick *tick = &profile->ticks.ticks[i];
        double seconds = recording_seconds(&profile->rebuilt[tick->recording], tick->number);
        json_object(json, NULL);
        json_count(json, "run", profile->recordings.all[tick->recording].run);
        json_number(json, "tick", tick->number);
        json_count(json, "ticks", 1 + tick->joined);
        /* Frames have no game time. */
        json_real(json, "game_seconds",
                  profile->ticks.state == LUA_STATE_UI ? NAN : round(seconds * 10) / 10);
        json_number(json, "time_ns", tick->time_ns);
        json_number(json, "measured_ns", tick->measured_ns);
        json_count(json, "calls", tick->calls);
        json_number(json, "over_ns", tick->over_ns > 0 ? tick->over_ns : 0);
        json_bool(json, "collection", tick_collects(&profile->ticks, tick->number));
        if (has_functions)
            put_functions(file, tick);
        json_end(json);
    }
    json_end(json);
}

static void put_same(struct json_report *file, const struct tick_list *now,
                     const struct tick_list *old)
{
    struct json_writer *json = &file->json;
    struct tick_pairs pairs;
    tick_pairs_init(&pairs, now, old);
    json_object(json, "in_both");
    json_count(json, "count", pairs.same_count);
    json_count(json, "longer_count", pairs.longer_count);
    json_count(json, "shorter_count", pairs.shorter_count);
    json_number(json, "total_ns", pairs.now_ns);
    json_number(json, "old_total_ns", pairs.old_ns);
    json_end(json);
    tick_pairs_release(&pairs);
}

static void put_times(struct json_report *file, const struct tick_times *times)
{
    struct json_writer *json = &file->json;
    json_count(json, "slow_ticks", times->slow_count);
    json_number(json, "median_ns", times->median_ns);
    json_number(json, "percentile_99_ns", times->percentile_99_ns);
    json_number(json, "longest_ns", times->longest_ns);
}

static void put_what_if(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct what_if_rows *what_if = file->report->what_if;
    if (!json_object_if(json, "what_if", what_if != NULL))
        return;
    json_count(json, "of_computer", what_if->computer_count);
    json_object(json, "now");
    put_times(file, &what_if->now);
    json_end(json);
    json_array(json, "changes");
    for (size_t i = 0; i < what_if->count; i++) {
        json_object(json, NULL);
        json_string(json, "text", what_if->rows[i].text);
        put_times(file, &what_if->rows[i].then);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void json_put_ticks(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct profile *profile = file->report->profile;
    const struct profile *old = file->report->old != NULL ? file->report->old->profile : NULL;
    bool has_ticks = profile->ticks.count > 0 || (old != NULL && old->ticks.count > 0);
    if (!json_object_if(json, "ticks", has_ticks))
        return;
    json_string(json, "kind", tick_kinds[profile->ticks.state].one);
    json_number(json, "budget_ns", profile->ticks.limit_ns);
    json_number_if(json, "ticks_per_collection", profile->ticks.state != LUA_STATE_UI,
                   TICKS_A_COLLECTION);
    put_statistics(file, "statistics", &file->report->ticks);
    if (old != NULL) {
        put_statistics(file, "old_statistics", &file->report->old->ticks);
        put_same(file, &profile->ticks, &old->ticks);
    }
    put_what_if(file);
    put_list(file, "list", profile, true);
    if (old != NULL)
        put_list(file, "old_list", old, false);
    json_end(json);
}
