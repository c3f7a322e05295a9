#include "select/diff.h"

#include "base/mem.h"
#include "base/search.h"
#include "select/source_map.h"

#include <stdlib.h>

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
    struct source_map sources;
    struct candidates olds, news;
    struct anchor *anchors; /* [anchor_count], by source and line */
    size_t anchor_count, anchor_capacity;
    uint32_t *functions; /* the result */
    struct diff_counts *counts;
};

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
        uint32_t source =
            source_map_find(&matching->sources, &old_profile->symbols, old_paths, function->source);
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
        uint32_t found = symbols_add_function(matching->symbols, source, function->line, name_id);
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

    source_map_init(&matching.sources, &new_profile->symbols, new_paths);
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
    source_map_release(&matching.sources);
    free(matching.anchors);
    free(matching.olds.all);
    free(matching.news.all);
    return matching.functions;
}
