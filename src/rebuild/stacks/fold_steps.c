#include "rebuild/stacks/fold_steps.h"

#define NO_NODE UINT32_MAX

static uint32_t step_of(struct fold_steps *fold, struct fold_call call)
{
    uint32_t known = fold->ids.count;
    uint32_t step = intern_add(&fold->ids, (const char *)&call, sizeof call);
    if (step == known) {
        MEM_GROW(fold->steps, fold->step_capacity, (size_t)step + 1);
        fold->steps[step] = (struct fold_step){.last = NO_NODE};
    }
    return step;
}

static struct fold_step_node *new_node(struct fold_steps *fold, uint32_t node)
{
    MEM_GROW(fold->nodes, fold->node_capacity, (size_t)node + 1);
    return &fold->nodes[node];
}

void fold_steps_add_root(struct fold_steps *fold, uint32_t node)
{
    *new_node(fold, node) = (struct fold_step_node){
        .parent = node, .jump = node, .step = INTERN_NONE, .previous = NO_NODE};
}

void fold_steps_add(struct fold_steps *fold, uint32_t node, uint32_t parent, struct fold_call call)
{
    struct fold_step_node *added = new_node(fold, node);
    const struct fold_step_node *above = &fold->nodes[parent];
    const struct fold_step_node *jump = &fold->nodes[above->jump];
    uint32_t step = step_of(fold, call);
    struct fold_step *list = &fold->steps[step];
    /* Two jumps of one length become a jump of twice that length. */
    bool doubles = above->depth - jump->depth == jump->depth - fold->nodes[jump->jump].depth;
    *added = (struct fold_step_node){
        .parent = parent,
        .jump = doubles ? jump->jump : parent,
        .depth = above->depth + 1,
        .step = step,
        .previous = list->last,
    };
    list->last = node;
    list->count++;
}

static uint32_t ancestor_at(const struct fold_steps *fold, uint32_t node, uint32_t depth)
{
    const struct fold_step_node *nodes = fold->nodes;
    while (nodes[node].depth > depth)
        node = nodes[nodes[node].jump].depth >= depth ? nodes[node].jump : nodes[node].parent;
    return node;
}

static uint32_t search_list(const struct fold_steps *fold, uint32_t node, uint32_t step)
{
    uint32_t depth = fold->nodes[node].depth;
    uint32_t at = fold->steps[step].last;
    while (at != NO_NODE &&
           (fold->nodes[at].depth > depth || ancestor_at(fold, node, fold->nodes[at].depth) != at))
        at = fold->nodes[at].previous;
    return at == NO_NODE ? node : fold->nodes[at].parent;
}

static uint32_t search_path(const struct fold_steps *fold, uint32_t node, uint32_t step)
{
    uint32_t at = node;
    while (fold->nodes[at].depth > 0 && fold->nodes[at].step != step)
        at = fold->nodes[at].parent;
    return fold->nodes[at].depth > 0 ? fold->nodes[at].parent : node;
}

uint32_t fold_steps_find(struct fold_steps *fold, uint32_t node, struct fold_call call)
{
    uint32_t step = intern_find(&fold->ids, (const char *)&call, sizeof call);
    if (step == INTERN_NONE)
        return node;
    return fold->steps[step].count < fold->nodes[node].depth ? search_list(fold, node, step)
                                                             : search_path(fold, node, step);
}

void fold_steps_remember(struct fold_steps *fold, uint32_t parent, uint32_t site, uint32_t node)
{
    uint32_t key[] = {parent, site};
    uint32_t id = intern_add(&fold->folded, (const char *)key, sizeof key);
    MEM_GROW(fold->folded_nodes, fold->folded_capacity, fold->folded.count);
    fold->folded_nodes[id] = node;
}

uint32_t fold_steps_known(const struct fold_steps *fold, uint32_t parent, uint32_t site)
{
    uint32_t key[] = {parent, site};
    uint32_t id = intern_find(&fold->folded, (const char *)key, sizeof key);
    return id == INTERN_NONE ? INTERN_NONE : fold->folded_nodes[id];
}

void fold_steps_release(struct fold_steps *fold)
{
    intern_release(&fold->ids);
    intern_release(&fold->folded);
    MEM_FREE(fold->folded_nodes, fold->steps, fold->nodes);
    *fold = (struct fold_steps){0};
}
