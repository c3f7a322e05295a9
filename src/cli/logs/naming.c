#include "cli/logs/naming.h"

#include "base/mem.h"
#include "names/labels.h"
#include "names/names.h"
#include "report/sentences/amounts.h"

enum { OTHER_FUNCTIONS_MAX = 20, OTHER_NAMES_MAX = 5 };

/* A function with several names. */
struct several {
    struct span path;
    int32_t line;
    size_t first, count; /* in symbols->names */
};

static int compare_several(const void *left, const void *right)
{
    const struct several *a = left, *b = right;
    int order = span_compare(a->path, b->path);
    if (order == 0)
        order = a->line < b->line ? -1 : a->line > b->line;
    return order != 0 ? order : a->first < b->first ? -1 : 1;
}

/* Returns the used functions with several names, [*count], by place; the caller frees them. */
static struct several *find_several(const struct symbols *symbols, const struct paths *paths,
                                    size_t *count)
{
    struct several *all = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0, next; i < symbols->name_count; i = next) {
        uint32_t id = symbols->names[i].function;
        const struct function *function = &symbols->functions[id];
        size_t named = 0;
        for (next = i; next < symbols->name_count && symbols->names[next].function == id; next++)
            named += !symbols_is_no_name(symbols, symbols->names[next].name);
        if (!function->is_used || named < 2)
            continue;
        struct several several = {intern_get(&paths->texts, paths->shown[function->source]),
                                  function->line, i, named};
        MEM_APPEND(all, *count, capacity, several);
    }
    if (*count > 0)
        qsort(all, *count, sizeof *all, compare_several);
    return all;
}

static void say_several(struct console *console, const struct symbols *symbols,
                        const struct several *several)
{
    struct text text = {0};
    text_put_span(&text, several->path);
    text_printf(&text, ":%d is called ", (int)several->line);
    for (size_t i = 0; i < several->count && i < OTHER_NAMES_MAX; i++) {
        const struct symbol_name *name = &symbols->names[several->first + i];
        text_put_string(&text, i > 0 ? ", " : "");
        text_put_clean(&text, intern_get(&symbols->strings, name->name), false);
        text_printf(&text, " (%s)", amount_things(name->calls, "call", "calls").at);
    }
    if (several->count > OTHER_NAMES_MAX)
        text_printf(&text, " and %zu more", several->count - OTHER_NAMES_MAX);
    console_say_text(console, NULL, &text);
}

/* Lists other names that the log has for functions. */
static void say_other_names(struct console *console, const struct symbols *symbols,
                            const struct paths *paths)
{
    size_t count;
    struct several *all = find_several(symbols, paths, &count);
    for (size_t i = 0; i < count && i < OTHER_FUNCTIONS_MAX; i++)
        say_several(console, symbols, &all[i]);
    if (count > OTHER_FUNCTIONS_MAX)
        console_say(console, "%s several names",
                    amount_things(count - OTHER_FUNCTIONS_MAX, "more has", "more have").at);
    free(all);
}

/* Appends "; 1 file WHAT" or "; 2 files WHAT"; nothing for 0 files. */
static void put_files(struct text *text, uint32_t count, const char *what)
{
    if (count > 0)
        text_printf(text, "; %s %s", amount_things(count, "file", "files").at, what);
}

/* Says what --lua-root has found; without --verbose only if something is wrong. */
static void say_found(struct console *console, const struct names_counts *counts)
{
    uint32_t useless = counts->unfit + counts->unreadable + counts->unreadable_directories;
    struct text text = {0};
    bool is_wrong = useless > 0 || (counts->files == 0 && counts->missing > 0);
    if (console->is_quiet || (!console->is_verbose && !is_wrong))
        return;
    if (counts->files + useless == 0) {
        text_printf(&text,
                    "--lua-root: none of the sources of the log is there (%s); choose the folder "
                    "that has 'lua' in it, and unpack .scd archives",
                    amount_things(counts->missing, "file", "files").at);
        console_say_text(console, "sources", &text);
        return;
    }
    text_printf(&text, "--lua-root: named %s of %s from %s", amount_count(counts->named).at,
                amount_things(counts->nameless, "nameless function", "nameless functions").at,
                amount_things(counts->files, "file", "files").at);
    put_files(&text, counts->missing, "not there");
    put_files(&text, counts->unfit, "of another version than the log");
    put_files(&text, counts->unreadable, "not readable");
    if (counts->unreadable_directories > 0)
        text_printf(&text, "; %s not readable",
                    amount_things(counts->unreadable_directories, "directory", "directories").at);
    if (useless > 0 && !console->is_verbose && !console->shows_codes)
        text_put_string(&text, " (--verbose lists them)");
    console_say_text(console, counts->unfit > 0 ? "sources-of-another-version" : "sources", &text);
}

/* Names functions from the sources. */
static bool find_names(struct profile *profile, const struct source_request *request,
                       struct source_files *files, struct console *console, struct error *err)
{
    struct names_counts counts;
    if (!names_find(&profile->symbols, request, files, &counts, err))
        return false;
    say_found(console, &counts);
    return true;
}

/* Gives the functions of hooks to their mods. */
static bool move_hooked_functions(struct profile *profile, struct hooked_functions *hooked,
                                  const struct source_request *request, struct error *err)
{
    if (!hooked_functions_move(hooked, &profile->symbols, &profile->hooks, request, err))
        return false;
    profile_shift_lines(profile, hooked);
    return true;
}

bool naming_complete(struct profile *profile, struct hooked_functions *hooked,
                     struct source_files *files, const struct options *options,
                     struct console *console, struct error *err)
{
    const struct name_list *lua_roots = &options->reading.lua_roots;
    struct paths paths;
    bool is_done = true;
    const struct source_request request = {
        .directories = lua_roots->all,
        .directory_count = lua_roots->count,
        .paths = &paths,
        .tree = &profile->tree,
        .on_problem = console_problem,
        .context = console,
        .keeps_texts = options_format_with(options, USES_SOURCES) != NULL,
    };
    if (profile->hooks.batches.count > 0) {
        paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
        is_done = move_hooked_functions(profile, hooked, &request, err);
        paths_release(&paths);
    }
    bool lists_names = console->is_verbose && !console->is_quiet;
    if (!is_done || (!lists_names && lua_roots->count == 0))
        return is_done;
    paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
    if (lists_names)
        say_other_names(console, &profile->symbols, &paths);
    if (lua_roots->count > 0)
        is_done = find_names(profile, &request, files, console, err);
    paths_release(&paths);
    return is_done;
}
