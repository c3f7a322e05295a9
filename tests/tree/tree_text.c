#include "tree/tree_text.h"

#include "base/mem.h"
#include "base/text.h"
#include "tree/tree_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add_string(struct symbols *symbols, const char *at, size_t length)
{
    return intern_add(&symbols->strings, at, length);
}

static uint32_t add_function(struct symbols *symbols, struct span name)
{
    bool is_c = name.length > 2 && memcmp(name.at + name.length - 2, "()", 2) == 0;
    char source[64];
    int length = snprintf(source, sizeof source, "@%.*s.lua", (int)name.length, name.at);
    uint32_t source_id =
        is_c ? add_string(symbols, "=[C]", 4) : add_string(symbols, source, (size_t)length);
    uint32_t name_id = add_string(symbols, name.at, name.length);
    uint32_t function = symbols_add_function(symbols, source_id, is_c ? -1 : 1, name_id);
    symbols->functions[function].name = name_id;
    symbols->functions[function].is_used = true;
    return function;
}

static void add_line(struct tree_text *sample, struct tree_builder *builder, const char *line,
                     const char *end)
{
    uint32_t node = TREE_ROOT;
    const char *at = line;
    while (at < end && *at != ' ') {
        size_t length = strcspn(at, "; \n");
        const char *sign = memchr(at, '@', length);
        size_t name_length = sign != NULL ? (size_t)(sign - at) : length;
        int32_t call_line = sign != NULL ? (int32_t)strtol(sign + 1, NULL, 10) : LINE_UNKNOWN;
        node = tree_builder_child(builder, node,
                                  add_function(&sample->symbols, (struct span){at, name_length}),
                                  call_line);
        at += length + (at[length] == ';');
    }
    char *rest;
    struct node_values values = {.self_ns = strtoll(at, &rest, 10),
                                 .flags = NODE_SEEN | NODE_TIMED | NODE_MAIN};
    char *calls_end;
    unsigned long long calls = strtoull(rest, &calls_end, 10);
    values.calls = calls_end != rest && calls_end <= end ? calls : 1;
    tree_builder_add(builder, node, values);
}

void tree_text_init(struct tree_text *sample, const char *text)
{
    *sample = (struct tree_text){0};
    struct tree_builder builder;
    tree_builder_init(&builder, false);
    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        add_line(sample, &builder, text, end);
        text = end + 1;
    }
    tree_builder_finish(&builder, &sample->tree);
    paths_init(&sample->paths, &sample->symbols, &(struct mounts){0}, PATHS_SHORT);
    labels_init(&sample->labels, &sample->symbols, &sample->paths);
}

void tree_text_release(struct tree_text *sample)
{
    labels_release(&sample->labels);
    paths_release(&sample->paths);
    symbols_release(&sample->symbols);
    tree_release(&sample->tree);
}

static void put_path(struct text *text, const struct tree *tree, const struct symbols *symbols,
                     uint32_t node)
{
    uint32_t *path = mem_zeroed(tree->node_count, sizeof *path);
    size_t depth = 0;
    for (; node != TREE_ROOT; node = tree->calls[node].parent)
        path[depth++] = node;
    while (depth-- > 0) {
        const struct call *call = &tree->calls[path[depth]];
        struct span name =
            call->function < symbols->function_count
                ? intern_get(&symbols->strings, symbols->functions[call->function].name)
                : span_of("(other)");
        text_put(text, name.at, name.length);
        if (call->line != LINE_UNKNOWN) {
            text_put_string(text, "@");
            text_put_number(text, call->line);
        }
        text_put_string(text, depth > 0 ? ";" : " ");
    }
    free(path);
}

static int compare_lines(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

char *tree_text_print(const struct tree *tree, const struct symbols *symbols)
{
    char **lines = mem_zeroed(tree->node_count, sizeof *lines);
    size_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (tree->self_ns[node] == 0 && tree->call_counts[node] == 0)
            continue;
        struct text text = {0};
        put_path(&text, tree, symbols, node);
        text_put_number(&text, tree->self_ns[node]);
        if (tree->call_counts[node] != 1) {
            text_put_string(&text, " ");
            text_put_count(&text, tree->call_counts[node]);
        }
        text_put_string(&text, "\n");
        lines[count++] = text.at;
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    struct text all = {0};
    for (size_t i = 0; i < count; i++) {
        text_put_string(&all, lines[i]);
        free(lines[i]);
    }
    free(lines);
    char *copy = mem_copy(text_string(&all), all.length);
    text_release(&all);
    return copy;
}
