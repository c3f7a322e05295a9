/*
 * Everything that other formats know of a profile, in one JSON document for programs. Its schema is
 * supprof.schema.json, which the document names (man/supprof.schema.json.in). All times are whole
 * nanoseconds, as measured and signed; a function is written once and referred to by its index, so
 * that the size of the document stays in proportion to the call tree.
 */
#include "report/files/json/json.h"

#include "base/mem.h"
#include "report/figures/formats.h"
#include "report/figures/sim_speed.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/judged_findings.h"
#include "report/sentences/limits.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "select/benchmarks.h"

#include <math.h>

enum { DOCUMENT_VERSION = 2 };

static void put_profile(struct json_writer *json, const struct report *report)
{
    const struct report_totals *totals = &report->totals;
    const struct profile_counts *counts = &report->profile->counts;
    JSON_OBJECT(json, "profile");
    json_string(json, "title", report->title);
    json_number(json, "total_ns", report_total_ns(report));
    json_number(json, "unfiltered_ns", report->all_ns);
    json_number(json, "main_ns", totals->main_ns);
    json_number(json, "coroutine_ns", totals->coroutine_ns);
    json_number(json, "either_ns", totals->both_ns);
    json_number(json, "c_ns", totals->c_ns);
    json_count(json, "stacks", totals->stacks);
    json_count(json, "functions", totals->functions);
    json_count(json, "calls", totals->calls);
    json_count(json, "negative_stacks", totals->negative_count);
    json_number(json, "negative_ns", totals->negative_ns);
    json_count(json, "bytes", counts->bytes);
    json_count(json, "runs", counts->runs);
    json_count(json, "records", counts->records);
    json_count(json, "events", counts->events);
    json_count(json, "damaged_records", counts->damaged);
    json_count(json, "untimed_records", counts->untimed);
    json_count(json, "timeless_records", counts->timeless);
}

static void put_choice(struct json_writer *json, const struct report *report)
{
    const struct tick_choice *choice = report->choice;
    if (!json_object_if(json, "chosen_ticks", choice != NULL))
        return;
    json_count(json, "chosen", choice->chosen_count);
    json_count(json, "of", choice->count);
    json_number(json, "outside_ns", choice->outside_ns);
    json_end(json);
}

static void put_comparison(struct json_writer *json, const struct report *report)
{
    const struct report *old = report->old;
    if (!json_object_if(json, "comparison", old != NULL))
        return;
    json_string(json, "old_title", old->title);
    json_number(json, "old_total_ns", old->tree->total_ns[TREE_ROOT]);
    json_string(json, "scaled", old->scaled != NULL ? old->scaled : "");
    json_put_ratio(json, "call_time_ratio", old->pace);
    json_count(json, "functions_at_their_lines", old->counts.same_place);
    json_count(json, "functions_at_other_lines", old->counts.other_line);
    json_count(json, "functions_by_other_names", old->counts.other_name);
    json_count(json, "functions_gone", old->counts.only_old);
    json_count(json, "functions_new", old->counts.only_new);
    json_end(json);
}

/* Each puts one or more members of the document. */
static void put_head(struct json_writer *json, const struct report *report)
{
    SCOPED(text) lines = {0};
    json_string(json, "$schema", "supprof.schema.json");
    json_number(json, "version", DOCUMENT_VERSION);
    json_string(json, "program", "supprof " SUPPROF_VERSION);
    put_profile(json, report);
    put_choice(json, report);
    put_comparison(json, report);
    summary_put_selection(&lines, report);
    json_take_lines(json, "shown", &lines);
    /* With --repeated, the notes are in "repeated". */
    if (report->repeated == NULL)
        notes_put_all(&lines, report);
    json_take_lines(json, "notes", &lines);
}

void json_put_ratio(struct json_writer *json, const char *name, double ratio)
{
    if (ratio > 0)
        json_real(json, name, ratio);
    else
        json_null(json, name);
}

static void put_run(struct json_writer *json, const struct recording *recording,
                    const struct rebuilt_recording *rebuilt)
{
    JSON_OBJECT(json, NULL);
    json_count(json, "run", recording->run);
    json_string(json, "state", recording->is_sim ? "sim" : "user");
    json_bool(json, "complete", recording->has_begin && recording->has_end);
    json_bool(json, "has_memory", recording->has_memory);
    if (recording->is_sampled) {
        json_count(json, "chosen_ticks", recording->chosen_ticks);
        json_count(json, "cut_ticks", recording->cut_ticks);
        json_number_if(
            json, "passed_ticks", recording->passed_ticks > 0, (int64_t)recording->passed_ticks);
        json_real(json, "weighted_ticks", rebuilt->weighted_ticks);
    }
    json_number_if(json, "first_tick", rebuilt->has_ticks, rebuilt->first_tick);
    json_number_if(json, "last_tick", rebuilt->has_ticks, rebuilt->last_tick);
    json_real(json, "clock_unit_ns", recording->unit_ns);
    json_real(json, "clock_step_ns", fmax(recording->step_ns, recording->unit_ns));
    json_real(json, "measured_ns", rebuilt->measured_ns);
    json_real(json, "overhead_subtracted_ns", rebuilt->removed_ns);
    json_real(json, "overhead_left_ns", rebuilt->clamped_ns);
    json_real(json, "overhead_excluded_ns", recording->lost_ns + rebuilt->recorder_ns);
    json_put_ratio(json, "reference_ratio", rebuilt->reference_ratio);
    json_put_ratio(json, "reference_change", rebuilt->reference_change);
    json_count(json, "reference_unlike", rebuilt->unlike_count);
    json_real(json, "cost_part", rebuilt->cost_fraction);
    json_put_ratio(json, "time_ratio_max", recorder_cost_most_times(rebuilt->costs.untimed_bias));
    json_count(json, "events", recording->events);
    json_count(json, "missing_lines", recording->missing_lines);
    json_count(json, "contradictions", rebuilt->contradictions);
}

static void put_recordings(struct json_writer *json, const struct report *report)
{
    const struct profile *profile = report->profile;
    JSON_ARRAY(json, "recordings");
    /* With --repeated, the profile has only the first log. */
    size_t count = report->repeated == NULL ? profile->recordings.count : 0;
    for (size_t i = 0; i < count; i++)
        if (profile->rebuilt[i].is_there)
            put_run(json, &profile->recordings.all[i], &profile->rebuilt[i]);
}

static void put_benchmark_side(struct json_writer *json, const char *key, size_t count,
                               const struct sample_summary *summary)
{
    if (!json_object_if(json, key, count > 0))
        return;
    json_count(json, "count", count);
    json_real(json, "median_seconds", summary->median);
    json_real(json, "spread_seconds", summary->spread);
    json_real(json, "min_seconds", summary->min);
    json_real(json, "max_seconds", summary->max);
    json_end(json);
}

static void put_benchmark(struct json_writer *json, const struct benchmark_row *row)
{
    JSON_OBJECT(json, NULL);
    json_number(json, "from_ns", row->from_ns);
    json_number(json, "to_ns", row->to_ns);
    put_benchmark_side(json, "new", row->new_count, &row->now);
    put_benchmark_side(json, "old", row->old_count, &row->old);
    if (json_object_if(json, "change", row->has_shift)) {
        json_real(json, "estimate_seconds", row->shift.estimate);
        json_real(json, "low_seconds", row->shift.low);
        json_real(json, "high_seconds", row->shift.high);
        json_real(json, "p", row->shift.p);
        json_bool(json, "exact", row->shift.is_exact);
        json_bool(json, "told_apart", row->shift.is_told_apart);
        json_end(json);
    }
}

static void put_benchmarks(struct json_writer *json, const struct report *report)
{
    const struct report *old = report->old;
    SCOPED(benchmarks) benchmarks;
    benchmarks_init(&benchmarks, report->profile, old != NULL ? old->profile : NULL);
    JSON_ARRAY(json, "benchmarks");
    for (size_t i = 0; i < benchmarks.count; i++)
        put_benchmark(json, &benchmarks.rows[i]);
}

static void put_tick_times(struct json_writer *json, const char *name, const char *text,
                           const struct tick_statistics *times)
{
    JSON_OBJECT(json, name);
    if (text != NULL)
        json_string(json, "text", text);
    json_count(json, "slow_ticks", times->over_count);
    json_number(json, "median_ns", times->median_ns);
    json_number(json, "percentile_99_ns", times->percentile_99_ns);
    json_number(json, "longest_ns", times->longest_ns);
}

static void put_judged(struct json_writer *json, const struct report *report,
                       const uint32_t *number_of)
{
    struct judged all[JUDGED_MAX];
    size_t count = judged_find(all, report);
    json_array(json, "judged_findings");
    for (size_t i = 0; i < count; i++) {
        const struct judged *judged = &all[i];
        const struct found_finding *found = judged->now != NULL ? judged->now : judged->old;
        double now = judged_value(judged->now), old = judged_value(judged->old);
        JSON_OBJECT(json, NULL);
        json_string(json, "fate", judged->fate);
        json_string(json, "kind", finding_rows[found->kind]->name);
        json_text(json, "text", text_span(&judged->text));
        json_put_function(json, "function", judged->function, number_of);
        json_number_if(json, "new", now >= 0, (int64_t)now);
        json_number_if(json, "old", old >= 0, (int64_t)old);
        json_count(json, "new_logs", judged->now_logs);
        json_count(json, "old_logs", judged->old_logs);
        if (json_object_if(json, "what_if", judged->is_promised)) {
            put_tick_times(json, "old", NULL, &report->old->found->times);
            put_tick_times(
                json, "promised", text_string(&judged->old->repair), &judged->old->promised);
            put_tick_times(json, "new", NULL, &report->found->times);
            json_end(json);
        }
    }
    json_end(json);
    judged_release(all, count);
}

void json_put_findings(struct json_writer *json, const struct report *report,
                       const struct findings *findings, const uint32_t *number_of)
{
    json_array(json, "findings");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->all[i];
        JSON_OBJECT(json, NULL);
        json_string(json, "kind", finding_rows[finding->kind]->name);
        json_text(json, "text", text_span(&finding->text));
        json_put_function(json, "function", finding->function, number_of);
        json_put_function(json, "caller", finding->caller, number_of);
        json_number(json, "time_ns", finding->time_ns);
        json_number(json, "gain_ns", finding->gain_ns);
        JSON_OBJECT(json, "numbers");
        for (size_t k = 0; k < finding->number_count; k++)
            json_real(json, finding->numbers[k].name, finding->numbers[k].value);
    }
    json_end(json);
    if (report->old != NULL && report->old->found != NULL)
        put_judged(json, report, number_of);
}

void json_put_sentences(struct json_writer *json, const struct report *report,
                        const uint32_t *number_of, bool has_findings)
{
    SCOPED(text) lines = {0};
    SCOPED(findings) findings;
    SCOPED(verdict) verdict;
    findings_find(&findings, report);
    verdict_make(&verdict, report, &findings);
    summary_put_verdict(&lines, &verdict);
    json_take_lines(json, "verdict", &lines);
    summary_put_sentences(&lines, report, &verdict);
    json_take_lines(json, "headline", &lines);
    json_put_findings(
        json, report, has_findings ? &findings : &(struct findings){.count = 0}, number_of);
}

static void put_limit(struct json_writer *json, const struct report *report,
                      const struct limit_result *result)
{
    const struct limit *limit = result->limit;
    JSON_OBJECT(json, NULL);
    json_string(json, "limit", limit->text);
    json_bool(json, "broken", result->is_broken);
    json_string(json, "quantity", limit_quantity_name(limit->quantity));
    json_string(json, "unit", limit->unit_name);
    json_real(json, "bound", limit->bound / limit->unit);
    json_real(json, "value", (limit->is_change ? result->change : result->now) / limit->unit);
    json_real(json, "new", result->now);
    if (report->old != NULL) {
        json_real(json, "old", result->old);
        json_bool(json, "told_apart", result->is_told_apart);
    }
    if (limit->pattern != NULL)
        json_count(json, "functions", result->match_count);
    if (result->is_broken) {
        SCOPED(text) message = {0};
        limit_put_result(&message, result);
        json_text(json, "message", text_span(&message));
    }
}

static void put_limits(struct json_writer *json, const struct report *report)
{
    JSON_ARRAY(json, "limits");
    for (size_t i = 0; i < report->limit_count; i++)
        put_limit(json, report, &report->limits[i]);
}

/* A time or size of the log; null if it is not known. */
static void put_known(struct json_writer *json, const char *key, double value)
{
    json_real(json, key, value < 0 ? NAN : value);
}

static double heap_of(const struct game_log *game_log, size_t sample)
{
    return sample == SIZE_MAX ? -1 : game_log->samples[sample].heap;
}

/* The size of the heap at the end of each column, as far as a line in it says it. */
static void put_heaps(struct json_writer *json, const struct sim_speed *speed,
                      const struct game_log *game_log)
{
    int64_t start_s = game_log->samples[speed->first].game_s;
    JSON_ARRAY(json, "heaps_bytes");
    size_t at = speed->first;
    for (size_t i = 0; i < speed->column_count; i++) {
        int64_t end_s = start_s + (int64_t)(i + 1) * speed->column_s;
        double heap = -1;
        for (; at < speed->end && game_log->samples[at].game_s <= end_s; at++)
            heap = game_log->samples[at].heap >= 0 ? game_log->samples[at].heap : heap;
        put_known(json, NULL, heap);
    }
}

static void put_game(struct json_writer *json, const struct sim_speed *speed,
                     const struct game_log *game_log)
{
    JSON_OBJECT(json, NULL);
    json_number(json, "from_seconds", game_log->samples[speed->first].game_s);
    json_number(json, "to_seconds", game_log->samples[speed->end - 1].game_s);
    json_number(json, "moved_seconds", speed->moved_s);
    json_number(json, "real_seconds", speed->session_s);
    json_number(json, "still_seconds", speed->still_s);
    put_known(json, "heap_first_bytes", heap_of(game_log, speed->heap_first));
    put_known(json, "heap_last_bytes", heap_of(game_log, speed->heap_last));
    put_known(json, "heap_most_bytes", heap_of(game_log, speed->heap_most));
    json_number(json, "column_seconds", speed->column_s);
    json_array(json, "speeds");
    for (size_t i = 0; i < speed->column_count; i++)
        put_known(json, NULL, speed->columns[i]);
    json_end(json);
    put_heaps(json, speed, game_log);
}

static void put_text(struct json_writer *json, const char *key, const struct game_log *game_log,
                     uint32_t id)
{
    json_cleaned(json, key, intern_get(&game_log->texts, id));
}

/* The mods in an error's call stacks, or the files that it kept from loading. */
static void put_links(struct json_writer *json, const struct game_log *game_log, uint32_t first,
                      bool is_broken_file)
{
    JSON_ARRAY(json, is_broken_file ? "broken" : "called_by");
    for (uint32_t i = first; i != LINK_NONE; i = game_log->links[i].next) {
        const struct game_log_link *link = &game_log->links[i];
        if (link->is_broken_file != is_broken_file)
            continue;
        JSON_OBJECT(json, NULL);
        put_text(json, is_broken_file ? "file" : "place", game_log, link->text);
        json_count(json, "count", link->count);
    }
}

void json_put_error(struct json_writer *json, const struct game_log *game_log, uint32_t row)
{
    const struct game_log_error *error = &game_log->errors[row];
    struct span stack = intern_get(&game_log->texts, error->stack);
    JSON_OBJECT(json, NULL);
    /* Without a place, an error is where its message is. */
    put_text(json,
             "place",
             game_log,
             intern_get(&game_log->texts, error->place).length > 0 ? error->place : error->message);
    put_text(json, "what", game_log, error->what);
    put_text(json, "message", game_log, error->message);
    json_count(json, "count", error->count);
    json_count(json, "lines", error->lines);
    put_known(json, "first_seconds", (double)error->first_s);
    put_known(json, "last_seconds", (double)error->last_s);
    put_links(json, game_log, error->first_link, false);
    put_links(json, game_log, error->first_link, true);
    JSON_ARRAY(json, "stack");
    while (stack.length > 0)
        json_cleaned(json, NULL, span_take(&stack, '\n'));
}

static void put_game_end(struct json_writer *json, const struct game_log *game_log,
                         const struct game_log_end *end)
{
    static const char *const kinds[] = {[LINE_SIM_CRASH] = "sim_crash",
                                        [LINE_EXCEPTION] = "exception",
                                        [LINE_DESYNC] = "out_of_sync"};
    JSON_OBJECT(json, NULL);
    json_string(json, "kind", kinds[end->kind]);
    put_text(json, "reason", game_log, end->what);
    put_text(json, "address", game_log, end->where);
    put_known(json, "beat", end->kind == LINE_DESYNC ? (double)end->beat : -1);
    put_known(json, "game_seconds", (double)end->game_s);
    put_known(json, "heap_bytes", end->heap);
}

static void put_fillers(struct json_writer *json, const struct game_log *game_log)
{
    struct game_log_filler fillers[FILLERS_MAX];
    size_t count = game_log_fillers(game_log, fillers);
    JSON_ARRAY(json, "fillers");
    for (size_t i = 0; i < count; i++) {
        JSON_OBJECT(json, NULL);
        SCOPED(text) filler = {0};
        game_log_put_filler(&filler, game_log, fillers[i].text);
        json_cleaned(json, "text", text_span(&filler));
        json_count(json, "count", fillers[i].count);
        json_count(json, "lines", fillers[i].lines);
    }
}

static void put_game_log(struct json_writer *json, const struct named_game_log *named)
{
    const struct game_log *game_log = &named->log;
    struct sim_speed speed = {0};
    SCOPED(text) lines = {0};
    json_cleaned(json, "name", span_of(named->name));
    game_log_put_sentences(&lines, game_log);
    json_take_lines(json, "sentences", &lines);
    json_count(json, "lines", game_log->lines);
    json_bool(json, "has_end", game_log->ends > 0);
    json_number_if(
        json, "report_lines", game_log->report_lines > 0, (int64_t)game_log->report_lines);
    json_array(json, "ends");
    for (size_t i = 0; i < game_log->end_count; i++)
        put_game_end(json, game_log, &game_log->game_ends[i]);
    json_end(json);
    json_array(json, "waits");
    for (size_t i = 0; i < game_log->wait_count; i++) {
        JSON_OBJECT(json, NULL);
        put_text(json, "player", game_log, game_log->waits[i].player);
        put_known(json, "game_seconds", (double)game_log->waits[i].game_s);
        json_bool(json, "is_ejected", game_log->waits[i].is_ejected);
    }
    json_end(json);
    json_count(json, "modules", game_log->modules);
    json_array(json, "mods");
    for (uint32_t i = 0; i < game_log->mods.count; i++)
        json_cleaned(json, NULL, intern_get(&game_log->mods, i));
    json_end(json);
    json_array(json, "games");
    while (sim_speed_next(&speed, game_log, SPEED_COLUMNS_MAX))
        put_game(json, &speed, game_log);
    json_end(json);
    json_array(json, "errors");
    for (uint32_t i = 0; i < game_log->row_count; i++)
        json_put_error(json, game_log, i);
    json_end(json);
    put_fillers(json, game_log);
    json_end(json);
}

void json_put_game_log(struct json_writer *json, const struct profile *profile)
{
    const struct game_logs *logs = &profile->game_logs;
    size_t first = 0;
    while (first < logs->count && !game_log_is_known(&logs->all[first].log))
        first++;
    if (first == logs->count && !profile_is_unrecorded(profile))
        return;
    first = first == logs->count ? 0 : first;
    json_object(json, "game_log");
    put_game_log(json, &logs->all[first]);
    if (logs->count == 1)
        return;
    JSON_ARRAY(json, "other_game_logs");
    for (size_t i = 0; i < logs->count; i++) {
        if (i == first || !game_log_is_known(&logs->all[i].log))
            continue;
        json_object(json, NULL);
        put_game_log(json, &logs->all[i]);
    }
}

static struct report_result write_json(const struct report *given, struct output *out)
{
    struct report plain = report_plain(given);
    const struct report *report = &plain;
    struct json_report file = {.report = report, .json = {.out = out}};
    json_number_functions(&file);
    json_object(&file.json, NULL);
    put_head(&file.json, report);
    put_limits(&file.json, report);
    json_put_sentences(&file.json, report, file.number_of, true);
    put_recordings(&file.json, report);
    json_put_ticks(&file);
    json_walk_keyed(&file, true);
    json_put_watch(&file);
    json_put_units(&file);
    put_benchmarks(&file.json, report);
    json_put_game_log(&file.json, report->profile);
    json_put_functions(&file);
    json_put_rows(&file);
    json_put_repeated(&file);
    json_end(&file.json);
    uint64_t count = file.function_count;
    function_table_release(&file.table);
    cell_release(&file.cell);
    for (size_t i = 0; i < JSON_KEYS_KEPT; i++)
        text_release(&file.keys[i].text);
    MEM_FREE(file.functions, file.number_of);
    return (struct report_result){.count = count,
                                  .one = "function",
                                  .many = "functions",
                                  .left_out_count = file.left_out_count};
}

const struct report_format report_json = {
    .name = "json",
    .summary = "everything that the other reports know, for programs",
    .uses = USES_LIST | USES_SOURCES | USES_ROWS | USES_CALL_SITES | USES_PROFILE | USES_LINES |
            SHOWS_COMPARISON | SHOWS_REPEATED | NEEDS_NO_PROFILE | SHOWS_WATCH | SHOWS_FINDINGS |
            SHOWS_WHAT_IF,
    .suffixes = {".json", NULL},
    .tables = 1 << TABLE_TICKS, /* which it has in any case */
    .write = write_json,
};
