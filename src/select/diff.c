#include "select/diff.h"

#include "base/search.h"
#include "select/source_map.h"

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

struct matching {
    struct symbols *symbols; /* of the new profile */
    struct source_map sources;
    struct candidates olds, news;
    uint32_t *functions; /* the result */
    struct diff_counts *counts;
};

/* A function that was found; others near it have moved by the same number of lines. */
struct anchor {
    int32_t old_line;
    int64_t shift;
};

/* The functions of one source in both profiles. */
struct file {
    struct matching *matching;
    struct candidates olds, news; /* parts of those of the matching */
    struct anchor *anchors;       /* [anchor_count], by line */
    size_t anchor_count, anchor_capacity;
};

/* Adds a Lua function. `name` is its name in its own profile. */
static void add_candidate(struct matching *matching, struct candidates *candidates,
                          uint32_t function, uint32_t source, int32_t line, struct span name)
{
    bool is_nameless = name.length == 0 || span_is(name, "?");
    struct candidate candidate = {
        .source = source,
        .name = is_nameless ? NAMELESS : intern_add_span(&matching->symbols->strings, name),
        .line = line,
        .function = function,
    };
    MEM_APPEND(candidates->all, candidates->count, candidates->capacity, candidate);
}

static void list_new(struct matching *matching, const bool *is_used)
{
    const struct symbols *symbols = matching->symbols;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (is_used[i] && function->line >= 0)
            add_candidate(matching, &matching->news, i, function->source, function->line,
                          intern_get(&symbols->strings, function->name));
    }
}

/* Functions that are not Lua are found by their names directly. */
static void list_old(struct matching *matching, const struct profile *old_profile,
                     const struct paths *old_paths, const bool *is_used)
{
    struct symbols *symbols = matching->symbols;
    const struct symbols *old_symbols = &old_profile->symbols;
    for (uint32_t i = 0; i < old_symbols->function_count; i++) {
        const struct function *function = &old_symbols->functions[i];
        if (!is_used[i])
            continue;
        struct span name = intern_get(&old_symbols->strings, function->name);
        uint32_t source =
            source_map_find(&matching->sources, old_symbols, old_paths, function->source);
        if (function->line >= 0) {
            add_candidate(matching, &matching->olds, i, source, function->line, name);
            continue;
        }
        uint32_t count = symbols->function_count;
        uint32_t found = symbols_add_function(symbols, source, function->line,
                                              intern_add_span(&symbols->strings, name));
        matching->functions[i] = found;
        symbols->functions[found].is_used = true;
        matching->counts->same_place += found < count;
        matching->counts->only_old += found >= count;
    }
}

static int compare_sources(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return ORDER(a->source, b->source, 0);
}

static int compare_lines(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return ORDER(a->line, b->line, ORDER(a->function, b->function, 0));
}

static int compare_expected(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return ORDER(a->expected, b->expected, ORDER(a->function, b->function, 0));
}

static int compare_names(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return ORDER(a->is_taken, b->is_taken, ORDER(a->name, b->name, compare_lines(left, right)));
}

static int compare_anchors(const void *left, const void *right)
{
    const struct anchor *a = left, *b = right;
    return ORDER(a->old_line, b->old_line, 0);
}

static void sort(struct candidates *candidates, int (*compare)(const void *, const void *))
{
    if (candidates->count > 0)
        qsort(candidates->all, candidates->count, sizeof *candidates->all, compare);
}

static bool agrees(const struct candidate *old, const struct candidate *new)
{
    return old->name == new->name || old->name == NAMELESS || new->name == NAMELESS;
}

static void match(struct file *file, struct candidate *old, struct candidate *new)
{
    struct diff_counts *counts = file->matching->counts;
    old->is_taken = new->is_taken = true;
    file->matching->functions[old->function] = new->function;
    *(!agrees(old, new)        ? &counts->other_name
      : old->line == new->line ? &counts->same_place
                               : &counts->other_line) += 1;
}

/* How many from `from` on have the same name, and are not yet matched. */
static size_t count_same(const struct candidates *candidates, size_t from)
{
    size_t to = from;
    while (to < candidates->count && !candidates->all[to].is_taken &&
           candidates->all[to].name == candidates->all[from].name)
        to++;
    return to - from;
}

/* Calls a function for each name that the file has in both profiles. */
static void for_each_name(struct file *file,
                          void (*act)(struct file *file, struct candidate *olds, size_t old_count,
                                      struct candidate *news, size_t new_count))
{
    sort(&file->olds, compare_names);
    sort(&file->news, compare_names);
    for (size_t i = 0, k = 0; i < file->olds.count && k < file->news.count;) {
        struct candidate *old = &file->olds.all[i];
        struct candidate *new = &file->news.all[k];
        if (old->is_taken || new->is_taken)
            break;
        size_t old_count = count_same(&file->olds, i);
        size_t new_count = count_same(&file->news, k);
        int order = ORDER(old->name, new->name, 0);
        if (order == 0)
            act(file, old, old_count, new, new_count);
        i += order <= 0 ? old_count : 0;
        k += order >= 0 ? new_count : 0;
    }
}

/* A name that occurs once in a file is the same function, at any line. */
static void match_unique(struct file *file, struct candidate *olds, size_t old_count,
                         struct candidate *news, size_t new_count)
{
    if (old_count != 1 || new_count != 1 || olds->name == NAMELESS)
        return;
    match(file, olds, news);
    struct anchor anchor = {olds->line, (int64_t)news->line - olds->line};
    MEM_APPEND(file->anchors, file->anchor_count, file->anchor_capacity, anchor);
}

/*
 * The expected line of each old function: it moved like the nearest one found above it, or else
 * below it.
 */
static void expect_lines(struct file *file)
{
    size_t at = 0, count = file->anchor_count;
    if (count > 0)
        qsort(file->anchors, count, sizeof *file->anchors, compare_anchors);
    sort(&file->olds, compare_lines);
    for (size_t i = 0; i < file->olds.count; i++) {
        struct candidate *old = &file->olds.all[i];
        while (at + 1 < count && file->anchors[at + 1].old_line <= old->line)
            at++;
        old->expected = old->line + (count > 0 ? file->anchors[at].shift : 0);
    }
}

struct wanted_line {
    const struct candidate *candidates;
    int64_t line;
};

static bool is_before(const void *context, size_t at)
{
    const struct wanted_line *wanted = context;
    return wanted->candidates[at].line < wanted->line;
}

/* Returns the first candidate at a line, or NULL; they are in the order of lines. */
static struct candidate *find_line(const struct candidates *news, int64_t line)
{
    struct wanted_line wanted = {news->all, line};
    size_t at = search_first(news->count, is_before, &wanted);
    return at < news->count && news->all[at].line == line ? &news->all[at] : NULL;
}

/* Whether all old functions are where they were. */
static bool is_unmoved(const struct file *file)
{
    for (size_t i = 0; i < file->olds.count; i++) {
        const struct candidate *old = &file->olds.all[i];
        const struct candidate *new = find_line(&file->news, old->line);
        if (new == NULL || !agrees(old, new))
            return false;
    }
    return true;
}

/*
 * Matches functions at their expected lines. At first only if names agree, and only in files
 * where it is known how lines have moved: otherwise a function with a common name can be at
 * the line where another one with that name was.
 */
static void match_places(struct file *file, bool is_first)
{
    sort(&file->olds, compare_expected);
    sort(&file->news, compare_lines);
    if (is_first && file->anchor_count == 0 && !is_unmoved(file))
        return;
    for (size_t i = 0; i < file->olds.count; i++) {
        struct candidate *old = &file->olds.all[i];
        struct candidate *new = find_line(&file->news, old->expected);
        if (new != NULL && !old->is_taken && !new->is_taken && (agrees(old, new) || !is_first))
            match(file, old, new);
    }
}

static int64_t distance(const struct candidate *old, const struct candidate *new)
{
    int64_t lines = old->expected - new->line;
    return lines < 0 ? -lines : lines;
}

/* For nameless functions, the line is nearly the only sign. */
static void match_near(struct file *file, struct candidate *old, struct candidate *new)
{
    enum { NAMELESS_DISTANCE_MAX = 50 };
    if (old->name != NAMELESS || distance(old, new) <= NAMELESS_DISTANCE_MAX)
        match(file, old, new);
}

/*
 * Functions with the same name, in order of lines: each function of the side with fewer is
 * matched to one of the side with more, in the same order, as near as possible to the
 * expected lines. cost[i][k] is the sum of distances for the first i of the few among the
 * first k of the many.
 */
static void match_in_order(struct file *file, struct candidate *olds, size_t old_count,
                           struct candidate *news, size_t new_count)
{
    enum { CELLS_MAX = 1 << 22 };
    bool has_fewer_olds = old_count <= new_count;
    size_t few = has_fewer_olds ? old_count : new_count;
    size_t many = has_fewer_olds ? new_count : old_count;
    if (few == many || many > CELLS_MAX / (few + 1)) {
        for (size_t i = 0; i < few; i++)
            match_near(file, &olds[i], &news[i]);
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
        match_near(file, &olds[(has_fewer_olds ? i : k) - 1], &news[(has_fewer_olds ? k : i) - 1]);
        i--;
    }
    free(cost);
}

/* Returns the part of the candidates from `*from` on with that source, and moves `*from` after it.
 */
static struct candidates take_source(const struct candidates *candidates, size_t *from,
                                     uint32_t source)
{
    size_t to = *from;
    while (to < candidates->count && candidates->all[to].source == source)
        to++;
    struct candidates part = {.all = candidates->all + *from, .count = to - *from};
    *from = to;
    return part;
}

/* The steps of the header, for each source that the old profile has. */
static void match_files(struct matching *matching)
{
    const struct candidates *olds = &matching->olds, *news = &matching->news;
    sort(&matching->olds, compare_sources);
    sort(&matching->news, compare_sources);
    for (size_t i = 0, k = 0; i < olds->count;) {
        uint32_t source = olds->all[i].source;
        while (k < news->count && news->all[k].source < source)
            k++;
        struct file file = {.matching = matching,
                            .olds = take_source(olds, &i, source),
                            .news = take_source(news, &k, source)};
        for_each_name(&file, match_unique);
        expect_lines(&file);
        match_places(&file, true);
        for_each_name(&file, match_in_order);
        match_places(&file, false);
        free(file.anchors);
    }
}

/* Functions that only the old profile has are added to the new one. */
static void add_rest(struct matching *matching, const struct symbols *old_symbols)
{
    for (size_t i = 0; i < matching->olds.count; i++) {
        const struct candidate *old = &matching->olds.all[i];
        if (old->is_taken)
            continue;
        struct span name =
            intern_get(&old_symbols->strings, old_symbols->functions[old->function].name);
        matching->functions[old->function] =
            symbols_append_function(matching->symbols, old->source, old->line,
                                    intern_add_span(&matching->symbols->strings, name));
        matching->counts->only_old++;
    }
}

static bool *used_in_tree(const struct profile *profile)
{
    bool *is_used = mem_zeroed(profile->symbols.function_count, sizeof *is_used);
    for (uint32_t node = 1; node < profile->tree.node_count; node++)
        is_used[profile->tree.calls[node].function] = true;
    return is_used;
}

/* Counts the used functions, [new_count], that are not among the results, [old_count]. */
static uint32_t count_only_new(const bool *is_used, uint32_t new_count, const uint32_t *functions,
                               uint32_t old_count)
{
    uint32_t count = 0;
    bool *is_found = mem_zeroed(new_count, sizeof *is_found);
    for (uint32_t i = 0; i < old_count; i++)
        if (functions[i] < new_count)
            is_found[functions[i]] = true;
    for (uint32_t i = 0; i < new_count; i++)
        count += is_used[i] && !is_found[i];
    free(is_found);
    return count;
}

uint32_t *diff_match_functions(struct profile *new_profile, const struct paths *new_paths,
                               const struct profile *old_profile, const struct paths *old_paths,
                               struct diff_counts *counts)
{
    struct matching matching = {.symbols = &new_profile->symbols, .counts = counts};
    uint32_t old_count = old_profile->symbols.function_count;
    uint32_t new_count = new_profile->symbols.function_count;
    *counts = (struct diff_counts){0};
    matching.functions = mem_zeroed(old_count, sizeof *matching.functions);
    for (uint32_t i = 0; i < old_count; i++)
        matching.functions[i] = UINT32_MAX;
    bool *used_new = used_in_tree(new_profile);
    bool *used_old = used_in_tree(old_profile);

    source_map_init(&matching.sources, &new_profile->symbols, new_paths);
    list_new(&matching, used_new);
    list_old(&matching, old_profile, old_paths, used_old);
    match_files(&matching);
    add_rest(&matching, &old_profile->symbols);
    counts->only_new = count_only_new(used_new, new_count, matching.functions, old_count);

    free(used_new);
    free(used_old);
    source_map_release(&matching.sources);
    free(matching.olds.all);
    free(matching.news.all);
    return matching.functions;
}
