#include "report/html/html_writing.h"

#include "base/json.h"
#include "base/mem.h"
#include "report/html/html_json.h"
#include "report/text/report_recording.h"

#include <stdlib.h>

struct ranked {
    uint32_t rank, function;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left;
    const struct ranked *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The function for time without a caller: see selection_add_folded(). */
uint32_t html_find_folded(const struct symbols *symbols)
{
    static const char source[] = "=(folded)";
    uint32_t text = intern_find(&symbols->strings, source, sizeof source - 1);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        if (symbols->functions[i].source == text && symbols->functions[i].line < 0)
            return i;
    return TREE_NONE;
}

/* Numbers the functions of the tree, and "(folded)", in the order of their labels. */
void html_number_functions(struct html_writing *writing)
{
    const struct tree *tree = &writing->trees.now;
    const struct labels *labels = writing->report->labels;
    uint32_t count = writing->report->profile->symbols.function_count;
    bool *is_used = mem_zeroed(count, sizeof *is_used);
    struct ranked *ranked = mem_zeroed(count, sizeof *ranked);
    writing->functions = mem_zeroed(count, sizeof *writing->functions);
    writing->number_of = mem_zeroed(count, sizeof *writing->number_of);
    writing->folded = html_find_folded(&writing->report->profile->symbols);
    if (writing->folded != TREE_NONE)
        is_used[writing->folded] = true;
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_used[tree->calls[node].function] = true;
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){labels->labels[i].rank, i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_used[ranked[i].function])
            continue;
        writing->number_of[ranked[i].function] = writing->function_count;
        writing->functions[writing->function_count++] = ranked[i].function;
    }
    free(is_used);
    free(ranked);
}

static const struct label *label_at(const struct html_writing *writing, uint32_t index)
{
    return &writing->report->labels->labels[writing->functions[index]];
}

static uint32_t name_at(const struct html_writing *writing, uint32_t index)
{
    return label_at(writing, index)->name;
}

static uint32_t full_label_at(const struct html_writing *writing, uint32_t index)
{
    return label_at(writing, index)->label;
}

static uint32_t file_at(const struct html_writing *writing, uint32_t index)
{
    return label_at(writing, index)->file;
}

static uint32_t mod_at(const struct html_writing *writing, uint32_t index)
{
    return label_at(writing, index)->mod;
}

static int64_t kind_at(const struct html_writing *writing, uint32_t index)
{
    const struct symbols *symbols = &writing->report->profile->symbols;
    uint32_t function = writing->functions[index];
    return symbols_is_lua(symbols, function) ? 0 : symbols_is_c(symbols, function) ? 1 : 2;
}

static void put_texts(struct html_writing *writing, const char *key,
                      uint32_t (*text_at)(const struct html_writing *writing, uint32_t index))
{
    html_put_key(writing->json, key);
    text_put_string(writing->json, "[");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        text_put_string(writing->json, i > 0 ? "," : "");
        json_put_string(writing->json, labels_text(writing->report->labels, text_at(writing, i)));
    }
    text_put_string(writing->json, "]");
}

/* Puts each text once, and adds for each function the index of its own to `indexes`. */
static void put_distinct(struct html_writing *writing, const char *key, const char *index_key,
                         uint32_t (*text_at)(const struct html_writing *writing, uint32_t index),
                         struct text *indexes)
{
    size_t text_count = writing->report->labels->texts.count;
    uint32_t *number_of = mem_zeroed(text_count, sizeof *number_of);
    uint32_t count = 0;
    html_put_key(writing->json, key);
    text_put_string(writing->json, "[");
    html_put_key(indexes, index_key);
    text_put_string(indexes, "[");
    for (uint32_t i = 0; i < writing->function_count; i++) {
        uint32_t text = text_at(writing, i);
        if (number_of[text] == 0) {
            number_of[text] = ++count;
            html_put_comma(writing->json);
            json_put_string(writing->json, labels_text(writing->report->labels, text));
        }
        html_put_comma(indexes);
        text_put_count(indexes, number_of[text] - 1);
    }
    text_put_string(writing->json, "]");
    text_put_string(indexes, "]");
    free(number_of);
}

void html_put_functions(struct html_writing *writing)
{
    struct text *json = writing->json;
    struct text indexes = {0};
    put_distinct(writing, "files", "file", file_at, &indexes);
    put_distinct(writing, "mods", "mod", mod_at, &indexes);
    html_put_key(json, "functions");
    text_put_string(json, "{");
    put_texts(writing, "name", name_at);
    put_texts(writing, "label", full_label_at);
    text_put(json, indexes.at, indexes.length);
    html_put_column(writing, "kind", writing->function_count, kind_at);
    text_put_string(json, "}");
    text_release(&indexes);
    if (writing->folded != TREE_NONE)
        html_put_number(json, "folded", writing->number_of[writing->folded]);
}

void html_put_findings(struct html_writing *writing)
{
    struct text *json = writing->json;
    struct findings findings;
    recording_find(&findings, writing->report);
    html_put_key(json, "findings");
    text_put_string(json, "[");
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.all[i];
        html_put_comma(json);
        text_put_string(json, "[");
        json_put_string(json, text_span(&finding->text));
        if (finding->function == TREE_NONE)
            text_put_string(json, ",null");
        else
            text_printf(json, ",%lu", (unsigned long)writing->number_of[finding->function]);
        text_printf(json, ",\"%s\"]", finding_kind_name(finding->kind));
    }
    text_put_string(json, "]");
    findings_release(&findings);
}
