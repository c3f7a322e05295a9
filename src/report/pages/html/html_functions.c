#include "report/pages/html/html_writing.h"

#include "base/mem.h"
#include "report/figures/listing.h"
#include "report/figures/marks.h"
#include "report/pages/html/html_columns.h"
#include "report/sentences/findings.h"
#include "tree/line_runs.h"

#include <math.h>
#include <stdio.h>

/* Numbers the functions of the tree, and "(folded)", in the order of their labels. */
void html_number_functions(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    const struct report *report = writing->report;
    uint32_t count = report->profile->symbols.function_count;
    bool *is_used = mem_zeroed(count, sizeof *is_used);
    uint32_t *by_rank = mem_zeroed(count, sizeof *by_rank);
    writing->functions = mem_zeroed(count, sizeof *writing->functions);
    writing->number_of = mem_zeroed(count, sizeof *writing->number_of);
    is_used[report->folded] = true;
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_used[tree->calls[node].function] = true;
    for (uint32_t i = 0; i < count; i++)
        by_rank[report->labels->ranks[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_used[by_rank[i]])
            continue;
        writing->number_of[by_rank[i]] = writing->function_count;
        writing->functions[writing->function_count++] = by_rank[i];
    }
    free(is_used);
    free(by_rank);
}

static const struct label *label_of(const struct html_writing *writing, uint32_t index)
{
    return &writing->report->labels->labels[writing->functions[index]];
}

static void put_text(struct html_writing *writing, uint32_t text)
{
    json_text(&writing->json, NULL, labels_text(writing->report->labels, text));
}

/* Puts each file or mod once. Returns their indexes, by text; the caller frees them. */
static uint32_t *put_distinct(struct html_writing *writing, const char *key, bool are_mods)
{
    static const uint32_t UNKNOWN = UINT32_MAX;
    size_t text_count = writing->report->labels->texts.count;
    uint32_t *indexes = mem_zeroed(text_count, sizeof *indexes);
    uint32_t count = 0;
    for (size_t i = 0; i < text_count; i++)
        indexes[i] = UNKNOWN;
    json_array(&writing->json, key);
    for (uint32_t i = 0; i < writing->function_count; i++) {
        const struct label *label = label_of(writing, i);
        uint32_t text = are_mods ? label->mod : label->file;
        if (indexes[text] != UNKNOWN)
            continue;
        indexes[text] = count++;
        put_text(writing, text);
    }
    json_end(&writing->json);
    return indexes;
}

static int64_t kind_of(const struct symbols *symbols, uint32_t function)
{
    return symbols_is_lua(symbols, function) ? 0 : symbols_is_c(symbols, function) ? 1 : 2;
}

/*
 * Returns 1 + the index of the tick in which the longest call of each function ended, or 0, by the
 * ids of symbols.h; the caller frees it.
 */
static uint32_t *find_longest(const struct report *report)
{
    const struct tick_changes *changes = &report->profile->changes;
    const struct tree *tree = report->tree;
    uint32_t count = report->profile->symbols.function_count;
    uint32_t *longest_in = mem_zeroed(count, sizeof *longest_in);
    const struct tick_part **longest = mem_zeroed(count, sizeof *longest);
    for (size_t i = 0; i < changes->part_count && tree->details != NULL; i++) {
        const struct tick_part *part = &changes->parts[i];
        if (part->node == TREE_ROOT || part->longest_units == 0)
            continue;
        const struct tick_part **most = &longest[tree->calls[part->node].function];
        int64_t more_ns =
            *most == NULL ? 1
                          : tree->details[part->node].max_ns - tree->details[(*most)->node].max_ns;
        if (more_ns > 0 || (more_ns == 0 && part->longest_units > (*most)->longest_units))
            *most = part;
    }
    for (uint32_t i = 0; i < count; i++)
        longest_in[i] = longest[i] != NULL ? longest[i]->longest_in : 0;
    free(longest);
    return longest_in;
}

/*
 * Returns the standard errors of the self and the total time of each function, in pairs by the ids
 * of symbols.h: 0 if nothing was sampled; the caller frees them.
 */
static int64_t *find_errors(const struct report *report)
{
    struct table table = {.sort = COLUMN_TOTAL, .tree = report->tree, .labels = report->labels};
    int64_t *errors =
        mem_zeroed(2 * (size_t)report->profile->symbols.function_count, sizeof *errors);
    if (report->tree->samples == NULL)
        return errors;
    table_init(&table);
    for (size_t i = 0; i < table.row_count; i++) {
        int64_t *of = errors + 2 * (size_t)table.groups.all[table.rows[i].group].function;
        of[0] = llround(row_noise_ns(&table.rows[i]));
        of[1] = llround(table.rows[i].total_error_ns);
    }
    table_release(&table);
    return errors;
}

void html_put_functions(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct json_writer *json = &writing->json;
    struct html_columns columns = {
        .keys = {"file", "mod", "kind", "mark", "longest_in", "self_error", "total_error"},
        .kept_count = 2};
    uint32_t *longest_in = find_longest(report);
    int64_t *errors = find_errors(report);
    uint32_t *files = put_distinct(writing, "files", false);
    uint32_t *mods = put_distinct(writing, "mods", true);
    json_object(json, "functions");
    json_array(json, "name");
    for (uint32_t i = 0; i < writing->function_count; i++)
        put_text(writing, label_of(writing, i)->name);
    json_end(json);
    json_array(json, "label");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        const struct label *label = label_of(writing, i);
        const int64_t *of = &errors[2 * (size_t)writing->functions[i]];
        put_text(writing, label->label);
        html_columns_add(&columns,
                         (int64_t[]){files[label->file], mods[label->mod],
                                     kind_of(&report->profile->symbols, writing->functions[i]),
                                     mark_of_function(report, writing->functions[i]),
                                     longest_in[writing->functions[i]], of[0], of[1]});
    }
    json_end(json);
    html_columns_put(&columns, json);
    json_end(json);
    json_count(json, "folded", writing->number_of[report->folded]);
    MEM_FREE(files, mods, longest_in, errors);
}

/* Source that is put: of functions with enough of the time, the most expensive first. */
enum { SOURCE_PART_MIN = 200, SOURCE_BYTES_MAX = 1000 * 1000 };

static void put_source(struct html_writing *writing, uint32_t function,
                       const struct source_lines *lines)
{
    char key[16];
    struct text text = {0};
    snprintf(key, sizeof key, "%u", (unsigned)writing->number_of[function]);
    json_array(&writing->json, key);
    json_number(&writing->json, NULL, lines->first);
    for (int32_t line = lines->first; line <= lines->last; line++) {
        text_cut(&text, 0);
        source_line_put(&text, lines->file, line);
        json_text(&writing->json, NULL, text_span(&text));
    }
    json_end(&writing->json);
    text_release(&text);
}

/* Lines that were recorded or sampled, by node: the page adds them up. */
static void put_lines(struct html_writing *writing)
{
    const struct tree *tree = writing->report->tree;
    struct html_columns columns = {.keys = {"function", "line", "runs", "self"}};
    for (size_t i = 0; tree->lines != NULL && i < tree->lines->count; i++) {
        const struct line_run *run = &tree->lines->at[i];
        uint32_t function = writing->number_of[tree->calls[run->node].function];
        html_columns_add(&columns,
                         (int64_t[]){function, run->line, (int64_t)run->runs, run->self_ns});
    }
    json_object(&writing->json, "lines");
    html_columns_put(&columns, &writing->json);
    json_end(&writing->json);
}

void html_put_sources(struct html_writing *writing)
{
    const struct report *report = writing->report;
    struct table table = {.by = BY_FUNCTION,
                          .sort = COLUMN_TOTAL,
                          .tree = &writing->trees.now,
                          .labels = report->labels};
    size_t bytes = 0;
    table_init(&table);
    json_object(&writing->json, "sources");
    for (size_t i = 0; i < table.row_count && !report->show.has_no_source; i++) {
        uint32_t function = table.groups.all[table.rows[i].group].function;
        struct source_lines lines;
        struct error ignored;
        if (table.rows[i].total_ns < report_total_ns(report) / SOURCE_PART_MIN ||
            !source_lines_find(&lines, report->sources, &report->profile->symbols, function,
                               &ignored) ||
            lines.last < lines.first)
            continue;
        bytes += lines.file->starts[lines.last] - lines.file->starts[lines.first - 1];
        if (bytes > SOURCE_BYTES_MAX)
            break;
        put_source(writing, function, &lines);
    }
    json_end(&writing->json);
    table_release(&table);
    put_lines(writing);
}

void html_put_findings(struct html_writing *writing)
{
    struct json_writer *json = &writing->json;
    struct findings findings;
    findings_find(&findings, writing->report);
    json_array(json, "findings");
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.all[i];
        json_array(json, NULL);
        json_text(json, NULL, text_span(&finding->text));
        bool is_known = finding->function != TREE_NONE;
        json_number_if(json, NULL, is_known, is_known ? writing->number_of[finding->function] : 0);
        const char *page = finding_rows[finding->kind].page;
        json_string(json, NULL, page == NULL ? "" : page);
        json_end(json);
    }
    json_end(json);
    findings_release(&findings);
}
