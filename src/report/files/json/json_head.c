#include "report/files/json/json_parts.h"

#include "report/sentences/findings.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "select/benchmarks.h"

#include <math.h>

enum { DOCUMENT_VERSION = 1 };

static void put_profile(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct report *report = file->report;
    const struct report_totals *totals = &report->totals;
    const struct profile_counts *counts = &report->profile->counts;
    json_object(json, "profile");
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
    json_end(json);
}

static void put_choice(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct tick_choice *choice = file->report->choice;
    if (!json_object_if(json, "chosen_ticks", choice != NULL))
        return;
    json_count(json, "chosen", choice->chosen_count);
    json_count(json, "of", choice->count);
    json_number(json, "outside_ns", choice->outside_ns);
    json_end(json);
}

static void put_comparison(struct json_report *file)
{
    struct json_writer *json = &file->json;
    const struct report_old *old = file->report->old;
    if (!json_object_if(json, "comparison", old != NULL))
        return;
    json_string(json, "old_title", old->title);
    json_number(json, "old_total_ns", old->tree->total_ns[TREE_ROOT]);
    json_string(json, "scaled", old->scaled != NULL ? old->scaled : "");
    json_count(json, "functions_at_their_lines", old->counts.same_place);
    json_count(json, "functions_at_other_lines", old->counts.other_line);
    json_count(json, "functions_by_other_names", old->counts.other_name);
    json_count(json, "functions_gone", old->counts.only_old);
    json_count(json, "functions_new", old->counts.only_new);
    json_end(json);
}

void json_put_head(struct json_report *file)
{
    struct json_writer *json = &file->json;
    struct text lines = {0};
    json_string(json, "$schema", "supprof.schema.json");
    json_number(json, "version", DOCUMENT_VERSION);
    json_string(json, "program", "supprof " SUPPROF_VERSION);
    put_profile(file);
    put_choice(file);
    put_comparison(file);
    summary_put_selection(&lines, file->report, 0);
    json_lines(json, "shown", text_span(&lines));
    text_cut(&lines, 0);
    /* With --repeated, the notes are in "repeated". */
    if (file->report->repeated == NULL)
        notes_put_all(&lines, file->report);
    json_lines(json, "notes", text_span(&lines));
    text_release(&lines);
}

static void put_run(struct json_report *file, const struct recording *recording,
                    const struct rebuilt_run *run)
{
    struct json_writer *json = &file->json;
    json_object(json, NULL);
    json_count(json, "run", recording->run);
    json_string(json, "state", recording->is_sim ? "sim" : "user");
    json_bool(json, "complete", recording->has_begin && recording->has_end);
    json_bool(json, "has_memory", recording->has_memory);
    if (run->is_sampled)
        json_count(json, "bursts", run->bursts);
    json_number_if(json, "first_tick", run->has_ticks, run->first_tick);
    json_number_if(json, "last_tick", run->has_ticks, run->last_tick);
    json_real(json, "clock_unit_ns", recording->unit_ns);
    json_real(json, "clock_step_ns", fmax(recording->step_ns, recording->unit_ns));
    json_real(json, "measured_ns", run->measured_ns);
    json_real(json, "overhead_subtracted_ns", run->removed_ns);
    json_real(json, "overhead_left_ns", run->clamped_ns);
    json_real(json, "overhead_excluded_ns", recording->lost_ns);
    json_count(json, "events", recording->events);
    json_count(json, "missing_lines", recording->missing_lines);
    json_count(json, "contradictions", run->contradictions);
    json_end(json);
}

void json_put_recordings(struct json_report *file)
{
    const struct profile *profile = file->report->profile;
    json_array(&file->json, "recordings");
    /* With --repeated, the profile has only the first log. */
    size_t count = file->report->repeated == NULL ? profile->recordings.count : 0;
    for (size_t i = 0; i < count; i++)
        if (profile->runs[i].is_there)
            put_run(file, &profile->recordings.all[i], &profile->runs[i]);
    json_end(&file->json);
}

static void put_benchmark_side(struct json_report *file, const char *key, size_t count,
                               const struct sample_summary *summary)
{
    struct json_writer *json = &file->json;
    if (!json_object_if(json, key, count > 0))
        return;
    json_count(json, "count", count);
    json_real(json, "median_seconds", summary->median);
    json_real(json, "spread_seconds", summary->spread);
    json_real(json, "min_seconds", summary->min);
    json_real(json, "max_seconds", summary->max);
    json_end(json);
}

static void put_benchmark(struct json_report *file, const struct benchmark_row *row)
{
    struct json_writer *json = &file->json;
    json_object(json, NULL);
    json_number(json, "from_ns", row->from_ns);
    json_number(json, "to_ns", row->to_ns);
    put_benchmark_side(file, "new", row->new_count, &row->now);
    put_benchmark_side(file, "old", row->old_count, &row->old);
    if (json_object_if(json, "change", row->has_shift)) {
        json_real(json, "estimate_seconds", row->shift.estimate);
        json_real(json, "low_seconds", row->shift.low);
        json_real(json, "high_seconds", row->shift.high);
        json_real(json, "p", row->shift.p);
        json_bool(json, "exact", row->shift.is_exact);
        json_bool(json, "told_apart", row->shift.is_told_apart);
        json_end(json);
    }
    json_end(json);
}

void json_put_benchmarks(struct json_report *file)
{
    struct benchmarks benchmarks;
    const struct report_old *old = file->report->old;
    benchmarks_init(&benchmarks, file->report->profile, old != NULL ? old->profile : NULL);
    json_array(&file->json, "benchmarks");
    for (size_t i = 0; i < benchmarks.count; i++)
        put_benchmark(file, &benchmarks.rows[i]);
    json_end(&file->json);
    benchmarks_release(&benchmarks);
}

void json_put_findings(struct json_report *file)
{
    struct json_writer *json = &file->json;
    struct findings findings;
    struct text lines = {0};
    findings_find(&findings, file->report);
    summary_put_sentences(&lines, file->report, &findings);
    json_lines(json, "headline", text_span(&lines));
    text_release(&lines);
    json_array(json, "findings");
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.all[i];
        json_object(json, NULL);
        json_string(json, "kind", finding_rows[finding->kind].name);
        json_text(json, "text", text_span(&finding->text));
        json_put_function(file, "function", finding->function);
        json_put_function(file, "caller", finding->caller);
        json_number(json, "time_ns", finding->time_ns);
        json_object(json, "numbers");
        for (size_t k = 0; k < finding->number_count; k++)
            json_real(json, finding->numbers[k].name, finding->numbers[k].value);
        json_end(json);
        json_end(json);
    }
    json_end(json);
    findings_release(&findings);
}

static void put_limit(struct json_report *file, const struct limit_result *result)
{
    struct json_writer *json = &file->json;
    const struct limit *limit = result->limit;
    json_object(json, NULL);
    json_string(json, "limit", limit->text);
    json_bool(json, "broken", result->is_broken);
    json_string(json, "quantity", limit_quantity_name(limit->quantity));
    json_string(json, "unit", limit->unit_name);
    json_real(json, "bound", limit->bound / limit->unit);
    json_real(json, "value", (limit->is_change ? result->change : result->now) / limit->unit);
    json_real(json, "new", result->now);
    if (file->report->old != NULL) {
        json_real(json, "old", result->old);
        json_bool(json, "told_apart", result->is_told_apart);
    }
    if (limit->pattern != NULL)
        json_count(json, "functions", result->match_count);
    if (result->is_broken) {
        struct text message = {0};
        limit_put_result(&message, result);
        json_text(json, "message", text_span(&message));
        text_release(&message);
    }
    json_end(json);
}

void json_put_limits(struct json_report *file)
{
    json_array(&file->json, "limits");
    for (size_t i = 0; i < file->report->limit_count; i++)
        put_limit(file, &file->report->limits[i]);
    json_end(&file->json);
}
