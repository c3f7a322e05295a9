#include "select/filter.h"

#include "base/input.h"
#include "tree/fold.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

static void add(struct filters *filters, struct filter filter)
{
    MEM_APPEND(filters->all, filters->count, filters->capacity, filter);
}

bool filters_add(struct filters *filters, enum filter_kind kind, struct span pattern,
                 struct error *err)
{
    struct pattern *compiled = pattern_new(pattern, err);
    if (compiled != NULL)
        add(filters, (struct filter){.kind = kind, .pattern = compiled});
    return compiled != NULL;
}

bool filters_add_file(struct filters *filters, const char *path, struct error *err)
{
    struct span line;
    SCOPED(line_file) file;
    if (!line_file_read(&file, path, err))
        return false;
    while (line_file_next(&file, &line)) {
        struct error why;
        struct pattern *pattern = pattern_new(line, &why);
        if (pattern == NULL)
            return error_set(err, "%s:%llu: %s", path, (unsigned long long)file.number, why.text);
        add(filters,
            (struct filter){
                .kind = FILTER_HIDE, .pattern = pattern, .file = path, .line = file.number});
    }
    return true;
}

uint32_t filter_match(struct pattern *pattern, const struct tree *tree, const struct labels *labels,
                      uint32_t function_count, uint8_t *matches, struct error *err)
{
    SCOPED_ARRAY bool *is_seen = mem_zeroed(function_count, sizeof *is_seen);
    uint32_t match_count = 0;
    memset(matches, 0, function_count);
    for (uint32_t node = 1; node < tree->node_count && match_count != UINT32_MAX; node++) {
        uint32_t function = tree->calls[node].function;
        if (is_seen[function])
            continue;
        is_seen[function] = true;
        bool is_match;
        if (!pattern_find(pattern, labels_text(labels, labels->of[function].label), &is_match, err))
            match_count = UINT32_MAX;
        else
            match_count += matches[function] = is_match;
    }
    return match_count;
}

/* Keeps the stacks with a match, or the others. */
static void choose_stacks(struct tree *tree, const uint8_t *matches, bool with_match)
{
    SCOPED_ARRAY uint8_t *has_match = mem_zeroed(tree->node_count, 1);
    SCOPED_ARRAY uint8_t *is_kept = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        has_match[node] = has_match[call->parent] || matches[call->function];
        is_kept[node] = (bool)has_match[node] == with_match;
    }
    tree_keep(tree, is_kept);
}

static void show_from(struct tree *tree, const uint8_t *matches, uint32_t folded)
{
    (void)folded;
    struct tree_builder shown;
    tree_builder_init_like(&shown, tree);
    SCOPED_ARRAY uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t parent = target[call->parent];
        if (parent == TREE_ROOT && !matches[call->function])
            continue;
        target[node] = tree_builder_child(
            &shown, parent, call->function, parent == TREE_ROOT ? LINE_UNKNOWN : call->line);
        tree_builder_add(&shown, target[node], tree_values(tree, node));
    }
    tree_builder_replace(&shown, tree);
}

static void hide(struct tree *tree, const uint8_t *matches, uint32_t folded)
{
    SCOPED_ARRAY uint8_t *is_hidden = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_hidden[node] = matches[tree->calls[node].function];
    fold_hidden(tree, is_hidden, folded, false);
}

static void keep_matching(struct tree *tree, const uint8_t *matches, uint32_t folded)
{
    (void)folded;
    choose_stacks(tree, matches, true);
}

static void keep_others(struct tree *tree, const uint8_t *matches, uint32_t folded)
{
    (void)folded;
    choose_stacks(tree, matches, false);
}

static const struct {
    const char *option;
    bool needs_match; /* without a match, nothing is left */
    void (*apply)(struct tree *tree, const uint8_t *matches, uint32_t folded);
} kinds[] = {
    [FILTER_FOCUS] = {"--focus", true, keep_matching},
    [FILTER_IGNORE] = {"--ignore", false, keep_others},
    [FILTER_HIDE] = {"--hide", false, hide},
    [FILTER_SHOW_FROM] = {"--show-from", true, show_from},
};

void filter_put_name(struct text *text, const struct filter *filter)
{
    if (filter->file != NULL) {
        text_put_clean(text, span_of(filter->file), false);
        text_put_string(text, ":");
        text_put_count(text, filter->line);
        text_put_string(text, ": '");
    } else {
        text_printf(text, "%s '", kinds[filter->kind].option);
    }
    text_put_clean(text, pattern_text(filter->pattern), false);
    text_put_string(text, "'");
}

bool filters_apply(struct filters *filters, struct tree *tree, const struct labels *labels,
                   uint32_t function_count, uint32_t folded, struct error *err)
{
    SCOPED_ARRAY uint8_t *matches = mem_zeroed(function_count, 1);
    for (size_t i = 0; i < filters->count; i++) {
        struct filter *filter = &filters->all[i];
        struct error why;
        uint32_t match_count =
            filter_match(filter->pattern, tree, labels, function_count, matches, &why);
        if (match_count == UINT32_MAX) {
            SCOPED(text) name = {0};
            filter_put_name(&name, filter);
            return error_set_code(err, kinds[filter->kind].option, "%s: %s", name.at, why.text);
        }
        if (folded < function_count && matches[folded]) {
            matches[folded] = 0;
            match_count--;
        }
        if (match_count > filter->match_count)
            filter->match_count = match_count;
        if (match_count > 0 || kinds[filter->kind].needs_match)
            kinds[filter->kind].apply(tree, matches, folded);
    }
    return true;
}

/*
 * Fails if a filter that has been applied matches no function, and so left nothing of a profile.
 */
static bool have_matches(const struct filters *filters, struct error *err)
{
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        const char *option = kinds[filter->kind].option;
        SCOPED(text) name = {0};
        if (!kinds[filter->kind].needs_match || filter->match_count > 0)
            continue;
        filter_put_name(&name, filter);
        error_set_code(err,
                       option,
                       i > 0
                           ? "nothing is left, because %s matches none of the functions that the "
                             "filters before it left"
                           : "nothing is left, because %s matches no function; patterns are looked "
                             "for in names and places such as 'OnDamage lua/sim/unit.lua:120', and "
                             "letter case counts unless they begin with (?i)",
                       name.at);
        return false;
    }
    return true;
}

bool selection_is_one_thread(const struct selection *selection)
{
    return selection->threads == NODE_MAIN || selection->threads == NODE_COROUTINE;
}

bool selection_changes_stacks(const struct selection *selection)
{
    return selection->filters.count > 0 || selection->folds_recursion || selection->depth_max > 0 ||
           selection->min_percent > 0;
}

void selection_put_folds(struct text *text, const struct selection *selection)
{
    if (selection->folds_recursion)
        text_put_string(text, ", --fold-recursion");
    if (selection->depth_max > 0)
        text_printf(text, ", --max-depth %u", (unsigned)selection->depth_max);
    if (selection->min_percent > 0)
        text_printf(text, ", --min-pct %g", selection->min_percent);
}

void selection_begin(const struct selection *selection, struct tree *tree)
{
    if (selection_is_one_thread(selection))
        tree_keep_thread(tree, (uint8_t)selection->threads);
    if (selection->folds_recursion && selection->filters.count == 0)
        fold_recursion(tree);
}

bool selection_apply(struct selection *selection, struct profile *profile,
                     const struct labels *labels, uint32_t folded, struct error *err)
{
    struct tree *tree = &profile->tree;
    uint32_t function_count = profile->symbols.function_count;
    if (!filters_apply(&selection->filters, tree, labels, function_count, folded, err))
        return false;
    if (selection->folds_recursion && selection->filters.count > 0)
        fold_recursion(tree);
    if (selection->depth_max > 0)
        fold_deep(tree, selection->depth_max);
    return true;
}

void selection_drop_small(const struct selection *selection, struct tree *tree, struct tree *other,
                          uint32_t folded)
{
    if (selection->min_percent > 0)
        fold_small(tree, other, selection->min_percent, folded);
}

bool selection_check(const struct selection *selection, const struct tree *tree, struct error *err)
{
    if (tree->node_count > 1)
        return true;
    if (!have_matches(&selection->filters, err))
        return false;
    if (selection->filters.count > 0)
        return error_set(err, "nothing is left: no call stack passes all of the filters");
    if (selection_is_one_thread(selection))
        return error_set_code(err, "--thread", "nothing in the log ran on this kind of thread");
    return true;
}

void selection_release(struct selection *selection)
{
    for (size_t i = 0; i < selection->filters.count; i++)
        pattern_free(selection->filters.all[i].pattern);
    free(selection->filters.all);
    *selection = (struct selection){0};
}
