#include "rebuild/ending/distinct_calls.h"

#include "tree/stacks.h"

/* Sites with the same function and calling line are of one class; so are all without a line. */
struct classes {
    uint32_t *of_sites; /* [site_capacity] */
    uint32_t *sizes;    /* [site_capacity] by class */
};

static struct classes find_classes(const struct nodes *nodes)
{
    struct classes classes = {mem_zeroed(nodes->site_capacity, sizeof *classes.of_sites),
                              mem_zeroed(nodes->site_capacity, sizeof *classes.sizes)};
    struct intern keys = {0};
    for (size_t i = 0; i < nodes->site_capacity; i++) {
        const struct event_site *site = &nodes->sites[i];
        /* Sites that are not defined are of function 0, which may not be defined either. */
        uint32_t id =
            site->function < nodes->function_count ? nodes->functions[site->function].id : 0;
        int32_t key[] = {(int32_t)id, site->line < 0 ? LINE_UNKNOWN : site->line};
        classes.of_sites[i] = intern_add(&keys, (const char *)key, sizeof key);
        classes.sizes[classes.of_sites[i]]++;
    }
    intern_release(&keys);
    return classes;
}

/* A call as the tree knows it. */
struct key {
    uint32_t parent, call;
};

/* Roots of all threads have the same parent in the tree, and their lines do not count. */
static struct key key_of(const struct nodes *nodes, const struct classes *classes, uint32_t node)
{
    uint32_t parent = nodes->at[node].parent;
    if (parent < NODES_FIRST)
        return (struct key){NODES_UNATTRIBUTED, nodes_function(nodes, node)->id};
    uint32_t site = nodes->at[node].site & ~SITE_IS_OPEN;
    /* A Lua function that makes a call without a line has made a tail call: see nodes_call_line().
     */
    bool is_tail_call = nodes->sites[site].line < 0 && nodes_kind(nodes, parent) == CALL_OF_LUA;
    return (struct key){parent, 2 * classes->of_sites[site] + is_tail_call};
}

/* Whether another node may be the same call. */
static bool is_doubtful(const struct nodes *nodes, const struct classes *classes, uint32_t node)
{
    uint32_t site = nodes->at[node].site;
    return nodes->at[node].parent < NODES_FIRST || (site & SITE_IS_OPEN) != 0 ||
           classes->sizes[classes->of_sites[site]] > 1;
}

/* Returns false if a node with the same key is in the index. */
static bool put_key(struct index *index, const struct nodes *nodes, const struct classes *classes,
                    uint32_t node)
{
    struct key key = key_of(nodes, classes, node);
    index_reserve(index);
    uint32_t hash = (uint32_t)hash_number((uint64_t)key.parent << 32 | key.call, index->seed);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        if (index->slots[slot].hash != hash)
            continue;
        struct key known = key_of(nodes, classes, index->slots[slot].id);
        if (known.parent == key.parent && known.call == key.call)
            return false;
    }
    index_put(index, slot, hash, node);
    return true;
}

bool distinct_calls(const struct nodes *nodes, const uint8_t *is_used)
{
    struct classes classes = find_classes(nodes);
    struct index index = {0};
    bool is_distinct = true;
    for (uint32_t node = NODES_FIRST; node < nodes->count && is_distinct; node++)
        if (is_used[node] && is_doubtful(nodes, &classes, node))
            is_distinct = put_key(&index, nodes, &classes, node);
    index_release(&index);
    free(classes.of_sites);
    free(classes.sizes);
    return is_distinct;
}
