#include "select/selection.h"

#include "tree/fold.h"

uint32_t selection_add_folded(struct symbols *symbols)
{
    uint32_t source_id = intern_add_span(&symbols->strings, span_of("=(folded)"));
    uint32_t name_id = intern_add_span(&symbols->strings, span_of(""));
    uint32_t folded = symbols_add_function(symbols, source_id, -1, name_id);
    symbols->functions[folded].is_used = true;
    return folded;
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

void selection_apply_thread(const struct selection *selection, struct tree *tree)
{
    if (selection_is_one_thread(selection))
        tree_keep_thread(tree, (uint8_t)selection->threads);
}

bool selection_apply(struct selection *selection, struct profile *profile,
                     const struct labels *labels, uint32_t folded, struct error *err)
{
    struct tree *tree = &profile->tree;
    uint32_t function_count = profile->symbols.function_count;
    selection_apply_thread(selection, tree);
    if (!filters_apply(&selection->filters, tree, labels, function_count, folded, err))
        return false;
    if (selection->folds_recursion)
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
    if (!filters_have_matches(&selection->filters, err))
        return false;
    if (selection->filters.count > 0)
        return error_set(err, "nothing is left: no call stack passes all of the filters");
    if (selection_is_one_thread(selection))
        return error_set_code(err, "--thread", "nothing in the log ran on that thread");
    return true;
}

void selection_release(struct selection *selection)
{
    filters_release(&selection->filters);
    *selection = (struct selection){0};
}
