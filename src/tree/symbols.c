#include "tree/symbols.h"

/* Appends the folders of a path and its file in small letters, each with a "/" after it. */
static void put_spelling(struct text *text, struct span path)
{
    SCOPED(text) small = {0};
    text_put_small(&small, path);
    for (size_t i = 0; i < small.length; i++)
        if (small.at[i] == '\\')
            small.at[i] = '/';
    struct span rest = text_span(&small);
    if (rest.length > 0 && rest.at[0] == '/')
        text_put_string(text, "/");
    while (rest.length > 0) {
        struct span part = span_take(&rest, '/');
        if (part.length == 0 || span_is(part, "."))
            continue;
        text_put_span(text, part);
        text_put_string(text, "/");
    }
}

uint32_t symbols_add_source(struct symbols *symbols, struct span source)
{
    if (source.length == 0 || source.at[0] != '@')
        return intern_add_span(&symbols->strings, source);
    uint32_t raw, file;
    bool is_new_raw = intern_is_new(&symbols->raw_paths, source, &raw);
    MEM_GROW(symbols->of_raw_paths, symbols->raw_path_capacity, symbols->raw_paths.count);
    if (!is_new_raw)
        return symbols->of_raw_paths[raw];
    SCOPED(text) spelling = {0};
    put_spelling(&spelling, span_from(source, 1));
    bool is_new = intern_is_new(&symbols->files, text_span(&spelling), &file);
    MEM_GROW(symbols->spellings, symbols->spelling_capacity, symbols->files.count);
    if (is_new)
        symbols->spellings[file] = intern_add_span(&symbols->strings, source);
    return symbols->of_raw_paths[raw] = symbols->spellings[file];
}

static uint32_t append(struct symbols *symbols, struct function function)
{
    MEM_GROW(symbols->functions, symbols->function_capacity, (size_t)symbols->function_count + 1);
    symbols->functions[symbols->function_count] = function;
    return symbols->function_count++;
}

/*
 * Returns the id of a function in the index. If there is none, puts `id` there and returns it.
 */
static uint32_t find_or_put(struct symbols *symbols, uint32_t source, int32_t line, uint32_t name,
                            uint32_t id)
{
    struct index *index = &symbols->function_index;
    index_reserve(index, 1);
    uint64_t place = hash_number((uint64_t)source << 32 | (uint32_t)line, index->seed);
    uint32_t hash = (uint32_t)hash_number(place + (line < 0 ? name : INTERN_NONE), index->seed);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        const struct function *known = &symbols->functions[index->slots[slot].id];
        if (known->source == source && known->line == line && (line >= 0 || known->name == name))
            return index->slots[slot].id;
    }
    index_put(index, slot, hash, id);
    return id;
}

uint32_t symbols_add_function(struct symbols *symbols, uint32_t source, int32_t line, uint32_t name)
{
    uint32_t name_in_key = line < 0 ? name : INTERN_NONE;
    uint32_t id = find_or_put(symbols, source, line, name, symbols->function_count);
    return id < symbols->function_count
               ? id
               : append(symbols,
                        (struct function){.source = source, .name = name_in_key, .line = line});
}

void symbols_index_functions(struct symbols *symbols)
{
    index_release(&symbols->function_index);
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        find_or_put(symbols, function->source, function->line, function->name, i);
    }
}

uint32_t symbols_add_made_up(struct symbols *symbols, const char *source)
{
    uint32_t source_id = intern_add_span(&symbols->strings, span_of(source));
    uint32_t name_id = intern_add_span(&symbols->strings, span_of(""));
    return symbols_add_function(symbols, source_id, -1, name_id);
}

uint32_t symbols_append_function(struct symbols *symbols, uint32_t source, int32_t line,
                                 uint32_t name)
{
    return append(symbols,
                  (struct function){.source = source, .name = name, .line = line, .is_used = true});
}

COMPARES(compare_by_name, struct symbol_name,
         ORDER(a->function, b->function, ORDER(a->name, b->name, 0)))

/* Merges equal entries. */
static void merge_names(struct symbols *symbols)
{
    struct symbol_name *names = symbols->names;
    size_t count = 0;
    if (symbols->name_count > 0)
        qsort(names, symbols->name_count, sizeof *names, compare_by_name);
    for (size_t i = 0; i < symbols->name_count; i++) {
        if (count > 0 && compare_by_name(&names[count - 1], &names[i]) == 0)
            names[count - 1].calls += names[i].calls;
        else
            names[count++] = names[i];
    }
    symbols->name_count = count;
}

void symbols_add_name(struct symbols *symbols, uint32_t function, uint32_t name, uint64_t calls)
{
    if (!symbols_is_lua(symbols, function))
        return;
    if (symbols->name_count == symbols->name_capacity) {
        /* Memory then grows with the number of names, not with how often they occur. */
        merge_names(symbols);
        if (symbols->name_count >= symbols->name_capacity / 2)
            MEM_GROW(symbols->names, symbols->name_capacity, symbols->name_capacity + 1);
    }
    symbols->names[symbols->name_count++] = (struct symbol_name){function, name, calls};
}

void symbols_share_line(struct symbols *symbols, uint32_t function, uint32_t count)
{
    struct function *sharing = &symbols->functions[function];
    if (sharing->line >= 0)
        sharing->sharers = count > sharing->sharers ? count : sharing->sharers;
}

bool symbols_is_no_name(const struct symbols *symbols, uint32_t name)
{
    if (name == INTERN_NONE)
        return true;
    struct span text = intern_get(&symbols->strings, name);
    return text.length == 0 || (text.length == 1 && text.at[0] == '?');
}

/* A name with its text, for sorting. */
struct ranked_name {
    struct symbol_name name;
    struct span text;
    bool is_no_name;
};

static int compare_by_rank(const void *left, const void *right)
{
    const struct ranked_name *a = left, *b = right;
    int more_calls = ORDER(b->name.calls, a->name.calls, span_compare(a->text, b->text));
    return ORDER(
        a->name.function, b->name.function, ORDER(a->is_no_name, b->is_no_name, more_calls));
}

void symbols_name_functions(struct symbols *symbols)
{
    merge_names(symbols);
    SCOPED_ARRAY struct ranked_name *ranked = mem_zeroed(symbols->name_count, sizeof *ranked);
    for (size_t i = 0; i < symbols->name_count; i++) {
        uint32_t name = symbols->names[i].name;
        ranked[i] = (struct ranked_name){symbols->names[i],
                                         intern_get(&symbols->strings, name),
                                         symbols_is_no_name(symbols, name)};
    }
    qsort(ranked, symbols->name_count, sizeof *ranked, compare_by_rank);
    for (size_t i = 0; i < symbols->name_count; i++) {
        symbols->names[i] = ranked[i].name;
        if (i == 0 || ranked[i].name.function != ranked[i - 1].name.function)
            symbols->functions[ranked[i].name.function].name = ranked[i].name.name;
    }
}

bool symbols_is_lua(const struct symbols *symbols, uint32_t function)
{
    return function < symbols->function_count && symbols->functions[function].line >= 0;
}

int32_t symbols_line(const struct symbols *symbols, uint32_t function)
{
    return symbols_is_lua(symbols, function) ? symbols->functions[function].line : 0;
}

static bool has_source(const struct symbols *symbols, uint32_t function, const char *source)
{
    return span_is(intern_get(&symbols->strings, symbols->functions[function].source), source);
}

bool symbols_is_c(const struct symbols *symbols, uint32_t function)
{
    return has_source(symbols, function, "=[C]");
}

bool symbols_iterates(const struct symbols *symbols, uint32_t name)
{
    return name != INTERN_NONE && (span_is(intern_get(&symbols->strings, name), "next") ||
                                   span_is(intern_get(&symbols->strings, name), "ipairs"));
}

bool symbols_is_lost(const struct symbols *symbols, uint32_t function)
{
    return has_source(symbols, function, SYMBOLS_LOST);
}

/* The id of a name: also of one that looks like a path. */
static uint32_t join_name(struct symbols *symbols, const struct symbols *later, uint32_t name)
{
    return name == INTERN_NONE
               ? INTERN_NONE
               : intern_add_span(&symbols->strings, intern_get(&later->strings, name));
}

void symbols_join(struct symbols *symbols, const struct symbols *later, uint32_t *strings,
                  uint32_t *functions)
{
    SCOPED_ARRAY bool *is_file = mem_zeroed(later->strings.count, sizeof *is_file);
    for (uint32_t i = 0; i < later->files.count; i++)
        is_file[later->spellings[i]] = true;
    for (uint32_t i = 0; i < later->strings.count; i++) {
        struct span text = intern_get(&later->strings, i);
        strings[i] = is_file[i] ? symbols_add_source(symbols, text)
                                : intern_add_span(&symbols->strings, text);
    }
    for (uint32_t i = 0; i < later->function_count; i++) {
        const struct function *function = &later->functions[i];
        functions[i] = symbols_add_function(symbols,
                                            strings[function->source],
                                            function->line,
                                            join_name(symbols, later, function->name));
        symbols_share_line(symbols, functions[i], function->sharers);
    }
    for (size_t i = 0; i < later->name_count; i++)
        symbols_add_name(symbols,
                         functions[later->names[i].function],
                         join_name(symbols, later, later->names[i].name),
                         later->names[i].calls);
}

void symbols_release(struct symbols *symbols)
{
    intern_release(&symbols->strings);
    intern_release(&symbols->files);
    intern_release(&symbols->raw_paths);
    MEM_FREE(symbols->of_raw_paths, symbols->spellings, symbols->functions, symbols->names);
    index_release(&symbols->function_index);
    *symbols = (struct symbols){0};
}
