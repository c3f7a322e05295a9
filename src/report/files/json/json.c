/*
 * Everything that other formats know of a profile, in one JSON document for programs. Its schema is
 * supprof.schema.json, which the document names (man/supprof.schema.json.in). All times are whole
 * nanoseconds, as measured and signed; a function is written once and referred to by its index, so
 * that the size of the document stays in proportion to the call tree.
 */
#include "report/figures/report_format.h"
#include "report/files/file_formats.h"
#include "report/files/json/json_parts.h"

static struct report_result write_json(const struct report *report, struct output *out)
{
    struct json_report file = {.report = report, .json = {.out = out}};
    json_number_functions(&file);
    json_object(&file.json, NULL);
    json_put_head(&file);
    json_put_limits(&file);
    json_put_findings(&file);
    json_put_recordings(&file);
    json_put_ticks(&file);
    json_put_benchmarks(&file);
    json_put_game_log(&file.json, report);
    json_put_functions(&file);
    json_put_rows(&file);
    json_put_repeated(&file);
    json_end(&file.json);
    uint64_t count = file.function_count;
    table_release(&file.table);
    free(file.functions);
    free(file.number_of);
    return (struct report_result){.count = count,
                                  .one = "function",
                                  .many = "functions",
                                  .left_out_count = file.left_out_count,
                                  .listed =
                                      report->show.by == BY_STACK ? report_listed(report) : NULL};
}

const struct report_format report_json = {
    .name = "json",
    .summary = "everything that the other reports know, for programs",
    .uses = USES_LIST | USES_SOURCES | USES_ROWS | USES_CALL_SITES | USES_PROFILE | USES_LINES |
            SHOWS_COMPARISON | SHOWS_REPEATED | SHOWS_BENCHMARKS | SHOWS_FINDINGS | SHOWS_WHAT_IF,
    .suffixes = {".json", NULL},
    .write = write_json,
};
