#include "cli/logs/parts.h"

#include "names/names.h"
#include "report/sentences/amounts.h"

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
    if (counts->nameless == 0) {
        console_say(console, "--lua-root: no function lacks a name");
        return;
    }
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

bool naming_complete(struct profile *profile, struct hooked_functions *hooked,
                     struct source_files *files, const struct options *options, bool is_old,
                     struct console *console, struct error *err)
{
    const struct name_list *lua_roots = &options->reading.lua_roots;
    struct names_counts counts;
    struct paths paths;
    bool is_done = true;
    const struct source_request request = {
        .directories = lua_roots->all,
        .directory_count = lua_roots->count,
        .begins_with_last = is_old,
        .paths = &paths,
        .tree = &profile->tree,
        .on_problem = console_problem,
        .context = console,
        .keeps_texts = options_format_with(options, USES_SOURCES) != NULL,
    };
    /* The functions of hooks go to their mods. */
    if (profile->hooks.batches.count > 0) {
        paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
        is_done = hooked_functions_move(hooked, &profile->symbols, &profile->hooks, &request, err);
        paths_release(&paths);
        if (is_done)
            profile_shift_lines(profile, hooked);
    }
    if (!is_done || lua_roots->count == 0)
        return is_done;
    paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
    is_done = names_find(&profile->symbols, &request, files, &counts, err);
    paths_release(&paths);
    if (is_done)
        say_found(console, &counts);
    return is_done;
}
