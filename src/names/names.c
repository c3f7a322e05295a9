#include "names/names.h"

#include "base/mem.h"
#include "names/call_lines.h"
#include "names/definitions.h"
#include "names/functions_by_source.h"
#include "names/read_definitions.h"
#include "names/roots.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    struct symbols *symbols;
    const struct names_request *request;
    struct names_counts *counts;
    struct roots roots;
    struct call_lines *call_lines; /* [function_count] */
    uint32_t *functions; /* [function_count] ids of used Lua functions, by source and line */
    size_t function_count;
};

/* The functions of one source. */
struct group {
    const uint32_t *functions; /* [count] ids */
    size_t count;
    uint32_t source; /* string id */
};

static void name_function(struct finder *finder, struct function *function, struct span name)
{
    function->name = intern_add(&finder->symbols->strings, name.at, name.length);
    finder->counts->named++;
}

/* Whether one of the definitions has this name, a text id. */
static bool is_called(const struct definition *definitions, size_t count, uint32_t name)
{
    for (size_t i = 0; i < count; i++)
        if (definitions[i].simple == name)
            return true;
    return false;
}

/* Returns which texts are the own name of some definition; the caller frees it. */
static bool *find_simple_names(const struct definitions *definitions)
{
    bool *is_simple = mem_zeroed(definitions->texts.count, sizeof *is_simple);
    for (size_t i = 0; i < definitions->count; i++)
        if (definitions->all[i].simple != INTERN_NONE)
            is_simple[definitions->all[i].simple] = true;
    return is_simple;
}

/* The rules of the header. Fails with the first difference. */
static bool fits(const struct finder *finder, const struct group *group,
                 const struct definitions *definitions, struct error *err)
{
    const struct symbols *symbols = finder->symbols;
    if (definitions->error_line != 0)
        return error_set(err, "line %d is no Lua", (int)definitions->error_line);
    bool *is_simple = find_simple_names(definitions);
    size_t agreed = 0, moved = 0, checked = 0;
    int32_t line = 0;
    const char *what = NULL;
    for (; checked < group->count && what == NULL; checked++) {
        uint32_t id = group->functions[checked];
        const struct function *function = &symbols->functions[id];
        line = function->line;
        if (line == 0 || line > definitions->line_count)
            continue;
        what = call_lines_problem(definitions, line, finder->call_lines[id]);
        if (what != NULL || symbols_is_no_name(symbols, function->name))
            continue;
        struct span name = intern_get(&symbols->strings, function->name);
        uint32_t text = intern_find(&definitions->texts, name.at, name.length);
        size_t count;
        const struct definition *at = definitions_at(definitions, line, &count);
        bool is_own = text != INTERN_NONE && is_called(at, count, text);
        agreed += is_own;
        moved += text != INTERN_NONE && is_simple[text] && !is_own;
    }
    free(is_simple);
    if (what != NULL)
        return error_set(
            err, "it is another version than the log's, which has a function at line %d; %s",
            (int)line, what);
    return moved <= agreed ||
           error_set(err,
                     "it is another version than the log's, which has its names at other lines");
}

/* Names the functions of a source that agrees with the log. */
static void name_group(struct finder *finder, const struct group *group,
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

static bool find_file(struct finder *finder, uint32_t source, struct text *file)
{
    const struct paths *paths = finder->request->paths;
    struct text full = {0};
    struct span text = intern_get(&finder->symbols->strings, source);
    paths_put(&full, (struct span){text.at + 1, text.length - 1});
    bool is_found = roots_find(&finder->roots, intern_get(&paths->texts, paths->shown[source]),
                               text_span(&full), file);
    text_release(&full);
    return is_found;
}

static void tell(const struct finder *finder, const struct text *file, const char *what)
{
    struct error message;
    if (finder->request->on_problem == NULL)
        return;
    if (file != NULL)
        error_set(&message, "--lua-root: '%s' gives no names: %s", file->at, what);
    else
        error_set(&message, "--lua-root: %s", what);
    finder->request->on_problem(finder->request->context, message.text);
}

static void read_file(struct finder *finder, const struct group *group)
{
    struct text file = {0}, contents = {0};
    struct error err;
    if (!find_file(finder, group->source, &file)) {
        finder->counts->missing++;
    } else if (!roots_read(file.at, &contents, &err)) {
        finder->counts->unreadable++;
        tell(finder, NULL, err.text);
    } else {
        struct definitions definitions;
        definitions_read(&definitions, text_span(&contents));
        bool is_fit = fits(finder, group, &definitions, &err);
        finder->counts->files += is_fit;
        finder->counts->unfit += !is_fit;
        if (is_fit)
            name_group(finder, group, &definitions);
        else
            tell(finder, &file, err.text);
        definitions_release(&definitions);
    }
    text_release(&file);
    text_release(&contents);
}

/* A chunk loaded from a string, whose source is its text. */
static void read_chunk(struct finder *finder, const struct group *group)
{
    struct definitions definitions;
    struct error err;
    definitions_read(&definitions, intern_get(&finder->symbols->strings, group->source));
    if (fits(finder, group, &definitions, &err))
        name_group(finder, group, &definitions);
    definitions_release(&definitions);
}

static void read_group(struct finder *finder, const struct group *group)
{
    bool needs_source = false;
    for (size_t i = 0; i < group->count; i++) {
        struct function *function = &finder->symbols->functions[group->functions[i]];
        if (!symbols_is_no_name(finder->symbols, function->name))
            continue;
        finder->counts->nameless++;
        if (function->line == 0)
            name_function(finder, function, (struct span){"main chunk", 10});
        else
            needs_source = true;
    }
    struct span source = intern_get(&finder->symbols->strings, group->source);
    if (!needs_source || source.length == 0 || source.at[0] == '=')
        return;
    if (source.at[0] == '@')
        read_file(finder, group);
    else
        read_chunk(finder, group);
}

static void read_groups(struct finder *finder)
{
    const struct symbols *symbols = finder->symbols;
    for (size_t i = 0; i < finder->function_count;) {
        struct group group = {finder->functions + i, 0,
                              symbols->functions[finder->functions[i]].source};
        for (; i < finder->function_count; i++, group.count++)
            if (symbols->functions[finder->functions[i]].source != group.source)
                break;
        read_group(finder, &group);
    }
}

bool names_find(struct symbols *symbols, const struct names_request *request,
                struct names_counts *counts, struct error *err)
{
    struct finder finder = {.symbols = symbols, .request = request, .counts = counts};
    *counts = (struct names_counts){0};
    bool is_open = roots_init(&finder.roots, request->directories, request->directory_count, err);
    if (is_open) {
        finder.call_lines = call_lines_find(request->tree, symbols->function_count);
        finder.functions = functions_by_source(symbols, &finder.function_count);
        read_groups(&finder);
    }
    counts->unreadable_directories = finder.roots.unreadable_count;
    if (is_open && finder.roots.unreadable_count > 0)
        tell(&finder, NULL, finder.roots.unreadable.text);
    roots_release(&finder.roots);
    free(finder.call_lines);
    free(finder.functions);
    return is_open;
}
