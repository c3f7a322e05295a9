#include "names/names.h"

struct sorted {
    uint32_t source, function;
    bool is_used;
    int32_t line;
};

COMPARES(compare_sorted, struct sorted,
         ORDER(a->source, b->source, ORDER(b->is_used, a->is_used, ORDER(a->line, b->line, 0))))

void functions_by_source(const struct symbols *symbols,
                         void (*act)(void *context, const struct source_group *group),
                         void *context)
{
    SCOPED_ARRAY struct sorted *sorted = mem_zeroed(symbols->function_count, sizeof *sorted);
    SCOPED_ARRAY uint32_t *functions = mem_zeroed(symbols->function_count, sizeof *functions);
    size_t count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (symbols_is_lua(symbols, i))
            sorted[count++] =
                (struct sorted){function->source, i, function->is_used, function->line};
    }
    qsort(sorted, count, sizeof *sorted, compare_sorted);
    for (size_t from = 0, to = 0; from < count; from = to) {
        size_t used = 0;
        for (; to < count && sorted[to].source == sorted[from].source; to++) {
            functions[to] = sorted[to].function;
            used += sorted[to].is_used;
        }
        if (used > 0)
            act(context,
                &(struct source_group){sorted[from].source, functions + from, used, to - from});
    }
}

struct name_finder {
    struct symbols *symbols;
    struct names_counts *counts;
    struct source_files *files;
};

static void name_function(struct name_finder *finder, struct function *function, struct span name)
{
    function->name = intern_add_span(&finder->symbols->strings, name);
    finder->counts->named++;
}

/* Whether a function has the own name of some definition; and of one at its line. */
static bool has_known_name(const struct symbols *symbols, uint32_t id,
                           const struct definitions *definitions, bool *is_own)
{
    size_t count;
    const struct function *function = &symbols->functions[id];
    *is_own = false;
    if (function->name == INTERN_NONE)
        return false;
    struct span text = intern_get(&symbols->strings, function->name);
    uint32_t name = intern_find(&definitions->simple_names, text.at, text.length);
    const struct definition *at = definitions_at(definitions, function->line, &count);
    for (size_t i = 0; i < count && name != INTERN_NONE && !*is_own; i++)
        *is_own = at[i].simple == name;
    return name != INTERN_NONE;
}

/* The rules of the header. Fails with the first difference. */
static bool fits(const struct name_finder *finder, const struct source_group *group,
                 const struct definitions *definitions, struct error *err)
{
    const struct symbols *symbols = finder->symbols;
    if (definitions->error_line != 0)
        return error_set(err, "line %d is not valid Lua", (int)definitions->error_line);
    size_t agreed = 0, moved = 0, checked = 0;
    int32_t line = 0;
    const char *what = NULL;
    bool is_own;
    for (; checked < group->count && what == NULL; checked++) {
        uint32_t id = group->functions[checked];
        const struct function *function = &symbols->functions[id];
        line = function->line;
        if (line == 0 || line > definitions->line_count)
            continue;
        what = call_lines_problem(definitions, line, finder->files->call_lines[id]);
        if (what != NULL || symbols_is_no_name(symbols, function->name))
            continue;
        moved += has_known_name(symbols, id, definitions, &is_own) && !is_own;
        agreed += is_own;
    }
    /*
     * Functions that are not used may be of runs with another version: only their agreement counts.
     */
    for (size_t i = group->count; i < group->all_count; i++) {
        has_known_name(symbols, group->functions[i], definitions, &is_own);
        agreed += is_own;
    }
    if (what != NULL)
        return error_set(err,
                         "it is not the version of the log, which has a function at line %d; %s",
                         (int)line,
                         what);
    return moved <= agreed ||
           error_set(err, "it is not the version of the log, which has its names at other lines");
}

/* Names the functions of a source that agrees with the log. */
static void name_group(struct name_finder *finder, const struct source_group *group,
                       const struct definitions *definitions)
{
    for (size_t i = 0; i < group->count; i++) {
        struct function *function = &finder->symbols->functions[group->functions[i]];
        if (function->line == 0 || !symbols_is_no_name(finder->symbols, function->name))
            continue;
        size_t count;
        const struct definition *at = definitions_at(definitions, function->line, &count);
        size_t same = 0;
        while (same < count && at[same].name == at[0].name)
            same++;
        if (count > 0 && same == count)
            name_function(finder, function, intern_get(&definitions->texts, at[0].name));
    }
}

/* Remembers the file of a source, or why it has none, if texts are kept. */
static void keep(struct name_finder *finder, uint32_t source, const struct source_file *file,
                 const char *problem)
{
    struct source_files *files = finder->files;
    if (files->found_count == 0)
        return;
    struct found_source *found = &files->found[source];
    found->file = problem == NULL ? file : NULL;
    found->is_owned = found->file != NULL && file->path == NULL;
    if (problem != NULL)
        found->problem = mem_copy(problem, strlen(problem));
}

/* Without `counts`, the file is only kept. */
static void read_file(struct name_finder *finder, const struct source_group *group,
                      struct names_counts *counts)
{
    const struct paths *paths = finder->files->request->paths;
    struct span source = intern_get(&finder->symbols->strings, group->source);
    SCOPED(text) full = {0};
    struct error err;
    bool is_new;
    paths_put(&full, span_from(source, 1));
    const struct source_file *file =
        source_files_find(finder->files,
                          intern_get(&paths->texts, paths->shown[group->source]),
                          text_span(&full),
                          &is_new);
    bool is_read = file != NULL && file->problem == NULL;
    bool is_good = is_read && fits(finder, group, &file->definitions, &err);
    const char *problem = file == NULL ? finder->files->problem.text
                          : !is_read   ? file->problem
                                       : err.text;
    keep(finder, group->source, file, is_good || problem[0] == '\0' ? NULL : problem);
    if (counts == NULL)
        return;
    bool is_missing = file == NULL && finder->files->path.length == 0;
    if (is_missing && counts->missing++ == 0)
        counts->missing_source = group->source;
    counts->unreadable += file != NULL && !is_read;
    counts->unfit += is_read && !is_good;
    counts->files += is_good;
    if (is_good)
        name_group(finder, group, &file->definitions);
    else if (is_read)
        source_files_tell(finder->files, "'%s' gives no names: %s", file->path, err.text);
    else if (problem[0] != '\0')
        source_files_tell(finder->files, "%s", problem);
}

/* A chunk loaded from a string, whose source is its text. */
static void read_chunk(struct name_finder *finder, const struct source_group *group)
{
    struct span text = intern_get(&finder->symbols->strings, group->source);
    bool is_kept = finder->files->found_count > 0;
    struct source_file *file = source_file_of_chunk(text, is_kept);
    struct error err;
    bool is_good = fits(finder, group, &file->definitions, &err);
    if (is_good)
        name_group(finder, group, &file->definitions);
    keep(finder, group->source, file, is_good ? NULL : err.text);
    if (!is_kept || !is_good)
        source_file_release(file);
}

static void read_group(void *context, const struct source_group *group)
{
    struct name_finder *finder = context;
    bool needs_source = false;
    for (size_t i = 0; i < group->count; i++) {
        struct function *function = &finder->symbols->functions[group->functions[i]];
        if (!symbols_is_no_name(finder->symbols, function->name))
            continue;
        finder->counts->nameless++;
        if (function->line == 0)
            name_function(finder, function, span_of("main chunk"));
        else
            needs_source = true;
    }
    struct span source = intern_get(&finder->symbols->strings, group->source);
    if ((!needs_source && finder->files->found_count == 0) || source.length == 0 ||
        source.at[0] == '=')
        return;
    if (source.at[0] == '@')
        read_file(finder, group, needs_source ? finder->counts : NULL);
    else
        read_chunk(finder, group);
}

bool names_find(struct symbols *symbols, const struct source_request *request,
                struct source_files *files, struct names_counts *counts, struct error *err)
{
    struct name_finder finder = {.symbols = symbols, .counts = counts, .files = files};
    const struct roots *roots = &files->roots;
    *counts = (struct names_counts){0};
    bool is_open = source_files_init(files, request, symbols->function_count, err);
    if (is_open && request->keeps_texts) {
        files->found_count = symbols->strings.count;
        files->found = mem_zeroed(files->found_count, sizeof *files->found);
    }
    if (is_open)
        functions_by_source(symbols, read_group, &finder);
    counts->unreadable_directories = roots->unreadable_count;
    if (is_open && roots->unreadable_count > 0)
        source_files_tell(files, "%s", roots->unreadable.text);
    return is_open;
}
