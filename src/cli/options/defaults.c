#include "cli/options/command_line.h"

#include "base/input.h"
#include "cli/options/option_rows.h"
#include "platform/process.h"

/* The source of options. */
struct config_file {
    struct options *options;
    const bool *is_given;
    const char *path;
    bool is_own;           /* the user's, not one that was found in a folder */
    struct line_file file; /* its number is 0 for a variable of the environment */
};

/* Sets the error for a line. */
static bool refuse(const struct config_file *source, const char *what, struct error *err)
{
    return error_set(err, "%s:%llu: %s; --no-config ignores this file", source->path,
                     (unsigned long long)source->file.number, what);
}

static bool set(const struct config_file *source, const struct option_row *row, struct span value,
                struct error *err)
{
    struct options *options = source->options;
    struct text name = {0};
    struct error why;
    struct given_option given = {options, row, arena_copy(&options->names, value.at, value.length)};
    text_put_string(&name, source->path);
    if (source->file.number > 0)
        text_printf(&name, ":%llu", (unsigned long long)source->file.number);
    text_printf(&name, ": %s%s%s", row->flag, value.length > 0 ? "=" : "", given.value);
    name_list_add(&options->defaults, arena_copy(&options->names, name.at, name.length));
    text_release(&name);
    return option_values_apply(&given, &why) || refuse(source, why.text, err);
}

/* Adds the folder of the source to a relative path, and the home to one that begins with "~/". */
static bool set_path(const struct config_file *source, const struct option_row *row,
                     struct span value, struct error *err)
{
    struct text path = {0};
    bool is_home = span_starts_with(value, "~/");
    bool is_absolute =
        strchr("/\\", value.at[0]) != NULL || (value.length > 1 && value.at[1] == ':');
    char *home = is_home && source->is_own ? process_variable("HOME") : NULL;
    if ((is_absolute || is_home) && !source->is_own)
        return refuse(source, "a path in this file must be relative to its folder", err);
    if (home != NULL)
        text_put_string(&path, home);
    else if (!is_absolute)
        text_put(&path, source->path, (size_t)(file_name(source->path) - source->path));
    text_put_span(&path, home != NULL ? span_from(value, 1) : value);
    bool is_set = set(source, row, text_span(&path), err);
    text_release(&path);
    free(home);
    return is_set;
}

static bool apply_line(const struct config_file *source, struct span line, struct error *err)
{
    struct span value = span_from(line, strspn(line.at, "-"));
    struct span name = {value.at, strcspn(value.at, "= \t\r\n")};
    const struct option_row *row = option_row_find(name);
    struct text what = {0};
    value = span_from(value, name.length);
    while (value.length > 0 && strchr("= \t", value.at[0]) != NULL)
        value = span_from(value, 1);
    if (row == NULL)
        text_printf(&what, "unknown option '%.*s'", (int)name.length, name.at);
    else if (!row->may_be_default)
        text_printf(&what, "%s can only be given on the command line", row->flag);
    else if ((row->argument != NULL) != (value.length > 0))
        text_printf(&what, "%s %s", row->flag,
                    value.length > 0 ? "takes no value" : "needs a value");
    bool is_good = what.length == 0 || refuse(source, what.at, err);
    text_release(&what);
    if (!is_good || (source->is_given[row - option_rows] && !row->is_list))
        return is_good;
    bool is_path = row->takes == TAKES_FILE || row->takes == TAKES_DIRECTORY;
    return is_path ? set_path(source, row, value, err) : set(source, row, value, err);
}

static bool read_file(struct config_file *source, struct error *err)
{
    struct span line;
    bool is_good = true;
    if (!line_file_read(&source->file, source->path, err))
        return false;
    while (is_good && line_file_next(&source->file, &line))
        is_good = apply_line(source, line, err);
    line_file_release(&source->file);
    return is_good;
}

static bool is_file(const struct text *path)
{
    struct file_status status;
    return file_status(&status, path->at) && status.kind == FILE_REGULAR;
}

static bool find_own(struct text *path)
{
    static const struct {
        const char *variable, *rest;
    } places[] = {{"APPDATA", "/supprof/config"},
                  {"XDG_CONFIG_HOME", "/supprof/config"},
                  {"HOME", "/.config/supprof/config"}};
    bool is_found = false;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !is_found; i++) {
        char *folder = process_variable(places[i].variable);
        text_cut(path, 0);
        if (folder != NULL)
            text_printf(path, "%s%s", folder, places[i].rest);
        is_found = folder != NULL && is_file(path);
        free(folder);
    }
    return is_found;
}

/* The nearest one. */
static bool find_above(struct text *path)
{
    enum { FOLDERS_MAX = 32 };
    static const char name[] = ".supprof";
    /* With a folder, so that "-" below it is not standard input. */
    text_printf(path, "./%s", name);
    for (int i = 0; i < FOLDERS_MAX && !is_file(path); i++) {
        text_cut(path, path->length - strlen(name));
        text_printf(path, "../%s", name);
    }
    return is_file(path);
}

static bool read_variable(struct config_file *source, struct error *err)
{
    char *root = process_variable(source->path);
    bool is_good = root == NULL || root[0] == '\0' ||
                   set(source, option_row_find(span_of("lua-root")), span_of(root), err);
    free(root);
    return is_good;
}

bool defaults_read(struct options *options, const bool *is_given, struct error *err)
{
    struct text own = {0}, above = {0};
    struct config_file variable = {.options = options, .path = "SUPPROF_LUA_ROOT"};
    struct config_file sources[] = {{options, is_given, NULL, true, {0}},
                                    {options, is_given, NULL, false, {0}}};
    char *refused = process_variable("SUPPROF_NO_CONFIG");
    bool is_ignored = options->ignores_defaults || (refused != NULL && refused[0] != '\0');
    free(refused);
    if (is_ignored)
        return true;
    bool is_good = read_variable(&variable, err);
    if (is_good && find_own(&own)) {
        sources[0].path = own.at;
        is_good = read_file(&sources[0], err);
    }
    if (is_good && find_above(&above)) {
        sources[1].path = above.at;
        is_good = read_file(&sources[1], err);
    }
    text_release(&own);
    text_release(&above);
    return is_good;
}
