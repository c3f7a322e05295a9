/*
 * HTML: one page with all results, for any web browser. It loads no other files. Its data is
 * a JSON document (html_data.h), compressed by zlib and in base64; its script (src/web/
 * report_*.js) makes all tables and pictures from it. Without the script a reader still sees
 * three sentences, the functions with the most self time, and the notes.
 *
 * Names from a log are never part of code or markup: here they are escaped, and the script
 * writes them as text. The page's policy allows only our own script and style, by their
 * hashes.
 */
#include "report/report.h"

#include "base/base64.h"
#include "base/largest.h"
#include "base/mem.h"
#include "report/html/html_data.h"
#include "report/svg/svg_text.h"
#include "report/text/headline.h"
#include "report/text/report_recording.h"
#include "web/embedded.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct writing {
    const struct report *report;
    struct text text; /* buffer */
    struct output *out;
};

static void flush(struct writing *writing)
{
    struct span span = text_span(&writing->text);
    output_put(writing->out, span.at, span.length);
    writing->text.length = 0;
}

static void put(struct writing *writing, const char *string)
{
    text_put_string(&writing->text, string);
}

/* Puts a text between two tags, escaped. */
static void put_element(struct writing *writing, const char *start, struct span text,
                        const char *end)
{
    put(writing, start);
    svg_put_escaped(&writing->text, text);
    put(writing, end);
}

static void put_cleaned(struct writing *writing, const char *string)
{
    struct text clean = {0};
    text_put_clean(&clean, (struct span){string, strlen(string)}, false);
    svg_put_escaped(&writing->text, text_span(&clean));
    text_release(&clean);
}

static void put_time(struct text *text, int64_t ns)
{
    enum report_unit unit = report_unit_for(ns);
    report_put_time(text, ns, unit, unit == UNIT_S ? 2 : 1);
    text_printf(text, " %s", unit == UNIT_US ? "\xc2\xb5s" : report_unit_name(unit));
}

/* The page without a script --------------------------------------------------------------- */

static void put_ticks_sentence(struct writing *writing)
{
    struct text *text = &writing->text;
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &writing->report->profile->ticks);
    if (statistics.count > 0) {
        text_put_string(text, " <b>");
        text_put_grouped(text, statistics.over_count);
        text_put_string(text, " of ");
        report_put_count(text, statistics.count, "tick", "ticks");
        text_put_string(text, "</b> took more than 100 ms; the slowest is ");
        recording_put_tick(text, writing->report, statistics.worst[0]);
        text_put_string(text, " with ");
        put_time(text, statistics.longest_ns);
        text_put_string(text, ".");
    }
    tick_statistics_release(&statistics);
}

static void put_trust_sentence(struct writing *writing)
{
    const struct profile *profile = writing->report->profile;
    struct text notes = {0};
    html_data_put_notes(&notes, writing->report);
    text_put(&notes, "", 1);
    put(writing, writing->report->old != NULL ? " The new log is " : " The log is ");
    if (profile->recordings.count > 0)
        put(writing, "a recording of profiler.lua");
    else if (profile->costs.is_known)
        put(writing, "one of delins' profiler, which does not say when something ran");
    else
        put(writing, "one of delins' profiler, which does not say when something ran; its cost is "
                     "in the times, and most in those of small functions");
    if (strstr(notes.at, "Note: ") != NULL)
        put(writing, ": <a href=\"#/about\">read the notes</a>.");
    else
        put(writing, "; nothing of it is missing.");
    text_release(&notes);
}

/* "10.0% less time: 9 ms of Lua in new.log, old 10 ms in old.log." */
static void put_comparison_sentence(struct writing *writing)
{
    struct text sentence = {0};
    headline_put_comparison(&sentence, writing->report);
    put_element(writing, "<b>", text_span(&sentence), ".</b>");
    text_release(&sentence);
}

static void put_sentences(struct writing *writing)
{
    const struct report *report = writing->report;
    struct text *text = &writing->text;
    put(writing, "<p id=\"sentences\">");
    if (report->old != NULL) {
        put_comparison_sentence(writing);
        put(writing, " The new log has ");
    } else {
        put(writing, "The Lua took <b>");
        put_time(text, report->tree->total_ns[TREE_ROOT]);
        put(writing, "</b> in ");
    }
    report_put_count(text, report->totals.calls, "call", "calls");
    put(writing, " of ");
    report_put_count(text, report->totals.functions, "function.", "functions.");
    put_ticks_sentence(writing);
    put_trust_sentence(writing);
    put(writing, "</p>\n");
}

static void put_findings(struct writing *writing)
{
    struct findings findings;
    recording_find(&findings, writing->report);
    if (findings.count > 0)
        put(writing, "<h2>What stands out</h2>\n<ol>\n");
    for (size_t i = 0; i < findings.count; i++)
        put_element(writing, "<li>", text_span(&findings.all[i].text), "</li>\n");
    if (findings.count > 0)
        put(writing, "</ol>\n");
    findings_release(&findings);
}

static void put_row(struct writing *writing, const struct row *row, const struct row_group *group)
{
    const struct report *report = writing->report;
    const struct label *label = &report->labels->labels[group->function];
    struct text *text = &writing->text;
    put(writing, "<tr><td>");
    report_put_grouped_time(text, row->self_ns, UNIT_MS, 3);
    put(writing, "</td><td>");
    report_put_percent(text, row->self_ns, report->tree->total_ns[TREE_ROOT]);
    put(writing, "</td><td>");
    report_put_grouped_time(text, row->total_ns, UNIT_MS, 3);
    put(writing, "</td><td>");
    text_put_grouped(text, row->calls);
    put_element(writing, "</td><th scope=\"row\">", labels_text(report->labels, label->name), "");
    if (label->place != label->name)
        put_element(writing, " <small>", labels_text(report->labels, label->place), "</small>");
    put(writing, "</th></tr>\n");
}

static void put_table(struct writing *writing)
{
    enum { ROW_COUNT = 20 };
    const struct report *report = writing->report;
    struct table table;
    table_init(&table, BY_FUNCTION, COLUMN_SELF, report->tree, report->labels, false);
    put(writing, "<h2>Functions by self time</h2>\n<table class=\"rows\">\n<thead><tr>"
                 "<th scope=\"col\">self ms</th><th scope=\"col\">%</th>"
                 "<th scope=\"col\">total ms</th><th scope=\"col\">calls</th>"
                 "<th scope=\"col\">function</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < table.row_count && i < ROW_COUNT; i++)
        put_row(writing, &table.rows[i], &table.groups.all[table.rows[i].group]);
    put(writing, "</tbody>\n</table>\n");
    table_release(&table);
}

/*
 * The sentences link to the page About. Without the script there is no such page: so these notes
 * have its address as their id.
 */
static void put_notes(struct writing *writing)
{
    struct text notes = {0};
    html_data_put_notes(&notes, writing->report);
    if (notes.length > 0)
        put_element(writing, "<pre class=\"notes\" id=\"/about\">", text_span(&notes), "</pre>\n");
    text_release(&notes);
}

/* The data --------------------------------------------------------------------------------- */

/* For a document of 20 MB, this level takes a fifth of the time and makes 9 % more bytes. */
enum { LARGE_BYTES = 4 * 1000 * 1000, FAST_LEVEL = 4 };

/* Appends the document in base64. Returns the number of bytes. */
static size_t put_data(struct text *text, const struct report *report, int64_t least_ns,
                       uint32_t bin_ticks)
{
    struct text json = {0};
    size_t start = text->length;
    html_data_put(&json, report, least_ns, bin_ticks);
    int level = json.length > LARGE_BYTES ? FAST_LEVEL : Z_DEFAULT_COMPRESSION;
    uLongf size = compressBound((uLong)json.length);
    char *compressed = mem_zeroed(size, 1);
    if (compress2((Bytef *)compressed, &size, (const Bytef *)json.at, (uLong)json.length, level) !=
        Z_OK)
        mem_exhausted();
    text_release(&json);
    base64_put(text, (struct span){compressed, size});
    free(compressed);
    return text->length - start;
}

/* Returns the smallest total of a kept node, so that not more than a maximum are kept. */
static int64_t find_least(const struct report *report, uint32_t kept_count)
{
    static const uint64_t sign = (uint64_t)1 << 63;
    const struct tree *tree = report->tree;
    if (kept_count >= tree->node_count)
        return 0;
    /* With the sign turned, so that negative totals are the smallest of the unsigned numbers. */
    uint64_t *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        int64_t total_ns = tree->total_ns[node];
        if (report->old != NULL && report->old->tree->total_ns[node] > total_ns)
            total_ns = report->old->tree->total_ns[node];
        totals[node] = (uint64_t)total_ns ^ sign;
    }
    uint64_t least = largest_at(totals, tree->node_count, kept_count) ^ sign;
    free(totals);
    return (int64_t)least + 1;
}

/* Appends the data, with as many nodes as fit; the rest of the page has `rest_bytes`. */
static void put_fitting_data(struct text *text, const struct report *report, size_t rest_bytes)
{
    enum { TRIES_MAX = 8 };
    size_t start = text->length;
    uint32_t kept_count = report->tree->node_count;
    int64_t least_ns = 0;
    size_t max_bytes = report->max_bytes > rest_bytes ? report->max_bytes - rest_bytes : 1;
    static const uint32_t bins[] = {1, 10, 100, 1000};
    bool has_changes = report->profile->changes.tick_count > 0;
    for (size_t i = 0; has_changes && i < sizeof bins / sizeof bins[0]; i++) {
        size_t size = put_data(text, report, 0, bins[i]);
        if (report->max_bytes == 0 || size <= max_bytes)
            return;
        text->length = start;
    }
    for (int i = 0; i < TRIES_MAX; i++) {
        size_t size = put_data(text, report, least_ns, 0);
        if (report->max_bytes == 0 || size <= max_bytes || kept_count < 2)
            return;
        double part = 0.9 * (double)max_bytes / (double)size;
        kept_count = (uint32_t)((double)kept_count * part);
        least_ns = find_least(report, kept_count);
        text->length = start;
    }
    put_data(text, report, find_least(report, 1), 0);
}

/* All of it -------------------------------------------------------------------------------- */

/* Appends the source of a file in a policy: 'sha256-...'. */
static void put_hash(struct text *text, const struct web_file *file)
{
    enum { HASH_BYTES = 32 };
    char bytes[HASH_BYTES];
    for (size_t i = 0; i < HASH_BYTES; i++) {
        const char digits[] = {file->sha256[2 * i], file->sha256[2 * i + 1], '\0'};
        bytes[i] = (char)strtol(digits, NULL, 16);
    }
    text_put_string(text, "'sha256-");
    base64_put(text, (struct span){bytes, sizeof bytes});
    text_put_string(text, "'");
}

static void put_head(struct writing *writing)
{
    put(writing, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "script-src ");
    put_hash(&writing->text, &web_report_js);
    put(writing, "; style-src ");
    put_hash(&writing->text, &web_report_css);
    put(writing, "; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    put_cleaned(writing, writing->report->title);
    put(writing, " - supprof</title>\n<style>");
    text_put(&writing->text, web_report_css.at, web_report_css.length);
    put(writing, "</style>\n</head>\n");
}

static struct report_result write_html(const struct report *report, struct output *out)
{
    struct writing writing = {.report = report, .out = out};
    put_head(&writing);
    put(&writing, "<body>\n<header id=\"header\"><h1>");
    put_cleaned(&writing, report->title);
    put(&writing, "</h1></header>\n<main id=\"page\">\n");
    put_sentences(&writing);
    put_findings(&writing);
    put_table(&writing);
    put_notes(&writing);
    put(&writing, "<noscript><p>All other pages of this report need JavaScript.</p></noscript>\n"
                  "</main>\n<script type=\"text/plain\" id=\"data\">");
    static const char script[] = "</script>\n<script type=\"module\">";
    static const char end[] = "</script>\n</body>\n</html>\n";
    size_t rest_bytes = writing.text.length + sizeof script + web_report_js.length + sizeof end;
    flush(&writing);
    put_fitting_data(&writing.text, report, rest_bytes);
    put(&writing, script);
    text_put(&writing.text, web_report_js.at, web_report_js.length);
    put(&writing, end);
    flush(&writing);
    text_release(&writing.text);
    return report_stacks_result(report);
}

const struct report_format report_html = {
    .name = "html",
    .summary = "one page with everything, for web browsers",
    .manual = "A report for any web browser, in one file that loads no other files: an overview, "
              "the ticks, all functions, a page for each function and for each sequence of "
              "functions with its callers and callees, a flame graph, files with their calling "
              "lines, and with {--diff} the changes. The page can filter call stacks as {--focus}, "
              "{--ignore}, {--hide} and {--show-from} do; each view has an address of its own. "
              "In the page of one recording, ticks can be chosen: all pages then show what "
              "{--from}, {--to} and {--ticks-over} would. "
              "Without scripts, the page still has the functions with the most self time.\n"
              "\n"
              "{--metric} chooses the value that it shows first. {--max-size} limits its size.",
    .uses = USES_METRIC | USES_PROFILE | USES_SIZE,
    .suffixes = {".html", ".htm", NULL},
    .uses_lines = true,
    .uses_changes = true,
    .compares = true,
    .write = write_html,
};
