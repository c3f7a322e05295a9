#include "select/filter.h"

#include "base/input.h"
#include "base/mem.h"
#include "base/text.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

#include <stdlib.h>
#include <string.h>

static void add(struct filters *filters, struct filter filter)
{
    filters->all =
        mem_append(filters->all, &filters->count, &filters->capacity, &filter, sizeof filter);
}

bool filters_add(struct filters *filters, enum filter_kind kind, struct span pattern,
                 struct error *err)
{
    struct pattern *compiled = pattern_new(pattern, err);
    if (compiled != NULL)
        add(filters, (struct filter){.kind = kind, .pattern = compiled});
    return compiled != NULL;
}

static struct span trim(struct span line)
{
    while (line.length > 0 && strchr(" \t\r", line.at[line.length - 1]) != NULL)
        line.length--;
    while (line.length > 0 && strchr(" \t", line.at[0]) != NULL)
        line = (struct span){line.at + 1, line.length - 1};
    return line;
}

static bool add_lines(struct filters *filters, const char *path, struct span text,
                      struct error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    uint64_t number = 0;
    if (text.length >= 3 && memcmp(text.at, byte_order_mark, 3) == 0)
        text = (struct span){text.at + 3, text.length - 3};
    while (text.length > 0) {
        const char *end = memchr(text.at, '\n', text.length);
        size_t length = end != NULL ? (size_t)(end - text.at) : text.length;
        struct span line = trim((struct span){text.at, length});
        number++;
        text.at += length + (end != NULL);
        text.length -= length + (end != NULL);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        struct error why;
        struct pattern *pattern = pattern_new(line, &why);
        if (pattern == NULL)
            return error_set(err, "%s:%llu: %s", path, (unsigned long long)number, why.text);
        add(filters,
            (struct filter){.kind = FILTER_HIDE, .pattern = pattern, .file = path, .line = number});
    }
    return true;
}

bool filters_add_file(struct filters *filters, const char *path, struct error *err)
{
    enum { BLOCK_BYTES = 4096, FILE_MAX = 1 << 20 };
    struct input input;
    if (!input_open(&input, path, FILE_DOES_NOT_WAIT, NULL, err))
        return false;
    struct text text = {0};
    char block[BLOCK_BYTES];
    size_t length = 0;
    bool is_read;
    while ((is_read = input_read(&input, block, sizeof block, &length, err)) && length > 0 &&
           text.length < FILE_MAX)
        text_put(&text, block, length);
    bool is_silent = text.length == 0 && input.status.kind == FILE_OTHER;
    input_close(&input);
    if (is_read && is_silent)
        return error_set(err, "%s: has no lines; nothing is written into it", path);
    bool is_good = is_read && add_lines(filters, path, text_span(&text), err);
    if (is_good && length > 0)
        is_good = error_set(err, "%s: is larger than a list of patterns can be", path);
    text_release(&text);
    return is_good;
}

const char *filter_option(enum filter_kind kind)
{
    static const char *const names[] = {
        [FILTER_FOCUS] = "--focus",
        [FILTER_IGNORE] = "--ignore",
        [FILTER_HIDE] = "--hide",
        [FILTER_SHOW_FROM] = "--show-from",
    };
    return names[kind];
}

void filter_put_name(struct text *text, const struct filter *filter)
{
    if (filter->file != NULL) {
        text_put_clean(text, (struct span){filter->file, strlen(filter->file)}, false);
        text_put_string(text, ":");
        text_put_count(text, filter->line);
        text_put_string(text, ": '");
    } else {
        text_printf(text, "%s '", filter_option(filter->kind));
    }
    text_put_clean(text, pattern_text(filter->pattern), false);
    text_put_string(text, "'");
}

uint32_t filter_match(struct pattern *pattern, const struct tree *tree, const struct labels *labels,
                      uint32_t function_count, uint8_t *matches, struct error *err)
{
    enum { UNSEEN, SEEN };
    uint8_t *seen = mem_zeroed(function_count, 1);
    uint32_t match_count = 0;
    memset(matches, 0, function_count);
    for (uint32_t node = 1; node < tree->node_count && match_count != UINT32_MAX; node++) {
        uint32_t function = tree->calls[node].function;
        if (seen[function] == SEEN)
            continue;
        seen[function] = SEEN;
        bool is_match;
        if (!pattern_find(pattern, labels_text(labels, labels->labels[function].label), &is_match,
                          err))
            match_count = UINT32_MAX;
        else
            match_count += matches[function] = is_match;
    }
    free(seen);
    return match_count;
}

/* Keeps the stacks with a match, or the others. */
static void choose_stacks(struct tree *tree, const uint8_t *matches, bool with_match)
{
    uint8_t *has_match = mem_zeroed(tree->node_count, 1);
    uint8_t *is_kept = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        has_match[node] = has_match[call->parent] || matches[call->function];
        is_kept[node] = (bool)has_match[node] == with_match;
    }
    tree_keep(tree, is_kept);
    free(has_match);
    free(is_kept);
}

static void show_from(struct tree *tree, const uint8_t *matches)
{
    struct tree_builder shown;
    tree_builder_init_like(&shown, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t parent = target[call->parent];
        if (parent == TREE_ROOT && !matches[call->function])
            continue;
        target[node] = tree_builder_child(&shown, parent, call->function,
                                          parent == TREE_ROOT ? LINE_UNKNOWN : call->line);
        tree_builder_add(&shown, target[node], tree_values(tree, node));
    }
    free(target);
    tree_builder_replace(&shown, tree);
}

static void hide(struct tree *tree, const uint8_t *matches, uint32_t folded)
{
    struct tree_builder shown;
    tree_builder_init_like(&shown, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    /* The line at which the last visible frame made the first hidden call. */
    int32_t *line = mem_zeroed(tree->node_count, sizeof *line);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        bool is_below_hidden =
            call->parent != TREE_ROOT && matches[tree->calls[call->parent].function];
        line[node] = is_below_hidden ? line[call->parent] : call->line;
        if (!matches[call->function]) {
            to = tree_builder_child(&shown, to, call->function,
                                    to == TREE_ROOT ? LINE_UNKNOWN : line[node]);
            tree_builder_add(&shown, to, tree_values(tree, node));
        } else {
            tree_builder_add_time(&shown, to, tree_values(tree, node), folded);
        }
        target[node] = to;
    }
    free(target);
    free(line);
    tree_builder_replace(&shown, tree);
}

bool filters_apply(struct filters *filters, struct tree *tree, const struct labels *labels,
                   uint32_t function_count, uint32_t folded, struct error *err)
{
    uint8_t *matches = mem_zeroed(function_count, 1);
    bool is_done = true;
    for (size_t i = 0; i < filters->count && is_done; i++) {
        struct filter *filter = &filters->all[i];
        struct error why;
        uint32_t match_count =
            filter_match(filter->pattern, tree, labels, function_count, matches, &why);
        is_done = match_count != UINT32_MAX;
        if (!is_done) {
            struct text name = {0};
            filter_put_name(&name, filter);
            error_set(err, "%.*s: %s", (int)name.length, name.at, why.text);
            text_release(&name);
            break;
        }
        if (folded < function_count && matches[folded]) {
            matches[folded] = 0;
            match_count--;
        }
        if (match_count > filter->match_count)
            filter->match_count = match_count;
        if (filter->kind == FILTER_HIDE && match_count > 0)
            hide(tree, matches, folded);
        else if (filter->kind == FILTER_SHOW_FROM)
            show_from(tree, matches);
        else if (filter->kind != FILTER_HIDE)
            choose_stacks(tree, matches, filter->kind == FILTER_FOCUS);
    }
    free(matches);
    return is_done;
}

void filters_release(struct filters *filters)
{
    for (size_t i = 0; i < filters->count; i++)
        pattern_free(filters->all[i].pattern);
    free(filters->all);
    *filters = (struct filters){0};
}
