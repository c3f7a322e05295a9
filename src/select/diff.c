#include "select/diff.h"

#include "base/mem.h"
#include "base/search.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A Lua function of either profile, with ids that both share. */
struct candidate {
    uint32_t source; /* string id in the new profile */
    uint32_t name;   /* string id in the new profile; NAMELESS for "?" and "" */
    int32_t line;
    int64_t expected;  /* of an old one: its expected line in the new profile */
    uint32_t function; /* in its own profile */
    bool is_taken;
};

#define NAMELESS UINT32_MAX

struct candidates {
    struct candidate *all; /* [count] */
    size_t count, capacity;
};

/* A function that was found; others near it have moved by the same number of lines. */
struct anchor {
    uint32_t source;
    int32_t old_line;
    int64_t shift;
};

struct matching {
    struct symbols *symbols; /* of the new profile */
    uint8_t *is_source;      /* [string_count]: of a function of the new profile, by string id */
    uint32_t string_count;
    struct intern shown; /* paths as shown, in small letters */
    uint32_t *sources;   /* [shown.count]: string ids in the new profile */
    size_t source_capacity;
    struct intern unversioned;     /* paths of mods, without the versions of their folders */
    uint32_t *unversioned_sources; /* [unversioned.count] */
    size_t unversioned_capacity;
    struct candidates olds, news;
    struct anchor *anchors; /* [anchor_count], by source and line */
    size_t anchor_count, anchor_capacity;
    uint32_t *functions; /* the result */
    struct diff_counts *counts;
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

static bool is_one_of(char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

/* "mods/m28ai v104/lua/x.lua" becomes "mods/m28ai/lua/x.lua"; false if there is no version. */
static bool drop_version(struct text *small)
{
    static const char mods[] = "mods/";
    size_t start = sizeof mods - 1;
    if (small->length < start || memcmp(small->at, mods, start) != 0)
        return false;
    const char *slash = memchr(small->at + start, '/', small->length - start);
    size_t end = slash != NULL ? (size_t)(slash - small->at) : small->length;
    size_t to = end;
    while (to > start && is_one_of(small->at[to - 1], "0123456789."))
        to--;
    if (to == end)
        return false;
    if (to > start + 1 && small->at[to - 1] == 'v' && is_one_of(small->at[to - 2], " _.-"))
        to--;
    while (to > start && is_one_of(small->at[to - 1], " _.-"))
        to--;
    memmove(small->at + to, small->at + end, small->length - end);
    small->length -= end - to;
    return to > start;
}

/* Keeps the first source with a key. */
static void learn_key(struct intern *keys, uint32_t **sources, size_t *capacity,
                      const struct text *key, uint32_t source)
{
    uint32_t known = keys->count;
    uint32_t id = intern_add(keys, text_span(key).at, key->length);
    *sources = mem_grow(*sources, capacity, keys->count, sizeof **sources);
    if (id == known)
        (*sources)[id] = source;
}

static void learn_sources(struct matching *matching, const struct profile *profile,
                          const struct paths *paths)
{
    struct text small = {0};
    matching->string_count = profile->symbols.strings.count;
    matching->is_source = mem_zeroed(matching->string_count, 1);
    for (uint32_t i = 0; i < profile->symbols.function_count; i++) {
        const struct function *function = &profile->symbols.functions[i];
        if (!function->is_used)
            continue;
        matching->is_source[function->source] = 1;
        put_small(&small, shown_source(paths, function->source));
        learn_key(&matching->shown, &matching->sources, &matching->source_capacity, &small,
                  function->source);
        drop_version(&small);
        learn_key(&matching->unversioned, &matching->unversioned_sources,
                  &matching->unversioned_capacity, &small, function->source);
    }
    text_release(&small);
}

/* Returns the source of the new profile that has the same bytes, or INTERN_NONE. */
static uint32_t find_same_source(const struct matching *matching, struct span bytes)
{
    uint32_t id = intern_find(&matching->symbols->strings, bytes.at, bytes.length);
    bool is_source = id != INTERN_NONE && id < matching->string_count && matching->is_source[id];
    return is_source ? id : INTERN_NONE;
}

/* The source in the new profile with the bytes or the shown path of an old one; may add it. */
static uint32_t find_source(struct matching *matching, const struct profile *old_profile,
                            const struct paths *old_paths, uint32_t source)
{
    struct text text = {0};
    struct span bytes = intern_get(&old_profile->symbols.strings, source);
    struct span shown = shown_source(old_paths, source);
    uint32_t found = find_same_source(matching, bytes);
    if (found != INTERN_NONE)
        return found;
    put_small(&text, shown);
    uint32_t id = intern_find(&matching->shown, text_span(&text).at, text.length);
    found = id != INTERN_NONE ? matching->sources[id] : INTERN_NONE;
    if (found == INTERN_NONE) {
        drop_version(&text);
        id = intern_find(&matching->unversioned, text_span(&text).at, text.length);
        found = id != INTERN_NONE ? matching->unversioned_sources[id] : INTERN_NONE;
    }
    if (found == INTERN_NONE && bytes.length > 0 && bytes.at[0] == '@') {
        /* As it is shown: its directory on the old machine means nothing in the new profile. */
        text.length = 0;
        text_put_string(&text, "@");
        text_put(&text, shown.at, shown.length);
        bytes = text_span(&text);
    }
    if (found == INTERN_NONE)
        found = intern_add(&matching->symbols->strings, bytes.at, bytes.length);
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
    candidates->all = mem_append(candidates->all, &candidates->count, &candidates->capacity,
                                 &candidate, sizeof candidate);
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

/* Functions that are not Lua are found by their names directly. */
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

static bool agrees(const struct candidate *old, const struct candidate *new)
{
    return old->name == new->name || old->name == NAMELESS || new->name == NAMELESS;
}

static void match(struct matching *matching, struct candidate *old, struct candidate *new)
{
    struct diff_counts *counts = matching->counts;
    take(matching, old, new);
    *(!agrees(old, new)        ? &counts->other_name
      : old->line == new->line ? &counts->same_place
                               : &counts->other_line) += 1;
}

/* How many from `from` on have the same source and name, and are not yet matched. */
static size_t group_size(const struct candidates *candidates, size_t from)
{
    size_t to = from;
    const struct candidate *first = &candidates->all[from];
    while (to < candidates->count && !candidates->all[to].is_taken &&
           candidates->all[to].source == first->source && candidates->all[to].name == first->name)
        to++;
    return to - from;
}

/* Calls a function for each name that a file has in both profiles. */
static void for_each_name(struct matching *matching,
                          void (*act)(struct matching *matching, struct candidate *olds,
                                      size_t old_count, struct candidate *news, size_t new_count))
{
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
            act(matching, old, old_count, new, new_count);
        i += order <= 0 ? old_count : 0;
        k += order >= 0 ? new_count : 0;
    }
}

/* A name that occurs once in a file is the same function, at any line. */
static void match_unique(struct matching *matching, struct candidate *olds, size_t old_count,
                         struct candidate *news, size_t new_count)
{
    if (old_count != 1 || new_count != 1 || olds->name == NAMELESS)
        return;
    match(matching, olds, news);
    struct anchor anchor = {olds->source, olds->line, (int64_t)news->line - olds->line};
    matching->anchors = mem_append(matching->anchors, &matching->anchor_count,
                                   &matching->anchor_capacity, &anchor, sizeof anchor);
}

static int compare_anchors(const void *left, const void *right)
{
    const struct anchor *a = left;
    const struct anchor *b = right;
    if (a->source != b->source)
        return compare_numbers(a->source, b->source);
    return a->old_line < b->old_line ? -1 : a->old_line > b->old_line;
}

/*
 * The expected line of each old function: it moved like the nearest one found above it in
 * its file, or else below it. Both lists are in order of source and line.
 */
static void expect_lines(struct matching *matching)
{
    struct candidates *olds = &matching->olds;
    const struct anchor *anchors = matching->anchors;
    size_t at = 0, count = matching->anchor_count;
    if (count > 0)
        qsort(matching->anchors, count, sizeof *anchors, compare_anchors);
    sort(olds, compare_places);
    for (size_t i = 0; i < olds->count; i++) {
        struct candidate *old = &olds->all[i];
        while (at < count &&
               (anchors[at].source < old->source ||
                (anchors[at].source == old->source && at + 1 < count &&
                 anchors[at + 1].source == old->source && anchors[at + 1].old_line <= old->line)))
            at++;
        bool has_anchor = at < count && anchors[at].source == old->source;
        old->expected = old->line + (has_anchor ? anchors[at].shift : 0);
    }
}

static int compare_expected(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->source != b->source)
        return compare_numbers(a->source, b->source);
    if (a->expected != b->expected)
        return a->expected < b->expected ? -1 : 1;
    return compare_numbers(a->function, b->function);
}

struct wanted_anchor {
    const struct anchor *anchors;
    uint32_t source;
};

static bool anchor_is_before(const void *context, size_t at)
{
    const struct wanted_anchor *wanted = context;
    return wanted->anchors[at].source < wanted->source;
}

static bool has_anchor(const struct matching *matching, uint32_t source)
{
    struct wanted_anchor wanted = {matching->anchors, source};
    size_t at = search_first(matching->anchor_count, anchor_is_before, &wanted);
    return at < matching->anchor_count && matching->anchors[at].source == source;
}

struct wanted_place {
    const struct candidate *candidates;
    uint32_t source;
    int64_t line;
};

static bool place_is_before(const void *context, size_t at)
{
    const struct wanted_place *wanted = context;
    const struct candidate *candidate = &wanted->candidates[at];
    return candidate->source < wanted->source ||
           (candidate->source == wanted->source && candidate->line < wanted->line);
}

static struct candidate *find_place(const struct candidates *news, uint32_t source, int64_t line)
{
    struct wanted_place wanted = {news->all, source, line};
    size_t at = search_first(news->count, place_is_before, &wanted);
    if (at == news->count)
        return NULL;
    struct candidate *found = &news->all[at];
    return found->source == source && found->line == line ? found : NULL;
}

/* Whether all old functions of a source, [count], are where they were. */
static bool is_unmoved(const struct candidates *news, const struct candidate *olds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct candidate *new = find_place(news, olds[i].source, olds[i].line);
        if (new == NULL || !agrees(&olds[i], new))
            return false;
    }
    return true;
}

/*
 * Matches functions at their expected lines. At first only if names agree, and only in files
 * where it is known how lines have moved: otherwise a function with a common name can be at
 * the line where another one with that name was.
 */
static void match_places(struct matching *matching, bool is_first)
{
    struct candidates *olds = &matching->olds;
    struct candidates *news = &matching->news;
    sort(olds, compare_expected);
    sort(news, compare_places);
    size_t to;
    for (size_t from = 0; from < olds->count; from = to) {
        uint32_t source = olds->all[from].source;
        for (to = from; to < olds->count && olds->all[to].source == source;)
            to++;
        bool is_sure =
            has_anchor(matching, source) || is_unmoved(news, &olds->all[from], to - from);
        for (size_t i = from; i < to && (is_sure || !is_first); i++) {
            struct candidate *old = &olds->all[i];
            struct candidate *new = find_place(news, source, old->expected);
            if (new != NULL && !old->is_taken && !new->is_taken && (agrees(old, new) || !is_first))
                match(matching, old, new);
        }
    }
}

static int64_t distance(const struct candidate *old, const struct candidate *new)
{
    int64_t lines = old->expected - new->line;
    return lines < 0 ? -lines : lines;
}

/* For nameless functions, the line is nearly the only sign. */
static void match_near(struct matching *matching, struct candidate *old, struct candidate *new)
{
    enum { NAMELESS_DISTANCE_MAX = 50 };
    if (old->name != NAMELESS || distance(old, new) <= NAMELESS_DISTANCE_MAX)
        match(matching, old, new);
}

/*
 * Functions with the same name, in order of lines: each function of the side with fewer is
 * matched to one of the side with more, in the same order, as near as possible to the
 * expected lines. cost[i][k] is the sum of distances for the first i of the few among the
 * first k of the many.
 */
static void match_in_order(struct matching *matching, struct candidate *olds, size_t old_count,
                           struct candidate *news, size_t new_count)
{
    enum { CELLS_MAX = 1 << 22 };
    bool has_fewer_olds = old_count <= new_count;
    size_t few = has_fewer_olds ? old_count : new_count;
    size_t many = has_fewer_olds ? new_count : old_count;
    if (few == many || many > CELLS_MAX / (few + 1)) {
        for (size_t i = 0; i < few; i++)
            match_near(matching, &olds[i], &news[i]);
        return;
    }
    size_t width = many + 1;
    int64_t *cost = mem_zeroed((few + 1) * width, sizeof *cost);
    for (size_t i = 1; i <= few; i++)
        for (size_t k = 0; k <= many; k++) {
            if (k < i) {
                cost[i * width + k] = INT64_MAX / 2;
                continue;
            }
            const struct candidate *old = &olds[(has_fewer_olds ? i : k) - 1];
            const struct candidate *new = &news[(has_fewer_olds ? k : i) - 1];
            int64_t taken = cost[(i - 1) * width + k - 1] + distance(old, new);
            int64_t left = cost[i * width + k - 1];
            cost[i * width + k] = taken <= left ? taken : left;
        }
    for (size_t i = few, k = many; i > 0; k--) {
        if (cost[i * width + k] == cost[i * width + k - 1])
            continue;
        match_near(matching, &olds[(has_fewer_olds ? i : k) - 1],
                   &news[(has_fewer_olds ? k : i) - 1]);
        i--;
    }
    free(cost);
}

/* Functions that only the old profile has are added to the new one. */
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

/* Counts functions that are not Lua and are only in the new profile; it had `new_count` first. */
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
    struct matching matching = {.symbols = &new_profile->symbols, .counts = counts};
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
    for_each_name(&matching, match_unique);
    expect_lines(&matching);
    match_places(&matching, true);
    for_each_name(&matching, match_in_order);
    match_places(&matching, false);
    add_rest(&matching, &old_profile->symbols, counts);
    counts->only_new +=
        count_only_new(new_profile, used_new, new_count, old_profile, matching.functions);

    free(used_new);
    free(used_old);
    free(matching.is_source);
    intern_release(&matching.shown);
    intern_release(&matching.unversioned);
    free(matching.sources);
    free(matching.unversioned_sources);
    free(matching.anchors);
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

static void copy_scaled(struct tree_builder *copy, uint32_t to, const struct tree *tree,
                        uint32_t node, double time_factor, double call_factor)
{
    struct node_values values = tree_values(tree, node);
    struct call_details details = call_details_none();
    values.calls = (uint64_t)llround((double)values.calls * call_factor);
    values.self_ns = (int64_t)llround((double)values.self_ns * time_factor);
    if (values.details != NULL) {
        details = *values.details;
        details.errors = (uint64_t)llround((double)details.errors * call_factor);
        details.memory_kb = (uint64_t)llround((double)details.memory_kb * call_factor);
        details.variance_ns2 *= time_factor * time_factor;
        details.cost_error_ns *= time_factor;
        values.details = &details;
    }
    tree_builder_add(copy, to, values);
}

uint32_t *diff_align(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                     const struct symbols *new_symbols, const struct symbols *old_symbols,
                     double time_factor, double call_factor)
{
    struct tree_builder new_copy, old_copy;
    tree_builder_init_like(&new_copy, new_tree);
    tree_builder_init_like(&old_copy, old_tree);
    /* Both copies get the same nodes in the same order, and so with the same ids. */
    for (uint32_t node = 1; node < new_tree->node_count; node++) {
        const struct call *call = &new_tree->calls[node];
        uint32_t to = tree_builder_child(&new_copy, call->parent, call->function, call->line);
        tree_builder_child(&old_copy, call->parent, call->function, call->line);
        tree_builder_add(&new_copy, to, tree_values(new_tree, node));
    }
    uint32_t *target = mem_zeroed(old_tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < old_tree->node_count; node++) {
        struct call call = moved_call(old_tree, node, functions, new_symbols, old_symbols);
        uint32_t parent = target[call.parent];
        target[node] = tree_builder_child(&old_copy, parent, call.function, call.line);
        tree_builder_child(&new_copy, parent, call.function, call.line);
        copy_scaled(&old_copy, target[node], old_tree, node, time_factor, call_factor);
    }
    tree_builder_replace(&new_copy, new_tree);
    tree_builder_replace(&old_copy, old_tree);
    return target;
}
