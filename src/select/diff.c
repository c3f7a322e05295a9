#include "select/diff.h"

#include "base/hash_index.h"
#include "base/number.h"
#include "base/sort.h"
#include "tree/line_runs.h"
#include "tree/samples.h"
#include "tree/stacks.h"
#include "tree/sums.h"

#include <math.h>

/* Sources by a text, which several may have: the first one of them. */
struct source_keys {
    struct intern texts;
    uint32_t *sources; /* [texts.count]: string ids in the new profile */
    size_t capacity;
};

struct source_map {
    struct symbols *symbols; /* of the new profile */
    bool *is_source;         /* [string_count]: of a function of the new profile, by string id */
    uint32_t string_count;
    struct source_keys shown;       /* paths as shown, in small letters */
    struct source_keys unversioned; /* the same without the versions of mods' folders */
};

/*
 * Finds the source files of one profile in another.
 *
 * A source is the same where its bytes are the same. Else it is the one that is shown alike,
 * letter case ignored; and for a mod also without the version in the name of its folder:
 *
 *         old source                  found in the new profile
 *         @c:/x/mods/Two/a.lua        @d:/y/mods/two/a.lua
 *         @c:/x/mods/m28ai v104/b.lua @c:/x/mods/M28AI v105/b.lua
 */

static struct span shown_source(const struct paths *paths, uint32_t source)
{
    return intern_get(&paths->texts, paths->shown[source]);
}

static bool is_one_of(char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

/* "mods/m28ai v104/lua/x.lua" becomes "mods/m28ai/lua/x.lua". */
static void drop_version(struct text *small)
{
    size_t start = strlen("mods/");
    if (!span_starts_with(text_span(small), "mods/"))
        return;
    const char *slash = memchr(small->at + start, '/', small->length - start);
    size_t end = slash != NULL ? (size_t)(slash - small->at) : small->length;
    size_t to = end;
    while (to > start && is_one_of(small->at[to - 1], "0123456789."))
        to--;
    if (to == end)
        return;
    if (to > start + 1 && small->at[to - 1] == 'v' && is_one_of(small->at[to - 2], " _.-"))
        to--;
    while (to > start && is_one_of(small->at[to - 1], " _.-"))
        to--;
    memmove(small->at + to, small->at + end, small->length - end);
    text_cut(small, small->length - (end - to));
}

static void learn(struct source_keys *keys, const struct text *text, uint32_t source)
{
    uint32_t id;
    bool is_new = intern_is_new(&keys->texts, text_span(text), &id);
    MEM_GROW(keys->sources, keys->capacity, keys->texts.count);
    if (is_new)
        keys->sources[id] = source;
}

static uint32_t find(const struct source_keys *keys, const struct text *text)
{
    uint32_t id = intern_find(&keys->texts, text_string(text), text->length);
    return id != INTERN_NONE ? keys->sources[id] : INTERN_NONE;
}

/* Learns the sources of the functions in use. The symbols are borrowed. */
static void make_source_map(struct source_map *map, struct symbols *symbols,
                            const struct paths *paths)
{
    SCOPED(text) small = {0};
    *map = (struct source_map){.symbols = symbols, .string_count = symbols->strings.count};
    map->is_source = mem_zeroed(map->string_count, sizeof *map->is_source);
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (!function->is_used)
            continue;
        map->is_source[function->source] = true;
        text_cut(&small, 0);
        text_put_small(&small, shown_source(paths, function->source));
        learn(&map->shown, &small, function->source);
        drop_version(&small);
        learn(&map->unversioned, &small, function->source);
    }
}

/*
 * Returns the source of the new profile, a string id, that is the same as one of the old. Adds a
 * string to the new profile if there is none.
 */
static uint32_t find_source(struct source_map *map, const struct symbols *old_symbols,
                            const struct paths *old_paths, uint32_t source)
{
    SCOPED(text) text = {0};
    struct span bytes = intern_get(&old_symbols->strings, source);
    struct span shown = shown_source(old_paths, source);
    uint32_t found = intern_find(&map->symbols->strings, bytes.at, bytes.length);
    if (found != INTERN_NONE && found < map->string_count && map->is_source[found])
        return found;
    text_put_small(&text, shown);
    found = find(&map->shown, &text);
    if (found == INTERN_NONE) {
        drop_version(&text);
        found = find(&map->unversioned, &text);
    }
    if (found == INTERN_NONE && bytes.length > 0 && bytes.at[0] == '@') {
        /* As it is shown: its directory on the old machine means nothing in the new profile. */
        text_cut(&text, 0);
        text_put_string(&text, "@");
        text_put_span(&text, shown);
        bytes = text_span(&text);
    }
    if (found == INTERN_NONE)
        found = symbols_add_source(map->symbols, bytes);
    return found;
}

static void release_source_map(struct source_map *map)
{
    free(map->is_source);
    intern_release(&map->shown.texts);
    intern_release(&map->unversioned.texts);
    MEM_FREE(map->shown.sources, map->unversioned.sources);
    *map = (struct source_map){0};
}

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

/* The functions of one source in both profiles. */
struct file {
    struct matching *matching;
    struct candidates olds, news; /* parts of those of the matching */
    bool has_moves;               /* of some functions, it is known how many lines they moved */
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
            add_candidate(matching,
                          &matching->news,
                          i,
                          function->source,
                          function->line,
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
        uint32_t source = find_source(&matching->sources, old_symbols, old_paths, function->source);
        if (function->line >= 0) {
            add_candidate(matching, &matching->olds, i, source, function->line, name);
            continue;
        }
        uint32_t count = symbols->function_count;
        uint32_t found = symbols_add_function(
            symbols, source, function->line, intern_add_span(&symbols->strings, name));
        matching->functions[i] = found;
        symbols->functions[found].is_used = true;
        matching->counts->same_place += found < count;
        matching->counts->only_old += found >= count;
    }
}

COMPARES(compare_sources, struct candidate, ORDER(a->source, b->source, 0))

COMPARES(compare_lines, struct candidate,
         ORDER(a->line, b->line, ORDER(a->function, b->function, 0)))

COMPARES(compare_expected, struct candidate,
         ORDER(a->expected, b->expected, ORDER(a->function, b->function, 0)))

COMPARES(compare_names, struct candidate,
         ORDER(a->is_taken, b->is_taken, ORDER(a->name, b->name, compare_lines(left, right))))

static void sort(struct candidates *candidates, int (*compare)(const void *, const void *))
{
    if (candidates->count > 0)
        qsort(candidates->all, candidates->count, sizeof *candidates->all, compare);
}

static bool agrees(const struct candidate *old, const struct candidate *new)
{
    return old->name == new->name || old->name == NAMELESS || new->name == NAMELESS;
}

/* A file's chunk, at line 0, is no function of the file, and does not move. */
static void match(struct file *file, struct candidate *old, struct candidate *new)
{
    struct diff_counts *counts = file->matching->counts;
    if ((old->line == 0) != (new->line == 0))
        return;
    old->is_taken = new->is_taken = true;
    file->matching->functions[old->function] = new->function;
    old->expected = new->line;
    if (!agrees(old, new))
        counts->other_name++;
    else if (old->line == new->line)
        counts->same_place++;
    else
        counts->other_line++;
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
}

/*
 * The expected line of each old function: it moved like the nearest one found above it, or else
 * below it.
 */
static void expect_lines(struct file *file)
{
    struct candidate *olds = file->olds.all;
    size_t found = 0, count = file->olds.count;
    sort(&file->olds, compare_lines);
    while (found < count && !olds[found].is_taken)
        found++;
    file->has_moves = found < count;
    for (size_t i = 0, next = found; i < count; i++) {
        for (; next < count && olds[next].line <= olds[i].line; next++)
            found = olds[next].is_taken ? next : found;
        bool can_move = file->has_moves && olds[i].line > 0;
        if (!olds[i].is_taken)
            olds[i].expected =
                olds[i].line + (can_move ? olds[found].expected - olds[found].line : 0);
    }
}

static int compare_line(const void *line, const void *candidate)
{
    return ORDER(*(const int64_t *)line, ((const struct candidate *)candidate)->line, 0);
}

/* Returns the first candidate at a line, or NULL; they are in the order of lines. */
static struct candidate *find_line(const struct candidates *news, int64_t line)
{
    size_t at = search_first(&line, news->all, news->count, sizeof *news->all, compare_line);
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
    if (is_first && !file->has_moves && !is_unmoved(file))
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
    return llabs(old->expected - new->line);
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
    SCOPED_ARRAY int64_t *cost = mem_zeroed((few + 1) * width, sizeof *cost);
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
            symbols_append_function(matching->symbols,
                                    old->source,
                                    old->line,
                                    intern_add_span(&matching->symbols->strings, name));
        matching->counts->only_old++;
    }
}

static bool *used_functions(const struct diff_side *side)
{
    const struct profile *profile = side->profile;
    bool *is_used = mem_zeroed(profile->symbols.function_count, sizeof *is_used);
    for (uint32_t node = 1; node < profile->tree.node_count; node++)
        is_used[profile->tree.calls[node].function] = true;
    const struct watches *watches = &profile->recordings.watches;
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *threads = &watches->threads[i];
        for (size_t k = 0; k < threads->count && profile_takes_watch(profile, threads->recording);
             k++)
            if (watches->sums[threads->from + k].function >= 0)
                is_used[watches->sums[threads->from + k].function] = true;
    }
    for (size_t i = 0; i < side->logs->count; i++)
        for (size_t k = 0; k < side->logs->logs[i].watch.thread_count; k++)
            is_used[side->logs->logs[i].watch.threads[k].function] = true;
    return is_used;
}

/* Counts the used functions, [new_count], that are not among the results, [old_count]. */
static uint32_t count_only_new(const bool *is_used, uint32_t new_count, const uint32_t *functions,
                               uint32_t old_count)
{
    uint32_t count = 0;
    SCOPED_ARRAY bool *is_found = mem_zeroed(new_count, sizeof *is_found);
    for (uint32_t i = 0; i < old_count; i++)
        if (functions[i] < new_count)
            is_found[functions[i]] = true;
    for (uint32_t i = 0; i < new_count; i++)
        count += is_used[i] && !is_found[i];
    return count;
}

uint32_t *diff_match_functions(const struct diff_side *now, const struct diff_side *old,
                               struct diff_counts *counts)
{
    struct symbols *symbols = &now->profile->symbols;
    const struct symbols *old_symbols = &old->profile->symbols;
    struct matching matching = {.symbols = symbols, .counts = counts};
    uint32_t old_count = old_symbols->function_count, new_count = symbols->function_count;
    *counts = (struct diff_counts){0};
    matching.functions = mem_zeroed(old_count, sizeof *matching.functions);
    for (uint32_t i = 0; i < old_count; i++)
        matching.functions[i] = UINT32_MAX;
    SCOPED_ARRAY bool *used_new = used_functions(now);
    SCOPED_ARRAY bool *used_old = used_functions(old);

    make_source_map(&matching.sources, symbols, now->paths);
    list_new(&matching, used_new);
    list_old(&matching, old->profile, old->paths, used_old);
    match_files(&matching);
    add_rest(&matching, old_symbols);
    counts->only_new = count_only_new(used_new, new_count, matching.functions, old_count);

    release_source_map(&matching.sources);
    MEM_FREE(matching.olds.all, matching.news.all);
    return matching.functions;
}

/* Whether no two functions of the old profile are the same one of the new profile. */
static bool are_distinct(const uint32_t *functions, uint32_t count, uint32_t new_count)
{
    SCOPED_ARRAY bool *is_taken = mem_zeroed(new_count, sizeof *is_taken);
    bool are_distinct = true;
    for (uint32_t i = 0; i < count; i++)
        if (functions[i] != UINT32_MAX) {
            are_distinct &= !is_taken[functions[i]];
            is_taken[functions[i]] = true;
        }
    return are_distinct;
}

/*
 * Makes the calls of the old tree calls of functions of the new profile. Returns whether all lines
 * could move with their functions: else, some may be the same now.
 */
static bool move_calls(struct tree *old_tree, const uint32_t *functions,
                       const struct symbols *new_symbols, const struct symbols *old_symbols)
{
    bool are_moved = true;
    /* Callers after what they call. */
    for (uint32_t node = old_tree->node_count; --node > TREE_ROOT;) {
        struct call *call = &old_tree->calls[node];
        uint32_t caller = old_tree->calls[call->parent].function;
        int64_t shift = 0;
        if (call->parent != TREE_ROOT && old_symbols->functions[caller].line >= 0)
            shift = (int64_t)new_symbols->functions[functions[caller]].line -
                    old_symbols->functions[caller].line;
        int32_t line = line_moved(call->line, shift);
        are_moved &= shift == 0 || line != call->line || !line_is_known(line);
        call->line = line;
        call->function = functions[call->function];
    }
    return are_moved;
}

/* The lines of a function move with its definition. */
static void copy_lines(struct tree_builder *copy, uint32_t to, struct node_values values,
                       int64_t shift, double time_factor, double call_factor)
{
    for (size_t i = 0; i < values.line_count; i++) {
        struct line_run run = values.lines[i];
        run.node = to;
        run.line = run.line > 0 ? line_moved(run.line, shift) : run.line;
        run.runs = number_scaled_count(run.runs, call_factor);
        run.self_ns = number_scaled(run.self_ns, time_factor);
        line_runs_add(&copy->tree.lines, run);
    }
}

static void copy_scaled(struct tree_builder *copy, uint32_t to, struct node_values values,
                        double time_factor, double call_factor, struct scaled_rests *rests)
{
    struct call_details details = call_details_none();
    struct subsamples samples;
    uint64_t calls = values.calls;
    values.calls = number_scaled_part(calls, call_factor, &rests->calls);
    values.flags |= calls > 0 && values.calls == 0 ? NODE_CALLED : 0;
    values.self_ns = number_scaled(values.self_ns, time_factor);
    if (values.details != NULL) {
        details = *values.details;
        details.errors = number_scaled_part(details.errors, call_factor, &rests->errors);
        details.memory_kb = number_scaled_part(details.memory_kb, call_factor, &rests->memory_kb);
        call_details_scale_times(&details, time_factor);
        values.details = &details;
    }
    if (values.samples != NULL) {
        samples = subsamples_scaled(values.samples, time_factor);
        values.samples = &samples;
    }
    tree_builder_add(copy, to, values);
}

uint32_t *diff_add_nodes(struct tree_builder *builder, struct tree *new_tree, struct tree *old_tree,
                         const uint32_t *functions, const struct symbols *new_symbols,
                         const struct symbols *old_symbols)
{
    bool differ = move_calls(old_tree, functions, new_symbols, old_symbols) &&
                  are_distinct(functions, old_symbols->function_count, new_symbols->function_count);
    tree_builder_extend(builder, new_tree);
    return tree_builder_add_calls(
        builder, old_tree->calls, old_tree->node_count, differ ? old_tree->outermost : NULL);
}

uint32_t *align_trees(struct tree_builder *builder, struct tree *new_tree, struct tree *old_tree,
                      const uint32_t *functions, const struct symbols *new_symbols,
                      const struct symbols *old_symbols, double time_factor, double call_factor)
{
    struct tree_builder copy;
    SCOPED_ARRAY uint32_t *old_functions = mem_zeroed(old_tree->node_count, sizeof *old_functions);
    for (uint32_t node = 1; node < old_tree->node_count; node++)
        old_functions[node] = old_tree->calls[node].function;
    uint32_t *target =
        diff_add_nodes(builder, new_tree, old_tree, functions, new_symbols, old_symbols);
    tree_builder_finish(builder, new_tree);
    tree_builder_init_alike(&copy, new_tree, old_tree->details != NULL);
    SCOPED_ARRAY struct scaled_rests *rests =
        mem_zeroed(new_symbols->function_count, sizeof *rests);
    for (uint32_t node = 1; node < old_tree->node_count; node++) {
        uint32_t function = functions[old_functions[node]];
        struct node_values values = tree_values(old_tree, node);
        int64_t shift = (int64_t)new_symbols->functions[function].line -
                        old_symbols->functions[old_functions[node]].line;
        copy_lines(&copy, target[node], values, shift, time_factor, call_factor);
        values.line_count = 0;
        copy_scaled(&copy, target[node], values, time_factor, call_factor, &rests[function]);
    }
    tree_builder_replace(&copy, old_tree);
    return target;
}

/* `now` and `old`, [count], are sums of functions. Of two in the middle, the one nearer to 1. */
static double find_pace(const struct sum *now, const struct sum *old, uint32_t count,
                        int64_t new_ns, int64_t old_ns)
{
    enum { PARTS = 100, FUNCTIONS_MIN = 5 };
    SCOPED_ARRAY double *logs = mem_zeroed(count, sizeof *logs); /* of their ratios */
    size_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (now[i].calls > 0 && old[i].calls > 0 && now[i].self_ns > new_ns / PARTS &&
            old[i].self_ns > old_ns / PARTS)
            logs[found++] = log((double)now[i].self_ns / (double)now[i].calls *
                                (double)old[i].calls / (double)old[i].self_ns);
    if (found < FUNCTIONS_MIN || new_ns <= 0 || old_ns <= 0)
        return 0;
    number_sort(logs, found);
    double lower = logs[(found - 1) / 2], upper = logs[found / 2];
    return exp(lower > 0 ? lower : upper < 0 ? upper : 0);
}

/* Returns what the pace can have made of a function's time, as a part of the old one: nothing where
 * it does not run any more. */
static double part_of_pace(double pace, const struct sum *now, const struct sum *old)
{
    /* What the errors of both have in common leaves at least so much of the larger one: see
       call_details_difference_ns(). */
    const double LEFT = sqrt(0.75);
    double part =
        pace > 1 ? (1 - 1 / pace) * (double)now->self_ns / fmax((double)old->self_ns, 1) : 1 - pace;
    return now->calls == 0 && now->self_ns == 0 ? 0 : fmax(part, 0) / LEFT;
}

double diff_add_pace(const struct tree *new_tree, struct tree *old_tree, uint32_t function_count)
{
    if (new_tree->details == NULL || old_tree->details == NULL || new_tree->samples != NULL ||
        old_tree->samples != NULL)
        return 0;
    SCOPED_ARRAY struct sum *now = sums_of_functions(new_tree, function_count),
                            *old = sums_of_functions(old_tree, function_count);
    double pace = find_pace(
        now, old, function_count, new_tree->total_ns[TREE_ROOT], old_tree->total_ns[TREE_ROOT]);
    for (uint32_t node = 1; pace > 0 && node < old_tree->node_count; node++) {
        struct call_details *details = &old_tree->details[node];
        uint32_t function = old_tree->calls[node].function;
        double error_ns = part_of_pace(pace, &now[function], &old[function]) *
                          fmax((double)old_tree->self_ns[node], 0) / 2;
        details->cost_error_ns = hypot(details->cost_error_ns, error_ns);
        details->common_error_ns = hypot(details->common_error_ns, error_ns);
    }
    return pace;
}
