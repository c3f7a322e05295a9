#include "diff.h"

#include "frames.h"
#include "mem.h"
#include "tree_copy.h"

#include <math.h>
#include <stdlib.h>

/* A Lua function of either profile, in terms that both share. */
struct candidate {
    uint32_t source; /* string id in the new profile */
    uint32_t name;   /* string id there; NAMELESS for "?" and "" */
    int32_t line;
    uint32_t function; /* in its own profile */
    bool is_taken;
};

#define NAMELESS UINT32_MAX

struct candidates {
    struct candidate *all; /* [count] */
    size_t count, capacity;
};

struct matching {
    struct symbols *symbols; /* of the new profile */
    struct intern shown;     /* paths as shown, in small letters */
    uint32_t *sources;       /* [shown.count]: string ids in the new profile */
    size_t source_capacity;
    struct candidates olds, news;
    uint32_t *functions; /* the result */
};

static void put_small(struct text *text, struct span span)
{
    text->length = 0;
    text_put(text, span.at, span.length);
    for (size_t i = 0; i < text->length; i++)
        if (text->at[i] >= 'A' && text->at[i] <= 'Z')
            text->at[i] = (char)(text->at[i] - 'A' + 'a');
}

static struct span shown_source(const struct paths *paths, uint32_t source)
{
    return intern_get(&paths->texts, paths->shown[source]);
}

static void learn_sources(struct matching *matching, const struct profile *profile,
                          const struct paths *paths)
{
    struct text small = {0};
    for (uint32_t i = 0; i < profile->symbols.function_count; i++) {
        const struct function *function = &profile->symbols.functions[i];
        if (!function->is_used)
            continue;
        put_small(&small, shown_source(paths, function->source));
        uint32_t id = intern_add(&matching->shown, text_span(&small).at, small.length);
        size_t known = matching->source_capacity;
        matching->sources = mem_grow(matching->sources, &matching->source_capacity, (size_t)id + 1,
                                     sizeof *matching->sources);
        for (; known < matching->source_capacity; known++)
            matching->sources[known] = INTERN_NONE;
        if (matching->sources[id] == INTERN_NONE)
            matching->sources[id] = function->source;
    }
    text_release(&small);
}

/* The source in the new profile that is shown like one of the old; made if need be. */
static uint32_t find_source(struct matching *matching, const struct profile *old_profile,
                            const struct paths *old_paths, uint32_t source)
{
    struct text text = {0};
    struct span bytes = intern_get(&old_profile->symbols.strings, source);
    struct span shown = shown_source(old_paths, source);
    put_small(&text, shown);
    uint32_t id = intern_find(&matching->shown, text_span(&text).at, text.length);
    if (id == INTERN_NONE && bytes.length > 0 && bytes.at[0] == '@') {
        /* As it is shown: where it was installed says nothing about the new profile's. */
        text.length = 0;
        text_put_string(&text, "@");
        text_put(&text, shown.at, shown.length);
        bytes = text_span(&text);
    }
    uint32_t found = id != INTERN_NONE
                         ? matching->sources[id]
                         : intern_add(&matching->symbols->strings, bytes.at, bytes.length);
    text_release(&text);
    return found;
}

static uint32_t shared_name(struct symbols *symbols, struct span name)
{
    bool is_nameless = name.length == 0 || (name.length == 1 && name.at[0] == '?');
    return is_nameless ? NAMELESS : intern_add(&symbols->strings, name.at, name.length);
}

static void add_candidate(struct candidates *candidates, struct candidate candidate)
{
    candidates->all = mem_grow(candidates->all, &candidates->capacity, candidates->count + 1,
                               sizeof *candidates->all);
    candidates->all[candidates->count++] = candidate;
}

static void list_new(struct matching *matching, const uint8_t *is_used)
{
    struct symbols *symbols = matching->symbols;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        struct function function = symbols->functions[i];
        if (!is_used[i] || function.line < 0)
            continue;
        struct span name = intern_get(&symbols->strings, function.name);
        add_candidate(&matching->news, (struct candidate){.source = function.source,
                                                          .name = shared_name(symbols, name),
                                                          .line = function.line,
                                                          .function = i});
    }
}

/* Functions that are no Lua are found by their names at once. */
static void list_old(struct matching *matching, const struct profile *old_profile,
                     const struct paths *old_paths, const uint8_t *is_used,
                     struct diff_counts *counts)
{
    const struct symbols *old_symbols = &old_profile->symbols;
    for (uint32_t i = 0; i < old_symbols->function_count; i++) {
        const struct function *function = &old_symbols->functions[i];
        if (!is_used[i])
            continue;
        struct span name = intern_get(&old_symbols->strings, function->name);
        uint32_t source = find_source(matching, old_profile, old_paths, function->source);
        if (function->line >= 0) {
            add_candidate(&matching->olds,
                          (struct candidate){.source = source,
                                             .name = shared_name(matching->symbols, name),
                                             .line = function->line,
                                             .function = i});
            continue;
        }
        uint32_t count = matching->symbols->function_count;
        uint32_t name_id = intern_add(&matching->symbols->strings, name.at, name.length);
        uint32_t found = symbols_add_function(matching->symbols, source, -1, name_id);
        matching->functions[i] = found;
        matching->symbols->functions[found].is_used = true;
        counts->same_place += found < count;
        counts->only_old += found >= count;
    }
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_places(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->source != b->source)
        return compare_numbers(a->source, b->source);
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return compare_numbers(a->function, b->function);
}

static int compare_names(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->is_taken != b->is_taken)
        return a->is_taken ? 1 : -1;
    if (a->source != b->source)
        return compare_numbers(a->source, b->source);
    if (a->name != b->name)
        return compare_numbers(a->name, b->name);
    return compare_places(left, right);
}

static void sort(struct candidates *candidates, int (*compare)(const void *, const void *))
{
    if (candidates->count > 0)
        qsort(candidates->all, candidates->count, sizeof *candidates->all, compare);
}

static void take(struct matching *matching, struct candidate *old, struct candidate *new)
{
    old->is_taken = new->is_taken = true;
    matching->functions[old->function] = new->function;
}

/* Takes what is defined at the same line; with `needs_name`, only where names agree. */
static uint32_t match_places(struct matching *matching, bool needs_name)
{
    uint32_t count = 0;
    struct candidates *olds = &matching->olds;
    struct candidates *news = &matching->news;
    sort(olds, compare_places);
    sort(news, compare_places);
    for (size_t i = 0, k = 0; i < olds->count && k < news->count;) {
        struct candidate *old = &olds->all[i];
        struct candidate *new = &news->all[k];
        bool is_same = old->source == new->source && old->line == new->line;
        bool agrees = old->name == new->name || old->name == NAMELESS || new->name == NAMELESS;
        if (is_same && !old->is_taken && !new->is_taken && (agrees || !needs_name)) {
            take(matching, old, new);
            count++;
        }
        if (old->source != new->source ? old->source < new->source : old->line <= new->line)
            i++;
        else
            k++;
    }
    return count;
}

static int64_t distance(const struct candidate *a, const struct candidate *b)
{
    int64_t lines = (int64_t)a->line - b->line;
    return lines < 0 ? -lines : lines;
}

/*
 * Takes each of the fewer with the nearest of the more that leaves enough for those
 * behind it; both are in order of lines, and so are the pairs.
 */
static uint32_t match_nearest(struct matching *matching, struct candidate *olds, size_t old_count,
                              struct candidate *news, size_t new_count)
{
    bool has_fewer_olds = old_count <= new_count;
    struct candidate *few = has_fewer_olds ? olds : news;
    struct candidate *many = has_fewer_olds ? news : olds;
    size_t few_count = has_fewer_olds ? old_count : new_count;
    size_t many_count = has_fewer_olds ? new_count : old_count;
    for (size_t i = 0, at = 0; i < few_count; i++, at++) {
        while (at + (few_count - i) < many_count &&
               distance(&few[i], &many[at + 1]) < distance(&few[i], &many[at]))
            at++;
        take(matching, has_fewer_olds ? &few[i] : &many[at], has_fewer_olds ? &many[at] : &few[i]);
    }
    return (uint32_t)few_count;
}

/* How many from `from` on have the same source and name, and are not taken. */
static size_t group_size(const struct candidates *candidates, size_t from)
{
    size_t to = from;
    const struct candidate *first = &candidates->all[from];
    while (to < candidates->count && !candidates->all[to].is_taken &&
           candidates->all[to].source == first->source && candidates->all[to].name == first->name)
        to++;
    return to - from;
}

static uint32_t match_names(struct matching *matching)
{
    uint32_t count = 0;
    struct candidates *olds = &matching->olds;
    struct candidates *news = &matching->news;
    sort(olds, compare_names);
    sort(news, compare_names);
    for (size_t i = 0, k = 0; i < olds->count && k < news->count;) {
        struct candidate *old = &olds->all[i];
        struct candidate *new = &news->all[k];
        if (old->is_taken || new->is_taken)
            break;
        size_t old_count = group_size(olds, i);
        size_t new_count = group_size(news, k);
        int order = compare_numbers(old->source, new->source);
        if (order == 0)
            order = compare_numbers(old->name, new->name);
        if (order == 0)
            count += match_nearest(matching, old, old_count, new, new_count);
        i += order <= 0 ? old_count : 0;
        k += order >= 0 ? new_count : 0;
    }
    return count;
}

/* What is only in the old profile becomes a function of the new one. */
static void add_rest(struct matching *matching, const struct symbols *old_symbols,
                     struct diff_counts *counts)
{
    for (size_t i = 0; i < matching->olds.count; i++) {
        const struct candidate *old = &matching->olds.all[i];
        if (old->is_taken)
            continue;
        struct span name =
            intern_get(&old_symbols->strings, old_symbols->functions[old->function].name);
        uint32_t name_id = intern_add(&matching->symbols->strings, name.at, name.length);
        matching->functions[old->function] =
            symbols_append_function(matching->symbols, old->source, old->line, name_id);
        counts->only_old++;
    }
    for (size_t i = 0; i < matching->news.count; i++)
        counts->only_new += !matching->news.all[i].is_taken;
}

static uint8_t *used_in_tree(const struct profile *profile)
{
    uint8_t *is_used = mem_zeroed(profile->symbols.function_count, 1);
    for (uint32_t node = 1; node < profile->tree.node_count; node++)
        is_used[profile->tree.calls[node].function] = 1;
    return is_used;
}

/* Functions that are no Lua and that only the new profile has; it had so many at first. */
static uint32_t count_only_new(const struct profile *new_profile, const uint8_t *is_used,
                               uint32_t new_count, const struct profile *old_profile,
                               const uint32_t *functions)
{
    uint32_t count = 0;
    uint8_t *is_found = mem_zeroed(new_profile->symbols.function_count, 1);
    for (uint32_t i = 0; i < old_profile->symbols.function_count; i++)
        if (functions[i] != UINT32_MAX)
            is_found[functions[i]] = 1;
    for (uint32_t i = 0; i < new_count; i++)
        count += is_used[i] && !symbols_is_lua(&new_profile->symbols, i) && !is_found[i];
    free(is_found);
    return count;
}

uint32_t *diff_match_functions(struct profile *new_profile, const struct paths *new_paths,
                               const struct profile *old_profile, const struct paths *old_paths,
                               struct diff_counts *counts)
{
    struct matching matching = {.symbols = &new_profile->symbols};
    uint32_t old_count = old_profile->symbols.function_count;
    *counts = (struct diff_counts){0};
    matching.functions = mem_zeroed(old_count, sizeof *matching.functions);
    for (uint32_t i = 0; i < old_count; i++)
        matching.functions[i] = UINT32_MAX;
    uint8_t *used_new = used_in_tree(new_profile);
    uint8_t *used_old = used_in_tree(old_profile);
    uint32_t new_count = new_profile->symbols.function_count;

    learn_sources(&matching, new_profile, new_paths);
    list_new(&matching, used_new);
    list_old(&matching, old_profile, old_paths, used_old, counts);
    counts->same_place += match_places(&matching, true);
    counts->other_line = match_names(&matching);
    counts->other_name = match_places(&matching, false);
    add_rest(&matching, &old_profile->symbols, counts);
    counts->only_new +=
        count_only_new(new_profile, used_new, new_count, old_profile, matching.functions);

    free(used_new);
    free(used_old);
    intern_release(&matching.shown);
    free(matching.sources);
    free(matching.olds.all);
    free(matching.news.all);
    return matching.functions;
}

/* The line of a call, moved with the function that it is in. */
static int32_t moved_line(int32_t line, int64_t shift)
{
    if (line == LINE_UNKNOWN || line == LINE_TAIL_CALL)
        return line;
    int64_t moved = line > 0 ? line + shift : line - shift;
    bool is_line =
        line > 0 ? moved > 0 && moved <= INT32_MAX : moved < LINE_TAIL_CALL && moved >= INT32_MIN;
    return is_line ? (int32_t)moved : line;
}

static struct call moved_call(const struct tree *old_tree, uint32_t node, const uint32_t *functions,
                              const struct symbols *new_symbols, const struct symbols *old_symbols)
{
    struct call call = old_tree->calls[node];
    uint32_t caller = old_tree->calls[call.parent].function;
    int64_t shift = 0;
    if (call.parent != TREE_ROOT && old_symbols->functions[caller].line >= 0)
        shift = (int64_t)new_symbols->functions[functions[caller]].line -
                old_symbols->functions[caller].line;
    call.line = moved_line(call.line, shift);
    call.function = functions[call.function];
    return call;
}

static void copy_scaled(struct tree *copy, uint32_t to, const struct tree *tree, uint32_t node,
                        double time_factor, double call_factor)
{
    copy->call_counts[to] += (uint64_t)llround((double)tree->call_counts[node] * call_factor);
    copy->total_ns[to] += (int64_t)llround((double)tree->self_ns[node] * time_factor);
    copy->flags[to] |= tree->flags[node];
    if (tree->details == NULL)
        return;
    struct call_details details = tree->details[node];
    details.errors = (uint64_t)llround((double)details.errors * call_factor);
    details.memory_kb = (uint64_t)llround((double)details.memory_kb * call_factor);
    details.variance_ns2 *= time_factor * time_factor;
    details.cost_error_ns *= time_factor;
    call_details_add(&copy->details[to], &details);
}

void diff_align(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                const struct symbols *new_symbols, const struct symbols *old_symbols,
                double time_factor, double call_factor)
{
    struct tree new_copy, old_copy;
    tree_copy_begin(&new_copy, new_tree);
    tree_copy_begin(&old_copy, old_tree);
    /* Both copies get the same nodes in the same order, and so with the same ids. */
    for (uint32_t node = 1; node < new_tree->node_count; node++) {
        const struct call *call = &new_tree->calls[node];
        uint32_t to = tree_child(&new_copy, call->parent, call->function, call->line);
        tree_child(&old_copy, call->parent, call->function, call->line);
        tree_copy_node(&new_copy, to, new_tree, node);
    }
    uint32_t *target = mem_zeroed(old_tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < old_tree->node_count; node++) {
        struct call call = moved_call(old_tree, node, functions, new_symbols, old_symbols);
        uint32_t parent = target[call.parent];
        target[node] = tree_child(&old_copy, parent, call.function, call.line);
        tree_child(&new_copy, parent, call.function, call.line);
        copy_scaled(&old_copy, target[node], old_tree, node, time_factor, call_factor);
    }
    free(target);
    tree_copy_end(new_tree, &new_copy);
    tree_copy_end(old_tree, &old_copy);
}
